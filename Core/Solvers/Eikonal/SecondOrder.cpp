#include "Core/Solvers/Eikonal/SecondOrder.hpp"

#include "Core/Mesh/Simplices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/Counts.hpp"
#include "Core/Solvers/Eikonal/Detail/SecondOrderUpdate.hpp"

namespace spanwise::eikonal {

namespace {

using second::Around;
using second::Candidate;
using second::VertexState;

/// Calls visit(entry) for the simplices around a vertex, and around all that are one with it.
template <int corners, class Visit>
KOKKOS_INLINE_FUNCTION void forBall(const SimplexMeshView<corners>& simplices, std::int64_t v, const Visit& visit) {
  const auto forOwn = [&](std::int32_t w) {
    for (int k = 0; k < simplices.ball.degrees[w] && !simplices.isJoin(BallView::element(simplices.ball(w, k))); ++k) {
      visit(simplices.ball(w, k));
    }
  };
  forOwn(static_cast<std::int32_t>(v));
  simplices.forTwins(static_cast<std::int32_t>(v), forOwn);
}

enum Count { NumReady, NumSecond, NumFirst, numCounts };

template <int corners, class Real>
struct SetStates {
  SimplexMeshView<corners> simplices;
  VertexView<Real> vertices;
  const double* starts;
  const double* times;
  VertexState* states;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    double start = starts[v]; // of any of those that are one with it
    simplices.forTwins(static_cast<std::int32_t>(v), [&](std::int32_t w) { start = Kokkos::min(start, starts[w]); });
    const bool isStart = start <= times[v]; // no front overtook it
    states[v] = {vertices(v), {}, isStart ? times[v] : notReached, times[v]};
    states[v].forgetGradient();
  }
};

/// The least and the largest components of the tensors N around a vertex.
struct TensorRange {
  SymmetricTensor low = SymmetricTensor::isotropic(notReached);
  SymmetricTensor high = SymmetricTensor::isotropic(-notReached);

  TensorRange() = default;
  KOKKOS_FUNCTION explicit TensorRange(const SymmetricTensor& tensor) : low(tensor), high(tensor) {}

  [[nodiscard]] KOKKOS_FUNCTION bool isEmpty() const { return !(low.xx <= high.xx); }
};

struct JoinRanges {
  KOKKOS_FUNCTION TensorRange operator()(const TensorRange& a, const TensorRange& b) const {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? b : a;
    }
    TensorRange all;
    all.low = {Kokkos::min(a.low.xx, b.low.xx), Kokkos::min(a.low.yy, b.low.yy), Kokkos::min(a.low.zz, b.low.zz),
      Kokkos::min(a.low.xy, b.low.xy), Kokkos::min(a.low.yz, b.low.yz), Kokkos::min(a.low.xz, b.low.xz)};
    all.high = {Kokkos::max(a.high.xx, b.high.xx), Kokkos::max(a.high.yy, b.high.yy), Kokkos::max(a.high.zz, b.high.zz),
      Kokkos::max(a.high.xy, b.high.xy), Kokkos::max(a.high.yz, b.high.yz), Kokkos::max(a.high.xz, b.high.xz)};
    return all;
  }
};

template <int corners, class Real, class Index>
struct SetRanges {
  MeshView<Real, Index> mesh;
  Speed speed;
  SimplexMeshView<corners> simplices;
  TensorRange* ranges;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    ranges[v] = TensorRange();
    if (simplices.ball.degrees[v] > 0 && speed.kind == Speed::Kind::OfVertices) {
      ranges[v] = TensorRange(SymmetricTensor::isotropic(1.0 / (speed.values[v] * speed.values[v])));
      return;
    }
    forBall(simplices, v, [&](BallEntry entry) {
      const std::int64_t e = simplices.elements[BallView::element(entry)];
      ranges[v] = JoinRanges()(ranges[v],
        TensorRange(speed.inverseOfElement(
          e, mesh.elements.vertices + mesh.elements.firstCorner(e), numVerticesOf(mesh.elements.typeOf(e)))));
    });
  }
};

/// N at vertices: the middle of the range around, which does not depend on who has which elements. Not a number where
/// the range is too large for a smooth medium.
struct SetTensors {
  const TensorRange* ranges;
  SymmetricTensor* tensors;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const SymmetricTensor middle = sum(0.5, ranges[v].low, 0.5, ranges[v].high);
    const SymmetricTensor half = sum(-0.5, ranges[v].low, 0.5, ranges[v].high);
    tensors[v] = middle;
    if (!(square(half) <= maxOfJump * maxOfJump * square(middle))) {
      tensors[v].xx = Kokkos::Experimental::quiet_NaN_v<double>;
    }
  }

