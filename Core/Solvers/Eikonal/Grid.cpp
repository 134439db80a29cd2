#include "Core/Solvers/Eikonal/Grid.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Alike.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckOptions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace spanwise::eikonal {

namespace {

/// The planes within so many of a rank's own, each once, in their order. On an axis that repeats they are those of the
/// period.
std::vector<parallel::PlaneRange> planesAround(
  const parallel::PlaneRange& owned, std::int64_t planes, const parallel::PlaneRange& period) {
  const parallel::PlaneRange own = period.empty() ? owned : owned.within(period);
  if (own.empty()) {
    return {};
  }
  const parallel::PlaneRange all = own.widened(planes);
  if (period.empty()) {
    return {all};
  }
  const std::int64_t length = period.end - period.begin;
  if (all.end - all.begin >= length) {
    return {period};
  }
  if (all.begin < period.begin) {
    return {{period.begin, all.end}, {all.begin + length, period.end}};
  }
  if (all.end > period.end) {
    return {{period.begin, all.end - length}, {all.begin, period.end}};
  }
  return {all};
}

/// Collective. Whether all ranks have the same kind of grid.
template <int Dim>
bool areAlike(const Communicator& communicator, const geometry::GridGeometry<Dim>& lattice,
  const geometry::Periods<Dim>& periods, const Speed& speed, const GridHalo& halo) {
  std::array<std::int64_t, 3 + 5 * Dim + 6> words{};
  std::size_t n = 0;
  const auto add = [&](double value) { words[n++] = std::bit_cast<std::int64_t>(value); };
  words[n++] = static_cast<std::int64_t>(speed.kind);
  words[n++] = halo.order;
  words[n++] = halo.planesOfLines;
  for (int axis = 0; axis < Dim; ++axis) {
    const bool repeats = periods.along[axis];
    add(lattice.origin[axis]);
    add(lattice.spacing[axis]);
    words[n++] = repeats ? 1 : 0;
    words[n++] = repeats ? periods.box.begin[axis] : 0;
    words[n++] = repeats ? periods.box.end[axis] : 0;
  }
  if (speed.kind == Speed::Kind::Constant) {
    const SymmetricTensor& m = speed.tensor;
    for (const double component : {m.xx, m.yy, m.zz, m.xy, m.yz, m.xz}) {
      add(component);
    }
  }
  return parallel::areAlike(communicator, words);
}

/// The period along the slowest axis; empty where that does not repeat.
template <int Dim>
parallel::PlaneRange periodOf(const geometry::SetDomain<Dim>& domain) {
  return domain.halo(0).period;
}

} // namespace

// Returns the speeds of the cells that are held.
template <int Dim, class ExecutionSpace>
Speed Grid<Dim, ExecutionSpace>::hold(
  const Context<ExecutionSpace>& context, std::int64_t planes, const Set& set, const Speed& speed) {
  if (communicator_->alone()) {
    set_ = set;
    return speed;
  }
  const parallel::RowCut cut = domain_.cut();
  std::vector<std::vector<parallel::HeldPlanes>> heldByRanks;
  for (int r = 0; r < communicator_->size(); ++r) {
    std::vector<parallel::HeldPlanes>& held = heldByRanks.emplace_back();
    for (const parallel::PlaneRange& range : planesAround(cut.part(r), planes, periodOf(domain_))) {
      held.push_back({range, 0});
    }
  }
  if (!move_ || &move_->communicator() != communicator_) {
    move_.emplace(*communicator_);
  }
  move_->moveSet(context, heldByRanks, set, set_);
  Speed ofHeld = speed;
  const int count = speed.valuesPerElement();
  if (count > 0 && move_->moves()) {
    parallel::agree(
      *communicator_, [&] { reserve(speeds_, move_->numCells() * count, SPANWISE_LABEL("Eikonal::speeds")); });
    const parallel::MovedColumn column{speed.values, speeds_.data(), count * static_cast<std::int64_t>(sizeof(double))};
    move_->moveValues(context.space(), std::span(&column, 1));
    ofHeld.values = speeds_.data();
  }
  return ofHeld;
}

