#pragma once

#include "Core/Geometry/Segments.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"

#include <cstdint>
#include <type_traits>

namespace spanwise::lattice::detail {

/// Cells side by side as in StreamSegment, of which the first and the last may be at the end of a row: what moves along
/// the row comes to them from places of their own, from a wall for instance. So a row between two walls, which is three
/// segments, is one of these. Of fields whose populations lie side by side from cell to cell. Places are in bytes from
/// the beginning of a field: with values, a third of what a device computes in a step would be addresses.
template <class Set>
struct StreamRow {
  /// So many populations go up the first axis, as many as go up the last one; and as many go down.
  static constexpr int numAlong = Set::numUp;

  std::int64_t own;
  std::int64_t ownStride;
  std::int64_t source[Set::count - 1]; ///< of population q + 1 of the first cell, as if it had a cell before it
  std::int64_t first[numAlong];        ///< where those that go up the first axis come from, to the first cell
  std::int64_t last[numAlong];         ///< and those that go down it, to the last cell
};

/// Where population q goes along the first axis.
template <class Set, int q>
inline constexpr int alongRow = Set::velocity(q, 0);

/// The number of population q among those that go the same way along the first axis.
template <class Set>
constexpr KOKKOS_FUNCTION int numberAlong(int q) {
  int number = 0;
  for (int before = 1; before < q; ++before) {
    number += Set::velocity(before, 0) == Set::velocity(q, 0) ? 1 : 0;
  }
  return number;
}

/// The value at a place.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T* placed(T* values, std::int64_t bytes) {
  using Bytes = std::conditional_t<std::is_const_v<T>, const char, char>;
  return reinterpret_cast<T*>(reinterpret_cast<Bytes*>(values) + bytes);
}

/// Some of a row's cells.
struct CellsOfRow {
  std::int64_t row;
  std::int64_t begin; ///< counted from the first of the row
  std::int64_t end;
  std::int64_t length; ///< of the row
};

/// Calls call(q, i, value) with the places of a row's cells from which their populations come; q and i, the number of a
/// cell of `count`, are constants of their types.
template <class Set, int count, class T, class Call>
KOKKOS_FORCEINLINE_FUNCTION void forSources(
  T* values, const StreamRow<Set>& row, const CellsOfRow& cells, const Call& call) {
  const bool isFirst = cells.begin == 0;
  const bool isLast = cells.end == cells.length;
  T* const begin = values + cells.begin;
  unrolled<Set::count>([&](auto population) {
    constexpr int q = decltype(population)::value;
    constexpr int along = alongRow<Set, q>;
    T* from = nullptr;
    if constexpr (q == 0) {
      from = placed(begin, row.own);
    } else {
      from = placed(begin, row.source[q - 1]);
    }
    unrolled<count>([&](auto i) {
      if constexpr (along == 1 && decltype(i)::value == 0) {
        constexpr int number = numberAlong<Set>(q);
        call(population, i, isFirst ? *placed(values, row.first[number]) : from[0]);
      } else if constexpr (along == -1 && decltype(i)::value == count - 1) {
        constexpr int number = numberAlong<Set>(q);
        call(population, i, isLast ? *placed(values, row.last[number]) : from[i]);
      } else {
        call(population, i, from[i]);
      }
    });
  });
}

/// Rows as kernels see them.
template <class Set>
struct StreamRowsView {
  geometry::SegmentsView lengths; ///< in cells
  geometry::SegmentsView pieces;  ///< in pieces of `cellsPerPiece`; of one cell: as `lengths`
  const StreamRow<Set>* rows;

  /// Piece n: cells whose own values, of so many bytes, lie at a multiple of `cellsPerPiece`; fewer at ends of rows.
  template <int cellsPerPiece, int bytesOfValue>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION CellsOfRow piece(std::int64_t n) const {
    const std::int64_t row = pieces.segmentOf(n);
    const std::int64_t length = lengths.offsets[row + 1] - lengths.offsets[row];
    const std::int64_t before = rows[row].own / bytesOfValue % cellsPerPiece;
    const std::int64_t begin = (n - pieces.offsets[row]) * cellsPerPiece - before;
    return {row, Kokkos::max(begin, std::int64_t{0}), Kokkos::min(begin + cellsPerPiece, length), length};
  }
};

