#include "Core/Geometry/Surface/BlockMeans.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Surface/SurfaceGrid.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <span>

namespace spanwise::testing {
namespace {

template <class D>
class Blocks : public RandomTest<D> {};
TYPED_TEST_SUITE(Blocks, Dimensions, DimensionNames);

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

/// The means of values of cells, `components` each, of all blocks.
template <int Dim>
std::vector<double> meansOf(const HostExecutionSpace& space, const SurfaceCells<Dim>& cells, const BlockMap& map,
  int components, const std::vector<double>& values) {
  std::vector<double> means(static_cast<std::size_t>(map.numBlocks() * components));
  meansOverBlocks(
    Context(space), cells, map, components,
    [&](std::int64_t cell, std::int64_t count) {
      return std::span(values).subspan(
        static_cast<std::size_t>(cell * components), static_cast<std::size_t>(count * components));
    },
    [&](std::int64_t block, int component, double mean) {
      means[static_cast<std::size_t>(block * components + component)] = mean;
    });
  return means;
}

TYPED_TEST(Blocks, AreThereWhereAnyOfTheirCellsIs) {
  constexpr int dim = TypeParam::value;
  for (const CellList<dim>& cells : shapes<dim>(this->random, 7)) {
    const SurfaceGrid<dim> grid(cells);
    for (const int shift : {0, 1, 2, 3, 30}) {
      CellList<dim> expected;
      for (const auto& block : blocksOf<dim>(cells, shift)) {
        expected.insert(block.first);
      }
      for (const HostExecutionSpace& space : ofSeveralThreads<HostExecutionSpace>()) {
        HostIntervalSet<dim> blocks;
        const BlockMap map = makeBlocks<dim>(Context(space), grid.cells(), shift, blocks);
        EXPECT_EQ(map.numBlocks(), blocks.numCells());
        expectCells<HostExecutionSpace, dim>(blocks, expected);
      }
    }
  }
}

TYPED_TEST(Blocks, HaveTheMeanOfTheirCellsAndOneOfThem) {
  constexpr int dim = TypeParam::value;
  const CellList<dim> cells = randomCells<dim>(this->random, 7, 0.4);
  const std::vector<Cell<dim>> numbered(cells.begin(), cells.end());
  const SurfaceGrid<dim> grid(cells);
  std::vector<double> values; // the coordinates of each cell
  for (const Cell<dim>& cell : cells) {
    values.insert(values.end(), cell.at, cell.at + dim);
  }
  const auto expected = blocksOf<dim>(cells, 2);
  for (const HostExecutionSpace& space : ofSeveralThreads<HostExecutionSpace>()) {
    HostIntervalSet<dim> blocks;
    const BlockMap map = makeBlocks<dim>(Context(space), grid.cells(), 2, blocks);
    const std::vector<double> means = meansOf<dim>(space, grid.cells(), map, dim, values);
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
      const Cell<dim> chosen = numbered.at(static_cast<std::size_t>(map.cells[b]));
      EXPECT_TRUE(std::find(inside.begin(), inside.end(), chosen) != inside.end());
      Cell<dim> middle{};
      for (int d = 0; d < dim; ++d) {
        middle.at[d] = 4 * block.at[d] + 2;
      }
      EXPECT_TRUE(cells.count(middle) == 0 || chosen == middle);
      ++b;
    }
  }
}

TEST(Blocks2D, LeaveOutValuesThatAreNotNumbers) {
  const SurfaceGrid<2> grid(CellList<2>{{{0, 0}}, {{1, 0}}, {{0, 1}}, {{4, 0}}});
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const HostExecutionSpace space;
  HostIntervalSet<2> blocks;
  const BlockMap map = makeBlocks<2>(Context(space), grid.cells(), 1, blocks);
  const auto means = meansOf<2>(space, grid.cells(), map, 1, {1.0, nan, nan, 4.0}); // (0, 0), (1, 0), (4, 0), (0, 1)
  ASSERT_EQ(means.size(), 2U);
  EXPECT_EQ(means[0], 2.5);
  EXPECT_TRUE(std::isnan(means[1]));
}

} // namespace
} // namespace spanwise::testing
