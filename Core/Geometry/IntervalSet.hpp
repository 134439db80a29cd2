#pragma once

#include "Core/Geometry/Interval.hpp"
#include "Core/Geometry/RowCursor.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace spanwise::geometry {

/// What kernels see of an interval set: plain pointers and counts, cheap to copy into a functor.
///
/// Cells are numbered by row, then x; the cell offset of an interval is the number of its first cell.
template <int Dim>
struct IntervalSetView {
  const RowKey<Dim>* rowKeys = nullptr;      ///< [numRows] sorted, unique
  const std::int64_t* rowOffsets = nullptr;  ///< [numRows + 1] first interval of each row
  const Interval* intervals = nullptr;       ///< [numIntervals] sorted, disjoint and not touching within a row
  const std::int64_t* cellOffsets = nullptr; ///< [numIntervals + 1] first cell of each interval
  std::int64_t numRows = 0;
  std::int64_t numIntervals = 0;
  std::int64_t numCells = 0;

  [[nodiscard]] KOKKOS_FUNCTION IntervalRow row(std::int64_t r) const {
    return {intervals + rowOffsets[r], rowOffsets[r + 1] - rowOffsets[r]};
  }

  /// The first row whose key is not less than `key`; numRows if there is none. O(log rows).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lowerRow(const RowKey<Dim>& key) const {
    std::int64_t low = 0;
    std::int64_t high = numRows;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (rowKeys[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The row with this key, or -1. O(log rows).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t findRow(const RowKey<Dim>& key) const {
    const std::int64_t r = lowerRow(key);
    return r < numRows && rowKeys[r] == key ? r : -1;
  }

  /// The first interval of row `r` that ends after `x`; rowOffsets[r + 1] if there is none. O(log intervals of the
  /// row).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lowerInterval(std::int64_t r, Coordinate x) const {
    std::int64_t low = rowOffsets[r];
    std::int64_t high = rowOffsets[r + 1];
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (intervals[middle].end <= x) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The number of the cell, or -1 if it is not in the set. O(log rows + log intervals of the row).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t findCell(const Cell<Dim>& cell) const {
    const std::int64_t r = findRow(cell.row());
    return r < 0 ? -1 : findCellInRow(r, cell.x());
  }

  /// The number of the cell x of row `r`, or -1.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t findCellInRow(std::int64_t r, Coordinate x) const {
    const std::int64_t i = lowerInterval(r, x);
    return i < rowOffsets[r + 1] && intervals[i].begin <= x
      ? cellOffsets[i] + (static_cast<std::int64_t>(x) - intervals[i].begin)
      : -1;
  }

  /// The row that holds interval `i`. O(log rows).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t rowOfInterval(std::int64_t i) const {
    return firstAbove(rowOffsets, 0, numRows + 1, i) - 1;
  }

  /// The interval that holds the cell with number `c`. O(log intervals).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t intervalOfCell(std::int64_t c) const {
    return firstAbove(cellOffsets, 0, numIntervals + 1, c) - 1;
  }
};

/// The arrays of a set that is being written, for kernels.
template <int Dim>
struct WritableIntervalSet {
  RowKey<Dim>* rowKeys;
  std::int64_t* rowOffsets;
  Interval* intervals;
  std::int64_t* cellOffsets;

  /// What was written.
  [[nodiscard]] KOKKOS_FUNCTION IntervalSetView<Dim> view(const SetTotals& totals) const {
    return {rowKeys, rowOffsets, intervals, cellOffsets, totals.rows, totals.intervals, totals.cells};
  }
};

/// A set of cells as intervals in compressed rows: 16 bytes an interval and at most 16 a row.
///
/// The rules, which validate() checks: row keys are sorted and unique, row offsets start at 0, no row is empty, the
/// intervals of a row are sorted, not empty, disjoint and not touching, interval ends are at most 2^31 - 1 and row keys
/// at most 2^31 - 2, and cell offsets are the running sum of the intervals' lengths.
///
/// Copies share the arrays, as Kokkos Views do. A function that writes a set writes into the memory that the set
/// already has, if that is large enough and no copy shares it; otherwise it allocates.
///
/// Counts are known when a function returns, but on a device the last kernels may still write the arrays: those of the
/// same execution-space instance run after them, others must wait for it.
template <int Dim, class MemorySpace>
class IntervalSet {
  static_assert(Dim == 2 || Dim == 3, "interval sets are 2D or 3D");

public:
  using memory_space = MemorySpace;
  static constexpr int dimension = Dim;
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  [[nodiscard]] std::int64_t numRows() const { return numRows_; }
  [[nodiscard]] std::int64_t numIntervals() const { return numIntervals_; }
  [[nodiscard]] std::int64_t numCells() const { return numCells_; }
  [[nodiscard]] bool empty() const { return numCells_ == 0; }

