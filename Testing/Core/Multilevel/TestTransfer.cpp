#include "Core/Field/Arithmetic.hpp"
#include "Core/Multilevel/Transfer.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LevelFields.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cmath>
#include <optional>

namespace spanwise::testing {
namespace {

using enum Prolongation;

constexpr std::array allMethods{Injection, Linear, Minmod, MonotonizedCentral, ThirdOrder};

/// What a child has, by the formulas, from values by coordinates.
template <int Dim>
double childValue(Prolongation method, const ValueMap<Dim>& coarse, const Cell<Dim>& child) {
  const Cell<Dim> parent = parentOf(child);
  const auto at = [&](const Cell<Dim>& cell) -> std::optional<double> {
    const auto found = coarse.find(cell);
    return found == coarse.end() ? std::nullopt : std::optional<double>(found->second);
  };
  const double centre = coarse.at(parent);
  double value = centre;
  for (int d = 0; d < Dim && method != Injection; ++d) {
    const auto low = at(moved(parent, d, -1));
    const auto high = at(moved(parent, d, 1));
    double difference = 0.0; // over one cell
    if (low && high) {
      const double below = centre - *low;
      const double above = *high - centre;
      difference = (above + below) / 2.0;
      if (method == Minmod) {
        difference = below * above <= 0.0 ? 0.0 : std::copysign(std::min(std::fabs(below), std::fabs(above)), above);
      } else if (method == MonotonizedCentral) {
        difference = below * above <= 0.0
          ? 0.0
          : std::copysign(std::min({2.0 * std::fabs(below), std::fabs(difference), 2.0 * std::fabs(above)}), above);
      }
    } else if (method == Linear || method == ThirdOrder) {
      difference = high ? *high - centre : low ? centre - *low : 0.0;
    }
    value += (parent.at[d] * 2 == child.at[d] ? -0.25 : 0.25) * difference;
  }
  for (int d = 0; d < Dim && method == ThirdOrder; ++d) {
    for (int e = d + 1; e < Dim; ++e) {
      double sum = 0.0;
      bool complete = true;
      for (int corner = 0; corner < 4; ++corner) {
        const Coordinate sd = corner % 2 == 0 ? -1 : 1;
        const Coordinate se = corner < 2 ? -1 : 1;
        const auto diagonal = at(moved(moved(parent, d, sd), e, se));
        complete = complete && diagonal;
        sum += diagonal ? sd * se * *diagonal : 0.0;
      }
      const double sides =
        (parent.at[d] * 2 == child.at[d] ? -1.0 : 1.0) * (parent.at[e] * 2 == child.at[e] ? -1.0 : 1.0);
      value += complete ? sides * sum / 64.0 : 0.0;
    }
  }
  return value;
}

template <class Space>
class Transfer : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  template <int Dim>
  void compareWithDefinition() {
    std::mt19937 random(seed());
    for (int round = 0; round < (Dim == 2 ? 60 : 12); ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      // any fine set, and a coarse one that has all its parents
      CellList<Dim> fineCells = randomCells<Dim>(random, 5, 0.5);
      if (round % 2 == 0) {
        fineCells = childrenOf(randomCells<Dim>(random, 3, 0.6));
      }
      CellList<Dim> coarseCells = randomCells<Dim>(random, 4, 0.5);
      const CellList<Dim> parents = parentsOf(fineCells);
      coarseCells.insert(parents.begin(), parents.end());
      CellList<Dim> ontoCells;
      for (const Cell<Dim>& cell : fineCells) {
        if (round % 3 == 0 || random() % 2 == 0) {
          ontoCells.insert(cell);
        }
      }
      const auto coarse = toSet<Space, Dim>(coarseCells);
      const auto fine = toSet<Space, Dim>(fineCells);
      const auto onto = toSet<Space, Dim>(ontoCells);
      for (const Prolongation method : allMethods) {
        TransferMapOn<Dim, Space> map;
        buildTransferMap<Space, Dim>(context, coarse, fine, onto, method, map);
        checkProlongation<Dim>(random, coarse, fine, ontoCells, map);
        checkRestriction<Dim, double>(random, coarse, fine, map);
        checkRestriction<Dim, std::int32_t>(random, coarse, fine, map);
      }
    }
  }

