#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"

#include "vtkSpanwiseEikonalArrivalTime.h"
#include "vtkSpanwiseEikonalPaths.h"

#include <vtkArrayCalculator.h>
#include <vtkCellType.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkWarpVector.h>

#include <cmath>
#include <random>

namespace spanwise::testing {
namespace {

using Arrival = vtkSpanwiseEikonalArrivalTime;
using Filter = vtkSpanwiseEikonalPaths;

double lengthOf(vtkPolyData* paths, vtkIdType line) {
  vtkNew<vtkIdList> points;
  paths->GetCellPoints(line, points);
  double length = 0.0;
  for (vtkIdType k = 0; k + 1 < points->GetNumberOfIds(); ++k) {
    double a[3];
    double b[3];
    paths->GetPoint(points->GetId(k), a);
    paths->GetPoint(points->GetId(k + 1), b);
    length += std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
  return length;
}

double cellValue(vtkPolyData* paths, const char* name, vtkIdType line) {
  return paths->GetCellData()->GetArray(name)->GetComponent(line, 0);
}

TEST(EikonalPaths, AreStraightInAConstantMedium) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const double source[3] = {0.31, 0.57, 0.44};
  vtkNew<Arrival> arrival;
  arrival->SetInputData(vtkGridOf(gridMesh(ElementType::Tetrahedron, 8)));
  arrival->SetSourcePoint(0, source);
  arrival->SetSpeed(2.0);
  vtkNew<vtkPolyData> cloud;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (int k = 0; k < 20; ++k) {
    points->InsertNextPoint(unit(random), unit(random), unit(random));
  }
  cloud->SetPoints(points);
  vtkNew<Filter> filter;
  filter->SetInputConnection(arrival->GetOutputPort());
  filter->SetSeeds(Filter::POINTS);
  filter->SetSeedData(cloud);
  filter->Update();
  vtkPolyData* paths = filter->GetOutput();
  ASSERT_EQ(paths->GetNumberOfLines(), 20);
  for (vtkIdType line = 0; line < 20; ++line) {
    const auto seedNumber = static_cast<vtkIdType>(cellValue(paths, "Seed", line));
    EXPECT_EQ(cellValue(paths, "Source", line), 0.0);
    vtkNew<vtkIdList> ids;
    paths->GetCellPoints(line, ids);
    double first[3];
    double last[3];
    double seedPoint[3];
    paths->GetPoint(ids->GetId(0), first);
    paths->GetPoint(ids->GetId(ids->GetNumberOfIds() - 1), last);
    points->GetPoint(seedNumber, seedPoint);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(first[d], seedPoint[d], 1e-12);
      EXPECT_NEAR(last[d], source[d], 1e-6);
    }
    const double straight = std::hypot(seedPoint[0] - source[0], seedPoint[1] - source[1], seedPoint[2] - source[2]);
    EXPECT_NEAR(lengthOf(paths, line), straight, 0.02 * straight + 1e-6);
    // times fall along the line, but for the cells around the source, in which linear ones are far from the front's
    vtkDataArray* const times = paths->GetPointData()->GetArray("Arrival Time");
    for (vtkIdType k = 0; k + 1 < ids->GetNumberOfIds(); ++k) {
      const double next = times->GetComponent(ids->GetId(k + 1), 0);
      EXPECT_GE(times->GetComponent(ids->GetId(k), 0), next > 0.125 ? next - 1e-9 : 0.0);
    }
  }
}

TEST(EikonalPaths, GoAroundWalls) {
  const auto grid = vtkGridOf(gridMesh(ElementType::Quadrilateral, 32));
  vtkNew<vtkDoubleArray> speeds;
  speeds->SetName("c");
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    speeds->InsertNextValue((c % 32 == 15 || c % 32 == 16) && c / 32 < 24 ? 0.0 : 1.0);
  }
  grid->GetCellData()->AddArray(speeds);
  vtkNew<Arrival> arrival;
  arrival->SetInputData(grid);
  arrival->SetSourcePoint(0, 0.0, 0.0, 0.0);
  arrival->SetSpeedKind(Arrival::SPEED_ARRAY);
  arrival->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "c");
  arrival->ZeroSpeedIsWallOn();
  vtkNew<Filter> filter;
  filter->SetInputConnection(arrival->GetOutputPort());
  filter->SetSeedPoint(0, 1.0, 0.0, 0.0);
  filter->Update();
  vtkPolyData* paths = filter->GetOutput();
  ASSERT_EQ(paths->GetNumberOfLines(), 1);
  const double around = 2.0 * std::hypot(15.0 / 32.0, 0.75) + 2.0 / 32.0;
  EXPECT_NEAR(lengthOf(paths, 0), around, 0.05 * around);
  for (vtkIdType p = 0; p < paths->GetNumberOfPoints(); ++p) {
    const double* x = paths->GetPoint(p);
    EXPECT_FALSE(x[0] > 15.0 / 32 + 1e-9 && x[0] < 17.0 / 32 - 1e-9 && x[1] < 0.75 - 1e-9);
  }
}

