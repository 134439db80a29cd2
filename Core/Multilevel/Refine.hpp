#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

// A cell at coordinate c has the children 2c and 2c + 1 along each axis, one level finer; the parent of c is at
// floor(c / 2), also where c is negative.

/// The coordinate of the parent: floor(c / 2).
[[nodiscard]] KOKKOS_FUNCTION constexpr geometry::Coordinate parentCoordinate(geometry::Coordinate c) { return c >> 1; }

/// The row of the parents of a row's cells.
template <int Dim>
[[nodiscard]] KOKKOS_FUNCTION constexpr geometry::RowKey<Dim> parentRow(const geometry::RowKey<Dim>& key) {
  return geometry::RowKey<Dim>::fromYZ(parentCoordinate(key.y), parentCoordinate(key.zOr0()));
}

/// How many rows hold the children of a row's cells.
template <int Dim>
inline constexpr int childRows = Dim == 2 ? 2 : 4;

/// Child row k of a row: k = 0 is the one at 2y (and 2z), bit 0 adds one to y, bit 1 to z.
template <int Dim>
[[nodiscard]] KOKKOS_FUNCTION constexpr geometry::RowKey<Dim> childRow(const geometry::RowKey<Dim>& key, int k) {
  return geometry::RowKey<Dim>::fromYZ(2 * key.y + (k & 1), 2 * key.zOr0() + (k >> 1));
}

/// out = the children of all cells, one level finer.
///
/// Throws CoordinateOverflow if a child would lie beyond the coordinate limits: cells must lie within [-2^30, 2^30 - 2]
/// along each axis. `out` may be `set` itself; otherwise its memory is used again (IntervalSet) and a repeated call
/// allocates nothing. O(rows + intervals) of the result, written once.
template <class ExecutionSpace, int Dim>
void refine(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out);

/// Which cells a coarser set has.
enum class Coarsening {
  Outside, ///< every cell with at least one child in the finer set: the smallest set whose children hold it
  Inside,  ///< every cell with all children in the finer set: the largest set whose children it holds
};

/// out = the coarser set. Both of them undo refine().
///
/// Cost: each row is merged with its siblings: one pass along y and one along z on the host, over as many parts as
/// there are threads; on a device a thread for each coarse row. O(rows + intervals), and a sort of the rows on a
/// device. `out` may be `set` itself; otherwise its memory is used again and a repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void coarsen(const Context<ExecutionSpace>& context, Coarsening which,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, geometry::IntervalSetOn<Dim, ExecutionSpace>& out);

/// out = the parents of whole groups of siblings, as a level of a hierarchy has: what coarsen() makes of them, in one
/// launch and without a wait, where a device takes ten. Of other sets the result is of no use. `out` is another set;
/// its memory is used again. O(rows + intervals).
template <class ExecutionSpace, int Dim>
void parentsOf(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& siblings,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::multilevel