  template <int Dim>
  void checkProlongation(std::mt19937& random, const IntervalSetOn<Dim, Space>& coarse,
    const IntervalSetOn<Dim, Space>& fine, const CellList<Dim>& onto, const TransferMapOn<Dim, Space>& map) {
    const auto from =
      fieldOn<Space, double>("f", randomValues<double>(random, static_cast<std::size_t>(coarse.numCells()), 2));
    auto to = fieldOn<Space, double>("f", randomValues<double>(random, static_cast<std::size_t>(fine.numCells()), 2));
    for (std::size_t c = 0; c < 2; ++c) {
      const ValueMap<Dim> coarseValues = mapOf<double, Dim>(coarse, from, c);
      ValueMap<Dim> expected = mapOf<double, Dim>(fine, to, c);
      for (const Cell<Dim>& cell : onto) {
        expected[cell] = childValue<Dim>(map.method, coarseValues, cell);
      }
      prolong<Space, Dim, double>(context, map, from, to);
      space.fence();
      for (const auto& [cell, value] : mapOf<double, Dim>(fine, to, c)) {
        EXPECT_NEAR(value, expected.at(cell), 1e-13);
      }
    }
  }

  template <int Dim, class T>
  void checkRestriction(std::mt19937& random, const IntervalSetOn<Dim, Space>& coarse,
    const IntervalSetOn<Dim, Space>& fine, const TransferMapOn<Dim, Space>& map) {
    auto to = fieldOn<Space, T>("f", randomValues<T>(random, static_cast<std::size_t>(coarse.numCells()), 1));
    const auto from = fieldOn<Space, T>("f", randomValues<T>(random, static_cast<std::size_t>(fine.numCells()), 1));
    ValueMap<Dim> expected = mapOf<T, Dim>(coarse, to);
    const ValueMap<Dim> values = mapOf<T, Dim>(fine, from);
    for (auto& [cell, value] : expected) {
      double sum = 0.0;
      int count = 0;
      for (const Cell<Dim>& child : childrenOf<Dim>({cell})) {
        const auto found = values.find(child);
        sum += found == values.end() ? 0.0 : found->second;
        count += static_cast<int>(found != values.end());
      }
      if (count == (1 << Dim)) {
        value = std::is_floating_point_v<T> ? sum / count : std::round(sum / count);
      }
    }
    restrictTo<Space, Dim, T>(context, map, from, to);
    space.fence();
    for (const auto& [cell, value] : mapOf<T, Dim>(coarse, to)) {
      EXPECT_NEAR(value, expected.at(cell), 1e-13);
    }
  }

