// Whatever the layout of a field, its values are the same bits: arithmetic, reductions, stencils, copies.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/FieldLayout.hpp"
#include "Core/Field/HaloLayout.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Field/Stencils.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <map>

namespace spanwise::testing {
namespace {

template <class Memory>
FieldLayout<Memory> layoutOf(const std::vector<std::int32_t>& labels) {
  Kokkos::View<std::int32_t*, Kokkos::HostSpace> host("labels", labels.size());
  std::copy(labels.begin(), labels.end(), host.data());
  return layoutByLabels<Memory>(
    Kokkos::View<const std::int32_t*, Memory>(Kokkos::create_mirror_view_and_copy(Memory(), host)));
}

std::vector<std::int32_t> randomLabels(std::mt19937& random, std::size_t numCells, int numLabels, int runLength) {
  std::vector<std::int32_t> labels;
  while (labels.size() < numCells) {
    const auto label = static_cast<std::int32_t>(random() % static_cast<unsigned>(numLabels)) - 2;
    const std::size_t length = 1 + random() % static_cast<unsigned>(runLength);
    labels.insert(labels.end(), std::min(length, numCells - labels.size()), label);
  }
  return labels;
}

/// Columns, tuples, few long groups, many groups in short runs.
template <class Memory>
std::vector<FieldLayout<Memory>> allLayouts(std::mt19937& random, std::size_t numCells) {
  return {FieldLayout<Memory>(), FieldLayout<Memory>::tuples(), layoutOf<Memory>(randomLabels(random, numCells, 5, 90)),
    layoutOf<Memory>(randomLabels(random, numCells, 40, 3))};
}

template <class T, class Space>
FieldOn<T, Space> inLayout(const FieldOn<T, Space>& field, const FieldLayoutOn<Space>& layout) {
  FieldOn<T, Space> out(field.name(), field.numCells(), field.numComponents(), layout);
  copyValues<Space, T>(Context<Space>(), field, out);
  return out;
}

TEST(FieldLayouts, PutEachValueInAPlaceOfItsOwn) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const std::size_t numCells : {1, 2, 50, 777}) {
    for (const auto& layout : allLayouts<Kokkos::HostSpace>(random, numCells)) {
      HostField<float> field("f", static_cast<std::int64_t>(numCells), 19, layout);
      const FieldView<float> view = field.view();
      std::map<const float*, int> places;
      for (std::int64_t k = 0; k < view.numCells; ++k) {
        for (int c = 0; c < 19; ++c) {
          ++places[&view(k, c)];
          ASSERT_EQ(&view(k, c), view.piece(k).component<false>(c).values);
        }
      }
      EXPECT_EQ(places.size(), numCells * 19);
      if (layout.kind() != LayoutKind::Columns) { // which begin with a cache line each
        EXPECT_EQ(places.begin()->first, view.values);
        EXPECT_EQ(places.rbegin()->first, view.values + numCells * 19 - 1);
      }
    }
  }
}

TEST(FieldLayouts, KeepAGroupInOnePieceAndItsCellsInOrder) {
  const std::vector<std::int32_t> labels{7, 7, -1, 3, 3, 3, -1, 7, -1};
  const auto layout = layoutOf<Kokkos::HostSpace>(labels);
  const auto groups = layout.cellGroups();
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].label, -1);
  EXPECT_EQ(groups[1].firstSlot, 3);
  EXPECT_EQ(groups[2].numCells, 3);
  HostField<double> field("f", 9, 2, layout);
  const auto view = field.view();
  const auto place = [&](std::int64_t cell, int c) { return &view(cell, c) - view.values; };
  EXPECT_EQ(place(2, 0), 0); // the first of the label -1
  EXPECT_EQ(place(8, 0), 2);
  EXPECT_EQ(place(2, 1), 3); // component by component
  EXPECT_EQ(place(3, 0), 6);
  EXPECT_EQ(place(7, 1), 17);
  EXPECT_EQ(view.inOnePiece(3, 3, 0, 2), &view(3, 0));
  EXPECT_EQ(view.inOnePiece(3, 2, 0, 2), nullptr);
  EXPECT_EQ(view.inOnePiece(3, 2, 1, 2), &view(3, 1));
  EXPECT_EQ(view.inOnePiece(2, 3, 0, 2), nullptr);
}

