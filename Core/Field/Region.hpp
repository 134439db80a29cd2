#pragma once

#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <utility>

namespace spanwise::field {

/// The cells that a function of fields is held to: all, or those of a region. All other values stay as they are. What
/// it is made of must live as long as it does.
template <class MemorySpace>
class Within {
public:
  /// All cells.
  Within() = default;
  /// The cells that a set, as the first of the two, shares with a region.
  Within(
    const geometry::CommonCells<MemorySpace>& cells) // NOLINT(google-explicit-constructor): an argument says what it is
    : cells_(&cells) {}

  /// Those cells, or nullptr for all.
  [[nodiscard]] const geometry::CommonCells<MemorySpace>* cells() const { return cells_; }

private:
  const geometry::CommonCells<MemorySpace>* cells_ = nullptr;
};

namespace detail {

/// Whether two sets are the same set in the same arrays. While both exist neither is written, so that what was found
/// for one holds for the other.
template <int Dim, class MemorySpace>
bool sharesArrays(const geometry::IntervalSet<Dim, MemorySpace>& a, const geometry::IntervalSet<Dim, MemorySpace>& b) {
  const geometry::IntervalSetView<Dim> p = a.view();
  const geometry::IntervalSetView<Dim> q = b.view();
  return p.numRows == q.numRows && p.numIntervals == q.numIntervals && p.numCells == q.numCells &&
    (p.numCells == 0 || (p.rowKeys == q.rowKeys && p.intervals == q.intervals));
}

} // namespace detail

/// A region: any interval set, through which fields of other sets are seen. Functions of fields work on the cells that
/// a field's set shares with it, without a copy of values:
///
///   fill(context, pressure, 0.0, inlet.in(context, set));
template <int Dim, class MemorySpace>
class Region {
public:
  explicit Region(geometry::IntervalSet<Dim, MemorySpace> region) : region_(std::move(region)) {}

  [[nodiscard]] const geometry::IntervalSet<Dim, MemorySpace>& set() const { return region_; }

  /// The cells of `set` that are in the region. Found on the first call, and kept until a call with another set: one
  /// with other arrays or written since. The region shares the arrays of the set that it knows, so that they are not
  /// written meanwhile. O(1), the first time that of commonCells(). Does not wait.
  template <class ExecutionSpace>
  const geometry::CommonCells<MemorySpace>& in(
    const Context<ExecutionSpace>& context, const geometry::IntervalSet<Dim, MemorySpace>& set) {
    if (!known_ || !detail::sharesArrays(knownSet_, set)) {
      known_ = false;
      knownSet_ = set;
      commonCells<ExecutionSpace, Dim>(context, set, region_, cells_);
      known_ = true;
    }
    return cells_;
  }

  /// Forgets the set that it knows, so that its arrays may be written again.
  void forget() {
    known_ = false;
    knownSet_ = {};
  }

private:
  geometry::IntervalSet<Dim, MemorySpace> region_;
  geometry::IntervalSet<Dim, MemorySpace> knownSet_;
  geometry::CommonCells<MemorySpace> cells_;
  bool known_ = false;
};

/// A region in the memory of an execution space.
template <int Dim, class ExecutionSpace>
using RegionOn = Region<Dim, typename ExecutionSpace::memory_space>;

} // namespace spanwise::field
