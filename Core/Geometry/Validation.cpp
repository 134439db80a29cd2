#include "Core/Geometry/Validation.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace spanwise::geometry {

namespace {

// A rule that an entry of the arrays can break, in the order in which broken rules are reported. The rules on offsets
// come first: as long as one of them is broken, the intervals are not looked at.
enum class Rule : int {
  OffsetsStartAtZero,
  RowNotEmpty,
  OffsetsEnd,
  KeysAscend,
  KeyWithinLimits,
  IntervalNotEmpty,
  IntervalsAscend,
  CellOffsetIsSum,
  None
};

// The first place at which the first broken rule is broken, as one number that a minimum can reduce.
constexpr int placeBits = 58;
constexpr std::int64_t nothingBroken = std::numeric_limits<std::int64_t>::max();

KOKKOS_FUNCTION constexpr std::int64_t broken(Rule rule, std::int64_t place) {
  return (static_cast<std::int64_t>(rule) << placeBits) | place;
}

template <int Dim>
struct Arrays {
  const RowKey<Dim>* rowKeys;
  std::int64_t numRows;
  const std::int64_t* rowOffsets;
  const Interval* intervals;
  std::int64_t numIntervals;
};

template <int Dim>
struct CheckRows {
  Arrays<Dim> arrays;

  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t& worst) const {
    const std::int64_t first = arrays.rowOffsets[r];
    const std::int64_t last = arrays.rowOffsets[r + 1];
    if (r == 0 && first != 0) {
      worst = Kokkos::min(worst, broken(Rule::OffsetsStartAtZero, r));
    }
    if (last <= first) {
      worst = Kokkos::min(worst, broken(Rule::RowNotEmpty, r));
    }
    if (last > arrays.numIntervals || (r == arrays.numRows - 1 && last != arrays.numIntervals)) {
      worst = Kokkos::min(worst, broken(Rule::OffsetsEnd, r));
    }
    if (r > 0 && !(arrays.rowKeys[r - 1] < arrays.rowKeys[r])) {
      worst = Kokkos::min(worst, broken(Rule::KeysAscend, r));
    }
    if (arrays.rowKeys[r].y > maxRowKey || arrays.rowKeys[r].zOr0() > maxRowKey) {
      worst = Kokkos::min(worst, broken(Rule::KeyWithinLimits, r));
    }
  }
};

// Runs over rows, when their offsets are known to be right.
template <int Dim>
struct CheckIntervals {
  Arrays<Dim> arrays;

  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t& worst) const {
    for (std::int64_t i = arrays.rowOffsets[r]; i < arrays.rowOffsets[r + 1]; ++i) {
      if (arrays.intervals[i].end <= arrays.intervals[i].begin) {
        worst = Kokkos::min(worst, broken(Rule::IntervalNotEmpty, i));
      }
      if (i > arrays.rowOffsets[r] && arrays.intervals[i].begin <= arrays.intervals[i - 1].end) {
        worst = Kokkos::min(worst, broken(Rule::IntervalsAscend, i));
      }
    }
  }
};

template <int Dim>
struct CheckCellOffsets {
  IntervalSetView<Dim> set;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& worst) const {
    const std::int64_t expected =
      set.cellOffsets[i] + set.intervals[i].end - static_cast<std::int64_t>(set.intervals[i].begin);
    if ((i == 0 && set.cellOffsets[0] != 0) || set.cellOffsets[i + 1] != expected ||
      (i == set.numIntervals - 1 && expected != set.numCells)) {
      worst = Kokkos::min(worst, broken(Rule::CellOffsetIsSum, i));
    }
  }
};

template <class Space, class Functor>
std::int64_t firstBroken(const Space& space, const char* label, std::int64_t count, const Functor& functor) {
  std::int64_t worst = nothingBroken;
  reduceMin(label, IndexRange<Space>(space, 0, count), functor, worst);
  return worst;
}

