#pragma once

// Ways back through a mesh of which every rank has a part. Internal to Paths.cpp.

#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/Detail/PathSteps.hpp"
#include "Core/Solvers/Eikonal/Detail/PathWork.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace spanwise::eikonal::sharedpaths {

using detail::Around;
using detail::PathSteps;
using detail::Place;
using detail::Turn;

struct PathPoint {
  Point point;
  double time = notReached;
};

enum class State : std::int32_t {
  GoesOn,
  AtCut, ///< other ranks are to be asked
  Ended
};

/// A path where it is.
template <int corners>
struct Traveller {
  std::int64_t path = -1;
  int home = -1; ///< the rank that has its target
  std::int64_t numSteps = 0;
  std::int64_t numPoints = 0; ///< that it has
  std::int32_t numNew = 0;    ///< of them in the buffer
  std::int32_t source = -1;
  State state = State::GoesOn;
  Place<corners> place;
};

/// As many points a path may make in a round.
constexpr int room = 64;

/// Lets paths set out.
template <int corners, class Real>
struct SetOut {
  PathSteps<corners, Real> steps;
  PathTargets targets;
  const std::int32_t* simplexOfTarget;
  Traveller<corners>* travellers;
  PathPoint* points;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Traveller<corners>& traveller = travellers[i];
    const double* at = targets.points + 3 * traveller.path;
    traveller.place = steps.placeOf(simplexOfTarget[traveller.path], {{at[0], at[1], at[2]}});
    points[i * room] = {steps.pointOf(traveller.place), traveller.place.time};
    traveller.numNew = 1;
    traveller.numPoints = 1;
  }
};

/// Goes on, to the source or to a cut.
template <int corners, class Real>
struct GoOn {
  PathSteps<corners, Real> steps;
  const std::uint8_t* isShared; ///< [vertices]
  std::int64_t maxSteps;
  Traveller<corners>* travellers;
  PathPoint* points;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Traveller<corners> traveller = travellers[i];
    traveller.numNew = 0;
    Place<corners>& place = traveller.place;
    traveller.state = State::GoesOn;
    while (traveller.state == State::GoesOn && traveller.numNew < room) {
      traveller.source = steps.endAt(place);
      if (traveller.source >= 0) {
        PathPoint end;
        if (steps.endOf(place, traveller.source, end.point, end.time)) {
          write(i, traveller, end);
        }
        traveller.state = State::Ended;
      } else if (traveller.numSteps < maxSteps && isAtCut(place)) {
        traveller.state = State::AtCut;
      } else if (traveller.numSteps == maxSteps || !steps.advance(place)) {
        traveller.state = State::Ended;
      } else {
        ++traveller.numSteps;
        if (place.source < 0) { // a source is written as the end
          write(i, traveller, {steps.pointOf(place), place.time});
        }
      }
    }
    travellers[i] = traveller;
  }

private:
  KOKKOS_FUNCTION void write(std::int64_t i, Traveller<corners>& traveller, const PathPoint& point) const {
    points[i * room + traveller.numNew] = point;
    ++traveller.numNew;
    ++traveller.numPoints;
  }

  [[nodiscard]] KOKKOS_FUNCTION bool isAtCut(const Place<corners>& place) const {
    for (int k = 0; k < corners; ++k) {
      if (place.weights[k] > 0.0 && isShared[steps.vertexAt(place.simplex, k)] == 0) {
        return false;
      }
    }
    return true;
  }
};

/// Asks a rank for the way on from a place at a cut.
template <int corners>
struct PathRequest {
  std::int64_t
    slots[corners]; ///< of the vertices that the place is between, among those shared with the rank; -1: none
  double weights[corners];
  double time;
  Turn last;
};

/// Sends a path on with the answer to a request, by its number among those of the sender.
template <int corners>
struct PathTransfer {
  std::int64_t request;
  Traveller<corners> traveller;
};

