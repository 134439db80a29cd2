// Eikonal Paths on grids of intervals and on images.

#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseEikonalArrivalTime.h"
#include "vtkSpanwiseEikonalPaths.h"

#include <vtkArrayCalculator.h>
#include <vtkCell.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkLineSource.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace spanwise::testing {
namespace {

using Arrival = vtkSpanwiseEikonalArrivalTime;
using Filter = vtkSpanwiseEikonalPaths;
using Place = std::array<double, 3>;

/// A line: its points and their times.
struct Line {
  std::vector<Place> points;
  std::vector<double> times;
  double source = -1.0;
  double seed = -1.0;

  [[nodiscard]] double length() const {
    double sum = 0.0;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      sum +=
        std::hypot(points[k][0] - points[k + 1][0], points[k][1] - points[k + 1][1], points[k][2] - points[k + 1][2]);
    }
    return sum;
  }
};

std::vector<Line> linesOf(Filter* filter) {
  filter->Update();
  vtkPolyData* paths = filter->GetOutput();
  std::vector<Line> lines;
  vtkNew<vtkIdList> ids;
  for (vtkIdType c = 0; c < paths->GetNumberOfLines(); ++c) {
    paths->GetCellPoints(c, ids);
    Line line;
    for (vtkIdType k = 0; k < ids->GetNumberOfIds(); ++k) {
      Place at{};
      paths->GetPoint(ids->GetId(k), at.data());
      line.points.push_back(at);
      line.times.push_back(paths->GetPointData()->GetArray("Arrival Time")->GetComponent(ids->GetId(k), 0));
    }
    EXPECT_TRUE(std::is_sorted(line.times.rbegin(), line.times.rend())); // a way back never takes longer
    line.seed = paths->GetCellData()->GetArray("Seed")->GetComponent(c, 0);
    line.source = paths->GetCellData()->GetArray("Source")->GetComponent(c, 0);
    lines.push_back(line);
  }
  return lines;
}

GridPlacement unitPlacement(int n) {
  GridPlacement placement;
  std::fill_n(placement.spacing, 3, 1.0 / n);
  return placement;
}

TEST(EikonalPathsOnGrids, AreStraightInAConstantMedium) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  constexpr int n = 16;
  const Place source{0.31, 0.57, 0.44};
  vtkNew<vtkImageData> image;
  image->SetExtent(0, n, 0, n, 0, n);
  image->SetSpacing(1.0 / n, 1.0 / n, 1.0 / n);
  for (const auto& data : {vtkSmartPointer<vtkDataSet>(gridOfCells<3>(allCells<3>(0, n), unitPlacement(n))),
         vtkSmartPointer<vtkDataSet>(image.Get())}) {
    vtkNew<Arrival> arrival;
    arrival->SetInputData(data);
    arrival->SetSourcePoint(0, source.data());
    arrival->SetSpeed(2.0);
    vtkNew<Filter> filter;
    filter->SetInputConnection(arrival->GetOutputPort());
    for (int k = 0; k < 20; ++k) {
      filter->SetSeedPoint(k, unit(random), unit(random), unit(random));
    }
    const auto lines = linesOf(filter);
    ASSERT_EQ(lines.size(), 20U);
    for (std::size_t k = 0; k < 20; ++k) {
      const Line& line = lines[k];
      EXPECT_EQ(line.seed, static_cast<double>(k));
      EXPECT_EQ(line.source, 0.0);
      EXPECT_EQ(line.points.back(), source);
      EXPECT_EQ(line.times.back(), 0.0);
      const Place& at = line.points.front();
      const double distance = std::hypot(at[0] - source[0], at[1] - source[1], at[2] - source[2]);
      EXPECT_LT(line.length(), 1.03 * distance + 1.0 / n);
      EXPECT_GE(line.length(), distance - 1e-12);
      EXPECT_NEAR(line.times.front(), distance / 2.0, 0.2 / n);
    }
  }
}

TEST(EikonalPathsOnGrids, GoAroundWalls) {
  constexpr int n = 48;
  CellList<2> cells;
  for (const Cell<2>& cell : allCells<2>(0, n)) {
    if (!(cell.at[0] >= 22 && cell.at[0] < 26 && cell.at[1] < 36)) {
      cells.insert(cells.end(), cell);
    }
  }
  const auto grid = gridOfCells<2>(cells, unitPlacement(n));
  vtkNew<Arrival> arrival;
  arrival->SetInputData(grid);
  arrival->SetSourcePoint(0, 0.1, 0.1, 0.0);
  arrival->SetOrder(2);
  vtkNew<vtkArrayCalculator> between; // keeps points and cells
  between->SetInputConnection(arrival->GetOutputPort());
  between->SetResultArrayName("more");
  between->SetFunction("1");
  vtkNew<Filter> filter;
  filter->SetInputConnection(between->GetOutputPort());
  filter->SetSeedPoint(0, 0.9, 0.1, 0.0);
  filter->SetSeedPoint(1, 0.6, 0.5, 0.0);
  const auto lines = linesOf(filter);
  ASSERT_EQ(lines.size(), 2U);
  const double toCorner = std::hypot(22.0 / n - 0.1, 0.65) + 4.0 / n;
  const double expected[] = {toCorner + std::hypot(0.9 - 26.0 / n, 0.65), toCorner + std::hypot(0.6 - 26.0 / n, 0.25)};
  const auto record = carriedGrid<2>(grid);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(lines[k].length(), expected[k], 0.04 * expected[k]);
    for (const Place& at : lines[k].points) {
      double local[2];
      EXPECT_GE(record->findCell(at.data(), local), 0) << at[0] << " " << at[1];
    }
  }
}

