#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/SelectCells.hpp"
#include "Core/Field/Threshold.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Space>
class Threshold : public ::testing::Test {};
TYPED_TEST_SUITE(Threshold, AllSpaces, SpaceNames);

template <class Space, class T, int Dim>
void expectThreshold(const CellList<Dim>& cells, const ValueLists<T>& values, const ThresholdRule& rule) {
  CellList<Dim> expected;
  std::size_t k = 0;
  for (const Cell<Dim>& cell : cells) {
    double value = 0.0;
    if (rule.component == ThresholdRule::magnitude) {
      for (const std::vector<T>& component : values) {
        value += static_cast<double>(component[k]) * static_cast<double>(component[k]);
      }
      value = std::sqrt(value);
    } else {
      value = static_cast<double>(values[static_cast<std::size_t>(rule.component)][k]);
    }
    if (!std::isnan(value) && (value >= rule.range.lower && value <= rule.range.upper) != rule.invert) {
      expected.insert(cell);
    }
    ++k;
  }
  const Context<Space> context;
  IntervalSetOn<Dim, Space> out;
  auto set = toSet<Space, Dim>(cells);
  const auto field = fieldOn<Space>("v", values);
  std::vector<LabelRun> labels;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    labels.push_back({1, static_cast<std::int64_t>(i * i % 5)});
  }
  using Layout = FieldLayoutOn<Space>;
  for (const Layout& layout : {Layout(), Layout::tuples(), Layout::groups(labels)}) {
    FieldOn<T, Space> laid("v", field.numCells(), field.numComponents(), layout);
    copyValues<Space, T>(context, field, laid);
    threshold(context, set, laid, rule, out);
    expectCells<Space, Dim>(out, expected);
  }
  threshold(context, set, field, rule, set); // in place
  expectCells<Space, Dim>(set, expected);
}

template <class Space, class T>
void expectThresholds(std::mt19937& random) {
  for (const double density : {0.0, 0.1, 0.9, 1.0}) {
    const CellList<2> cells2 = randomCells<2>(random, 40, density); // intervals of several words
    const CellList<3> cells3 = randomCells<3>(random, 5, density);
    const ValueLists<T> values2 = randomValues<T>(random, cells2.size(), 3);
    const ValueLists<T> values3 = randomValues<T>(random, cells3.size(), 3);
    for (const ThresholdRule& rule :
      {ThresholdRule{{-3.5, 4.0}, 0}, ThresholdRule{{2.0, infinity}, 2, true}, ThresholdRule{{-infinity, infinity}, 1},
        ThresholdRule{{100.0, 300.0}, 1}, ThresholdRule{{0.0, 9.0}, ThresholdRule::magnitude},
        ThresholdRule{{4.2, 4.8}, 0}, ThresholdRule::above(6.0)}) {
      expectThreshold<Space, T, 2>(cells2, values2, rule);
      expectThreshold<Space, T, 3>(cells3, values3, rule);
    }
  }
}

TYPED_TEST(Threshold, KeepsTheCellsWhoseValuePasses) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectThresholds<TypeParam, float>(random);
  expectThresholds<TypeParam, double>(random);
  expectThresholds<TypeParam, std::int32_t>(random);
  expectThresholds<TypeParam, std::int64_t>(random);
  expectThresholds<TypeParam, std::uint8_t>(random);
}

TYPED_TEST(Threshold, JoinsAndCutsAcrossWordsOf64Cells) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_int_distribution<std::size_t> place(0, 999);
  CellList<2> row;
  for (Coordinate x = -500; x < 500; ++x) {
    row.insert({{x, 3}});
  }
  for (int round = 0; round < 20; ++round) {
    ValueLists<int> values(1, std::vector<int>(row.size(), round % 2));
    for (int k = 0; k < 6; ++k) {
      values[0][place(random)] ^= 1;
      values[0][64 * (place(random) % 15)] ^= 1;
    }
    expectThreshold<TypeParam, int, 2>(row, values, {{1.0, 1.0}});
  }
}

