#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Multilevel/Detail/SiblingRows.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <utility>

namespace spanwise::multilevel::detail {

// Coarsening on a device: each row is listed under the coarser rows that it goes into, in their order, and a thread
// merges the rows of each group: count, scan, fill.

/// A row of the input, and a row of the result that it goes into.
template <int Dim>
struct RowOfGroup {
  geometry::RowKey<Dim> group;
  std::int64_t row;

  friend KOKKOS_FUNCTION bool operator<(const RowOfGroup& a, const RowOfGroup& b) { return a.group < b.group; }
};

/// How many rows of the result each row goes into.
template <int Dim>
KOKKOS_INLINE_FUNCTION int groupsPerRow(const CoarseReach& reach) {
  const int y = reach.at[1] > 0 ? 2 : 1;
  return Dim == 3 && reach.at[2] > 0 ? 2 * y : y;
}

/// Lists the first groups of all rows in order, then the second ones, and so on.
template <int Dim>
struct ListGroupsOfRow {
  geometry::IntervalSetView<Dim> from;
  CoarseReach reach;
  RowOfGroup<Dim>* list;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const int perRow = groupsPerRow<Dim>(reach);
    const int alongY = reach.at[1] > 0 ? 2 : 1;
    const geometry::RowKey<Dim> key = from.rowKeys[r];
    const std::int64_t place = placeOf(r, key);
    for (int k = 0; k < perRow; ++k) {
      list[k * from.numRows + place] = {geometry::RowKey<Dim>::fromYZ(firstCoarse(key.y, reach.at[1]) + k % alongY,
                                          firstCoarse(key.zOr0(), reach.at[2]) + k / alongY),
        r};
    }
  }

private:
  /// How many rows go into groups before that of this row, or come before it in its own. Groups of a coarse plane are
  /// of two planes, of which each is in order.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t placeOf(std::int64_t r, const geometry::RowKey<Dim>& key) const {
    if constexpr (Dim == 2) {
      return r;
    } else {
      const std::int64_t firstY = firstFine(key.y, reach.at[1]);
      const std::int64_t firstZ = firstFine(key.z, reach.at[2]);
      const std::int64_t inFirst = rowsBefore(firstY, firstZ); // and in all planes before
      const std::int64_t inSecond = rowsBefore(firstY, firstZ + 1);
      const std::int64_t before = inFirst + inSecond - rowsBefore(geometry::minCoordinate, firstZ + 1);
      if (key.z == firstZ) {
        return before + r - inFirst;
      }
      std::int64_t ofFirst = inFirst;
      while (ofFirst < r && from.rowKeys[ofFirst].z == firstZ && from.rowKeys[ofFirst].y <= firstY + 1) {
        ++ofFirst;
      }
      return before + ofFirst - inFirst + r - inSecond;
    }
  }

  /// The first of the two coordinates with this one's parent.
  KOKKOS_FUNCTION static std::int64_t firstFine(geometry::Coordinate c, int reach) {
    return 2 * std::int64_t{firstCoarse(c, reach)} + Kokkos::max(reach, 0);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t rowsBefore(std::int64_t y, std::int64_t z) const {
    if (z < geometry::minCoordinate) {
      return 0;
    }
    const auto inRange = static_cast<geometry::Coordinate>(Kokkos::max<std::int64_t>(y, geometry::minCoordinate));
    return from.lowerRow(geometry::RowKey<Dim>::fromYZ(inRange, static_cast<geometry::Coordinate>(z)));
  }
};

/// Merges `numLists` lists of `length` each, 1, 2 or 4, that lie one behind the other, and returns where they are then:
/// in `list` or in `scratch`.
template <class Space, class T>
T* mergedLists(const Space& space, T* list, std::int64_t length, int numLists, T* scratch) {
  for (std::int64_t width = length; width < numLists * length; width *= 2) {
    for (std::int64_t first = 0; first < numLists * length; first += 2 * width) {
      mergeSorted(space, list + first, width, 2 * width, scratch + first, Ascending());
    }
    std::swap(list, scratch);
  }
  return list;
}

class IntervalTotals {
public:
  KOKKOS_FUNCTION void put(const geometry::Interval& interval) {
    totals_.rows = 1;
    ++totals_.intervals;
    totals_.cells += std::int64_t{interval.end} - interval.begin;
  }
  [[nodiscard]] KOKKOS_FUNCTION const geometry::SetTotals& totals() const { return totals_; }

private:
  geometry::SetTotals totals_;
};

template <int Dim>
class IntervalPlacer {
public:
  KOKKOS_FUNCTION IntervalPlacer(const geometry::WritableIntervalSet<Dim>& out, const geometry::SetTotals& first)
    : out_(out), next_(first) {}
  KOKKOS_FUNCTION void put(const geometry::Interval& interval) {
    out_.intervals[next_.intervals] = interval;
    out_.cellOffsets[next_.intervals] = next_.cells;
    ++next_.intervals;
    next_.cells += std::int64_t{interval.end} - interval.begin;
  }

private:
  const geometry::WritableIntervalSet<Dim>& out_;
  geometry::SetTotals next_;
};