TEST(EikonalPathsOnGrids, GoThroughPeriods) {
  constexpr int n = 40;
  vtkNew<Arrival> arrival;
  arrival->SetInputData(gridOfCells<2>(allCells<2>(0, n), unitPlacement(n)));
  arrival->SetSourcePoint(0, 0.9, 0.5, 0.0);
  arrival->PeriodicXOn();
  vtkNew<Filter> filter;
  filter->SetInputConnection(arrival->GetOutputPort());
  filter->SetSeedPoint(0, 0.15, 0.4, 0.0);
  const auto lines = linesOf(filter);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NEAR(lines[0].length(), std::hypot(0.25, 0.1), 0.02);
  EXPECT_NEAR(lines[0].points.back()[0], -0.1, 1e-9);
  EXPECT_NEAR(lines[0].points.back()[1], 0.5, 1e-9);
}

TEST(EikonalPathsOnGrids, EndAtTheSourceOfTheirFront) {
  constexpr int n = 20;
  const auto grid = gridOfCells<2>(allCells<2>(0, n), unitPlacement(n));
  vtkNew<vtkDoubleArray> marks;
  marks->SetName("marks");
  marks->SetNumberOfValues(grid->GetNumberOfCells());
  marks->Fill(0.0);
  marks->SetValue(3 + 20 * 10, 1.0); // the cell (3, 10)
  marks->SetValue(17 + 20 * 4, 1.0);
  grid->GetCellData()->AddArray(marks);
  vtkNew<Arrival> arrival;
  arrival->SetInputData(grid);
  arrival->SetSources(Arrival::SOURCE_ARRAY);
  arrival->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "marks");
  vtkNew<vtkPolyData> cloud;
  vtkNew<vtkPoints> points;
  points->InsertNextPoint(0.1, 0.9, 0.0);
  points->InsertNextPoint(0.95, 0.1, 0.0);
  cloud->SetPoints(points);
  vtkNew<Filter> filter;
  filter->SetInputConnection(arrival->GetOutputPort());
  filter->SetSeeds(Filter::POINTS);
  filter->SetSeedData(cloud);
  auto lines = linesOf(filter);
  ASSERT_EQ(lines.size(), 2U);
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.seed < b.seed; });
  EXPECT_EQ(lines[0].source, 203.0);
  EXPECT_EQ(lines[1].source, 97.0);
  EXPECT_NEAR(lines[0].points.back()[0], 3.5 / n, 1e-12);
  EXPECT_NEAR(lines[0].points.back()[1], 10.5 / n, 1e-12);
  EXPECT_EQ(lines[0].times.back(), 0.0);
}

/// How far a place is from a cell of a surface.
double distanceTo(vtkPolyData* surface, vtkIdType cell, const Place& place) {
  double closest[3];
  double coordinates[3];
  vtkCell* const of = surface->GetCell(cell);
  std::vector<double> weights(static_cast<std::size_t>(of->GetNumberOfPoints()));
  double squared = -1.0;
  int part = 0;
  of->EvaluatePosition(place.data(), closest, part, coordinates, squared, weights.data());
  return std::sqrt(squared);
}