/// A place in a rank's own numbers: that of the first vertex is -1 where there is none.
template <int corners>
struct PlaceHere {
  std::int32_t vertices[corners];
  double weights[corners];
  double time;
  Turn last;
};

/// Where a path would go on with a rank.
template <int corners>
struct Answer {
  double bestEnd = notReached;    ///< to a source point
  double best = notReached;       ///< else by a face
  double bestVertex = notReached; ///< else by a vertex
  Place<corners> place;
  PathPoint point;
};

/// What ranks need to know of an answer.
struct Offer {
  double bestEnd;
  double best;
  double bestVertex;

  [[nodiscard]] bool isAny() const { return std::min({bestEnd, best, bestVertex}) < notReached; }
  [[nodiscard]] bool isBefore(const Offer& other) const {
    return std::tie(bestEnd, best, bestVertex) < std::tie(other.bestEnd, other.best, other.bestVertex);
  }
};

template <int corners, class Real>
struct AnswerRequests {
  PathSteps<corners, Real> steps;
  const PlaceHere<corners>* places;
  Answer<corners>* answers;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Answer<corners> answer;
    Place<corners> place;
    if (find(places[i], place) || findAcross(places[i], place)) {
      const Around<corners> around = steps.lookAround(place);
      answer.bestEnd = around.bestEnd;
      answer.best = around.next.simplex >= 0 ? around.best : notReached;
      answer.bestVertex = around.bestVertex;
      answer.place = around.first();
      if (answer.place.simplex >= 0) {
        answer.point = {steps.pointOf(answer.place), answer.place.time};
      }
    }
    answers[i] = answer;
  }

private:
  /// A simplex that the place is in.
  KOKKOS_FUNCTION bool find(const PlaceHere<corners>& here, Place<corners>& place) const {
    const std::int32_t first = here.vertices[0];
    for (int b = 0; first >= 0 && b < steps.mesh.ball.degrees[first]; ++b) {
      place = {};
      place.simplex = BallView::element(steps.mesh.ball(first, b));
      if (steps.mesh.isJoin(place.simplex)) {
        return false; // they are the last
      }
      place.time = here.time;
      place.last = here.last;
      int missing = 0;
      for (int j = 0; j < corners; ++j) {
        bool found = here.vertices[j] < 0;
        for (int k = 0; k < corners && !found; ++k) {
          if (steps.vertexAt(place.simplex, k) == here.vertices[j]) {
            place.weights[k] = here.weights[j];
            found = true;
          }
        }
        missing += found ? 0 : 1;
      }
      if (missing == 0) {
        return true;
      }
    }
    return false;
  }

  /// The same on the other side of a seam.
  KOKKOS_FUNCTION bool findAcross(const PlaceHere<corners>& here, Place<corners>& place) const {
    const std::int32_t first = here.vertices[0];
    bool found = false;
    if (first >= 0) {
      steps.mesh.forTwins(first, [&](std::int32_t to) {
        PlaceHere<corners> across = here;
        bool isThere = !found;
        for (int j = 0; j < corners && isThere; ++j) {
          if (here.vertices[j] >= 0) {
            across.vertices[j] = steps.twinAcross(here.vertices[j], first, to);
            isThere = across.vertices[j] >= 0;
          }
        }
        found = found || (isThere && find(across, place));
      });
    }
    return found;
  }
};

/// The vertices of simplices.
template <int corners>
struct ReadCorners {
  SimplexMeshView<corners> mesh;
  const std::int64_t* simplices;
  std::int32_t* out;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    for (int k = 0; k < corners; ++k) {
      out[i * corners + k] = mesh[simplices[i]].vertices[k];
    }
  }
};

template <class T>
using Unmanaged = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// An array that kernels see beside one of the host.
template <class T, class Memory>
class Mirrored {
public:
  std::vector<T> host;

