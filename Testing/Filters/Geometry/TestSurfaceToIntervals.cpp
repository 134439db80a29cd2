#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseSurfaceToIntervals.h"

#include <vtkAppendPolyData.h>
#include <vtkCellArray.h>
#include <vtkCubeSource.h>
#include <vtkImplicitPolyDataDistance.h>
#include <vtkPoints.h>
#include <vtkSphereSource.h>
#include <vtkStripper.h>
#include <vtkTransform.h>
#include <vtkTransformPolyDataFilter.h>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseSurfaceToIntervals;

vtkSmartPointer<vtkPolyData> sphere(double radius, int resolution = 24) {
  vtkNew<vtkSphereSource> source;
  source->SetRadius(radius);
  source->SetThetaResolution(resolution);
  source->SetPhiResolution(resolution);
  source->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  source->Update();
  return source->GetOutput();
}

TEST(SurfaceToIntervals, HasTheCellsWhoseCentresAreAtANegativeDistance) {
  vtkNew<vtkTransform> transform; // neither symmetric nor aligned
  transform->RotateWXYZ(31.0, 1.0, 2.0, 0.5);
  transform->Scale(1.0, 0.6, 0.8);
  vtkNew<vtkTransformPolyDataFilter> turned;
  turned->SetTransform(transform);
  turned->SetInputData(sphere(1.0));
  turned->Update();
  vtkNew<Filter> filter;
  filter->SetInputConnection(turned->GetOutputPort());
  filter->SetSpacing(0.11, 0.13, 0.12);
  filter->SetOrigin(0.01, 0.02, 0.03);
  filter->Update();
  vtkNew<vtkImplicitPolyDataDistance> distance;
  distance->SetInput(turned->GetOutput());
  CellList<3> expected;
  for (int z = -12; z < 12; ++z) {
    for (int y = -12; y < 12; ++y) {
      for (int x = -12; x < 12; ++x) {
        const double d =
          distance->EvaluateFunction(0.01 + (x + 0.5) * 0.11, 0.02 + (y + 0.5) * 0.13, 0.03 + (z + 0.5) * 0.12);
        ASSERT_GT(std::abs(d), 1e-7); // no centre is on the surface
        if (d < 0.0) {
          expected.insert({{x, y, z}});
        }
      }
    }
  }
  EXPECT_GT(expected.size(), 500U);
  EXPECT_TRUE(cellsOf<3>(filter->GetOutput()) == expected);
}

TEST(SurfaceToIntervals, ByDefaultHas256CellsAlongTheLongestSide) {
  vtkNew<vtkCubeSource> cube;
  cube->SetBounds(-2.0, 2.0, 1.0, 2.0, 0.0, 0.5);
  vtkNew<Filter> filter;
  filter->SetInputConnection(cube->GetOutputPort());
  filter->Update();
  const auto grid = carriedGrid<3>(filter->GetOutput());
  EXPECT_EQ(grid->box(), (Box<3>{{0, 0, 0}, {256, 64, 32}}));
  EXPECT_EQ(grid->set().numCells(), 256 * 64 * 32);
  EXPECT_EQ(grid->placement().origin[0], -2.0);
}

TEST(SurfaceToIntervals, StripsAndPolygonsAreTheSameSurface) {
  vtkNew<Filter> filter;
  filter->SetInputData(sphere(1.0));
  filter->SetResolution(40);
  filter->Update();
  const auto cells = cellsOf<3>(filter->GetOutput());
  vtkNew<vtkStripper> stripper;
  stripper->SetInputData(sphere(1.0));
  stripper->Update();
  ASSERT_GT(stripper->GetOutput()->GetNumberOfStrips(), 0);
  filter->SetInputConnection(stripper->GetOutputPort());
  filter->Update();
  EXPECT_TRUE(cellsOf<3>(filter->GetOutput()) == cells);
}

TEST(SurfaceToIntervals, AShellWithinAShellIsHollow) {
  const auto cellsInside = [](double radius) {
    vtkNew<Filter> filter;
    filter->SetInputData(sphere(radius));
    filter->SetSpacing(0.1, 0.1, 0.1);
    filter->Update();
    return cellsOf<3>(filter->GetOutput());
  };
  vtkNew<vtkAppendPolyData> both;
  both->AddInputData(sphere(1.0));
  both->AddInputData(sphere(0.6));
  vtkNew<Filter> filter;
  filter->SetInputConnection(both->GetOutputPort());
  filter->SetSpacing(0.1, 0.1, 0.1);
  filter->Update();
  CellList<3> expected = cellsInside(1.0);
  for (const Cell<3>& cell : cellsInside(0.6)) {
    EXPECT_EQ(expected.erase(cell), 1U);
  }
  EXPECT_TRUE(cellsOf<3>(filter->GetOutput()) == expected);
}

