#include "Core/Geometry/Periods.hpp"

#include "Core/Geometry/Detail/RepeatAlongAxis.hpp"
#include "Core/Geometry/HostParts.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/RowLimit.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Sharing.hpp"

#include <string>

namespace spanwise::geometry {

namespace {

using detail::Copies;

/// Throws InvalidArgument if the copies may be too many, and CoordinateOverflow if one has no coordinates.
template <class ExecutionSpace, int Dim>
void checkCopies(const Context<ExecutionSpace>& context, const Copies& copies, const Box<Dim>& period,
  const IntervalSetView<Dim>& set) {
  const bool alongX = copies.axis == 0;
  const std::int64_t count = alongX ? set.numIntervals : set.numRows;
  checkMadeRows(
    rowProduct(count, copies.count()),
    [&] {
      return std::to_string(copies.count()) + " copies of the period " + toString(period) + " along axis " +
        std::to_string(copies.axis) + " with the " + std::to_string(count) + (alongX ? " intervals in" : " rows of") +
        " the set may make";
    },
    "use a smaller element");
  if ((!isCellCoordinate(copies.first) || !isCellCoordinate(copies.last - 1)) &&
    detail::countBeyondLimits<ExecutionSpace, Dim>(context.space(), copies, set) > 0) {
    throw CoordinateOverflow("a copy of the period " + toString(period) + " along axis " + std::to_string(copies.axis) +
      " lies beyond the coordinate limits [-2^31, 2^31 - 2]");
  }
}

/// The cells of all copies, in the arrays that prepare(totals) gives.
template <class ExecutionSpace, class Repeated, class Frame, class Prepare>
auto repeat(const ExecutionSpace& space, const Repeated& repeated, Frame& frame, const Prepare& prepare) {
  const std::int64_t rows = repeated.from.numRows;
  SetTotals* const before = frame.template array<SetTotals>(rows).data();
  detail::CopyPlace* const places = frame.template array<detail::CopyPlace>(rows).data();
  const SetTotals totals = detail::countCopies(space, repeated, before);
  const auto target = prepare(totals);
  detail::writeCopies(space, repeated, totals, before, places, target);
  return target.view(totals);
}

} // namespace

template <int Dim>
Box<Dim> onePeriod(const Periods<Dim>& periods) {
  Box<Dim> box;
  for (int d = 0; d < Dim; ++d) {
    box.begin[d] = periods.along[d] ? periods.box.begin[d] : minCoordinate;
    box.end[d] = periods.along[d] ? periods.box.end[d] : maxIntervalEnd;
  }
  return box;
}

template <class ExecutionSpace, int Dim>
void checkPeriods(
  const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set, const Periods<Dim>& periods) {
  const Box<Dim> cells = periods.any() ? boundingBox<ExecutionSpace, Dim>(context, set) : Box<Dim>{};
  for (int d = 0; d < Dim; ++d) {
    if (!periods.along[d]) {
      continue;
    }
    if (periods.box.extent(d) == 0) {
      throw InvalidArgument("the box " + toString(periods.box) + " is empty along axis " + std::to_string(d) +
        ", which repeats; it must have a cell at least");
    }
    if (!set.empty() && (cells.begin[d] < periods.box.begin[d] || cells.end[d] > periods.box.end[d])) {
      throw InvalidArgument("the cells " + toString(cells) + " are not within the period " + toString(periods.box) +
        " along axis " + std::to_string(d) + "; they must be");
    }
  }
}

template <class ExecutionSpace, int Dim>
void unwrap(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Periods<Dim>& periods, const Cell<Dim>& below, const Cell<Dim>& above,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::unwrap");
  checkPeriods<ExecutionSpace, Dim>(context, set, periods);
  if (!periods.any()) {
    out = set;
    return;
  }
  if (set.empty()) {
    out.clear();
    return;
  }
  const bool inPlace = &out == &set;
  const auto kept = sharing(set);
  IntervalSetView<Dim> all = kept.view();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  int lastAxis = Dim - 1;
  while (!periods.along[lastAxis]) {
    --lastAxis;
  }
  for (int d = 0; d <= lastAxis; ++d) {
    if (!periods.along[d]) {
      continue;
    }
    const Copies copies{d, periods.box.begin[d], periods.box.extent(d),
      periods.box.begin[d] - std::int64_t{below.at[d]}, periods.box.end[d] + std::int64_t{above.at[d]}};
    checkCopies<ExecutionSpace, Dim>(context, copies, periods.box, all);
    const auto prepare = [&](const SetTotals& totals) {
      return d == lastAxis ? out.prepare(totals.rows, totals.intervals)
                           : detail::scratchSet<Dim>(frame, totals.rows, totals.intervals);
    };
    all = d == 0 ? repeat(context.space(), detail::RepeatedIntervals<Dim>{copies, all}, frame, prepare)
                 : repeat(context.space(), detail::RepeatedRows<Dim>{copies, all}, frame, prepare);
  }
  out.finish({all.numRows, all.numIntervals, all.numCells});
  if (inPlace) {
    context.space().fence(SPANWISE_LABEL("Geometry::unwrap")); // `kept` may hold the last reference
  }
}

template Box<2> onePeriod<2>(const Periods<2>&);
template Box<3> onePeriod<3>(const Periods<3>&);

#define SPANWISE_PERIODS(Space, Dim)                                                                                   \
  template void checkPeriods<Space, Dim>(                                                                              \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, const Periods<Dim>&);                                     \
  template void unwrap<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&, const Periods<Dim>&,       \
    const Cell<Dim>&, const Cell<Dim>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_PERIODS)

} // namespace spanwise::geometry