  void upload() {
    resize(host.size());
    Kokkos::deep_copy(Kokkos::subview(there_, std::pair<std::size_t, std::size_t>(0, host.size())),
      Unmanaged<const T>(host.data(), host.size()));
  }
  void resize(std::size_t count) {
    reserve(there_, static_cast<std::int64_t>(count), SPANWISE_LABEL("Eikonal::paths"));
  }
  void download(std::size_t count) {
    host.resize(count);
    Kokkos::deep_copy(
      Unmanaged<T>(host.data(), count), Kokkos::subview(there_, std::pair<std::size_t, std::size_t>(0, count)));
  }
  [[nodiscard]] T* data() const { return there_.data(); }

private:
  Kokkos::View<T*, Memory> there_;
};

/// A point of a path with its place in it.
struct PlacedPoint {
  std::int64_t path;
  std::int64_t index;
  PathPoint point;
};

struct PathEnd {
  std::int64_t path;
  std::int64_t source;
};

/// What is to go to ranks.
template <class T>
struct Outgoing {
  std::vector<T> values;
  std::vector<int> ranks;

  void add(int rank, const T& value) {
    values.push_back(value);
    ranks.push_back(rank);
  }
  /// Collective.
  [[nodiscard]] parallel::ByRank<T> exchange(const Communicator& communicator) const {
    return parallel::exchanged(communicator, parallel::sortedByRank(values, ranks, communicator.size()));
  }
};

/// The slots of shared vertices, by vertex.
class SlotsOfVertices {
public:
  explicit SlotsOfVertices(const SharedVertices& shared) : shared_(shared) {
    for (std::size_t n = 0; n < shared.ranks.size(); ++n) {
      for (std::int64_t slot = shared.firstSlot[n]; slot < shared.firstSlot[n + 1]; ++slot) {
        slots_.push_back({shared.vertices[static_cast<std::size_t>(slot)], n, slot - shared.firstSlot[n]});
      }
    }
    std::sort(slots_.begin(), slots_.end());
  }

  [[nodiscard]] std::size_t numNeighbours() const { return shared_.ranks.size(); }
  [[nodiscard]] int rank(std::size_t neighbour) const { return shared_.ranks[neighbour]; }
  /// The neighbour that is a rank.
  [[nodiscard]] std::size_t neighbourOf(int rank) const {
    return static_cast<std::size_t>(
      std::lower_bound(shared_.ranks.begin(), shared_.ranks.end(), rank) - shared_.ranks.begin());
  }
  /// The slot of a vertex among those that are shared with a neighbour, -1: none.
  [[nodiscard]] std::int64_t slotOf(std::int32_t vertex, std::size_t neighbour) const {
    const auto at = std::lower_bound(slots_.begin(), slots_.end(), Slot{vertex, neighbour, 0});
    return at != slots_.end() && std::get<0>(*at) == vertex && std::get<1>(*at) == neighbour ? std::get<2>(*at) : -1;
  }
  [[nodiscard]] std::int32_t vertexOf(std::size_t neighbour, std::int64_t slot) const {
    return shared_.vertices[static_cast<std::size_t>(shared_.firstSlot[neighbour] + slot)];
  }

private:
  using Slot = std::tuple<std::int32_t, std::size_t, std::int64_t>;

  const SharedVertices& shared_;
  std::vector<Slot> slots_;
};

/// The paths that are on a rank.
template <class ExecutionSpace, int corners, class Real>
class Tracer {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Request = PathRequest<corners>;

  Tracer(const ExecutionSpace& space, const Communicator& communicator, const SharedVertices& shared,
    const PathSteps<corners, Real>& steps, std::int64_t maxSteps)
    : space_(space), communicator_(communicator), slots_(shared), steps_(steps), maxSteps_(maxSteps) {
    isShared_.host.assign(static_cast<std::size_t>(steps.mesh.numVertices), 0);
    for (const std::int32_t v : shared.vertices) {
      isShared_.host[static_cast<std::size_t>(v)] = 1;
    }
    isShared_.upload();
  }

