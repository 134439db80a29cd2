#include "Core/Solvers/Eikonal/NearestSources.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/CornerUpdate.hpp"

#include <utility>

namespace spanwise::eikonal {

namespace {

using spanwise::detail::forEach;
using spanwise::detail::Range;

/// The vertices that each vertex has its time from, with their parts in it: corners of the face that its front came
/// through. Times fall from vertex to parents, or stay where a front comes from one corner alone, so no way along them
/// leads back. Vertices that keep their start, and those without a time, have none.
template <int corners>
struct Parents {
  static constexpr int most = corners - 1;
  std::int32_t* vertices; ///< [numVertices][most], -1: none
  float* parts;           ///< [numVertices][most]
};

/// How well parents explain a vertex's time.
struct BestArrival {
  double time = notReached;
  std::int32_t isLater = 0; ///< than some corner that has a part in it

  [[nodiscard]] KOKKOS_FUNCTION bool isBefore(const BestArrival& other) const {
    return time < other.time || (time == other.time && isLater > other.isLater);
  }
};

template <int corners>
struct FindParents {
  SimplexMeshView<corners> simplices;
  FactoringView factoring;
  const double* times;
  const double* startTimes;
  Parents<corners> parents;
  std::int32_t* labels;
  BestArrival* best; ///< [numVertices]: what the parents give; null: not asked for

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const BestArrival arrival = find(v);
    if (best != nullptr) {
      best[v] = arrival;
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION BestArrival find(std::int64_t v) const {
    std::int32_t* of = parents.vertices + v * Parents<corners>::most;
    float* parts = parents.parts + v * Parents<corners>::most;
    for (int j = 0; j < corners - 1; ++j) {
      of[j] = -1;
      parts[j] = 0.0F;
    }
    if (!(times[v] < notReached)) {
      labels[v] = -1;
    }
    BestArrival least;
    if (!(times[v] < startTimes[v])) {
      return least;
    }
    labels[v] = -1;
    for (int k = 0; k < simplices.ball.degrees[v]; ++k) {
      const BallEntry entry = simplices.ball(v, k);
      const std::int64_t s = BallView::element(entry);
      const int corner = BallView::local(entry);
      std::int32_t vertices[corners];
      double u[corners];
      for (int j = 0; j < corners; ++j) {
        vertices[j] = simplices.vertices[s * corners + j];
        u[j] = times[vertices[j]];
      }
      const auto arrival = updateCorner<corners>(corner, FactoredCorners<corners>(factoring, s, vertices), u,
        simplices.products + s * SimplexMeshView<corners>::numEdges);
      bool isLater = false;
      int first = (corner + 1) % corners;
      for (int j = 0; j < corners - 1; ++j) {
        const int from = (corner + 1 + j) % corners;
        isLater = isLater || (arrival.weight[j] > 0.0 && u[from] < times[v]);
        first = u[from] < u[first] ? from : first;
      }
      const BestArrival candidate{arrival.time, isLater ? 1 : 0};
      if (!candidate.isBefore(least) || !(isLater || u[first] <= times[v])) {
        continue;
      }
      least = candidate;
      for (int j = 0; j < corners - 1; ++j) {
        const int from = (corner + 1 + j) % corners;
        // A factored front comes no earlier than the first corner, and may come as early: then it is that one's.
        const bool counts = isLater ? arrival.weight[j] > 0.0 && u[from] < times[v] : from == first;
        of[j] = counts ? vertices[from] : -1;
        parts[j] = !counts ? 0.0F : isLater ? static_cast<float>(arrival.weight[j]) : 1.0F;
      }
    }
    return least;
  }
};

/// Sources and the shares that they have in a vertex, the largest first and of equal ones that of the least number; the
/// shares add up to 1, or there are none.
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
        if (shares[i] > shares[best] || (shares[i] == shares[best] && labels[i] < labels[best])) {
          best = i;
        }
      }
      result.labels[k] = labels[best];
      result.shares[k] = shares[best];
      sum += shares[best];
      labels[best] = labels[k];
      shares[best] = shares[k];
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

struct TakeLabels {
  const Shares* shares;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { labels[v] = shares[v].labels[0]; }
};

/// What a rank says of a vertex's parents.
struct ParentsOfRank {
  BestArrival arrival;
  int rank;
};

struct OfferParents {
  const BestArrival* best;
  std::int32_t* winners;
  int rank;

