#pragma once

#include "Core/Geometry/ComponentNumbering.hpp"
#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::geometry {

/// Labels of intervals, or one number for each part of a component.
template <class ExecutionSpace>
using ComponentNumbers = Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>;

/// Collective. Finds the connected components of a set of which each rank has the planes that it owns. Two cells are in
/// one component if a chain of neighbours joins them. Components are numbered from 0 in the order of their first cells:
/// the result says how many there are, and which number each part on this rank has. labels[i] = the part that interval
/// i of this rank's set is in: with one process, the number of its component. `labels` has an entry for each interval.
/// Along the axes that repeat, the first and the last cell of the period are neighbours.
///
/// Each rank labels its own cells (detail::labelIntervals()); then only the planes beside cuts travel, and the numbers
/// of what touches there go to all ranks, which join them alike. About O(intervals + pairs of intervals that touch) and
/// O(cells of the planes beside cuts); the same labels for any number of threads, and numbers for any number of ranks.
/// With one process a repeated call allocates nothing. Throws InvalidArgument if `labels` has another length, or as
/// checkDomain().
template <class ExecutionSpace, int Dim>
ComponentNumbering connectedComponents(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const ComponentNumbers<ExecutionSpace>& labels,
  const SetDomain<Dim>& domain = {});

/// numbers[p] = the number of the component that part p is of. `numbers` has an entry for each part. O(parts).
template <class ExecutionSpace>
void componentNumbers(const Context<ExecutionSpace>& context, const ComponentNumbering& numbering,
  const ComponentNumbers<ExecutionSpace>& numbers);

/// Collective. sizes[p] = how many cells the component of part p has, on all ranks. `labels` and `numbering` are as
/// from connectedComponents(), `sizes` has an entry for each part. O(intervals + parts). Throws InvalidArgument, on all
/// ranks, if `labels` has another length than there are intervals.
template <class ExecutionSpace, int Dim>
void componentSizes(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbering& numbering,
  const ComponentNumbers<ExecutionSpace>& sizes);

/// The parts p with lowest <= of[p] <= highest: by size if these are sizes. Those with lowest <= p <= highest if there
/// are no numbers.
template <class ExecutionSpace>
struct ComponentRange {
  std::int64_t lowest;
  std::int64_t highest;
  ComponentNumbers<ExecutionSpace> of{};
};

/// out = the cells of the parts in a range. `out` may share nothing with `set`. O(rows + intervals). Throws
/// InvalidArgument if `labels` has another length than there are intervals.
template <class ExecutionSpace, int Dim>
void selectComponents(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentRange<ExecutionSpace>& range,
  IntervalSetOn<Dim, ExecutionSpace>& out);

/// Collective. The number of the component with the largest size, the first of them if there are several; -1 if there
/// is none. `sizes` are those of componentSizes(). O(parts).
template <class ExecutionSpace>
std::int64_t largestComponent(const Context<ExecutionSpace>& context, const ComponentNumbers<ExecutionSpace>& sizes,
  const ComponentNumbering& numbering);

/// Collective. The number of the component that a cell is in, which all ranks ask for; -1 if no rank has the cell.
/// O(log rows + log intervals). Throws InvalidArgument, on all ranks, if `labels` has another length than there are
/// intervals.
template <class ExecutionSpace, int Dim>
std::int64_t componentOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbering& numbering, const Cell<Dim>& cell);

} // namespace spanwise::geometry
