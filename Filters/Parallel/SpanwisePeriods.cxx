#include "SpanwisePeriods.h"

#include "Core/Runtime/Context.hpp"

#include "SpanwiseLattice.h"
#include "SpanwiseRankCells.h"

#include <algorithm>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

template <int Dim>
Periods<Dim> periodsOf(
  const RankGroup& group, const PeriodChoice& choice, const MirroredSet<Dim>& set, const GridPlacement& placement) {
  Periods<Dim> periods;
  std::copy_n(choice.along, Dim, periods.along);
  if (!periods.any()) {
    return periods;
  }
  const Box<Dim> all = boundingBoxOfAll<Dim>(group, {&set});
  group.agree([&] {
    periods.box = choice.given ? cellsWithin<Dim>(placement, choice.bounds) : all;
    if (all.empty() && !choice.given) {
      periods = {}; // nothing to repeat
    }
    set.visit([&]<ComputeSide side>(const SideContext<side>& context, const auto& where) {
      using Space = SpaceOf<side>;
      checkPeriods<Space, Dim>(context, where, periods);
    });
  });
  return periods;
}

template <int Dim>
SetDomain<Dim> domainOf(const RankGroup& group, const PlaneRange& owned, const Periods<Dim>& periods) {
  const Communicator& communicator = group.communicator();
  return {communicator, cutOf(gatherRanges(communicator, group.alone() ? PlaneRange() : owned)), periods};
}

template Periods<2> periodsOf<2>(const RankGroup&, const PeriodChoice&, const MirroredSet<2>&, const GridPlacement&);
template Periods<3> periodsOf<3>(const RankGroup&, const PeriodChoice&, const MirroredSet<3>&, const GridPlacement&);
template SetDomain<2> domainOf<2>(const RankGroup&, const PlaneRange&, const Periods<2>&);
template SetDomain<3> domainOf<3>(const RankGroup&, const PlaneRange&, const Periods<3>&);

} // namespace spanwise
