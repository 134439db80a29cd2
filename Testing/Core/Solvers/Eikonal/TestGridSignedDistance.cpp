#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridSignedDistance.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <utility>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::toSet;

template <class Space>
class GridSignedDistance : public ::testing::Test {};
TYPED_TEST_SUITE(GridSignedDistance, AllSpaces, SpaceNames);

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A set, and how it is asked for distances.
template <class Space, int Dim>
struct DistanceProblem {
  std::vector<double> inBox(const Box<Dim>& box) const {
    const CellList<Dim> list = allCells<Dim>(box);
    const Kokkos::View<double*, typename Space::memory_space> values("distances", list.size());
    const Context<Space> context;
    signedDistanceInBox<Space, Dim>(context, toSet<Space, Dim>(cells), lattice, periods, box, values);
    return onHost(values);
  }

  std::vector<double> onCells(const CellList<Dim>& where, double most) const {
    const Kokkos::View<double*, typename Space::memory_space> values("distances", where.size());
    signedDistanceOnCells<Space, Dim>(
      Context<Space>(), toSet<Space, Dim>(cells), lattice, periods, toSet<Space, Dim>(where), most, values);
    return onHost(values);
  }

  /// The least distance to the faces of all cells of the other kind, one by one.
  std::vector<double> reference(const CellList<Dim>& where) const {
    Box<Dim> all = periods.box;
    for (int axis = 0; axis < Dim; ++axis) {
      if (!periods.along[axis]) {
        all.begin[axis] = all.end[axis] = where.begin()->at[axis];
        for (const CellList<Dim>& list : {cells, where}) {
          for (const Cell<Dim>& cell : list) {
            all.begin[axis] = std::min(all.begin[axis], cell.at[axis] - 1);
            all.end[axis] = std::max(all.end[axis], cell.at[axis] + 2);
          }
        }
      }
    }
    const CellList<Dim> others = allCells<Dim>(all);
    std::vector<double> distances;
    for (const Cell<Dim>& cell : where) {
      const bool inside = cells.count(cell) > 0;
      double least = infinity;
      for (const Cell<Dim>& other : others) {
        if ((cells.count(other) > 0) == inside) {
          continue;
        }
        double sum = 0.0;
        for (int axis = 0; axis < Dim; ++axis) {
          double steps = std::abs(cell.at[axis] - other.at[axis]);
          if (periods.along[axis]) {
            steps = std::min(steps, static_cast<double>(periods.box.extent(axis)) - steps);
          }
          const double gap = std::max(steps - 0.5, 0.0) * lattice.spacing[axis];
          sum += gap * gap;
        }
        least = std::min(least, std::sqrt(sum));
      }
      distances.push_back(inside ? -least : least);
    }
    return distances;
  }

  CellList<Dim> cells;
  GridGeometry<Dim> lattice;
  Periods<Dim> periods;
};

void expectNear(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_TRUE(found[k] == expected[k] || std::abs(found[k] - expected[k]) < 1e-12)
      << "cell " << k << ": " << found[k] << ", not " << expected[k];
  }
}

template <class Space, int Dim>
void expectReference(std::mt19937& random) {
  std::uniform_real_distribution<double> factor(0.3, 2.0);
  std::bernoulli_distribution coin(0.5);
  const Coordinate extent = Dim == 2 ? 9 : 4;
  const double densities[] = {0.02, 0.3, 0.95, 1.0};
  DistanceProblem<Space, Dim> problem;
  problem.cells = randomCells<Dim>(random, extent, densities[random() % 4]);
  Box<Dim> box{};
  for (int axis = 0; axis < Dim; ++axis) {
    problem.lattice.origin[axis] = factor(random);
    problem.lattice.spacing[axis] = factor(random);
    problem.periods.along[axis] = coin(random);
    problem.periods.box.begin[axis] = -extent;
    problem.periods.box.end[axis] = extent;
    // partly in the set, partly around it
    std::uniform_int_distribution<Coordinate> end(
      -extent - (problem.periods.along[axis] ? 0 : 3), extent + (problem.periods.along[axis] ? 0 : 3));
    box.begin[axis] = end(random);
    box.end[axis] = end(random);
    if (box.end[axis] <= box.begin[axis]) {
      std::swap(box.begin[axis], box.end[axis]);
      box.end[axis] += box.end[axis] == box.begin[axis] ? 1 : 0;
    }
    box.begin[axis] = std::min<Coordinate>(box.begin[axis], extent - 1);
    box.end[axis] = std::min<Coordinate>(box.end[axis], extent + (problem.periods.along[axis] ? 0 : 3));
  }
  const CellList<Dim> where = allCells<Dim>(box);
  std::vector<double> expected = problem.reference(where);
  expectNear(problem.inBox(box), expected);
  expectNear(problem.onCells(where, infinity), expected);
  const double most = 1.7;
  for (double& distance : expected) {
    distance = std::abs(distance) <= most ? distance : std::copysign(infinity, distance);
  }
  expectNear(problem.onCells(where, most), expected);
}

