#include "Core/Multilevel/CoarsenValues.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/TuplesView.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

using enum CoarseValue;
constexpr CoarseValue allRules[] = {Mean, Sum, Minimum, Maximum, First, MostFrequent};

template <class Space>
class CoarsenValues : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <class T>
  std::vector<T> fetched(const Kokkos::View<T*, typename Space::memory_space>& array) {
    space.fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), array);
    return {host.data(), host.data() + host.extent(0)};
  }

  /// The values of coarse cells; cells without children keep the value 77.
  template <int Dim, class T>
  std::vector<T> coarsened(const CellList<Dim>& coarse, const CellList<Dim>& fine, CoarseValue rule,
    const std::vector<T>& values, int components = 1, const std::vector<double>& shares = {}) {
    const auto from = arrayOn<Space>(values);
    const auto sharesThere = arrayOn<Space>(shares);
    Kokkos::View<T*, typename Space::memory_space> to(
      "Testing::coarse", coarse.size() * static_cast<std::size_t>(components));
    Kokkos::deep_copy(to, T{77});
    coarsenValues<Space, Dim, T>(context, toSet<Space, Dim>(coarse), toSet<Space, Dim>(fine),
      {tuplesView<const T>(from.data(), std::ssize(fine), components), shares.empty() ? nullptr : sharesThere.data()},
      rule, tuplesView(to.data(), std::ssize(coarse), components));
    return fetched(to);
  }

  template <int Dim>
  std::vector<double> covered(
    const CellList<Dim>& coarse, const CellList<Dim>& fine, const std::vector<double>& shares = {}) {
    const auto sharesThere = arrayOn<Space>(shares);
    Kokkos::View<double*, typename Space::memory_space> to("Testing::cover", coarse.size());
    coverOf<Space, Dim>(context, toSet<Space, Dim>(coarse), toSet<Space, Dim>(fine),
      shares.empty() ? nullptr : sharesThere.data(), to.data());
    return fetched(to);
  }

  template <int Dim, class T>
  void compareWithDefinition();
};
TYPED_TEST_SUITE(CoarsenValues, AllSpaces, SpaceNames);

/// A value and its weight, of each child in the order of cells.
template <class T>
using Weighted = std::vector<std::pair<T, double>>;

template <class T>
T definedValue(CoarseValue rule, const Weighted<T>& children) {
  std::vector<T> values;
  double sum = 0.0;
  double volume = 0.0;
  for (const auto& [value, share] : children) {
    values.push_back(value);
    sum += share * static_cast<double>(value);
    volume += share;
  }
  switch (rule) {
  case Mean:
    return std::is_floating_point_v<T> ? static_cast<T>(sum / volume) : static_cast<T>(std::lround(sum / volume));
  case Sum: {
    double whole = 0.0;
    for (const T value : values) {
      whole += static_cast<double>(value);
    }
    return static_cast<T>(std::clamp(whole, static_cast<double>(std::numeric_limits<T>::lowest()),
      static_cast<double>(std::numeric_limits<T>::max())));
  }
  case Minimum:
    return *std::min_element(values.begin(), values.end());
  case Maximum:
    return *std::max_element(values.begin(), values.end());
  case First:
    return values.front();
  case MostFrequent:
    break;
  }
  std::map<T, double> volumes;
  for (const auto& [value, share] : children) {
    volumes[value] += share;
  }
  T best = values.front();
  for (const T value : values) {
    best = volumes[value] > volumes[best] ? value : best;
  }
  return best;
}

template <class Space>
template <int Dim, class T>
void CoarsenValues<Space>::compareWithDefinition() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  constexpr int components = 2;
  for (int round = 0; round < 15; ++round) {
    const double density = round % 3 == 0 ? 0.3 : round % 3 == 1 ? 0.7 : 1.0;
    const CellList<Dim> fine = randomCells<Dim>(random, 1 + round % 5, density);
    const CellList<Dim> coarse = round % 2 == 0 ? parentsOf(fine) : wholeParentsOf(fine);
    std::vector<T> values;
    std::vector<double> shares;
    std::map<Cell<Dim>, std::size_t> numbers;
    for (const Cell<Dim>& cell : fine) {
      numbers[cell] = numbers.size();
      for (int c = 0; c < components; ++c) {
        values.push_back(static_cast<T>(random() % 5)); // often equal
      }
      shares.push_back(static_cast<double>(1 + random() % 4) / 4.0); // sums of these are exact
    }
    for (const CoarseValue rule : allRules) {
      for (const bool weighted : {false, true}) {
        const auto found =
          coarsened<Dim, T>(coarse, fine, rule, values, components, weighted ? shares : std::vector<double>());
        std::size_t k = 0;
        for (const Cell<Dim>& cell : coarse) {
          CellList<Dim> children;
          for (int child = 0; child < (1 << Dim); ++child) {
            children.insert(childOf(cell, child));
          }
          for (std::size_t c = 0; c < components; ++c, ++k) {
            Weighted<T> weightedValues;
            for (const Cell<Dim>& child : children) {
              if (const auto at = numbers.find(child); at != numbers.end()) {
                weightedValues.emplace_back(values[at->second * components + c], weighted ? shares[at->second] : 1.0);
              }
            }
            ASSERT_EQ(found[k], definedValue(rule, weightedValues)) << "rule " << static_cast<int>(rule);
          }
        }
      }
    }
  }
}

