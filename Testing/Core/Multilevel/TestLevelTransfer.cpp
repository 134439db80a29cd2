#include "Core/Multilevel/Adapt.hpp"
#include "Core/Multilevel/Ghosts.hpp"
#include "Core/Multilevel/LevelTransfer.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LevelFields.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cmath>

namespace spanwise::testing {
namespace {

template <class Space>
class LevelTransfers : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  /// From one random hierarchy to another on the same root: what both have stays, the integral stays, and cells with
  /// children hold their mean.
  template <int Dim>
  void checkRegrid() {
    std::mt19937 random(seed());
    RegridOn<Dim, Space> way; // used again
    for (int round = 0; round < 40; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const CellList<Dim> root = randomCells<Dim>(random, 2, 0.8);
      const auto from =
        randomLevels<Space, Dim>(random, space, Grading::Face, 1 + round % 3, context.workspace(), &root);
      const auto to =
        randomLevels<Space, Dim>(random, space, Grading::Vertex, 1 + round / 2 % 3, context.workspace(), &root);
      const auto field = randomField<Space, Dim>(random, space, from, context.workspace());
      const Prolongation method = std::array{Prolongation::Injection, Prolongation::Linear, Prolongation::Minmod,
        Prolongation::ThirdOrder}[static_cast<std::size_t>(round % 4)];
      buildRegrid<Space, Dim>(context, from, to, method, way);
      MultilevelFieldOn<double, Space> out;
      regrid<Space, Dim, double>(space, way, field, out);
      space.fence();
      EXPECT_NEAR((integral<Space, Dim>(context, from, field)), (integral<Space, Dim>(context, to, out)), 1e-11);
      for (int l = 0; l < to.numLevels(); ++l) {
        const ValueMap<Dim> now = mapOf<double, Dim>(to.level(l), out.level(l));
        if (l < from.numLevels()) {
          for (const auto& [cell, value] : mapOf<double, Dim>(from.level(l), field.level(l))) {
            if (now.count(cell) > 0) {
              EXPECT_EQ(now.at(cell), value);
            }
          }
        }
        if (l > 0) {
          ValueMap<Dim> sums;
          for (const auto& [cell, value] : now) {
            sums[parentOf(cell)] += value / (1 << Dim);
          }
          const ValueMap<Dim> below = mapOf<double, Dim>(to.level(l - 1), out.level(l - 1));
          for (const auto& [cell, value] : sums) {
            EXPECT_NEAR(value, below.at(cell), 1e-12);
          }
        }
      }
    }
  }

