#include "Core/Geometry/Periods.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/RowLimit.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <string>

namespace spanwise::geometry {

namespace {

/// Copies of a set along one axis.
template <class ExecutionSpace, int Dim>
class Copies {
public:
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  using Scratch = Workspace<typename ExecutionSpace::memory_space>;

  Copies(const Context<ExecutionSpace>& context, const Box<Dim>& period, int axis, const Set& set)
    : context_(context), period_(period), axis_(axis), set_(set) {}

  /// What all copies have in [first, last), which holds the period.
  [[nodiscard]] Set within(std::int64_t first, std::int64_t last) const {
    const std::int64_t extent = period_.extent(axis_);
    const std::int64_t begin = period_.begin[axis_];
    const std::int64_t numBelow = (begin - first) / extent; // that are there as a whole
    const std::int64_t numAbove = (last - begin) / extent - 1;
    checkSize(numBelow + numAbove + 3);
    Set all = repeated(-numBelow, numBelow + numAbove + 1);
    add(part(-numBelow - 1, first, last), all);
    add(part(numAbove + 1, first, last), all);
    return all;
  }

private:
  void checkSize(std::int64_t numCopies) const {
    const bool alongX = axis_ == 0;
    const std::int64_t count = alongX ? set_.numIntervals() : set_.numRows();
    checkMadeRows(
      rowProduct(count, numCopies),
      [&] {
        return std::to_string(numCopies) + " copies of the period " + toString(period_) + " along axis " +
          std::to_string(axis_) + " with the " + std::to_string(count) + (alongX ? " intervals in" : " rows of") +
          " the set may make";
      },
      "use a smaller element");
  }

  /// So many copies from number `first` on. They are doubled: O(intervals of the result).
  [[nodiscard]] Set repeated(std::int64_t first, std::int64_t count) const {
    Set all = moved(set_, first);
    for (std::int64_t size = 1; size < count;) {
      const std::int64_t step = std::min(size, count - size);
      add(moved(all, step), all);
      size += step;
    }
    return all;
  }

  /// What copy k has in [first, last).
  [[nodiscard]] Set part(std::int64_t k, std::int64_t first, std::int64_t last) const {
    const std::int64_t by = k * period_.extent(axis_);
    Box<Dim> box = onePeriod<Dim>({});
    box.begin[axis_] = static_cast<Coordinate>(std::max<std::int64_t>(first - by, period_.begin[axis_]));
    box.end[axis_] = static_cast<Coordinate>(std::min<std::int64_t>(last - by, period_.end[axis_]));
    Set cropped;
    crop<ExecutionSpace, Dim>(context_, set_, box, cropped);
    return moved(cropped, k);
  }

  [[nodiscard]] Set moved(const Set& set, std::int64_t periods) const {
    const std::int64_t by = periods * period_.extent(axis_);
    Set result;
    if (periods == 0 || set.empty()) {
      result = set;
      return result;
    }
    if (by < minCoordinate || by > maxIntervalEnd) {
      const Box<Dim> there = boundingBox<ExecutionSpace, Dim>(context_, set);
      if (!isCellCoordinate(there.begin[axis_] + by) || !isCellCoordinate(there.end[axis_] - 1 + by)) {
        throw CoordinateOverflow("the copy " + std::to_string(periods) + " of the period " + toString(period_) +
          " along axis " + std::to_string(axis_) + " lies beyond the coordinate limits [-2^31, 2^31 - 2]");
      }
    }
    // It may be moved by more than a coordinate holds, though both places are within the limits.
    result = set;
    for (std::int64_t left = by; left != 0;) {
      Cell<Dim> offset{};
      offset.at[axis_] = static_cast<Coordinate>(std::clamp<std::int64_t>(left, minCoordinate, maxIntervalEnd));
      translate<ExecutionSpace, Dim>(context_, result, offset, result);
      left -= offset.at[axis_];
    }
    return result;
  }

  void add(const Set& more, Set& all) const {
    if (!more.empty()) {
      Set together;
      combine<ExecutionSpace, Dim>(context_, SetOperation::Union, all, more, together);
      all = together;
    }
  }

  const Context<ExecutionSpace>& context_;
  const Box<Dim>& period_;
  int axis_;
  const Set& set_;
};

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
  IntervalSetOn<Dim, ExecutionSpace> whole = set;
  for (int d = 0; d < Dim; ++d) {
    if (periods.along[d] && !whole.empty()) {
      const IntervalSetOn<Dim, ExecutionSpace> once = whole;
      whole =
        Copies<ExecutionSpace, Dim>(context, periods.box, d, once)
          .within(std::int64_t{periods.box.begin[d]} - below.at[d], std::int64_t{periods.box.end[d]} + above.at[d]);
    }
  }
  out = whole;
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