template <int Dim>
struct GroupPlan {
  geometry::IntervalSetView<Dim> from;
  CoarseReach reach;
  const RowOfGroup<Dim>* rows;
  const std::int64_t* starts;
  const std::int64_t* numGroups; ///< known to kernels alone: the host does not wait for it
  std::int64_t maxGroups;
  geometry::SetTotals* totals; ///< [maxGroups + 1] of each group, then of those before it
  geometry::WritableIntervalSet<Dim> out;

  template <class Sink>
  KOKKOS_FUNCTION void merge(std::int64_t group, Sink& sink) const {
    constexpr int most = Dim == 2 ? 4 : 16;
    RowSpan spans[most];
    int count = 0;
    for (std::int64_t k = starts[group]; k < starts[group + 1]; ++k) {
      const std::int64_t r = rows[k].row;
      spans[count++] = {from.intervals + from.rowOffsets[r], from.intervals + from.rowOffsets[r + 1]};
    }
    if (!reach.isInside() || count == childRows<Dim>) {
      joinRows<most>(reach.isInside(), spans, count, CoarserX(reach.at[0]), sink);
    }
  }
};

/// Finds where the groups of a sorted list begin, and how many there are.
template <int Dim>
struct FindGroups {
  using value_type = std::int64_t;
  const RowOfGroup<Dim>* sorted;
  std::int64_t count;
  std::int64_t* starts;
  std::int64_t* numGroups;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& group, bool final) const {
    const bool begins = i == 0 || !(sorted[i - 1].group == sorted[i].group);
    if (begins) {
      if (final) {
        starts[group] = i;
      }
      ++group;
    }
    if (final && i == count - 1) {
      starts[group] = count;
      *numGroups = group;
    }
  }
};

template <int Dim>
struct CountGroup {
  GroupPlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t group) const {
    IntervalTotals counter;
    if (group < *plan.numGroups) {
      plan.merge(group, counter);
    }
    plan.totals[group] = counter.totals();
  }
};

template <int Dim>
struct FillGroup {
  GroupPlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t group) const {
    const geometry::SetTotals first = plan.totals[group];
    const geometry::SetTotals next = plan.totals[group + 1];
    if (next.rows > first.rows) {
      IntervalPlacer<Dim> placer(plan.out, first);
      plan.merge(group, placer);
      plan.out.rowKeys[first.rows] = plan.rows[plan.starts[group]].group;
      plan.out.rowOffsets[first.rows] = first.intervals;
    }
    if (group == plan.maxGroups - 1) {
      plan.out.rowOffsets[next.rows] = next.intervals;
      plan.out.cellOffsets[next.intervals] = next.cells;
    }
  }
};

/// Finds the groups of rows and counts what each makes.
template <class Space, int Dim>
GroupPlan<Dim> planGroups(const Space& space, const geometry::IntervalSetView<Dim>& from, const CoarseReach& reach,
  typename Workspace<typename Space::memory_space>::Frame& frame) {
  const std::int64_t count = from.numRows * groupsPerRow<Dim>(reach);
  RowOfGroup<Dim>* const list = frame.template array<RowOfGroup<Dim>>(count).data();
  RowOfGroup<Dim>* const scratch = frame.template array<RowOfGroup<Dim>>(count).data();
  std::int64_t* const starts = frame.template array<std::int64_t>(count + 1).data(); // where each group begins
  forEach(
    SPANWISE_KERNEL("list groups"), IndexRange<Space>(space, 0, from.numRows), ListGroupsOfRow<Dim>{from, reach, list});
  const RowOfGroup<Dim>* const sorted = mergedLists(space, list, from.numRows, groupsPerRow<Dim>(reach), scratch);
  std::int64_t* const numGroups = frame.template array<std::int64_t>(1).data();
  scan(SPANWISE_KERNEL("find groups"), IndexRange<Space>(space, 0, count),
    FindGroups<Dim>{sorted, count, starts, numGroups});
  const GroupPlan<Dim> plan{
    from, reach, sorted, starts, numGroups, count, frame.template array<geometry::SetTotals>(count + 1).data(), {}};
  forEach(SPANWISE_KERNEL("count groups"), IndexRange<Space>(space, 0, count), CountGroup<Dim>{plan});
  return plan;
}

template <class Space, int Dim>
void fillGroups(const Space& space, const GroupPlan<Dim>& plan) {
  forEach(SPANWISE_KERNEL("fill groups"), IndexRange<Space>(space, 0, plan.maxGroups), FillGroup<Dim>{plan});
}

/// As coarsenOnHost(), on any space.
template <class Space, int Dim, class MakeTarget>
geometry::SetTotals coarsenInGroups(const Space& space, const geometry::IntervalSetView<Dim>& from,
  const CoarseReach& reach, typename Workspace<typename Space::memory_space>::Frame& frame,
  const MakeTarget& makeTarget) {
  if (from.numRows == 0) {
    return {};
  }
  GroupPlan<Dim> plan = planGroups<Space, Dim>(space, from, reach, frame);
  const geometry::SetTotals sum = exclusiveScan(space, SPANWISE_KERNEL("scan groups"), plan.totals, plan.maxGroups);
  if (sum.rows > 0) {
    plan.out = makeTarget(sum.rows, sum.intervals);
    fillGroups(space, plan);
  }
  return sum;
}

} // namespace spanwise::multilevel::detail
