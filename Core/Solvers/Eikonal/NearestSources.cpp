#include "Core/Solvers/Eikonal/NearestSources.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/Parents.hpp"

#include <utility>

namespace spanwise::eikonal {

namespace {

using detail::Parents;

/// Sources and the shares that they have in a vertex, the largest first and of equal ones that which the first of its
/// parents has; the shares add up to 1, or there are none.
struct Shares {
  static constexpr int most = 4;
  std::int32_t labels[most] = {-1, -1, -1, -1};
  float shares[most] = {};

  KOKKOS_FUNCTION friend bool operator==(const Shares& a, const Shares& b) {
    for (int k = 0; k < most; ++k) {
      if (a.labels[k] != b.labels[k] || a.shares[k] != b.shares[k]) {
        return false;
      }
    }
    return true;
  }
};

/// Shares as they are summed up.
template <int capacity>
struct ShareSum {
  std::int32_t labels[capacity];
  float shares[capacity];
  int count = 0;

  KOKKOS_FUNCTION void add(const Shares& parent, float part) {
    for (int k = 0; k < Shares::most && parent.labels[k] >= 0; ++k) {
      int at = 0;
      while (at < count && labels[at] != parent.labels[k]) {
        ++at;
      }
      if (at == count) {
        labels[count] = parent.labels[k];
        shares[count] = 0.0F;
        ++count;
      }
      shares[at] += part * parent.shares[k];
    }
  }

  /// The largest ones, made to add up to 1.
  [[nodiscard]] KOKKOS_FUNCTION Shares largest() {
    Shares result;
    float sum = 0.0F;
    for (int k = 0; k < Shares::most && k < count; ++k) {
      int best = k;
      for (int i = k + 1; i < count; ++i) {
        best = shares[i] > shares[best] ? i : best;
      }
      result.labels[k] = labels[best];
      result.shares[k] = shares[best];
      sum += shares[best];
      for (int i = best; i > k; --i) { // the others stay in their order
        labels[i] = labels[i - 1];
        shares[i] = shares[i - 1];
      }
    }
    for (float& share : result.shares) {
      share = sum > 0.0F ? share / sum : 0.0F;
    }
    return result;
  }
};

struct FirstShares {
  const std::int32_t* labels;
  Shares* shares;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    shares[v] = Shares();
    if (labels[v] >= 0) {
      shares[v].labels[0] = labels[v];
      shares[v].shares[0] = 1.0F;
    }
  }
};

/// Gives each vertex the mean of its parents' shares, from those before the round.
template <int corners>
struct MixShares {
  Parents<corners> parents;
  const Shares* before;
  Shares* after;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& numChanged) const {
    constexpr int most = Parents<corners>::most;
    const std::int32_t* of = parents.vertices + v * most;
    ShareSum<most * Shares::most> sum;
    for (int j = 0; j < most; ++j) {
      if (of[j] >= 0) {
        sum.add(before[of[j]], parents.parts[v * most + j]);
      }
    }
    after[v] = sum.count > 0 ? sum.largest() : before[v];
    numChanged += after[v] == before[v] ? 0 : 1;
  }
};

struct CopyTurns {
  const double* times;
  double* turns;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { turns[v] = times[v]; }
};

struct TakeLabels {
  const Shares* shares;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { labels[v] = shares[v].labels[0]; }
};

/// Shares as the rank says that has a vertex's parents.
struct SharesOfRank {
  Shares shares;
  std::int32_t counts;
};

struct OfferShares {
  Shares* shares;
  const std::int32_t* winners;
  int rank;

  [[nodiscard]] KOKKOS_FUNCTION SharesOfRank get(std::int64_t v) const {
    return {shares[v], winners[v] == rank ? 1 : 0};
  }
  KOKKOS_FUNCTION void set(std::int64_t v, const SharesOfRank& all) const { shares[v] = all.shares; }
};

struct CountingShares {
  KOKKOS_FUNCTION SharesOfRank operator()(const SharesOfRank& a, const SharesOfRank& b) const {
    return a.counts != 0 ? a : b;
  }
};

/// How ranks agree on shared vertices. One process has none.
template <class ExecutionSpace>
struct SharedLabels {
  const ExecutionSpace& space;
  SharedExchange<ExecutionSpace>& exchange;
  std::int32_t* winners = nullptr;

