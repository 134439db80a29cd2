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

template <class Space, class Functor>
std::int64_t firstBroken(const Space& space, const char* label, std::int64_t count, const Functor& functor) {
  std::int64_t worst = nothingBroken;
  reduceMin(label, IndexRange<Space>(space, 0, count), functor, worst);
  return worst;
}

template <class Space, int Dim>
std::int64_t checkRows(const Space& space, const SetArrays<Dim>& arrays) {
  return firstBroken(
    space, SPANWISE_KERNEL("check rows"), arrays.numRows, KOKKOS_LAMBDA(std::int64_t r, std::int64_t& least) {
      const std::int64_t first = arrays.rowOffsets[r];
      const std::int64_t last = arrays.rowOffsets[r + 1];
      if (r == 0 && first != 0) {
        least = Kokkos::min(least, broken(Rule::OffsetsStartAtZero, r));
      }
      if (last <= first) {
        least = Kokkos::min(least, broken(Rule::RowNotEmpty, r));
      }
      if (last > arrays.numIntervals || (r == arrays.numRows - 1 && last != arrays.numIntervals)) {
        least = Kokkos::min(least, broken(Rule::OffsetsEnd, r));
      }
      if (r > 0 && !(arrays.rowKeys[r - 1] < arrays.rowKeys[r])) {
        least = Kokkos::min(least, broken(Rule::KeysAscend, r));
      }
      if (arrays.rowKeys[r].y > maxRowKey || arrays.rowKeys[r].zOr0() > maxRowKey) {
        least = Kokkos::min(least, broken(Rule::KeyWithinLimits, r));
      }
    });
}

// When the offsets of rows are known to be right.
template <class Space, int Dim>
std::int64_t checkIntervals(const Space& space, const SetArrays<Dim>& arrays) {
  return firstBroken(
    space, SPANWISE_KERNEL("check intervals"), arrays.numRows, KOKKOS_LAMBDA(std::int64_t r, std::int64_t& least) {
      for (std::int64_t i = arrays.rowOffsets[r]; i < arrays.rowOffsets[r + 1]; ++i) {
        if (arrays.intervals[i].end <= arrays.intervals[i].begin) {
          least = Kokkos::min(least, broken(Rule::IntervalNotEmpty, i));
        }
        if (i > arrays.rowOffsets[r] && arrays.intervals[i].begin <= arrays.intervals[i - 1].end) {
          least = Kokkos::min(least, broken(Rule::IntervalsAscend, i));
        }
      }
    });
}

template <class Space, int Dim>
std::string describe(const Space& space, const SetArrays<Dim>& arrays, std::int64_t worst) {
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
std::string validateArrays(const Context<ExecutionSpace>& context, const SetArrays<Dim>& arrays) {
  const ExecutionSpace& space = context.space();

  if (arrays.numRows == 0 && arrays.numIntervals == 0 && arrays.numRowOffsets <= 1) {
    return "";
  }
  if (arrays.numRowOffsets != arrays.numRows + 1) {
    return "there are " + std::to_string(arrays.numRowOffsets) + " row offsets for " + std::to_string(arrays.numRows) +
      " rows; there must be one more than rows";
  }
  if (arrays.numRows == 0) {
    return "there are " + std::to_string(arrays.numIntervals) + " intervals but no rows";
  }
  std::int64_t worst = checkRows<ExecutionSpace, Dim>(space, arrays);
  if (worst == nothingBroken) {
    worst = checkIntervals<ExecutionSpace, Dim>(space, arrays);
  }
  return worst == nothingBroken ? "" : describe<ExecutionSpace, Dim>(space, arrays, worst);
}

template <class ExecutionSpace, int Dim>
std::string validate(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::validate");
  const IntervalSetView<Dim> view = set.view();
  const SetArrays<Dim> arrays{view.rowKeys, view.numRows, view.rowOffsets, view.numRows == 0 ? 0 : view.numRows + 1,
    view.intervals, view.numIntervals};
  std::string wrong = validateArrays<ExecutionSpace, Dim>(context, arrays);
  if (!wrong.empty()) {
    return wrong;
  }
  const std::int64_t worst = firstBroken(
    space, SPANWISE_KERNEL("check offsets"), view.numIntervals, KOKKOS_LAMBDA(std::int64_t i, std::int64_t& least) {
      const std::int64_t expected =
        view.cellOffsets[i] + view.intervals[i].end - static_cast<std::int64_t>(view.intervals[i].begin);
      if ((i == 0 && view.cellOffsets[0] != 0) || view.cellOffsets[i + 1] != expected ||
        (i == view.numIntervals - 1 && expected != view.numCells)) {
        least = Kokkos::min(least, broken(Rule::CellOffsetIsSum, i));
      }
    });
  return worst == nothingBroken ? "" : describe<ExecutionSpace, Dim>(space, arrays, worst);
}

#define SPANWISE_VALIDATE(Space, Dim)                                                                                  \
  template std::string validate<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&);                  \
  template std::string validateArrays<Space, Dim>(const Context<Space>&, const SetArrays<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_VALIDATE)

} // namespace spanwise::geometry
