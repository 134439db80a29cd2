#include "Testing/Core/Solvers/Eikonal/AroundAWall.hpp"
#include "Testing/Core/Solvers/Eikonal/RayErrors.hpp"
#include "Testing/Filters/Eikonal/Unreached.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"
#include "Testing/Filters/Sides.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseEikonalArrivalTime.h"

#include <vtkCellSizeFilter.h>
#include <vtkCellType.h>
#include <vtkCellTypeSource.h>
#include <vtkIdList.h>
#include <vtkLineSource.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPlaneSource.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>
#include <vtkTriangleFilter.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <vector>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseEikonalArrivalTime;

double distance(const double a[3], const double b[3]) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

double timeAt(vtkDataSet* data, vtkIdType point, const char* name = "Arrival Time") {
  return data->GetPointData()->GetArray(name)->GetComponent(point, 0);
}

double fieldValue(vtkDataSet* data, const char* name) {
  return data->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

/// The largest difference of a data set's times from those that `exact` gives at its points.
template <class Exact>
double largestError(vtkDataSet* data, const Exact& exact) {
  double largest = 0.0;
  EXPECT_GT(data->GetNumberOfPoints(), 0);
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p) {
    double point[3];
    data->GetPoint(p, point);
    const double error = std::abs(timeAt(data, p) - exact(point));
    largest = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(largest, error);
  }
  return largest;
}

/// Bounds of the errors of times that are not factored, at speed 1, with those given where isStart(point).
template <int corners, class Exact, class IsStart>
std::vector<double> boundsOf(const HostMesh& mesh, vtkDataSet* data, const Exact& exact, const IsStart& isStart) {
  const eikonal::testing::RayProblem rays{
    [&](const Point& x) { return exact(x.at); }, [](std::int64_t) { return 1.0; }};
  std::vector<double> bounds;
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p) {
    const Point& x = mesh.points[static_cast<std::size_t>(p)];
    bounds.push_back(isStart(x) ? std::abs(timeAt(data, p) - exact(x.at)) : eikonal::notReached);
  }
  eikonal::testing::boundErrors<corners>(mesh, rays, 3, bounds);
  return bounds;
}

vtkSmartPointer<vtkDoubleArray> arrayOf(const char* name, vtkIdType count, const std::vector<double>& tuple) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(static_cast<int>(tuple.size()));
  array->SetNumberOfTuples(count);
  for (vtkIdType k = 0; k < count; ++k) {
    array->SetTuple(k, tuple.data());
  }
  return array;
}

void setArray(Filter* filter, int index, const char* name, bool onPoints) {
  filter->SetInputArrayToProcess(
    index, 0, 0, onPoints ? vtkDataObject::FIELD_ASSOCIATION_POINTS : vtkDataObject::FIELD_ASSOCIATION_CELLS, name);
}

TEST(EikonalArrivalTime, StaysWhereItWasComputed) {
  vtkNew<vtkSphereSource> sphere;
  const auto run = [&](bool points) {
    return [&sphere, points] {
      vtkNew<Filter> filter;
      filter->SetInputConnection(sphere->GetOutputPort());
      filter->SetSourcePoint(0, 0.0, 0.0, 0.5);
      filter->SetComputeGradient(true);
      filter->Update();
      vtkDataSet* const output = filter->GetDataSetOutput();
      return points ? vtkSmartPointer<vtkFieldData>(output->GetPointData())
                    : vtkSmartPointer<vtkFieldData>(output->GetCellData());
    };
  };
  expectArraysStay({"Arrival Time"}, 1e-10, run(true));
  expectArraysStay({"Gradient"}, 1e-9, run(false));
  expectSameArraysWithoutMemory({"Arrival Time"}, 5, 1e-10, run(true));
}

// Along the edges of Kuhn's tetrahedra a plane front is exact, since times are linear.
TEST(EikonalArrivalTime, PlaneFrontsAreExact) {
  vtkNew<vtkPlaneSource> plane; // x = 0
  plane->SetOrigin(0.0, -1.0, -1.0);
  plane->SetPoint1(0.0, 2.0, -1.0);
  plane->SetPoint2(0.0, -1.0, 2.0);
  for (const ElementType type : allElementTypes) {
    if (type == ElementType::Edge) {
      continue;
    }
    for (const int pointType : {VTK_FLOAT, VTK_DOUBLE}) {
      vtkNew<Filter> filter;
      filter->SetInputData(vtkGridOf(gridMesh(type, 4), pointType));
      filter->SetSources(Filter::SURFACE);
      filter->SetSourceConnection(plane->GetOutputPort());
      filter->SetSpeed(2.0);
      filter->Update();
      const double error = largestError(filter->GetDataSetOutput(), [](const double* p) { return p[0] / 2.0; });
      EXPECT_LT(error, 1e-15) << elementTypeName(type); // coordinates are exact in float, too; of an ulp of 1/2 or two
    }
  }
}