  template <int corners, class Real, class Frame>
  void joinParents(const VertexView<Real>& points, const Parents<corners>& parents, detail::Explanation* best,
    std::int64_t numVertices, Frame& frame) {
    if (isAlone()) {
      return;
    }
    winners = frame.template array<std::int32_t>(numVertices).data();
    forEach(
      SPANWISE_KERNEL("set rank"), IndexRange<ExecutionSpace>(space, 0, numVertices), detail::SetRank{winners, rank()});
    exchange.join(space, detail::OfferExplanations<corners, Real>{points, parents, best, winners, rank()},
      detail::BestExplanation<corners>());
    dropOthers(parents, numVertices);
  }
  template <int corners, class Real>
  void joinSteps(const VertexView<Real>& points, const Parents<corners>& parents, const double* squaredTimes,
    std::int32_t* steps, std::int32_t step, std::int64_t numVertices) {
    if (isAlone()) {
      return;
    }
    exchange.join(space, detail::OfferSteps<corners, Real>{points, parents, squaredTimes, steps, winners, step, rank()},
      detail::FastestStep());
    dropOthers(parents, numVertices);
  }
  void joinTurns(double* turns) {
    if (!isAlone()) {
      exchange.join(space, VertexValues<double>{turns}, detail::MinTurn());
    }
  }
  void joinShares(Shares* shares) {
    if (!isAlone()) {
      exchange.join(space, OfferShares{shares, winners, rank()}, CountingShares());
    }
  }
  [[nodiscard]] std::int64_t sum(std::int64_t count) const {
    return exchange.communicator().reduced(ReduceBy::Sum, count);
  }

private:
  [[nodiscard]] bool isAlone() const { return exchange.communicator().alone(); }
  [[nodiscard]] int rank() const { return exchange.communicator().rank(); }

  template <int corners>
  void dropOthers(const Parents<corners>& parents, std::int64_t numVertices) {
    forEach(SPANWISE_KERNEL("drop parents"), IndexRange<ExecutionSpace>(space, 0, numVertices),
      detail::DropParents<corners>{parents, winners, rank()});
  }
};

/// Leads from inside of plateaus to their borders. steps [numVertices] = how many vertices are on the way. Returns how
/// many have none, by this rank.
template <class ExecutionSpace, int corners, class Real, class Ranks>
std::int64_t crossPlateaus(const Context<ExecutionSpace>& context, Ranks& ranks, const VertexView<Real>& points,
  const SimplexMeshView<corners>& simplices, const double* turns, const detail::Explanation* best,
  const Parents<corners>& parents, std::int32_t* steps) {
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const std::int64_t numVertices = simplices.numVertices;
  const auto other = frame.template array<std::int32_t>(numVertices);
  const auto squaredTimes = frame.template array<double>(numVertices);
  const IndexRange<ExecutionSpace> all(context.space(), 0, numVertices);
  std::int32_t* before = steps;
  std::int32_t* after = other.data();
  std::int64_t numCrossed = 1;
  for (std::int32_t step = 1; numCrossed > 0; ++step) {
    reduce(SPANWISE_KERNEL("cross plateaus"), all,
      detail::CrossPlateaus<corners, Real>{simplices, points, turns, before, after, step, parents, squaredTimes.data()},
      numCrossed);
    ranks.joinSteps(points, parents, squaredTimes.data(), after, step, numVertices);
    numCrossed = ranks.sum(numCrossed);
    std::swap(before, after);
  }
  std::int64_t numInPits = 0;
  reduce(SPANWISE_KERNEL("settle steps"), all, detail::SettleSteps{before, best, steps}, numInPits);
  return numInPits;
}

/// Fills the pits of times.
template <class ExecutionSpace, int corners, class Ranks>
void floodTurns(const Context<ExecutionSpace>& context, Ranks& ranks, const SimplexMeshView<corners>& simplices,
  const double* times, const double* startTimes, double* turns) {
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto other = frame.template array<double>(simplices.numVertices);
  const IndexRange<ExecutionSpace> all(context.space(), 0, simplices.numVertices);
  forEach(SPANWISE_KERNEL("start turns"), all, detail::StartTurns{times, startTimes, turns});
  for (std::int64_t numChanged = 1; numChanged > 0;) { // two rounds, so that the result is where it is asked for
    numChanged = 0;
    for (const auto& [before, after] : {std::pair(turns, other.data()), std::pair(other.data(), turns)}) {
      std::int64_t ofRound = 0;
      reduce(
        SPANWISE_KERNEL("flood turns"), all, detail::FloodTurns<corners>{simplices, times, before, after}, ofRound);
      ranks.joinTurns(after);
      numChanged += ranks.sum(ofRound);
    }
  }
}