TEST(EikonalPaths, CountSeedsWithoutOne) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
  HostMesh other = mesh;
  for (Point& point : other.points) {
    point[0] += 5.0;
  }
  append(mesh, other);
  vtkNew<Arrival> arrival;
  arrival->SetInputData(vtkGridOf(mesh));
  arrival->SetSourcePoint(0, 0.0, 0.0, 0.0);
  vtkNew<Filter> filter;
  filter->SetInputConnection(arrival->GetOutputPort());
  filter->SetSeedPoint(0, 1.0, 1.0, 1.0);
  filter->SetSeedPoint(1, 5.5, 0.5, 0.5);  // in the other piece
  filter->SetSeedPoint(2, 9.0, 9.0, 9.0);  // nowhere
  filter->SetSeedPoint(3, 1.05, 1.0, 1.0); // beside the mesh
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfLines(), 1);
  EXPECT_EQ(filter->GetOutput()->GetFieldData()->GetArray("Seeds Without Path")->GetComponent(0, 0), 3.0);
  filter->SetReach(0.1);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfLines(), 2);
  EXPECT_EQ(cellValue(filter->GetOutput(), "Seed", 1), 3.0);
}

TEST(EikonalPaths, FindTheSourceOfTimesBehindOtherFilters) {
  vtkNew<Arrival> arrival;
  arrival->SetInputData(vtkGridOf(gridMesh(ElementType::Tetrahedron, 3)));
  arrival->SetSourcePoint(0, 0.5, 0.5, 0.5);
  vtkNew<vtkArrayCalculator> calculator;
  calculator->SetInputConnection(arrival->GetOutputPort());
  calculator->SetAttributeTypeToPointData();
  calculator->SetFunction("iHat");
  calculator->SetResultArrayName("move");
  vtkNew<Filter> filter;
  filter->SetInputConnection(calculator->GetOutputPort());
  filter->SetSeedPoint(0, 0.1, 0.1, 0.1);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfLines(), 1);
  // with other points the times are those of another mesh
  vtkNew<vtkWarpVector> warp;
  warp->SetInputConnection(calculator->GetOutputPort());
  warp->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "move");
  filter->SetInputConnection(warp->GetOutputPort());
  expectOneError(filter, "no arrival times that belong to its points or cells");
}

TEST(EikonalPaths, NothingComesFromNothing) {
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->SetInputData(nothing);
  expectNothing(filter);
}

TEST(EikonalPaths, BadInputIsOneError) {
  const auto grid = vtkGridOf(gridMesh(ElementType::Tetrahedron, 2));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetSeedPoint(0, 0.5, 0.5, 0.5);
  expectOneError(filter, "it must be the result of Spanwise Eikonal Arrival Time");
  vtkNew<Arrival> arrival;
  arrival->SetInputData(grid);
  arrival->SetSourcePoint(0, 0.5, 0.5, 0.5);
  filter->SetInputConnection(arrival->GetOutputPort());
  filter->SetSeeds(Filter::POINTS);
  expectOneError(filter, "there is no second input (Seed Input)");
  filter->SetSeeds(5);
  expectOneError(filter, "the choice of the seeds is 5");
  filter->SetSeeds(Filter::PLACED_POINTS);
  filter->SetMaximumSteps(-1);
  expectOneError(filter, "-1");
}

} // namespace
} // namespace spanwise::testing
