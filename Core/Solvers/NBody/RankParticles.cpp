#include "Core/Solvers/NBody/Detail/RankParticles.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/ChooseExpansions.hpp"
#include "Core/Solvers/NBody/Detail/FarField.hpp"
#include "Core/Solvers/NBody/Detail/NearField.hpp"
#include "Core/Solvers/NBody/Detail/WrapPoints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spanwise::nbody::detail {

namespace {

/// How uneven work may be before points are dealt out again: the largest over the mean.
constexpr double toleratedImbalance = 1.1;
/// Boxes in which a rank says where its targets are.
constexpr std::int64_t maxRegions = 1024;
/// How much of the accuracy nodes may lose by rounding their places.
constexpr double roundedPart = 0.25;

/// Columns in another order.
template <class Real>
struct GatherColumns {
  const Real* from;
  std::int64_t stride;
  const std::int64_t* order;
  std::int64_t count;
  Real* to;
  void operator()(std::int64_t k) const { to[k] = from[k / count * stride + order[k % count]]; }
};

/// A box that goes to a rank, from the place `at` of its columns on.
struct SentBox {
  EssentialBox box;
  std::int64_t at;
};

template <int Dim, class Real>
struct SendPoints {
  const PointTree<Dim, Kokkos::HostSpace>* tree;
  const SentBox* boxes;
  const RankColumns<Real>* from;
  RankColumns<Real>* to;

  void operator()(std::int64_t k) const {
    const SentBox& sent = boxes[k];
    const std::int64_t begin = tree->sourceBegin(sent.box.box);
    for (int c = 0; c < from->numColumns(); ++c) {
      const Real* const column = from->column(c);
      Real* const at = to->column(c) + sent.at;
      for (std::int64_t i = begin; i < tree->sourceEnd(sent.box.box); ++i) {
        at[i - begin] = column[tree->sourceOrder(i)];
      }
    }
  }
};

/// Places of nodes, or with moments their charges of one right-hand side.
template <int Dim, class Real>
struct SendNodes {
  FarField<Dim, Real> field;
  const NodeTable* table;
  const SentBox* boxes;
  int firstColumn; ///< of charges
  RankColumns<Real>* to;