TEST(EikonalPathsOnGrids, EndOnTheSurfaceThatFrontsStartAt) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.02, 0.98);
  constexpr int n = 20;
  vtkNew<vtkImageData> image;
  image->SetExtent(0, n, 0, n, 0, n);
  image->SetSpacing(1.0 / n, 1.0 / n, 1.0 / n);
  vtkNew<vtkSphereSource> sphere;
  sphere->SetCenter(0.47, 0.52, 0.55);
  sphere->SetRadius(0.3);
  sphere->SetThetaResolution(40);
  sphere->SetPhiResolution(40);
  vtkNew<vtkLineSource> line;
  line->SetPoint1(0.21, 0.33, 0.0);
  line->SetPoint2(0.82, 0.74, 0.0);
  line->SetResolution(3);
  const auto cube = gridOfCells<3>(allCells<3>(0, n), unitPlacement(n));
  const auto square = gridOfCells<2>(allCells<2>(0, n), unitPlacement(n));
  const std::pair<vtkDataSet*, vtkPolyDataAlgorithm*> cases[] = {{cube, sphere}, {image, sphere}, {square, line}};
  for (const auto& [data, source] : cases) {
    source->Update();
    vtkPolyData* const surface = source->GetOutput();
    vtkNew<Arrival> arrival;
    arrival->SetInputData(data);
    arrival->SetSources(Arrival::SURFACE);
    arrival->SetSourceData(surface);
    vtkNew<Filter> filter;
    filter->SetInputConnection(arrival->GetOutputPort());
    for (int k = 0; k < 30; ++k) {
      filter->SetSeedPoint(k, unit(random), unit(random), data == square ? 0.0 : unit(random));
    }
    const auto ways = linesOf(filter);
    ASSERT_EQ(ways.size(), 30U);
    for (const Line& way : ways) {
      ASSERT_GE(way.source, 0.0);
      const auto end = surface->GetNumberOfCells() > 1 ? static_cast<vtkIdType>(way.source) : 0; // of the poly-line
      EXPECT_LT(distanceTo(surface, end, way.points.back()), 1e-6);
      EXPECT_EQ(way.times.back(), 0.0);
      double nearest = 1.0;
      for (vtkIdType cell = 0; cell < surface->GetNumberOfCells(); ++cell) {
        nearest = std::min(nearest, distanceTo(surface, cell, way.points.front()));
      }
      EXPECT_GE(way.length(), nearest - 1e-6);
      EXPECT_LT(way.length(), 1.02 * nearest + 0.05 / n);
    }
  }
}

TEST(EikonalPathsOnGrids, SaysWhichSeedsHaveNone) {
  CellList<2> cells = allCells<2>(0, 10);
  cells.insert(Cell<2>{{14, 5}});
  vtkNew<Arrival> arrival;
  arrival->SetInputData(gridOfCells<2>(cells, unitPlacement(10)));
  arrival->SetSourcePoint(0, 0.5, 0.5, 0.0);
  vtkNew<Filter> filter;
  filter->SetInputConnection(arrival->GetOutputPort());
  filter->SetSeedPoint(0, 1.45, 0.55, 0.0); // no front came
  filter->SetSeedPoint(1, 3.0, 3.0, 0.0);   // outside
  filter->SetSeedPoint(2, 0.1, 0.5, 0.4);   // above the plane
  filter->SetSeedPoint(3, 1.0, 1.0, 0.0);   // the corner of the last cell
  auto lines = linesOf(filter);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].seed, 3.0);
  EXPECT_EQ(filter->GetOutput()->GetFieldData()->GetArray("Seeds Without Path")->GetComponent(0, 0), 3.0);
  filter->SetReach(0.5);
  lines = linesOf(filter);
  ASSERT_EQ(lines.size(), 2U);
  filter->SetMaximumSteps(3);
  lines = linesOf(filter);
  for (const Line& line : lines) {
    EXPECT_EQ(line.points.size(), 4U);
    EXPECT_EQ(line.source, -1.0);
  }
  filter->SetMaximumSteps(-1);
  expectOneError(filter, "the number of steps is -1");
  filter->SetMaximumSteps(100);
  filter->SetNumberOfSeedPoints(2);
  filter->SetSeedPoint(0, 1.0, 1.0, 0.0);
  filter->SetSeedPoint(1, 7.0, 7.0, 0.0);
  Messages messages;
  filter->Update();
  EXPECT_TRUE(messages.all().empty()); // the other has one
  filter->SetSeedPoint(0, 8.0, 8.0, 0.0);
  filter->Update();
  ASSERT_EQ(messages.all().size(), 1U);
  EXPECT_NE(messages.all()[0].find("none of the 2 seeds has a path"), std::string::npos) << messages.all()[0];
  filter->SetNumberOfSeedPoints(1);
  filter->Update();
  ASSERT_EQ(messages.all().size(), 2U);
  EXPECT_NE(messages.all()[1].find("the seed has no path; a seed must be in"), std::string::npos) << messages.all()[1];
}

TEST(EikonalPathsOnGrids, TimesMustBelongToTheImage) {
  vtkNew<vtkImageData> image;
  image->SetExtent(0, 10, 0, 10, 0, 0);
  vtkNew<Arrival> arrival;
  arrival->SetInputData(image);
  arrival->SetSourcePoint(0, 5.0, 5.0, 0.0);
  arrival->Update();
  vtkNew<vtkImageData> other;
  other->ShallowCopy(arrival->GetOutputDataObject(0));
  other->SetOrigin(1.0, 0.0, 0.0);
  vtkNew<Filter> filter;
  filter->SetInputData(other);
  filter->SetSeedPoint(0, 8.0, 8.0, 0.0);
  expectOneError(filter, "no arrival times that belong to its points or cells");
  other->SetOrigin(0.0, 0.0, 0.0);
  EXPECT_EQ(linesOf(filter).size(), 1U);
}

} // namespace
} // namespace spanwise::testing
