#ifndef SpanwisePeriods_h
#define SpanwisePeriods_h

// Periodic axes and domains of distributed sets. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "SpanwisePeriodicAxes.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseParallelModule.h"

#include "Core/Geometry/Periods.hpp"
#include "Core/Geometry/SetDomain.hpp"

namespace spanwise {

/// Collective. The periods of a set. Throws InvalidArgument, on all ranks, if cells lie outside of them.
template <int Dim>
SPANWISEPARALLEL_EXPORT geometry::Periods<Dim> periodsOf(
  const RankGroup& group, const PeriodChoice& choice, const MirroredSet<Dim>& set, const GridPlacement& placement);

/// Collective. The domain of a set of which each rank has the planes that it owns. One process has all planes,
/// whichever part of the output it makes.
template <int Dim>
SPANWISEPARALLEL_EXPORT geometry::SetDomain<Dim> domainOf(
  const RankGroup& group, const parallel::PlaneRange& owned, const geometry::Periods<Dim>& periods = {});

} // namespace spanwise

#endif
