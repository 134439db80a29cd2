// Eikonal Arrival Time on grids of intervals and on images: all kinds of sources.

#include "Testing/Filters/Eikonal/ArrivalTimesOnGrids.hpp"
#include "Testing/Rooms.hpp"

#include <vtkCellArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace spanwise::testing {
namespace {

TEST(EikonalArrivalTimeOnGrids, TwoPointsShareTheSquare) {
  const Place a{0.2, 0.3, 0.0};
  const Place b{0.85, 0.6, 0.0};
  vtkNew<Filter> filter;
  filter->SetInputData(unitImage<2>(64));
  filter->SetSourcePoint(0, a.data());
  filter->SetSourcePoint(1, b.data());
  filter->ComputeNearestSourceOn();
  filter->Update();
  vtkDataSet* output = filter->GetDataSetOutput();
  EXPECT_LT(largestError(output, [&](const Place& p) { return std::min(distance(p, a), distance(p, b)); }), 1e-12);
  for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
    const Place p = centreOf(output, c);
    const double behind = distance(p, b) - distance(p, a);
    if (std::abs(behind) > 0.1) { // at the border a cell decides
      ASSERT_EQ(valueAt(output, c, "Nearest Source"), behind > 0.0 ? 0.0 : 1.0);
    }
  }
}

TEST(EikonalArrivalTimeOnGrids, PointsBesideCellsAreMovedIntoThem) {
  CellList<3> cells = allCells<3>(0, 6);
  for (Coordinate x = 0; x < 6; ++x) {
    cells.erase(Cell<3>{{x, 2, 3}}); // a tunnel
  }
  const auto grid = gridOfCells<3>(cells, unitPlacement<3>(6));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  // On the outermost faces points are in cells.
  for (const Place& corner : {Place{0.0, 0.0, 0.0}, Place{1.0, 1.0, 1.0}, Place{1.0, 0.0, 0.5}}) {
    filter->SetSourcePoint(0, corner.data());
    filter->SetStopTime(0.2);
    filter->Update();
    EXPECT_EQ(filter->GetDataSetOutput()->GetNumberOfCells(), 210);
    double least = infinity;
    for (const double time : timesOf(filter->GetDataSetOutput())) {
      least = std::min(least, time);
    }
    EXPECT_NEAR(least, std::sqrt(3.0) / 12.0, 1e-8);
  }
  filter->SetStopTime(infinity);
  filter->SetSourcePoint(0, 0.3, 2.5 / 6, 3.4 / 6);
  expectOneError(filter, "source point 0 at (0.3, 0.4166666666666667, 0.5666666666666667) is outside of the grid");
  filter->SetReach(0.11); // at least 0.4 / 6 to its walls
  filter->Update();
  vtkNew<Filter> expected;
  expected->SetInputData(grid);
  expected->SetSourcePoint(0, 0.3, 2.5 / 6, 0.5 - 1e-9 / 6);
  expected->Update();
  const auto found = timesOf(filter->GetDataSetOutput());
  const auto wanted = timesOf(expected->GetDataSetOutput());
  for (std::size_t c = 0; c < found.size(); ++c) {
    ASSERT_NEAR(found[c], wanted[c], 1e-8);
  }
  filter->SetSourcePoint(0, 1.2, 0.5, 0.5);
  expectOneError(filter, "as 1 of 1 points are");
  // a grid in the plane is there and nowhere else
  vtkNew<Filter> flat;
  flat->SetInputData(unitGrid<2>(4));
  flat->SetSourcePoint(0, 0.5, 0.5, 0.2);
  expectOneError(flat, "is outside of the grid");
  flat->SetReach(0.3);
  flat->Update();
  EXPECT_EQ(flat->GetDataSetOutput()->GetNumberOfCells(), 16);
}

