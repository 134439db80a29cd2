#include "Core/Field/Reductions.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

template <class Space>
class Reductions : public ::testing::Test {};
TYPED_TEST_SUITE(Reductions, AllSpaces, SpaceNames);

// Whole numbers: the sums are exact in any order.
template <class Space, class T>
void expectReductions(const ValueLists<T>& x, const ValueLists<T>& y,
  const Within<typename Space::memory_space>& within, const std::vector<bool>& inside) {
  const Space space;
  const auto fieldX = fieldOn<Space>("x", x);
  const auto fieldY = fieldOn<Space>("y", y);
  double products = 0.0;
  double magnitudes = 0.0;
  double squares = 0.0;
  double largest = 0.0;
  double nonZeros = 0.0;
  for (std::size_t c = 0; c < x.size(); ++c) {
    double values = 0.0;
    Extrema<T> expected;
    for (std::size_t k = 0; k < x[c].size(); ++k) {
      if (!inside[k]) {
        continue;
      }
      const auto a = static_cast<double>(x[c][k]);
      values += a;
      products += a * static_cast<double>(y[c][k]);
      magnitudes += std::abs(a);
      squares += a * a;
      nonZeros += a != 0.0 ? 1.0 : 0.0;
      largest = std::max(largest, std::abs(a));
      if (expected.cellOfMin < 0 || x[c][k] < expected.min) {
        expected.min = x[c][k];
        expected.cellOfMin = static_cast<std::int64_t>(k);
      }
      if (expected.cellOfMax < 0 || x[c][k] > expected.max) {
        expected.max = x[c][k];
        expected.cellOfMax = static_cast<std::int64_t>(k);
      }
    }
    EXPECT_EQ(static_cast<double>(sum(Context(space), fieldX, static_cast<int>(c), within)), values);
    const Extrema<T> found = extrema(Context(space), fieldX, static_cast<int>(c), within);
    EXPECT_EQ(found.cellOfMin, expected.cellOfMin);
    EXPECT_EQ(found.cellOfMax, expected.cellOfMax);
    if (found.cellOfMin >= 0) {
      EXPECT_EQ(found.min, expected.min);
      EXPECT_EQ(found.max, expected.max);
    }
  }
  EXPECT_EQ(static_cast<double>(dot(Context(space), fieldX, fieldY, within)), products);
  EXPECT_EQ(norm(Context(space), Norm::L0, fieldX, within), nonZeros);
  EXPECT_EQ(norm(Context(space), Norm::L1, fieldX, within), magnitudes);
  EXPECT_DOUBLE_EQ(norm(Context(space), Norm::L2, fieldX, within), std::sqrt(squares));
  EXPECT_EQ(norm(Context(space), Norm::Linf, fieldX, within), largest);
}

template <class Space, class T>
void expectRandomReductions(std::mt19937& random) {
  for (const std::size_t numCells : {0U, 1U, 7U, 4097U, 100000U}) {
    expectReductions<Space, T>(randomValues<T>(random, numCells, 2), randomValues<T>(random, numCells, 2), {},
      std::vector<bool>(numCells, true));
  }
}

TYPED_TEST(Reductions, AreThoseOfAllValues) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectRandomReductions<TypeParam, float>(random);
  expectRandomReductions<TypeParam, double>(random);
  expectRandomReductions<TypeParam, std::int32_t>(random);
  expectRandomReductions<TypeParam, std::int64_t>(random);
  expectRandomReductions<TypeParam, std::uint8_t>(random);
}

TYPED_TEST(Reductions, WithinARegionAreThoseOfItsCells) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<TypeParam> context;
  const CellList<2> cells = randomCells<2>(random, 80, 0.7);
  const auto set = toSet<TypeParam, 2>(cells);
  for (const double density : {0.0, 0.02, 0.5, 1.0}) {
    const CellList<2> part = randomCells<2>(random, 60, density);
    std::vector<bool> inside;
    for (const Cell<2>& cell : cells) {
      inside.push_back(part.contains(cell));
    }
    RegionOn<2, TypeParam> region(toSet<TypeParam, 2>(part));
    expectReductions<TypeParam, double>(randomValues<double>(random, cells.size(), 3),
      randomValues<double>(random, cells.size(), 3), region.in(context, set), inside);
  }
}