  void operator()(std::int64_t k) const {
    const SentBox& sent = boxes[k];
    const auto& tree = *field.tree;
    const std::int64_t count = field.numCoefficients();
    if (field.moments != nullptr) {
      Real values[BoxNodes<Dim, Real>::most];
      Real other[BoxNodes<Dim, Real>::most];
      std::copy_n(field.moments + sent.box.box * field.stride(), count, values);
      const Real* const charges = transformNodes<Dim>(*table, false, values, other);
      std::copy_n(charges, count, to->column(firstColumn) + sent.at);
      return;
    }
    const auto place = placeOf<Dim>(tree.key(sent.box.box), sent.box.level);
    const double side = tree.sideOf(sent.box.level);
    for (std::int64_t node = 0; node < count; ++node) {
      std::int64_t rest = node;
      for (int axis = 0; axis < Dim; ++axis, rest /= field.order) {
        to->column(axis)[sent.at + node] =
          static_cast<Real>(tree.low[axis] + (place.at[axis] + 0.5 + 0.5 * table->nodes[rest % field.order]) * side);
      }
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class Real>
void RankParticles<ExecutionSpace, Dim, Real>::move(const ExecutionSpace& space, const RankSums& sums,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources) {
  std::vector<const CurvePoints*> sets{&sourceCurve_};
  if (!sums.within) {
    sets.push_back(&targetCurve_);
  }
  const std::vector<std::uint64_t> cut = cutCurve(*communicator_, sets);
  std::vector<const Real*> from(sources.points.coordinates, sources.points.coordinates + Dim);
  std::vector<Real*> to;
  sourceMove_.plan(*communicator_, sourceCurve_, cut);
  own_.resize(sums.numCharges, sourceMove_.numHere(), bounds_);
  for (int c = 0; c < Dim + sums.numCharges; ++c) {
    if (c >= Dim) {
      from.push_back(sources.charges + (c - Dim) * sources.stride);
    }
    to.push_back(own_.columns.column(c) + own_.numCorners);
  }
  sourceMove_.template forward<Real>(space, *messenger_, from, to);
  numMoved_ = sourceMove_.numSent();
  if (!sums.within) {
    targetMove_.plan(*communicator_, targetCurve_, cut);
    targets_.resize(Dim, targetMove_.numHere());
    from.assign(targets.coordinates, targets.coordinates + Dim);
    to.clear();
    for (int axis = 0; axis < Dim; ++axis) {
      to.push_back(targets_.column(axis));
    }
    targetMove_.template forward<Real>(space, *messenger_, from, to);
    numMoved_ += targetMove_.numSent();
  }
  parallel::agree(*communicator_, [&] {
    const PointsView<Dim, Real> withCorners = own_.from(0).points;
    buildTree(Context(space, workspace_), sums.within ? withCorners : this->targets(), withCorners, sums.maxInLeaf,
      tree_, sums.box ? &*sums.box : nullptr, RootShape{sums.rootSides});
  });
}

// A target has what is near it, and about as much work with what is far as with half a leaf's sources; a source its
// moments. Summed directly, a leaf's sources are counted once: as many as it has are in the leaves around it on the
// whole, whatever the dimension of what points fill, which is the same factor for all.
template <class ExecutionSpace, int Dim, class Real>
double RankParticles<ExecutionSpace, Dim, Real>::findWork(const RankSums& sums) {
  const std::int64_t numSources = own_.count();
  sourceWork_.assign(
    static_cast<std::size_t>(numSources), sums.within ? 0 : std::max<std::int64_t>(1, sums.maxInLeaf / 8));
  targetWork_.assign(sums.within ? 0 : static_cast<std::size_t>(targets_.length()), 0);
  std::vector<std::int64_t>& work = sums.within ? sourceWork_ : targetWork_;
  const std::int64_t firstTarget = sums.within ? own_.numCorners : 0;
  for (std::int32_t box = 0; box < tree_.numBoxes(); ++box) {
    if (tree_.numChildren(box) == 0) {
      const std::int64_t ofEach = sums.maxInLeaf / 2 + 1 + tree_.sourceEnd(box) - tree_.sourceBegin(box);
      for (std::int64_t k = tree_.targetBegin(box); k < tree_.targetEnd(box); ++k) {
        const std::int64_t target = tree_.targetOrder(k) - firstTarget;
        if (target >= 0) {
          work[static_cast<std::size_t>(target)] = ofEach;
        }
      }
    }
  }
  double total = 0.0;
  for (const auto* const of : {&sourceWork_, &targetWork_}) {
    for (const std::int64_t each : *of) {
      total += static_cast<double>(each);
    }
  }
  const double sum = communicator_->reduced(ReduceBy::Sum, total);
  const double most = communicator_->reduced(ReduceBy::Maximum, total);
  return sum > 0.0 ? most * communicator_->size() / sum : 1.0;
}

template <class ExecutionSpace, int Dim, class Real>
void RankParticles<ExecutionSpace, Dim, Real>::distribute(
  const ExecutionSpace& space, const RankSums& sums, PointsView<Dim, Real> targets, SourcesView<Dim, Real> sources) {
  if (sums.within) {
    targets_.resize(0, 0);
  }
  bounds_ = boundsOfRanks(space, *communicator_, targets, sources.points);
  Workspace<Kokkos::HostSpace>::Frame frame(workspace_);
  parallel::agree(*communicator_, [&] {
    if (sums.box) {
      for (int axis = 0; axis < Dim; ++axis) {
        bounds_.low[axis] = sums.box->low[axis];
        bounds_.high[axis] = sums.box->low[axis] + sums.box->edges[axis];
      }
      sources.points = wrapPoints(space, sources.points, *sums.box, frame);
      targets = sums.within ? sources.points : wrapPoints(space, targets, *sums.box, frame);
    }
    sortAlongCurve(Context(space, workspace_), bounds_, sources.points, sourceCurve_);
    if (!sums.within) {
      sortAlongCurve(Context(space, workspace_), bounds_, targets, targetCurve_);
    }
  });
  move(space, sums, targets, sources);
  imbalance_ = findWork(sums);
  if (imbalance_ <= toleratedImbalance) {
    return;
  }
  const auto weigh = [&](CurvePoints& curve, PointMove<ExecutionSpace>& moved, const std::vector<std::int64_t>& work) {
    curve.weights.resize(curve.keys.size());
    const std::int64_t* const from = work.data();
    std::int64_t* const to = curve.weights.data();
    moved.template back<std::int64_t>(space, *messenger_, {&from, 1}, {&to, 1}, false);
  };
  weigh(sourceCurve_, sourceMove_, sourceWork_);
  if (!sums.within) {
    weigh(targetCurve_, targetMove_, targetWork_);
  }
  move(space, sums, targets, sources);
  imbalance_ = findWork(sums);
}

template <class ExecutionSpace, int Dim, class Real>
void RankParticles<ExecutionSpace, Dim, Real>::fillSends(const ExecutionSpace& space, const RankSums& sums) {
  const std::int64_t numNodes = sums.numNodes(Dim);
  const std::int64_t nodesAt = sums.ofDipoles ? 1 : 0;
  std::array<std::vector<SentBox>, 2> boxes; // as points, as nodes
  std::array<std::int64_t, 2> at{};
  for (const EssentialBoxes& of : forRanks_) {
    for (const EssentialBox& box : of.asPoints) {
      boxes[0].push_back({box, at[0]});
      at[0] += tree_.sourceEnd(box.box) - tree_.sourceBegin(box.box);
    }
    for (const EssentialBox& box : of.asNodes) {
      boxes[1].push_back({box, at[nodesAt]});
      at[nodesAt] += numNodes;
    }
  }
  sends_[0].resize(Dim + sums.numCharges, at[0]);
  sends_[1].resize(Dim + sums.numSides, at[1]);
  using Uneven =
    Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
  forEach(SPANWISE_KERNEL("send points"), Uneven(space, 0, std::ssize(boxes[0])),
    SendPoints<Dim, Real>{&tree_, boxes[0].data(), &own_.columns, &sends_[0]}, Work{at[0]});
  space.fence(SPANWISE_LABEL("NBody::sendEssential"));
  if (boxes[1].empty()) {
    return;
  }
  Workspace<Kokkos::HostSpace>::Frame frame(workspace_);
  const NodeTable& table = nodeTableOf(sums.order);
  const std::int64_t numSources = own_.columns.length();
  const int columnsOfSide = sums.numCharges / sums.numSides;
  FarField<Dim, Real> field;
  field.tree = &tree_;
  field.kernels = chooseExpansions<Dim, Real>(sums.instructions);
  field.order = sums.order;
  field.ofDipoles = sums.ofDipoles;
  SendNodes<Dim, Real> send{field, &table, boxes[1].data(), 0, &sends_[nodesAt]};
  const Uneven all(space, 0, std::ssize(boxes[1]));
  forEach(SPANWISE_KERNEL("place nodes"), all, send, Work{at[nodesAt]});
  Real* const coordinates = frame.template array<Real>(Dim * numSources).data();
  Real* const charges = frame.template array<Real>(columnsOfSide * numSources).data();
  forEach(SPANWISE_KERNEL("gather points"), IndexRange<ExecutionSpace>(space, 0, Dim * numSources),
    GatherColumns<Real>{own_.columns.column(0), numSources, tree_.sourceOrder.data(), numSources, coordinates});
  for (int axis = 0; axis < Dim; ++axis) {
    field.sources.coordinates[axis] = coordinates + axis * numSources;
  }
  field.sources.count = numSources;
  field.charges = charges;
  field.chargeStride = numSources;
  field.moments = frame.template array<Real>(tree_.numBoxes() * field.stride()).data();
  send.field = field;
  for (int side = 0; side < sums.numSides; ++side) {
    forEach(SPANWISE_KERNEL("gather charges"), IndexRange<ExecutionSpace>(space, 0, columnsOfSide * numSources),
      GatherColumns<Real>{
        own_.columns.column(Dim + side * columnsOfSide), numSources, tree_.sourceOrder.data(), numSources, charges});
    findMoments(space, field);
    send.firstColumn = Dim + side;
    forEach(SPANWISE_KERNEL("send nodes"), all, send, Work{at[nodesAt]});
    space.fence(SPANWISE_LABEL("NBody::sendEssential"));
  }
}

template <class ExecutionSpace, int Dim, class Real>
void RankParticles<ExecutionSpace, Dim, Real>::startEssential(const ExecutionSpace& space, const RankSums& sums) {
  SPANWISE_REGION("NBody::startEssential");
  const auto numRanks = static_cast<std::size_t>(communicator_->size());
  const auto self = static_cast<std::size_t>(communicator_->rank());
  const std::int64_t numSets = sums.ofDipoles ? 2 : 1;
  std::vector<TargetRegion<Dim>> regions;
  parallel::agree(*communicator_, [&] {
    if (sums.within) { // corners are no targets
      regions = targetRegions(tree_, own_.from(0).points, own_.numCorners, maxRegions);
    } else {
      regions = targetRegions(tree_, targets(), 0, maxRegions);
    }
  });
  std::vector<std::int64_t> numRegions;
  const auto allRegions = communicator_->gather(std::span<const TargetRegion<Dim>>(regions), &numRegions);
  std::vector<std::int64_t> sent(2 * numRanks, 0); // points and nodes for each rank
  parallel::agree(*communicator_, [&] {
    forRanks_.resize(numRanks);
    double largest = 0.0;
    for (int axis = 0; axis < Dim; ++axis) {
      largest = std::max({largest, std::abs(bounds_.low[axis]), std::abs(bounds_.high[axis])});
    }
    EssentialRule rule;
    rule.numNodes = sums.numNodes(Dim);
    rule.minSide = sums.sendsNodes ? std::numeric_limits<Real>::epsilon() * largest / (roundedPart * sums.accuracy)
                                   : std::numeric_limits<double>::infinity();
    std::size_t first = 0;
    for (std::size_t r = 0; r < numRanks; ++r) {
      const auto count = static_cast<std::size_t>(numRegions[r]);
      const bool needsNothing = r == self || own_.count() == 0;
      findEssential(tree_,
        needsNothing ? std::span<const TargetRegion<Dim>>() : std::span(allRegions).subspan(first, count), rule,
        forRanks_[r]);
      first += count;
      for (const EssentialBox& box : forRanks_[r].asPoints) {
        sent[2 * r] += tree_.sourceEnd(box.box) - tree_.sourceBegin(box.box);
      }
      sent[2 * r + 1] = std::ssize(forRanks_[r].asNodes) * rule.numNodes;
    }
    fillSends(space, sums);
  });
  const std::vector<std::int64_t> all = communicator_->gather(std::span<const std::int64_t>(sent));
  std::vector<std::int64_t> received(2 * numRanks);
  numEssential_ = {};
  for (std::size_t r = 0; r < numRanks; ++r) {
    for (std::size_t what = 0; what < 2; ++what) {
      received[2 * r + what] = all[2 * (r * numRanks + self) + what];
      numEssential_[what] += received[2 * r + what];
    }
  }
  const auto lengthOf = [&](const std::vector<std::int64_t>& counts, std::size_t r, std::int64_t set) {
    return sums.ofDipoles ? counts[2 * r + static_cast<std::size_t>(set)] : counts[2 * r] + counts[2 * r + 1];
  };
  parallel::agree(*communicator_, [&] {
    const std::int64_t first = sums.within ? 0 : own_.count();
    for (std::int64_t set = 0; set < numSets; ++set) {
      std::int64_t total = set == 0 ? first : 0;
      for (std::size_t r = 0; r < numRanks; ++r) {
        total += lengthOf(received, r, set);
      }
      others_[set].resize(set == 0 ? sums.numCharges : sums.numSides, total, bounds_);
    }
    for (int c = 0; c < Dim + sums.numCharges; ++c) {
      std::copy_n(own_.columns.column(c) + own_.numCorners, first, others_[0].columns.column(c) + own_.numCorners);
    }
  });
  for (std::int64_t set = 0; set < numSets; ++set) {
    for (int c = 0; c < sends_[set].numColumns(); ++c) {
      const Real* from = sends_[set].column(c);
      Real* to = others_[set].columns.column(c) + own_.numCorners + (set == 0 && !sums.within ? own_.count() : 0);
      for (std::size_t r = 0; r < numRanks; ++r) {
        messenger_->send(static_cast<int>(r), from, lengthOf(sent, r, set));
        messenger_->receive(static_cast<int>(r), to, lengthOf(received, r, set));
        from += lengthOf(sent, r, set);
        to += lengthOf(received, r, set);
      }
    }
  }
  messenger_->start(space);
}

template <class ExecutionSpace, int Dim, class Real>
void RankParticles<ExecutionSpace, Dim, Real>::bringBack(
  const ExecutionSpace& space, const RankColumns<Real>& sums, const std::vector<Real*>& to, bool adds) {
  std::vector<const Real*> from(static_cast<std::size_t>(sums.numColumns()));
  for (int c = 0; c < sums.numColumns(); ++c) {
    from[static_cast<std::size_t>(c)] = sums.column(c);
  }
  (targets_.numColumns() == 0 ? sourceMove_ : targetMove_).template back<Real>(space, *messenger_, from, to, adds);
}

#define SPANWISE_RANK_PARTICLES(Space)                                                                                 \
  template class RankParticles<Space, 2, float>;                                                                       \
  template class RankParticles<Space, 2, double>;                                                                      \
  template class RankParticles<Space, 3, float>;                                                                       \
  template class RankParticles<Space, 3, double>;
SPANWISE_IF_SERIAL(SPANWISE_RANK_PARTICLES(Kokkos::Serial))
SPANWISE_IF_OPENMP(SPANWISE_RANK_PARTICLES(Kokkos::OpenMP))
SPANWISE_IF_THREADS(SPANWISE_RANK_PARTICLES(Kokkos::Threads))

} // namespace spanwise::nbody::detail