/// Finds which segments are the ends of rows.
template <class Set>
struct SegmentsInRow {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t length(std::int64_t s) const {
    return lengths.offsets[s + 1] - lengths.offsets[s];
  }

  /// Whether segment s is the last cell of the row before it.
  [[nodiscard]] KOKKOS_FUNCTION bool isLast(std::int64_t s) const {
    return s > 0 && length(s) == 1 && length(s - 1) > 1 && continues(s, 1);
  }
  /// Whether segment s is the first cell of the row after it.
  [[nodiscard]] KOKKOS_FUNCTION bool isFirst(std::int64_t s) const {
    return s + 1 < lengths.count && length(s) == 1 && length(s + 1) > 1 && !isLast(s) && continues(s + 1, -1);
  }
  [[nodiscard]] KOKKOS_FUNCTION bool beginsRow(std::int64_t s) const {
    return !isLast(s) && !(s > 0 && isFirst(s - 1));
  }

private:
  /// Whether segment s goes on where the one before ends, in all populations but those that go the other way along the
  /// first axis.
  [[nodiscard]] KOKKOS_FUNCTION bool continues(std::int64_t s, int along) const {
    const StreamSegment<Set>& a = segments[s - 1];
    const StreamSegment<Set>& b = segments[s];
    const std::int64_t distance = length(s - 1);
    bool does = b.own == a.own + distance && b.ownStride == a.ownStride;
    unrolled<Set::count - 1>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      does = does && (alongRow<Set, q> == -along || b.source[n] == a.source[n] + distance);
    });
    return does;
  }
};

/// Counts rows, or writes them.
template <class Set>
struct MakeStreamRows {
  SegmentsInRow<Set> in;
  std::int64_t bytesOfValue;
  std::int64_t cellsPerPiece;
  std::int64_t* numbers; ///< of segments: whether they begin a row; then the number of the row
  std::int64_t* pieces;  ///< the same of the row's pieces
  StreamRow<Set>* rows;  ///< null: they are counted
  std::int64_t* rowOffsets;
  std::int64_t* pieceOffsets; ///< null where these are cells

  KOKKOS_FUNCTION void operator()(std::int64_t s) const {
    const bool begins = in.beginsRow(s);
    if (rows == nullptr) {
      numbers[s] = begins ? 1 : 0;
      if (pieceOffsets != nullptr) {
        pieces[s] =
          begins ? (lengthOfRow(s) + in.segments[s].own % cellsPerPiece + cellsPerPiece - 1) / cellsPerPiece : 0;
      }
    } else if (begins) {
      write(s, numbers[s]);
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lengthOfRow(std::int64_t s) const {
    const std::int64_t inner = in.isFirst(s) ? s + 1 : s;
    const std::int64_t end = inner + 1 < in.lengths.count && in.isLast(inner + 1) ? inner + 2 : inner + 1;
    return in.lengths.offsets[end] - in.lengths.offsets[s];
  }

  KOKKOS_FUNCTION void write(std::int64_t s, std::int64_t number) const {
    const std::int64_t inner = in.isFirst(s) ? s + 1 : s;
    const std::int64_t lengthBefore = in.lengths.offsets[inner] - in.lengths.offsets[s];
    const std::int64_t length = lengthOfRow(s);
    const bool hasLast = lengthBefore + in.length(inner) < length;
    StreamRow<Set> row;
    row.own = in.segments[s].own * bytesOfValue;
    row.ownStride = in.segments[s].ownStride * bytesOfValue;
    unrolled<Set::count - 1>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      const std::int64_t source = in.segments[inner].source[n] - lengthBefore;
      row.source[n] = source * bytesOfValue;
      if constexpr (alongRow<Set, q> == 1) {
        constexpr int k = numberAlong<Set>(q);
        row.first[k] = in.segments[s].source[n] * bytesOfValue;
      } else if constexpr (alongRow<Set, q> == -1) {
        constexpr int k = numberAlong<Set>(q);
        row.last[k] = (hasLast ? in.segments[inner + 1].source[n] : source + length - 1) * bytesOfValue;
      }
    });
    rows[number] = row;
    rowOffsets[number] = in.lengths.offsets[s];
    if (pieceOffsets != nullptr) {
      pieceOffsets[number] = pieces[s];
    }
  }
};