TYPED_TEST(CoarsenValues, AreWhatTheDefinitionSays) {
  this->template compareWithDefinition<2, double>();
  this->template compareWithDefinition<3, double>();
  this->template compareWithDefinition<2, int>();
  this->template compareWithDefinition<3, unsigned char>();
  this->template compareWithDefinition<3, float>();
}

// What is averaged level by level is the average over all cells that are there, and the integral is kept.
TYPED_TEST(CoarsenValues, KeepTheIntegralOfARaggedSet) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  CellList<3> cells = randomCells<3>(random, 7, 0.4);
  std::vector<double> values;
  double integral = 0.0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    values.push_back(std::uniform_real_distribution<double>(-1.0, 3.0)(random));
    integral += values.back();
  }
  std::vector<double> shares;
  for (int level = 1; level <= 4; ++level) {
    const CellList<3> coarse = parentsOf(cells);
    const std::vector<double> mean = this->template coarsened<3, double>(coarse, cells, Mean, values, 1, shares);
    shares = this->template covered<3>(coarse, cells, shares);
    double sum = 0.0;
    for (std::size_t k = 0; k < mean.size(); ++k) {
      sum += mean[k] * shares[k] * std::pow(8.0, level);
    }
    EXPECT_NEAR(sum, integral, 1e-12 * static_cast<double>(7 * 7 * 7 * 8));
    cells = coarse;
    values = mean;
  }
}

TYPED_TEST(CoarsenValues, StayWithinTheirType) {
  const CellList<2> fine{{{0, 0}}, {{1, 0}}, {{0, 1}}, {{1, 1}}};
  const CellList<2> coarse{{{0, 0}}};
  const auto of = [&]<class T>(CoarseValue rule, const std::vector<T>& values) {
    return this->template coarsened<2, T>(coarse, fine, rule, values)[0];
  };
  EXPECT_EQ(of(Sum, std::vector<unsigned char>{200, 50, 10, 1}), 255);
  EXPECT_EQ(of(Sum, std::vector<short>{-20000, -20000, 5, 0}), -32768);
  EXPECT_EQ(of(Mean, std::vector<int>{-1, -2, -1, -2}), -2); // -1.5
  EXPECT_EQ(of(Mean, std::vector<int>{1, 2, 1, 2}), 2);
  constexpr long long most = std::numeric_limits<long long>::max(); // not exact in double
  EXPECT_EQ(of(Mean, std::vector<long long>{most, most, most, most}), most);
  EXPECT_EQ(of(Sum, std::vector<long long>{most, -5, 7, -1}), most);
  EXPECT_EQ(of(Sum, std::vector<long long>{most, 5, -7, -1}), most - 3); // what is between is no sum
  EXPECT_EQ(of(Sum, std::vector<long long>{-most, -5, 7, 1}), -most + 3);
  EXPECT_EQ(of(Sum, std::vector<long long>{-most, -5, 2, 1}), -most - 1);
  EXPECT_EQ(of(Sum, std::vector<long long>{-most, -most, most, most}), 0);
  EXPECT_EQ(of(Sum, std::vector<signed char>{127, 1, -5, 0}), 123);
  constexpr unsigned long long whole = std::numeric_limits<unsigned long long>::max();
  EXPECT_EQ(of(Sum, std::vector<unsigned long long>{whole - 3, 1, 2, 0}), whole);
  EXPECT_EQ(of(Sum, std::vector<unsigned long long>{whole - 3, 1, 1, 0}), whole - 1);
  EXPECT_EQ(of(Sum, std::vector<unsigned long long>{whole, whole, whole, whole}), whole);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(of(Minimum, std::vector<double>{nan, 3.0, nan, 4.0}), 3.0);
  EXPECT_EQ(of(Maximum, std::vector<double>{3.0, nan, 4.0, nan}), 4.0);
  EXPECT_TRUE(std::isnan(of(Mean, std::vector<double>{3.0, nan, 4.0, 2.0})));
}

TYPED_TEST(CoarsenValues, ReachTheCoordinateLimits) {
  const CellList<2> fine{{{minCoordinate, minCoordinate}}, {{maxRowKey, maxRowKey}}};
  const CellList<2> coarse{{{minCoordinate / 2, minCoordinate / 2}}, {{maxRowKey / 2, maxRowKey / 2}}};
  const auto found = this->template coarsened<2, int>(coarse, fine, Mean, {3, 5});
  EXPECT_EQ(found, (std::vector<int>{3, 5}));
  const CellList<2> childless{{{minCoordinate, 0}}, {{7, maxRowKey}}};
  EXPECT_EQ((this->template coarsened<2, int>(childless, fine, Mean, {3, 5})), (std::vector<int>{77, 77}));
  EXPECT_TRUE((this->template coarsened<2, int>({}, {}, Mean, {})).empty());
  // An interval that begins with cells whose children have no coordinates.
  const CellList<2> across{{{minCoordinate / 2 - 1, 0}}, {{minCoordinate / 2, 0}}};
  const CellList<2> firstOfAll{{{minCoordinate, 0}}};
  EXPECT_EQ((this->template coarsened<2, int>(across, firstOfAll, Mean, {3})), (std::vector<int>{77, 3}));
}

} // namespace
} // namespace spanwise::testing
