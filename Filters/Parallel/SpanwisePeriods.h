#ifndef SpanwisePeriods_h
#define SpanwisePeriods_h

// Periodic axes of distributed sets. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "SpanwisePeriodicAxes.h"
#include "SpanwiseTeam.h"
#include "spanwiseParallelModule.h"

#include "Core/Geometry/Periods.hpp"
#include "Core/Parallel/Halo.hpp"

namespace spanwise {

/// Collective. The periods of a set. Throws InvalidArgument, on all ranks, if cells lie outside of them.
template <int Dim>
SPANWISEPARALLEL_EXPORT Periods<Dim> periodsOf(
  const Team& team, const PeriodChoice& choice, const HostIntervalSet<Dim>& set, const GridPlacement& placement);

/// The periods but that of the slowest axis, along which ranks have halos.
template <int Dim>
Periods<Dim> withoutSlowest(Periods<Dim> periods) {
  periods.along[Dim - 1] = false;
  return periods;
}

/// So many planes of halo, around the slowest axis if that is periodic.
template <int Dim>
Halo haloOf(std::int64_t planes, const Periods<Dim>& periods) {
  const PlaneRange period{periods.box.begin[Dim - 1], periods.box.end[Dim - 1]};
  return periods.along[Dim - 1] ? Halo(planes, period) : Halo(planes);
}

} // namespace spanwise

#endif
