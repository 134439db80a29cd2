#include "Core/Solvers/Eikonal/Factoring.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/Detail/SourceTree.hpp"
#include "Core/Solvers/Eikonal/Detail/SurfaceItems.hpp"
#include "Core/Solvers/Eikonal/SimplexGeometry.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace spanwise::eikonal {

namespace {

using detail::timeOf;

/// Where the sources are, and in which medium. Vertices first, if there are any; negative ones are not here.
template <int corners, class Real, class Index>
struct WritePlaces {
  MeshView<Real, Index> mesh;
  Speed speed;
  SimplexMeshView<corners> simplices;
  Sources sources;
  StartArrays starts;
  std::int64_t numVertexPlaces;
  FactorPlace* places;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    FactorPlace& out = places[i];
    out = {};
    const double start =
      i < numVertexPlaces ? timeOf(sources.vertices.times, i) : timeOf(sources.points.times, i - numVertexPlaces);
    const bool found = i < numVertexPlaces ? atVertex(i, out) : atPoint(i - numVertexPlaces, out);
    out.time = found ? start : notReached; // no simplex takes it
  }

private:
  KOKKOS_FUNCTION bool atVertex(std::int64_t i, FactorPlace& out) const {
    const std::int64_t number = sources.vertices.numbers[i];
    if (number < 0) {
      return false;
    }
    const std::int64_t v = starts.representatives != nullptr ? starts.representatives[number] : number;
    out.place = mesh.vertices(v);
    bool found = false;
    for (int k = 0; k < simplices.ball.degrees[v]; ++k) {
      take(BallView::element(simplices.ball(v, k)), found, out);
    }
    return found;
  }

  /// All simplices around a point have the vertex that it is nearest to in one of them.
  KOKKOS_FUNCTION bool atPoint(std::int64_t p, FactorPlace& out) const {
    const double* at = sources.points.points + 3 * p;
    out.place = {{at[0], at[1], at[2]}};
    const std::int64_t first = starts.simplexOfPoint[p];
    if (first < 0) {
      return false;
    }
    double weights[corners];
    const SimplexCorners<corners> around(simplices, mesh.vertices, first);
    barycentric<corners>(around.x, out.place, weights);
    int nearest = 0;
    for (int k = 1; k < corners; ++k) {
      nearest = weights[k] > weights[nearest] ? k : nearest;
    }
    const std::int32_t v = simplices[first].vertices[nearest];
    bool found = false;
    take(first, found, out);
    for (int k = 0; k < simplices.ball.degrees[v]; ++k) {
      const std::int64_t s = BallView::element(simplices.ball(v, k));
      if (simplices.isJoin(s)) {
        break; // they are the last
      }
      const SimplexCorners<corners> simplex(simplices, mesh.vertices, s);
      if (holds<corners>(simplex.x, simplex.longest2, sources.points.reach, out.place, weights)) {
        take(s, found, out);
      }
    }
    return found;
  }

  /// Takes the medium of a simplex if it is before what is there.
  KOKKOS_FUNCTION void take(std::int64_t simplex, bool& found, FactorPlace& out) const {
    if (simplices.isJoin(simplex)) {
      return;
    }
    const std::int64_t e = simplices.elements[simplex];
    FactorPlace candidate = out;
    candidate.setMedium(speed.inverseOfElement(
      e, mesh.elements.vertices + mesh.elements.firstCorner(e), numVerticesOf(mesh.elements.typeOf(e))));
    if (!found || candidate.hasMediumBefore(out)) {
      out = candidate;
      found = true;
    }
  }
};

/// Writes the copies of places in the periods around, those of each behind the places themselves.
struct CopyPlaces {
  Seam seam;
  std::int64_t numPlaces;
  FactorPlace* places;

  /// How often each place is there, with itself.
  [[nodiscard]] static std::int64_t numCopies(const double (&periods)[3]) {
    std::int64_t count = 1;
    for (const double period : periods) {
      count *= period > 0.0 ? 3 : 1;
    }
    return count;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    FactorPlace copy = places[k % numPlaces];
    std::int64_t periods = k / numPlaces + 1; // a digit an axis: none, one on, one back
    for (int axis = 0; axis < 3; ++axis) {
      if (seam.periods[axis] > 0.0) {
        const std::int64_t digit = periods % 3;
        copy.place[axis] += digit == 0 ? 0.0 : digit == 1 ? seam.periods[axis] : -seam.periods[axis];
        periods /= 3;
      }
    }
    places[numPlaces + k] = copy;
  }
};

