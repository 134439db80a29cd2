#include "Core/Geometry/NodeRows.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Detail/Shift.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"

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

template <class ExecutionSpace, int Dim>
void nodeBases(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const IntervalSetOn<Dim, ExecutionSpace>& nodeRows,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& bases) {
  SPANWISE_REGION("Geometry::nodeBases");
  const IntervalSetView<Dim> cells = set.view();
  const IntervalSetView<Dim> nodes = nodeRows.view();
  const auto findBases = KOKKOS_LAMBDA(std::int64_t r) {
    for (int k = 0; k < nodeRowsPerRow<Dim>; ++k) {
      RowKey<Dim> key = cells.rowKeys[r];
      key.y += k & 1;
      if constexpr (Dim == 3) {
        key.z += k >> 1;
      }
      const std::int64_t nodeRow = nodes.findRow(key);
      for (std::int64_t i = cells.rowOffsets[r]; i < cells.rowOffsets[r + 1]; ++i) {
        bases(nodeRowsPerRow<Dim> * i + k) = findNodeInRow(nodes, nodeRow, cells.intervals[i].begin);
      }
    }
  };
  forEach(SPANWISE_KERNEL("node bases"), IndexRange<ExecutionSpace>(context.space(), 0, set.numRows()), findBases,
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
