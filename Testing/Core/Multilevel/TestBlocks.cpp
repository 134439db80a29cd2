#include "Core/Multilevel/BlockMeans.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Surface/SurfaceGrid.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <limits>
#include <map>

namespace spanwise::testing {
namespace {

using namespace spanwise::multilevel;

template <class Space>
class Blocks : public ::testing::Test {
protected:
  std::mt19937 random{seed()};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed())};
};
TYPED_TEST_SUITE(Blocks, AllSpaces, SpaceNames);

template <int Dim>
Cell<Dim> blockOf(const Cell<Dim>& cell, int shift) {
  Cell<Dim> block{};
  for (int d = 0; d < Dim; ++d) {
    block.at[d] = static_cast<Coordinate>(std::floor(cell.at[d] / std::ldexp(1.0, shift)));
  }
  return block;
}

template <int Dim>
std::map<Cell<Dim>, std::vector<Cell<Dim>>> blocksOf(const CellList<Dim>& cells, int shift) {
  std::map<Cell<Dim>, std::vector<Cell<Dim>>> blocks;
  for (const Cell<Dim>& cell : cells) {
    blocks[blockOf<Dim>(cell, shift)].push_back(cell);
  }
  return blocks;
}

/// The means of values of cells, `components` each, of all blocks; the values of a cell lie side by side, or those of
/// a component.
template <class Space, int Dim>
std::vector<double> meansOf(
  const Space& space, const CellsInBlocks<Dim>& in, int components, const std::vector<double>& values, bool inColumns) {
  const auto numCells = static_cast<std::int64_t>(values.size()) / components;
  std::vector<double> arranged = values;
  for (std::size_t k = 0; k < values.size() && inColumns; ++k) {
    const auto n = static_cast<std::size_t>(components);
    arranged[k % n * static_cast<std::size_t>(numCells) + k / n] = values[k];
  }
  const ArrayOn<double, Space> there = arrayOn<Space>(arranged);
  FieldView<const double> from;
  from.values = there.data();
  from.componentStride = inColumns ? numCells : 1;
  from.cellStride = inColumns ? 1 : components;
  from.numCells = numCells;
  from.numComponents = components;
  const ArrayOn<double, Space> means = newArray<double, Space>(in.blocks.numCells * components);
  FieldView<double> to;
  to.values = means.data();
  to.componentStride = 1;
  to.cellStride = components;
  to.numCells = in.blocks.numCells;
  to.numComponents = components;
  meansOfField<Space, Dim, double>(Context(space), in, from, to);
  return onHost<Space, double>(space, means);
}

template <class Space, int dim>
void expectBlocks(std::mt19937& random) {
  for (const CellList<dim>& cells : shapes<dim>(random, 7)) {
    const SurfaceGrid<Space, dim> grid(cells);
    for (const int shift : {0, 1, 2, 3, 30}) {
      CellList<dim> expected;
      for (const auto& block : blocksOf<dim>(cells, shift)) {
        expected.insert(block.first);
      }
      for (const Space& space : ofSeveralThreads<Space>()) {
        IntervalSetOn<dim, Space> blocks;
        makeBlocks<Space, dim>(Context(space), grid.set(), shift, blocks);
        expectCells<Space, dim>(blocks, expected);
      }
    }
  }
}

TYPED_TEST(Blocks, AreThereWhereAnyOfTheirCellsIs) {
  expectBlocks<TypeParam, 2>(this->random);
  expectBlocks<TypeParam, 3>(this->random);
}

template <class Space, int dim>
void expectValues(std::mt19937& random, int shift) {
  const CellList<dim> cells = randomCells<dim>(random, 7, 0.4);
  const std::vector<Cell<dim>> numbered(cells.begin(), cells.end());
  const SurfaceGrid<Space, dim> grid(cells);
  std::vector<double> values; // the coordinates of each cell
  for (const Cell<dim>& cell : cells) {
    values.insert(values.end(), cell.at, cell.at + dim);
  }
  const auto expected = blocksOf<dim>(cells, shift);
  for (const Space& space : ofSeveralThreads<Space>()) {
    const Context context(space);
    IntervalSetOn<dim, Space> blocks;
    makeBlocks<Space, dim>(context, grid.set(), shift, blocks);
    const CellsInBlocks<dim> in{grid.cells(), blocks.view(), shift};
    const ArrayOn<std::int64_t, Space> chosenOn = newArray<std::int64_t, Space>(blocks.numCells());
    cellsOfBlocks<Space, dim>(context, in, chosenOn);
    const std::vector<std::int64_t> numbers = onHost<Space, std::int64_t>(space, chosenOn);
    const std::vector<double> means = meansOf<Space, dim>(space, in, dim, values, false);
    EXPECT_TRUE((means == meansOf<Space, dim>(space, in, dim, values, true)));
    std::size_t b = 0;
    for (const Cell<dim>& block : toCells(blocks)) {
      const std::vector<Cell<dim>>& inside = expected.at(block);
      for (int d = 0; d < dim; ++d) {
        double sum = 0.0;
        for (const Cell<dim>& cell : inside) {
          sum += cell.at[d];
        }
        EXPECT_NEAR(means[b * dim + static_cast<std::size_t>(d)], sum / static_cast<double>(inside.size()), 1e-12);
      }
      const Cell<dim> chosen = numbered.at(static_cast<std::size_t>(numbers[b]));
      EXPECT_TRUE(std::find(inside.begin(), inside.end(), chosen) != inside.end());
      Cell<dim> middle{};
      for (int d = 0; d < dim; ++d) {
        middle.at[d] = (block.at[d] << shift) + (1 << shift) / 2;
      }
      EXPECT_TRUE(cells.count(middle) == 0 || chosen == middle);
      ++b;
    }
    EXPECT_EQ(b, expected.size());
  }
}

TYPED_TEST(Blocks, HaveTheMeanOfTheirCellsAndOneOfThem) {
  for (const int shift : {0, 1, 2, 3}) {
    expectValues<TypeParam, 2>(this->random, shift);
    expectValues<TypeParam, 3>(this->random, shift);
  }
}

TYPED_TEST(Blocks, LeaveOutValuesThatAreNotNumbers) {
  const SurfaceGrid<TypeParam, 2> grid(CellList<2>{{{0, 0}}, {{1, 0}}, {{0, 1}}, {{4, 0}}});
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const TypeParam space;
  IntervalSetOn<2, TypeParam> blocks;
  makeBlocks<TypeParam, 2>(Context(space), grid.set(), 1, blocks);
  const auto means = meansOf<TypeParam, 2>(
    space, {grid.cells(), blocks.view(), 1}, 1, {1.0, nan, nan, 4.0}, true); // (0, 0), (1, 0), (4, 0), (0, 1)
  ASSERT_EQ(means.size(), 2U);
  EXPECT_EQ(means[0], 2.5);
  EXPECT_TRUE(std::isnan(means[1]));
}

} // namespace
} // namespace spanwise::testing
