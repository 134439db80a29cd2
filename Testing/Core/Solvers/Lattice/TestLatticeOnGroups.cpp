// A lattice Boltzmann method written with the stencils of Core/Field has the bits of LatticeFlow: on intervals, and on
// blocks in all orders and groupings.

#include "Core/Field/Copy.hpp"
#include "Core/Field/CopyCells.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeOnGroups.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace spanwise::lattice::testing {
namespace {

constexpr geometry::Box<3> box{{0, 0, 0}, {14, 11, 9}};
constexpr double viscosity = 0.05;
constexpr double velocity = 0.03;
constexpr int numSteps = 12;

template <class Space>
class LatticeOnGroupsOn : public ::testing::Test {};
TYPED_TEST_SUITE(LatticeOnGroupsOn, spanwise::testing::AllSpaces, spanwise::testing::SpaceNames);

/// The populations on a set, in the order of intervals.
template <class Lattice, class Space, class Set>
std::vector<double> populationsOn(
  const Context<Space>& context, const Set& set, const field::GroupedSetOn<3, Space>& intervals) {
  LatticeOnGroups<Lattice, double, Space, Set> flow(context, set, viscosity, velocity);
  for (int step = 0; step < numSteps; ++step) {
    flow.step();
  }
  field::FieldOn<double, Space> inOrder;
  field::copyCells(context, set, flow.populations(), intervals, inOrder);
  field::HostField<double> onHost;
  field::copy(inOrder, onHost);
  const auto view = onHost.view();
  std::vector<double> values;
  for (int q = 0; q < view.numComponents; ++q) {
    for (std::int64_t cell = 0; cell < view.numCells; ++cell) {
      values.push_back(view(cell, q));
    }
  }
  return values;
}

/// Density and velocity of LatticeFlow, with the fluid in the cells of the set.
template <class Lattice, class Space>
std::vector<double> momentsOfFlow(const Context<Space>& context, const geometry::IntervalSetOn<3, Space>& fluid) {
  LatticeOptions<3> options;
  options.box = box;
  options.sides[0].side = Side::Inflow;
  options.sides[0].velocity[0] = velocity;
  options.viscosity = viscosity;
  options.velocities = Lattice::count == 27 ? Velocities::All : Velocities::Fewest;
  options.collision = Collision::SingleRelaxation;
  options.storage = Storage::Double;
  options.update = Update::TwoPopulations;
  LatticeFlow<Space, 3> flow(context, options, fluid, CellsHold::Fluid);
  for (int step = 0; step < numSteps; ++step) {
    flow.step();
  }
  field::HostField<double> onHost;
  field::copy(flow.moments(), onHost);
  const auto view = onHost.view();
  std::vector<double> values;
  for (std::int64_t cell = 0; cell < view.numCells; ++cell) {
    for (int c = 0; c < 4; ++c) {
      values.push_back(view(cell, c));
    }
  }
  return values;
}

/// The same of populations.
template <class Lattice>
std::vector<double> momentsOf(const std::vector<double>& populations) {
  const std::size_t numCells = populations.size() / Lattice::count;
  std::vector<double> values;
  for (std::size_t cell = 0; cell < numCells; ++cell) {
    double f[Lattice::count];
    for (std::size_t q = 0; q < Lattice::count; ++q) {
      f[q] = populations[q * numCells + cell];
    }
    const Moments<3, double> sums = sumsOf<Lattice>(f);
    values.push_back(1.0 + sums.density);
    for (const double momentum : sums.velocity) {
      values.push_back(momentum / (1.0 + sums.density));
    }
  }
  return values;
}

template <class Lattice, class Space>
void expectTheBitsOfLatticeFlow() {
  const Context<Space> context{Space()};
  std::mt19937 random(spanwise::testing::seed());
  spanwise::testing::CellList<3> cells;
  for (const auto& cell : spanwise::testing::allCells<3>(box)) {
    if (random() % 5 != 0) { // walls all over the place
      cells.insert(cell);
    }
  }
  const auto fluid = spanwise::testing::toSet<Space, 3>(cells);
  geometry::IntervalSetOn<3, Space> inflow;
  geometry::crop<Space, 3>(context, fluid, {{0, 0, 0}, {1, box.end[1], box.end[2]}}, inflow);
  field::GroupedSetOn<3, Space> intervals;
  intervals.build(context, fluid, inflow);
  const std::vector<double> expected = populationsOn<Lattice>(context, intervals, intervals);
  EXPECT_EQ(momentsOf<Lattice>(expected), (momentsOfFlow<Lattice>(context, fluid)));
  for (const auto order : {field::BlockOrder::Row, field::BlockOrder::Morton, field::BlockOrder::Hilbert}) {
    for (const auto grouping :
      {field::BlockGrouping::Naive, field::BlockGrouping::BitMask, field::BlockGrouping::Contiguous}) {
      field::BlockSetOn<3, Space> blocks;
      field::buildBlocks<Space, 3>(context, fluid, inflow, {order, grouping}, blocks);
      EXPECT_EQ((populationsOn<Lattice>(context, blocks, intervals)), expected)
        << "order " << static_cast<int>(order) << ", grouping " << static_cast<int>(grouping);
    }
  }
}

TYPED_TEST(LatticeOnGroupsOn, HasTheBitsOfLatticeFlow19) { expectTheBitsOfLatticeFlow<D3Q19, TypeParam>(); }
TYPED_TEST(LatticeOnGroupsOn, HasTheBitsOfLatticeFlow27) { expectTheBitsOfLatticeFlow<D3Q27, TypeParam>(); }

} // namespace
} // namespace spanwise::lattice::testing