  [[nodiscard]] KOKKOS_FUNCTION ParentsOfRank get(std::int64_t v) const { return {best[v], rank}; }
  KOKKOS_FUNCTION void set(std::int64_t v, const ParentsOfRank& all) const { winners[v] = all.rank; }
};

struct BestParents {
  KOKKOS_FUNCTION ParentsOfRank operator()(const ParentsOfRank& a, const ParentsOfRank& b) const {
    return b.arrival.isBefore(a.arrival) ? b : a;
  }
};

struct SetRank {
  std::int32_t* winners;
  int rank;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { winners[v] = rank; }
};

template <int corners>
struct DropParents {
  Parents<corners> parents;
  const std::int32_t* winners;
  int rank;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    for (int j = 0; j < Parents<corners>::most && winners[v] != rank; ++j) {
      parents.vertices[v * Parents<corners>::most + j] = -1;
    }
  }
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

/// A mesh that is on one rank as a whole.
struct WholeMesh {
  template <class Parents, class Frame>
  void joinParents(const Parents& /*parents*/, BestArrival* /*best*/, std::int64_t /*numVertices*/, Frame& /*frame*/) {}
  void joinShares(Shares* /*shares*/) {}
  [[nodiscard]] std::int64_t sum(std::int64_t numChanged) const { return numChanged; }
  static constexpr bool needsBest = false;
};

template <class ExecutionSpace>
struct MeshOnRanks {
  const ExecutionSpace& space;
  SharedExchange<ExecutionSpace>& exchange;
  std::int32_t* winners = nullptr;
  static constexpr bool needsBest = true;

  template <int corners, class Frame>
  void joinParents(const Parents<corners>& parents, BestArrival* best, std::int64_t numVertices, Frame& frame) {
    const int rank = exchange.communicator().rank();
    winners = frame.template array<std::int32_t>(numVertices).data();
    const Range<ExecutionSpace> all(space, 0, numVertices);
    forEach(SPANWISE_KERNEL("set rank"), all, SetRank{winners, rank});
    exchange.join(space, OfferParents{best, winners, rank}, BestParents());
    forEach(SPANWISE_KERNEL("drop parents"), all, DropParents<corners>{parents, winners, rank});
  }
  void joinShares(Shares* shares) {
    exchange.join(space, OfferShares{shares, winners, exchange.communicator().rank()}, CountingShares());
  }
  [[nodiscard]] std::int64_t sum(std::int64_t numChanged) const {
    return exchange.communicator().reduced(ReduceBy::Sum, numChanged);
  }
};

template <class ExecutionSpace, int corners, class Ranks>
void labelNearest(const ExecutionSpace& space, Ranks ranks, const SimplexMeshView<corners>& simplices,
  const FactoringView& factoring, const double* times, const double* startTimes, std::int32_t* labels,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  constexpr int most = Parents<corners>::most;
  const std::int64_t numVertices = simplices.numVertices;
  const auto vertices = frame.template array<std::int32_t>(numVertices * most);
  const auto parts = frame.template array<float>(numVertices * most);
  const auto first = frame.template array<Shares>(numVertices);
  const auto second = frame.template array<Shares>(numVertices);
  const auto best = frame.template array<BestArrival>(Ranks::needsBest ? numVertices : 0);
  const Parents<corners> parents{vertices.data(), parts.data()};
  const Range<ExecutionSpace> all(space, 0, numVertices);
  Kokkos::parallel_for(SPANWISE_KERNEL("find parents"), all,
    FindParents<corners>{
      simplices, factoring, times, startTimes, parents, labels, Ranks::needsBest ? best.data() : nullptr});
  ranks.joinParents(parents, best.data(), numVertices, frame);
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

template <class ExecutionSpace, int corners>
void labelNearestSources(const ExecutionSpace& space, const SimplexMeshView<corners>& simplices,
  const FactoringView& factoring, const double* times, const double* startTimes, std::int32_t* labels,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::labelNearestSources");
  labelNearest(space, WholeMesh(), simplices, factoring, times, startTimes, labels, workspace);
}

template <class ExecutionSpace, int corners>
void labelNearestSourcesOnRanks(const ExecutionSpace& space, SharedExchange<ExecutionSpace>& exchange,
  const SimplexMeshView<corners>& simplices, const FactoringView& factoring, const double* times,
  const double* startTimes, std::int32_t* labels, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::labelNearestSourcesOnRanks");
  labelNearest(
    space, MeshOnRanks<ExecutionSpace>{space, exchange}, simplices, factoring, times, startTimes, labels, workspace);
}

#define SPANWISE_LABEL_NEAREST_IN(Space, corners)                                                                      \
  template void labelNearestSources<Space, corners>(const Space&, const SimplexMeshView<corners>&,                     \
    const FactoringView&, const double*, const double*, std::int32_t*, Workspace<Space::memory_space>&);               \
  template void labelNearestSourcesOnRanks<Space, corners>(const Space&, SharedExchange<Space>&,                       \
    const SimplexMeshView<corners>&, const FactoringView&, const double*, const double*, std::int32_t*,                \
    Workspace<Space::memory_space>&);
#define SPANWISE_LABEL_NEAREST(Space)                                                                                  \
  SPANWISE_LABEL_NEAREST_IN(Space, 3)                                                                                  \
  SPANWISE_LABEL_NEAREST_IN(Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_LABEL_NEAREST)

} // namespace spanwise::eikonal
