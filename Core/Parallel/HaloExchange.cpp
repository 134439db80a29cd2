#include "Core/Parallel/HaloExchange.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/OrderAfter.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <algorithm>
#include <string>

namespace spanwise::parallel {

namespace {

// Every rank tells the others how many cells of each slab it has, and compares.
void checkSlabs(const Communicator& communicator, const HaloPlan& plan) {
  std::vector<std::int64_t> theirs(plan.receives.size());
  std::vector<OutgoingMessage> sends;
  std::vector<IncomingMessage> receives;
  std::vector<std::int64_t> own;
  for (const CellSlab& slab : plan.sends) {
    if (slab.rank == communicator.rank()) {
      own.push_back(slab.numCells);
    } else {
      sends.push_back({slab.rank, &slab.numCells, sizeof(slab.numCells)});
    }
  }
  auto nextOwn = own.begin();
  for (std::size_t k = 0; k < theirs.size(); ++k) {
    if (plan.receives[k].rank == communicator.rank()) {
      theirs[k] = *nextOwn++;
    } else {
      receives.push_back({plan.receives[k].rank, &theirs[k], sizeof(theirs[k])});
    }
  }
  const auto exchange = communicator.makeExchange();
  exchange->start(sends, receives);
  exchange->finish();
  agree(communicator, [&] {
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      const CellSlab& slab = plan.receives[k];
      if (slab.numCells != theirs[k]) {
        throw InvalidArgument("the halo has " + std::to_string(slab.numCells) + " cells of rank " +
          std::to_string(slab.rank) + ", which has " + std::to_string(theirs[k]) +
          " there; the set must be the one that addHalo() made for this cut");
      }
    }
  });
}

} // namespace

template <class ExecutionSpace, int Dim>
HaloPlan makeHaloPlan(const Context<ExecutionSpace>& context, const RowCut& cut, const Halo& halo,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set) {
  SPANWISE_REGION("Parallel::makeHaloPlan");
  const auto heldBy = heldByRanks(cut, halo, context.communicator().size());
  const int me = context.communicator().rank();
  const PlaneRange own = ownPlanes(cut.part(me), halo);
  const auto slabIn = [&](int rank, const PlaneRange& planes) {
    const geometry::Slab slab = slabOf<ExecutionSpace, Dim>(context, set, planes);
    return CellSlab{rank, slab.firstCell, slab.numCells()};
  };
  // Below the receiver's own planes is what has come up.
  const auto directionTo = [&](int receiver, const PlaneRange& planes) {
    const bool isBelow = planes.end <= ownPlanes(cut.part(receiver), halo).begin;
    return isBelow ? HaloDirection::Up : HaloDirection::Down;
  };
  HaloPlan plan;
  plan.numCells = set.numCells();
  for (int r = 0; r < context.communicator().size(); ++r) {
    for (const HeldPlanes& held : heldBy[static_cast<std::size_t>(r)]) {
      const PlaneRange planes = own.within(held.planes);
      if (!planes.empty() && (r != me || held.shift != 0)) {
        plan.sends.push_back({slabIn(r, planes), directionTo(r, planes.moved(held.shift))});
      }
    }
  }
  for (int r = 0; r < context.communicator().size(); ++r) {
    for (const HeldPlanes& held : heldBy[static_cast<std::size_t>(me)]) {
      const PlaneRange planes = ownPlanes(cut.part(r), halo).within(held.planes);
      if (!planes.empty() && (r != me || held.shift != 0)) {
        plan.receives.push_back({slabIn(r, planes.moved(held.shift)), directionTo(me, planes.moved(held.shift))});
      }
    }
  }
  const CellSlab owned = slabIn(me, own);
  plan.owned = {owned.firstCell, owned.firstCell + owned.numCells};
  PlaneRange inner = own;
  for (int r = 0; r < context.communicator().size(); ++r) {
    const PlaneRange others = ownPlanes(cut.part(r), halo);
    if (r != me && !others.empty()) {
      inner.begin = others.end <= own.begin ? own.widened(-halo.planes).begin : inner.begin;
      inner.end = others.begin >= own.end ? own.widened(-halo.planes).end : inner.end;
    }
  }
  if (halo.periodic()) {
    inner = own.widened(-halo.planes);
  }
  inner = own.within(inner);
  plan.ownedPlanes = own;
  plan.innerPlanes = inner;
  const CellSlab innermost = slabIn(me, inner);
  plan.inner = {innermost.firstCell, innermost.firstCell + innermost.numCells};
  checkSlabs(context.communicator(), plan);
  return plan;
}

template <class ExecutionSpace>
ExecutionSpace HaloExchange<ExecutionSpace>::boundarySpace(const ExecutionSpace& space) {
  if (runsOnHost<ExecutionSpace> && !detail::hostAsDevice()) {
    return space; // kernels are done when they return, and an instance of its own would have fewer threads
  }
  if (!boundarySpace_) {
    boundarySpace_ = Kokkos::Experimental::partition_space(space, 1)[0];
  }
  orderAfter(*boundarySpace_, space, SPANWISE_LABEL("Parallel::boundarySpace"));
  return *boundarySpace_;
}

template <class ExecutionSpace>
void HaloExchange<ExecutionSpace>::refuse(std::int64_t numCells) {
  if (!failure_) {
    failure_ = std::make_exception_ptr(InvalidArgument("a field of " + std::to_string(numCells) +
      " cells is to get the halo of a set of " + std::to_string(plan_.numCells) + " cells; the numbers must be equal"));
  }
}

template <class ExecutionSpace>
char* HaloExchange<ExecutionSpace>::nextBuffer(std::size_t bytes) {
  if (numPacked_ == buffers_.size()) {
    buffers_.emplace_back();
  }
  auto& buffer = buffers_[numPacked_++];
  reserve(buffer, static_cast<std::int64_t>(bytes), SPANWISE_LABEL("Parallel::HaloExchange"));
  return buffer.data();
}

template <class ExecutionSpace>
void HaloExchange<ExecutionSpace>::unpack(const ExecutionSpace& space) {
  for (const PackedBlock& packed : packed_) {
    messenger_.countStaged(unpackValues(space, packed.field, packed.block, packed.buffer));
  }
}

#define SPANWISE_HALO_PLAN(Space, Dim)                                                                                 \
  template HaloPlan makeHaloPlan<Space, Dim>(                                                                          \
    const Context<Space>&, const RowCut&, const Halo&, const geometry::IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_HALO_PLAN)

#define SPANWISE_HALO_EXCHANGE(Space) template class HaloExchange<Space>;
SPANWISE_FOR_EACH_SPACE(SPANWISE_HALO_EXCHANGE)

} // namespace spanwise::parallel
