#include "Core/Solvers/Eikonal/RankGrid.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/BareContext.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/Detail/RankOptions.hpp"

#include <algorithm>
#include <array>
#include <bit>
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
  const geometry::Periods<Dim>& periods, const Speed& speed, int order) {
  std::array<std::int64_t, 2 + 5 * Dim + 6> words{};
  std::size_t n = 0;
  const auto add = [&](double value) { words[n++] = std::bit_cast<std::int64_t>(value); };
  words[n++] = static_cast<std::int64_t>(speed.kind);
  words[n++] = order;
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

/// How many numbers of each cell a speed refers to.
int valuesOfCell(const Speed& speed) {
  switch (speed.kind) {
  case Speed::Kind::OfElements:
    return 1;
  case Speed::Kind::TensorOfElements:
    return 6;
  case Speed::Kind::MatrixOfElements:
    return 9;
  default:
    return 0;
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void RankGrid<ExecutionSpace, Dim>::checkInput(
  const ExecutionSpace& space, const parallel::RowCut& cut, const Set& set, int order) const {
  if (order != 1 && order != 2) {
    throw InvalidArgument("order " + std::to_string(order) + " is asked for: differences have order 1 or 2");
  }
  if (cut.numParts() != communicator().size()) {
    throw InvalidArgument("a cut of " + std::to_string(cut.numParts()) + " parts for " +
      std::to_string(communicator().size()) + " ranks: there must be one for each");
  }
  const parallel::PlaneRange mine = cut.part(communicator().rank());
  const parallel::PlaneRange planes = planesOf<ExecutionSpace, Dim>(BareContext(space), set);
  if (!planes.empty() && !(planes.within(mine) == planes)) {
    throw InvalidArgument("rank " + std::to_string(communicator().rank()) + " has cells in the planes " +
      toString(planes) + ": its part of the cut are the planes " + toString(mine));
  }
}

template <class ExecutionSpace, int Dim>
void RankGrid<ExecutionSpace, Dim>::build(const Context<ExecutionSpace>& context, const parallel::RowCut& cut,
  const Set& set, const geometry::GridGeometry<Dim>& lattice, const geometry::Periods<Dim>& periods, const Speed& speed,
  int order, std::int64_t planesOfLines) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::buildRankGrid");
  SpeedSurvey survey;
  parallel::agree(communicator(), [&] {
    checkInput(space, cut, set, order);
    checkPeriods<ExecutionSpace, Dim>(context, set, periods);
    survey = surveySpeeds<ExecutionSpace, Dim>(space, set.numCells(), lattice, speed);
  });
  if (!areAlike<Dim>(communicator(), lattice, periods, speed, order)) {
    throw InvalidArgument(
      "ranks have other lattices, periods, kinds of speed or orders than each other: a grid has one");
  }
  std::array<std::int64_t, 4> sums = {survey.times.upper, survey.times.lower, survey.times.count, survey.numCoupled};
  communicator().reduce(ReduceBy::Sum, std::span<std::int64_t>(sums));
  survey = {{sums[0], sums[1], sums[2]}, sums[3]};
  std::int64_t across = 1;
  if (survey.numCoupled > 0) {
    parallel::agree(
      communicator(), [&] { across = planesAcross<ExecutionSpace, Dim>(space, set.numCells(), lattice, speed); });
    across = communicator().reduced(ReduceBy::Maximum, across);
  }
  cut_ = cut;
  order_ = order;
  const parallel::PlaneRange period = periods.along[Dim - 1]
    ? parallel::PlaneRange{periods.box.begin[Dim - 1], periods.box.end[Dim - 1]}
    : parallel::PlaneRange{0, 0};
  const std::int64_t seen = order * across;
  const std::int64_t held = std::max(planesOfLines, seen);

  std::vector<std::vector<parallel::HeldPlanes>> heldByRanks;
  for (int r = 0; r < communicator().size(); ++r) {
    std::vector<parallel::HeldPlanes>& planes = heldByRanks.emplace_back();
    for (const parallel::PlaneRange& range : planesAround(cut.part(r), held, period)) {
      planes.push_back({range, 0});
    }
  }
  move_.moveSet(context, heldByRanks, set, set_);
  Speed ofHeld = speed;
  const int count = valuesOfCell(speed);
  if (count > 0 && move_.moves()) {
    parallel::agree(
      communicator(), [&] { reserve(speeds_, move_.numCells() * count, SPANWISE_LABEL("Eikonal::speeds")); });
    const parallel::MovedColumn column{speed.values, speeds_.data(), count * static_cast<std::int64_t>(sizeof(double))};
    move_.moveValues(space, std::span(&column, 1));
    ofHeld.values = speeds_.data();
  }
  parallel::agree(
    communicator(), [&] { buildGrid<ExecutionSpace, Dim>(context, set_, lattice, periods, ofHeld, survey, grid_); });
  connect(space, period, held, seen);
}

// Slabs of a pair of ranks come in the order of the planes that are seen, on both.
template <class ExecutionSpace, int Dim>
void RankGrid<ExecutionSpace, Dim>::connect(
  const ExecutionSpace& space, const parallel::PlaneRange& period, std::int64_t planesHeld, std::int64_t planesSeen) {
  const int me = communicator().rank();
  const auto ownOf = [&](int rank) {
    const parallel::PlaneRange part = cut_.part(rank);
    return period.empty() ? part : part.within(period);
  };
  const auto add = [&](
                     std::vector<parallel::CellSlab>& slabs, int rank, int whose, const parallel::PlaneRange& planes) {
    const parallel::PlaneRange common = ownOf(whose).within(planes);
    const geometry::Slab slab =
      common.empty() ? geometry::Slab() : slabOf<ExecutionSpace, Dim>(BareContext(space), set_, common);
    if (slab.numCells() > 0) {
      slabs.push_back({rank, slab.firstCell, slab.numCells()});
    }
  };
  const auto slabsWithin = [&](std::int64_t planes, std::vector<parallel::CellSlab>& sends,
                             std::vector<parallel::CellSlab>& receives) {
    for (int r = 0; r < communicator().size(); ++r) {
      if (r == me) {
        continue;
      }
      for (const parallel::PlaneRange& range : planesAround(cut_.part(r), planes, period)) {
        add(sends, r, me, range);
      }
      for (const parallel::PlaneRange& range : planesAround(cut_.part(me), planes, period)) {
        add(receives, r, r, range);
      }
    }
  };
  const parallel::PlaneRange own = ownOf(me);
  const geometry::Slab mine =
    own.empty() ? geometry::Slab() : slabOf<ExecutionSpace, Dim>(BareContext(space), set_, own);
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
  exchange_.emplace(communicator(), std::move(plan));
  border_.emplace(space, communicator(), owned_, isRead, reads);
}

template <class ExecutionSpace, int Dim>
parallel::MessageReport RankGrid<ExecutionSpace, Dim>::report() const {
  parallel::MessageReport sum = exchange_ ? exchange_->report() : parallel::MessageReport();
  const parallel::MessageReport border = border_ ? border_->report() : parallel::MessageReport();
  return sum += border;
}

#define SPANWISE_RANK_GRID(Space, Dim) template class RankGrid<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_RANK_GRID)

} // namespace spanwise::eikonal
