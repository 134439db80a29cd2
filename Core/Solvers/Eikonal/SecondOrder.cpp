#include "Core/Solvers/Eikonal/SecondOrder.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Mesh/Simplices.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/Counts.hpp"
#include "Core/Solvers/Eikonal/Detail/SecondOrderUpdate.hpp"
#include "Core/Solvers/Eikonal/SimplexGeometry.hpp"

namespace spanwise::eikonal {

namespace {

using second::Around;
using second::Candidate;
using second::VertexState;
using spanwise::detail::forEach;
using spanwise::detail::Range;

enum Count { NumReady, NumSecond, numCounts };

/// The area or volume of a simplex, but for a factor that all have.
template <int corners>
KOKKOS_INLINE_FUNCTION double sizeOf(const Point* x) {
  const Point normal = cross(x[1] - x[0], x[2] - x[0]);
  if constexpr (corners == 4) {
    return Kokkos::abs(dot(normal, x[3] - x[0]));
  } else {
    return Kokkos::sqrt(dot(normal, normal));
  }
}

template <class Real>
struct SetStates {
  VertexView<Real> vertices;
  const double* starts;
  const double* times;
  VertexState* states;

  /// What a start may have fallen by, as a share, to be one.
  static constexpr double unchanged = 1e-9;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const bool isStart = starts[v] - times[v] <= unchanged * Kokkos::abs(times[v]);
    states[v] = {vertices(v), {}, isStart ? times[v] : notReached, times[v]};
    states[v].forgetGradient();
  }
};

/// N at vertices: the mean of those around, by size. One that is not a number where these differ much from it.
template <int corners, class Real, class Index>
struct SetTensors {
  MeshView<Real, Index> mesh;
  Speed speed;
  SimplexMeshView<corners> simplices;
  SymmetricTensor* tensors;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const int degree = simplices.ball.degrees[v];
    SymmetricTensor& mean = tensors[v];
    mean = SymmetricTensor::isotropic(0.0);
    if (degree > 0 && speed.kind == Speed::Kind::OfVertices) {
      mean = SymmetricTensor::isotropic(1.0 / (speed.values[v] * speed.values[v]));
      return;
    }
    double whole = 0.0;
    for (int k = 0; k < degree; ++k) {
      const std::int64_t s = BallView::element(simplices.ball(v, k));
      const SimplexCorners<corners> simplex(simplices, mesh.vertices, s);
      const double size = sizeOf<corners>(simplex.x);
      whole += size;
      mean = sum(mean, size, tensorOf(s));
    }
    mean = sum(SymmetricTensor::isotropic(0.0), 1.0 / whole, mean);
    for (int k = 0; k < degree; ++k) {
      const SymmetricTensor difference = sum(mean, -1.0, tensorOf(BallView::element(simplices.ball(v, k))));
      if (!(square(difference) <= mostOfJump * mostOfJump * square(mean))) {
        mean.xx = Kokkos::Experimental::quiet_NaN_v<double>;
        return;
      }
    }
  }

private:
  /// Media that differ by more, as a share, are not taken for parts of a smooth one.
  static constexpr double mostOfJump = 0.25;

  [[nodiscard]] KOKKOS_FUNCTION SymmetricTensor tensorOf(std::int64_t simplex) const {
    const std::int64_t e = simplices.elements[simplex];
    return speed.inverseOfElement(
      e, mesh.elements.vertices + mesh.elements.firstCorner(e), numVerticesOf(mesh.elements.typeOf(e)));
  }
  [[nodiscard]] KOKKOS_FUNCTION static SymmetricTensor sum(
    const SymmetricTensor& a, double factor, const SymmetricTensor& b) {
    return {a.xx + factor * b.xx, a.yy + factor * b.yy, a.zz + factor * b.zz, a.xy + factor * b.xy,
      a.yz + factor * b.yz, a.xz + factor * b.xz};
  }
  [[nodiscard]] KOKKOS_FUNCTION static double square(const SymmetricTensor& t) {
    return t.xx * t.xx + t.yy * t.yy + t.zz * t.zz + 2.0 * (t.xy * t.xy + t.yz * t.yz + t.xz * t.xz);
  }
};

/// A vertex is ready when all before it in the simplices around it are: how many corners it waits for.
template <int corners>
struct SetWaits {
  SimplexMeshView<corners> simplices;
  const VertexState* states;
  std::int32_t* waits;
  std::int32_t* ready;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const VertexState& state = states[v];
    waits[v] = 0;
    if (!(state.first < notReached)) {
      return;
    }
    if (state.time != state.first) { // does not start
      for (int k = 0; k < simplices.ball.degrees[v]; ++k) {
        for (const std::int32_t other : simplices[BallView::element(simplices.ball(v, k))].vertices) {
          waits[v] += states[other].first < state.first ? 1 : 0;
        }
      }
    }
    if (waits[v] == 0) {
      ready[Kokkos::atomic_fetch_add(&counts[NumReady], std::int64_t{1})] = static_cast<std::int32_t>(v);
    }
  }
};

/// Computes vertices that are ready and tells those that wait for them.
template <int corners>
struct ComputeWave {
  SimplexMeshView<corners> simplices;
  FactoringView factoring;
  second::TensorsAtVertices media;
  VertexState* states;
  double* times;
  std::int32_t* waits;
  std::int32_t* ready;
  std::int64_t* counts;
  std::int64_t begin;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t v = ready[begin + i];
    VertexState& state = states[v];
    if (state.time != state.first) {
      compute(v, state);
      times[v] = state.time;
    }
    Kokkos::memory_fence(); // before others may take it for computed
    for (int k = 0; k < simplices.ball.degrees[v]; ++k) {
      for (const std::int32_t other : simplices[BallView::element(simplices.ball(v, k))].vertices) {
        if (states[other].first > state.first && Kokkos::atomic_fetch_sub(&waits[other], 1) == 1) {
          ready[Kokkos::atomic_fetch_add(&counts[NumReady], std::int64_t{1})] = other;
        }
      }
    }
  }

