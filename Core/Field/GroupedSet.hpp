#pragma once

#include "Core/Field/ForEachCell.hpp"
#include "Core/Field/Region.hpp"
#include "Core/Field/SubsetGroup.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::field {

/// The coordinates of a cell of an interval set. O(log intervals).
template <int Dim>
KOKKOS_FUNCTION geometry::Cell<Dim> cellAt(const geometry::IntervalSetView<Dim>& set, std::int64_t number) {
  const std::int64_t i = set.intervalOfCell(number);
  const geometry::RowKey<Dim> key = set.rowKeys[set.rowOfInterval(i)];
  geometry::Cell<Dim> cell{};
  cell.at[0] = static_cast<geometry::Coordinate>(set.intervals[i].begin + (number - set.cellOffsets[i]));
  cell.at[1] = key.y;
  if constexpr (Dim == 3) {
    cell.at[2] = key.z;
  }
  return cell;
}

/// What kernels see of an interval set and a subset of it.
template <int Dim>
struct GroupedSetView {
  geometry::IntervalSetView<Dim> set;
  geometry::IntervalSetView<Dim> subset;

  [[nodiscard]] KOKKOS_FUNCTION geometry::Cell<Dim> cellAt(std::int64_t number) const {
    return field::cellAt(set, number);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t findCell(const geometry::Cell<Dim>& cell) const {
    return set.findCell(cell);
  }
  /// Where data of a cell of the subset is; -1 for a cell that is not in it. O(log intervals).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t subsetPlace(std::int64_t number) const {
    return subset.numCells == 0 ? -1 : subset.findCell(cellAt(number));
  }
};

/// An interval set with a subset of it that gets kernels of its own: what BlockSet is on blocks, with the same
/// functions, so that code which takes either runs on intervals and on blocks. A dense box is one with an interval a
/// row. Groups are cells, and data of the subset is stored for its cells alone. Keeps its memory; copies share it.
template <int Dim, class MemorySpace>
class GroupedSet {
public:
  using memory_space = MemorySpace;
  static constexpr int dimension = Dim;

  [[nodiscard]] const geometry::IntervalSet<Dim, MemorySpace>& set() const { return set_; }
  [[nodiscard]] std::int64_t numCells() const { return set_.numCells(); }
  /// How many values fields have.
  [[nodiscard]] std::int64_t numPlaces() const { return set_.numCells(); }
  [[nodiscard]] std::int64_t numSubsetCells() const { return subset_.numCells(); }
  /// How many values there are for the subset's data: GroupedSetView::subsetPlace() is less.
  [[nodiscard]] std::int64_t numSubsetPlaces() const { return subset_.numCells(); }
  [[nodiscard]] bool separatesGroups() const { return !subset_.empty(); }

  [[nodiscard]] GroupedSetView<Dim> view() const { return {set_.view(), subset_.view()}; }
  /// The cells of a group, as long as this lives.
  [[nodiscard]] Within<MemorySpace> within(SubsetGroup group) const {
    if (group == SubsetGroup::All) {
      return {};
    }
    return group == SubsetGroup::With ? with_ : without_;
  }

  /// Makes this a set with the cells that it shares with `subset`. O(intervals of both). A repeated call allocates
  /// nothing.
  template <class ExecutionSpace>
  void build(const Context<ExecutionSpace>& context, const geometry::IntervalSet<Dim, MemorySpace>& set,
    const geometry::IntervalSet<Dim, MemorySpace>& subset) {
    using geometry::SetOperation;
    set_ = set;
    geometry::combine<ExecutionSpace, Dim>(context, SetOperation::Intersection, set, subset, subset_);
    geometry::combine<ExecutionSpace, Dim>(context, SetOperation::Difference, set, subset, rest_);
    geometry::commonCells<ExecutionSpace, Dim>(context, set, subset_, with_);
    geometry::commonCells<ExecutionSpace, Dim>(context, set, rest_, without_);
  }

private:
  geometry::IntervalSet<Dim, MemorySpace> set_;
  geometry::IntervalSet<Dim, MemorySpace> subset_;
  geometry::IntervalSet<Dim, MemorySpace> rest_;
  geometry::CommonCells<MemorySpace> with_;
  geometry::CommonCells<MemorySpace> without_;
};

template <int Dim, class ExecutionSpace>
using GroupedSetOn = GroupedSet<Dim, typename ExecutionSpace::memory_space>;

/// Calls body(number, cell) for each cell of a set, or of a group. Does not wait.
template <class ExecutionSpace, int Dim, class Body>
void forEachCell(const ExecutionSpace& space, const char* label,
  const GroupedSet<Dim, typename ExecutionSpace::memory_space>& set, const Body& body,
  SubsetGroup group = SubsetGroup::All) {
  forCells(space, label, set.numCells(), set.within(group), detail::VisitCells<Dim, Body>{set.set().view(), body});
}

} // namespace spanwise::field