TEST(EikonalArrivalTime, PointsAreSourcesAnywhereInTheMesh) {
  const double a[3] = {0.31, 0.57, 0.44};
  const double b[3] = {0.9, 0.15, 0.72};
  const auto grid = vtkGridOf(gridMesh(ElementType::Tetrahedron, 16));
  vtkNew<Filter> placed;
  placed->SetInputData(grid);
  placed->SetSourcePoint(0, a);
  placed->SetSourcePoint(1, b);
  placed->Update();
  const auto nearest = [&](const double* p) { return std::min(distance(p, a), distance(p, b)); };
  EXPECT_LT(largestError(placed->GetDataSetOutput(), nearest), 1e-12); // factored times are exact, where they meet too
  placed->FactorTimesOff();
  placed->Update();
  // from bare points, whose elements have edges of up to sqrt(3) / 16
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 16);
  const std::vector<double> bounds = boundsOf<4>(mesh, placed->GetDataSetOutput(), nearest,
    [&](const Point& x) { return nearest(x.at) <= 1.01 * std::numbers::sqrt3 / 16; });
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    const double late = timeAt(placed->GetDataSetOutput(), p) - nearest(grid->GetPoint(p));
    EXPECT_GE(late, -1e-12); // no front is faster
    EXPECT_LE(late, bounds[static_cast<std::size_t>(p)] + 1e-12);
  }
  // the same points as a second input
  vtkNew<vtkPolyData> cloud;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->InsertNextPoint(a);
  points->InsertNextPoint(b);
  cloud->SetPoints(points);
  vtkNew<Filter> given;
  given->SetInputData(grid);
  given->SetSources(Filter::POINTS);
  given->SetSourceData(cloud);
  given->FactorTimesOff();
  given->Update();
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    ASSERT_EQ(timeAt(given->GetDataSetOutput(), p), timeAt(placed->GetDataSetOutput(), p));
  }
  // and with times of their own
  const auto late = arrayOf("late", 2, {0.25});
  cloud->GetPointData()->AddArray(late);
  given->SetSourceTimes("late");
  given->Update();
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    ASSERT_NEAR(timeAt(given->GetDataSetOutput(), p), timeAt(placed->GetDataSetOutput(), p) + 0.25, 1e-12);
  }
}

TEST(EikonalArrivalTime, AFactoredPointIsExactInAConstantMedium) {
  const double source[3] = {0.31, 0.57, 0.44};
  for (const ElementType type : {ElementType::Tetrahedron, ElementType::Hexahedron, ElementType::Pyramid}) {
    vtkNew<Filter> filter;
    filter->SetInputData(vtkGridOf(gridMesh(type, 8)));
    filter->SetSourcePoint(0, source);
    filter->SetSpeed(0.5);
    filter->Update();
    EXPECT_LT(
      largestError(filter->GetDataSetOutput(), [&](const double* p) { return 2.0 * distance(p, source); }), 1e-12)
      << elementTypeName(type);
  }
}

TEST(EikonalArrivalTime, ArraysSayWhereAndWhenFrontsStart) {
  const auto grid = vtkGridOf(gridMesh(ElementType::Triangle, 8));
  const vtkIdType corner = 0;
  const auto marks = arrayOf("marks", grid->GetNumberOfPoints(), {0.0});
  marks->SetValue(corner, -3.0);
  marks->SetValue(5, std::numeric_limits<double>::quiet_NaN());
  grid->GetPointData()->AddArray(marks);
  const auto times = arrayOf("times", grid->GetNumberOfPoints(), {std::numeric_limits<double>::infinity()});
  times->SetValue(corner, 1.5);
  grid->GetPointData()->AddArray(times);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSources(Filter::SOURCE_ARRAY);
  setArray(filter, 0, "marks", true);
  filter->Update();
  EXPECT_EQ(timeAt(filter->GetDataSetOutput(), corner), 0.0);
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Sources"), 1.0);
  const double far = timeAt(filter->GetDataSetOutput(), grid->GetNumberOfPoints() - 1);
  EXPECT_NEAR(far, std::numbers::sqrt2, 1e-12); // along the diagonals
  filter->SetSourceArrayMeaning(Filter::TIMES);
  setArray(filter, 0, "times", true);
  filter->Update();
  EXPECT_NEAR(timeAt(filter->GetDataSetOutput(), grid->GetNumberOfPoints() - 1), far + 1.5, 1e-12);
  // a cell: all of its points
  const auto cells = arrayOf("cells", grid->GetNumberOfCells(), {0.0});
  cells->SetValue(3, 1.0);
  grid->GetCellData()->AddArray(cells);
  filter->SetSourceArrayMeaning(Filter::MARKS);
  setArray(filter, 0, "cells", false);
  filter->Update();
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Sources"), 3.0);
  vtkNew<vtkIdList> points;
  grid->GetCellPoints(3, points);
  for (vtkIdType k = 0; k < 3; ++k) {
    EXPECT_EQ(timeAt(filter->GetDataSetOutput(), points->GetId(k)), 0.0);
  }
}

