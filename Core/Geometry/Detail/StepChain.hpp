#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Detail/CombineInSegments.hpp"
#include "Core/Geometry/Detail/CombineOnHost.hpp"
#include "Core/Geometry/Detail/Masks.hpp"
#include "Core/Geometry/Detail/MovedCopiesOnHost.hpp"
#include "Core/Geometry/Detail/MovedRowsInSegments.hpp"
#include "Core/Geometry/Detail/ResizeOnHost.hpp"
#include "Core/Geometry/Detail/SlideWindowOnHost.hpp"
#include "Core/Geometry/ResizeIntervals.hpp"
#include "Core/Runtime/Context.hpp"

#include <algorithm>

namespace spanwise::geometry::detail {

/// How far rows are moved.
struct RowOffset {
  std::int64_t y = 0;
  std::int64_t z = 0;

  static RowOffset along(int axis, std::int64_t by) { return axis == 1 ? RowOffset{by, 0} : RowOffset{0, by}; }
  [[nodiscard]] bool isZero() const { return y == 0 && z == 0; }
};

/// Moves row keys. One that would exceed the limit stops at a value that no row may have: among keys that can be moved
/// it is the last, and meets none of them. Keys still ascend, though those at that value are equal.
template <int Dim>
struct MoveRowKeys {
  const RowKey<Dim>* from;
  RowKey<Dim>* to;
  RowOffset offset;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    RowKey<Dim> key = from[r];
    key.y = moved(key.y, offset.y);
    if constexpr (Dim == 3) {
      key.z = moved(key.z, offset.z);
      key.y = key.z == past ? past : key.y;
    }
    to[r] = key;
  }

private:
  static constexpr Coordinate past = maxRowKey + 1;

  [[nodiscard]] KOKKOS_FUNCTION static Coordinate moved(Coordinate value, std::int64_t by) {
    return static_cast<Coordinate>(Kokkos::min<std::int64_t>(value + by, past));
  }
};

/// A known number of steps from a set to the output. Each step makes a new set: the last one in the output, those
/// before in a few arrays of the workspace, which are used again, so that nothing is allocated on repetition.
template <class Space, int Dim, bool asOnDevice>
class StepChain {
  using Memory = typename Space::memory_space;
  using View = IntervalSetView<Dim>;

public:
  /// `out` shares nothing with `set`.
  StepChain(const Context<Space>& context, std::int64_t numSteps, const IntervalSetOn<Dim, Space>& set,
    IntervalSetOn<Dim, Space>& out)
    : context_(context), stepsLeft_(numSteps), out_(out), frame_(context.workspace()) {
    if (numSteps == 0) {
      copy(set, out);
    }
  }

  // Each of these is one step. What it makes lasts until the next step that neither takes it nor keeps it.

  /// resizeIntervals().
  View resized(const View& from, std::int64_t beginMove, std::int64_t endMove, const View& kept = {}) {
    --stepsLeft_;
    const WritableIntervalSet<Dim> target = arrays(from.numRows, from.numIntervals, {from, kept, kept});
    if constexpr (asOnDevice) {
      return made(target, resizeIntervals<Space, Dim>(context_, from, beginMove, endMove, target));
    } else {
      return made(target, resizeOnHost<Space, Dim>(context_, from, beginMove, endMove, target));
    }
  }

  /// `a` with its rows moved, operation, `b` with its rows moved.
  View combined(
    SetOperation operation, View a, const RowOffset& offsetA, View b, const RowOffset& offsetB, const View& kept = {}) {
    --stepsLeft_;
    const WritableIntervalSet<Dim> target =
      arrays(a.numRows + b.numRows, a.numIntervals + b.numIntervals, {a, b, kept});
    typename Workspace<Memory>::Frame frame(context_.workspace()); // only for the keys
    moveRows(a, offsetA, frame);
    moveRows(b, offsetB, frame);
    const auto truthTable = static_cast<unsigned>(operation);
    if constexpr (asOnDevice) {
      return made(target, combineInSegments<Space, Dim>(context_, truthTable, a, b, target));
    } else {
      return made(target, combineOnHost<Space, Dim>(context_, truthTable, a, b, target));
    }
  }

  /// slideWindowOnHost(), then the rows moved by `shift`.
  template <int Axis, SetOperation operation>
  View windows(const View& from, std::int64_t window, std::int64_t shift) {
    --stepsLeft_;
    WritableIntervalSet<Dim> target{};
    const auto makeTarget = [&](std::int64_t rows, std::int64_t intervals) {
      return target = arrays(rows, intervals, {from, from, from});
    };
    const SetTotals totals =
      slideWindowOnHost<Axis, operation, Space, Dim>(context_.space(), from, window, shift, frame_, makeTarget);
    return made(target, totals);
  }