TYPED_TEST(GridSignedDistance, IsTheLeastToAllOtherCells) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 60; ++round) {
    expectReference<TypeParam, 2>(random);
    expectReference<TypeParam, 3>(random);
  }
}

TYPED_TEST(GridSignedDistance, OfAHalfSpaceIsTheDistanceToAPlane) {
  DistanceProblem<TypeParam, 3> problem{allCells<3>(-6, 0), latticeOf<3>(0.5), {}};
  const auto along = problem.inBox({{-6, -3, -3}, {20, -2, -2}});
  for (int k = 0; k < 26; ++k) {
    const double x = 0.5 * (k - 6 + 0.5);
    EXPECT_DOUBLE_EQ(along[k], k < 6 ? -std::min({-x, 3.0 + x, 1.25}) : x) << k;
  }
}

TYPED_TEST(GridSignedDistance, OfNothingAndOfEverythingIsInfinite) {
  DistanceProblem<TypeParam, 2> empty{{}, latticeOf<2>(1.0), {}};
  EXPECT_EQ(empty.inBox({{0, 0}, {2, 2}}), std::vector<double>(4, infinity));
  EXPECT_EQ(empty.onCells(allCells<2>(0, 2), infinity), std::vector<double>(4, infinity));
  EXPECT_TRUE(empty.inBox({{0, 0}, {0, 2}}).empty());
  DistanceProblem<TypeParam, 2> full{allCells<2>(0, 3), latticeOf<2>(1.0), {{{0, 0}, {3, 3}}, {true, true}}};
  EXPECT_EQ(full.inBox({{0, 0}, {3, 3}}), std::vector<double>(9, -infinity));
  EXPECT_EQ(full.onCells(allCells<2>(0, 3), infinity), std::vector<double>(9, -infinity));
}

TYPED_TEST(GridSignedDistance, ReachesTheLimitsOfCoordinates) {
  DistanceProblem<TypeParam, 2> problem{
    {{{minCoordinate, minCoordinate}}, {{maxRowKey, maxRowKey}}}, latticeOf<2>(1.0), {}};
  EXPECT_EQ(problem.onCells({{{minCoordinate, minCoordinate + 1}}, {{maxRowKey, maxRowKey}}}, 2.0),
    (std::vector<double>{0.5, -0.5}));
}

TYPED_TEST(GridSignedDistance, NamesWhatIsWrong) {
  DistanceProblem<TypeParam, 2> problem{allCells<2>(0, 3), latticeOf<2>(1.0), {{{0, 0}, {3, 3}}, {true, false}}};
  const auto expectMessage = [&](const char* part, const std::function<void()>& call) {
    try {
      call();
      FAIL() << part;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expectMessage("not in the period", [&] { problem.inBox({{-1, 0}, {3, 3}}); });
  for (const auto& [most, text] : {std::pair(-1e-9, "-1e-09"), std::pair(std::nan(""), "nan")}) {
    expectMessage((std::string("the greatest distance is ") + text + ": it must not be negative").c_str(),
      [&] { problem.onCells(allCells<2>(0, 2), most); });
  }
  constexpr Coordinate far = 1 << 29;
  const DistanceProblem<TypeParam, 2> wide{{{{0, -far}}, {{0, far}}}, latticeOf<2>(1.0), {}};
  expectMessage(("distances depend on the cells " + toString(PlaneRange{-far - 1, far + 2}) +
                  " along axis 1; there may be at most 2^30 of them")
                  .c_str(),
    [&] { wide.inBox({{0, 0}, {3, 3}}); });
  const Kokkos::View<double*, typename TypeParam::memory_space> few("few", 3);
  const Context<TypeParam> context;
  expectMessage("there are 3 distances", [&] {
    signedDistanceInBox<TypeParam, 2>(
      context, toSet<TypeParam, 2>(problem.cells), problem.lattice, problem.periods, {{0, 0}, {2, 2}}, few);
  });
  problem.lattice.spacing[0] = -1e-9;
  expectMessage("the spacing of cells is -1e-09:", [&] { problem.inBox({{0, 0}, {3, 3}}); });
}

} // namespace
} // namespace spanwise::eikonal::testing