/// Times with a speed of a kind.
template <class Give>
std::vector<double> timesWith(const Give& give) {
  const auto grid = vtkGridOf(gridMesh(ElementType::Tetrahedron, 6));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.5, 0.5, 0.5);
  give(grid.Get(), filter.Get());
  filter->Update();
  std::vector<double> times;
  for (vtkIdType p = 0; p < filter->GetDataSetOutput()->GetNumberOfPoints(); ++p) {
    times.push_back(timeAt(filter->GetDataSetOutput(), p));
  }
  return times;
}

TEST(EikonalArrivalTime, SpeedsOfAllKindsMeanTheSame) {
  const auto expected = timesWith([](vtkUnstructuredGrid*, Filter* filter) { filter->SetSpeed(3.0); });
  const auto expectSameTimes = [&](const char* what, const auto& give) {
    const std::vector<double> times = timesWith(give);
    for (std::size_t p = 0; p < times.size(); ++p) {
      ASSERT_NEAR(times[p], expected[p], 1e-12) << what;
    }
  };
  expectSameTimes("tensor", [](vtkUnstructuredGrid*, Filter* filter) {
    filter->SetSpeedKind(Filter::CONSTANT_TENSOR);
    filter->SetTensor(std::array{9.0, 9.0, 9.0, 0.0, 0.0, 0.0}.data());
  });
  const std::vector<std::vector<double>> tuples{
    {3.0}, {9.0, 9.0, 9.0, 0.0, 0.0, 0.0}, {9.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 9.0}};
  for (const auto& tuple : tuples) {
    expectSameTimes("cells", [&](vtkUnstructuredGrid* grid, Filter* filter) {
      grid->GetCellData()->AddArray(arrayOf("c", grid->GetNumberOfCells(), tuple));
      filter->SetSpeedKind(Filter::SPEED_ARRAY);
      setArray(filter, 1, "c", false);
    });
  }
  expectSameTimes("points", [&](vtkUnstructuredGrid* grid, Filter* filter) {
    vtkNew<vtkFloatArray> speeds;
    speeds->SetName("c");
    for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
      speeds->InsertNextValue(3.0F);
    }
    grid->GetPointData()->AddArray(speeds);
    filter->SetSpeedKind(Filter::SPEED_ARRAY);
    setArray(filter, 1, "c", true);
  });
}

// Plane fronts in a full tensor: u = n . x / sqrt(n^T M n), so from x = 0 the time is x / sqrt(M_xx).
TEST(EikonalArrivalTime, TensorsTurnFrontsAsTheirInverseSays) {
  const std::vector<double> six{4.0, 3.0, 2.0, 1.0, 0.5, -0.7};
  const std::vector<double> nine{4.0, 1.0, -0.7, 1.0, 3.0, 0.5, -0.7, 0.5, 2.0};
  for (const auto& tuple : {six, nine}) {
    // Where the front is cut off by the sides of the cube the time is later; a corridor along the characteristic is
    // not.
    const double source[3] = {0.5, 0.5, 0.5};
    const auto times = timesWith([&](vtkUnstructuredGrid* grid, Filter* filter) {
      grid->GetCellData()->AddArray(arrayOf("m", grid->GetNumberOfCells(), tuple));
      filter->SetSpeedKind(Filter::SPEED_ARRAY);
      setArray(filter, 1, "m", false);
    });
    const auto constant = timesWith([&](vtkUnstructuredGrid*, Filter* filter) {
      filter->SetSpeedKind(Filter::CONSTANT_TENSOR);
      filter->SetTensor(six.data());
    });
    EXPECT_EQ(times.size(), constant.size());
    // along edges from the source: sqrt(e^T M^-1 e) with the inverse of M
    const double m[3][3] = {{4.0, 1.0, -0.7}, {1.0, 3.0, 0.5}, {-0.7, 0.5, 2.0}};
    const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[1][2]) -
      m[0][1] * (m[0][1] * m[2][2] - m[1][2] * m[0][2]) + m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
    const double inverseXX = (m[1][1] * m[2][2] - m[1][2] * m[1][2]) / determinant;
    const double h = 1.0 / 6.0;
    const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 6);
    for (std::size_t p = 0; p < times.size(); ++p) {
      ASSERT_NEAR(times[p], constant[p], 1e-12);
      if (distance(mesh.points[p].at, source) < 1e-9) {
        EXPECT_EQ(times[p], 0.0);
      }
      const double beside[3] = {0.5 + h, 0.5, 0.5};
      if (distance(mesh.points[p].at, beside) < 1e-9) {
        EXPECT_NEAR(times[p], h * std::sqrt(inverseXX), 1e-12);
      }
    }
  }
}

