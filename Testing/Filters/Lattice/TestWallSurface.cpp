#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseLatticeFlow.h"

#include <vtkCellArray.h>
#include <vtkCylinderSource.h>
#include <vtkFieldData.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRegularPolygonSource.h>
#include <vtkSphereSource.h>
#include <vtkTable.h>
#include <vtkTransform.h>
#include <vtkTransformPolyDataFilter.h>
#include <vtkTriangleFilter.h>

#include <cmath>
#include <numbers>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseLatticeFlow;

double lastReported(Filter* filter, const char* column) {
  auto* const table = vtkTable::SafeDownCast(filter->GetOutputDataObject(1));
  return vtkDataArray::SafeDownCast(table->GetColumnByName(column))->GetComponent(table->GetNumberOfRows() - 1, 0);
}

/// A stream to a ball of radius 0.5, a little beside the middle, in few cells.
vtkSmartPointer<Filter> streamToBall(int cellsAlongX) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(nullptr);
  filter->SetDimension(3);
  filter->SetCenter(0.03, 0.02, 0.01);
  filter->SetDomain(Filter::GIVEN_BOX);
  filter->SetCorner(-1.5, -1.5, -1.5);
  filter->SetLengths(4.0, 3.0, 3.0);
  filter->SetCellsAlongX(cellsAlongX);
  filter->SetViscosity(0.05);
  filter->SetStart(Filter::STREAM);
  filter->SetTimePerFrame(2.0);
  filter->SetNumberOfFrames(4);
  return filter;
}

vtkSmartPointer<vtkSphereSource> ball() {
  auto source = vtkSmartPointer<vtkSphereSource>::New();
  source->SetCenter(0.03, 0.02, 0.01);
  source->SetRadius(0.5);
  source->SetThetaResolution(200);
  source->SetPhiResolution(200);
  source->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  return source;
}

double dragOf(Filter* filter) {
  filter->UpdateTimeStep(6.0);
  return lastReported(filter, "Drag");
}

// Walls lie on the triangles: the drag of a triangulated ball is that of the ball, and that of its cells is not.
TEST(WallSurface, ATriangulatedBallHasTheDragOfTheBall) {
  const auto exact = streamToBall(40);
  const double expected = dragOf(exact);
  const auto cut = streamToBall(40);
  cut->SetObstacle(Filter::INPUT_SET);
  const auto source = ball();
  cut->SetInputConnection(source->GetOutputPort());
  const double ofSurface = dragOf(cut);
  vtkNew<vtkSpanwiseIntervalShape> cells;
  cells->SetController(nullptr);
  cells->SetDimension(3);
  cells->SetShape(vtkSpanwiseIntervalShape::BALL);
  cells->SetCenter(0.03, 0.02, 0.01);
  cells->SetRadius(0.5);
  cells->SetSpacing(0.1, 0.1, 0.1);
  cells->SetOrigin(-1.5, -1.5, -1.5);
  const auto stairs = streamToBall(40);
  stairs->SetObstacle(Filter::INPUT_SET);
  stairs->SetInputConnection(cells->GetOutputPort());
  const double ofCells = dragOf(stairs);
  EXPECT_NEAR(ofSurface / expected, 1.0, 0.001);
  EXPECT_GT(std::abs(ofCells - expected), 10.0 * std::abs(ofSurface - expected));
}

/// Gets the fluid of a pipe of radius 1 along x, longer than the box, going. Returns the mean velocity in it over that
/// of Poiseuille.
double flowThroughPipe(int cellsAcross, int numLevels = 1, bool endsAtSides = false) {
  vtkNew<vtkCylinderSource> cylinder;
  cylinder->SetRadius(1.0);
  cylinder->SetHeight(endsAtSides ? 0.5 : 1.0);
  cylinder->SetResolution(1000);
  cylinder->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  vtkNew<vtkTransform> turn;
  turn->Translate(0.25, 0.013, 0.021);
  turn->RotateZ(90.0);
  vtkNew<vtkTransformPolyDataFilter> pipe;
  pipe->SetInputConnection(cylinder->GetOutputPort());
  pipe->SetTransform(turn);
  pipe->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  const auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(nullptr);
  filter->SetInputConnection(pipe->GetOutputPort());
  filter->SetObstacle(Filter::INPUT_SET);
  filter->SetInputIs(Filter::FLUID);
  filter->SetDomain(Filter::GIVEN_BOX);
  filter->SetCorner(0.0, -1.25, -1.25);
  filter->SetLengths(0.5, 2.5, 2.5);
  filter->SetCellsAlongX(cellsAcross / 4);
  filter->SetNumberOfLevels(numLevels);
  filter->SetVorticityLimit(0.0);
  filter->SetLowerX(Filter::PERIODIC);
  filter->SetUpperX(Filter::PERIODIC);
  const double viscosity = 0.2;
  filter->SetViscosity(viscosity);
  filter->SetSpeed(2.0);
  filter->SetLatticeSpeed(2.0 / cellsAcross); // errors of compressibility fall as those of space do
  filter->SetAcceleration(8.0 * viscosity, 0.0, 0.0);
  filter->SetStorage(Filter::DOUBLE);
  filter->SetTimePerFrame(12.0);
  filter->SetNumberOfFrames(2);
  filter->UpdateTimeStep(12.0);
  constexpr double zero = 2.404826; // of Bessel's function J0: how fast the slowest part of a start from rest decays
  const double reached = 1.0 - 32.0 / std::pow(zero, 4) * std::exp(-zero * zero * viscosity * 12.0);
  return lastReported(filter, "Mean Velocity X") * 6.25 / (std::numbers::pi * reached);
}