/// The cells of a StreamMap in rows, for the kernels in which time is spent: fewer and longer than segments. Keeps its
/// memory; copies share it.
template <class Set, class MemorySpace>
class StreamRows {
public:
  [[nodiscard]] std::int64_t numRows() const { return lengths_.count(); }
  [[nodiscard]] std::int64_t numCells() const { return lengths_.numCells(); }
  [[nodiscard]] int cellsPerPiece() const { return cellsPerPiece_; }
  [[nodiscard]] std::int64_t numPieces() const { return view().pieces.numCells; }
  [[nodiscard]] StreamRowsView<Set> view() const {
    return {lengths_.view(), cellsPerPiece_ == 1 ? lengths_.view() : pieces_.view(), rows_.data()};
  }
  [[nodiscard]] std::size_t bytes() const {
    return rows_.span() * sizeof(StreamRow<Set>) + lengths_.bytes() + pieces_.bytes();
  }

  /// Of fields of values of so many bytes; in pieces of one cell or two. O(segments).
  template <class ExecutionSpace>
  void build(const Context<ExecutionSpace>& context, const StreamMap<Set, MemorySpace>& map, int bytesOfValue,
    int cellsPerPiece) {
    const ExecutionSpace& space = context.space();
    cellsPerPiece_ = cellsPerPiece;
    lengths_.clear();
    pieces_.clear();
    const geometry::SegmentsView segments = map.lengths();
    if (segments.numCells == 0) {
      return;
    }
    const bool counts = cellsPerPiece > 1;
    const IndexRange<ExecutionSpace> all(space, 0, segments.count);
    typename Workspace<MemorySpace>::Frame frame(context.workspace());
    std::int64_t* const numbers = frame.template array<std::int64_t>(segments.count + 1).data();
    std::int64_t* const pieces = counts ? frame.template array<std::int64_t>(segments.count + 1).data() : nullptr;
    MakeStreamRows<Set> make{
      {segments, map.segments()}, bytesOfValue, cellsPerPiece, numbers, pieces, nullptr, nullptr, pieces};
    forEach(SPANWISE_KERNEL("count rows"), all, make);
    const std::int64_t numRows = exclusiveScan(space, SPANWISE_KERNEL("scan rows"), numbers, segments.count);
    const std::int64_t numPieces =
      counts ? exclusiveScan(space, SPANWISE_KERNEL("scan rows"), pieces, segments.count) : 0;
    reserve(rows_, numRows, SPANWISE_LABEL("Lattice::streamRows"));
    make.rows = rows_.data();
    make.rowOffsets = lengths_.prepare(numRows);
    make.pieceOffsets = counts ? pieces_.prepare(numRows) : nullptr;
    forEach(SPANWISE_KERNEL("make rows"), all, make);
    finish(space, lengths_, make.rowOffsets, numRows, segments.numCells);
    if (counts) {
      finish(space, pieces_, make.pieceOffsets, numRows, numPieces);
    }
    space.fence(SPANWISE_LABEL("StreamRows::build"));
  }

private:
  template <class ExecutionSpace>
  static void finish(const ExecutionSpace& space, geometry::Segments<MemorySpace>& lengths, std::int64_t* offsets,
    std::int64_t count, std::int64_t numCells) {
    Kokkos::deep_copy(space,
      Kokkos::View<std::int64_t, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(offsets + count), numCells);
    lengths.finish(space, count, numCells);
  }

  Kokkos::View<StreamRow<Set>*, MemorySpace> rows_;
  geometry::Segments<MemorySpace> lengths_;
  geometry::Segments<MemorySpace> pieces_; ///< of the same rows, where pieces are not cells
  int cellsPerPiece_ = 1;
};

} // namespace spanwise::lattice::detail