  /// Collective. `mine`: the targets that begin on this rank.
  void run(const PathTargets& targets, const std::int32_t* simplexOfTarget, const std::vector<std::int64_t>& mine) {
    for (const std::int64_t path : mine) {
      Traveller<corners> traveller;
      traveller.path = path;
      traveller.home = communicator_.rank();
      travellers_.host.push_back(traveller);
    }
    travellers_.upload();
    points_.resize(travellers_.host.size() * room);
    forEach(SPANWISE_KERNEL("set out"), range(),
      SetOut<corners, Real>{steps_, targets, simplexOfTarget, travellers_.data(), points_.data()},
      detail::workOfPaths(range().end()));
    collect();
    while (communicator_.reduced(ReduceBy::Sum, static_cast<std::int64_t>(travellers_.host.size())) > 0) {
      travellers_.upload();
      points_.resize(travellers_.host.size() * room);
      forEach(SPANWISE_KERNEL("go on"), range(),
        GoOn<corners, Real>{steps_, isShared_.data(), maxSteps_, travellers_.data(), points_.data()},
        detail::workOfPaths(range().end()));
      collect();
      cross();
    }
  }

  /// Collective. The points, and the ends, of the paths that begin on this rank.
  [[nodiscard]] std::vector<PlacedPoint> points() const { return made_.exchange(communicator_).values; }
  [[nodiscard]] std::vector<PathEnd> ends() const { return ends_.exchange(communicator_).values; }

private:
  [[nodiscard]] IndexRange<ExecutionSpace> range() const {
    return IndexRange<ExecutionSpace>(space_, 0, static_cast<std::int64_t>(travellers_.host.size()));
  }

  /// Keeps what paths have made of points; who has ended leaves.
  void collect() {
    space_.fence(SPANWISE_LABEL("Eikonal::paths"));
    const std::size_t count = travellers_.host.size();
    travellers_.download(count);
    points_.download(count * room);
    std::vector<Traveller<corners>> remain;
    for (std::size_t i = 0; i < count; ++i) {
      const Traveller<corners>& traveller = travellers_.host[i];
      for (std::int32_t k = 0; k < traveller.numNew; ++k) {
        made_.add(traveller.home,
          PlacedPoint{traveller.path, traveller.numPoints - traveller.numNew + k,
            points_.host[i * room + static_cast<std::size_t>(k)]});
      }
      if (traveller.state == State::Ended) {
        ends_.add(traveller.home, PathEnd{traveller.path, traveller.source});
      } else {
        remain.push_back(traveller);
      }
    }
    travellers_.host.swap(remain);
  }