TYPED_TEST(Threshold, AboveEpsilonIsTheSupportOfAField) {
  const CellList<2> cells{{{0, 0}}, {{1, 0}}, {{2, 0}}, {{3, 0}}, {{0, 1}}};
  expectThreshold<TypeParam, double, 2>(cells, {{-1.0, 1e-12, 0.0, nan, 2.0}}, ThresholdRule::above(1e-9));
  expectThreshold<TypeParam, double, 2>(cells, {{-1.0, 1e-12, -0.0, nan, 2.0}}, ThresholdRule::above(0.0));
}

TYPED_TEST(Threshold, NeverKeepsNan) {
  const CellList<2> cells{{{0, 0}}, {{1, 0}}, {{2, 0}}};
  const ValueLists<float> values{{NAN, 1.0F, NAN}};
  for (const bool invert : {false, true}) {
    expectThreshold<TypeParam, float, 2>(cells, values, {{-infinity, infinity}, 0, invert});
    expectThreshold<TypeParam, float, 2>(cells, values, {{5.0, 6.0}, ThresholdRule::magnitude, invert});
  }
}

TYPED_TEST(Threshold, ComparesLargeIntegersExactly) {
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  const Context<TypeParam> context;
  const auto set = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}});
  const auto field = fieldOn<TypeParam, std::int64_t>("n", {{large, large - 1}});
  IntervalSetOn<2, TypeParam> out;
  threshold(context, set, field, {{-infinity, 9007199254740992.0}}, out);
  expectCells<TypeParam, 2>(out, {{{1, 0}}});
}

TYPED_TEST(Threshold, IsTheSetAgainThroughItsOwnIndicator) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TypeParam space;
  const Context context(space);
  const CellList<3> part = randomCells<3>(random, 6, 0.4);
  const CellList<3> all = allCells<3>(-6, 6);
  ValueLists<std::uint8_t> indicator(1);
  for (const Cell<3>& cell : all) {
    indicator[0].push_back(static_cast<std::uint8_t>(part.contains(cell)));
  }
  IntervalSetOn<3, TypeParam> out;
  threshold(context, toSet<TypeParam, 3>(all), fieldOn<TypeParam>("in", indicator), {{1.0, 1.0}}, out);
  EXPECT_TRUE((equal<TypeParam, 3>(context, out, toSet<TypeParam, 3>(part))));
}

TYPED_TEST(Threshold, RefusesWhatDoesNotFit) {
  const TypeParam space;
  const Context context(space);
  const auto set = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}});
  IntervalSetOn<2, TypeParam> out;
  const FieldOn<float, TypeParam> longer("v", 3);
  const FieldOn<float, TypeParam> field("v", 2);
  EXPECT_TRUE(
    contains(messageOf([&] { threshold(context, set, longer, {{0.0, 1.0}}, out); }), "'v' has 3 cells, its set 2"));
  EXPECT_TRUE(contains(messageOf([&] { threshold(context, set, field, {{0.0, 1.0}, 1}, out); }), "no component 1"));
  EXPECT_TRUE(contains(messageOf([&] { threshold(context, set, field, {{2.0, 1.0}}, out); }), "must not exceed"));
  EXPECT_TRUE(contains(messageOf([&] { threshold(context, set, field, {{nan, 1.0}}, out); }), "neither may be NaN"));
  EXPECT_TRUE(contains(
    messageOf([&] { threshold(context, set, field, {{2e-9, 1e-9}}, out); }), "the range of values is [2e-09, 1e-09];"));
}

struct EverySecond {
  KOKKOS_FUNCTION bool operator()(std::int64_t cell) const { return cell % 2 == 0; }
};

TYPED_TEST(Threshold, SelectsByAnyFunctorOfTheCellsNumber) {
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(context, {{0, 0}, {101, 7}}, set);
  IntervalSetOn<2, TypeParam> out;
  selectCells<TypeParam, 2>(context, set, EverySecond{}, out);
  EXPECT_EQ(validate(context, out), "");
  EXPECT_EQ(out.numCells(), (101 * 7 + 1) / 2);
  EXPECT_EQ(out.numIntervals(), out.numCells());
}

} // namespace
} // namespace spanwise::testing