TEST(FieldLayouts, RefuseWhatDoesNotFit) {
  const auto layout = layoutOf<Kokkos::HostSpace>({1, 2, 1});
  EXPECT_TRUE(contains(messageOf([&] { HostField<float>("u", 4, 1, layout); }), "4 cells in groups of 3"));
  HostField<float> grouped("u", 3, 2, layout);
  EXPECT_TRUE(contains(messageOf([&] { HostField<float>("v", grouped.view(), nullptr); }), "lie in groups"));
  const std::vector<LabelRun> none{{0, 5}};
  EXPECT_THROW(FieldLayout<Kokkos::HostSpace>::groups(none), InvalidArgument);
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Context<Space> context;
  CommonCells<Kokkos::HostSpace> common;
  commonCells<Space, 2>(
    context, toSet<Space, 2>({{{0, 0}}, {{1, 0}}, {{5, 0}}}), toSet<Space, 2>({{{0, 0}}, {{1, 0}}}), common);
  EXPECT_TRUE(contains(messageOf([&] { remap<Space, float>(context, common, grouped, 0.0F, grouped, layout); }),
    "2 cells in groups of 3"));
}

template <class Space>
class LayoutsOn : public ::testing::Test {};
TYPED_TEST_SUITE(LayoutsOn, AllSpaces, SpaceNames);

TYPED_TEST(LayoutsOn, GiveTheSameArithmetic) {
  using Memory = typename TypeParam::memory_space;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TypeParam space;
  for (const std::size_t numCells : {0, 1, 300, 40000}) {
    const auto x = fieldOn<TypeParam>("x", randomValues<double>(random, numCells, 3));
    const auto y = fieldOn<TypeParam>("y", randomValues<double>(random, numCells, 3));
    const auto compute = [&](const auto& a, const auto& b, auto& out) {
      multiply<TypeParam, double>(Context(space), a, b, out);
      axpy<TypeParam, double>(Context(space), 0.3, a, out);
      scale<TypeParam, double>(Context(space), 1.7, out);
      add<TypeParam, double>(Context(space), out, b, out);
      return valuesOf(out);
    };
    FieldOn<double, TypeParam> columns("out", x.numCells(), 3);
    const auto expected = compute(x, y, columns);
    for (const auto& a : allLayouts<Memory>(random, numCells)) {
      for (const auto& b : allLayouts<Memory>(random, numCells)) {
        auto out = inLayout<double, TypeParam>(y, a);
        EXPECT_EQ(compute(inLayout<double, TypeParam>(x, a), inLayout<double, TypeParam>(y, b), out), expected);
      }
    }
  }
}

TYPED_TEST(LayoutsOn, GiveTheSameReductions) {
  using Memory = typename TypeParam::memory_space;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::normal_distribution<double> normal;
  const TypeParam space;
  for (const std::size_t numCells : {1, 300, 20000}) {
    ValueLists<double> values(2, std::vector<double>(numCells));
    for (auto& list : values) {
      std::generate(list.begin(), list.end(), [&] { return normal(random); });
    }
    const auto x = fieldOn<TypeParam>("x", values);
    const auto reduced = [&](const auto& a, const auto& b) {
      std::vector<double> all{sum(Context(space), a, 1), dot(Context(space), a, b)};
      for (const Norm kind : {Norm::L0, Norm::L1, Norm::L2, Norm::Linf}) {
        all.push_back(norm(Context(space), kind, a));
      }
      const auto ends = extrema(Context(space), a, 1);
      all.insert(
        all.end(), {ends.min, ends.max, static_cast<double>(ends.cellOfMin), static_cast<double>(ends.cellOfMax)});
      return all;
    };
    const auto expected = reduced(x, x);
    for (const auto& layout : allLayouts<Memory>(random, numCells)) {
      const auto found = reduced(inLayout<double, TypeParam>(x, layout), x);
      if constexpr (runsOnHost<TypeParam>) {
        EXPECT_EQ(found, expected);
      } else {
        for (std::size_t k = 0; k < found.size(); ++k) {
          EXPECT_NEAR(found[k], expected[k], 1e-9 * std::abs(expected[k]));
        }
      }
    }
  }
}