// Cells of a second set that share the lattice start at their times: here the column x = 0.
TEST(EikonalArrivalTimeOnGrids, PlaneFrontsFromCellsAreExact) {
  const auto source = gridOfCells<3>(allCells<3>(0, 6), unitPlacement<3>(6));
  CellList<3> column;
  for (Coordinate y = 0; y < 6; ++y) {
    for (Coordinate z = 0; z < 6; ++z) {
      column.insert(column.end(), Cell<3>{{0, y, z}});
    }
  }
  auto placement = unitPlacement<3>(6);
  const auto cells = gridOfCells<3>(column, placement, 100.0);
  const auto late = onCells(cells, "late", [](const Place&) { return std::vector<double>{0.25}; });
  vtkNew<vtkUnstructuredGrid> explicitCells; // the same as any other data set of equal cells
  explode(cells, explicitCells);
  for (const auto& input : {vtkSmartPointer<vtkDataSet>(source), vtkSmartPointer<vtkDataSet>(unitImage<3>(6))}) {
    for (vtkDataSet* second : {static_cast<vtkDataSet*>(cells), static_cast<vtkDataSet*>(explicitCells)}) {
      vtkNew<Filter> filter;
      filter->SetInputData(input);
      filter->SetSources(Filter::CELLS);
      filter->SetSourceData(second);
      filter->SetSourceTimes("late");
      filter->SetSpeed(2.0);
      filter->ComputeGradientOn();
      filter->ComputeNearestSourceOn();
      filter->Update();
      vtkDataSet* output = filter->GetDataSetOutput();
      EXPECT_LT(largestError(output, [](const Place& p) { return 0.25 + (p[0] - 1.0 / 12.0) / 2.0; }), 1e-12);
      EXPECT_EQ(fieldValue(output, "Eikonal Sources"), 36.0);
      for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
        const Place p = centreOf(output, c);
        EXPECT_NEAR(valueAt(output, c, "Gradient", 0), p[0] < 1.0 / 6.0 ? 0.0 : 0.5, 1e-12);
        EXPECT_NEAR(valueAt(output, c, "Gradient", 1), 0.0, 1e-12);
        const double row = std::floor(6.0 * p[1]) + 6.0 * std::floor(6.0 * p[2]); // the column's cell beside it
        EXPECT_EQ(valueAt(output, c, "Nearest Source"), row);
      }
    }
  }
}

TEST(EikonalArrivalTimeOnGrids, ArraysSayWhereAndWhenFrontsStart) {
  const auto image = unitImage<2>(8);
  const auto marks = onCells(image, "marks", [](const Place&) { return std::vector<double>{0.0}; });
  marks->SetValue(9, -3.0);
  marks->SetValue(5, std::numeric_limits<double>::quiet_NaN());
  const auto times = onCells(image, "times", [](const Place&) { return std::vector<double>{infinity}; });
  times->SetValue(9, 1.5);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetSources(Filter::SOURCE_ARRAY);
  setArray(filter, 0, "marks");
  filter->ComputeNearestSourceOn();
  filter->Update();
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Sources"), 1.0);
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), 9), 0.0);
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), 63, "Nearest Source"), 9.0);
  const double far = valueAt(filter->GetDataSetOutput(), 63);
  filter->SetSourceArrayMeaning(Filter::TIMES);
  setArray(filter, 0, "times");
  filter->Update();
  EXPECT_NEAR(valueAt(filter->GetDataSetOutput(), 63), far + 1.5, 1e-12);
  // a point is one in space
  vtkNew<vtkDoubleArray> late;
  late->SetName("late");
  late->SetNumberOfValues(81);
  late->Fill(infinity);
  late->SetValue(80, 0.5); // the upper corner
  image->GetPointData()->AddArray(late);
  setArray(filter, 0, "late", true);
  filter->Update();
  EXPECT_EQ(valueAt(filter->GetDataSetOutput(), 3, "Nearest Source"), 80.0);
  EXPECT_LT(
    largestError(filter->GetDataSetOutput(), [](const Place& p) { return 0.5 + distance(p, {1.0, 1.0, 0.0}); }), 1e-8);
}

