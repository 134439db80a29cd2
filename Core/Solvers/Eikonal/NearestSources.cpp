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
/// through. Times fall from vertex to parents, so no way along them leads back. Vertices that keep their start, and
/// those without a time, have none.
template <int corners>
struct Parents {
  static constexpr int most = corners - 1;
  std::int32_t* vertices; ///< [numVertices][most], -1: none
  float* parts;           ///< [numVertices][most]
};

template <int corners>
struct FindParents {
  SimplexMeshView<corners> simplices;
  FactoringView factoring;
  const double* times;
  const double* startTimes;
  Parents<corners> parents;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    std::int32_t* of = parents.vertices + v * Parents<corners>::most;
    float* parts = parents.parts + v * Parents<corners>::most;
    for (int j = 0; j < corners - 1; ++j) {
      of[j] = -1;
      parts[j] = 0.0F;
    }
    if (!(times[v] < notReached)) {
      labels[v] = -1;
    }
    if (!(times[v] < startTimes[v])) {
      return;
    }
    labels[v] = -1;
    double best = notReached;
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
      bool earlier = false;
      for (int j = 0; j < corners - 1; ++j) {
        earlier = earlier || (arrival.weight[j] > 0.0 && u[(corner + 1 + j) % corners] < times[v]);
      }
      if (!(earlier && arrival.time < best)) {
        continue;
      }
      best = arrival.time;
      for (int j = 0; j < corners - 1; ++j) {
        const int from = (corner + 1 + j) % corners;
        const bool counts = arrival.weight[j] > 0.0 && u[from] < times[v];
        of[j] = counts ? vertices[from] : -1;
        parts[j] = counts ? static_cast<float>(arrival.weight[j]) : 0.0F;
      }
    }
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

} // namespace

template <class ExecutionSpace, int corners>
void labelNearestSources(const ExecutionSpace& space, const SimplexMeshView<corners>& simplices,
  const FactoringView& factoring, const double* times, const double* startTimes, std::int32_t* labels,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::labelNearestSources");
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  constexpr int most = Parents<corners>::most;
  const std::int64_t numVertices = simplices.numVertices;
  const auto vertices = frame.template array<std::int32_t>(numVertices * most);
  const auto parts = frame.template array<float>(numVertices * most);
  const auto first = frame.template array<Shares>(numVertices);
  const auto second = frame.template array<Shares>(numVertices);
  const Parents<corners> parents{vertices.data(), parts.data()};
  const Range<ExecutionSpace> all(space, 0, numVertices);
  Kokkos::parallel_for(SPANWISE_KERNEL("find parents"), all,
    FindParents<corners>{simplices, factoring, times, startTimes, parents, labels});
  Shares* before = first.data();
  Shares* after = second.data();
  forEach(SPANWISE_KERNEL("first shares"), all, FirstShares{labels, before});
  for (std::int64_t numChanged = 1; numChanged > 0;) {
    reduce(SPANWISE_KERNEL("mix shares"), all, MixShares<corners>{parents, before, after}, numChanged);
    std::swap(before, after);
  }
  forEach(SPANWISE_KERNEL("take labels"), all, TakeLabels{before, labels});
}

#define SPANWISE_LABEL_NEAREST(Space)                                                                                  \
  template void labelNearestSources<Space, 3>(const Space&, const SimplexMeshView<3>&, const FactoringView&,           \
    const double*, const double*, std::int32_t*, Workspace<Space::memory_space>&);                                     \
  template void labelNearestSources<Space, 4>(const Space&, const SimplexMeshView<4>&, const FactoringView&,           \
    const double*, const double*, std::int32_t*, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_LABEL_NEAREST)

} // namespace spanwise::eikonal
