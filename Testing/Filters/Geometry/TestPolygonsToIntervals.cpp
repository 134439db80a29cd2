#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwisePolygonsToIntervals.h"

#include <vtkCellArray.h>
#include <vtkMath.h>
#include <vtkPlaneSource.h>
#include <vtkPoints.h>
#include <vtkPolygon.h>
#include <vtkTriangleFilter.h>
#include <vtkUnsignedCharArray.h>

#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwisePolygonsToIntervals;
using Ring = std::vector<std::array<double, 2>>;

enum class As { Polygons, Polylines };

vtkSmartPointer<vtkPolyData> polygons(const std::vector<Ring>& rings, As kind = As::Polygons, double z = 0.0) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> cells;
  for (const Ring& ring : rings) {
    cells->InsertNextCell(static_cast<int>(ring.size()) + (kind == As::Polylines ? 1 : 0));
    const vtkIdType first = points->GetNumberOfPoints();
    for (const auto& point : ring) {
      cells->InsertCellPoint(points->InsertNextPoint(point[0], point[1], z));
    }
    if (kind == As::Polylines) {
      cells->InsertCellPoint(first);
    }
  }
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  if (kind == As::Polygons) {
    data->SetPolys(cells);
  } else {
    data->SetLines(cells);
  }
  return data;
}

/// A star-shaped ring with random radii.
Ring randomStar(std::mt19937& random, double x, double y, double radius, int corners) {
  std::uniform_real_distribution<double> share(0.3, 1.0);
  Ring ring;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2.0 * vtkMath::Pi() * k / corners;
    const double r = radius * share(random);
    ring.push_back({x + r * std::cos(angle), y + r * std::sin(angle)});
  }
  return ring;
}

bool isInside(const Ring& ring, const double x[2]) {
  std::vector<double> points;
  for (const auto& point : ring) {
    points.insert(points.end(), {point[0], point[1], 0.0});
  }
  double bounds[6];
  vtkNew<vtkPolygon> polygon;
  polygon->GetPoints()->SetDataTypeToDouble();
  for (const auto& point : ring) {
    polygon->GetPoints()->InsertNextPoint(point[0], point[1], 0.0);
  }
  polygon->GetPoints()->GetBounds(bounds);
  double normal[3] = {0.0, 0.0, 1.0};
  double position[3] = {x[0], x[1], 0.0};
  return vtkPolygon::PointInPolygon(position, static_cast<int>(ring.size()), points.data(), bounds, normal) == 1;
}

Filter* onLattice(Filter* filter, double spacing) {
  filter->SetSpacing(spacing, spacing, spacing);
  return filter;
}

Ring rectangle(double x0, double x1, double y0, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

TEST(PolygonsToIntervals, HasTheCellsWhoseCentresPointInPolygonFinds) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  // Two rings that overlap and one in the first: inside is where an odd number of them is.
  const std::vector<Ring> rings{randomStar(random, 0.0, 0.0, 1.0, 23), randomStar(random, 0.7, 0.3, 0.8, 11),
    randomStar(random, 0.05, 0.0, 0.25, 7)};
  for (const As kind : {As::Polygons, As::Polylines}) {
    vtkNew<Filter> filter;
    filter->SetInputData(polygons(rings, kind, 1.5));
    onLattice(filter, 0.031)->SetOrigin(0.01, -0.005, 0.0);
    filter->Update();
    CellList<2> expected;
    for (int y = -40; y < 60; ++y) {
      for (int x = -40; x < 60; ++x) {
        const double centre[2] = {0.01 + (x + 0.5) * 0.031, -0.005 + (y + 0.5) * 0.031};
        int inside = 0;
        for (const Ring& ring : rings) {
          inside += static_cast<int>(isInside(ring, centre));
        }
        if (inside % 2 == 1) {
          expected.insert({{x, y}});
        }
      }
    }
    EXPECT_TRUE(cellsOf<2>(filter->GetOutput()) == expected);
    EXPECT_EQ(filter->GetOutput()->GetBounds()[4], 1.5);
  }
}

TEST(PolygonsToIntervals, ByDefaultHas1000CellsAlongTheLongerSide) {
  vtkNew<Filter> filter;
  filter->SetInputData(polygons({rectangle(2.0, 6.0, -1.0, 1.0)}));
  filter->Update();
  const auto grid = carriedGrid<2>(filter->GetOutput());
  EXPECT_EQ(grid->box(), (Box<2>{{0, 0}, {1000, 500}}));
  EXPECT_EQ(grid->set().numCells(), 500000);
  EXPECT_EQ(grid->placement().origin[1], -1.0);
}

TEST(PolygonsToIntervals, TilesNeitherOverlapNorLeaveGaps) {
  vtkNew<vtkPlaneSource> plane; // 35 quads whose edges meet centres of cells
  plane->SetOrigin(0.0, 0.0, 0.0);
  plane->SetPoint1(7.0, 0.0, 0.0);
  plane->SetPoint2(0.0, 5.0, 0.0);
  plane->SetResolution(7, 5);
  vtkNew<vtkTriangleFilter> triangles;
  triangles->SetInputConnection(plane->GetOutputPort());
  vtkNew<Filter> filter;
  filter->SetInputConnection(triangles->GetOutputPort());
  onLattice(filter, 0.4);
  filter->Update();
  // centres 0.2 + 0.4 c in [0, 7) x [0, 5)
  EXPECT_EQ(carriedGrid<2>(filter->GetOutput())->box(), (Box<2>{{0, 0}, {17, 12}}));
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 17 * 12);
}

