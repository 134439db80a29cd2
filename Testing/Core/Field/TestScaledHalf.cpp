// 16-bit storage: all 65536 patterns, against the definition of IEEE 754 binary16.

#include "Core/Field/Convert.hpp"
#include "Core/Field/FieldLayout.hpp"
#include "Core/Field/Stencil.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ScaledHalf.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

/// The value of a pattern, by the definition.
double valueOf(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  const double sign = bits >> 15 != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

TEST(ScaledHalfs, LoadEachPatternExactlyAndStoreItAgain) {
  for (int pattern = 0; pattern < 65536; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    const double expected = valueOf(bits);
    const float portable = spanwise::detail::valueOfHalf(bits);
    const float loaded = ScaledHalf::fromBits(bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(portable) && std::isnan(loaded)) << pattern;
      ASSERT_TRUE(std::isnan(static_cast<float>(ScaledHalf(loaded)))) << pattern;
      continue;
    }
    ASSERT_EQ(portable, expected) << pattern;
    ASSERT_EQ(std::signbit(portable), std::signbit(expected)) << pattern;
    ASSERT_EQ(loaded, expected / 32768.0) << pattern;
    ASSERT_EQ(spanwise::detail::halfBits(portable), bits);
    ASSERT_EQ(ScaledHalf(loaded).bits(), bits);
  }
}

TEST(ScaledHalfs, RoundToTheNearestAndToEvenBetweenTwo) {
  for (int pattern = 0; pattern < 0x7C00; ++pattern) { // and the next one up, which may be infinity
    const auto low = static_cast<std::uint16_t>(pattern);
    const auto high = static_cast<std::uint16_t>(pattern + 1);
    const double next = high == 0x7C00 ? 65536.0 : valueOf(high);
    const auto middle = static_cast<float>(0.5 * (valueOf(low) + next)); // exact
    const std::uint16_t even = low % 2 == 0 ? low : high;
    for (const float sign : {1.0F, -1.0F}) {
      const auto signBit = static_cast<std::uint16_t>(sign < 0.0F ? 0x8000 : 0);
      const auto expect = [&](float value, std::uint16_t bits) {
        ASSERT_EQ(spanwise::detail::halfBits(sign * value), bits | signBit) << pattern;
        ASSERT_EQ(ScaledHalf(sign * value / ScaledHalf::scale).bits(), bits | signBit) << pattern;
      };
      expect(middle, even);
      expect(std::nextafter(middle, 0.0F), low);
      expect(std::nextafter(middle, 1e9F), high);
    }
  }
  EXPECT_EQ(ScaledHalf(2.0F).bits(), 0x7C00);
  EXPECT_EQ(static_cast<float>(ScaledHalf(1.9990234375F)), 1.9990234375F);
  EXPECT_EQ(ScaledHalf(std::numeric_limits<float>::denorm_min()).bits(), 0);
}

struct MeanInX {
  KOKKOS_FUNCTION float operator()(const StencilPoint<FacePattern<2>, ScaledHalf>& p) const {
    return 0.5F * (p.west() + p.east());
  }
};

template <class Space>
class ScaledHalfsOn : public ::testing::Test {};
TYPED_TEST_SUITE(ScaledHalfsOn, AllSpaces, SpaceNames);

TYPED_TEST(ScaledHalfsOn, AreValuesOfFieldsAndStencils) {
  const TypeParam space;
  const Context context(space);
  StencilMapOn<FacePattern<2>, TypeParam> map;
  buildStencilMap<FacePattern<2>, TypeParam>(
    context, toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}, {{2, 0}}}), {BoundaryPolicy::Value}, map);
  const auto x = fieldOn<TypeParam, float>("x", {{0.5F, 0.1F, -0.25F}, {1.0F, 0.001F, 0.75F}});
  for (const auto& layout : {FieldLayoutOn<TypeParam>(), FieldLayoutOn<TypeParam>::tuples()}) {
    FieldOn<ScaledHalf, TypeParam> stored("stored", 3, 2, layout);
    FieldOn<ScaledHalf, TypeParam> result("result", 3, 2, layout);
    EXPECT_EQ(fieldTypeName<ScaledHalf>(), std::string("half"));
    convertValues<TypeParam, float, ScaledHalf>(context, x, stored);
    applyStencil<TypeParam, FacePattern<2>, ScaledHalf>(space, map, stored, 0.0F, MeanInX{}, result);
    FieldOn<float, TypeParam> back("back", 3, 2);
    convertValues<TypeParam, ScaledHalf, float>(context, result, back);
    const auto half = [](float value) { return static_cast<float>(ScaledHalf(value)); };
    const float tenth = half(0.5F * half(0.1F));
    const float thousandth = half(0.5F * half(0.001F));
    EXPECT_EQ(valuesOf(back), (ValueLists<float>{{tenth, 0.125F, tenth}, {thousandth, 0.875F, thousandth}}));
  }
}

template <class Space, class From>
void expectInDouble(const ValueLists<From>& values) {
  const auto x = fieldOn<Space, From>("x", values);
  FieldOn<double, Space> y("y", x.numCells(), x.numComponents());
  convertValues<Space, From, double>(Context<Space>(), x, y);
  ValueLists<double> expected;
  for (const std::vector<From>& component : values) {
    expected.emplace_back(component.begin(), component.end());
  }
  EXPECT_EQ(valuesOf(y), expected);
}

TYPED_TEST(ScaledHalfsOn, WholeNumbersBecomeReal) {
  expectInDouble<TypeParam, std::int32_t>({{-2147483648, 0, 7}, {2147483647, -1, 1}});
  expectInDouble<TypeParam, std::int64_t>({{std::int64_t{1} << 53, -3, (std::int64_t{1} << 62) + 1}});
  expectInDouble<TypeParam, std::uint8_t>({{0, 255, 17}});
}

} // namespace
} // namespace spanwise::testing