template <class Real>
struct CopyPoints {
  VertexView<Real> vertices;
  double* points;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Point point = vertices(v);
    for (int axis = 0; axis < 3; ++axis) {
      points[3 * v + axis] = point[axis];
    }
  }
};

/// The places for the tree.
struct SourcesAtPlaces {
  const FactorPlace* places;

  KOKKOS_FUNCTION detail::TreeSource operator()(std::int64_t i) const {
    return {places[i].place, places[i].time,
      places[i].time < notReached ? detail::minSlowness(places[i].medium()) : notReached};
  }
};

/// How a vertex sees the places.
struct PlacesFromVertex {
  const FactorPlace* places;
  Point x;

  [[nodiscard]] KOKKOS_FUNCTION double distance2(const detail::Bounds& box) const {
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double gap = Kokkos::max(0.0, Kokkos::max(box.low[axis] - x[axis], x[axis] - box.high[axis]));
      sum += gap * gap;
    }
    return sum;
  }
  [[nodiscard]] KOKKOS_FUNCTION double time(std::int32_t i) const {
    return places[i].time + places[i].stretched(x).time;
  }
  [[nodiscard]] KOKKOS_FUNCTION bool isBefore(std::int32_t a, std::int32_t b) const {
    return comesBefore(places[a].place, places[b].place) || (a < b && !comesBefore(places[b].place, places[a].place));
  }
};

struct ChoosePlaces {
  const FactorPlace* places;
  const double* points;
  detail::SourceTree tree;
  std::int32_t* placeOfVertex;
  double* travels;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Point x{{points[3 * v], points[3 * v + 1], points[3 * v + 2]}};
    const std::int32_t place = tree.first(PlacesFromVertex{places, x});
    placeOfVertex[v] = place;
    travels[v] = place >= 0 ? places[place].stretched(x).time : notReached;
  }
};

/// Counts the places in another medium than that of the first.
struct CountMedia {
  const FactorPlace* places;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    count += places[i].hasMediumOf(places[0]) ? 0 : 1;
  }
};

/// Which place the source with a number has.
struct PlaceOfSource {
  const std::int64_t* numbers; ///< of source vertices, ascending; null: they count from 0
  std::int64_t numVertexPlaces;
  std::int64_t numPlaces;
  std::int64_t firstPoint; ///< the number of the first source point

  /// -1: none.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t operator()(std::int32_t number) const {
    if (number >= firstPoint) {
      const std::int64_t place = number - firstPoint + numVertexPlaces;
      return place < numPlaces ? place : -1;
    }
    if (numbers == nullptr) {
      return number < numVertexPlaces ? number : -1;
    }
    std::int64_t begin = 0;
    for (std::int64_t end = numVertexPlaces; begin < end;) {
      const std::int64_t middle = begin + (end - begin) / 2;
      (numbers[middle] < number ? begin : end) = numbers[middle] < number ? middle + 1 : middle;
    }
    return begin < numVertexPlaces && numbers[begin] == number ? begin : -1;
  }
};

struct TakePlaces {
  const std::int32_t* labels;
  PlaceOfSource placeOf;
  const FactorPlace* places;
  std::int64_t numCopies;
  const double* points;
  std::int32_t* placeOfVertex;
  double* travels;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Point x{{points[3 * v], points[3 * v + 1], points[3 * v + 2]}};
    const std::int64_t first = labels[v] >= 0 ? placeOf(labels[v]) : -1;
    placeOfVertex[v] = -1;
    travels[v] = notReached;
    for (std::int64_t copy = 0; first >= 0 && copy < numCopies; ++copy) {
      const std::int64_t place = first + copy * placeOf.numPlaces;
      const double travel = places[place].stretched(x).time;
      if (places[place].time < notReached && travel < travels[v]) {
        placeOfVertex[v] = static_cast<std::int32_t>(place);
        travels[v] = travel;
      }
    }
  }
};

template <int corners>
struct CountFactored {
  SimplexMeshView<corners> simplices;
  FactoringView factoring;