// Slabs of a pair of ranks come in the order of the planes that are seen, on both.
template <int Dim, class ExecutionSpace>
void Grid<Dim, ExecutionSpace>::connect(
  const Context<ExecutionSpace>& context, std::int64_t planesHeld, std::int64_t planesSeen) {
  if (communicator_->alone()) {
    if (!border_ || exchange_) {
      border_.emplace(context.space(), *communicator_, parallel::CellRange{0, std::numeric_limits<std::int32_t>::max()},
        std::vector<parallel::CellSlab>(), std::vector<parallel::CellSlab>()); // owns what there ever is
    }
    exchange_.reset();
    owned_ = {0, set_.numCells()};
    return;
  }
  const int me = communicator_->rank();
  const parallel::RowCut cut = domain_.cut();
  const auto add = [&](
                     std::vector<parallel::CellSlab>& slabs, int rank, int whose, const parallel::PlaneRange& planes) {
    const parallel::PlaneRange common = parallel::ownPlanes(cut.part(whose), domain_.halo(0)).within(planes);
    const geometry::Slab slab = common.empty() ? geometry::Slab() : slabOf<ExecutionSpace, Dim>(context, set_, common);
    if (slab.numCells() > 0) {
      slabs.push_back({rank, slab.firstCell, slab.numCells()});
    }
  };
  const auto slabsWithin = [&](std::int64_t planes, std::vector<parallel::CellSlab>& sends,
                             std::vector<parallel::CellSlab>& receives) {
    for (int r = 0; r < communicator_->size(); ++r) {
      if (r == me) {
        continue;
      }
      for (const parallel::PlaneRange& range : planesAround(cut.part(r), planes, periodOf(domain_))) {
        add(sends, r, me, range);
      }
      for (const parallel::PlaneRange& range : planesAround(cut.part(me), planes, periodOf(domain_))) {
        add(receives, r, r, range);
      }
    }
  };
  const parallel::PlaneRange own = domain_.planes();
  const geometry::Slab mine = own.empty() ? geometry::Slab() : slabOf<ExecutionSpace, Dim>(context, set_, own);
  owned_ = {mine.firstCell, mine.endCell};
  parallel::HaloPlan plan;
  plan.numCells = set_.numCells();
  plan.ownedPlanes = own;
  plan.owned = owned_;
  std::vector<parallel::CellSlab> sends;
  std::vector<parallel::CellSlab> receives;
  slabsWithin(planesHeld, sends, receives);
  for (const parallel::CellSlab& slab : sends) { // all components cross, so it does not matter which way
    plan.sends.push_back({slab, parallel::HaloDirection::Up});
  }
  for (const parallel::CellSlab& slab : receives) {
    plan.receives.push_back({slab, parallel::HaloDirection::Up});
  }
  std::vector<parallel::CellSlab> isRead;
  std::vector<parallel::CellSlab> reads;
  slabsWithin(planesSeen, isRead, reads);
  exchange_.emplace(*communicator_, std::move(plan));
  border_.emplace(context.space(), *communicator_, owned_, isRead, reads);
}

template <int Dim, class ExecutionSpace>
parallel::MessageReport Grid<Dim, ExecutionSpace>::report() const {
  parallel::MessageReport sum = exchange_ ? exchange_->report() : parallel::MessageReport();
  const parallel::MessageReport border = border_ ? border_->report() : parallel::MessageReport();
  return sum += border;
}

template <class ExecutionSpace, int Dim>
void buildGrid(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const geometry::GridGeometry<Dim>& lattice, const geometry::SetDomain<Dim>& domain, const Speed& speed,
  Grid<Dim, ExecutionSpace>& out, const GridHalo& halo) {
  SPANWISE_REGION("Eikonal::buildGrid");
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = ranksOf(context, domain);
  SpeedSurvey survey;
  parallel::agree(communicator, [&] {
    checkOrder(halo.order);
    checkOwnCells<ExecutionSpace, Dim>(context, domain, set);
    survey = surveySpeeds<ExecutionSpace, Dim>(space, set.numCells(), lattice, speed);
  });
  if (!areAlike<Dim>(communicator, lattice, domain.periods(), speed, halo)) {
    throw InvalidArgument(
      "ranks have other lattices, periods, kinds of speed or halos than each other: a grid has one");
  }
  survey.times.sum = communicator.reduced(ReduceBy::Sum, survey.times.sum);
  std::array<std::int64_t, 2> counts = {survey.times.count, survey.numCoupled};
  communicator.reduce(ReduceBy::Sum, std::span<std::int64_t>(counts));
  survey = {{survey.times.sum, counts[0]}, counts[1]};
  std::int64_t across = 1;
  if (survey.numCoupled > 0 && !communicator.alone()) {
    parallel::agree(
      communicator, [&] { across = planesAcross<ExecutionSpace, Dim>(space, set.numCells(), lattice, speed); });
    across = communicator.reduced(ReduceBy::Maximum, across);
  }
  out.communicator_ = &communicator;
  out.domain_ = domain;
  out.order_ = halo.order;
  out.meanCellTime_ = survey.times.mean();
  const std::int64_t seen = halo.order * across;
  const std::int64_t held = std::max(halo.planesOfLines, seen);
  const Speed ofHeld = out.hold(context.with(communicator), held, set, speed);
  parallel::agree(communicator,
    [&] { out.neighbours_.find(context, out.set_, lattice, domain.periods(), ofHeld, survey.numCoupled > 0); });
  out.connect(context, held, seen);
}

#define SPANWISE_GRID(Space, Dim)                                                                                      \
  template class Grid<Dim, Space>;                                                                                     \
  template void buildGrid<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,               \
    const geometry::GridGeometry<Dim>&, const geometry::SetDomain<Dim>&, const Speed&, Grid<Dim, Space>&,              \
    const GridHalo&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID)

} // namespace spanwise::eikonal
