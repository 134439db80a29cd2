#include "Testing/Filters/Parallel/Ranks.hpp"

#include "Core/Runtime/Runtime.hpp"

#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseSetAlgebra.h"
#include "vtkSpanwiseSurfaceToIntervals.h"

#include <vtkSphere.h>
#include <vtkSphereSource.h>

namespace spanwise::testing {
namespace {

std::size_t held(std::size_t MemoryAccount::* bytes) {
  std::size_t sum = 0;
  for (const MemoryAccount& account : runtimeReport().memory) {
    sum += account.*bytes;
  }
  return sum;
}

// A process's peak never falls, so ranks come first, and pipelines from small to large.
template <class Make>
void expectMemoryFalls(const Make& make) {
  std::size_t shared = 0;
  std::size_t before = held(&MemoryAccount::bytesNow);
  {
    const auto pipeline = make(world());
    updateTogether(pipeline.Get());
    shared = held(&MemoryAccount::bytesPeak) - before;
  }
  const std::int64_t most = everybody().maximum(static_cast<std::int64_t>(shared));
  before = held(&MemoryAccount::bytesNow);
  const auto alone = make(nullptr);
  alone->Update();
  const auto whole = static_cast<double>(held(&MemoryAccount::bytesPeak) - before);
  const double share = 1.0 / world()->GetNumberOfProcesses();
  EXPECT_LT(static_cast<double>(most), (share + 0.15) * whole);
}

TEST(RankMemory, FallsWithTheRanksForASource) {
  expectMemoryFalls([](vtkMultiProcessController* controller) {
    auto shape = vtkSmartPointer<vtkSpanwiseIntervalShape>::New();
    shape->SetController(controller);
    shape->SetSpacingMode(vtkSpanwiseIntervalShape::FROM_RESOLUTION);
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
      shape->SetSpacingMode(vtkSpanwiseIntervalShape::GIVEN_SPACING);
      shape->SetSpacing(1.0 / 1024, 1.0 / 1024, 1.0 / 1024);
      shape->SetCenter(x, 0.0, x);
      filter->AddInputConnection(shape->GetOutputPort());
    }
    return filter;
  });
}

} // namespace
} // namespace spanwise::testing