private:
  /// Media that differ by more from their middle, as a share, are not taken for parts of a smooth one. In a gradient of
  /// speed from 1 to 3.3 over 12 cells, half of it had 5 times the error; from 0.2 to 0.4 no time changes, and 0.8 is
  /// what speeds of 1 and 3 differ by.
  static constexpr double maxOfJump = 0.2;

  [[nodiscard]] KOKKOS_FUNCTION static SymmetricTensor sum(
    double f, const SymmetricTensor& a, double g, const SymmetricTensor& b) {
    return {f * a.xx + g * b.xx, f * a.yy + g * b.yy, f * a.zz + g * b.zz, f * a.xy + g * b.xy, f * a.yz + g * b.yz,
      f * a.xz + g * b.xz};
  }
  [[nodiscard]] KOKKOS_FUNCTION static double square(const SymmetricTensor& t) {
    return t.xx * t.xx + t.yy * t.yy + t.zz * t.zz + 2.0 * (t.xy * t.xy + t.yz * t.yz + t.xz * t.xz);
  }
};

/// What the simplices of a rank have found for a vertex.
struct Offer {
  Candidate best;       ///< of second order
  Candidate first;      ///< of first order
  bool isReady = false; ///< on all ranks that it is of
};

struct JoinOffers {
  KOKKOS_FUNCTION Offer operator()(const Offer& a, const Offer& b) const {
    return {b.best.isBetterThan(a.best) ? b.best : a.best, b.first.isEarlierThan(a.first) ? b.first : a.first,
      a.isReady && b.isReady};
  }
};

/// Vertices that other ranks have too.
struct SharedOffers {
  const std::int32_t* places =
    nullptr;                         ///< [vertices]: of a vertex among the shared ones, -1: not shared; null: none is
  Offer* here = nullptr;             ///< [shared]
  Offer* ofAll = nullptr;            ///< [shared]
  std::uint8_t* isCounted = nullptr; ///< [shared]: by this rank

  [[nodiscard]] KOKKOS_FUNCTION std::int32_t placeOf(std::int64_t v) const {
    return places != nullptr ? places[v] : -1;
  }
  // for SharedExchange
  [[nodiscard]] KOKKOS_FUNCTION Offer get(std::int64_t v) const { return here[places[v]]; }
  KOKKOS_FUNCTION void set(std::int64_t v, const Offer& offer) const { ofAll[places[v]] = offer; }
};

struct SetPlaces {
  const std::int32_t* vertices;
  std::int32_t* places;
  SharedOffers shared;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    places[vertices[i]] = static_cast<std::int32_t>(i);
    shared.here[i] = Offer();
    shared.isCounted[i] = 1;
  }
};

struct SetElsewhere {
  const std::int32_t* vertices;
  SharedOffers shared;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { shared.isCounted[shared.places[vertices[i]]] = 0; }
};

struct MinStart {
  KOKKOS_FUNCTION double operator()(double a, double b) const { return Kokkos::min(a, b); }
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
      forBall(simplices, v, [&](BallEntry entry) {
        for (const std::int32_t other : simplices[BallView::element(entry)].vertices) {
          waits[v] += states[other].first < state.first ? 1 : 0;
        }
      });
    }
    if (waits[v] == 0) {
      ready[Kokkos::atomic_fetch_add(&counts[NumReady], std::int64_t{1})] = static_cast<std::int32_t>(v);
    }
  }
};

/// Takes times of vertices, and tells those that wait for them.
template <int corners>
struct Finish {
  SimplexMeshView<corners> simplices;
  VertexState* states;
  double* times;
  std::int32_t* waits;
  std::int32_t* ready;
  std::int64_t* counts;

  KOKKOS_FUNCTION void take(std::int64_t v, const Offer& offer, bool isCounted) const {
    VertexState& state = states[v];
    const bool isSecond = offer.best.exists() && Kokkos::abs(offer.best.time - offer.first.time) <= offer.best.slack;
    if (isSecond || offer.first.exists()) {
      const Candidate& taken = isSecond ? offer.best : offer.first;
      state.time = taken.time;
      state.gradient = taken.gradient;
    } else { // nothing is before it: where factored times are as late as at a corner
      state.time = state.first;
    }
    times[v] = state.time;
    if (isCounted) {
      Kokkos::atomic_inc(&counts[isSecond ? NumSecond : NumFirst]);
    }
  }

  KOKKOS_FUNCTION void tell(std::int64_t v) const {
    const double first = states[v].first;
    Kokkos::memory_fence(); // before others may take it for computed
    const auto tellOne = [&](std::int32_t other) {
      if (states[other].first > first && Kokkos::atomic_fetch_sub(&waits[other], 1) == 1) {
        ready[Kokkos::atomic_fetch_add(&counts[NumReady], std::int64_t{1})] = other;
      }
    };
    for (int k = 0; k < simplices.ball.degrees[v]; ++k) {
      const std::int64_t s = BallView::element(simplices.ball(v, k));
      if (simplices.isJoin(s)) {
        break;
      }
      for (const std::int32_t other : simplices[s].vertices) {
        tellOne(other);
        simplices.forTwins(other, tellOne);
      }
    }
  }
};

