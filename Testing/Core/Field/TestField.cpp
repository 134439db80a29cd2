#include "Core/Field/Copy.hpp"
#include "Core/Field/Field.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace spanwise::testing {
namespace {

template <class T>
class FieldOfType : public ::testing::Test {};
TYPED_TEST_SUITE(FieldOfType, FieldTypes);

template <class T>
HostField<T> counted(const std::string& name, std::int64_t numCells, int numComponents) {
  HostField<T> field(name, numCells, numComponents);
  const FieldView<T> view = field.view();
  for (int c = 0; c < numComponents; ++c) {
    for (std::int64_t k = 0; k < numCells; ++k) {
      view(k, c) = static_cast<T>(17 * c + k);
    }
  }
  return field;
}

TYPED_TEST(FieldOfType, HoldsEachComponentInOnePiece) {
  HostField<TypeParam> field = counted<TypeParam>("velocity", 101, 9);
  EXPECT_EQ(field.name(), "velocity");
  EXPECT_EQ(field.numCells(), 101);
  EXPECT_EQ(field.numComponents(), 9);
  const FieldView<const TypeParam> view = std::as_const(field).view();
  for (int c = 0; c < 9; ++c) {
    for (std::int64_t k = 0; k < 101; ++k) {
      ASSERT_EQ(view(k, c), static_cast<TypeParam>(17 * c + k));
      ASSERT_EQ(&view(k, c), view.address(0, c) + k);
    }
  }
  EXPECT_GE(field.bytes(), 101 * 9 * sizeof(TypeParam));
  EXPECT_LT(field.bytes(), 101 * 9 * sizeof(TypeParam) + 9 * 128);
}

// Columns fall on different places of a cache, whatever their length.
TYPED_TEST(FieldOfType, HasColumnsAnOddNumberOfCacheLinesApart) {
  for (const std::int64_t numCells : {101, 4096, 5000, 65536}) {
    const HostField<TypeParam> field("velocity", numCells, 3);
    const std::int64_t bytes = field.view().componentStride * static_cast<std::int64_t>(sizeof(TypeParam));
    EXPECT_EQ(bytes % 64, 0);
    EXPECT_EQ(bytes / 64 % 2, 1);
    EXPECT_GE(field.view().componentStride, numCells);
  }
}

TYPED_TEST(FieldOfType, CopiesShareTheValues) {
  HostField<TypeParam> field = counted<TypeParam>("a", 10, 2);
  HostField<TypeParam> same = field;
  same.view()(3, 1) = TypeParam(99);
  EXPECT_EQ(field.view()(3, 1), TypeParam(99));
}

TYPED_TEST(FieldOfType, UsesItsMemoryAgainUnlessACopySharesIt) {
  HostField<TypeParam> field("a", 1000, 3);
  const TypeParam* const values = field.view().values;
  field.resize(500, 2);
  EXPECT_EQ(field.view().values, values);
  EXPECT_EQ(field.numComponents(), 2);
  field.resize(1000, 3);
  EXPECT_EQ(field.view().values, values);
  const HostField<TypeParam> kept = field;
  field.resize(10);
  EXPECT_NE(field.view().values, values);
  EXPECT_EQ(kept.view().values, values);
  EXPECT_EQ(kept.numCells(), 1000);
}

TYPED_TEST(FieldOfType, KeepsTheOwnerOfForeignArraysAlive) {
  auto owner = std::make_shared<std::vector<TypeParam>>(20, TypeParam(4));
  const std::weak_ptr<void> alive = owner;
  FieldView<TypeParam> values;
  values.values = owner->data();
  values.componentStride = 10;
  values.numCells = 10;
  values.numComponents = 2;
  HostField<TypeParam> field("shared", values, std::move(owner));
  HostField<TypeParam> same = field;
  EXPECT_EQ(&field.view()(0, 1), &values(0, 1));
  EXPECT_EQ(field.bytes(), 20 * sizeof(TypeParam));
  field.resize(3); // takes memory of its own: it does not write into somebody else's
  EXPECT_NE(field.view().values, values.values);
  EXPECT_FALSE(alive.expired());
  same = {};
  EXPECT_TRUE(alive.expired());
}

TYPED_TEST(FieldOfType, GoesToOtherMemoryAndBack) {
  using Memory = typename Kokkos::DefaultExecutionSpace::memory_space;
  const HostField<TypeParam> field = counted<TypeParam>("there", 1003, 3);
  Field<TypeParam, Memory> there;
  copy(field, there);
  HostField<TypeParam> back;
  copy(there, back);
  EXPECT_EQ(back.name(), "there");
  ASSERT_EQ(back.numCells(), 1003);
  ASSERT_EQ(back.numComponents(), 3);
  for (int c = 0; c < 3; ++c) {
    EXPECT_NE(back.view().address(0, c), field.view().address(0, c));
    EXPECT_TRUE(std::equal(back.view().address(0, c), back.view().address(0, c) + 1003, field.view().address(0, c)));
  }
}

TYPED_TEST(FieldOfType, CopiedOntoItselfIsTheSame) {
  HostField<TypeParam> field = counted<TypeParam>("self", 77, 2);
  copy(field, field);
  EXPECT_EQ(field.view()(76, 1), static_cast<TypeParam>(17 + 76));
  HostField<TypeParam> empty("nothing", 0, 4);
  copy(empty, field);
  EXPECT_EQ(field.numCells(), 0);
  EXPECT_EQ(field.numComponents(), 4);
}

TEST(FieldErrors, NameTheFieldTheValueAndTheRule) {
  EXPECT_TRUE(contains(messageOf([] { HostField<float>("u", -1); }), "field 'u' is to have -1 cells"));
  EXPECT_TRUE(
    contains(messageOf([] { HostField<float>("u", 5, 0); }), "0 components: the number must be within 1 and 32"));
  EXPECT_TRUE(contains(messageOf([] { HostField<float>("u", 5, 33); }), "33 components"));
  FieldView<double> values;
  values.numCells = 4;
  EXPECT_TRUE(
    contains(messageOf([&] { HostField<double>("u", values, nullptr); }), "field 'u' of 4 cells has no array"));
  EXPECT_THROW(HostField<std::uint8_t>("u", std::numeric_limits<std::int64_t>::max()), Error);
  EXPECT_THROW(HostField<double>("u", std::numeric_limits<std::int64_t>::max() / 16, 9), Error);
}

TEST(FieldView, ConvertsToOneThatIsNotWritten) {
  HostField<int> field = counted<int>("a", 3, 2);
  const FieldView<const int> view = field.view();
  EXPECT_EQ(view(2, 1), 19);
}

} // namespace
} // namespace spanwise::testing