  /// More cells than the host works on at once, in rows with gaps: values are those of the formulas, have the same bits
  /// for one thread and for all, and do not depend on what else is prolonged onto.
  template <int Dim>
  void compareLongRows(const Cell<Dim>& extent) {
    std::mt19937 random(seed());
    SCOPED_TRACE("seed " + std::to_string(seed()));
    CellList<Dim> coarseCells;
    CellList<Dim> ontoParents;
    for (Coordinate z = 0; z < (Dim == 3 ? extent.at[Dim - 1] : 1); ++z) {
      for (Coordinate y = 0; y < extent.at[1]; ++y) {
        for (Coordinate x = 0; x < extent.at[0]; ++x) {
          Cell<Dim> cell{{x - 100, y - 3}};
          if constexpr (Dim == 3) {
            cell.at[2] = z - 2;
          }
          if (random() % 50 != 0) {
            coarseCells.insert(cell);
            if (random() % 40 != 0) {
              ontoParents.insert(cell);
            }
          }
        }
      }
    }
    const CellList<Dim> ontoCells = childrenOf<Dim>(ontoParents);
    CellList<Dim> someCells;
    for (const Cell<Dim>& cell : ontoCells) {
      if (random() % 30 != 0) {
        someCells.insert(cell);
      }
    }
    const auto coarse = toSet<Space, Dim>(coarseCells);
    const auto fine = toSet<Space, Dim>(ontoCells);
    const auto from =
      fieldOn<Space, double>("f", randomValues<double>(random, static_cast<std::size_t>(coarse.numCells()), 1));
    const ValueMap<Dim> coarseValues = mapOf<double, Dim>(coarse, from);
    const std::vector<Cell<Dim>> fineList = listOf<Dim>(fine);
    const std::vector<Cell<Dim>> coarseList = listOf<Dim>(coarse);
    const auto some = toSet<Space, Dim>(someCells);
    for (const Prolongation method : allMethods) {
      const auto prolonged = [&](const Space& where, const IntervalSetOn<Dim, Space>& onto) {
        TransferMapOn<Dim, Space> map;
        buildTransferMap<Space, Dim>(Context(where), coarse, fine, onto, method, map);
        FieldOn<double, Space> to("f", fine.numCells());
        fill<Space, double>(Context(where), to, 7.5);
        prolong<Space, Dim, double>(Context<Space>(where), map, from, to);
        FieldOn<double, Space> back("f", coarse.numCells());
        fill<Space, double>(Context(where), back, -1.0);
        restrictTo<Space, Dim, double>(Context<Space>(where), map, to, back);
        where.fence();
        return std::array{valuesOf<double>(to)[0], valuesOf<double>(back)[0]};
      };
      const auto result = prolonged(space, fine);
      const auto ontoSome = prolonged(space, some);
      EXPECT_TRUE(prolonged(Space(), fine) == result) << "on all threads";
      for (std::size_t k = 0; k < fineList.size(); ++k) {
        ASSERT_NEAR(result[0][k], childValue<Dim>(method, coarseValues, fineList[k]), 1e-13);
        // devices fuse multiplications and additions as they like
        ASSERT_NEAR(
          ontoSome[0][k], someCells.count(fineList[k]) > 0 ? result[0][k] : 7.5, runsOnHost<Space> ? 0.0 : 1e-13);
      }
      for (std::size_t k = 0; k < coarseList.size(); ++k) {
        ASSERT_NEAR(result[1][k], ontoParents.count(coarseList[k]) > 0 ? coarseValues.at(coarseList[k]) : -1.0, 1e-13);
      }
    }
  }

