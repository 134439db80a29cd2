#include "Core/Multilevel/Blocks.hpp"

#include "Core/Multilevel/Detail/BlockPieces.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::multilevel {

template <class ExecutionSpace, int Dim>
void makeBlocks(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  int shift, geometry::IntervalSetOn<Dim, ExecutionSpace>& blocks) {
  SPANWISE_REGION("Multilevel::makeBlocks");
  if (shift == 0) {
    blocks = set;
    return;
  }
  coarsen<ExecutionSpace, Dim>(context, Coarsening::Outside, set, blocks);
  for (int k = 1; k < shift; ++k) {
    coarsen<ExecutionSpace, Dim>(context, Coarsening::Outside, blocks, blocks);
  }
}

namespace {

template <int Dim>
struct ChooseCellsOfBlocks {
  geometry::SurfaceCells<Dim> cells;
  int shift;
  std::int64_t* chosen;

  KOKKOS_FUNCTION void operator()(const detail::BlockPieces<Dim>& pieces, const detail::BlockSegment& segment) const {
    for (std::int64_t b = segment.firstBlock; b < segment.endBlock; ++b) {
      chosen[b] = -1;
    }
    const std::int64_t mask = (std::int64_t{1} << shift) - 1;
    const std::int64_t middle = shift > 0 ? std::int64_t{1} << (shift - 1) : 0;
    pieces.visit(segment, [&](std::int64_t block, std::int64_t r, std::int64_t i, std::int64_t x, std::int64_t end) {
      const geometry::RowKey<Dim> key = cells.set.rowKeys[r];
      const bool middleRow = (key.y & mask) == middle && (Dim == 2 || (key.zOr0() & mask) == middle);
      const std::int64_t wanted = (x & ~mask) + middle;
      const std::int64_t nearest = Kokkos::max(x, Kokkos::min(wanted, end - 1));
      if (chosen[block] < 0 || (middleRow && nearest == wanted)) {
        chosen[block] = cells.cellBase(i) + nearest;
      }
    });
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void cellsOfBlocks(const Context<ExecutionSpace>& context, const CellsInBlocks<Dim>& in,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& chosen) {
  detail::forEachBlockSegment(context.space(), SPANWISE_LABEL("Multilevel::cells of blocks"), in,
    ChooseCellsOfBlocks<Dim>{in.cells, in.shift, chosen.data()});
}

#define SPANWISE_BLOCKS(Space, Dim)                                                                                    \
  template void makeBlocks<Space, Dim>(                                                                                \
    const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&, int, geometry::IntervalSetOn<Dim, Space>&);     \
  template void cellsOfBlocks<Space, Dim>(                                                                             \
    const Context<Space>&, const CellsInBlocks<Dim>&, const Kokkos::View<std::int64_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BLOCKS)

} // namespace spanwise::multilevel
