#include "Testing/Filters/Parallel/Flows.hpp"

#include "vtkSpanwiseCompressibleFlow.h"
#include "vtkSpanwiseIntervalShape.h"

#include <vtkPointSource.h>

#include <array>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseCompressibleFlow;

vtkSmartPointer<Filter> make(vtkMultiProcessController* controller, int dimension) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(controller);
  filter->SetDimension(dimension);
  filter->SetCellsAlongX(dimension == 2 ? 28 : 14);
  filter->SetNumberOfLevels(dimension == 2 ? 3 : 2);
  filter->SetNumberOfFrames(5);
  return filter;
}

/// What is compared.
constexpr std::array names = {"Density", "Pressure", "Schlieren"};

TEST(CompressibleFlow, RanksHaveTheBitsOfOne) {
  for (const int dimension : {2, 3}) {
    const auto alone = make(nullptr, dimension);
    const auto shared = make(world(), dimension);
    vtkNew<vtkPointSource> probes;
    probes->SetNumberOfPoints(1);
    probes->SetRadius(0.0);
    probes->SetCenter(-0.6, 0.1, 0.1);
    alone->SetInputConnection(1, probes->GetOutputPort());
    shared->SetInputConnection(1, probes->GetOutputPort());
    expectSameFlow(shared, alone, names);
  }
}

TEST(CompressibleFlow, RanksShareAnObstacle) {
  const auto disc = [](vtkMultiProcessController* controller) {
    auto shape = vtkSmartPointer<vtkSpanwiseIntervalShape>::New();
    shape->SetController(controller);
    shape->SetDimension(2);
    shape->SetSpacing(0.05, 0.04, 1.0);
    return shape;
  };
  const auto whole = disc(nullptr);
  const auto parts = disc(world());
  const auto alone = make(nullptr, 2);
  const auto shared = make(world(), 2);
  for (Filter* const filter : {alone.Get(), shared.Get()}) {
    filter->SetObstacle(Filter::INPUT_SET);
  }
  alone->SetInputConnection(0, whole->GetOutputPort());
  shared->SetInputConnection(0, parts->GetOutputPort());
  expectSameFlow(shared, alone, names);
}

TEST(CompressibleFlow, RanksGoOnFromACheckpoint) {
  expectGoesOn([] { return make(world(), 2); }, names);
}

TEST(CompressibleFlow, AnErrorIsOneOnAllRanks) {
  const auto filter = make(world(), 2);
  filter->SetMachNumber(-1.0);
  expectOneErrorAt(filter, 2.0);
}

} // namespace
} // namespace spanwise::testing
