#include "Testing/Filters/Parallel/Memory.hpp"

#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseSetAlgebra.h"
#include "vtkSpanwiseSurfaceToIntervals.h"

#include <vtkSphere.h>
#include <vtkSphereSource.h>

namespace spanwise::testing {
namespace {

TEST(RankMemory, FallsWithTheRanksForASource) {
  expectMemoryFalls([](vtkMultiProcessController* controller) {
    auto shape = vtkSmartPointer<vtkSpanwiseIntervalShape>::New();
    shape->SetController(controller);
    shape->SetResolution(400);
    return shape;
  });
}

TEST(RankMemory, FallsWithTheRanksForASurface) {
  expectMemoryFalls([](vtkMultiProcessController* controller) {
    vtkNew<vtkSphereSource> sphere; // on the first rank alone
    auto filter = vtkSmartPointer<vtkSpanwiseSurfaceToIntervals>::New();
    filter->SetController(controller);
    filter->SetInputConnection(sphere->GetOutputPort());
    filter->SetResolution(700);
    return filter;
  });
}

TEST(RankMemory, FallsWithTheRanksForAlgebra) {
  expectMemoryFalls([](vtkMultiProcessController* controller) {
    auto filter = vtkSmartPointer<vtkSpanwiseSetAlgebra>::New();
    filter->SetController(controller);
    for (const double x : {0.0, 0.1}) {
      vtkNew<vtkSpanwiseIntervalShape> shape;
      shape->SetController(controller);
      shape->SetSpacing(1.0 / 1024, 1.0 / 1024, 1.0 / 1024);
      shape->SetCenter(x, 0.0, x);
      filter->AddInputConnection(shape->GetOutputPort());
    }
    return filter;
  });
}

} // namespace
} // namespace spanwise::testing
