#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Rendering/Faces.hpp"
#include "Testing/Filters/Rendering/Grids.hpp"
#include "Testing/Filters/Rendering/Surfaces.hpp"

#include "SpanwiseCoarsening.h"
#include "SpanwiseMirroredArray.h"
#include "Testing/Rooms.hpp"

#include <vtkFloatArray.h>
#include <vtkIntArray.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace spanwise::testing {
namespace {

template <class Dimension>
class Blocks : public ::testing::Test {};
TYPED_TEST_SUITE(Blocks, Dimensions);

/// Calls body(context) for each side.
template <class Body>
void onBothSides(const Body& body) {
  {
    SCOPED_TRACE("on the host");
    body(SideContext<ComputeSide::Host>());
  }
  SCOPED_TRACE("on the device");
  body(SideContext<ComputeSide::Device>());
}

template <ComputeSide side, class T>
std::vector<T> valuesOf(const SideContext<side>& context, const ViewOnSide<side, T>& array) {
  std::vector<T> values(array.extent(0));
  copyToHost(context.space(), array.data(), static_cast<std::int64_t>(values.size()), values.data());
  return values;
}

TYPED_TEST(Blocks, AreCellsOfALargerSpacing) {
  constexpr int dim = TypeParam::value;
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const CellList<dim>& cells : shapes<dim>(random, 7)) {
    for (const int shift : {0, 1, 2, 3, 30}) {
      const auto grid = makeGrid<dim>(cells, oddPlacement());
      onBothSides([&](const auto& context) {
        const auto coarsening = coarsen(context, drawnCells<dim>(gridOf<dim>(grid)), shift);
        std::set<Cell<dim>> blocks;
        for (const Cell<dim>& cell : cells) {
          Cell<dim> block{};
          for (int d = 0; d < dim; ++d) {
            block.at[d] = cell.at[d] >> shift;
          }
          blocks.insert(block);
        }
        EXPECT_TRUE(toCells(coarsening.grid->set()) == blocks);
        EXPECT_EQ(coarsening.grid->placement().spacing[1], std::ldexp(oddPlacement().spacing[1], shift));
      });
    }
  }
}

TYPED_TEST(Blocks, HaveNodesOfTheirCells) {
  constexpr int dim = TypeParam::value;
  std::mt19937 random(seed());
  const auto grid = makeGrid<dim>(randomCells<dim>(random, 7, 0.4), oddPlacement());
  const auto record = gridOf<dim>(grid);
  onBothSides([&]<ComputeSide side>(const SideContext<side>& context) {
    const auto coarsening = coarsen(context, drawnCells<dim>(record), 1);
    const auto nodes = valuesOf(context, nodesOfBlocks(context, coarsening, cellsOfBlocks(context, coarsening)));
    ASSERT_EQ(static_cast<std::int64_t>(nodes.size()), coarsening.grid->numNodes());
    for (std::int64_t n = 0; n < coarsening.grid->numNodes(); ++n) {
      double coarse[3];
      double fine[3];
      coarsening.grid->nodePosition(n, coarse);
      record->nodePosition(nodes[static_cast<std::size_t>(n)], fine);
      for (int d = 0; d < dim; ++d) {
        EXPECT_LE(std::abs(coarse[d] - fine[d]), oddPlacement().spacing[d]);
      }
    }
  });
}

TEST(Blocks2D, LeaveOutValuesThatAreNotNumbers) {
  const auto grid = makeGrid<2>({{{0, 0}}, {{1, 0}}, {{0, 1}}, {{4, 0}}}, GridPlacement());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float values[4] = {1.0F, nan, nan, 4.0F}; // cells (0, 0), (1, 0), (4, 0), (0, 1)
  const auto array = makeArray<vtkFloatArray>("f", 4, [&](std::int64_t c) { return values[c]; });
  onBothSides([&](const auto& context) {
    const auto means = meansOverBlocks(context, coarsen(context, drawnCells<2>(gridOf<2>(grid)), 1), array);
    ASSERT_EQ(means->GetNumberOfTuples(), 2);
    EXPECT_EQ(means->GetTuple1(0), 2.5);
    EXPECT_TRUE(std::isnan(means->GetTuple1(1)));
    EXPECT_EQ(means->GetDataType(), VTK_FLOAT);
  });
}

