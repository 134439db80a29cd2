#include "Core/Geometry/NodeRows.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Detail/Shift.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Search.hpp"

#include <cstdint>
#include <limits>

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

/// What is looked up for one row is near what was looked up for the row before: kernels go through so many rows of
/// cells one after the other on the host.
constexpr std::int64_t leastRowsAtOnce = 16;
constexpr std::int64_t mostRowsAtOnce = 256;

/// Pieces of rows, for kernels that take a piece's number.
struct RowPieces {
  std::int64_t numRows;
  std::int64_t perPiece;

  template <class ExecutionSpace>
  static RowPieces of(const ExecutionSpace& space, std::int64_t numRows) {
    if constexpr (runsOnHost<ExecutionSpace>) {
      return {numRows, itemsPerPiece(space, numRows, leastRowsAtOnce, mostRowsAtOnce)};
    } else {
      return {numRows, 1};
    }
  }
  [[nodiscard]] std::int64_t count() const { return (numRows + perPiece - 1) / perPiece; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t begin(std::int64_t piece) const { return piece * perPiece; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t end(std::int64_t piece) const {
    return Kokkos::min((piece + 1) * perPiece, numRows);
  }
};

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
  RowPieces pieces;

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

/// The rows of cells at a row of nodes, up to four, are merged. The first of them in the order of rows counts for it.
template <int Dim>
struct CountNodes {
  IntervalSetView<Dim> cells;
  RowPieces pieces;

  KOKKOS_FUNCTION void operator()(std::int64_t piece, std::int64_t& count) const {
    std::int64_t behind = pieces.begin(piece); // the first row of the plane z - 1 at y - 1 or above
    std::int64_t before = behind;              // of z + 1
    for (std::int64_t r = pieces.begin(piece); r < pieces.end(piece); ++r) {
      const RowKey<Dim> key = cells.rowKeys[r];
      const std::int64_t lower = is(r - 1, key, -1, 0) ? r - 1 : -1;
      const std::int64_t upper = is(r + 1, key, 1, 0) ? r + 1 : -1;
      if constexpr (Dim == 2) {
        count += nodesOf(r, upper);
        count += lower < 0 ? nodesOf(r) : 0;
      } else {
        std::int64_t last[3];
        std::int64_t next[3];
        findThree(key, -1, behind, last);
        findThree(key, 1, before, next);
        // the nodes of each corner of (y, z), unless a row before this one has them
        count += nodesOf(r, upper, next[1], next[2]);
        count += lower < 0 ? nodesOf(r, next[0], next[1]) : 0;
        count += last[1] < 0 && last[2] < 0 ? nodesOf(r, upper) : 0;
        count += lower < 0 && last[0] < 0 && last[1] < 0 ? nodesOf(r) : 0;
      }
    }
  }

private:
  /// Whether row `r` exists and lies so far from the row with this key.
  [[nodiscard]] KOKKOS_FUNCTION bool is(std::int64_t r, const RowKey<Dim>& key, int dy, int dz) const {
    if (r < 0 || r >= cells.numRows) {
      return false;
    }
    const RowKey<Dim> found = cells.rowKeys[r];
    return std::int64_t{found.y} == std::int64_t{key.y} + dy &&
      std::int64_t{found.zOr0()} == std::int64_t{key.zOr0()} + dz;
  }

  /// The rows y - 1, y and y + 1 of the plane z + dz; -1 for those that do not exist.
  KOKKOS_FUNCTION void findThree(const RowKey<Dim>& key, int dz, std::int64_t& guess, std::int64_t (&rows)[3]) const {
    const std::int64_t y = std::int64_t{key.y} - 1;
    const std::int64_t z = std::int64_t{key.zOr0()} + dz;
    guess = firstTrue(0, cells.numRows, guess, [&](std::int64_t r) {
      const RowKey<Dim> at = cells.rowKeys[r];
      return at.zOr0() > z || (at.zOr0() == z && at.y >= y);
    });
    std::int64_t r = guess;
    for (int n = 0; n < 3; ++n) {
      rows[n] = is(r, key, n - 1, dz) ? r++ : -1;
    }
  }

  /// The nodes on a line that any of these rows has.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nodesOf(
    std::int64_t a, std::int64_t b, std::int64_t c = -1, std::int64_t d = -1) const {
    const std::int64_t rows[4] = {a, b, c, d};
    const std::int64_t together = nodesOfOverlapping(rows);
    if (together >= 0) {
      return together;
    }
    constexpr Coordinate none = maxIntervalEnd; // no interval begins there
    const Interval* at[4];
    const Interval* end[4];
    Coordinate begins[4];
    for (int n = 0; n < 4; ++n) {
      at[n] = cells.intervals + (rows[n] < 0 ? 0 : cells.rowOffsets[rows[n]]);
      end[n] = cells.intervals + (rows[n] < 0 ? 0 : cells.rowOffsets[rows[n] + 1]);
      begins[n] = at[n] < end[n] ? at[n]->begin : none;
    }
    std::int64_t sum = 0;
    std::int64_t counted = std::numeric_limits<std::int64_t>::min(); // nodes below are
    while (true) {
      const int one = begins[1] < begins[0] ? 1 : 0; // by moves, not by jumps that nobody foresees
      const int other = begins[3] < begins[2] ? 3 : 2;
      const int first = begins[other] < begins[one] ? other : one;
      const std::int64_t begin = begins[first];
      if (begin == none) {
        return sum;
      }
      const std::int64_t from = Kokkos::max(counted, begin);
      const std::int64_t past = Kokkos::max(from, std::int64_t{at[first]->end} + 1);
      sum += past - from;
      counted = past;
      ++at[first];
      begins[first] = at[first] < end[first] ? at[first]->begin : none;
    }
  }

  /// The same of rows with one interval each, all of which have a node in common; -1 if they are others.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nodesOfOverlapping(const std::int64_t (&rows)[4]) const {
    std::int64_t low = maxIntervalEnd;
    std::int64_t high = minCoordinate;
    std::int64_t begin = minCoordinate; // of the nodes in common
    std::int64_t end = maxIntervalEnd;
    for (const std::int64_t r : rows) {
      if (r < 0) {
        continue;
      }
      const std::int64_t i = cells.rowOffsets[r];
      if (cells.rowOffsets[r + 1] != i + 1) {
        return -1;
      }
      const Interval interval = cells.intervals[i];
      low = Kokkos::min(low, std::int64_t{interval.begin});
      high = Kokkos::max(high, std::int64_t{interval.end});
      begin = Kokkos::max(begin, std::int64_t{interval.begin});
      end = Kokkos::min(end, std::int64_t{interval.end});
    }
    return begin <= end ? high - low + 1 : -1;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nodesOf(std::int64_t r) const {
    const std::int64_t begin = cells.rowOffsets[r];
    const std::int64_t end = cells.rowOffsets[r + 1];
    return cells.cellOffsets[end] - cells.cellOffsets[begin] + (end - begin);
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t countNodes(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set) {
  SPANWISE_REGION("Geometry::countNodes");
  const RowPieces pieces = RowPieces::of(context.space(), set.numRows());
  std::int64_t count = 0;
  reduce(SPANWISE_KERNEL("count nodes"), IndexRange<ExecutionSpace>(context.space(), 0, pieces.count()),
    CountNodes<Dim>{set.view(), pieces}, count, Work{nodeRowsPerRow<Dim> * set.numIntervals()});
  return count;
}

template <class ExecutionSpace, int Dim>
void nodeBases(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const IntervalSetOn<Dim, ExecutionSpace>& nodeRows,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& bases) {
  SPANWISE_REGION("Geometry::nodeBases");
  const RowPieces pieces = RowPieces::of(context.space(), set.numRows());
  forEach(SPANWISE_KERNEL("node bases"), IndexRange<ExecutionSpace>(context.space(), 0, pieces.count()),
    FindNodeBases<Dim>{set.view(), nodeRows.view(), bases.data(), pieces},
    Work{nodeRowsPerRow<Dim> * set.numIntervals()});
}

#define SPANWISE_NODE_ROWS(Space, Dim)                                                                                 \
  template void nodeRowsOf<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                        \
    IntervalSetOn<Dim, Space>&, NodeRowsScratch<Dim, Space::memory_space>&);                                           \
  template void nodeRowsOf<Space, Dim>(                                                                                \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&);                              \
  template std::int64_t countNodes<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&);               \
  template void nodeBases<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                         \
    const IntervalSetOn<Dim, Space>&, const Kokkos::View<std::int64_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_NODE_ROWS)

} // namespace spanwise::geometry