TEST(EikonalArrivalTime, WallsAreWalkedAround) {
  // A wall across the unit square but for its upper quarter.
  const eikonal::testing::AroundAWall wall{15.0 / 32.0, 17.0 / 32.0, 0.75, {{0.0, 0.0, 0.0}}};
  const HostMesh mesh = gridMesh(ElementType::Triangle, 32);
  HostMesh open;
  open.points = mesh.points;
  const auto grid = vtkGridOf(mesh);
  const auto speeds = arrayOf("c", grid->GetNumberOfCells(), {1.0});
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    if (wall.isWall((1.0 / 3.0) * (mesh.corner(c, 0) + mesh.corner(c, 1) + mesh.corner(c, 2)))) {
      speeds->SetValue(c, 0.0);
    } else {
      open.add(ElementType::Triangle, std::span(mesh.vertices).subspan(static_cast<std::size_t>(3 * c), 3));
    }
  }
  grid->GetCellData()->AddArray(speeds);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
  filter->SetSpeedKind(Filter::SPEED_ARRAY);
  filter->FactorTimesOff();
  setArray(filter, 1, "c", false);
  expectOneError(filter, "the speed of element 30 is 0");
  filter->ZeroSpeedIsWallOn();
  filter->Update();
  const auto exact = [&](const double* p) { return wall.distance({{p[0], p[1], p[2]}}); };
  const std::vector<double> bounds =
    boundsOf<3>(open, filter->GetDataSetOutput(), exact, [](const Point& x) { return x[0] == 0.0 && x[1] == 0.0; });
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    const double time = timeAt(filter->GetDataSetOutput(), p);
    if (std::isinf(time)) {
      EXPECT_TRUE(wall.isWall(mesh.points[static_cast<std::size_t>(p)]));
    } else {
      EXPECT_GE(time, exact(grid->GetPoint(p)) - 1e-12);
      EXPECT_LE(time, exact(grid->GetPoint(p)) + bounds[static_cast<std::size_t>(p)] + 1e-12);
    }
  }
}

TEST(EikonalArrivalTime, GoesOverSurfaces) {
  vtkNew<vtkSphereSource> sphere;
  sphere->SetThetaResolution(64);
  sphere->SetPhiResolution(64);
  vtkNew<Filter> filter;
  filter->SetInputConnection(sphere->GetOutputPort());
  filter->SetSourcePoint(0, 0.0, 0.0, 0.501); // a bit off the pole
  filter->SetReach(0.01);
  filter->FactorTimesOff(); // leads on a curved surface make times early
  filter->Update();
  ASSERT_NE(vtkPolyData::SafeDownCast(filter->GetDataSetOutput()), nullptr);
  // Along meridians, whose chords are edges, nothing is later than on the sphere; and what is on a facet, at its
  // distance from the centre or farther, goes as much farther on the sphere at the most.
  const double least = std::cos(std::numbers::pi / 64) * std::cos(std::numbers::pi / (2 * 63));
  for (vtkIdType p = 0; p < filter->GetDataSetOutput()->GetNumberOfPoints(); ++p) {
    double x[3];
    filter->GetDataSetOutput()->GetPoint(p, x);
    const double onSphere = 0.5 * std::atan2(std::hypot(x[0], x[1]), x[2]);
    EXPECT_LE(timeAt(filter->GetDataSetOutput(), p), onSphere);
    EXPECT_GE(timeAt(filter->GetDataSetOutput(), p), least * onSphere);
  }
  filter->SetReach(0.0);
  expectOneError(filter, "source point 0 at (0, 0, 0.501) is outside of the mesh");
}

TEST(EikonalArrivalTime, SaysWhatIsNotReached) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 3);
  HostMesh other = gridMesh(ElementType::Tetrahedron, 2);
  for (Point& point : other.points) {
    point[0] += 5.0;
  }
  append(mesh, other);
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(mesh));
  filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
  expectUnreached(filter, vtkDataObject::POINT, "Eikonal Unreached Points", 27.0, mesh.numVertices() - 1);
}

TEST(EikonalArrivalTime, PointsInOnePlaceAreOneIfAskedFor) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
  HostMesh beside = mesh;
  for (Point& point : beside.points) {
    point[0] += 1.0;
  }
  append(mesh, beside);
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(mesh));
  filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
  filter->Update();
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Unreached Points"), 27.0);
  filter->SetMergeDistance(1e-9);
  filter->Update();
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Unreached Points"), 0.0);
  EXPECT_NEAR(timeAt(filter->GetDataSetOutput(), 27 + 2), 2.0, 1e-12); // along the edge
}

