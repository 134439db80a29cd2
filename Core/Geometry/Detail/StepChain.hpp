#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Detail/Combine.hpp"
#include "Core/Geometry/Detail/ResizeIntervals.hpp"
#include "Core/Geometry/Detail/SlideWindowOnHost.hpp"

namespace spanwise::detail {

/// Moves row keys along axis 1 (y) or 2 (z). A key that would exceed the limits stops at a value that no row may have,
/// so the rows stay in order and meet no other.
template <int Dim>
struct MoveRowKeys {
  const RowKey<Dim>* from;
  RowKey<Dim>* to;
  int axis;
  std::int64_t by;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    RowKey<Dim> key = from[r];
    if constexpr (Dim == 3) {
      (axis == 1 ? key.y : key.z) = moved(axis == 1 ? key.y : key.z);
    } else {
      key.y = moved(key.y);
    }
    to[r] = key;
  }
  [[nodiscard]] KOKKOS_FUNCTION Coordinate moved(Coordinate value) const {
    return static_cast<Coordinate>(Kokkos::min<std::int64_t>(value + by, Coordinate{maxRowKey} + std::int64_t{1}));
  }
};

/// A set on its way through a known number of steps. The steps between write into the workspace, and the last one
/// writes into the output, so that nothing is allocated on repetition.
template <class Space, int Dim>
class StepChain {
  using Memory = typename Space::memory_space;

public:
  /// `out` shares nothing with `set`.
  StepChain(const Space& space, int numSteps, const IntervalSetOn<Dim, Space>& set, IntervalSetOn<Dim, Space>& out,
    Workspace<Memory>& workspace)
    : space_(space), stepsLeft_(numSteps), current_(set.view()), out_(out), workspace_(workspace), frame_(workspace) {
    if (numSteps == 0) {
      copy(set, out);
    }
  }

  /// The set after the steps so far.
  [[nodiscard]] const IntervalSetView<Dim>& current() const { return current_; }

  /// One step: resizeIntervals().
  void resize(std::int64_t beginMove, std::int64_t endMove) {
    --stepsLeft_;
    const WritableIntervalSet<Dim> target = arraysFor(current_.numRows, current_.numIntervals);
    take(target, resizeIntervals<Space, Dim>(space_, current_, beginMove, endMove, target, workspace_));
  }

  /// One step: a op b.
  void combine(SetOperation operation, const IntervalSetView<Dim>& a, const IntervalSetView<Dim>& b) {
    --stepsLeft_;
    const WritableIntervalSet<Dim> target = arraysFor(a.numRows + b.numRows, a.numIntervals + b.numIntervals);
    take(target, combineInto<Space, Dim>(space_, static_cast<unsigned>(operation), a, b, target, workspace_));
  }

  /// One step, on the host: each row becomes the union or intersection of itself and of the window - 1 rows before it.
  template <int Axis, SetOperation operation>
  void slideWindow(std::int64_t window) {
    --stepsLeft_;
    WritableIntervalSet<Dim> target{};
    const auto makeTarget = [&](std::int64_t rows, std::int64_t intervals) {
      return target = arraysFor(rows, intervals);
    };
    const SetTotals totals =
      slideWindowOnHost<Axis, operation, Space, Dim>(space_, current_, window, frame_, makeTarget);
    take(target, totals);
  }

  /// The current set with its rows moved up along an axis, as long as the chain lives: no step.
  IntervalSetView<Dim> movedRows(int axis, std::int64_t by) {
    IntervalSetView<Dim> moved = current_;
    RowKey<Dim>* const keys = frame_.template array<RowKey<Dim>>(current_.numRows).data();
    moveKeys(keys, axis, by);
    moved.rowKeys = keys;
    return moved;
  }

  /// Goes on with another set: no step.
  void goOnWith(const IntervalSetView<Dim>& view) { current_ = view; }

  /// Moves the rows of what the step before has made: no step.
  void moveRowsInPlace(int axis, std::int64_t by) { moveKeys(written_.rowKeys, axis, by); }

private:
  WritableIntervalSet<Dim> arraysFor(std::int64_t rows, std::int64_t intervals) {
    if (stepsLeft_ == 0) {
      return out_.prepare(rows, intervals);
    }
    return {frame_.template array<RowKey<Dim>>(rows).data(), frame_.template array<std::int64_t>(rows + 1).data(),
      frame_.template array<Interval>(intervals + 1).data(), frame_.template array<std::int64_t>(intervals + 1).data()};
  }

  void take(const WritableIntervalSet<Dim>& target, const SetTotals& totals) {
    written_ = target;
    current_ = {target.rowKeys, target.rowOffsets, target.intervals, target.cellOffsets, totals.rows, totals.intervals,
      totals.cells};
    if (stepsLeft_ == 0) {
      out_.finish(totals.rows, totals.intervals, totals.cells);
    }
  }

  void moveKeys(RowKey<Dim>* to, int axis, std::int64_t by) {
    Kokkos::parallel_for(SPANWISE_KERNEL("move rows"), Range<Space>(space_, 0, current_.numRows),
      MoveRowKeys<Dim>{current_.rowKeys, to, axis, by});
  }

  const Space& space_;
  int stepsLeft_;
  IntervalSetView<Dim> current_;
  WritableIntervalSet<Dim> written_{};
  IntervalSetOn<Dim, Space>& out_;
  Workspace<Memory>& workspace_;
  typename Workspace<Memory>::Frame frame_;
};

} // namespace spanwise::detail
