#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/PeriodicBox.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

/// A coordinate moved by whole edges into the box; NaN where it is not finite.
[[nodiscard]] KOKKOS_INLINE_FUNCTION double wrapped(double x, double low, double edge) {
  const double inside = x - edge * Kokkos::floor((x - low) / edge);
  return inside < low ? low : (inside >= low + edge ? low : inside); // where the quotient was rounded to the next edge
}

template <class Real>
struct WrapAxis {
  const Real* from;
  double low, edge;
  Real* to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = static_cast<Real>(wrapped(from[i], low, edge)); }
};

/// Points wrapped into a box, in memory of the frame.
template <class ExecutionSpace, int Dim, class Real>
PointsView<Dim, Real> wrapPoints(const ExecutionSpace& space, const PointsView<Dim, Real>& points,
  const PeriodicBox& box, typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  PointsView<Dim, Real> result;
  result.count = points.count;
  for (int axis = 0; axis < Dim; ++axis) {
    Real* const to = frame.template array<Real>(points.count).data();
    forEach(SPANWISE_KERNEL("wrap points"), IndexRange<ExecutionSpace>(space, 0, points.count),
      WrapAxis<Real>{points.coordinates[axis], box.low[axis], box.edges[axis], to});
    result.coordinates[axis] = to;
  }
  return result;
}

} // namespace spanwise::nbody::detail