template <class Space, int Dim>
void expectSameStencils(std::mt19937& random) {
  using Memory = typename Space::memory_space;
  const Space space;
  const Context context(space);
  const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 20 : 7, 0.8);
  const auto set = toSet<Space, Dim>(cells);
  GridGeometry<Dim> grid{};
  std::fill_n(grid.spacing, Dim, 0.7);
  const auto x = fieldOn<Space>("x", randomValues<double>(random, cells.size(), Dim));
  for (const BoundaryPolicy policy : {BoundaryPolicy::Value, BoundaryPolicy::Mirror, BoundaryPolicy::Skip}) {
    StencilMapOn<FacePattern<Dim>, Space> faces;
    StencilMapOn<BoxPattern<Dim>, Space> box;
    buildStencilMap<FacePattern<Dim>, Space>(context, set, {policy}, faces);
    buildStencilMap<BoxPattern<Dim>, Space>(context, set, {policy}, box);
    const auto compute = [&](const FieldLayoutOn<Space>& in, const FieldLayoutOn<Space>& out) {
      std::vector<ValueLists<double>> all;
      const auto zeros = [&](int numComponents) {
        FieldOn<double, Space> field("out", x.numCells(), numComponents, out);
        fill<Space, double>(context, field, 0.0);
        return field;
      };
      const auto from = inLayout<double, Space>(x, in);
      auto same = zeros(Dim);
      laplacian<Space, double, Dim>(context, faces, from, grid, 0.25, same);
      all.push_back(valuesOf(same));
      boxFilter<Space, double, Dim>(context, box, from, 0.25, same);
      all.push_back(valuesOf(same));
      auto one = zeros(1);
      divergence<Space, double, Dim>(context, faces, from, grid, 0.25, one);
      all.push_back(valuesOf(one));
      gradient<Space, double, Dim>(context, faces, one, grid, 0.25, same);
      all.push_back(valuesOf(same));
      jacobiStep<Space, double, Dim>(context, faces, from, {grid, 0.7}, 0.25, same);
      all.push_back(valuesOf(same));
      return all;
    };
    const auto expected = compute({}, {});
    for (const auto& a : allLayouts<Memory>(random, cells.size())) {
      for (const auto& b : allLayouts<Memory>(random, cells.size())) {
        EXPECT_EQ(compute(a, b), expected);
      }
    }
  }
}

TYPED_TEST(LayoutsOn, GiveTheSameStencils) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectSameStencils<TypeParam, 2>(random);
  expectSameStencils<TypeParam, 3>(random);
}

TYPED_TEST(LayoutsOn, GiveTheSameRemappedValues) {
  using Memory = typename TypeParam::memory_space;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TypeParam space;
  const Context context(space);
  const CellList<3> cells = randomCells<3>(random, 8, 0.6);
  CommonCells<Memory> common;
  commonCells<TypeParam, 3>(
    context, toSet<TypeParam, 3>(cells), toSet<TypeParam, 3>(randomCells<3>(random, 8, 0.5)), common);
  const auto x = fieldOn<TypeParam>("x", randomValues<float>(random, cells.size(), 4));
  FieldOn<float, TypeParam> expected;
  remap<TypeParam, float>(context, common, x, -1.0F, expected);
  for (const auto& layout : allLayouts<Memory>(random, cells.size())) {
    FieldOn<float, TypeParam> found;
    remap<TypeParam, float>(context, common, inLayout<float, TypeParam>(x, layout), -1.0F, found);
    EXPECT_EQ(valuesOf(found), valuesOf(expected));
    EXPECT_EQ(found.layout().kind(), LayoutKind::Columns);
  }
  for (const auto& layout : allLayouts<Memory>(random, static_cast<std::size_t>(common.numCellsOfB()))) {
    FieldOn<float, TypeParam> found;
    remap<TypeParam, float>(context, common, x, -1.0F, found, layout);
    EXPECT_EQ(valuesOf(found), valuesOf(expected));
    EXPECT_EQ(found.layout().kind(), layout.kind());
  }
  extract<TypeParam, float>(context, common, x, expected);
  for (const auto& layout : allLayouts<Memory>(random, static_cast<std::size_t>(common.numCells()))) {
    FieldOn<float, TypeParam> found = x;
    extract<TypeParam, float>(context, common, found, found, layout); // onto itself
    EXPECT_EQ(valuesOf(found), valuesOf(expected));
    EXPECT_EQ(found.layout().kind(), layout.kind());
    extract<TypeParam, float>(context, common, x, found, found.layout()); // which it is to keep
    EXPECT_EQ(valuesOf(found), valuesOf(expected));
    EXPECT_EQ(found.layout().kind(), layout.kind());
  }
}

TYPED_TEST(LayoutsOn, AllocateNothingInRepeatedSteps) {
  using Memory = typename TypeParam::memory_space;
  std::mt19937 random(seed());
  const TypeParam space;
  const Context context(space);
  const CellList<2> cells = randomCells<2>(random, 20, 0.8);
  StencilMapOn<FacePattern<2>, TypeParam> map;
  buildStencilMap<FacePattern<2>, TypeParam>(context, toSet<TypeParam, 2>(cells), {}, map);
  const auto x = fieldOn<TypeParam>("x", randomValues<double>(random, cells.size(), 2));
  for (const auto& layout : allLayouts<Memory>(random, cells.size())) {
    const auto from = inLayout<double, TypeParam>(x, layout);
    auto to = inLayout<double, TypeParam>(x, layout);
    expectNoAllocations<TypeParam>([&] {
      to.resize(from.numCells(), 2, layout);
      laplacian<TypeParam, double, 2>(context, map, from, {{}, {1.0, 1.0}}, 0.0, to);
      axpy<TypeParam, double>(context, 0.5, from, to);
      EXPECT_GT(norm(context, Norm::L2, to), 0.0);
    });
  }
}

} // namespace
} // namespace spanwise::testing
