#pragma once

#include "Core/Geometry/Segments.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Lattice/VelocitySet.hpp"

#include <cstdint>
#include <type_traits>

namespace spanwise::lattice::detail {

// Rows of cells side by side, for the kernels in which time is spent. Places are in bytes from the beginning of a
// field: with values, a third of what a device computes in a step would be addresses.

/// Cells whose own populations lie side by side.
struct OwnRow {
  std::int64_t own;       ///< of population 0 of the first cell
  std::int64_t ownStride; ///< from a population of a cell to the next
};

/// Cells side by side as in StreamSegment, of which the first and the last may be at the end of a row: what moves along
/// the row comes to them from places of their own, from a wall for instance. So a row between two walls, which is three
/// segments, is one of these.
template <class Set>
struct StreamRow : OwnRow {
  /// So many populations go up the first axis, as many as go up the last one; and as many go down.
  static constexpr int numAlong = Set::numUp;

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
template <class Row>
struct RowsView {
  geometry::SegmentsView lengths; ///< in cells
  geometry::SegmentsView pieces;  ///< in pieces of `cellsPerPiece`; of one cell: as `lengths`
  const Row* rows;

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

/// Counts the pieces of rows.
template <class Row>
struct CountPieces {
  geometry::SegmentsView lengths;
  const Row* rows;
  std::int64_t bytesOfValue;
  std::int64_t cellsPerPiece;
  std::int64_t* pieces;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    const std::int64_t length = lengths.offsets[row + 1] - lengths.offsets[row];
    pieces[row] = (length + rows[row].own / bytesOfValue % cellsPerPiece + cellsPerPiece - 1) / cellsPerPiece;
  }
};

/// Rows and their lengths. Keeps its memory; copies share it.
template <class Row, class MemorySpace>
class Rows {
public:
  [[nodiscard]] std::int64_t numRows() const { return lengths_.count(); }
  [[nodiscard]] std::int64_t numCells() const { return lengths_.numCells(); }
  [[nodiscard]] int cellsPerPiece() const { return cellsPerPiece_; }
  [[nodiscard]] std::int64_t numPieces() const { return view().pieces.numCells; }
  [[nodiscard]] RowsView<Row> view() const {
    return {lengths_.view(), cellsPerPiece_ == 1 ? lengths_.view() : pieces_.view(), rows_.data()};
  }
  [[nodiscard]] std::size_t bytes() const { return rows_.span() * sizeof(Row) + lengths_.bytes() + pieces_.bytes(); }

  /// Room for rows, which the caller writes with the numbers of cells before them, and then calls finish().
  void prepare(std::int64_t numRows) {
    pieces_.clear();
    reserve(rows_, numRows, SPANWISE_LABEL("Lattice::rows"));
    offsets_ = lengths_.prepare(numRows);
  }
  [[nodiscard]] Row* rows() const { return rows_.data(); }
  [[nodiscard]] std::int64_t* offsets() const { return offsets_; }

  /// Of fields of values of so many bytes; in pieces of one cell or two.
  template <class ExecutionSpace>
  void finish(const Context<ExecutionSpace>& context, std::int64_t numRows, std::int64_t numCells, int bytesOfValue,
    int cellsPerPiece) {
    const ExecutionSpace& space = context.space();
    cellsPerPiece_ = cellsPerPiece;
    end(space, lengths_, offsets_, numRows, numCells);
    if (cellsPerPiece == 1 || numRows == 0) {
      return;
    }
    std::int64_t* const pieces = pieces_.prepare(numRows);
    forEach(SPANWISE_KERNEL("count pieces"), IndexRange<ExecutionSpace>(space, 0, numRows),
      CountPieces<Row>{lengths_.view(), rows_.data(), bytesOfValue, cellsPerPiece, pieces});
    const std::int64_t numPieces = exclusiveScan(space, SPANWISE_KERNEL("scan pieces"), pieces, numRows);
    end(space, pieces_, pieces, numRows, numPieces);
  }

private:
  template <class ExecutionSpace>
  static void end(const ExecutionSpace& space, geometry::Segments<MemorySpace>& lengths, std::int64_t* offsets,
    std::int64_t count, std::int64_t numCells) {
    Kokkos::deep_copy(space,
      Kokkos::View<std::int64_t, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(offsets + count), numCells);
    lengths.finish(space, count, numCells);
  }

  Kokkos::View<Row*, MemorySpace> rows_;
  geometry::Segments<MemorySpace> lengths_;
  geometry::Segments<MemorySpace> pieces_; ///< of the same rows, where pieces are not cells
  std::int64_t* offsets_ = nullptr;
  int cellsPerPiece_ = 1;
};

} // namespace spanwise::lattice::detail