  KOKKOS_FUNCTION void operator()(std::int64_t s, std::int64_t& count) const {
    const FactoredCorners<corners> factored(factoring, s, simplices[s].vertices);
    bool isAny = false;
    for (int k = 0; k < corners; ++k) {
      isAny = isAny || factored.target(k).place != nullptr;
    }
    count += isAny ? 1 : 0;
  }
};

/// A source at a vertex: when it starts, and its number among those of all ranks; -1: there is none.
struct VertexSource {
  double time = notReached;
  std::int64_t number = -1;

  [[nodiscard]] KOKKOS_FUNCTION bool isBefore(const VertexSource& other) const {
    return number >= 0 && (other.number < 0 || time < other.time || (time == other.time && number < other.number));
  }
};

struct FirstSource {
  KOKKOS_FUNCTION VertexSource operator()(const VertexSource& a, const VertexSource& b) const {
    return b.isBefore(a) ? b : a;
  }
};

template <class T, class Memory>
std::vector<T> onHost(const T* values, std::int64_t count) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  std::vector<T> host(static_cast<std::size_t>(count));
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Unmanaged>(host.data(), host.size()),
    Kokkos::View<const T*, Memory, Unmanaged>(values, host.size()));
  return host;
}

template <class Memory, class T>
Kokkos::View<T*, Memory> copied(const std::vector<T>& host) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  const Kokkos::View<T*, Memory> view(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::factorSources")), host.size());
  Kokkos::deep_copy(view, Kokkos::View<const T*, Kokkos::HostSpace, Unmanaged>(host.data(), host.size()));
  return view;
}

/// The source vertices of all ranks, each once, as a rank sees them.
struct AllVertexSources {
  std::vector<std::int64_t> vertices; ///< of this rank, -1: it does not have it
  std::vector<double> times;
  std::vector<std::int64_t> numbers; ///< among the source vertices of all ranks, ascending
};

template <class ExecutionSpace>
AllVertexSources gatherVertexSources(const ExecutionSpace& space, SharedExchange<ExecutionSpace>& exchange,
  const NumberedSources& sources, const std::int32_t* representatives, std::int64_t numVertices) {
  using Memory = typename ExecutionSpace::memory_space;
  const Communicator& communicator = exchange.communicator();
  std::int64_t before = 0;
  std::int64_t all = 0;
  const std::vector<std::int64_t> counts = communicator.gather(sources.count);
  for (std::size_t r = 0; r < counts.size(); ++r) {
    before += static_cast<int>(r) < communicator.rank() ? counts[r] : 0;
    all += counts[r];
  }
  AllVertexSources result;
  if (all == 0) {
    return result;
  }
  std::vector<std::int64_t> vertices = onHost<std::int64_t, Memory>(sources.numbers, sources.count);
  const std::vector<double> times = onHost<double, Memory>(sources.times, sources.times != nullptr ? sources.count : 0);
  if (representatives != nullptr) {
    const std::vector<std::int32_t> standIns = onHost<std::int32_t, Memory>(representatives, numVertices);
    for (std::int64_t& v : vertices) {
      v = standIns[static_cast<std::size_t>(v)];
    }
  }
  // the first source of each vertex, on this rank and then on all
  std::vector<VertexSource> first(static_cast<std::size_t>(numVertices));
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const VertexSource source{times.empty() ? 0.0 : times[i], before + static_cast<std::int64_t>(i)};
    VertexSource& there = first[static_cast<std::size_t>(vertices[i])];
    there = source.isBefore(there) ? source : there;
  }
  const auto shared = copied<Memory>(first);
  exchange.join(space, VertexValues<VertexSource>{shared.data()}, FirstSource());
  space.fence(SPANWISE_LABEL("Eikonal::factorSources"));
  first = onHost<VertexSource, Memory>(shared.data(), numVertices);
  std::vector<VertexSource> mine;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const VertexSource& winner = first[static_cast<std::size_t>(vertices[i])];
    if (winner.number == before + static_cast<std::int64_t>(i)) {
      mine.push_back(winner);
    }
  }
  const std::vector<VertexSource> winners = communicator.gather(std::span<const VertexSource>(mine)); // they ascend
  result.vertices.assign(winners.size(), -1);
  for (const VertexSource& winner : winners) {
    result.times.push_back(winner.time);
    result.numbers.push_back(winner.number);
  }
  const auto byNumber = [](const VertexSource& a, const VertexSource& b) { return a.number < b.number; };
  for (std::size_t v = 0; v < first.size(); ++v) {
    if (first[v].number >= 0) {
      const auto at = std::lower_bound(winners.begin(), winners.end(), first[v], byNumber);
      result.vertices[static_cast<std::size_t>(at - winners.begin())] = static_cast<std::int64_t>(v);
    }
  }
  return result;
}

