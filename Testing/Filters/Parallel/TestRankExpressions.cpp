#include "Testing/Filters/Parallel/Memory.hpp"

#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseSetExpression.h"

namespace spanwise::testing {
namespace {

// Holes and the largest component depend on all cells; no rank ever has them.
TEST(RankExpressions, MemoryFallsWithTheRanks) {
  expectMemoryFalls([](vtkMultiProcessController* controller) {
    vtkNew<vtkSpanwiseIntervalShape> shape;
    shape->SetController(controller);
    shape->SetResolution(700);
    auto filter = vtkSmartPointer<vtkSpanwiseSetExpression>::New();
    filter->SetController(controller);
    filter->SetInputConnection(shape->GetOutputPort());
    filter->SetExpression("dilate(fill_holes(largest(boundary(A))), 1)");
    return filter;
  });
}

} // namespace
} // namespace spanwise::testing
