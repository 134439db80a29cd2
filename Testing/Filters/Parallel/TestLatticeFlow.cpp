#include "Testing/Filters/Parallel/Flows.hpp"

#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseLatticeFlow.h"

#include <vtkFieldData.h>
#include <vtkPointSource.h>

#include <array>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseLatticeFlow;

/// What is compared.
constexpr std::array names = {"Pressure", "Velocity", "Q Criterion"};

vtkSmartPointer<Filter> make(vtkMultiProcessController* controller, int dimension, int numLevels) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetController(controller);
  filter->SetDimension(dimension);
  filter->SetCellsAlongX(dimension == 2 ? 52 : 26);
  filter->SetViscosity(0.05);
  filter->SetStart(Filter::STREAM);
  filter->SetNumberOfLevels(numLevels);
  filter->SetBufferCells(1);
  filter->SetStepsPerRemesh(4);
  filter->SetStepsPerRecord(7);
  filter->SetNumberOfFrames(5);
  return filter;
}

TEST(LatticeFlow, RanksHaveTheBitsOfOne) {
  for (const auto& [dimension, numLevels] : {std::pair{2, 1}, std::pair{2, 3}, std::pair{3, 1}, std::pair{3, 2}}) {
    const auto alone = make(nullptr, dimension, numLevels);
    const auto shared = make(world(), dimension, numLevels);
    vtkNew<vtkPointSource> probes;
    probes->SetNumberOfPoints(1);
    probes->SetRadius(0.0);
    probes->SetCenter(-0.75, 0.125, 0.125);
    alone->SetInputConnection(1, probes->GetOutputPort());
    shared->SetInputConnection(1, probes->GetOutputPort());
    expectSameFlow(shared, alone, names);
  }
}

// A box of fewer planes than ranks, which it repeats across, and a lid that moves.
TEST(LatticeFlow, SomeRanksHaveNoCells) {
  const auto flat = [](vtkMultiProcessController* controller) {
    auto filter = make(controller, 3, 1);
    filter->SetDomain(Filter::GIVEN_BOX);
    filter->SetLengths(2.0, 1.0, 0.125);
    filter->SetCellsAlongX(16);
    filter->SetCenter(0.5, 0.5, 0.0);
    filter->SetRadius(0.125);
    filter->SetLowerY(Filter::WALL);
    filter->SetUpperY(Filter::WALL);
    filter->SetLowerZ(Filter::PERIODIC);
    filter->SetUpperZ(Filter::PERIODIC);
    return filter;
  };
  expectSameFlow(flat(world()), flat(nullptr), names);
}

/// A disc of cells; in parallel each rank has some of them.
vtkSmartPointer<vtkSpanwiseIntervalShape> disc(vtkMultiProcessController* controller) {
  auto shape = vtkSmartPointer<vtkSpanwiseIntervalShape>::New();
  shape->SetController(controller);
  shape->SetDimension(2);
  shape->SetSpacing(0.05, 0.04, 1.0);
  return shape;
}

TEST(LatticeFlow, RanksShareAnObstacle) {
  for (const int meaning : {Filter::SOLID, Filter::FLUID}) {
    const auto whole = disc(nullptr);
    const auto parts = disc(world());
    const auto alone = make(nullptr, 2, 2);
    const auto shared = make(world(), 2, 2);
    for (Filter* const filter : {alone.Get(), shared.Get()}) {
      filter->SetObstacle(Filter::INPUT_SET);
      filter->SetInputIs(meaning);
      filter->SetAcceleration(0.1, 0.0, 0.0);
    }
    alone->SetInputConnection(0, whole->GetOutputPort());
    shared->SetInputConnection(0, parts->GetOutputPort());
    expectSameFlow(shared, alone, names);
  }
}

TEST(LatticeFlow, RanksGoOnFromACheckpoint) {
  expectGoesOn([] { return make(world(), 2, 2); }, names);
}

TEST(LatticeFlow, RanksGoOnWhereItIsSteady) {
  const auto lax = [] {
    auto filter = make(world(), 2, 1);
    filter->SetSteadyTolerance(0.5);
    return filter;
  };
  const auto filter = lax();
  updateAt(filter, 2.0);
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetFieldData()->GetArray("Steady")->GetComponent(0, 0), 1.0);
  expectGoesOn(lax, names);
}

TEST(LatticeFlow, AnErrorIsOneOnAllRanks) {
  const auto filter = make(world(), 2, 1);
  filter->SetViscosity(-1.0);
  expectOneErrorAt(filter, 2.0);
}

} // namespace
} // namespace spanwise::testing