template <class Space, int Dim>
std::string describe(const Space& space, const Arrays<Dim>& arrays, std::int64_t worst) {
  const auto rule = static_cast<Rule>(worst >> placeBits);
  const std::int64_t place = worst & ((std::int64_t{1} << placeBits) - 1);
  const auto rowText = [&](std::int64_t r) {
    return "row " + std::to_string(r) + " (" + toString(fetch(space, arrays.rowKeys, r)) + ")";
  };
  const auto intervalText = [&](std::int64_t i) {
    const Interval interval = fetch(space, arrays.intervals, i);
    return "interval " + std::to_string(i) + " [" + std::to_string(interval.begin) + ", " +
      std::to_string(interval.end) + ")";
  };
  const auto rowOf = [&](std::int64_t i) {
    std::int64_t low = 0; // the last row whose first interval is not after i
    for (std::int64_t high = arrays.numRows; low + 1 < high;) {
      const std::int64_t middle = low + (high - low) / 2;
      (fetch(space, arrays.rowOffsets, middle) <= i ? low : high) = middle;
    }
    return rowText(low) + ": ";
  };
  switch (rule) {
  case Rule::OffsetsStartAtZero:
    return "the first row offset is " + std::to_string(fetch(space, arrays.rowOffsets, 0)) + "; it must be 0";
  case Rule::RowNotEmpty:
    return rowText(place) + " has offsets " + std::to_string(fetch(space, arrays.rowOffsets, place)) + " and " +
      std::to_string(fetch(space, arrays.rowOffsets, place + 1)) + "; a row must have at least one interval";
  case Rule::OffsetsEnd:
    return rowText(place) + " ends at interval " + std::to_string(fetch(space, arrays.rowOffsets, place + 1)) + " of " +
      std::to_string(arrays.numIntervals) + "; the last row must end at the last interval";
  case Rule::KeysAscend:
    return rowText(place) + " follows row " + std::to_string(place - 1) + " (" +
      toString(fetch(space, arrays.rowKeys, place - 1)) + "); row keys must ascend by z, then y";
  case Rule::KeyWithinLimits:
    return rowText(place) + " is beyond the largest row key, " + std::to_string(maxRowKey);
  case Rule::IntervalNotEmpty:
    return rowOf(place) + intervalText(place) + " is empty; its end must exceed its begin";
  case Rule::IntervalsAscend:
    return rowOf(place) + intervalText(place) + " overlaps or touches " + intervalText(place - 1) +
      "; the intervals of a row must ascend with a gap between them";
  case Rule::CellOffsetIsSum:
    return "the cell offsets around interval " + std::to_string(place) + " are not the sum of the intervals' lengths";
  case Rule::None:
    break;
  }
  return "";
}

} // namespace

template <class ExecutionSpace, int Dim>
std::string validateArrays(const Context<ExecutionSpace>& context, const RowKey<Dim>* rowKeys, std::int64_t numRows,
  const std::int64_t* rowOffsets, std::int64_t numRowOffsets, const Interval* intervals, std::int64_t numIntervals) {
  const ExecutionSpace& space = context.space();

  if (numRows == 0 && numIntervals == 0 && numRowOffsets <= 1) {
    return "";
  }
  if (numRowOffsets != numRows + 1) {
    return "there are " + std::to_string(numRowOffsets) + " row offsets for " + std::to_string(numRows) +
      " rows; there must be one more than rows";
  }
  if (numRows == 0) {
    return "there are " + std::to_string(numIntervals) + " intervals but no rows";
  }
  const Arrays<Dim> arrays{rowKeys, numRows, rowOffsets, intervals, numIntervals};
  std::int64_t worst = firstBroken(space, SPANWISE_KERNEL("check rows"), numRows, CheckRows<Dim>{arrays});
  if (worst == nothingBroken) {
    worst = firstBroken(space, SPANWISE_KERNEL("check intervals"), numRows, CheckIntervals<Dim>{arrays});
  }
  return worst == nothingBroken ? "" : describe<ExecutionSpace, Dim>(space, arrays, worst);
}

template <class ExecutionSpace, int Dim>
std::string validate(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::validate");
  const IntervalSetView<Dim> view = set.view();
  std::string wrong = validateArrays<ExecutionSpace, Dim>(context, view.rowKeys, view.numRows, view.rowOffsets,
    view.numRows == 0 ? 0 : view.numRows + 1, view.intervals, view.numIntervals);
  if (wrong.empty()) {
    const std::int64_t worst =
      firstBroken(space, SPANWISE_KERNEL("check offsets"), view.numIntervals, CheckCellOffsets<Dim>{view});
    if (worst != nothingBroken) {
      const Arrays<Dim> arrays{view.rowKeys, view.numRows, view.rowOffsets, view.intervals, view.numIntervals};
      wrong = describe<ExecutionSpace, Dim>(space, arrays, worst);
    }
  }
  return wrong;
}

#define SPANWISE_VALIDATE(Space, Dim)                                                                                  \
  template std::string validate<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&);                  \
  template std::string validateArrays<Space, Dim>(const Context<Space>&, const RowKey<Dim>*, std::int64_t,             \
    const std::int64_t*, std::int64_t, const Interval*, std::int64_t);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_VALIDATE)

} // namespace spanwise::geometry