// Also where the region names points that another one stands for.
TEST(EikonalArrivalTime, StopsAtARegion) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 5);
  const std::int64_t half = mesh.numVertices();
  HostMesh beside = mesh;
  for (Point& point : beside.points) {
    point[0] += 1.0;
  }
  append(mesh, beside);
  const auto grid = vtkGridOf(mesh);
  vtkNew<vtkDoubleArray> region;
  region->SetName("region");
  for (std::int64_t v = 0; v < mesh.numVertices(); ++v) { // a corner in the middle, of the second half
    region->InsertNextValue(v == half ? 2.0 : 0.0);
  }
  grid->GetPointData()->AddArray(region);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
  filter->SetMergeDistance(0.0);
  filter->Update();
  std::vector<double> all;
  for (vtkIdType p = 0; p < mesh.numVertices(); ++p) {
    all.push_back(timeAt(filter->GetDataSetOutput(), p));
  }
  const double last = all[static_cast<std::size_t>(half)];
  EXPECT_NEAR(last, 1.0, 1e-12); // along an edge
  filter->SetStopRegion("region");
  filter->Update();
  for (vtkIdType p = 0; p < mesh.numVertices(); ++p) {
    const double time = all[static_cast<std::size_t>(p)];
    ASSERT_EQ(timeAt(filter->GetDataSetOutput(), p), time <= last ? time : std::numeric_limits<double>::infinity());
  }
}

/// The least and the greatest volume of cells, as VTK has them.
std::array<double, 2> volumesOf(vtkDataSet* data) {
  vtkNew<vtkCellSizeFilter> sizes;
  sizes->SetInputData(data);
  sizes->Update();
  std::array<double, 2> range{};
  vtkDataSet::SafeDownCast(sizes->GetOutput())->GetCellData()->GetArray("Volume")->GetRange(range.data());
  return range;
}

// vtkWedge's parametric coordinates have its first triangle look inward, its documentation, sources and volumes
// outward.
TEST(EikonalArrivalTime, WedgesAreInvertedWhereTheirVolumesAreNegative) {
  vtkNew<vtkCellTypeSource> source;
  source->SetCellType(VTK_WEDGE);
  source->SetBlocksDimensions(2, 2, 2);
  source->Update();
  vtkUnstructuredGrid* const wedges = source->GetOutput();
  vtkNew<vtkUnstructuredGrid> turned;
  turned->SetPoints(wedges->GetPoints());
  turned->Allocate();
  vtkNew<vtkIdList> ids;
  for (vtkIdType c = 0; c < wedges->GetNumberOfCells(); ++c) {
    wedges->GetCellPoints(c, ids);
    const vtkIdType corners[6] = {
      ids->GetId(0), ids->GetId(2), ids->GetId(1), ids->GetId(3), ids->GetId(5), ids->GetId(4)};
    turned->InsertNextCell(VTK_WEDGE, 6, corners);
  }
  ASSERT_EQ(wedges->GetNumberOfCells(), 16);
  EXPECT_GT(volumesOf(wedges)[0], 0.0);
  EXPECT_LT(volumesOf(turned)[1], 0.0);
  vtkNew<Filter> filter;
  filter->SetSourcePoint(0, 0.3, 0.4, 0.6);
  filter->SetInputData(wedges);
  std::vector<double> times;
  {
    Messages messages;
    filter->Update();
    EXPECT_TRUE(messages.all().empty()) << messages.all().front();
  }
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Inverted Cells"), 0.0);
  for (vtkIdType p = 0; p < wedges->GetNumberOfPoints(); ++p) {
    times.push_back(timeAt(filter->GetDataSetOutput(), p));
  }
  filter->SetInputData(turned);
  Messages messages;
  filter->Update();
  EXPECT_TRUE(messages.all().empty()) << messages.all().front();
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Inverted Cells"), 16.0);
  for (vtkIdType p = 0; p < wedges->GetNumberOfPoints(); ++p) {
    // On a device the order of updates differs: what changes by less than 1e-13 is not told on, over ten edges at most.
    EXPECT_NEAR(timeAt(filter->GetDataSetOutput(), p), times[static_cast<std::size_t>(p)], haveDevice ? 1e-12 : 1e-14);
  }
}