/// Collective. Gives all ranks the places that any of them knows.
template <class Memory>
void joinPlaces(
  const Communicator& communicator, const Kokkos::View<FactorPlace*, Memory>& places, std::int64_t numPlaces) {
  const std::vector<FactorPlace> mine = onHost<FactorPlace, Memory>(places.data(), numPlaces);
  const std::vector<FactorPlace> all = communicator.gather(std::span<const FactorPlace>(mine));
  std::vector<FactorPlace> joined(all.begin(), all.begin() + numPlaces);
  for (std::size_t k = 0; k < all.size(); ++k) {
    FactorPlace& place = joined[k % mine.size()];
    if (all[k].time < notReached && (!(place.time < notReached) || all[k].hasMediumBefore(place))) {
      place = all[k];
    }
  }
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(Kokkos::View<FactorPlace*, Memory, Unmanaged>(places.data(), joined.size()),
    Kokkos::View<const FactorPlace*, Kokkos::HostSpace, Unmanaged>(joined.data(), joined.size()));
}

void checkRadius(double radius) {
  if (!(radius >= 0.0)) {
    throw InvalidArgument(
      "times are factored within " + numberText(radius) + " of sources: it must be a length, 0 or more");
  }
}

template <class ExecutionSpace, int corners>
void countFactored(const ExecutionSpace& space, const SimplexMeshView<corners>& simplices,
  Factoring<typename ExecutionSpace::memory_space>& out) {
  out.numFactored = 1; // so that there is a view
  reduce(SPANWISE_KERNEL("count factored"), IndexRange<ExecutionSpace>(space, 0, simplices.numSimplices),
    CountFactored<corners>{simplices, out.view()}, out.numFactored);
}

/// `join`: brings the places of ranks together.
template <class ExecutionSpace, int corners, class Real, class Index, class Join>
void factor(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const Sources& sources, const StartArrays& starts,
  std::int64_t numVertexPlaces, const FactoringOptions& options, Factoring<typename ExecutionSpace::memory_space>& out,
  const Join& join) {
  const ExecutionSpace& space = context.space();

  const std::int64_t numPlaces = numVertexPlaces + sources.points.count;
  if (numPlaces == 0) {
    return;
  }
  out.numVertexPlaces = numVertexPlaces;
  out.numPlaces = numPlaces;
  out.numCopies = CopyPlaces::numCopies(options.periods);
  const std::int64_t numWithCopies = numPlaces * out.numCopies;
  reserve(out.placeOfVertex, simplices.numVertices, SPANWISE_LABEL("Eikonal::placeOfVertex"));
  reserve(out.travels, simplices.numVertices, SPANWISE_LABEL("Eikonal::travels"));
  reserve(out.places, numWithCopies, SPANWISE_LABEL("Eikonal::places"));
  reserve(out.points, 3 * simplices.numVertices, SPANWISE_LABEL("Eikonal::points"));
  forEach(SPANWISE_KERNEL("factor places"), IndexRange<ExecutionSpace>(space, 0, numPlaces),
    WritePlaces<corners, Real, Index>{mesh, speed, simplices, sources, starts, numVertexPlaces, out.places.data()});
  join(numPlaces);
  std::int64_t numMedia = 0;
  reduce(SPANWISE_KERNEL("count media"), IndexRange<ExecutionSpace>(space, 0, numPlaces), CountMedia{out.places.data()},
    numMedia);
  out.hasSeveralMedia = numMedia > 0;
  const double (&periods)[3] = options.periods;
  forEach(SPANWISE_KERNEL("copy places"), IndexRange<ExecutionSpace>(space, 0, numWithCopies - numPlaces),
    CopyPlaces{{nullptr, 0, {periods[0], periods[1], periods[2]}}, numPlaces, out.places.data()});
  forEach(SPANWISE_KERNEL("copy points"), IndexRange<ExecutionSpace>(space, 0, simplices.numVertices),
    CopyPoints<Real>{mesh.vertices, out.points.data()});
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const detail::SourceTree tree =
    detail::makeSourceTree(space, SourcesAtPlaces{out.places.data()}, numWithCopies, frame);
  forEach(SPANWISE_KERNEL("choose places"), IndexRange<ExecutionSpace>(space, 0, simplices.numVertices),
    ChoosePlaces{out.places.data(), out.points.data(), tree, out.placeOfVertex.data(), out.travels.data()});
  out.numSimplices = simplices.numSimplices;
  out.radius = options.radius;
  countFactored(space, simplices, out);
}

} // namespace

