#include "Core/Geometry/NodeRows.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Detail/RowPieces.hpp"
#include "Core/Geometry/Detail/Shift.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Search.hpp"

#include <cstdint>

namespace spanwise::geometry {

template <class ExecutionSpace, int Dim>
void nodeRowsOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out, NodeRowsScratch<Dim, typename ExecutionSpace::memory_space>& scratch) {
  SPANWISE_REGION("Geometry::nodeRowsOf");
  // As sets of intervals the rows of nodes are those of the cells, and those again one row higher along each axis but
  // x.
  const auto addShifted = [&](int axis, const auto& below, auto& both) {
    Cell<Dim> up{};
    up.at[axis] = 1;
    detail::shift<ExecutionSpace, Dim>(context.space(), below, up, scratch.above);
    combine<ExecutionSpace, Dim>(context, SetOperation::Union, below, scratch.above, both);
  };
  if constexpr (Dim == 2) {
    addShifted(1, set, out);
  } else {
    addShifted(1, set, scratch.planes);
    addShifted(2, scratch.planes, out);
  }
}

template <class ExecutionSpace, int Dim>
void nodeRowsOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  NodeRowsScratch<Dim, typename ExecutionSpace::memory_space> scratch;
  IntervalSetOn<Dim, ExecutionSpace> rows;
  nodeRowsOf<ExecutionSpace, Dim>(context, set, rows, scratch);
  out = compacted(rows);
}

namespace {

/// The first row whose key is not below `key`. O(log of how far it is from `guess`).
template <int Dim>
KOKKOS_FUNCTION std::int64_t lowerRowNear(const IntervalSetView<Dim>& set, std::int64_t guess, const RowKey<Dim>& key) {
  return firstTrue(0, set.numRows, guess, [&](std::int64_t r) { return !(set.rowKeys[r] < key); });
}

template <int Dim>
struct FindNodeBases {
  IntervalSetView<Dim> cells;
  IntervalSetView<Dim> nodes;
  std::int64_t* bases;
  detail::RowPieces pieces;

  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    std::int64_t found[Dim - 1]; // in each plane of nodes: the row of the same y; that of the next y comes after it
    for (std::int64_t& row : found) {
      row = pieces.begin(piece);
    }
    for (std::int64_t r = pieces.begin(piece); r < pieces.end(piece); ++r) {
      for (int plane = 0; plane < Dim - 1; ++plane) {
        RowKey<Dim> key = cells.rowKeys[r];
        if constexpr (Dim == 3) {
          key.z += plane;
        }
        found[plane] = lowerRowNear(nodes, found[plane], key);
        findInRow(r, found[plane], 2 * plane);
        findInRow(r, found[plane] + 1, 2 * plane + 1);
      }
    }
  }

private:
  KOKKOS_FUNCTION void findInRow(std::int64_t r, std::int64_t nodeRow, int k) const {
    std::int64_t n = nodes.rowOffsets[nodeRow];
    for (std::int64_t i = cells.rowOffsets[r]; i < cells.rowOffsets[r + 1]; ++i) {
      const std::int64_t x = cells.intervals[i].begin;
      while (nodes.intervals[n].end < x) {
        ++n;
      }
      bases[nodeRowsPerRow<Dim> * i + k] = firstNode(nodes, n) + (x - nodes.intervals[n].begin);
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void nodeBases(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const IntervalSetOn<Dim, ExecutionSpace>& nodeRows,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& bases) {
  SPANWISE_REGION("Geometry::nodeBases");
  const detail::RowPieces pieces = detail::RowPieces::of(context.space(), set.numRows());
  forEach(SPANWISE_KERNEL("node bases"), IndexRange<ExecutionSpace>(context.space(), 0, pieces.count()),
    FindNodeBases<Dim>{set.view(), nodeRows.view(), bases.data(), pieces},
    Work{nodeRowsPerRow<Dim> * set.numIntervals()});
}

#define SPANWISE_NODE_ROWS(Space, Dim)                                                                                 \
  template void nodeRowsOf<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                        \
    IntervalSetOn<Dim, Space>&, NodeRowsScratch<Dim, Space::memory_space>&);                                           \
  template void nodeRowsOf<Space, Dim>(                                                                                \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&);                              \
  template void nodeBases<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                         \
    const IntervalSetOn<Dim, Space>&, const Kokkos::View<std::int64_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_NODE_ROWS)

} // namespace spanwise::geometry
