// Stencils over the leaves of hierarchies, whose neighbours may be coarser or finer, on ranks and on axes that repeat:
// by brute force.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Multilevel/LevelStencil.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Multilevel/RankFields.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <optional>

namespace spanwise::testing {

/// A weight for each neighbour, and for the level.
template <class Pattern>
struct WeighOfLevel {
  int level;

  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(const Point& point, const Out& out) const {
    double sum = 100.0 * point.centre() + level;
    for (int n = 0; n < Pattern::count; ++n) {
      sum += (n + 1) * (n + 3) * point.neighbour(n);
    }
    out() = sum;
  }
};

namespace {

constexpr double outside = -3.0;
constexpr double untouched = -99.0;

/// The values of a whole hierarchy: whole numbers of leaves, whose means are exact.
template <int Dim>
struct WholeValues {
  const RandomDomain<Dim>& is;
  std::vector<CellList<Dim>> levels;

  [[nodiscard]] bool has(int l, const Cell<Dim>& cell) const {
    return l < static_cast<int>(levels.size()) && levels[static_cast<std::size_t>(l)].contains(cell);
  }
  [[nodiscard]] bool isRefined(int l, const Cell<Dim>& cell) const { return has(l + 1, childOf(cell, 0)); }
  [[nodiscard]] double at(int l, const Cell<Dim>& cell) const {
    if (!isRefined(l, cell)) {
      return std::round(8.0 * scatter(is, l, cell));
    }
    double sum = 0.0;
    for (int k = 0; k < 1 << Dim; ++k) {
      sum += at(l + 1, childOf(cell, k));
    }
    return sum / (1 << Dim);
  }
  /// What a leaf sees of a neighbour; nothing outside of the domain.
  [[nodiscard]] std::optional<double> seen(int l, Cell<Dim> cell) const {
    for (; l >= 0; --l, cell = parentOf(cell)) {
      if (has(l, cell)) {
        return at(l, cell);
      }
    }
    return {};
  }
};

template <class Space>
class LevelStencils : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // cases are small
  const Context<Space> context{space};

  template <class Pattern>
  void checkStencil(bool repeats) {
    constexpr int Dim = Pattern::dimension;
    std::mt19937 random(seed() + Pattern::count);
    GhostLevels<Space, Dim> ghosts; // used again
    LevelStencilMapOn<Pattern, Space> map;
    for (int round = 0; round < 8; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const Coordinate extent = Dim == 2 ? 4 : 2;
      const RandomDomain<Dim> is(random, extent, repeats);
      const Grading grading = round % 4 == 0 ? Grading::Nested : Grading::Face;
      const auto wanted = randomWanted<Dim>(random, is, extent, 1 + round % 3);
      const auto whole = wholeLevels<Space, Dim>(context, is, wanted, grading, is.copiesFor(9));
      WholeValues<Dim> values{is, {}};
      for (int l = 0; l < whole.numLevels(); ++l) {
        values.levels.push_back(toCells(whole.level(l)));
      }
      const auto levels = partOf<Space, Dim>(is, whole);
      auto domain = domainOf<Space, Dim>(is);
      buildGhosts(context, domain, levels, {2, round % 2 == 0, Prolongation::Injection}, ghosts);
      buildStencilMap<Pattern, Space>(context, levels, ghosts, BoundaryPolicy::Value, map);

      MultilevelFieldOn<double, Space> in;
      toExtended(context, ghosts,
        levelField<Space, Dim>(
          levels, 1, [&](int l, const Cell<Dim>& cell) { return std::round(8.0 * scatter(is, l, cell)); }),
        in);
      MultilevelFieldOn<double, Space> out;
      ghosts.resize(out);
      for (int l = 0; l < ghosts.numLevels; ++l) {
        fill(context, out.level(l), untouched);
      }
      const auto apply = [&](SubsetGroup group) {
        forEachStencil<1, 1>(space, map, in, outside, [](int l) { return WeighOfLevel<Pattern>{l}; }, out, group);
      };
      const bool seesItselfAlone = domain.endsHere() && !ghosts.options.outside;
      if (seesItselfAlone) {
        apply(SubsetGroup::Without); // means and ghost cells are not there yet
      }
      restrictLevels(context, ghosts, in);
      fillGhosts(context, ghosts, ValueState<double>{outside}, in);
      apply(seesItselfAlone ? SubsetGroup::With : SubsetGroup::All);
      MultilevelFieldOn<double, Space> found;
      fromExtended(context, ghosts, out, found);
      space.fence();
      for (int l = 0; l < levels.numLevels(); ++l) {
        expectLevel<Pattern>(values, l, valuesOf<Dim>(levels.level(l), found.level(l)), map.level(l));
      }
    }
  }

  template <class Pattern, class Map>
  static void expectLevel(const WholeValues<Pattern::dimension>& values, int l,
    const ValuesOfCells<Pattern::dimension>& found, const Map& map) {
    constexpr int Dim = Pattern::dimension;
    std::int64_t numWith = 0;
    std::int64_t numLeaves = 0;
    for (const auto& [cell, value] : found) {
      double expected = untouched;
      if (!values.isRefined(l, cell)) {
        expected = 100.0 * values.at(l, cell) + l;
        bool jumps = false;
        for (int n = 0; n < Pattern::count; ++n) {
          Cell<Dim> other = cell;
          for (int d = 0; d < Dim; ++d) {
            other.at[d] += Pattern::offset(n, d);
          }
          const auto seen = values.seen(l, other);
          expected += (n + 1) * (n + 3) * seen.value_or(outside);
          jumps = jumps || (seen && (!values.has(l, other) || values.isRefined(l, other)));
        }
        numWith += jumps ? 1 : 0;
        ++numLeaves;
      }
      ASSERT_EQ(value[0], expected) << "level " << l;
    }
    EXPECT_EQ(map.with.numCells(), numWith) << "level " << l;
    EXPECT_EQ(map.without.numCells(), numLeaves - numWith) << "level " << l;
  }
};
TYPED_TEST_SUITE(LevelStencils, AllSpaces, SpaceNames);

TYPED_TEST(LevelStencils, SeeFinerAndCoarserLeavesIn2D) {
  this->template checkStencil<FacePattern<2>>(false);
  this->template checkStencil<StarPattern<2, 2>>(false);
  this->template checkStencil<BoxPattern<2>>(false);
}
TYPED_TEST(LevelStencils, SeeFinerAndCoarserLeavesIn3D) {
  this->template checkStencil<FacePattern<3>>(false);
  this->template checkStencil<BoxPattern<3>>(false);
}
TYPED_TEST(LevelStencils, SeeLeavesAtTheOtherEndsOfPeriods) {
  this->template checkStencil<BoxPattern<2>>(true);
  this->template checkStencil<FacePattern<3>>(true);
}

TYPED_TEST(LevelStencils, LookNoFartherThanGhostCells) {
  MultilevelSetOn<2, TypeParam> levels;
  LevelDomain<TypeParam, 2> domain;
  GhostLevels<TypeParam, 2> ghosts;
  buildGhosts(this->context, domain, levels, {1}, ghosts);
  LevelStencilMapOn<StarPattern<2, 2>, TypeParam> map;
  const std::string message = messageOf(
    [&] { buildStencilMap<StarPattern<2, 2>, TypeParam>(this->context, levels, ghosts, BoundaryPolicy::Mirror, map); });
  EXPECT_EQ(message, "the stencil looks 2 cells far, but the layer of ghost cells is 1 wide");
}

} // namespace
} // namespace spanwise::testing