TEST(SurfaceToIntervals, AConcavePolygonIsCutRightly) {
  // An L as a prism: two hexagons and six quads.
  const double corners[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
  vtkNew<vtkPoints> points;
  for (const double z : {0.0, 2.0}) {
    for (const auto& corner : corners) {
      points->InsertNextPoint(corner[0], corner[1], z);
    }
  }
  vtkNew<vtkCellArray> cells;
  cells->InsertNextCell({2, 3, 4, 5, 0, 1}); // the fan's first corner does not see them all
  cells->InsertNextCell({8, 9, 10, 11, 6, 7});
  for (vtkIdType k = 0; k < 6; ++k) {
    cells->InsertNextCell({k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k});
  }
  vtkNew<vtkPolyData> prism;
  prism->SetPoints(points);
  prism->SetPolys(cells);
  vtkNew<Filter> filter;
  filter->SetInputData(prism);
  filter->SetResolution(30);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), (30 * 10 + 10 * 20) * 20);
}

TEST(SurfaceToIntervals, MergesPointsOfASeamThatRoundOffOpened) {
  const auto surface = sphere(1.0);
  vtkNew<Filter> filter;
  filter->SetInputData(surface);
  filter->SetResolution(30);
  filter->Update();
  const auto expected = cellsOf<3>(filter->GetOutput());
  // every triangle gets points of its own, and each is a little off
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> triangles;
  for (vtkIdType t = 0; t < surface->GetNumberOfPolys(); ++t) {
    vtkNew<vtkIdList> corners;
    surface->GetPolys()->GetCellAtId(t, corners);
    triangles->InsertNextCell(3);
    for (vtkIdType k = 0; k < 3; ++k) {
      const double* x = surface->GetPoint(corners->GetId(k));
      triangles->InsertCellPoint(points->InsertNextPoint(x[0] + 1e-9 * static_cast<double>(t % 7), x[1], x[2]));
    }
  }
  vtkNew<vtkPolyData> opened;
  opened->SetPoints(points);
  opened->SetPolys(triangles);
  filter->SetInputData(opened);
  filter->SetMergeTolerance(0.0);
  expectOneError(filter, "open");
  filter->SetMergeTolerance(1e-6);
  filter->Update();
  EXPECT_TRUE(cellsOf<3>(filter->GetOutput()) == expected);
}

TEST(SurfaceToIntervals, PiecesPartitionTheWhole) {
  vtkNew<Filter> filter;
  filter->SetInputData(sphere(1.0));
  filter->SetResolution(30);
  expectPiecesMakeTheWhole(filter, nullptr, 3, 0.055);
}

TEST(SurfaceToIntervals, WorksOnEveryStepOfATimeSeries) {
  vtkNew<StepSource> source;
  source->type = "vtkPolyData";
  source->steps = {0.0, 1.0};
  source->fill = [](double time, vtkDataObject* output) { output->ShallowCopy(sphere(1.0 + time)); };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetSpacing(0.25, 0.25, 0.25);
  filter->UpdateTimeStep(0.0);
  const auto small = filter->GetOutput()->GetNumberOfCells();
  filter->UpdateTimeStep(1.0);
  EXPECT_NEAR(static_cast<double>(filter->GetOutput()->GetNumberOfCells()) / static_cast<double>(small), 8.0, 1.0);
  filter->UpdateTimeStep(0.0);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), small);
}

TEST(SurfaceToIntervals, AnAbortLeavesNothingAndTheNextRunIsRight) {
  vtkNew<Filter> filter;
  filter->SetInputData(sphere(1.0));
  filter->SetAbortExecuteAndUpdateTime();
  Messages messages;
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  EXPECT_EQ(messages.all().size(), 0U);
  filter->SetAbortExecute(0);
  filter->Modified();
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetNumberOfCells(), 0);
}

TEST(SurfaceToIntervals, BadInputIsOneError) {
  vtkNew<vtkSphereSource> open;
  open->SetEndPhi(120.0);
  vtkNew<Filter> filter;
  filter->SetInputConnection(open->GetOutputPort());
  expectOneError(filter, "open");
  filter->SetInputData(sphere(1.0));
  filter->SetLevel(-1);
  expectOneError(filter, "the level is -1");
  filter->SetLevel(0);
  filter->SetSpacing(0.0, 1.0, 1.0);
  expectOneError(filter, "the spacing along axis 0 is 0");
  vtkNew<vtkPolyData> empty;
  filter->SetInputData(empty);
  expectNothing(filter);
}

} // namespace
} // namespace spanwise::testing