  /// Collective. Paths at cuts ask the ranks that have the place too, and go on with the one that has the fastest way,
  /// of equal ones the first.
  void cross() {
    std::vector<Traveller<corners>> atCut;
    std::vector<Traveller<corners>> remain;
    for (const Traveller<corners>& traveller : travellers_.host) {
      (traveller.state == State::AtCut ? atCut : remain).push_back(traveller);
    }
    travellers_.host.swap(remain);
    readVertices(atCut);
    // Places of this rank's paths, then those that others ask for.
    places_.host.clear();
    Outgoing<Request> requests;
    std::vector<std::vector<std::size_t>> asked(slots_.numNeighbours()); // which path each request is of
    for (std::size_t q = 0; q < atCut.size(); ++q) {
      places_.host.push_back(placeOf(atCut[q], vertices_.host.data() + q * corners));
      for (std::size_t n = 0; n < slots_.numNeighbours(); ++n) {
        Request request{};
        if (ask(atCut[q], vertices_.host.data() + q * corners, n, request)) {
          requests.add(slots_.rank(n), request);
          asked[n].push_back(q);
        }
      }
    }
    const parallel::ByRank<Request> requested = requests.exchange(communicator_);
    for (int r = 0; r < communicator_.size(); ++r) {
      for (const Request& request : requested.of(r)) {
        places_.host.push_back(placeHere(request, slots_.neighbourOf(r)));
      }
    }
    places_.upload();
    answers_.resize(places_.host.size());
    forEach(SPANWISE_KERNEL("answer"),
      IndexRange<ExecutionSpace>(space_, 0, static_cast<std::int64_t>(places_.host.size())),
      AnswerRequests<corners, Real>{steps_, places_.data(), answers_.data()});
    space_.fence(SPANWISE_LABEL("Eikonal::paths"));
    answers_.download(places_.host.size());
    const auto offerOf = [](const Answer<corners>& answer) {
      return Offer{answer.bestEnd, answer.best, answer.bestVertex};
    };
    Outgoing<Offer> offers;
    std::size_t at = atCut.size();
    for (int r = 0; r < communicator_.size(); ++r) {
      for (std::size_t k = 0; k < requested.of(r).size(); ++k) {
        offers.add(r, offerOf(answers_.host[at++]));
      }
    }
    const parallel::ByRank<Offer> offered = offers.exchange(communicator_);

    struct Best {
      int rank = -1; // nobody has a way: all around is later
      std::int64_t request = -1;
      Offer offer{notReached, notReached, notReached};
    };
    std::vector<Best> best(atCut.size());
    const auto take = [&](std::size_t q, int rank, std::int64_t request, const Offer& offer) {
      if (offer.isBefore(best[q].offer)) {
        best[q] = {rank, request, offer};
      }
    };
    const auto takeOwn = [&] {
      for (std::size_t q = 0; q < atCut.size(); ++q) {
        take(q, communicator_.rank(), -1, offerOf(answers_.host[q]));
      }
    };
    bool own = false;
    for (std::size_t n = 0; n < slots_.numNeighbours(); ++n) { // in the order of ranks, with this one
      if (!own && slots_.rank(n) > communicator_.rank()) {
        takeOwn();
        own = true;
      }
      for (std::size_t k = 0; k < asked[n].size(); ++k) {
        take(asked[n][k], slots_.rank(n), static_cast<std::int64_t>(k), offered.of(slots_.rank(n))[k]);
      }
    }
    if (!own) {
      takeOwn();
    }
    Outgoing<PathTransfer<corners>> transfers;
    for (std::size_t q = 0; q < atCut.size(); ++q) {
      if (best[q].rank < 0) {
        ends_.add(atCut[q].home, PathEnd{atCut[q].path, -1});
      } else if (best[q].rank == communicator_.rank()) {
        goOn(atCut[q], answers_.host[q]);
      } else {
        transfers.add(best[q].rank, PathTransfer<corners>{best[q].request, atCut[q]});
      }
    }
    const parallel::ByRank<PathTransfer<corners>> transferred = transfers.exchange(communicator_);
    for (int r = 0; r < communicator_.size(); ++r) {
      const std::size_t first = atCut.size() + static_cast<std::size_t>(requested.first[static_cast<std::size_t>(r)]);
      for (const PathTransfer<corners>& transfer : transferred.of(r)) {
        goOn(transfer.traveller, answers_.host[first + static_cast<std::size_t>(transfer.request)]);
      }
    }
  }

  /// Lets a path go on here, by an answer of this rank.
  void goOn(Traveller<corners> traveller, const Answer<corners>& answer) {
    traveller.place = answer.place;
    traveller.state = State::GoesOn;
    if (traveller.place.source < 0) {
      made_.add(traveller.home, PlacedPoint{traveller.path, traveller.numPoints, answer.point});
      ++traveller.numPoints;
    }
    ++traveller.numSteps;
    travellers_.host.push_back(traveller);
  }

