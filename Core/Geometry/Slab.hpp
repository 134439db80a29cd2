#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// The plane of a row: its y in 2D, its z in 3D.
template <int Dim>
KOKKOS_FUNCTION constexpr std::int64_t planeOf(const RowKey<Dim>& key) {
  if constexpr (Dim == 2) {
    return key.y;
  } else {
    return key.z;
  }
}

/// The cells of a box in some planes.
template <int Dim>
Box<Dim> inPlanes(Box<Dim> box, const parallel::PlaneRange& planes) {
  const parallel::PlaneRange here = parallel::PlaneRange{box.begin[Dim - 1], box.end[Dim - 1]}.within(planes);
  box.begin[Dim - 1] = static_cast<Coordinate>(here.begin);
  box.end[Dim - 1] = static_cast<Coordinate>(here.end);
  return box;
}

/// Where the planes of a range stand in a set. A slab's rows, intervals and cells are contiguous.
struct Slab {
  std::int64_t firstRow = 0;
  std::int64_t endRow = 0;
  std::int64_t firstInterval = 0;
  std::int64_t endInterval = 0;
  std::int64_t firstCell = 0;
  std::int64_t endCell = 0;

  [[nodiscard]] std::int64_t numCells() const { return endCell - firstCell; }
};

/// The slab of `set` that lies in `planes`. O(log rows).
template <class ExecutionSpace, int Dim>
Slab slabOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const parallel::PlaneRange& planes);

/// out = the rows of `set` in `planes`, in arrays of their own; `out` may be `set` itself. O(rows + intervals of the
/// slab).
template <class ExecutionSpace, int Dim>
void restrictRows(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const parallel::PlaneRange& planes, IntervalSetOn<Dim, ExecutionSpace>& out);

/// The planes from the first to the last row; an empty range at 0 for an empty set. O(1).
template <class ExecutionSpace, int Dim>
parallel::PlaneRange planesOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set);

/// Adds the cells of `set` to counts that begin at plane `first`, `width` planes to a count. Every plane of the set
/// must have one. O(rows).
template <class ExecutionSpace, int Dim>
void countPlanes(
  const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set, parallel::PlaneCounts& counts);

} // namespace spanwise::geometry