private:
  static constexpr int n = corners - 1;

  KOKKOS_FUNCTION void compute(std::int32_t v, VertexState& state) const {
    Candidate best;
    Arrival<n> first;
    BallEntry firstFrom = 0;
    for (int k = 0; k < simplices.ball.degrees[v]; ++k) {
      const BallEntry entry = simplices.ball(v, k);
      const std::int64_t s = BallView::element(entry);
      const int corner = BallView::local(entry);
      const Simplex<corners>& simplex = simplices[s];
      const Around<corners> around(states, simplex, corner);
      double u[corners];
      const int numBefore = timesOf(around, corner, state.first, u);
      if (numBefore == 0) {
        continue;
      }
      const FactoredCorners<corners> factored(factoring, s, simplex.vertices);
      const Arrival<n> arrival = updateCorner<corners>(corner, factored, u, simplex.products);
      if (arrival.time < first.time) {
        first = arrival;
        firstFrom = entry;
      }
      if (numBefore == n) {
        const Candidate candidate = second::updateSecond<corners>(around, simplex, corner, media, placeOf(s));
        if (candidate.exists() && candidate.isBetterThan(best)) {
          best = candidate;
        }
      }
    }
    if (best.exists() && Kokkos::abs(best.time - first.time) <= best.slack) {
      state.time = best.time;
      state.gradient = best.gradient;
      Kokkos::atomic_inc(&counts[NumSecond]);
    } else if (!(first.time < notReached)) { // nothing is before it: where factored times are as late as at a corner
      state.time = state.first;
    } else {
      const std::int64_t s = BallView::element(firstFrom);
      const Simplex<corners>& simplex = simplices[s];
      const int corner = BallView::local(firstFrom);
      const Around<corners> around(states, simplex, corner);
      state.time = first.time;
      state.gradient = second::gradientOfRay<corners>(around, simplex, corner, media, placeOf(s), first.weight);
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION const FactorPlace* placeOf(std::int64_t simplex) const {
    const std::int32_t place = factoring.placeOf(simplex);
    return place >= 0 ? factoring.places + place : nullptr;
  }

  /// Times of the corners around one; returns how many are computed. For those that are not, what the computed ones
  /// differ by from their times of first order is taken for the difference there.
  KOKKOS_FUNCTION static int timesOf(const Around<corners>& around, int corner, double before, double* u) {
    int numBefore = 0;
    double shift = 0.0;
    for (int i = 0; i < n; ++i) {
      if (around.states[i]->first < before) {
        ++numBefore;
        shift += around.states[i]->time - around.states[i]->first;
      }
    }
    u[corner] = notReached;
    for (int i = 0; i < n; ++i) {
      const VertexState& state = *around.states[i];
      u[(corner + 1 + i) % corners] = state.first < before ? state.time : state.first + shift / numBefore;
    }
    return numBefore;
  }
};

} // namespace

template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
SecondOrderReport toSecondOrder(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const FactoringView& factoring, const double* starts, double* times,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::toSecondOrder");
  const std::int64_t numVertices = simplices.numVertices;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  Counts<ExecutionSpace, numCounts> counts(space, frame);
  const auto states = frame.template array<VertexState>(numVertices);
  const auto tensors = frame.template array<SymmetricTensor>(numVertices);
  const auto waits = frame.template array<std::int32_t>(numVertices);
  const auto ready = frame.template array<std::int32_t>(numVertices);
  const Range<ExecutionSpace> all(space, 0, numVertices);
  counts.send();
  forEach(SPANWISE_KERNEL("set states"), all, SetStates<Real>{mesh.vertices, starts, times, states.data()});
  forEach(
    SPANWISE_KERNEL("set tensors"), all, SetTensors<corners, Real, Index>{mesh, speed, simplices, tensors.data()});
  forEach(SPANWISE_KERNEL("set waits"), all,
    SetWaits<corners>{simplices, states.data(), waits.data(), ready.data(), counts.data()});
  counts.fetch();
  SecondOrderReport report;
  const std::int64_t numStarts = counts[NumReady];
  std::int64_t begin = 0;
  while (begin < counts[NumReady]) {
    const std::int64_t end = counts[NumReady];
    forEach(SPANWISE_KERNEL("compute wave"), Range<ExecutionSpace>(space, 0, end - begin),
      ComputeWave<corners>{simplices, factoring, {tensors.data()}, states.data(), times, waits.data(), ready.data(),
        counts.data(), begin});
    begin = end;
    counts.fetch();
    ++report.numWaves;
  }
  report.numSecond = counts[NumSecond];
  report.numFirst = begin - numStarts - report.numSecond;
  return report;
}

#define SPANWISE_TO_SECOND_ORDER(Real, Index, Space, corners)                                                          \
  template SecondOrderReport toSecondOrder<Space, corners, Real, Index>(const Space&, const MeshView<Real, Index>&,    \
    const Speed&, const SimplexMeshView<corners>&, const FactoringView&, const double*, double*,                       \
    Workspace<Space::memory_space>&);
#define SPANWISE_TO_SECOND_ORDER_OF_BOTH(Space)                                                                        \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_TO_SECOND_ORDER, Space, 3)                                                      \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_TO_SECOND_ORDER, Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_TO_SECOND_ORDER_OF_BOTH)

} // namespace spanwise::eikonal