  /// The vertices of the simplices that paths are in.
  void readVertices(const std::vector<Traveller<corners>>& travellers) {
    simplices_.host.clear();
    for (const Traveller<corners>& traveller : travellers) {
      simplices_.host.push_back(traveller.place.simplex);
    }
    simplices_.upload();
    vertices_.resize(travellers.size() * corners);
    forEach(SPANWISE_KERNEL("corners"),
      IndexRange<ExecutionSpace>(space_, 0, static_cast<std::int64_t>(travellers.size())),
      ReadCorners<corners>{steps_.mesh, simplices_.data(), vertices_.data()});
    space_.fence(SPANWISE_LABEL("Eikonal::paths"));
    vertices_.download(travellers.size() * corners);
  }

  /// The place of a path between some vertices of this rank.
  static PlaceHere<corners> placeOf(const Traveller<corners>& traveller, const std::int32_t* vertices) {
    PlaceHere<corners> here{};
    std::fill_n(here.vertices, corners, -1);
    here.time = traveller.place.time;
    here.last = traveller.place.last;
    int count = 0;
    for (int k = 0; k < corners; ++k) {
      if (traveller.place.weights[k] > 0.0) {
        here.vertices[count] = vertices[k];
        here.weights[count] = traveller.place.weights[k];
        ++count;
      }
    }
    return here;
  }

