#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// Axes along which the lattice repeats: along each of them the cells c and c + (box.end - box.begin) are one cell, and
/// sets have their cells in [box.begin, box.end). Along the other axes the lattice has no border and the box says
/// nothing.
template <int Dim>
struct Periods {
  Box<Dim> box{};
  bool along[Dim]{};

  [[nodiscard]] KOKKOS_FUNCTION constexpr bool any() const {
    for (const bool repeats : along) {
      if (repeats) {
        return true;
      }
    }
    return false;
  }
};

/// One period along the axes that repeat, the coordinate limits along the others.
template <int Dim>
Box<Dim> onePeriod(const Periods<Dim>& periods);

/// Throws InvalidArgument if the box is empty along an axis that repeats, or if `set` has cells outside of it there.
template <class ExecutionSpace, int Dim>
void checkPeriods(
  const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set, const Periods<Dim>& periods);

/// out = `set` and the copies of it in `below` cells before the box and `above` cells behind it, along the axes that
/// repeat; it shares the arrays of `set` where nothing repeats. `out` may be `set` itself. O(rows + intervals of
/// `out`). Throws as checkPeriods(), CoordinateOverflow if a copy would leave the coordinate limits, and
/// InvalidArgument if the copies may have more than maxMadeRows (2^30) rows, or intervals along x.
template <class ExecutionSpace, int Dim>
void unwrap(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Periods<Dim>& periods, const Cell<Dim>& below, const Cell<Dim>& above, IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