  /// Prolongs the cell averages of a polynomial, and compares with those of the children.
  template <int Dim>
  double greatestError(Prolongation method, const std::function<double(const Cell<Dim>&, double)>& averages) {
    IntervalSetOn<Dim, Space> coarse;
    Box<Dim> box{};
    std::fill(box.begin, box.begin + Dim, -4);
    std::fill(box.end, box.end + Dim, 3);
    makeBox<Space, Dim>(context, box, coarse);
    // the children of all cells that have all neighbours
    std::fill(box.begin, box.begin + Dim, -6);
    std::fill(box.end, box.end + Dim, 4);
    IntervalSetOn<Dim, Space> fine;
    makeBox<Space, Dim>(context, box, fine);
    TransferMapOn<Dim, Space> map;
    buildTransferMap<Space, Dim>(context, coarse, fine, fine, method, map);
    const auto from = fieldOf<Space, double, Dim>(coarse, [&](const Cell<Dim>& cell) { return averages(cell, 2.0); });
    auto to = fieldOf<Space, double, Dim>(fine, [](const Cell<Dim>&) { return 0.0; });
    prolong<Space, Dim, double>(context, map, from, to);
    space.fence();
    double error = 0.0;
    for (const auto& [cell, value] : mapOf<double, Dim>(fine, to)) {
      error = std::max(error, std::fabs(value - averages(cell, 1.0)));
    }
    return error;
  }
};
TYPED_TEST_SUITE(Transfer, AllSpaces, SpaceNames);

TYPED_TEST(Transfer, IsWhatTheFormulasSayIn2D) { this->template compareWithDefinition<2>(); }
TYPED_TEST(Transfer, IsWhatTheFormulasSayIn3D) { this->template compareWithDefinition<3>(); }

TYPED_TEST(Transfer, LongRowsAreWhatTheFormulasSayIn2D) { this->template compareLongRows<2>({{3000, 7}}); }
TYPED_TEST(Transfer, LongRowsAreWhatTheFormulasSayIn3D) { this->template compareLongRows<3>({{200, 13, 9}}); }

/// The averages of x^a over the interval [c h, (c + 1) h].
double averageOfPower(Coordinate c, double h, int a) {
  return h * (c + 0.5) *
    (a == 1      ? 1.0
        : a == 0 ? 1.0 / (h * (c + 0.5))
                 : h * (c + 0.5)) +
    (a == 2 ? h * h / 12.0 : 0.0);
}

TYPED_TEST(Transfer, ThirdOrderIsExactForQuadratics) {
  const auto quadratic2D = [](const Cell<2>& cell, double h) {
    const auto power = [&](int d, int a) { return averageOfPower(cell.at[d], h, a); };
    return 1.0 + 2.0 * power(0, 1) - power(1, 1) + 0.5 * power(0, 2) - 0.25 * power(1, 2) +
      1.5 * power(0, 1) * power(1, 1);
  };
  const auto quadratic3D = [](const Cell<3>& cell, double h) {
    const auto power = [&](int d, int a) { return averageOfPower(cell.at[d], h, a); };
    return 1.0 + power(2, 1) - power(2, 2) + 0.5 * power(0, 2) + 1.5 * power(0, 1) * power(1, 1) -
      0.5 * power(0, 1) * power(2, 1) + 0.75 * power(1, 1) * power(2, 1);
  };
  EXPECT_LT((this->template greatestError<2>(ThirdOrder, quadratic2D)), 1e-12);
  EXPECT_LT((this->template greatestError<3>(ThirdOrder, quadratic3D)), 1e-12);
  EXPECT_GT((this->template greatestError<2>(Linear, quadratic2D)), 0.1); // it lacks the mixed terms
}

TYPED_TEST(Transfer, SlopesAreExactForLinearFunctions) {
  for (const Prolongation method : {Linear, Minmod, MonotonizedCentral, ThirdOrder}) {
    EXPECT_LT((this->template greatestError<2>(method,
                [](const Cell<2>& cell, double h) { return h * (cell.at[0] + 0.5) - 3.0 * h * (cell.at[1] + 0.5); })),
      1e-12);
    EXPECT_LT((this->template greatestError<3>(method,
                [](const Cell<3>& cell, double h) {
                  return h * (cell.at[0] + 0.5) - 3.0 * h * (cell.at[1] + 0.5) + 0.5 * h * (cell.at[2] + 0.5);
                })),
      1e-12);
  }
  EXPECT_GT(
    (this->template greatestError<2>(Injection, [](const Cell<2>& cell, double h) { return h * cell.at[0]; })), 0.4);
}

TYPED_TEST(Transfer, RestrictingWhatWasProlongedChangesNothing) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (int round = 0; round < 20; ++round) {
    const auto levels = randomLevels<TypeParam, 3>(random, this->space, Grading::Vertex, 2, this->context.workspace());
    for (int l = 0; l + 1 < levels.numLevels(); ++l) {
      for (const Prolongation method : allMethods) {
        TransferMapOn<3, TypeParam> map;
        buildTransferMap<TypeParam, 3>(
          this->context, levels.level(l), levels.level(l + 1), levels.level(l + 1), method, map);
        auto coarse = fieldOn<TypeParam, double>(
          "f", randomValues<double>(random, static_cast<std::size_t>(levels.level(l).numCells()), 1));
        const auto before = valuesOf<double>(coarse);
        FieldOn<double, TypeParam> fine("f", levels.level(l + 1).numCells());
        prolong<TypeParam, 3, double>(this->context, map, coarse, fine);
        restrictTo<TypeParam, 3, double>(this->context, map, fine, coarse);
        this->space.fence();
        const auto after = valuesOf<double>(coarse);
        for (std::size_t k = 0; k < before[0].size(); ++k) {
          EXPECT_NEAR(after[0][k], before[0][k], 1e-14 * 20);
        }
      }
    }
  }
}