TYPED_TEST(Reductions, OfIntegersAreExactBeyondDoubles) {
  const TypeParam space;
  const std::int64_t large = (std::int64_t{1} << 53) + 1; // no double
  const auto x = fieldOn<TypeParam, std::int64_t>("x", {{large, 0, -large + 3}});
  EXPECT_EQ(sum(Context(space), x), 3);
  const auto y = fieldOn<TypeParam, std::int64_t>("y", {{1, 5, 1}});
  EXPECT_EQ(dot(Context(space), x, y), 3);
  EXPECT_EQ(extrema(Context(space), x).max, large);
  const auto least = fieldOn<TypeParam, std::int32_t>("least", {{std::numeric_limits<std::int32_t>::min()}});
  EXPECT_EQ(norm(Context(space), Norm::Linf, least), 2147483648.0);
  EXPECT_EQ(norm(Context(space), Norm::L1, least), 2147483648.0);
}

TYPED_TEST(Reductions, SumsOfFloatsAreMadeInDouble) {
  const TypeParam space;
  const std::vector<float> tenths(1000000, 0.1F);
  const auto x = fieldOn<TypeParam, float>("x", {tenths});
  EXPECT_NEAR(sum(Context(space), x), 1000000.0 * static_cast<double>(0.1F), 1e-6);
}

TYPED_TEST(Reductions, SeeNan) {
  const TypeParam space;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto x = fieldOn<TypeParam, double>("x", {{nan, 3.0, nan, -2.0, infinity, 3.0, -2.0}});
  EXPECT_TRUE(std::isnan(norm(Context(space), Norm::L0, x)));
  EXPECT_TRUE(std::isnan(norm(Context(space), Norm::L1, x)));
  EXPECT_TRUE(std::isnan(norm(Context(space), Norm::L2, x)));
  EXPECT_TRUE(std::isnan(norm(Context(space), Norm::Linf, x)));
  const Extrema<double> found = extrema(Context(space), x);
  EXPECT_EQ(found.min, -2.0);
  EXPECT_EQ(found.cellOfMin, 3);
  EXPECT_EQ(found.max, infinity);
  EXPECT_EQ(found.cellOfMax, 4);
  const auto only = fieldOn<TypeParam, double>("only", {{nan, nan}});
  EXPECT_EQ(extrema(Context(space), only).cellOfMin, -1);
  EXPECT_EQ(norm(Context(space), Norm::Linf, fieldOn<TypeParam, double>("end", {{1.0, infinity}})), infinity);
}

TYPED_TEST(Reductions, RefuseWhatDoesNotFit) {
  const TypeParam space;
  const FieldOn<double, TypeParam> x("x", 5, 2);
  const FieldOn<double, TypeParam> y("y", 5);
  EXPECT_TRUE(contains(messageOf([&] { dot(Context(space), x, y); }), "'y' has 1 component, field 'x' 2"));
  EXPECT_TRUE(contains(messageOf([&] { sum(Context(space), x, 2); }), "no component 2: they are 0 ... 1"));
  EXPECT_TRUE(contains(messageOf([&] { extrema(Context(space), x, -1); }), "no component -1"));
}

#ifdef KOKKOS_ENABLE_OPENMP
TEST(Reductions, HaveTheSameBitsForAnyNumberOfThreads) {
  shareLittleWork();
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::normal_distribution<double> normal;
  constexpr std::int64_t numCells = 300001;
  HostField<double> x("x", numCells, 2);
  HostField<double> y("y", numCells, 2);
  for (std::int64_t k = 0; k < numCells; ++k) {
    for (int c = 0; c < 2; ++c) {
      x.view()(k, c) = normal(random);
      y.view()(k, c) = normal(random) * std::exp(10.0 * normal(random));
    }
  }
  HostIntervalSet<2> strip = fromArrays<2>({{0}}, {0, 1}, {{0, numCells}});
  Region<2, Kokkos::HostSpace> region(fromArrays<2>({{0}}, {0, 3}, {{5, 1000}, {1002, 1003}, {70000, 290000}}));
  std::vector<std::vector<std::uint64_t>> results;
  for (const int threads : {1, 2, 3, 5}) {
    const Context context{Kokkos::OpenMP(threads)};
    const Within<Kokkos::HostSpace> within = region.in(context, strip);
    std::vector<std::uint64_t> bits;
    for (const double value : {dot(context, x, y), dot(context, x, y, within), sum(context, y, 1),
           norm(context, Norm::L2, y), norm(context, Norm::L1, y, within)}) {
      bits.push_back(std::bit_cast<std::uint64_t>(value));
    }
    results.push_back(bits);
    EXPECT_EQ(results.front(), results.back()) << threads << " threads";
  }
}
#endif

} // namespace
} // namespace spanwise::testing