/// Computes vertices that are ready. Those that other ranks have too wait for these.
template <int corners>
struct ComputeWave {
  Finish<corners> finish;
  FactoringView factoring;
  second::TensorsAtVertices media;
  SharedOffers shared;
  std::int64_t begin;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t v = finish.ready[begin + i];
    const VertexState& state = finish.states[v];
    if (state.time != state.first) {
      Offer offer = offerTo(v, state.first);
      const std::int32_t place = shared.placeOf(v);
      if (place >= 0) {
        offer.isReady = true;
        shared.here[place] = offer;
        return;
      }
      finish.take(v, offer, true);
    }
    finish.tell(v);
  }

private:
  static constexpr int n = corners - 1;

  KOKKOS_FUNCTION Offer offerTo(std::int32_t v, double before) const {
    const SimplexMeshView<corners>& simplices = finish.simplices;
    Offer offer;
    forBall(simplices, v, [&](BallEntry entry) {
      const std::int64_t s = BallView::element(entry);
      const int corner = BallView::local(entry);
      const Simplex<corners>& simplex = simplices[s];
      const Around<corners> around(finish.states, simplex, corner);
      double u[corners];
      const int numBefore = timesOf(around, corner, before, u);
      if (numBefore == 0) {
        return;
      }
      const FactoredCorners<corners> factored(factoring, s, simplex.vertices);
      const FactoredTarget target = factored.target(corner);
      const FactorPlace* const place = target.place;
      const FrontAround front = frontAround(factored, target, around, simplex, corner);
      const Arrival<n> arrival = updateCorner<corners>(corner, factored, u, simplex.products);
      const bool mayBeFirst = arrival.time <= offer.first.time || !Candidate::isApart(arrival.time, offer.first.time);
      if (mayBeFirst && arrival.time < notReached) {
        Candidate first;
        first.time = arrival.time;
        first.gradient = front == FrontAround::OfSeveral
          ? second::gradientAlongRay<corners>(around, simplex, corner, arrival.weight)
          : second::gradientOfRay<corners>(
              around, simplex, corner, media, front == FrontAround::OfOne ? place : nullptr, arrival.weight);
        offer.first = first.isEarlierThan(offer.first) ? first : offer.first;
      }
      if (numBefore == n && front != FrontAround::OfSeveral) {
        const Candidate candidate =
          second::updateSecond<corners>(around, simplex, corner, media, front == FrontAround::OfOne ? place : nullptr);
        offer.best = candidate.isBetterThan(offer.best) ? candidate : offer.best;
      }
    });
    return offer;
  }

  /// The fronts at the corners around one: of sources that the corner is not factored by, of the one that it is
  /// factored by, or of that one and others.
  enum class FrontAround { Other, OfOne, OfSeveral };

  KOKKOS_FUNCTION static FrontAround frontAround(const FactoredCorners<corners>& factored, const FactoredTarget& target,
    const Around<corners>& around, const Simplex<corners>& simplex, int corner) {
    if (target.place == nullptr) {
      return FrontAround::Other;
    }
    MediumRange media;
    for (int i = 0; i < n; ++i) {
      const int k = (corner + 1 + i) % corners;
      media.add(FactoredEdge(factored.corners[k], target, simplex.products[edgeBetween(k, corner)]));
    }
    bool isOne = true;
    for (int i = 0; i < n; ++i) {
      const int k = (corner + 1 + i) % corners;
      if (!isStraight(around.states[i]->first, factored.corners[k], media)) {
        return FrontAround::Other;
      }
      isOne = isOne && factored.corners[k].place == factored.corners[corner].place;
    }
    return isOne ? FrontAround::OfOne : FrontAround::OfSeveral;
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

/// Takes shared vertices that all ranks have computed.
template <int corners>
struct FinishShared {
  Finish<corners> finish;
  SharedOffers shared;
  const std::int32_t* vertices;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t v = vertices[i];
    if (shared.ofAll[i].isReady && !(finish.states[v].time < notReached)) {
      finish.take(v, shared.ofAll[i], shared.isCounted[i] != 0);
      finish.tell(v);
    }
  }
};