TYPED_TEST(Transfer, WhatDoesNotFitIsRefused) {
  const auto coarse = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}});
  const auto fine = toSet<TypeParam, 2>(childrenOf<2>({{{0, 0}}, {{1, 0}}}));
  const auto elsewhere = toSet<TypeParam, 2>({{{2, 2}}});
  TransferMapOn<2, TypeParam> map;
  EXPECT_NE(messageOf([&] {
    buildTransferMap<TypeParam, 2>(this->context, coarse, fine, elsewhere, Linear, map);
  }).find("not in the fine set"),
    std::string::npos);
  EXPECT_NE(messageOf([&] {
    buildTransferMap<TypeParam, 2>(this->context, coarse, elsewhere, elsewhere, Linear, map);
  }).find("not in the coarse set"),
    std::string::npos);
  buildTransferMap<TypeParam, 2>(this->context, coarse, fine, fine, Linear, map);
  FieldOn<double, TypeParam> two("two", 2);
  FieldOn<double, TypeParam> eight("eight", 8);
  EXPECT_THROW((prolong<TypeParam, 2, double>(this->context, map, eight, two)), InvalidArgument);
  EXPECT_THROW((restrictTo<TypeParam, 2, double>(this->context, map, two, eight)), InvalidArgument);
  FieldOn<std::int32_t, TypeParam> twoWhole("two", 2);
  FieldOn<std::int32_t, TypeParam> eightWhole("eight", 8);
  EXPECT_NE(messageOf([&] {
    prolong<TypeParam, 2, std::int32_t>(this->context, map, twoWhole, eightWhole);
  }).find("integers are prolonged by injection"),
    std::string::npos);
}

/// Products of slopes may be less than the type's least number although the slopes are not.
TYPED_TEST(Transfer, SlopesOfTinyValuesAreLimitedAsAnyOthers) {
  constexpr double unit = 1e-200;
  const auto tiny = [&](const Cell<2>& cell, double h) { return unit * (h * (cell.at[0] + 0.5) + 40.0); };
  for (const Prolongation method : {Linear, Minmod, MonotonizedCentral, ThirdOrder}) {
    EXPECT_LT((this->template greatestError<2>(method, tiny)), 1e-12 * unit) << static_cast<int>(method);
  }
}

TYPED_TEST(Transfer, MeansOfTheLargestWholeNumbers) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const auto meanOf = [&]<int Dim>(const std::vector<std::int64_t>& values, std::integral_constant<int, Dim>) {
    const CellList<Dim> one{Cell<Dim>{}};
    const auto coarse = toSet<TypeParam, Dim>(one);
    const auto fine = toSet<TypeParam, Dim>(childrenOf<Dim>(one));
    TransferMapOn<Dim, TypeParam> map;
    buildTransferMap<TypeParam, Dim>(this->context, coarse, fine, fine, Injection, map);
    auto mean = fieldOn<TypeParam, std::int64_t>("f", {{0}});
    restrictTo<TypeParam, Dim, std::int64_t>(this->context, map, fieldOn<TypeParam, std::int64_t>("f", {values}), mean);
    this->space.fence();
    return valuesOf<std::int64_t>(mean)[0][0];
  };
  const std::integral_constant<int, 2> in2D;
  const std::integral_constant<int, 3> in3D;
  EXPECT_EQ(meanOf({most, most, most, most}, in2D), most);
  EXPECT_EQ(meanOf({least, least, least, least}, in2D), least);
  EXPECT_EQ(meanOf({most, most - 1, most, most - 1}, in2D), most); // a half, away from zero
  EXPECT_EQ(meanOf({least, least + 1, least, least + 1}, in2D), least);
  EXPECT_EQ(meanOf({most, least, most, least}, in2D), -1); // - 1/2
  EXPECT_EQ(meanOf({most, most, least, 1}, in2D), std::int64_t{1} << 61);
  EXPECT_EQ(meanOf(std::vector<std::int64_t>(8, most), in3D), most);
  EXPECT_EQ(meanOf({0, 0, 0, 0, 0, 0, 0, -4}, in3D), -1);
  EXPECT_EQ(meanOf({0, 0, 0, 0, 0, 0, 0, -3}, in3D), 0);
  EXPECT_EQ(meanOf({0, 0, 0, 0, 0, 0, 0, 4}, in3D), 1);
}

} // namespace
} // namespace spanwise::testing
