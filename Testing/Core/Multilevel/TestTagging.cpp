#include "Core/Multilevel/Tagging.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LevelFields.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

template <class Space>
class Tags : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  template <int Dim>
  void compareWithDefinition() {
    std::mt19937 random(seed());
    TagScratch<Dim, typename Space::memory_space> scratch;
    for (int round = 0; round < 100; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const auto set = toSet<Space, Dim>(randomCells<Dim>(random, Dim == 2 ? 5 : 3, 0.7));
      const auto field =
        fieldOn<Space, double>("f", randomValues<double>(random, static_cast<std::size_t>(set.numCells()), 2));
      const ValueMap<Dim> values = mapOf<double, Dim>(set, field, 1);
      for (const TagCriterion criterion : {TagCriterion::Value, TagCriterion::Gradient, TagCriterion::Loehner}) {
        // between the values that can be
        const double limit = criterion == TagCriterion::Loehner ? 0.637 : 4.5;
        const Tagging tagging{criterion, limit, 0.05, 1};
        IntervalSetOn<Dim, Space> tags;
        tagCells<Space, Dim, double>(context, set, field, tagging, tags, scratch);
        CellList<Dim> expected;
        for (const auto& [cell, value] : values) {
          if (sensor(criterion, values, cell, 0.05) >= limit) {
            expected.insert(cell);
          }
        }
        expectCells<Space, Dim>(tags, expected);
      }
    }
  }

  template <int Dim>
  static double sensor(TagCriterion criterion, const ValueMap<Dim>& values, const Cell<Dim>& cell, double filter) {
    const double centre = values.at(cell);
    double greatest = 0.0;
    double second = 0.0;
    double first = 0.0;
    for (int d = 0; d < Dim; ++d) {
      const auto low = values.find(moved(cell, d, -1));
      const auto high = values.find(moved(cell, d, 1));
      for (const auto& neighbour : {low, high}) {
        if (neighbour != values.end()) {
          greatest = std::max(greatest, std::fabs(neighbour->second - centre));
        }
      }
      if (low != values.end() && high != values.end()) {
        second += std::pow(high->second - 2.0 * centre + low->second, 2);
        first += std::pow(std::fabs(high->second - centre) + std::fabs(centre - low->second) +
            filter * (std::fabs(high->second) + 2.0 * std::fabs(centre) + std::fabs(low->second)),
          2);
      }
    }
    return criterion == TagCriterion::Value ? centre
      : criterion == TagCriterion::Gradient ? greatest
                                            : (second > 0.0 ? std::sqrt(second / first) : 0.0);
  }
};
TYPED_TEST_SUITE(Tags, AllSpaces, SpaceNames);

TYPED_TEST(Tags, AreWhatTheCriteriaSayIn2D) { this->template compareWithDefinition<2>(); }
TYPED_TEST(Tags, AreWhatTheCriteriaSayIn3D) { this->template compareWithDefinition<3>(); }

TYPED_TEST(Tags, NothingIsTaggedWhereNothingChanges) {
  const auto set = toSet<TypeParam, 2>(childrenOf<2>({{{0, 0}}, {{1, 0}}, {{0, 1}}}));
  for (const double value : {0.0, 3.0}) {
    const auto field = fieldOf<TypeParam, float, 2>(set, [&](const Cell<2>&) { return value; });
    TagScratch<2, typename TypeParam::memory_space> scratch;
    IntervalSetOn<2, TypeParam> tags;
    for (const TagCriterion criterion : {TagCriterion::Gradient, TagCriterion::Loehner}) {
      tagCells<TypeParam, 2, float>(this->context, set, field, {criterion, 1e-6, 0.0, 0}, tags, scratch);
      EXPECT_TRUE(tags.empty());
      tagCells<TypeParam, 2, float>(this->context, set, field, {criterion, 0.0, 0.0, 0}, tags, scratch);
      EXPECT_EQ(tags.numCells(), 12);
    }
  }
}

TYPED_TEST(Tags, NumbersThatMakeNoSenseAreRefused) {
  const auto set = toSet<TypeParam, 2>({{{0, 0}}});
  FieldOn<double, TypeParam> field("f", 1);
  TagScratch<2, typename TypeParam::memory_space> scratch;
  IntervalSetOn<2, TypeParam> tags;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Tagging& tagging : {Tagging{TagCriterion::Gradient, nan}, Tagging{TagCriterion::Loehner, 0.5, -0.1},
         Tagging{TagCriterion::Value, 0.5, 0.1, 1}}) {
    EXPECT_THROW((tagCells<TypeParam, 2, double>(this->context, set, field, tagging, tags, scratch)), InvalidArgument);
  }
}

} // namespace
} // namespace spanwise::testing