/// Finds the parents of all vertices. Returns how many have none and are no starts, by this rank.
template <class ExecutionSpace, int corners, class Real, class Ranks>
std::int64_t findParents(const Context<ExecutionSpace>& context, Ranks& ranks,
  const detail::FindParents<corners, Real>& find, detail::BorderBy borders, std::int32_t* plateauSteps) {
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const IndexRange<ExecutionSpace> all(context.space(), 0, find.simplices.numVertices);
  forEach(SPANWISE_KERNEL("find parents"), all, find, Work{16 * find.simplices.numVertices});
  ranks.joinParents(find.points, find.parents, find.best, find.simplices.numVertices, frame);
  std::int64_t numInside = 0;
  reduce(SPANWISE_KERNEL("find borders"), all,
    detail::FindBorders{borders, find.times, find.startTimes, find.best, plateauSteps}, numInside);
  return ranks.sum(numInside) > 0
    ? crossPlateaus(context, ranks, find.points, find.simplices, find.turns, find.best, find.parents, plateauSteps)
    : 0;
}

template <class ExecutionSpace, int corners, class Real, class Ranks>
void labelNearest(const Context<ExecutionSpace>& context, Ranks ranks, const VertexView<Real>& points,
  const SimplexMeshView<corners>& simplices, const FactoringView& factoring, const double* times,
  const double* startTimes, std::int32_t* labels, double* turns, std::int32_t* plateauSteps) {
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  constexpr int most = Parents<corners>::most;
  const std::int64_t numVertices = simplices.numVertices;
  const auto vertices = frame.template array<std::int32_t>(numVertices * most);
  const auto parts = frame.template array<float>(numVertices * most);
  const auto first = frame.template array<Shares>(numVertices);
  const auto second = frame.template array<Shares>(numVertices);
  const auto best = frame.template array<detail::Explanation>(numVertices);
  const Parents<corners> parents{vertices.data(), parts.data()};
  const IndexRange<ExecutionSpace> all(context.space(), 0, numVertices);
  const detail::FindParents<corners, Real> find{
    simplices, points, factoring, times, turns, startTimes, parents, labels, best.data()};
  forEach(SPANWISE_KERNEL("turns"), all, CopyTurns{times, turns});
  if (ranks.sum(findParents(context, ranks, find, detail::BorderBy::Explanation, plateauSteps)) > 0) {
    floodTurns(context, ranks, simplices, times, startTimes, turns);
    findParents(context, ranks, find, detail::BorderBy::Earlier, plateauSteps);
  }
  Shares* before = first.data();
  Shares* after = second.data();
  forEach(SPANWISE_KERNEL("first shares"), all, FirstShares{labels, before});
  for (std::int64_t numChanged = 1; numChanged > 0;) {
    reduce(SPANWISE_KERNEL("mix shares"), all, MixShares<corners>{parents, before, after}, numChanged);
    ranks.joinShares(after);
    numChanged = ranks.sum(numChanged);
    std::swap(before, after);
  }
  forEach(SPANWISE_KERNEL("take labels"), all, TakeLabels{before, labels});
}

} // namespace

template <class ExecutionSpace, int corners, MeshReal Real>
void labelNearestSources(const Context<ExecutionSpace>& context, const VertexView<Real>& points,
  SimplexMesh<corners, ExecutionSpace>& simplices, const FactoringView& factoring, const double* times,
  const double* startTimes, std::int32_t* labels, double* turns, std::int32_t* plateauSteps) {
  SPANWISE_REGION("Eikonal::labelNearestSources");
  labelNearest(context, SharedLabels<ExecutionSpace>{context.space(), simplices.exchange()}, points, simplices.view(),
    factoring, times, startTimes, labels, turns, plateauSteps);
}

#define SPANWISE_LABEL_NEAREST_IN(Space, corners, Real)                                                                \
  template void labelNearestSources<Space, corners, Real>(const Context<Space>&, const VertexView<Real>&,              \
    SimplexMesh<corners, Space>&, const FactoringView&, const double*, const double*, std::int32_t*, double*,          \
    std::int32_t*);
#define SPANWISE_LABEL_NEAREST(Space)                                                                                  \
  SPANWISE_LABEL_NEAREST_IN(Space, 3, float)                                                                           \
  SPANWISE_LABEL_NEAREST_IN(Space, 3, double)                                                                          \
  SPANWISE_LABEL_NEAREST_IN(Space, 4, float)                                                                           \
  SPANWISE_LABEL_NEAREST_IN(Space, 4, double)
SPANWISE_FOR_EACH_SPACE(SPANWISE_LABEL_NEAREST)

} // namespace spanwise::eikonal