/// On this rank alone where `exchange` is null.
template <class ExecutionSpace, int corners, class Real, class Index>
SecondOrderReport compute(const Context<ExecutionSpace>& context, SharedExchange<ExecutionSpace>* exchange,
  const MeshView<Real, Index>& mesh, const Speed& speed, const SimplexMeshView<corners>& simplices,
  const FactoringView& factoring, double* starts, double* times) {
  const ExecutionSpace& space = context.space();

  const std::int64_t numVertices = simplices.numVertices;
  const std::int64_t numShared = exchange != nullptr ? static_cast<std::int64_t>(exchange->vertices().extent(0)) : 0;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  Counts<ExecutionSpace, numCounts> counts(space, frame);
  const auto states = frame.template array<VertexState>(numVertices);
  const auto tensors = frame.template array<SymmetricTensor>(numVertices);
  const auto ranges = frame.template array<TensorRange>(numVertices);
  const auto waits = frame.template array<std::int32_t>(numVertices);
  const auto ready = frame.template array<std::int32_t>(numVertices);
  const auto places = frame.template array<std::int32_t>(exchange != nullptr ? numVertices : 0);
  const auto here = frame.template array<Offer>(numShared);
  const auto ofAll = frame.template array<Offer>(numShared);
  const auto isCounted = frame.template array<std::uint8_t>(numShared);
  const IndexRange<ExecutionSpace> all(space, 0, numVertices);
  SharedOffers shared;
  counts.send();
  forEach(SPANWISE_KERNEL("set ranges"), all, SetRanges<corners, Real, Index>{mesh, speed, simplices, ranges.data()});
  if (exchange != nullptr) {
    shared = {places.data(), here.data(), ofAll.data(), isCounted.data()};
    setAll(space, places, std::int32_t{-1});
    forEach(SPANWISE_KERNEL("set places"), IndexRange<ExecutionSpace>(space, 0, numShared),
      SetPlaces{exchange->vertices().data(), places.data(), shared});
    forEach(SPANWISE_KERNEL("set elsewhere"),
      IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(exchange->elsewhere().extent(0))),
      SetElsewhere{exchange->elsewhere().data(), shared});
    exchange->join(space, VertexValues<double>{starts}, MinStart());
    exchange->join(space, VertexValues<TensorRange>{ranges.data()}, JoinRanges());
  }
  forEach(SPANWISE_KERNEL("set states"), all,
    SetStates<corners, Real>{simplices, mesh.vertices, starts, times, states.data()});
  forEach(SPANWISE_KERNEL("set tensors"), all, SetTensors{ranges.data(), tensors.data()});
  forEach(SPANWISE_KERNEL("set waits"), all,
    SetWaits<corners>{simplices, states.data(), waits.data(), ready.data(), counts.data()});
  counts.fetch();
  const Finish<corners> finish{simplices, states.data(), times, waits.data(), ready.data(), counts.data()};
  SecondOrderReport report;
  std::int64_t begin = 0;
  for (;;) {
    const std::int64_t end = counts[NumReady];
    const std::int64_t numReady =
      exchange != nullptr ? exchange->communicator().reduced(ReduceBy::Sum, end - begin) : end - begin;
    if (numReady == 0) {
      break;
    }
    forEach(SPANWISE_KERNEL("compute wave"), IndexRange<ExecutionSpace>(space, 0, end - begin),
      ComputeWave<corners>{finish, factoring, {tensors.data()}, shared, begin}, Work{32 * (end - begin)});
    if (exchange != nullptr) {
      exchange->join(space, shared, JoinOffers());
      forEach(SPANWISE_KERNEL("finish shared"), IndexRange<ExecutionSpace>(space, 0, numShared),
        FinishShared<corners>{finish, shared, exchange->vertices().data()});
    }
    begin = end;
    counts.fetch();
    ++report.numWaves;
  }
  report.numSecond = counts[NumSecond];
  report.numFirst = counts[NumFirst];
  return report;
}

} // namespace

template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
SecondOrderReport toSecondOrder(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Speed& speed, SimplexMesh<corners, ExecutionSpace>& simplices, const FactoringView& factoring, double* starts,
  double* times) {
  SPANWISE_REGION("Eikonal::toSecondOrder");
  SharedExchange<ExecutionSpace>* const exchange = simplices.communicator().alone() ? nullptr : &simplices.exchange();
  return compute<ExecutionSpace>(context, exchange, mesh, speed, simplices.view(), factoring, starts, times);
}

#define SPANWISE_TO_SECOND_ORDER(Real, Index, Space, corners)                                                          \
  template SecondOrderReport toSecondOrder<Space, corners, Real, Index>(const Context<Space>&,                         \
    const MeshView<Real, Index>&, const Speed&, SimplexMesh<corners, Space>&, const FactoringView&, double*, double*);
#define SPANWISE_TO_SECOND_ORDER_OF_BOTH(Space)                                                                        \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_TO_SECOND_ORDER, Space, 3)                                                      \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_TO_SECOND_ORDER, Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_TO_SECOND_ORDER_OF_BOTH)

} // namespace spanwise::eikonal