  /// mergeMovedCopiesOnHost(): copy k of the copies is copyOf(k).
  template <SetOperation operation, class CopyOf>
  View movedCopies(
    const View& from, std::int64_t numCopies, const CopyOf& copyOf, bool farFromLimits, std::int64_t maxPerRow) {
    --stepsLeft_;
    const auto copies = frame_.template array<MovedCopy>(numCopies);
    for (std::int64_t k = 0; k < numCopies; ++k) {
      copies(k) = copyOf(k);
    }
    WritableIntervalSet<Dim> target{};
    const SetTotals totals = mergeMovedCopiesOnHost<operation, Space, Dim>(context_.space(),
      MovedCopies<Dim>{from, copies.data(), static_cast<int>(numCopies), farFromLimits, maxPerRow}, frame_,
      [&](std::int64_t rows, std::int64_t intervals) { return target = arrays(rows, intervals, {from, from, from}); });
    return made(target, totals);
  }

  /// mergeMovedRows(): copy k of the copies is copyOf(k).
  template <SetOperation operation, class CopyOf>
  View movedRows(const BoxedRows<Dim>& boxed, std::int64_t numCopies, const CopyOf& copyOf) {
    --stepsLeft_;
    const View& from = boxed.set;
    WritableIntervalSet<Dim> target{};
    const SetTotals totals = mergeMovedRows<operation, Space, Dim>(context_.space(), boxed, numCopies, copyOf, frame_,
      [&](std::int64_t rows, std::int64_t intervals) { return target = arrays(rows, intervals, {from, from, from}); });
    return made(target, totals);
  }

  /// Masks in the chain's memory: no step.
  Masks<Space, Dim, asOnDevice, typename Workspace<Memory>::Frame> masks(const Box<Dim>& box) {
    return {context_.space(), box, frame_};
  }

  /// The set of what is spread on masks. What it was drawn from is no longer needed.
  template <class SomeMasks>
  View placed(const SomeMasks& masks, std::int64_t likely) {
    --stepsLeft_;
    WritableIntervalSet<Dim> target{};
    const SetTotals totals = masks.place(
      likely, [&](std::int64_t rows, std::int64_t intervals) { return target = arrays(rows, intervals, {}); });
    return made(target, totals);
  }

  /// Moves the rows of what the last step has made: no step.
  void moveRowsOfLast(const RowOffset& offset) {
    forEach(SPANWISE_KERNEL("move rows"), IndexRange<Space>(context_.space(), 0, lastRows_),
      MoveRowKeys<Dim>{lastKeys_, lastKeys_, offset});
  }

private:
  /// Arrays and the room in them.
  struct Slot {
    WritableIntervalSet<Dim> arrays{};
    std::int64_t rows = -1;
    std::int64_t intervals = -1;
  };
  struct Used {
    View views[3];
    [[nodiscard]] bool has(const Slot& slot) const {
      return std::any_of(views, views + 3,
        [&](const View& view) { return view.intervals != nullptr && view.intervals == slot.arrays.intervals; });
    }
  };

  WritableIntervalSet<Dim> arrays(std::int64_t rows, std::int64_t intervals, const Used& used) {
    if (stepsLeft_ == 0) {
      return out_.prepare(rows, intervals);
    }
    // One slot more than views that may be in use; of the free ones the largest.
    Slot* free = nullptr;
    for (Slot& slot : slots_) {
      if (!used.has(slot) && (free == nullptr || slot.intervals > free->intervals)) {
        free = &slot;
      }
    }
    if (free->rows < rows || free->intervals < intervals) {
      free->rows = std::max(rows, free->rows + free->rows / 2); // seldom anew: what was there before is lost
      free->intervals = std::max(intervals, free->intervals + free->intervals / 2);
      free->arrays = scratchSet<Dim>(frame_, free->rows, free->intervals);
    }
    return free->arrays;
  }

  View made(const WritableIntervalSet<Dim>& target, const SetTotals& totals) {
    lastKeys_ = target.rowKeys;
    lastRows_ = totals.rows;
    if (stepsLeft_ == 0) {
      out_.finish(totals);
    }
    return target.view(totals);
  }

  void moveRows(View& view, const RowOffset& offset, typename Workspace<Memory>::Frame& frame) {
    if (!offset.isZero()) {
      RowKey<Dim>* const keys = frame.template array<RowKey<Dim>>(view.numRows).data();
      forEach(SPANWISE_KERNEL("move rows"), IndexRange<Space>(context_.space(), 0, view.numRows),
        MoveRowKeys<Dim>{view.rowKeys, keys, offset});
      view.rowKeys = keys;
    }
  }

  const Context<Space>& context_;
  std::int64_t stepsLeft_;
  IntervalSetOn<Dim, Space>& out_;
  typename Workspace<Memory>::Frame frame_;
  Slot slots_[4];
  RowKey<Dim>* lastKeys_ = nullptr;
  std::int64_t lastRows_ = 0;
};

} // namespace spanwise::geometry::detail