// A sphere starts its own distance, inside and outside, to the order of differences, in 3D and where the plane of a
// grid cuts it.
template <int Dim>
std::vector<double> timesFromASphere(vtkDataSet* data, int n, int order) {
  constexpr double radius = 0.26;
  constexpr double speed = 2.0;
  const Place centre{0.47, 0.52, Dim == 3 ? 0.49 : 0.12};
  const double cut = Dim == 3 ? radius : std::sqrt(radius * radius - 0.12 * 0.12);
  const auto surface = sphere(centre, radius);
  vtkNew<vtkDoubleArray> late;
  late->SetName("late");
  late->SetNumberOfValues(surface->GetNumberOfCells());
  late->Fill(0.5);
  surface->GetCellData()->AddArray(late);
  vtkNew<Filter> filter;
  filter->SetInputData(data);
  filter->SetSources(Filter::SURFACE);
  filter->SetSourceData(surface);
  filter->SetSourceTimes("late");
  filter->SetSpeed(speed);
  filter->SetOrder(order);
  filter->Update();
  const std::vector<double> times = timesOf(filter->GetDataSetOutput());
  using At = std::array<double, Dim>;
  const auto fromCentre = [&](const At& p) {
    return std::hypot(p[0] - centre[0], p[1] - centre[1], Dim == 3 ? p[Dim - 1] - centre[2] : 0.0);
  };
  const auto away = [&](const At& p) { return std::abs(fromCentre(p) - cut); };
  const auto errors = errorsBesideBounds<Dim>(
    times, allCells<Dim>(0, n), 1.0 / n,
    eikonal::testing::UpwindScheme<Dim>::ofSpeed(order, [](const auto&) { return speed; }),
    [&](const At& p) { return 0.5 + away(p) / speed; },
    [&](const At& p) { return away(p) <= 2.0 / n; },   // as startAtSurface() says
    [&](const At& p) { return fromCentre(p) > 0.1; }); // not where its fronts meet
  // triangles are so far within the sphere
  const double sagitta = radius * (1.0 - std::cos(std::numbers::pi / 256) * std::cos(std::numbers::pi / (2 * 255)));
  eikonal::testing::expectWithinBounds(errors, order, sagitta / speed);
  return times;
}

// A poly-line is its segments.
TEST(EikonalArrivalTimeOnGrids, PolyLinesAreSurfaces) {
  const auto linesOf = [](const std::vector<std::vector<vtkIdType>>& cells) {
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    points->InsertNextPoint(0.21, 0.33, 0.0);
    points->InsertNextPoint(0.52, 0.41, 0.0);
    points->InsertNextPoint(0.6, 0.87, 0.0);
    vtkNew<vtkCellArray> lines;
    for (const auto& cell : cells) {
      lines->InsertNextCell(std::ssize(cell), cell.data());
    }
    vtkNew<vtkDoubleArray> starts;
    starts->SetName("starts");
    starts->SetNumberOfValues(lines->GetNumberOfCells());
    starts->Fill(0.5);
    auto data = vtkSmartPointer<vtkPolyData>::New();
    data->SetPoints(points);
    data->SetLines(lines);
    data->GetCellData()->AddArray(starts);
    return data;
  };
  const auto timesFrom = [](vtkPolyData* lines) {
    vtkNew<Filter> filter;
    filter->SetInputData(unitImage<2>(20));
    filter->SetSources(Filter::SURFACE);
    filter->SetSourceData(lines);
    filter->SetSourceTimes("starts");
    filter->ComputeNearestSourceOn();
    filter->Update();
    std::vector<double> values = timesOf(filter->GetDataSetOutput());
    for (std::size_t c = 0; c < 400; ++c) {
      values.push_back(valueAt(filter->GetDataSetOutput(), static_cast<vtkIdType>(c), "Nearest Source"));
    }
    return values;
  };
  EXPECT_EQ(timesFrom(linesOf({{0, 1, 2}})), timesFrom(linesOf({{0, 1}, {1, 2}})));
}

TEST(EikonalArrivalTimeOnGrids, SurfacesStartTheirDistances) {
  for (const int order : {Filter::FIRST, Filter::SECOND}) {
    timesFromASphere<2>(unitGrid<2>(60), 60, order);
    timesFromASphere<2>(unitGrid<2>(120), 120, order);
    const auto times = timesFromASphere<3>(unitGrid<3>(24), 24, order);
    EXPECT_EQ(timesFromASphere<3>(unitImage<3>(24), 24, order), times);
  }
}

} // namespace
} // namespace spanwise::testing
