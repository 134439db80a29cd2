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
    LevelDomain<Space, Dim> domain;
    Regrid<Space, Dim> way; // used again
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
      buildRegrid<Space, Dim>(context, domain, from, to, method, way);
      MultilevelFieldOn<double, Space> around; // there is nothing around
      MultilevelFieldOn<double, Space> out;
      regrid<Space, Dim, double>(context, way, field, around, out);
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
    LevelDomain<Space, Dim> domain;
    GhostLevels<Space, Dim> ghosts;
    for (int round = 0; round < 20; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      // a full box: each cell has a neighbour along each axis, so that slopes are those of the function
      CellList<Dim> root = allCells<Dim>(-2, 2);
      const Grading grading = round % 2 == 0 ? Grading::Vertex : Grading::Nested;
      const auto levels = randomLevels<Space, Dim>(random, space, grading, 3, context.workspace(), &root);
      const Coordinate width = 1 + round % 3;
      buildGhosts(context, domain, levels, {width, false, Prolongation::Linear}, ghosts);
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
      toExtended(context, ghosts, field, out);
      fillGhosts(context, ghosts, NearestState(), out);
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
  LevelDomain<TypeParam, 2> domain;
  Regrid<TypeParam, 2> way;
  EXPECT_THROW(
    (buildRegrid<TypeParam, 2>(this->context, domain, from, to, Prolongation::Linear, way)), InvalidArgument);
}

/// Ghost cells of the root alone.
template <class Space, class Boundary>
MultilevelFieldOn<double, Space> filledRoot(const Context<Space>& context, const CellList<2>& root, Coordinate width,
  const ValueLists<double>& values, const Boundary& boundary, GhostLevels<Space, 2>& ghosts) {
  MultilevelSetOn<2, Space> levels;
  levels.level(0) = toSet<Space, 2>(root);
  MultilevelFieldOn<double, Space> field("f", static_cast<int>(values.size()));
  field.level(0) = fieldOn<Space, double>("f", values);
  LevelDomain<Space, 2> domain;
  buildGhosts(context, domain, levels, {width, true, Prolongation::Linear}, ghosts);
  MultilevelFieldOn<double, Space> out;
  toExtended(context, ghosts, field, out);
  fillGhosts(context, ghosts, boundary, out);
  context.space().fence();
  return out;
}

CellList<2> squareOf8() {
  CellList<2> root;
  for (Coordinate y = 0; y < 8; ++y) {
    for (Coordinate x = 0; x < 8; ++x) {
      root.insert({{x, y}});
    }
  }
  return root;
}

TYPED_TEST(LevelTransfers, StatesOutsideOfABoxAreWhatTheirNamesSay) {
  const CellList<2> root = squareOf8();
  const auto value = [](const Cell<2>& cell, int c) { return cell.at[0] + 10.0 * cell.at[1] + 1000.0 * c + 1.0; };
  ValueLists<double> values(3);
  for (const Cell<2>& cell : root) {
    for (int c = 0; c < 3; ++c) {
      values[static_cast<std::size_t>(c)].push_back(value(cell, c));
    }
  }
  const auto check = [&](const auto& boundary, const auto& expected) {
    GhostLevels<TypeParam, 2> ghosts;
    const auto out = filledRoot<TypeParam>(this->context, root, 3, values, boundary, ghosts);
    for (int c = 0; c < 3; ++c) {
      const ValueMap<2> found = mapOf<double, 2>(ghosts.extended[0], out.level(0), static_cast<std::size_t>(c));
      EXPECT_EQ(found.size(), 14U * 14U);
      for (const auto& [cell, is] : found) {
        Cell<2> nearest = cell;
        Cell<2> image = cell;
        for (int d = 0; d < 2; ++d) {
          nearest.at[d] = std::clamp(cell.at[d], 0, 7);
          image.at[d] = cell.at[d] < 0 ? -1 - cell.at[d] : cell.at[d] > 7 ? 15 - cell.at[d] : cell.at[d];
        }
        EXPECT_EQ(is, expected(cell, nearest, image, c));
      }
    }
  };
  using Place = const Cell<2>&;
  check(ValueState<double>{-7.0},
    [&](Place cell, Place nearest, Place /*image*/, int c) { return nearest == cell ? value(cell, c) : -7.0; });
  check(NearestState(), [&](Place, Place nearest, Place, int c) { return value(nearest, c); });
  check(MirrorState(), [&](Place, Place, Place image, int c) { return value(image, c); });
  // at corners both components of the vector are turned round
  check(SlipWall{1}, [&](Place cell, Place nearest, Place image, int c) {
    return (c > 0 && nearest.at[c - 1] != cell.at[c - 1] ? -1.0 : 1.0) * value(image, c);
  });
}

/// Writes which faces a functor is called for, and in which order.
struct TellFaces {
  KOKKOS_FUNCTION void operator()(const GhostState<double>& state, const BoundaryFace& face) const {
    state(0) = 10.0 * state(0) + face.side() + (face.obstacle ? 5.0 : 1.0);
  }
};

