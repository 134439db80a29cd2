#include "Core/Geometry/DomainMorphology.hpp"

#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace spanwise::geometry {

namespace {

/// Throws if a halo goes around the slowest axis so often that the copies of the planes would fill the memory.
void checkTurns(const parallel::Halo& halo) {
  constexpr std::int64_t most = 65536;
  if (halo.periodic() && halo.planes / halo.periodLength() >= most) {
    throw InvalidArgument("the element reaches over " + std::to_string(halo.planes) + " planes and the period has " +
      std::to_string(halo.periodLength()) + "; it must reach over less than " + std::to_string(most) +
      " periods along the slowest axis");
  }
}

/// The cells of all ranks, on every rank with planes. Collective.
template <class ExecutionSpace, int Dim>
void takeAll(const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out) {
  std::vector<std::vector<parallel::HeldPlanes>> held = heldByRanks(domain.cut(), 0, ranksOf(context, domain).size());
  for (std::vector<parallel::HeldPlanes>& ofRank : held) {
    if (!ofRank.empty()) {
      ofRank = {{parallel::PlaneRange(), 0}};
    }
  }
  parallel::CellMove<ExecutionSpace, Dim> move(ranksOf(context, domain));
  move.moveSet(context, held, set, out);
}

} // namespace

template <class ExecutionSpace, int Dim>
void morph(const Context<ExecutionSpace>& context, MorphologyOperation operation,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const StructuringElement<Dim>& element,
  IntervalSetOn<Dim, ExecutionSpace>& out, const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::morphInDomain");
  out.clear();
  if (domain.alone() && !domain.periods().any()) {
    morph<ExecutionSpace, Dim>(context, operation, set, element, out);
    return;
  }
  checkDomain<ExecutionSpace, Dim>(context, domain, set);
  const MorphologyReach<Dim> reach = reachOf(operation, element);
  const parallel::Halo halo = domain.halo(std::max(reach.below.at[Dim - 1], reach.above.at[Dim - 1]));
  checkTurns(halo); // the same on all ranks
  // Where the element reaches around the period of the slowest axis, each rank does as one process would.
  const bool reachesAll = domain.alone() || (halo.periodic() && halo.planes >= halo.periodLength());
  const Periods<Dim> periods = reachesAll ? domain.periods() : domain.periodsHere();
  IntervalSetOn<Dim, ExecutionSpace> around = set;
  if (!domain.alone()) {
    if (reachesAll) {
      takeAll<ExecutionSpace, Dim>(context, domain, set, around);
    } else {
      surround<ExecutionSpace, Dim>(context, domain, halo.planes, set, around);
    }
  }
  IntervalSetOn<Dim, ExecutionSpace> result;
  parallel::agree(ranksOf(context, domain), [&] {
    unwrap<ExecutionSpace, Dim>(context, around, periods, reach.below, reach.above, around);
    morph<ExecutionSpace, Dim>(context, operation, around, element, result);
    if (periods.any()) {
      crop<ExecutionSpace, Dim>(context, result, onePeriod(periods), result);
    }
    if (!domain.alone()) {
      restrictRows<ExecutionSpace, Dim>(context, result, domain.planes(), result);
    }
  });
  out = result;
}

#define SPANWISE_DOMAIN_MORPHOLOGY(Space, Dim)                                                                         \
  template void morph<Space, Dim>(const Context<Space>&, MorphologyOperation, const IntervalSetOn<Dim, Space>&,        \
    const StructuringElement<Dim>&, IntervalSetOn<Dim, Space>&, const SetDomain<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_DOMAIN_MORPHOLOGY)

} // namespace spanwise::geometry