  /// A linear function has the same values on ghost cells, whatever level they come from.
  template <int Dim>
  void checkGhostsOfLinearFunction() {
    std::mt19937 random(seed());
    GhostLevelsOn<Dim, Space> ghosts;
    for (int round = 0; round < 20; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      // a full box: each cell has a neighbour along each axis, so that slopes are those of the function
      CellList<Dim> root = allCells<Dim>(-2, 2);
      const Grading grading = round % 2 == 0 ? Grading::Vertex : Grading::Nested;
      const auto levels = randomLevels<Space, Dim>(random, space, grading, 3, context.workspace(), &root);
      const Coordinate width = 1 + round % 3;
      buildGhosts<Space, Dim>(context, levels, width, OuterGhosts::None, Prolongation::Linear, ghosts);
      MultilevelFieldOn<double, Space> field;
      const auto value = [](int l, const Cell<Dim>& cell) {
        double sum = 1.0;
        for (int d = 0; d < Dim; ++d) {
          sum += (d + 1) * (cell.at[d] + 0.5) / (1 << l);
        }
        return sum;
      };
      for (int l = 0; l < levels.numLevels(); ++l) {
        field.level(l) =
          fieldOf<Space, double, Dim>(levels.level(l), [&](const Cell<Dim>& cell) { return value(l, cell); });
      }
      MultilevelFieldOn<double, Space> out;
      fillGhosts<Space, Dim, double>(space, ghosts, field, 0.0, out);
      space.fence();
      for (int l = 0; l < levels.numLevels(); ++l) {
        const auto index = static_cast<std::size_t>(l);
        // all cells of the domain within `width`
        Cell<Dim> radius{};
        std::fill(radius.at, radius.at + Dim, width);
        CellList<Dim> expected;
        for (const Cell<Dim>& cell : dilatedByBox(toCells(levels.level(l)), radius)) {
          Cell<Dim> ancestor = cell;
          for (int up = 0; up < l; ++up) {
            ancestor = parentOf(ancestor);
          }
          if (root.count(ancestor) > 0) {
            expected.insert(cell);
          }
        }
        expectCells<Space, Dim>(ghosts.extended[index], expected);
        for (const auto& [cell, found] : mapOf<double, Dim>(ghosts.extended[index], out.level(l))) {
          EXPECT_NEAR(found, value(l, cell), 1e-12);
        }
      }
    }
  }
};
TYPED_TEST_SUITE(LevelTransfers, AllSpaces, SpaceNames);

TYPED_TEST(LevelTransfers, RegridKeepsValuesAndIntegralIn2D) { this->template checkRegrid<2>(); }
TYPED_TEST(LevelTransfers, RegridKeepsValuesAndIntegralIn3D) { this->template checkRegrid<3>(); }
TYPED_TEST(LevelTransfers, GhostsOfALinearFunctionAreItsValuesIn2D) { this->template checkGhostsOfLinearFunction<2>(); }
TYPED_TEST(LevelTransfers, GhostsOfALinearFunctionAreItsValuesIn3D) { this->template checkGhostsOfLinearFunction<3>(); }

TYPED_TEST(LevelTransfers, OtherRootsAreRefused) {
  std::mt19937 random(seed());
  const CellList<2> one{{{0, 0}}};
  const CellList<2> other{{{1, 0}}};
  const auto from =
    randomLevels<TypeParam, 2>(random, this->space, Grading::Vertex, 1, this->context.workspace(), &one);
  const auto to =
    randomLevels<TypeParam, 2>(random, this->space, Grading::Vertex, 1, this->context.workspace(), &other);
  RegridOn<2, TypeParam> way;
  EXPECT_THROW((buildRegrid<TypeParam, 2>(this->context, from, to, Prolongation::Linear, way)), InvalidArgument);
}

TYPED_TEST(LevelTransfers, OuterGhostsOfABoxAreWhatTheirNamesSay) {
  // Cells 0 ... 7 along each axis have value x + 10 y.
  CellList<2> root;
  for (Coordinate y = 0; y < 8; ++y) {
    for (Coordinate x = 0; x < 8; ++x) {
      root.insert({{x, y}});
    }
  }
  MultilevelSetOn<2, TypeParam> levels;
  levels.level(0) = toSet<TypeParam, 2>(root);
  MultilevelFieldOn<double, TypeParam> field;
  const auto value = [](const Cell<2>& cell) { return cell.at[0] + 10.0 * cell.at[1]; };
  field.level(0) = fieldOf<TypeParam, double, 2>(levels.level(0), value);
  for (const OuterGhosts outer : {OuterGhosts::Value, OuterGhosts::Nearest, OuterGhosts::Mirror}) {
    GhostLevelsOn<2, TypeParam> ghosts;
    buildGhosts<TypeParam, 2>(this->context, levels, 3, outer, Prolongation::Linear, ghosts);
    MultilevelFieldOn<double, TypeParam> out;
    fillGhosts<TypeParam, 2, double>(this->space, ghosts, field, -7.0, out);
    this->space.fence();
    const ValueMap<2> values = mapOf<double, 2>(ghosts.extended[0], out.level(0));
    EXPECT_EQ(values.size(), 14U * 14U);
    for (const auto& [cell, found] : values) {
      Cell<2> source = cell;
      for (Coordinate& c : source.at) {
        const Coordinate image = c < 0 ? -1 - c : c > 7 ? 15 - c : c;
        c = outer == OuterGhosts::Mirror ? image : std::clamp(c, 0, 7);
      }
      EXPECT_EQ(found, outer == OuterGhosts::Value && root.count(cell) == 0 ? -7.0 : value(source));
    }
  }
}

TYPED_TEST(LevelTransfers, LayersOfNoWidthAreRefused) {
  MultilevelSetOn<2, TypeParam> levels;
  GhostLevelsOn<2, TypeParam> ghosts;
  EXPECT_THROW((buildGhosts<TypeParam, 2>(this->context, levels, 0, OuterGhosts::None, Prolongation::Linear, ghosts)),
    InvalidArgument);
}

/// The whole cycle on a front that moves: the hierarchy follows it, and the integral stays.
TYPED_TEST(LevelTransfers, AdaptFollowsAFront) {
  constexpr Coordinate extent = 16;
  MultilevelSetOn<2, TypeParam> levels({{0.0, 0.0}, {1.0, 1.0}});
  CellList<2> root;
  for (Coordinate y = 0; y < extent; ++y) {
    for (Coordinate x = 0; x < extent; ++x) {
      root.insert({{x, y}});
    }
  }
  levels.level(0) = toSet<TypeParam, 2>(root);
  std::vector<MultilevelFieldOn<double, TypeParam>> fields(1);
  const auto front = [](int l, const Cell<2>& cell, double at) {
    return std::tanh(((cell.at[0] + 0.5) / (1 << l) - at) * 8.0);
  };
  AdaptScratchOn<2, double, TypeParam> scratch;
  const AdaptOptions options{4, 1, Grading::Vertex, Prolongation::Linear};
  for (int step = 0; step < 24; ++step) {
    const double at = 3.3 + step / 3; // three cycles for each move: a cycle adds a level
    for (int l = 0; l < levels.numLevels(); ++l) {
      fields[0].level(l) =
        fieldOf<TypeParam, double, 2>(levels.level(l), [&](const Cell<2>& cell) { return front(l, cell, at); });
    }
    LevelTransferOn<2, TypeParam> transfer;
    buildLevelTransfer<TypeParam, 2>(this->context, levels, Prolongation::Injection, transfer);
    restrictLevels<TypeParam, 2, double>(this->space, transfer, fields[0]);
    this->space.fence();
    const double before = integral<TypeParam, 2>(this->context, levels, fields[0]);
    adapt<TypeParam, 2, double>(
      this->context, Tagging{TagCriterion::Gradient, 0.1}, 0, options, levels, fields, scratch);
    this->space.fence();
    EXPECT_EQ((validate<TypeParam, 2>(this->context, levels, Grading::Vertex)), "");
    EXPECT_NEAR((integral<TypeParam, 2>(this->context, levels, fields[0])), before, 1e-11);
    if (step % 3 < 2) {
      continue;
    }
    EXPECT_EQ(levels.numLevels(), 4);
    // the finest level is where the front is, and not where it was
    const CellList<2> finest = toCells(levels.level(levels.finest()));
    for (const Cell<2>& cell : finest) {
      EXPECT_LT(std::fabs((cell.at[0] + 0.5) / (1 << levels.finest()) - at), 3.0);
    }
    for (Coordinate y = 0; y < (extent << levels.finest()); ++y) {
      EXPECT_EQ(finest.count({{static_cast<Coordinate>(std::floor(at * (1 << levels.finest()))), y}}), 1U);
    }
  }
}

#ifdef KOKKOS_ENABLE_OPENMP
/// A cycle of adaptation gives the same cells and the same bits, however many parts its sets are cut into.
TEST(LevelTransfers, AdaptationHasTheSameBitsForAnyNumberOfThreads) {
  shareLittleWork();
  using Space = Kokkos::OpenMP;
  std::vector<std::vector<ValueLists<double>>> results;
  for (const int threads : {1, 2, 3}) {
    const Space space(threads);
    const Context context(space);
    HostMultilevelSet<3> levels;
    makeBox<Space, 3>(context, {{0, 0, 0}, {32, 32, 32}}, levels.level(0));
    std::vector<MultilevelField<double, Kokkos::HostSpace>> fields(1);
    AdaptScratchOn<3, double, Space> scratch;
    for (int cycle = 0; cycle < 3; ++cycle) {
      for (int l = 0; l < levels.numLevels(); ++l) {
        fields[0].level(l) = fieldOf<Space, double, 3>(levels.level(l), [&](const Cell<3>& cell) {
          double sum = 0.0;
          for (const Coordinate c : cell.at) {
            sum += std::pow((c + 0.5) / (1 << l) - 15.7, 2);
          }
          return std::tanh(2.0 * (std::sqrt(sum) - 13.0));
        });
      }
      adapt<Space, 3, double>(
        context, Tagging{TagCriterion::Loehner, 0.5}, 0, AdaptOptions{3}, levels, fields, scratch);
    }
    EXPECT_EQ(levels.numLevels(), 3);
    EXPECT_GT(levels.level(2).numIntervals(), 3 * 4096); // as many parts as threads
    std::vector<ValueLists<double>> values;
    for (int l = 0; l < levels.numLevels(); ++l) {
      values.push_back(valuesOf<double>(fields[0].level(l)));
    }
    results.push_back(values);
    EXPECT_EQ(results.front(), results.back()) << threads << " threads";
  }
}
#endif

/// A field that does not fit is found before any other has gone to the new hierarchy.
TYPED_TEST(LevelTransfers, AdaptChangesAllOrNothing) {
  MultilevelSetOn<2, TypeParam> levels;
  makeBox<TypeParam, 2>(this->context, {{0, 0}, {4, 4}}, levels.level(0));
  std::vector<MultilevelFieldOn<double, TypeParam>> fields(2);
  fields[0].level(0) =
    fieldOf<TypeParam, double, 2>(levels.level(0), [](const Cell<2>& cell) { return cell.at[0] > 1 ? 1.0 : 0.0; });
  fields[1].level(0).resize(3);
  AdaptScratchOn<2, double, TypeParam> scratch;
  EXPECT_THROW((adapt<TypeParam, 2, double>(this->context, Tagging{}, 0, AdaptOptions{2}, levels, fields, scratch)),
    InvalidArgument);
  EXPECT_EQ(levels.numLevels(), 1);
  EXPECT_EQ(fields[0].level(1).numCells(), 0);
  EXPECT_EQ(fields[0].level(0).numCells(), 16);
}

} // namespace
} // namespace spanwise::testing