TYPED_TEST(LevelTransfers, SidesAndObstaclesAreToldApart) {
  CellList<2> root = squareOf8();
  root.erase({{3, 3}});
  root.erase({{0, 7}});
  GhostLevels<TypeParam, 2> ghosts;
  const auto out =
    filledRoot<TypeParam>(this->context, root, 1, {std::vector<double>(root.size(), 0.0)}, TellFaces(), ghosts);
  const ValueMap<2> found = mapOf<double, 2>(ghosts.extended[0], out.level(0));
  for (const Cell<2>& cell : root) {
    EXPECT_EQ(found.at(cell), 0.0);
  }
  EXPECT_EQ(found.at({{-1, 4}}), 1.0);
  EXPECT_EQ(found.at({{8, 4}}), 2.0);
  EXPECT_EQ(found.at({{4, -1}}), 3.0);
  EXPECT_EQ(found.at({{4, 8}}), 4.0);
  EXPECT_EQ(found.at({{-1, -1}}), 13.0);
  EXPECT_EQ(found.at({{8, 8}}), 24.0);
  EXPECT_EQ(found.at({{3, 3}}), 8.0);   // above (3, 2), the first of four
  EXPECT_EQ(found.at({{0, 7}}), 8.0);   // above (0, 6)
  EXPECT_EQ(found.at({{-1, 7}}), 18.0); // beside the box, from (0, 6)
}

/// A linear function of time is met between two steps, whatever the method makes of it in space.
TYPED_TEST(LevelTransfers, CoarseGhostsAreInterpolatedInTime) {
  std::mt19937 random(seed());
  const CellList<2> root = allCells<2>(-2, 2);
  const auto levels =
    randomLevels<TypeParam, 2>(random, this->space, Grading::Vertex, 2, this->context.workspace(), &root);
  LevelDomain<TypeParam, 2> domain;
  GhostLevels<TypeParam, 2> ghosts;
  buildGhosts(this->context, domain, levels, {2, true, Prolongation::Minmod}, ghosts);
  const auto at = [&](double time) {
    MultilevelFieldOn<double, TypeParam> field;
    for (int l = 0; l < levels.numLevels(); ++l) {
      field.level(l) = fieldOf<TypeParam, double, 2>(levels.level(l),
        [&](const Cell<2>& cell) { return std::ldexp(cell.at[0] + 0.5, -l) * (1.0 + time) - 2.0 * time; });
    }
    MultilevelFieldOn<double, TypeParam> out;
    toExtended(this->context, ghosts, field, out);
    fillGhosts(this->context, ghosts, MirrorState(), out);
    return out;
  };
  const auto before = at(1.0);
  const auto after = at(2.0);
  const auto expected = at(1.25);
  auto field = at(1.25);
  for (int l = 1; l < levels.numLevels(); ++l) {
    FieldOn<double, TypeParam> coarse;
    interpolateInTime(this->context, before.level(l - 1), after.level(l - 1), 0.25, coarse);
    fillGhostsOfLevel(this->context, ghosts, l, MirrorState(), &coarse, field.level(l));
    this->space.fence();
    const ValueLists<double> is = valuesOf<double>(field.level(l));
    const ValueLists<double> was = valuesOf<double>(expected.level(l));
    for (std::size_t k = 0; k < is[0].size(); ++k) {
      EXPECT_NEAR(is[0][k], was[0][k], 1e-13);
    }
  }
  const FieldOn<double, TypeParam> other("f", before.level(0).numCells() + 1);
  FieldOn<double, TypeParam> out;
  EXPECT_THROW(interpolateInTime(this->context, before.level(0), other, 0.5, out), InvalidArgument);
}

TYPED_TEST(LevelTransfers, LayersOfNoWidthAreRefused) {
  const MultilevelSetOn<2, TypeParam> levels;
  LevelDomain<TypeParam, 2> domain;
  GhostLevels<TypeParam, 2> ghosts;
  EXPECT_THROW(buildGhosts(this->context, domain, levels, {0}, ghosts), InvalidArgument);
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
  LevelDomain<TypeParam, 2> domain;
  Adaptation<TypeParam, 2, double> adaptation;
  const AdaptOptions options{4, 1, Grading::Vertex, Prolongation::Linear};
  for (int step = 0; step < 24; ++step) {
    const double at = 3.3 + step / 3; // three cycles for each move: a cycle adds a level
    for (int l = 0; l < levels.numLevels(); ++l) {
      fields[0].level(l) =
        fieldOf<TypeParam, double, 2>(levels.level(l), [&](const Cell<2>& cell) { return front(l, cell, at); });
    }
    LevelTransferOn<2, TypeParam> transfer;
    buildLevelTransfer<TypeParam, 2>(this->context, levels, Prolongation::Injection, transfer);
    restrictLevels<TypeParam, 2, double>(this->context, transfer, fields[0]);
    this->space.fence();
    const double before = integral<TypeParam, 2>(this->context, levels, fields[0]);
    adaptation.adapt(this->context, domain, Tagging{TagCriterion::Gradient, 0.1}, options, levels, fields);
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
    LevelDomain<Space, 3> domain;
    Adaptation<Space, 3, double> adaptation;
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
      adaptation.adapt(context, domain, Tagging{TagCriterion::Loehner, 0.5}, AdaptOptions{3}, levels, fields);
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
  LevelDomain<TypeParam, 2> domain;
  Adaptation<TypeParam, 2, double> adaptation;
  EXPECT_THROW(adaptation.adapt(this->context, domain, Tagging{}, AdaptOptions{2}, levels, fields), InvalidArgument);
  EXPECT_EQ(levels.numLevels(), 1);
  EXPECT_EQ(fields[0].level(1).numCells(), 0);
  EXPECT_EQ(fields[0].level(0).numCells(), 16);
}

} // namespace
} // namespace spanwise::testing
