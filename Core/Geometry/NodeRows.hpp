#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

// The nodes of cells. The cell (x, y) has the nodes (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1); likewise in 3D.
//
// Node rows are kept as an interval set whose intervals [begin, end) stand for the nodes begin, begin + 1, ... end: one
// node more than the interval has cells. So the node at the very end of the coordinate range exists, and the first node
// of interval i has the number cellOffsets[i] + i. Nodes are numbered by row, then x.

/// The number of the first node of interval `i` of node rows.
template <int Dim>
KOKKOS_FUNCTION std::int64_t firstNode(const IntervalSetView<Dim>& nodeRows, std::int64_t i) {
  return nodeRows.cellOffsets[i] + i;
}

/// How many nodes there are.
template <int Dim>
KOKKOS_FUNCTION std::int64_t numNodes(const IntervalSetView<Dim>& nodeRows) {
  return nodeRows.numCells + nodeRows.numIntervals;
}

/// The number of the node x of row `r` of node rows, or -1. O(log intervals of the row).
template <int Dim>
KOKKOS_FUNCTION std::int64_t findNodeInRow(const IntervalSetView<Dim>& nodeRows, std::int64_t r, Coordinate x) {
  std::int64_t i = nodeRows.lowerInterval(r, x); // the first that ends after x; x may end the one before it
  if (i > nodeRows.rowOffsets[r] && nodeRows.intervals[i - 1].end == x) {
    --i;
  }
  return i < nodeRows.rowOffsets[r + 1] && nodeRows.intervals[i].begin <= x
    ? firstNode(nodeRows, i) + (static_cast<std::int64_t>(x) - nodeRows.intervals[i].begin)
    : -1;
}

/// The sets that nodeRowsOf() goes through. Keeps its memory.
template <int Dim, class MemorySpace>
struct NodeRowsScratch {
  IntervalSet<Dim, MemorySpace> above;
  IntervalSet<Dim, MemorySpace> planes;
};

/// out = the node rows of a set of cells. O(rows + intervals). A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void nodeRowsOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out, NodeRowsScratch<Dim, typename ExecutionSpace::memory_space>& scratch);

/// The same for one use: `out` has no reserved memory.
template <class ExecutionSpace, int Dim>
void nodeRowsOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out);

/// How many nodes the cells of a set have: numNodes() of its node rows, which are not made. Waits for the number.
/// O(rows + intervals) on the host, O(rows log rows + intervals) on a device.
template <class ExecutionSpace, int Dim>
std::int64_t countNodes(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set);

/// How many node rows a row of cells has: one below and one above it, in 3D each in front and behind.
template <int Dim>
inline constexpr int nodeRowsPerRow = 1 << (Dim - 1);

/// bases[nodeRowsPerRow * i + k] = the number of the node at the begin of interval i in its node row k, where bit 0 of
/// k adds one to y and bit 1 adds one to z. The node d cells further right has the number base + d. `nodeRows` must be
/// nodeRowsOf(set), and `bases` have nodeRowsPerRow * set.numIntervals() entries. O(rows + intervals) on the host,
/// O(rows log rows + intervals) on a device. Does not wait for the numbers.
template <class ExecutionSpace, int Dim>
void nodeBases(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const IntervalSetOn<Dim, ExecutionSpace>& nodeRows,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& bases);

/// The cells and nodes of a set with their numbers, for kernels.
template <int Dim>
struct CellsAndNodes {
  IntervalSetView<Dim> cells;
  IntervalSetView<Dim> nodeRows;       ///< of the cells
  const std::int64_t* bases = nullptr; ///< what nodeBases() finds

  /// The number of the node at the begin of interval `i` in its node row `k`.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nodeBase(std::int64_t i, int k) const {
    return bases[nodeRowsPerRow<Dim> * i + k];
  }
};

} // namespace spanwise::geometry
