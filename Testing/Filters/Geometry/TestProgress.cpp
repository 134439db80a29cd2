#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseExtractRegion.h"
#include "vtkSpanwiseImageToIntervals.h"
#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwisePolygonsToIntervals.h"
#include "vtkSpanwiseSetAlgebra.h"
#include "vtkSpanwiseSetExpression.h"
#include "vtkSpanwiseSurfaceToIntervals.h"

#include <vtkCommand.h>
#include <vtkDoubleArray.h>
#include <vtkPlaneSource.h>
#include <vtkSphere.h>
#include <vtkSphereSource.h>
#include <vtkUnstructuredGrid.h>

namespace spanwise::testing {
namespace {

/// What an algorithm reports, and a wish to stop at the first report between the beginning and the end.
class Watch : public vtkCommand {
public:
  static Watch* New() { return new Watch; }
  void Execute(vtkObject* caller, unsigned long /*event*/, void* data) override {
    const double fraction = *static_cast<double*>(data);
    EXPECT_GE(fraction, last);
    last = fraction;
    if (fraction > 0.0 && fraction < 1.0) {
      ++between;
      if (stop) {
        vtkAlgorithm::SafeDownCast(caller)->SetAbortExecute(1);
      }
    }
  }
  double last = 0.0;
  int between = 0;
  bool stop = false;
};

void expectProgressAndAbort(vtkAlgorithm* algorithm) {
  vtkNew<Watch> watch;
  algorithm->AddObserver(vtkCommand::ProgressEvent, watch);
  Messages messages;
  algorithm->Update();
  EXPECT_GT(watch->between, 0) << algorithm->GetClassName();
  const vtkIdType whole = algorithm->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL);
  EXPECT_GT(whole, 0);
  watch->stop = true;
  watch->last = 0.0;
  algorithm->Modified();
  algorithm->Update();
  EXPECT_EQ(algorithm->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL), 0)
    << algorithm->GetClassName();
  watch->stop = false;
  watch->last = 0.0;
  algorithm->SetAbortExecute(0);
  algorithm->Modified();
  algorithm->Update();
  EXPECT_EQ(algorithm->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL), whole);
  EXPECT_EQ(messages.all().size(), 0U);
}

TEST(Progress, MovesAndAbortLeavesNothing) {
  vtkNew<vtkSphere> function;
  vtkNew<vtkSpanwiseIntervalShape> shape;
  shape->SetShape(vtkSpanwiseIntervalShape::IMPLICIT_FUNCTION);
  shape->SetImplicitFunction(function);
  shape->SetSpacing(0.01, 0.01, 0.01);
  expectProgressAndAbort(shape);

  vtkNew<vtkImageData> image;
  image->SetExtent(0, 10, 0, 10, 0, 10);
  vtkNew<vtkDoubleArray> values;
  values->SetNumberOfValues(1000);
  values->Fill(1.0);
  image->GetCellData()->SetScalars(values);
  vtkNew<vtkSpanwiseImageToIntervals> fromImage;
  fromImage->SetInputData(image);
  expectProgressAndAbort(fromImage);

  vtkNew<vtkPlaneSource> plane;
  vtkNew<vtkSpanwisePolygonsToIntervals> polygons;
  polygons->SetInputConnection(plane->GetOutputPort());
  expectProgressAndAbort(polygons);

  vtkNew<vtkSphereSource> sphere;
  vtkNew<vtkSpanwiseSurfaceToIntervals> surface;
  surface->SetInputConnection(sphere->GetOutputPort());
  expectProgressAndAbort(surface);

  vtkNew<vtkSpanwiseSetAlgebra> algebra;
  algebra->AddInputData(gridOfCells<2>({{{0, 0}}}));
  algebra->AddInputData(gridOfCells<2>({{{1, 0}}}));
  expectProgressAndAbort(algebra);

  vtkNew<vtkSpanwiseSetExpression> expression;
  expression->AddInputData(gridOfCells<2>({{{0, 0}}}));
  expression->SetExpression("dilate(A, 1)");
  expectProgressAndAbort(expression);

  vtkNew<vtkSpanwiseExtractRegion> extract;
  extract->SetInputData(gridOfCells<2>({{{0, 0}}, {{-1, 0}}}));
  extract->SetLengths(5.0, 5.0, 5.0);
  expectProgressAndAbort(extract);
}

// Cells that are rebuilt one by one take the longest: stopping there is no error.
TEST(Progress, AbortWhileInputsAreRebuiltLeavesNothing) {
  CellList<2> cells;
  for (Coordinate x = 0; x < 100; ++x) {
    cells.insert({{x, x % 7}});
  }
  const auto exploded = [&](Coordinate shift) {
    const auto grid = gridOfCells<2>(cells, {{static_cast<double>(shift), 0.0, 0.0}, {1.0, 1.0, 1.0}, 0});
    auto copy = vtkSmartPointer<vtkUnstructuredGrid>::New();
    copy->DeepCopy(grid);
    return copy;
  };
  vtkNew<vtkSpanwiseSetAlgebra> algebra;
  algebra->AddInputData(exploded(0));
  algebra->AddInputData(exploded(50));
  ASSERT_EQ(gridOf<2>(vtkDataObject::SafeDownCast(algebra->GetInputDataObject(0, 0))), nullptr);
  expectProgressAndAbort(algebra);
}

} // namespace
} // namespace spanwise::testing