TEST(EikonalArrivalTime, WarnsOfWhatItSkipsAndOfAnEarlyEnd) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 4);
  const std::int64_t corners[4] = {0, 1, 1, 6};
  mesh.add(ElementType::Tetrahedron, corners);
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(mesh));
  filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
  {
    Messages messages;
    filter->Update();
    ASSERT_EQ(messages.all().size(), 1U);
    EXPECT_NE(messages.all()[0].find("the first of them is cell 384"), std::string::npos) << messages.all()[0];
  }
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Skipped Cells"), 1.0);
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Inverted Cells"), 0.0);
  mesh = gridMesh(ElementType::Tetrahedron, 4);
  for (const std::size_t cell : {17, 60, 200}) {
    std::swap(mesh.vertices[4 * cell], mesh.vertices[4 * cell + 1]);
  }
  filter->SetInputData(vtkGridOf(mesh));
  {
    Messages messages;
    filter->Update();
    EXPECT_TRUE(messages.all().empty()) << messages.all().front(); // times do not depend on it
  }
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Inverted Cells"), 3.0);
  EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Skipped Cells"), 0.0);
  filter->SetInputData(vtkGridOf(gridMesh(ElementType::Tetrahedron, 4)));
  filter->SetMaximumIterations(2);
  Messages messages;
  filter->Update();
  ASSERT_EQ(messages.all().size(), 1U);
  EXPECT_NE(messages.all()[0].find("after 2 iterations"), std::string::npos) << messages.all()[0];
}

TEST(EikonalArrivalTime, CellsThatVtkMakesAreNotInverted) {
  for (const int type : {VTK_TETRA, VTK_PYRAMID, VTK_WEDGE, VTK_HEXAHEDRON}) {
    vtkNew<vtkCellTypeSource> cells;
    cells->SetCellType(type);
    cells->SetBlocksDimensions(2, 2, 2);
    vtkNew<Filter> filter;
    filter->SetInputConnection(cells->GetOutputPort());
    filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
    const Messages messages;
    filter->Update();
    EXPECT_TRUE(messages.all().empty()) << type;
    EXPECT_EQ(fieldValue(filter->GetDataSetOutput(), "Eikonal Inverted Cells"), 0.0) << type;
  }
}

TEST(EikonalArrivalTime, GradientsAreSlownesses) {
  vtkNew<vtkPlaneSource> plane; // x = 0
  plane->SetOrigin(0.0, -1.0, -1.0);
  plane->SetPoint1(0.0, 2.0, -1.0);
  plane->SetPoint2(0.0, -1.0, 2.0);
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(gridMesh(ElementType::Hexahedron, 3)));
  filter->SetSources(Filter::SURFACE);
  filter->SetSourceConnection(plane->GetOutputPort());
  filter->SetSpeed(4.0);
  filter->ComputeGradientOn();
  filter->Update();
  vtkDataArray* const gradient = filter->GetDataSetOutput()->GetCellData()->GetArray("Gradient");
  ASSERT_EQ(gradient->GetNumberOfTuples(), 27);
  for (vtkIdType c = 0; c < 27; ++c) {
    EXPECT_NEAR(gradient->GetComponent(c, 0), 0.25, 1e-15);
    EXPECT_NEAR(gradient->GetComponent(c, 1), 0.0, 1e-15);
    EXPECT_NEAR(gradient->GetComponent(c, 2), 0.0, 1e-15);
  }
}

TEST(EikonalArrivalTime, TheNearestSourceHasItsOwnNumber) {
  const double at[3][3] = {{0.9, 0.5, 0.5}, {0.1, 0.2, 0.5}, {0.1, 0.9, 0.5}};
  vtkNew<vtkPolyData> cloud;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const auto& point : at) {
    points->InsertNextPoint(point);
  }
  cloud->SetPoints(points);
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(gridMesh(ElementType::Tetrahedron, 10)));
  filter->SetSources(Filter::POINTS);
  filter->SetSourceData(cloud);
  filter->ComputeNearestSourceOn();
  filter->Update();
  vtkDataSet* output = filter->GetDataSetOutput();
  for (vtkIdType p = 0; p < output->GetNumberOfPoints(); ++p) {
    double point[3];
    output->GetPoint(p, point);
    const double d[3] = {distance(point, at[0]), distance(point, at[1]), distance(point, at[2])};
    const auto nearest = std::min_element(d, d + 3) - d;
    const double next = std::min(d[(nearest + 1) % 3], d[(nearest + 2) % 3]);
    if (next > d[nearest] + 0.1) { // at borders a cell decides
      ASSERT_EQ(timeAt(output, p, "Nearest Source"), static_cast<double>(nearest));
    }
  }
}