TEST(PolygonsToIntervals, InsideAndOutsidePartitionTheBounds) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  vtkNew<Filter> filter;
  filter->SetInputData(polygons({randomStar(random, 0.0, 0.0, 1.0, 17)}));
  onLattice(filter, 0.05);
  filter->UseBoundsOn();
  filter->SetBounds(-0.5, 2.0, -3.0, 0.6);
  filter->Update();
  const auto inside = cellsOf<2>(filter->GetOutput());
  filter->SetDomain(Filter::OUTSIDE_WITHIN_BOUNDS);
  filter->Update();
  auto all = cellsOf<2>(filter->GetOutput());
  EXPECT_EQ(all.size() + inside.size(), 50U * 72U);
  all.insert(inside.begin(), inside.end());
  EXPECT_EQ(all.size(), 50U * 72U);
}

TEST(PolygonsToIntervals, NoPolygonsLeaveTheBoundsWhole) {
  vtkNew<vtkPolyData> nothing;
  vtkNew<Filter> filter;
  filter->SetInputData(nothing);
  Messages messages;
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  filter->SetDomain(Filter::OUTSIDE_WITHIN_BOUNDS);
  filter->UseBoundsOn();
  filter->SetResolution(10);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 100);
  EXPECT_EQ(messages.all().size(), 0U);
}

TEST(PolygonsToIntervals, LeavesOutGhostCells) {
  const auto data = polygons({rectangle(0.0, 1.0, 0.0, 1.0), rectangle(2.0, 3.0, 0.0, 1.0)});
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  ghosts->InsertNextValue(vtkDataSetAttributes::DUPLICATECELL);
  ghosts->InsertNextValue(0);
  data->GetCellData()->AddArray(ghosts);
  vtkNew<Filter> filter;
  filter->SetInputData(data);
  onLattice(filter, 0.1);
  filter->Update();
  EXPECT_EQ(carriedGrid<2>(filter->GetOutput())->box(), (Box<2>{{20, 0}, {30, 10}}));
}

TEST(PolygonsToIntervals, PiecesPartitionTheWhole) {
  std::mt19937 random(seed());
  vtkNew<Filter> filter;
  filter->SetInputData(polygons({randomStar(random, 0.0, 0.0, 1.0, 17)}));
  filter->SetResolution(50);
  expectPiecesMakeTheWhole(filter, nullptr, 4, 0.25);
}

TEST(PolygonsToIntervals, WorksOnEveryStepOfATimeSeries) {
  vtkNew<StepSource> source;
  source->type = "vtkPolyData";
  source->steps = {1.0, 2.0, 3.0};
  source->fill = [](double time, vtkDataObject* output) {
    output->ShallowCopy(polygons({rectangle(0.0, time, 0.0, 1.0)}));
  };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  onLattice(filter, 0.1);
  for (const double time : {1.0, 3.0, 2.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), std::lround(time * 100));
  }
}

TEST(PolygonsToIntervals, BadInputIsOneError) {
  vtkNew<Filter> filter;
  auto data = polygons({rectangle(0.0, 1.0, 0.0, 1.0)});
  filter->SetInputData(data);
  data->GetPoints()->SetPoint(2, 1.0, 1.0, 0.5);
  expectOneError(filter, "the points' z go from 0 to 0.5");
  data->GetPoints()->SetPoint(2, 1.0, std::numeric_limits<double>::infinity(), 0.0);
  data->GetPoints()->Modified();
  data->Modified();
  expectOneError(filter, "is not finite");
  filter->SetInputData(polygons({{{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}}}, As::Polylines));
  filter->SetResolution(-3);
  expectOneError(filter, "the resolution is -3");
  filter->SetResolution(100);
  filter->UseBoundsOn();
  filter->SetBounds(1.0, 0.0, 0.0, 1.0);
  expectOneError(filter, "the lower ends must not exceed the upper ones");
  filter->UseBoundsOff();

  auto open = polygons({}, As::Polylines);
  for (const double x : {0.0, 1.0, 2.0}) {
    open->GetPoints()->InsertNextPoint(x, 2.0 * x, 0.0);
  }
  open->GetLines()->InsertNextCell({0, 1, 2});
  filter->SetInputData(open);
  expectOneError(filter, "the polyline of cell 0 is open: it goes from (0, 0, 0) to (2, 4, 0)");

  auto strip = polygons({rectangle(0.0, 1.0, 0.0, 1.0)});
  vtkNew<vtkCellArray> strips;
  strips->InsertNextCell({0, 1, 2, 3});
  strip->SetStrips(strips);
  filter->SetInputData(strip);
  expectOneError(filter, "triangle strips, the first one is cell 1");

  filter->SetInputData(polygons({{{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}}));
  expectOneError(filter, "the longest side of the bounds is 0");
}

} // namespace
} // namespace spanwise::testing
