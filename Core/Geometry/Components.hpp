#pragma once

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise {

/// Labels of intervals, or one number for each component.
template <class ExecutionSpace>
using ComponentNumbers = Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>;

/// labels[i] = the number of the connected component that interval i is in. Two cells are in one component if a chain
/// of neighbours joins them. Components are numbered from 0 in the order of their first cells; returns how many there
/// are. `labels` has an entry for each interval. Along the axes that repeat, the first and the last cell of the period
/// are neighbours.
///
/// Runs are joined, not cells: a union-find forest of intervals, in which all rows are joined to their neighbours at
/// once without locks (as in J. Jaiganesh, M. Burtscher, A High-Performance Connected Components Implementation for
/// GPUs, HPDC 2018). About O(intervals + pairs of intervals that touch); the same labels for any number of threads. A
/// repeated call allocates nothing. Throws InvalidArgument if `labels` has another length, or as checkPeriods().
template <class ExecutionSpace, int Dim>
std::int64_t connectedComponents(const ExecutionSpace& space, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const ComponentNumbers<ExecutionSpace>& labels,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Periods<Dim>& periods = {});

/// sizes[c] = how many cells component c has. `labels` is as from connectedComponents(), `sizes` has an entry for each
/// component. O(intervals + components). Throws InvalidArgument if `labels` has another length than there are
/// intervals.
template <class ExecutionSpace, int Dim>
void componentSizes(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbers<ExecutionSpace>& sizes);

/// out = the components c with lowest <= numbers[c] <= highest: by size if the numbers are sizes. `out` may share
/// nothing with `set`. O(rows + intervals). Throws InvalidArgument if `labels` has another length than there are
/// intervals.
template <class ExecutionSpace, int Dim>
void selectComponents(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbers<ExecutionSpace>& numbers, std::int64_t lowest,
  std::int64_t highest, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

/// out = the components lowest <= c <= highest. Otherwise as selectComponents().
template <class ExecutionSpace, int Dim>
void selectLabels(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, std::int64_t lowest, std::int64_t highest,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace);

/// The component with the largest size, the first of them if there are several; -1 if there is none. O(components).
template <class ExecutionSpace>
std::int64_t largestComponent(const ExecutionSpace& space, const ComponentNumbers<ExecutionSpace>& sizes);

/// The component that a cell is in; -1 if the set does not have the cell. O(log rows + log intervals). Throws
/// InvalidArgument if `labels` has another length than there are intervals.
template <class ExecutionSpace, int Dim>
std::int64_t componentOf(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const Cell<Dim>& cell);

/// out = `set` and its holes: the cells around which there is no way out, a way being a chain of neighbours that are
/// not in the set. `connectivity` is that of the ways; the set is taken to have the opposite one (Face with Vertex).
/// O(intervals + rows of the bounding box); allocates. `out` may be `set` itself. Throws CoordinateOverflow, with `out`
/// empty, if the set reaches the coordinate limits.
template <class ExecutionSpace, int Dim>
void fillHoles(const ExecutionSpace& space, Connectivity connectivity, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace);

} // namespace spanwise
