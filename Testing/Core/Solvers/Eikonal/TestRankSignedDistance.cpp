// Signed distances on ranks: what one process finds, bit by bit, however planes are cut.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridSignedDistance.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Rooms.hpp"

#include <cstring>
#include <random>
#include <string>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::cellsIn;
using spanwise::testing::randomCut;
using spanwise::testing::toSet;
using spanwise::testing::world;

template <class Space>
class RankSignedDistance : public ::testing::Test {};
TYPED_TEST_SUITE(RankSignedDistance, AllSpaces, SpaceNames);

template <class Space>
using Distances = Kokkos::View<double*, typename Space::memory_space>;

/// A set, the same on all ranks, and where its distances are asked for.
template <int Dim>
struct Problem {
  CellList<Dim> cells;
  GridGeometry<Dim> lattice = latticeOf<Dim>(1.0);
  Periods<Dim> periods;
  Box<Dim> box{};

  template <class Space>
  [[nodiscard]] std::vector<double> onOneRank() const {
    const Distances<Space> distances("distances", allCells<Dim>(box).size());
    const Context<Space> context;
    signedDistanceInBox<Space, Dim>(context, toSet<Space, Dim>(cells), lattice, periods, box, distances);
    return onHost(distances);
  }

  /// Those of this rank's planes.
  template <class Space>
  [[nodiscard]] std::vector<double> onRanks(const RowCut& cut) const {
    const PlaneRange mine = cut.part(world().rank());
    const Distances<Space> distances("distances", cellsIn<Dim>(allCells<Dim>(box), mine).size());
    const Context<Space> context(Space(), world());
    signedDistanceInBox<Space, Dim>(context, toSet<Space, Dim>(cellsIn<Dim>(cells, mine)), lattice,
      SetDomain<Dim>(world(), cut, periods), box, distances);
    return onHost(distances);
  }
};

template <int Dim>
Problem<Dim> randomProblem(std::mt19937& random) {
  std::uniform_real_distribution<double> factor(0.3, 2.0);
  std::bernoulli_distribution coin(0.4);
  const Coordinate extent = Dim == 2 ? 12 : 6;
  const double densities[] = {0.0, 0.01, 0.3, 0.95, 1.0};
  Problem<Dim> problem;
  problem.cells = randomCells<Dim>(random, extent, densities[random() % 5]);
  for (int axis = 0; axis < Dim; ++axis) {
    problem.lattice.spacing[axis] = factor(random);
    problem.periods.along[axis] = coin(random);
    problem.periods.box.begin[axis] = -extent;
    problem.periods.box.end[axis] = extent;
    const Coordinate most = extent + (problem.periods.along[axis] ? 0 : 4);
    std::uniform_int_distribution<Coordinate> end(-most, most);
    problem.box.begin[axis] = end(random);
    problem.box.end[axis] = end(random); // it may be empty
    if (problem.box.end[axis] < problem.box.begin[axis]) {
      std::swap(problem.box.begin[axis], problem.box.end[axis]);
    }
  }
  return problem;
}

template <class Space, int Dim>
void expectSameBits(const Problem<Dim>& problem, const RowCut& cut) {
  const std::vector<double> found = problem.template onRanks<Space>(cut);
  const std::vector<double> whole = problem.template onOneRank<Space>();
  const PlaneRange mine = cut.part(world().rank());
  std::size_t k = 0;
  std::size_t mismatches = 0;
  std::size_t number = 0;
  for (const Cell<Dim>& cell : allCells<Dim>(problem.box)) {
    if (mine.contains(cell.at[Dim - 1])) {
      ASSERT_LT(k, found.size());
      mismatches += std::memcmp(&found[k++], &whole[number], sizeof(double)) == 0 ? 0 : 1;
    }
    ++number;
  }
  EXPECT_EQ(k, found.size());
  EXPECT_EQ(mismatches, 0U);
}

template <class Space, int Dim>
void expectSameBitsForRandomSets() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed()); // the same on all ranks
  for (int round = 0; round < 60; ++round) {
    const Problem<Dim> problem = randomProblem<Dim>(random);
    expectSameBits<Space, Dim>(problem, randomCut(random, Dim == 2 ? 14 : 8));
  }
}

TYPED_TEST(RankSignedDistance, HasTheBitsOfOneRank2D) { expectSameBitsForRandomSets<TypeParam, 2>(); }
TYPED_TEST(RankSignedDistance, HasTheBitsOfOneRank3D) { expectSameBitsForRandomSets<TypeParam, 3>(); }

// The nearest cell may be on any rank: of a set in the last planes alone, and of one without a boundary.
TYPED_TEST(RankSignedDistance, ReachesOverAllRanks) {
  Problem<3> problem;
  problem.cells = {{{0, 0, 39}}};
  problem.box = {{0, 0, 0}, {1, 1, 40}};
  RowCut cut{{PlaneRange().begin}};
  for (int rank = 1; rank < world().size(); ++rank) {
    cut.bounds.push_back(40 * rank / world().size());
  }
  cut.bounds.push_back(PlaneRange().end);
  const std::vector<double> found = problem.onRanks<TypeParam>(cut);
  const std::int64_t first = PlaneRange{0, 40}.within(cut.part(world().rank())).begin;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto z = static_cast<double>(first) + static_cast<double>(k);
    EXPECT_EQ(found[k], z == 39.0 ? -0.5 : 38.5 - z);
  }
  problem.cells = allCells<3>(problem.box);
  problem.periods = {problem.box, {true, true, true}};
  for (const double distance : problem.onRanks<TypeParam>(cut)) {
    EXPECT_EQ(distance, -std::numeric_limits<double>::infinity());
  }
}

TYPED_TEST(RankSignedDistance, ThrowsOnAllRanks) {
  const auto distancesOf = [](const Problem<2>& problem, const RowCut& cut) { (void)problem.onRanks<TypeParam>(cut); };
  RowCut cut{{PlaneRange().begin}};
  for (int rank = 1; rank < world().size(); ++rank) {
    cut.bounds.push_back(rank);
  }
  cut.bounds.push_back(PlaneRange().end);
  Problem<2> problem;
  problem.cells = allCells<2>(0, 4);
  problem.box = {{0, 0}, {4, 4}};
  EXPECT_NO_THROW(distancesOf(problem, cut));
  problem.lattice.spacing[0] = world().rank() == 0 ? -1.0 : 1.0;
  EXPECT_THROW(distancesOf(problem, cut), InvalidArgument);
  problem.lattice = latticeOf<2>(1.0);
  problem.periods = {{{0, 0}, {2, 4}}, {true, false}};
  EXPECT_THROW(distancesOf(problem, cut), InvalidArgument);
  problem.periods = {};
  if (!world().alone()) {
    const Distances<TypeParam> none("distances", 0);
    const Context<TypeParam> context(TypeParam(), world());
    EXPECT_THROW((signedDistanceInBox<TypeParam, 2>(context, toSet<TypeParam, 2>(allCells<2>(0, 4)), problem.lattice,
                   SetDomain<2>(world(), cut), {}, none)),
      InvalidArgument)
      << "cells of other ranks";
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
