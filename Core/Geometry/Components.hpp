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

/// The box whose cells decide about holes: one period along the axes that repeat, along each other axis a cell more on
/// both sides than `cells`, the bounding box of a set that is not empty. Then all cells of the border along these axes
/// are outside, and the first and the last cell of the box are in all components of the background that are: in two
/// where there is one such axis and the set closes it, otherwise in one. Throws CoordinateOverflow if `cells` reaches
/// the coordinate limits along such an axis, and InvalidArgument if all axes repeat: then nothing is outside.
template <int Dim>
Box<Dim> boxOfHoles(const Box<Dim>& cells, const Periods<Dim>& periods);

/// out = `set` and its holes: the cells around which there is no way out, a way being a chain of neighbours that are
/// not in the set. `connectivity` is that of the ways; the set is taken to have the opposite one (Face with Vertex).
///
/// Along axes that repeat, the first and the last cell of the period are neighbours, and no way leads out along them: a
/// hole is a component of the complement that is bounded along all other axes, also if it goes around a periodic one.
/// So at least one axis must not repeat.
///
/// O(intervals + rows of the bounding box, or of the period); allocates. `out` may be `set` itself. Throws, with `out`
/// empty, as checkPeriods() and boxOfHoles().
template <class ExecutionSpace, int Dim>
void fillHoles(const ExecutionSpace& space, Connectivity connectivity, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace,
  const Periods<Dim>& periods = {});

} // namespace spanwise