  [[nodiscard]] IntervalSetView<Dim> view() const {
    return {
      rowKeys_.data(), rowOffsets_.data(), intervals_.data(), cellOffsets_.data(), numRows_, numIntervals_, numCells_};
  }

  // The arrays at their exact lengths, shared with the set.
  [[nodiscard]] Kokkos::View<const RowKey<Dim>*, MemorySpace> rowKeys() const { return first(rowKeys_, numRows_); }
  [[nodiscard]] Kokkos::View<const std::int64_t*, MemorySpace> rowOffsets() const {
    return first(rowOffsets_, numRows_ > 0 ? numRows_ + 1 : 0);
  }
  [[nodiscard]] Kokkos::View<const Interval*, MemorySpace> intervals() const {
    return first(intervals_, numIntervals_);
  }
  [[nodiscard]] Kokkos::View<const std::int64_t*, MemorySpace> cellOffsets() const {
    return first(cellOffsets_, numIntervals_ > 0 ? numIntervals_ + 1 : 0);
  }

  /// Bytes of the arrays, used or reserved.
  [[nodiscard]] std::size_t bytes() const {
    return rowKeys_.span() * sizeof(RowKey<Dim>) + rowOffsets_.span() * sizeof(std::int64_t) +
      intervals_.span() * sizeof(Interval) + cellOffsets_.span() * sizeof(std::int64_t);
  }
  /// Bytes that the set needs: bytes() of a set with nothing reserved.
  [[nodiscard]] std::size_t bytesUsed() const {
    return empty() ? 0
                   : static_cast<std::size_t>(numRows_) * (sizeof(RowKey<Dim>) + sizeof(std::int64_t)) +
        static_cast<std::size_t>(numIntervals_) * (sizeof(Interval) + sizeof(std::int64_t)) + 2 * sizeof(std::int64_t);
  }

  /// Makes room for a set of at most so many rows and intervals, and empties this set. The arrays' contents are
  /// undefined until finish(). One endpoint more than the intervals need may be written. Throws if there is no memory.
  WritableIntervalSet<Dim> prepare(std::int64_t rows, std::int64_t intervals) {
    numRows_ = numIntervals_ = numCells_ = 0;
    reserve(rowKeys_, rows, SPANWISE_LABEL("IntervalSet::rowKeys"));
    reserve(rowOffsets_, rows + 1, SPANWISE_LABEL("IntervalSet::rowOffsets"));
    reserve(intervals_, intervals + 1, SPANWISE_LABEL("IntervalSet::intervals"));
    reserve(cellOffsets_, intervals + 1, SPANWISE_LABEL("IntervalSet::cellOffsets"));
    return {rowKeys_.data(), rowOffsets_.data(), intervals_.data(), cellOffsets_.data()};
  }

  /// Declares the arrays of prepare() to hold a set with these counts.
  void finish(const SetTotals& totals) {
    numRows_ = totals.rows;
    numIntervals_ = totals.intervals;
    numCells_ = totals.cells;
  }

  /// Makes this the empty set; keeps the memory.
  void clear() { finish({}); }

  /// Gives up what is reserved, without moving anything: the arrays end where the set does. On the host what was never
  /// written beyond took no memory. Copies that share the arrays keep their lengths.
  void shrink() {
    shorten(rowKeys_, numRows_);
    shorten(rowOffsets_, numRows_ + 1);
    shorten(intervals_, numIntervals_ + 1);
    shorten(cellOffsets_, numIntervals_ + 1);
  }

private:
  template <class T>
  static void shorten(Array<T>& array, std::int64_t count) {
    const auto used = static_cast<std::size_t>(count);
    if (used < array.extent(0)) {
      array = Kokkos::subview(array, Kokkos::pair<std::size_t, std::size_t>(0, used));
    }
  }

  template <class T>
  static Kokkos::View<const T*, MemorySpace> first(const Array<T>& array, std::int64_t count) {
    return Kokkos::subview(array, Kokkos::pair<std::size_t, std::size_t>(0, static_cast<std::size_t>(count)));
  }

  Array<RowKey<Dim>> rowKeys_;
  Array<std::int64_t> rowOffsets_;
  Array<Interval> intervals_;
  Array<std::int64_t> cellOffsets_;
  std::int64_t numRows_ = 0;
  std::int64_t numIntervals_ = 0;
  std::int64_t numCells_ = 0;
};

/// A set in the memory of an execution space.
template <int Dim, class ExecutionSpace>
using IntervalSetOn = IntervalSet<Dim, typename ExecutionSpace::memory_space>;

/// A set in the host's memory.
template <int Dim>
using HostIntervalSet = IntervalSet<Dim, Kokkos::HostSpace>;

} // namespace spanwise::geometry
