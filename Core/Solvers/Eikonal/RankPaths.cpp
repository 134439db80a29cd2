#include "Core/Solvers/Eikonal/RankPaths.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckPaths.hpp"
#include "Core/Solvers/Eikonal/Detail/PathSteps.hpp"
#include "Core/Solvers/Eikonal/Detail/PathWork.hpp"
#include "Core/Solvers/Eikonal/Detail/UnwrapPaths.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spanwise::eikonal {

namespace {

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

/// A place at a cut as all ranks know it.
template <int corners>
struct Question {
  Traveller<corners> traveller;
  std::int64_t vertices[corners]; ///< numbers on all ranks, -1: not between this one
};

/// The same in a rank's own numbers; the first is -1 where it has not all of them.
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
struct AnswerQuestions {
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
    reserve(there_, static_cast<std::int64_t>(count), SPANWISE_LABEL("Eikonal::rankPaths"));
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

template <class ExecutionSpace, int corners, class Real>
class RankTracer {
public:
  using Memory = typename ExecutionSpace::memory_space;

  RankTracer(const ExecutionSpace& space, const Communicator& communicator, const SharedVertices& shared,
    const PathSteps<corners, Real>& steps, std::int64_t maxSteps)
    : space_(space), communicator_(communicator), steps_(steps), maxSteps_(maxSteps) {
    const std::int64_t numVertices = steps.mesh.numVertices;
    const std::vector<std::int64_t> numbers = numberVertices(communicator, shared, numVertices);
    isShared_.host.assign(static_cast<std::size_t>(numVertices), 0);
    for (const std::int32_t v : shared.vertices) {
      isShared_.host[static_cast<std::size_t>(v)] = 1;
      const std::int64_t number = numbers[static_cast<std::size_t>(v)];
      vertexOf_[number] = v;
      numberOf_[v] = number;
    }
    isShared_.upload();
  }