// Poiseuille's flow in a pipe: of second order at least, though cells lie anyhow to the wall.
TEST(WallSurface, APipeHasPoiseuillesFlow) {
  const double coarse = std::abs(flowThroughPipe(8) - 1.0);
  const double fine = std::abs(flowThroughPipe(32) - 1.0);
  EXPECT_LT(coarse, 0.05);
  EXPECT_LT(fine, coarse / 16.0);
}

// A pipe that ends where the period does has no walls there.
TEST(WallSurface, APipeMayEndAtPeriodicSides) {
  EXPECT_NEAR(flowThroughPipe(16, 1, true) / flowThroughPipe(16), 1.0, 1e-6);
}

TEST(WallSurface, LevelsAreCutToo) { EXPECT_NEAR(flowThroughPipe(16, 2) / flowThroughPipe(32), 1.0, 2e-3); }

// In the plane closed lines, polygons and triangles of the same shape are the same wall.
TEST(WallSurface, OutlinesAreWallsIn2D) {
  const auto drag = [](vtkAlgorithm* source) {
    const auto filter = vtkSmartPointer<Filter>::New();
    filter->SetController(nullptr);
    filter->SetCellsAlongX(78);
    filter->SetViscosity(0.05);
    filter->SetStart(Filter::STREAM);
    filter->SetNumberOfFrames(8);
    if (source != nullptr) {
      filter->SetObstacle(Filter::INPUT_SET);
      filter->SetInputConnection(source->GetOutputPort());
    }
    filter->UpdateTimeStep(7.0);
    return lastReported(filter, "Drag");
  };
  vtkNew<vtkRegularPolygonSource> disc;
  disc->SetNumberOfSides(400);
  disc->SetRadius(0.5);
  disc->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  disc->GeneratePolygonOff();
  const double ofLines = drag(disc);
  EXPECT_NEAR(ofLines / drag(nullptr), 1.0, 0.01);
  disc->GeneratePolygonOn();
  disc->GeneratePolylineOff();
  EXPECT_EQ(drag(disc), ofLines);
  vtkNew<vtkTriangleFilter> triangles;
  triangles->SetInputConnection(disc->GetOutputPort());
  EXPECT_EQ(drag(triangles), ofLines);
}

// A run knows its surface, even where the cells inside are the same.
TEST(WallSurface, CheckpointsAreOfASurface) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/ball.checkpoint";
  const auto around = [](double radius) {
    const auto filter = streamToBall(40);
    filter->SetObstacle(Filter::INPUT_SET);
    const auto source = ball();
    source->SetRadius(radius);
    filter->SetInputConnection(source->GetOutputPort());
    return filter;
  };
  const auto filter = around(0.5);
  filter->SetCheckpointFile(file.c_str());
  filter->UpdateTimeStep(2.0);
  const auto other = around(0.5001);
  other->SetRestartFrom(file.c_str());
  expectOneError(other, "of another run");
  const auto same = around(0.5);
  same->SetRestartFrom(file.c_str());
  same->UpdateTimeStep(4.0);
  filter->SetCheckpointFile("");
  filter->UpdateTimeStep(4.0);
  EXPECT_EQ(lastReported(same, "Drag"), lastReported(filter, "Drag"));
}

TEST(WallSurface, BadSurfacesAreOneError) {
  const auto expectError = [](const auto& change, const char* text) {
    const auto filter = streamToBall(40);
    filter->SetObstacle(Filter::INPUT_SET);
    const auto source = ball();
    filter->SetInputConnection(source->GetOutputPort());
    change(*filter, *source);
    expectOneError(filter, text);
  };
  expectError([](Filter& /*f*/, vtkSphereSource& s) { s.SetEndTheta(180.0); }, "open");
  expectError([](Filter& /*f*/, vtkSphereSource& s) { s.SetCenter(10.0, 0.0, 0.0); }, "no cell of the box");
  expectError([](Filter& /*f*/, vtkSphereSource& s) { s.SetRadius(0.001); }, "wider than a cell");
  expectError(
    [](Filter& f, vtkSphereSource& s) {
      s.SetCenter(0.0, 1.4, 0.0);
      f.SetLowerY(Filter::PERIODIC);
      f.SetUpperY(Filter::PERIODIC);
    },
    "along y the surface reaches from 0.9");
  vtkNew<vtkPolyData> points;
  vtkNew<vtkPoints> one;
  one->InsertNextPoint(0.0, 0.0, 0.0);
  points->SetPoints(one);
  expectError([&](Filter& f, vtkSphereSource& /*s*/) { f.SetInputDataObject(points); }, "the surface has no polygons");
}

} // namespace
} // namespace spanwise::testing