TEST(EikonalArrivalTime, KeepsTheMeshAndItsArrays) {
  const auto grid = vtkGridOf(gridMesh(ElementType::Prism, 2));
  grid->GetCellData()->AddArray(arrayOf("a", grid->GetNumberOfCells(), {1.0, 2.0}));
  grid->GetFieldData()->AddArray(arrayOf("note", 1, {7.0}));
  grid->GetPointData()->SetScalars(arrayOf("before", grid->GetNumberOfPoints(), {3.0}));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.5, 0.5, 0.5);
  filter->SetResultArrayName("u");
  filter->Update();
  vtkDataSet* output = filter->GetDataSetOutput();
  EXPECT_EQ(vtkUnstructuredGrid::SafeDownCast(output)->GetPoints(), grid->GetPoints()); // shared
  EXPECT_EQ(output->GetCellData()->GetArray("a"), grid->GetCellData()->GetArray("a"));
  EXPECT_EQ(fieldValue(output, "note"), 7.0);
  EXPECT_EQ(output->GetPointData()->GetScalars(), output->GetPointData()->GetArray("u"));
  EXPECT_EQ(output->GetPointData()->GetArray("before"), grid->GetPointData()->GetArray("before"));
  EXPECT_EQ(grid->GetPointData()->GetNumberOfArrays(), 1);
  EXPECT_EQ(grid->GetFieldData()->GetNumberOfArrays(), 1);
}

TEST(EikonalArrivalTime, FollowsTimeSteps) {
  vtkNew<StepSource> source;
  source->type = "vtkUnstructuredGrid";
  source->steps = {0.0, 1.0};
  source->fill = [](double time, vtkDataObject* output) {
    HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
    for (Point& point : mesh.points) {
      point = (1.0 + time) * point;
    }
    output->ShallowCopy(vtkGridOf(mesh));
  };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
  filter->UpdateTimeStep(0.0);
  EXPECT_NEAR(timeAt(filter->GetDataSetOutput(), 26), std::numbers::sqrt3, 1e-12);
  filter->UpdateTimeStep(1.0);
  EXPECT_NEAR(timeAt(filter->GetDataSetOutput(), 26), 2.0 * std::numbers::sqrt3, 1e-12);
}

TEST(EikonalArrivalTime, ASourceOfTimesMustBeThere) {
  vtkNew<vtkPolyData> cloud;
  vtkNew<vtkPoints> points;
  points->InsertNextPoint(0.5, 0.5, 0.5);
  cloud->SetPoints(points);
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(gridMesh(ElementType::Tetrahedron, 2)));
  filter->SetSources(Filter::POINTS);
  filter->SetSourceData(cloud);
  filter->SetSourceTimes("when");
  expectOneError(filter, "no array 'when'");
  cloud->GetPointData()->AddArray(arrayOf("when", 1, {std::numeric_limits<double>::quiet_NaN()}));
  expectOneError(filter, "nan");
}

/// Fronts do not go from block to block: that is said. One block alone has times, and stays a block.
TEST(EikonalArrivalTime, SeveralBlocksAreOneError) {
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(1, vtkGridOf(gridMesh(ElementType::Triangle, 2)));
  vtkNew<Filter> filter;
  filter->SetInputDataObject(0, blocks);
  filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
  filter->Update();
  auto* const output = vtkMultiBlockDataSet::SafeDownCast(filter->GetOutputDataObject(0));
  ASSERT_NE(output, nullptr);
  EXPECT_NE(vtkDataSet::SafeDownCast(output->GetBlock(1))->GetPointData()->GetArray("Arrival Time"), nullptr);
  blocks->SetBlock(2, vtkGridOf(gridMesh(ElementType::Triangle, 2)));
  blocks->Modified();
  expectOneError(filter, "the input has cells in 2 blocks, and fronts go through one mesh; the filter Merge Blocks");
}

TEST(EikonalArrivalTime, ArraysShorterThanTheirPointsAreOneError) {
  const auto grid = vtkGridOf(gridMesh(ElementType::Triangle, 2));
  const auto marks = arrayOf("few", 3, {1.0});
  grid->GetPointData()->AddArray(marks);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSources(Filter::SOURCE_ARRAY);
  setArray(filter, 0, "few", true);
  expectOneError(filter, "the array 'few' has 3 values for 9 points; there must be one a point");
  filter->SetSources(Filter::PLACED_POINTS);
  filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
  filter->SetStopRegion("few");
  expectOneError(filter, "the array 'few' has 3 values for 9 points; there must be one a point");
  const auto many = arrayOf("few", 12, {1.0});
  grid->GetPointData()->AddArray(many);
  filter->Modified();
  expectOneError(filter, "the array 'few' has 12 values for 9 points; there must be one a point");
}

TEST(EikonalArrivalTime, NothingComesFromNothing) {
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->SetInputData(nothing);
  filter->SetSourcePoint(0, 0.0, 0.0, 0.0);
  expectNothing(filter);
}