  /// Collective. `mine`: the targets that begin on this rank.
  void run(const PathTargets& targets, const std::int32_t* simplexOfTarget, const std::vector<std::int64_t>& mine) {
    for (const std::int64_t path : mine) {
      Traveller<corners> traveller;
      traveller.path = path;
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

  [[nodiscard]] std::vector<PlacedPoint> points() const {
    return communicator_.gather(std::span(std::as_const(made_)));
  }
  [[nodiscard]] std::vector<PathEnd> ends() const { return communicator_.gather(std::span(std::as_const(ends_))); }

private:
  [[nodiscard]] IndexRange<ExecutionSpace> range() const {
    return IndexRange<ExecutionSpace>(space_, 0, static_cast<std::int64_t>(travellers_.host.size()));
  }

  /// Keeps what paths have made of points; who has ended leaves.
  void collect() {
    space_.fence(SPANWISE_LABEL("Eikonal::rankPaths"));
    const std::size_t count = travellers_.host.size();
    travellers_.download(count);
    points_.download(count * room);
    std::vector<Traveller<corners>> remain;
    for (std::size_t i = 0; i < count; ++i) {
      const Traveller<corners>& traveller = travellers_.host[i];
      for (std::int32_t k = 0; k < traveller.numNew; ++k) {
        made_.push_back({traveller.path, traveller.numPoints - traveller.numNew + k,
          points_.host[i * room + static_cast<std::size_t>(k)]});
      }
      if (traveller.state == State::Ended) {
        ends_.push_back({traveller.path, traveller.source});
      } else {
        remain.push_back(traveller);
      }
    }
    travellers_.host.swap(remain);
  }

  /// Collective. Paths at cuts go on with the rank that has the fastest way.
  void cross() {
    std::vector<Question<corners>> mine;
    std::vector<Traveller<corners>> remain;
    for (const Traveller<corners>& traveller : travellers_.host) {
      if (traveller.state == State::AtCut) {
        mine.push_back({traveller, {}});
      } else {
        remain.push_back(traveller);
      }
    }
    travellers_.host.swap(remain);
    name(mine);
    std::vector<std::int64_t> counts;
    const std::vector<Question<corners>> all = communicator_.gather(std::span<const Question<corners>>(mine), &counts);
    if (all.empty()) {
      return;
    }
    places_.host.clear();
    for (const Question<corners>& question : all) {
      places_.host.push_back(placeHere(question));
    }
    places_.upload();
    answers_.resize(all.size());
    forEach(SPANWISE_KERNEL("answer"), IndexRange<ExecutionSpace>(space_, 0, static_cast<std::int64_t>(all.size())),
      AnswerQuestions<corners, Real>{steps_, places_.data(), answers_.data()});
    space_.fence(SPANWISE_LABEL("Eikonal::rankPaths"));
    answers_.download(all.size());
    std::vector<Offer> offers;
    offers.reserve(answers_.host.size());
    for (const Answer<corners>& answer : answers_.host) {
      offers.push_back({answer.bestEnd, answer.best, answer.bestVertex});
    }
    const std::vector<Offer> offersOfAll = communicator_.gather(std::span<const Offer>(offers));
    std::size_t asker = 0;
    for (std::size_t q = 0; q < all.size(); ++q) {
      while (counts[asker] == 0) {
        ++asker;
      }
      --counts[asker];
      std::size_t winner = 0;
      for (std::size_t r = 1; r < counts.size(); ++r) {
        winner = offersOfAll[r * all.size() + q].isBefore(offersOfAll[winner * all.size() + q]) ? r : winner;
      }
      const auto me = static_cast<std::size_t>(communicator_.rank());
      const Traveller<corners>& traveller = all[q].traveller;
      if (!offersOfAll[winner * all.size() + q].isAny()) { // all around is later
        if (asker == me) {
          ends_.push_back({traveller.path, -1});
        }
      } else if (winner == me) {
        Traveller<corners> next = traveller;
        next.place = answers_.host[q].place;
        next.state = State::GoesOn;
        if (next.place.source < 0) {
          made_.push_back({next.path, next.numPoints, answers_.host[q].point});
          ++next.numPoints;
        }
        ++next.numSteps;
        travellers_.host.push_back(next);
      }
    }
  }

  /// Says which vertices the places are between, with the numbers of all ranks.
  void name(std::vector<Question<corners>>& questions) {
    corners_.host.clear();
    for (const Question<corners>& question : questions) {
      corners_.host.push_back(question.traveller.place.simplex);
    }
    corners_.upload();
    named_.resize(questions.size() * corners);
    forEach(SPANWISE_KERNEL("corners"),
      IndexRange<ExecutionSpace>(space_, 0, static_cast<std::int64_t>(questions.size())),
      ReadCorners<corners>{steps_.mesh, corners_.data(), named_.data()});
    space_.fence(SPANWISE_LABEL("Eikonal::rankPaths"));
    named_.download(questions.size() * corners);
    for (std::size_t q = 0; q < questions.size(); ++q) {
      for (std::size_t k = 0; k < corners; ++k) {
        questions[q].vertices[k] =
          questions[q].traveller.place.weights[k] > 0.0 ? numberOf_.at(named_.host[q * corners + k]) : -1;
      }
    }
  }

  [[nodiscard]] PlaceHere<corners> placeHere(const Question<corners>& question) const {
    PlaceHere<corners> here{};
    std::fill_n(here.vertices, corners, -1);
    here.time = question.traveller.place.time;
    here.last = question.traveller.place.last;
    int count = 0;
    for (int k = 0; k < corners; ++k) {
      if (question.vertices[k] < 0) {
        continue;
      }
      const auto found = vertexOf_.find(question.vertices[k]);
      if (found == vertexOf_.end()) {
        here.vertices[0] = -1;
        return here;
      }
      here.vertices[count] = found->second;
      here.weights[count] = question.traveller.place.weights[k];
      ++count;
    }
    return here;
  }

  const ExecutionSpace& space_;
  const Communicator& communicator_;
  PathSteps<corners, Real> steps_;
  std::int64_t maxSteps_;
  std::unordered_map<std::int64_t, std::int32_t> vertexOf_; // of shared vertices
  std::unordered_map<std::int32_t, std::int64_t> numberOf_;
  Mirrored<std::uint8_t, Memory> isShared_;
  Mirrored<Traveller<corners>, Memory> travellers_;
  Mirrored<PathPoint, Memory> points_;
  Mirrored<PlaceHere<corners>, Memory> places_;
  Mirrored<Answer<corners>, Memory> answers_;
  Mirrored<std::int64_t, Memory> corners_;
  Mirrored<std::int32_t, Memory> named_;
  std::vector<PlacedPoint> made_;
  std::vector<PathEnd> ends_;
};

/// Collective. The rank that each target begins on, that of the first simplex around it; none: rank 0.
std::vector<std::int64_t> beginsOn(const Communicator& communicator, const std::vector<std::int32_t>& simplices) {
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

template <class ExecutionSpace, int corners, class Real>
void traceIn(const Context<ExecutionSpace>& context, const Communicator& communicator, const SharedVertices& shared,
  const VertexView<Real>& vertices, const SimplexMesh<corners, typename ExecutionSpace::memory_space>& simplices,
  const ArrivalTimes<typename ExecutionSpace::memory_space>& solution, const Sources& sources,
  const RankSources& numbers, const PathTargets& targets, const PathOptions& options,
  Paths<typename ExecutionSpace::memory_space>& out) {
  const ExecutionSpace& space = context.space();

  const auto count = static_cast<std::size_t>(targets.count);
  locatePoints(
    context, vertices, simplices.view(), {targets.points, nullptr, targets.count, targets.reach}, out.simplices.data());
  space.fence(SPANWISE_LABEL("Eikonal::rankPaths"));
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
  const PathSteps<corners, Real> steps{vertices, simplices.view(), solution.factoring.view(), solution.times.data(),
    solution.startTimes.data(), solution.labels.data(), solution.turns.data(), solution.plateauSteps.data(), sources,
    numbers.firstPoint(), numbers.firstTriangle()};
  RankTracer<ExecutionSpace, corners, Real> tracer(space, communicator, shared, steps, options.maxSteps);
  tracer.run(targets, out.simplices.data(), mine);
  copyToSpace(simplexOfTarget, out.simplices);

  // the paths that begin here
  std::vector<std::vector<PathPoint>> paths(count);
  for (const PlacedPoint& made : tracer.points()) {
    const auto path = static_cast<std::size_t>(made.path);
    if (ranks[path] == communicator.rank()) {
      paths[path].resize(std::max(paths[path].size(), static_cast<std::size_t>(made.index) + 1));
      paths[path][static_cast<std::size_t>(made.index)] = made.point;
    }
  }
  std::vector<std::int32_t> sourceOf(count, -1);
  out.numAtSources = 0;
  for (const PathEnd& end : tracer.ends()) {
    sourceOf[static_cast<std::size_t>(end.path)] = static_cast<std::int32_t>(end.source);
    out.numAtSources += end.source >= 0 ? 1 : 0;
  }
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
    sourceOf[k] = ranks[k] == communicator.rank() ? sourceOf[k] : -1;
  }
  out.numPoints = begins.back();
  reserve(out.points, 3 * out.numPoints, SPANWISE_LABEL("Eikonal::pathPoints"));
  reserve(out.times, out.numPoints, SPANWISE_LABEL("Eikonal::pathTimes"));
  copyToSpace(begins, out.begins);
  copyToSpace(points, out.points);
  copyToSpace(times, out.times);
  copyToSpace(sourceOf, out.sources);
}

} // namespace

template <class ExecutionSpace, MeshReal Real>
void tracePathsOnRanks(const Context<ExecutionSpace>& context, const Communicator& communicator,
  const SharedVertices& shared, const VertexView<Real>& vertices,
  const ArrivalTimes<typename ExecutionSpace::memory_space>& solution, const Sources& sources,
  const RankSources& numbers, const PathTargets& targets, const PathOptions& options,
  Paths<typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::tracePathsOnRanks");
  parallel::agree(communicator, [&] { detail::preparePaths(solution, targets, options, out); });
  if (solution.dimension == 3) {
    traceIn<ExecutionSpace, 4>(
      context, communicator, shared, vertices, solution.tetrahedra, solution, sources, numbers, targets, options, out);
  } else {
    traceIn<ExecutionSpace, 3>(
      context, communicator, shared, vertices, solution.triangles, solution, sources, numbers, targets, options, out);
  }
  out.count = targets.count;
  detail::unwrapPaths(context.space(), solution.periods, out.count, out);
}

#define SPANWISE_TRACE_PATHS_ON_RANKS_OF(Space, Real)                                                                  \
  template void tracePathsOnRanks<Space, Real>(const Context<Space>&, const Communicator&, const SharedVertices&,      \
    const VertexView<Real>&, const ArrivalTimes<Space::memory_space>&, const Sources&, const RankSources&,             \
    const PathTargets&, const PathOptions&, Paths<Space::memory_space>&);
#define SPANWISE_TRACE_PATHS_ON_RANKS(Space)                                                                           \
  SPANWISE_TRACE_PATHS_ON_RANKS_OF(Space, float)                                                                       \
  SPANWISE_TRACE_PATHS_ON_RANKS_OF(Space, double)
SPANWISE_FOR_EACH_SPACE(SPANWISE_TRACE_PATHS_ON_RANKS)

} // namespace spanwise::eikonal