  /// Makes the request to a neighbour, if it has all vertices that the place is between.
  bool ask(
    const Traveller<corners>& traveller, const std::int32_t* vertices, std::size_t neighbour, Request& request) const {
    request.time = traveller.place.time;
    request.last = traveller.place.last;
    for (int k = 0; k < corners; ++k) {
      request.weights[k] = traveller.place.weights[k];
      request.slots[k] = request.weights[k] > 0.0 ? slots_.slotOf(vertices[k], neighbour) : -1;
      if (request.weights[k] > 0.0 && request.slots[k] < 0) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] PlaceHere<corners> placeHere(const Request& request, std::size_t neighbour) const {
    PlaceHere<corners> here{};
    std::fill_n(here.vertices, corners, -1);
    here.time = request.time;
    here.last = request.last;
    int count = 0;
    for (int k = 0; k < corners; ++k) {
      if (request.slots[k] >= 0) {
        here.vertices[count] = slots_.vertexOf(neighbour, request.slots[k]);
        here.weights[count] = request.weights[k];
        ++count;
      }
    }
    return here;
  }

  const ExecutionSpace& space_;
  const Communicator& communicator_;
  SlotsOfVertices slots_;
  PathSteps<corners, Real> steps_;
  std::int64_t maxSteps_;
  Mirrored<std::uint8_t, Memory> isShared_;
  Mirrored<Traveller<corners>, Memory> travellers_;
  Mirrored<PathPoint, Memory> points_;
  Mirrored<PlaceHere<corners>, Memory> places_;
  Mirrored<Answer<corners>, Memory> answers_;
  Mirrored<std::int64_t, Memory> simplices_;
  Mirrored<std::int32_t, Memory> vertices_;
  Outgoing<PlacedPoint> made_;
  Outgoing<PathEnd> ends_;
};

/// Collective. The rank that each target begins on, that of the first simplex around it; none: rank 0.
inline std::vector<std::int64_t> beginsOn(
  const Communicator& communicator, const std::vector<std::int32_t>& simplices) {
  std::vector<std::int64_t> ranks;
  ranks.reserve(simplices.size());
  for (const std::int32_t simplex : simplices) {
    ranks.push_back(simplex >= 0 ? communicator.rank() : communicator.size());
  }
  communicator.reduce(ReduceBy::Minimum, std::span<std::int64_t>(ranks));
  std::replace(ranks.begin(), ranks.end(), std::int64_t{communicator.size()}, std::int64_t{0});
  return ranks;
}

template <class T, class Memory>
void copyToSpace(const std::vector<T>& from, const Kokkos::View<T*, Memory>& to) {
  Kokkos::deep_copy(Kokkos::subview(to, std::pair<std::size_t, std::size_t>(0, from.size())),
    Unmanaged<const T>(from.data(), from.size()));
}

/// Collective. Traces paths; each rank gets those whose targets it has.
template <class ExecutionSpace, int corners, class Real>
void trace(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices,
  const SimplexMesh<corners, ExecutionSpace>& simplices, const PathSteps<corners, Real>& steps,
  const PathTargets& targets, const PathOptions& options, Paths<typename ExecutionSpace::memory_space>& out) {
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = simplices.communicator();
  const auto count = static_cast<std::size_t>(targets.count);
  locatePoints(
    context, vertices, simplices.view(), {targets.points, nullptr, targets.count, targets.reach}, out.simplices.data());
  space.fence(SPANWISE_LABEL("Eikonal::paths"));
  std::vector<std::int32_t> simplexOfTarget(count);
  std::vector<double> places(3 * count);
  using There = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(Unmanaged<std::int32_t>(simplexOfTarget.data(), count),
    Kokkos::subview(out.simplices, std::pair<std::size_t, std::size_t>(0, count)));
  Kokkos::deep_copy(Unmanaged<double>(places.data(), places.size()),
    Kokkos::View<const double*, typename ExecutionSpace::memory_space, There>(targets.points, places.size()));
  const std::vector<std::int64_t> ranks = beginsOn(communicator, simplexOfTarget);
  std::vector<std::int64_t> mine;
  for (std::size_t k = 0; k < count; ++k) {
    if (ranks[k] != communicator.rank()) {
      simplexOfTarget[k] = -1;
    } else if (simplexOfTarget[k] >= 0) {
      mine.push_back(static_cast<std::int64_t>(k));
    }
  }
  Tracer<ExecutionSpace, corners, Real> tracer(space, communicator, *simplices.shared(), steps, options.maxSteps);
  tracer.run(targets, out.simplices.data(), mine);
  copyToSpace(simplexOfTarget, out.simplices);

  // the paths that begin here
  std::vector<std::vector<PathPoint>> paths(count);
  for (const PlacedPoint& made : tracer.points()) {
    const auto path = static_cast<std::size_t>(made.path);
    paths[path].resize(std::max(paths[path].size(), static_cast<std::size_t>(made.index) + 1));
    paths[path][static_cast<std::size_t>(made.index)] = made.point;
  }
  std::vector<std::int32_t> sourceOf(count, -1);
  out.numAtSources = 0;
  for (const PathEnd& end : tracer.ends()) {
    sourceOf[static_cast<std::size_t>(end.path)] = static_cast<std::int32_t>(end.source);
    out.numAtSources += end.source >= 0 ? 1 : 0;
  }
  out.numAtSources = communicator.reduced(ReduceBy::Sum, out.numAtSources);
  std::vector<std::int64_t> begins{0};
  std::vector<double> points;
  std::vector<double> times;
  for (std::size_t k = 0; k < count; ++k) {
    if (ranks[k] == communicator.rank() && simplexOfTarget[k] < 0) { // in no simplex
      paths[k] = {{{{places[3 * k], places[3 * k + 1], places[3 * k + 2]}}, notReached}};
    }
    for (const PathPoint& made : paths[k]) {
      points.insert(points.end(), {made.point[0], made.point[1], made.point[2]});
      times.push_back(made.time);
    }
    detail::raiseTimes(times.data() + begins.back(), static_cast<std::int64_t>(paths[k].size()));
    begins.push_back(static_cast<std::int64_t>(times.size()));
  }
  out.numPoints = begins.back();
  reserve(out.points, 3 * out.numPoints, SPANWISE_LABEL("Eikonal::pathPoints"));
  reserve(out.times, out.numPoints, SPANWISE_LABEL("Eikonal::pathTimes"));
  copyToSpace(begins, out.begins);
  copyToSpace(points, out.points);
  copyToSpace(times, out.times);
  copyToSpace(sourceOf, out.sources);
}

} // namespace spanwise::eikonal::sharedpaths