TEST(EikonalArrivalTime, AFarPointOfTheMeshIsOneError) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
  for (const double far : {1e76, 1e155, 1e200, 1e300}) {
    mesh.points.back() = {{far, 1.0, 1.0}};
    const auto grid = vtkGridOf(mesh);
    vtkNew<Filter> filter;
    filter->SetInputData(grid);
    filter->SetSourcePoint(0, 0.3, 0.4, 0.5);
    filter->SetReach(0.01);
    expectOneError(filter, "farther than 1e+75 from 0");
    filter->SetReach(0.0);
    expectOneError(filter, "farther than 1e+75 from 0");
  }
  const auto grid = vtkGridOf(gridMesh(ElementType::Tetrahedron, 2));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 0.3, 1e155, 0.5);
  filter->SetReach(0.01);
  expectOneError(filter, "source point 0");
}

TEST(EikonalArrivalTime, BadInputIsOneError) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
  const auto grid = vtkGridOf(mesh);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSourcePoint(0, 2.0, 0.5, 0.5);
  expectOneError(filter, "source point 0 at (2, 0.5, 0.5) is outside of the mesh");
  filter->SetSourcePoint(0, 0.5, 0.5, 0.5);
  filter->SetSpeed(0.0);
  expectOneError(filter, "the speed is 0");
  filter->SetSpeed(std::numeric_limits<double>::quiet_NaN());
  expectOneError(filter, "the speed is nan");
  filter->SetSpeedKind(Filter::CONSTANT_TENSOR);
  filter->SetTensor(std::array{1.0, 1.0, 1.0, 2.0, 0.0, 0.0}.data());
  expectOneError(filter, "xy 2");
  filter->SetTensor(std::array{1e300, 1e300, 1e300, 0.0, 0.0, 0.0}.data());
  expectOneError(filter,
    "the tensor is xx 1e+300, yy 1e+300, zz 1e+300, xy 0, yz 0, xz 0; it must be finite and positive "
    "definite, and its determinant, which is inf, not beyond all numbers");
  filter->SetSpeedKind(Filter::SPEED_ARRAY);
  setArray(filter, 1, "missing", false);
  expectOneError(filter, "no array 'missing'");
  const auto speeds = arrayOf("c", grid->GetNumberOfCells(), {1.0});
  speeds->SetValue(11, std::numeric_limits<double>::quiet_NaN());
  grid->GetCellData()->AddArray(speeds);
  setArray(filter, 1, "c", false);
  expectOneError(filter, "element 11");
  const auto tensors = arrayOf("m", grid->GetNumberOfCells(), {1.0, 1.0, 1.0, 0.0, 0.0, 0.0});
  tensors->SetComponent(7, 1, -1.0);
  grid->GetCellData()->AddArray(tensors);
  setArray(filter, 1, "m", false);
  expectOneError(filter, "element 7");
  grid->GetCellData()->AddArray(arrayOf("v", grid->GetNumberOfCells(), {1.0, 1.0, 1.0}));
  setArray(filter, 1, "v", false);
  expectOneError(filter, "'v' on cells has 3 components");
  filter->SetSpeedKind(Filter::CONSTANT);
  filter->SetSpeed(1.0);
  filter->SetSources(Filter::POINTS);
  expectOneError(filter, "there is no second input (Source Input)");
  vtkNew<vtkPolyData> none;
  filter->SetSourceData(none);
  expectOneError(filter, "there is no source");
  filter->SetSources(Filter::SURFACE);
  filter->SetSourceData(grid);
  expectOneError(filter, "cell 0 of the second input (Source Input) is a tetrahedron");
  filter->SetSources(9);
  expectOneError(filter, "the choice of the sources is 9");
  filter->SetSources(Filter::PLACED_POINTS);
  filter->SetTolerance(-1.0);
  expectOneError(filter, "tolerance");
  filter->SetTolerance(1e-13);
  for (const double distance : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    filter->SetMergeDistance(distance);
    expectOneError(filter, "the distance must be finite and not negative");
  }
  filter->SetMergeDistance(-1.0);
  filter->SetReach(-1.0);
  expectOneError(filter, "the reach of source points is -1");
  filter->SetReach(std::numeric_limits<double>::quiet_NaN());
  expectOneError(filter, "the reach of source points is nan");
  filter->SetReach(0.0);
  filter->SetSources(Filter::SOURCE_ARRAY);
  setArray(filter, 0, "v", false);
  expectOneError(filter, "an array of sources must have one");
  filter->SetSources(Filter::PLACED_POINTS);
  const auto quadratic = vtkGridOf(mesh);
  const vtkIdType ids[10] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1};
  quadratic->InsertNextCell(VTK_QUADRATIC_TETRA, 10, ids);
  filter->SetInputData(quadratic);
  expectOneError(filter, "cell 48 is a");
  filter->SetInputData(grid);
  filter->Update();
  EXPECT_EQ(filter->GetDataSetOutput()->GetNumberOfCells(), 48);
}

} // namespace
} // namespace spanwise::testing
