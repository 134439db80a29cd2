#include "Core/Geometry/SetDomain.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <string>

namespace spanwise::geometry {

template <int Dim>
SetDomain<Dim>::SetDomain(const Periods<Dim>& periods) : periods_(periods) {}

template <int Dim>
SetDomain<Dim>::SetDomain(const Communicator& communicator, const parallel::RowCut& cut, const Periods<Dim>& periods)
  : cut_(cut), periods_(periods) {
  heldByRanks(cut, 0, communicator.size()); // checks it
  if (!alone()) {
    planes_ = ownPlanes(cut.part(communicator.rank()), halo(0));
  }
}

template <int Dim>
parallel::RowCut SetDomain<Dim>::cut() const {
  return cut_.bounds.empty() ? parallel::RowCut{{parallel::PlaneRange().begin, parallel::PlaneRange().end}} : cut_;
}

template <int Dim>
const Communicator& ranksOf(const Communicator& ofContext, const SetDomain<Dim>& domain) {
  if (domain.alone()) {
    return singleProcess();
  }
  if (ofContext.size() != domain.numRanks()) {
    throw InvalidArgument("a set that is cut among " + std::to_string(domain.numRanks()) + " ranks is worked on by " +
      std::to_string(ofContext.size()) + ": the context must have the ranks of the cut");
  }
  return ofContext; // NOLINT(bugprone-return-const-ref-from-parameter): it outlives its context
}

template <class ExecutionSpace, int Dim>
void checkOwnCells(
  const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain, const IntervalSetOn<Dim, ExecutionSpace>& set) {
  checkPeriods<ExecutionSpace, Dim>(context, set, domain.periods());
  if (domain.alone()) {
    return;
  }
  const parallel::PlaneRange planes = planesOf<ExecutionSpace, Dim>(context, set);
  if (!planes.empty() && !(planes.within(domain.planes()) == planes)) {
    throw InvalidArgument("a rank has cells in the planes " + toString(planes) + " and owns " +
      toString(domain.planes()) + "; it must have cells of its own planes alone");
  }
}

template <class ExecutionSpace, int Dim>
void checkDomain(
  const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain, const IntervalSetOn<Dim, ExecutionSpace>& set) {
  parallel::agree(ranksOf(context, domain), [&] { checkOwnCells<ExecutionSpace, Dim>(context, domain, set); });
}

template <class ExecutionSpace, int Dim>
void surround(const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain, std::int64_t planes,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out) {
  const parallel::Halo halo = domain.halo(planes);
  if (planes == 0 || (domain.alone() && !halo.periodic())) {
    out = set;
    return;
  }
  parallel::CellMove<ExecutionSpace, Dim> move(ranksOf(context, domain));
  addHalo<ExecutionSpace, Dim>(context, domain.cut(), halo, set, out, move);
}

template class SetDomain<2>;
template class SetDomain<3>;
template const Communicator& ranksOf<2>(const Communicator&, const SetDomain<2>&);
template const Communicator& ranksOf<3>(const Communicator&, const SetDomain<3>&);

#define SPANWISE_SET_DOMAIN(Space, Dim)                                                                                \
  template void checkOwnCells<Space, Dim>(                                                                             \
    const Context<Space>&, const SetDomain<Dim>&, const IntervalSetOn<Dim, Space>&);                                   \
  template void checkDomain<Space, Dim>(                                                                               \
    const Context<Space>&, const SetDomain<Dim>&, const IntervalSetOn<Dim, Space>&);                                   \
  template void surround<Space, Dim>(const Context<Space>&, const SetDomain<Dim>&, std::int64_t,                       \
    const IntervalSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SET_DOMAIN)

} // namespace spanwise::geometry