template <class ExecutionSpace, int corners>
void factorByLabels(const ExecutionSpace& space, const SimplexMeshView<corners>& simplices, const std::int32_t* labels,
  std::int64_t firstPoint, Factoring<typename ExecutionSpace::memory_space>& factoring) {
  SPANWISE_REGION("Eikonal::factorByLabels");
  const PlaceOfSource placeOf{factoring.numbers.data(), factoring.numVertexPlaces, factoring.numPlaces, firstPoint};
  forEach(SPANWISE_KERNEL("take places"), IndexRange<ExecutionSpace>(space, 0, simplices.numVertices),
    TakePlaces{labels, placeOf, factoring.places.data(), factoring.numCopies, factoring.points.data(),
      factoring.placeOfVertex.data(), factoring.travels.data()});
  countFactored(space, simplices, factoring);
}

template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void setFactoring(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  SimplexMesh<corners, ExecutionSpace>& simplices, const Sources& sources, const StartArrays& starts,
  const FactoringOptions& options, Factoring<typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::setFactoring");
  using Memory = typename ExecutionSpace::memory_space;
  const Communicator& communicator = simplices.communicator();
  parallel::agree(communicator, [&] { checkRadius(options.radius); });
  out.numbers = {};
  out.numFactored = 0;
  out.hasSeveralMedia = false;
  if (options.by == FactorBy::Nothing) {
    return;
  }
  const bool byVertices = options.by == FactorBy::PointsAndVertices;
  if (communicator.alone()) {
    factor(context, mesh, speed, simplices.view(), sources, starts, byVertices ? sources.vertices.count : 0, options,
      out, [](std::int64_t /*numPlaces*/) {});
    return;
  }
  AllVertexSources vertices;
  if (byVertices) {
    vertices = gatherVertexSources(
      context.space(), simplices.exchange(), sources.vertices, starts.representatives, simplices.numVertices());
  }
  const auto verticesHere = copied<Memory>(vertices.vertices);
  const auto times = copied<Memory>(vertices.times);
  out.numbers = copied<Memory>(vertices.numbers);
  const auto numVertexPlaces = static_cast<std::int64_t>(vertices.vertices.size());
  Sources all = sources;
  all.vertices = {verticesHere.data(), times.data(), numVertexPlaces};
  StartArrays here = starts;
  here.representatives = nullptr; // numbers are those of representatives
  factor(context, mesh, speed, simplices.view(), all, here, numVertexPlaces, options, out, [&](std::int64_t numPlaces) {
    context.space().fence(SPANWISE_LABEL("Eikonal::factorPlaces"));
    joinPlaces(communicator, out.places, numPlaces);
  });
}

#define SPANWISE_SET_FACTORING(Real, Index, Space, corners)                                                            \
  template void setFactoring<Space, corners, Real, Index>(const Context<Space>&, const MeshView<Real, Index>&,         \
    const Speed&, SimplexMesh<corners, Space>&, const Sources&, const StartArrays&, const FactoringOptions&,           \
    Factoring<Space::memory_space>&);
#define SPANWISE_SET_FACTORING_OF_BOTH(Space)                                                                          \
  template void factorByLabels<Space, 3>(                                                                              \
    const Space&, const SimplexMeshView<3>&, const std::int32_t*, std::int64_t, Factoring<Space::memory_space>&);      \
  template void factorByLabels<Space, 4>(                                                                              \
    const Space&, const SimplexMeshView<4>&, const std::int32_t*, std::int64_t, Factoring<Space::memory_space>&);      \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SET_FACTORING, Space, 3)                                                        \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SET_FACTORING, Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_SET_FACTORING_OF_BOTH)

} // namespace spanwise::eikonal
