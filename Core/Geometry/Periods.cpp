#include "Core/Geometry/Periods.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace spanwise {

namespace {

/// Adds the copies along one axis of what `sets` begins with: those that have cells in [first, last).
template <class ExecutionSpace, int Dim>
void addCopies(const ExecutionSpace& space, const Box<Dim>& period, int axis, std::int64_t first, std::int64_t last,
  std::vector<IntervalSetOn<Dim, ExecutionSpace>>& sets, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  const std::int64_t extent = period.extent(axis);
  const std::int64_t begin = period.begin[axis];
  const IntervalSetOn<Dim, ExecutionSpace> set = sets.front();
  const auto copiesBelow = (begin - first + extent - 1) / extent;
  const auto copiesAbove = (last - begin - 1) / extent;
  for (std::int64_t k = -copiesBelow; k <= copiesAbove; ++k) {
    if (k == 0) {
      continue;
    }
    const std::int64_t by = k * extent;
    Box<Dim> part = onePeriod<Dim>({});
    part.begin[axis] = static_cast<Coordinate>(std::max(first - by, begin));
    part.end[axis] = static_cast<Coordinate>(std::min(last - by, begin + extent));
    IntervalSetOn<Dim, ExecutionSpace> copy;
    crop<ExecutionSpace, Dim>(space, set, part, copy, workspace);
    if (copy.empty()) {
      continue;
    }
    if (first < minCoordinate || last > maxIntervalEnd) {
      const Box<Dim> there = boundingBox<ExecutionSpace, Dim>(space, copy);
      if (!isCellCoordinate(there.begin[axis] + by) || !isCellCoordinate(there.end[axis] - 1 + by)) {
        throw CoordinateOverflow("the copy " + std::to_string(k) + " of the period " + toString(period) +
          " along axis " + std::to_string(axis) + " lies beyond the coordinate limits [-2^31, 2^31 - 2]");
      }
    }
    // It may be moved by more than a coordinate holds, though both places are within the limits.
    for (std::int64_t left = by; left != 0;) {
      Cell<Dim> offset{};
      offset.at[axis] = static_cast<Coordinate>(std::clamp<std::int64_t>(left, minCoordinate, maxIntervalEnd));
      translate<ExecutionSpace, Dim>(space, copy, offset, copy);
      left -= offset.at[axis];
    }
    sets.push_back(copy);
  }
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
  const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set, const Periods<Dim>& periods) {
  const Box<Dim> cells = periods.any() ? boundingBox<ExecutionSpace, Dim>(space, set) : Box<Dim>{};
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
void unwrap(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set, const Periods<Dim>& periods,
  const Cell<Dim>& below, const Cell<Dim>& above, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Geometry::unwrap");
  checkPeriods<ExecutionSpace, Dim>(space, set, periods);
  IntervalSetOn<Dim, ExecutionSpace> whole = set;
  for (int d = 0; d < Dim; ++d) {
    if (periods.along[d]) {
      std::vector<IntervalSetOn<Dim, ExecutionSpace>> sets{whole};
      addCopies<ExecutionSpace, Dim>(space, periods.box, d, std::int64_t{periods.box.begin[d]} - below.at[d],
        std::int64_t{periods.box.end[d]} + above.at[d], sets, workspace);
      IntervalSetOn<Dim, ExecutionSpace> together;
      combine<ExecutionSpace, Dim>(space, SetOperation::Union, sets, together, workspace);
      whole = together;
    }
  }
  out = whole;
}

template Box<2> onePeriod<2>(const Periods<2>&);
template Box<3> onePeriod<3>(const Periods<3>&);

#define SPANWISE_PERIODS(Space, Dim)                                                                                   \
  template void checkPeriods<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, const Periods<Dim>&);         \
  template void unwrap<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, const Periods<Dim>&,                \
    const Cell<Dim>&, const Cell<Dim>&, IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_PERIODS)

} // namespace spanwise