// So many cells that threads share the work: a kernel that asked for the host's copy would wait for itself.
TEST(Blocks3D, TakeValuesFromTheDevice) {
  CellList<3> cells;
  for (Coordinate z = 0; z < 64; ++z) {
    for (Coordinate y = 0; y < 64; ++y) {
      for (Coordinate x = 0; x < 64; ++x) {
        cells.insert(cells.end(), Cell<3>{{x, y, z}});
      }
    }
  }
  const auto grid = makeGrid<3>(cells, GridPlacement());
  onBothSides([&](const auto& context) {
    const auto coarsening = coarsen(context, drawnCells<3>(gridOf<3>(grid)), 1);
    vtkDataArray* const here = grid->GetCellData()->GetArray("value");
    const auto there = mirroredArray<double>(deviceField<double>(here));
    const auto means = meansOverBlocks(context, coarsening, there);
    const auto expected = meansOverBlocks(context, coarsening, here);
    ASSERT_EQ(means->GetNumberOfTuples(), 32 * 32 * 32);
    for (vtkIdType b = 0; b < means->GetNumberOfTuples(); ++b) {
      const std::int64_t block = b; // whose cells have the coordinates 2 x and 2 x + 1
      const double mean = cellValue(2 * (block % 32), 2 * (block / 32 % 32), 2 * (block / 1024)) + 0.5 * 1001001.0;
      ASSERT_EQ(means->GetTuple1(b), mean);
      ASSERT_EQ(expected->GetTuple1(b), mean);
    }
  });
}

TYPED_TEST(Blocks, SurfaceHasTheFacesOfABlockGridAndItsValues) {
  constexpr int dim = TypeParam::value;
  std::mt19937 random(seed());
  const CellList<dim> cells = randomCells<dim>(random, 8, 0.3);
  const auto grid = makeGrid<dim>(cells, GridPlacement());
  grid->GetCellData()->AddArray(makeArray<vtkIntArray>(
    "material", grid->GetNumberOfCells(), [](std::int64_t c) { return static_cast<int>(c % 7); }));
  SurfaceOptions options;
  options.shift = 1;
  options.cellIds = true;
  options.pointIds = true;
  const auto surface = drawnSurface(grid, options);
  const auto coarsening = coarsen(SideContext<ComputeSide::Host>(), drawnCells<dim>(gridOf<dim>(grid)), 1);
  EXPECT_EQ(surface->GetNumberOfCells(), countPolygons(drawnCells<dim>(coarsening.grid), SurfaceKind::Cells));
  // A whole number in place of categories is one cell's own, never a mean.
  auto* const ids = vtkIdTypeArray::SafeDownCast(surface->GetCellData()->GetArray("vtkOriginalCellIds"));
  vtkDataArray* const materials = surface->GetCellData()->GetArray("material");
  ASSERT_NE(ids, nullptr);
  ASSERT_NE(materials, nullptr);
  ASSERT_NE(surface->GetCellData()->GetArray("value"), nullptr);
  ASSERT_NE(surface->GetPointData()->GetArray("height"), nullptr);
  for (vtkIdType f = 0; f < surface->GetNumberOfCells(); ++f) {
    EXPECT_EQ(materials->GetTuple1(f), ids->GetValue(f) % 7);
  }
}

TYPED_TEST(Blocks, KeepASurfaceWithinItsLimit) {
  constexpr int dim = TypeParam::value;
  std::mt19937 random(seed());
  const auto grid = makeGrid<dim>(randomCells<dim>(random, 8, 0.5), GridPlacement());
  for (const SurfaceKind kind : {SurfaceKind::Cells, SurfaceKind::Runs}) {
    for (const vtkIdType limit : {12, 50, 200, 100000}) {
      SurfaceOptions options;
      options.kind = kind;
      options.maxPolygons = limit;
      const vtkIdType numPolygons = drawnSurface(grid, options)->GetNumberOfCells();
      EXPECT_GT(numPolygons, 0);
      // Four blocks meet at the origin in 2D, eight in 3D: no blocks are fewer.
      EXPECT_LE(numPolygons, std::max<vtkIdType>(limit, 48));
    }
  }
}

} // namespace
} // namespace spanwise::testing
