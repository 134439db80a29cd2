#include "Core/Solvers/Eikonal/PartsIterative.hpp"

#include "Core/Runtime/Search.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/DropLate.hpp"
#include "Core/Solvers/Eikonal/Detail/Iteration.hpp"

#include <type_traits>

namespace spanwise::eikonal {

namespace {

using fronts::Fronts;

/// What a part keeps between rounds.
struct PartState {
  std::int64_t counts[fronts::numCounts] = {};
  std::int64_t numActivations = 0;
  std::int32_t iteration = 0; ///< the next one
};

/// All parts' lists, each at the place of the part's vertices.
struct PartLists {
  PartsView parts;
  Fronts all; ///< without counts
  PartState* states;
  std::int32_t* active[2]; ///< by whether the iteration is even or odd
  std::int32_t* waiting[2];
  std::int32_t* changed;   ///< groups of copies that differ
  std::int32_t* isChanged; ///< [numGroups]
  std::int64_t* numChanged;

  [[nodiscard]] KOKKOS_FUNCTION Fronts frontsOf(std::int64_t part) const {
    Fronts fronts = all;
    fronts.touchedList += parts.firstVertex[part];
    fronts.counts = states[part].counts;
    return fronts;
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t* activeOf(std::int64_t part, std::int32_t iteration) const {
    return active[iteration & 1] + parts.firstVertex[part];
  }
};

/// A team of the host: the thread that runs a part.
struct OneThread {
  std::int64_t part;
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t league_rank() const { return part; }
  KOKKOS_FUNCTION void team_barrier() const {}
};

/// A part iterates until nothing changes in it.
template <int numCorners, class ExecutionSpace>
struct IteratePart {
  using Team =
    std::conditional_t<runsOnHost<ExecutionSpace>, OneThread, typename Kokkos::TeamPolicy<ExecutionSpace>::member_type>;
  // On a device, a thread for each of so many slots of a ball.
  static constexpr int itemsPerVertex = runsOnHost<ExecutionSpace> ? 1 : 32;

  SimplexMeshView<numCorners> mesh;
  PartLists lists;
  double tolerance;
  double limit;
  bool movesOn;    ///< whether the limit is new, and those that wait are to be asked
  int waitingList; ///< where those are that wait

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t part = team.league_rank();
    PartState& state = lists.states[part];
    const Fronts fronts = lists.frontsOf(part);
    const std::int64_t first = lists.parts.firstVertex[part];
    std::int32_t iteration = state.iteration;
    std::int32_t* waiting = lists.waiting[waitingList] + first;
    if (movesOn) {
      std::int32_t* still = lists.waiting[1 - waitingList] + first;
      const std::int64_t count = take(team, fronts.counts[fronts::NumWaiting]);
      forTeam(team, count, fronts::MoveOn{fronts, waiting, still, lists.activeOf(part, iteration), iteration, limit});
      waiting = still;
    }
    std::int64_t activations = 0;
    for (;;) {
      const std::int64_t numActive = take(team, fronts.counts[fronts::NumActive]);
      if (numActive == 0) {
        break;
      }
      activations += numActive;
      forTeam(team, numActive * itemsPerVertex,
        fronts::UpdateNeighbours<numCorners, itemsPerVertex, false>{
          mesh, {}, fronts, lists.activeOf(part, iteration), numActive, iteration, tolerance});
      ++iteration;
      const std::int64_t numTouched = Kokkos::atomic_load(&fronts.counts[fronts::NumTouched]);
      forTeam(team, numTouched,
        TakeAndNote{lists, {fronts, lists.activeOf(part, iteration), waiting, iteration, numTouched, limit}});
      take(team, fronts.counts[fronts::NumTouched]);
    }
    forTeam(team, 1, Keep{state, iteration, activations});
  }

private:
  /// Takes a new time over, and notes whether other parts have to hear of it.
  struct TakeAndNote {
    const PartLists& lists;
    fronts::TakeTimes takeTimes;

    KOKKOS_FUNCTION void operator()(std::int64_t i) const {
      const std::int32_t v = takeTimes.fronts.touchedList[i];
      const std::int32_t group = lists.parts.groupOf[v];
      if (group >= 0 && Kokkos::atomic_exchange(&lists.isChanged[group], 1) == 0) {
        fronts::append(lists.changed, *lists.numChanged, group);
      }
      takeTimes.take(v);
    }
  };

  struct Keep {
    PartState& state;
    std::int32_t iteration;
    std::int64_t activations;

    KOKKOS_FUNCTION void operator()(std::int64_t /*once*/) const {
      state.iteration = iteration;
      state.numActivations += activations;
    }
  };

  struct Clear {
    std::int64_t& count;
    KOKKOS_FUNCTION void operator()(std::int64_t /*once*/) const { Kokkos::atomic_store(&count, std::int64_t{0}); }
  };

  /// The value of a count, which becomes 0.
  KOKKOS_FUNCTION static std::int64_t take(const Team& team, std::int64_t& count) {
    const std::int64_t value = Kokkos::atomic_load(&count);
    team.team_barrier();
    forTeam(team, 1, Clear{count});
    return value;
  }

  template <class Functor>
  KOKKOS_FUNCTION static void forTeam(const Team& team, std::int64_t count, const Functor& functor) {
    if constexpr (runsOnHost<ExecutionSpace>) {
      for (std::int64_t i = 0; i < count; ++i) {
        functor(i);
      }
    } else {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), functor);
    }
    team.team_barrier();
  }
};

/// For ranges of parts, on the host.
template <class Part>
struct IteratePartAlone {
  Part part;
  void operator()(std::int64_t p) const { part(OneThread{p}); }
};

/// The least time of a group goes to all its copies, which go on or wait in their parts.
struct ExchangeTimes {
  PartLists lists;
  std::int64_t numThreads;
  int waitingList;
  double limit;

  KOKKOS_FUNCTION void operator()(std::int64_t thread) const {
    for (std::int64_t i = thread; i < *lists.numChanged; i += numThreads) {
      exchange(lists.changed[i]);
    }
  }

  KOKKOS_FUNCTION void exchange(std::int32_t group) const {
    lists.isChanged[group] = 0;
    const std::int64_t begin = lists.parts.firstCopy[group];
    const std::int64_t end = lists.parts.firstCopy[group + 1];
    double least = notReached;
    for (std::int64_t k = begin; k < end; ++k) {
      least = Kokkos::min(least, lists.all.times[lists.parts.copies[k]]);
    }
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int32_t v = lists.parts.copies[k];
      if (least < lists.all.times[v]) {
        const std::int32_t part = lists.parts.partOfCopy[k];
        const std::int32_t iteration = lists.states[part].iteration;
        lists.all.next[v] = least;
        fronts::TakeTimes{lists.frontsOf(part), lists.activeOf(part, iteration),
          lists.waiting[waitingList] + lists.parts.firstVertex[part], iteration, 0, limit}
          .take(v);
      }
    }
  }
};

/// The first of those that wait in a part.
struct FirstWaitingOfPart {
  PartLists lists;
  int waitingList;

  KOKKOS_FUNCTION void operator()(std::int64_t part, double& least) const {
    const fronts::FirstWaiting first{lists.all, lists.waiting[waitingList] + lists.parts.firstVertex[part]};
    for (std::int64_t i = 0; i < lists.states[part].counts[fronts::NumWaiting]; ++i) {
      first(i, least);
    }
  }
};

/// Times of the whole mesh to all copies, and the first that is not valid.
struct StartParts {
  PartLists lists;
  const double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& firstWrong) const {
    const std::int64_t part = firstAbove(lists.parts.firstVertex, 0, lists.parts.numParts, v) - 1;
    lists.all.times[v] = times[lists.parts.whole[v]];
    std::int64_t wrong = Kokkos::Experimental::finite_max_v<std::int64_t>;
    fronts::Start{lists.frontsOf(part), lists.waiting[0] + lists.parts.firstVertex[part]}(v, wrong);
    if (wrong == v) {
      firstWrong = Kokkos::min(firstWrong, std::int64_t{lists.parts.whole[v]});
    }
  }
};

struct ClearParts {
  PartLists lists;
  KOKKOS_FUNCTION void operator()(std::int64_t part) const { lists.states[part] = PartState(); }
};

struct ClearGroups {
  PartLists lists;
  KOKKOS_FUNCTION void operator()(std::int64_t group) const { lists.isChanged[group] = 0; }
};

/// Sums over parts.
struct Totals {
  std::int64_t numActive = 0;
  std::int64_t numActivations = 0;
  std::int64_t numUpdates = 0;
  std::int64_t mostIterations = 0;

  KOKKOS_FUNCTION Totals& operator+=(const Totals& other) {
    numActive += other.numActive;
    numActivations += other.numActivations;
    numUpdates += other.numUpdates;
    mostIterations = Kokkos::max(mostIterations, other.mostIterations);
    return *this;
  }
};

struct SumParts {
  using value_type = Totals;
  const PartState* states;

  KOKKOS_FUNCTION void operator()(std::int64_t part, Totals& totals) const {
    const PartState& state = states[part];
    Totals one;
    one.numActive = state.counts[fronts::NumActive];
    one.numActivations = state.numActivations;
    one.numUpdates = state.counts[fronts::NumUpdates];
    one.mostIterations = state.iteration;
    totals += one;
  }
};

struct GiveBack {
  PartLists lists;
  double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { times[lists.parts.whole[v]] = lists.all.times[v]; }
};

/// One call.
template <class ExecutionSpace, int numCorners>
class PartsIteration {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;

  PartsIteration(const ExecutionSpace& space, const PartedMesh<numCorners, Memory>& mesh,
    const IterationOptions& options, double* times, Frame& frame)
    : space_(space), mesh_(mesh), options_(options), times_(times) {
    const PartsView& parts = mesh.parts();
    const std::int64_t count = mesh.simplices().numVertices();
    const auto list = [&](std::int64_t length) { return frame.template array<std::int32_t>(length).data(); };
    numChanged_ = frame.template array<std::int64_t>(1);
    lists_ = {parts,
      {frame.template array<double>(count).data(), frame.template array<double>(count).data(), list(count), list(count),
        list(count), list(count), nullptr},
      frame.template array<PartState>(parts.numParts).data(), {list(count), list(count)}, {list(count), list(count)},
      list(parts.numGroups), list(parts.numGroups), numChanged_.data()};
  }

  PartsReport run(const Progress& progress) {
    start();
    const double window = options_.window * mesh_.simplices().meanEdgeTime();
    double limit = -notReached;
    Totals totals;
    for (;;) {
      bool movesOn = false;
      if (totals.numActive == 0) {
        double first = 0.0;
        reduceMin(SPANWISE_KERNEL("first waiting"), range(numParts()), FirstWaitingOfPart{lists_, waitingList_}, first);
        if (first > options_.stopTime || first == Kokkos::Experimental::finite_max_v<double>) {
          break;
        }
        limit = std::min(first + window, options_.stopTime);
        movesOn = true;
      }
      if (report_.numRounds == options_.maxIterations) {
        report_.all.converged = false;
        break;
      }
      round(limit, movesOn);
      reduce(SPANWISE_KERNEL("sum parts"), range(numParts()), SumParts{lists_.states}, totals);
      progress.report(std::min(
        1.0, static_cast<double>(totals.numActivations) / static_cast<double>(mesh_.simplices().numVertices() + 1)));
    }
    report_.all.numIterations = totals.mostIterations;
    report_.all.numActivations = totals.numActivations;
    report_.all.numUpdates = totals.numUpdates;
    forEach(SPANWISE_KERNEL("give back"), range(mesh_.simplices().numVertices()), GiveBack{lists_, times_});
    reduce(SPANWISE_KERNEL("drop late times"), range(mesh_.numVerticesOfWhole()), DropLate{times_, options_.stopTime},
      report_.all.numReached);
    return report_;
  }

private:
  [[nodiscard]] std::int64_t numParts() const { return mesh_.parts().numParts; }
  [[nodiscard]] IndexRange<ExecutionSpace> range(std::int64_t end) const {
    return IndexRange<ExecutionSpace>(space_, 0, end);
  }

  void start() {
    setAll(space_, numChanged_, 0);
    forEach(SPANWISE_KERNEL("clear groups"), range(mesh_.parts().numGroups), ClearGroups{lists_});
    forEach(SPANWISE_KERNEL("clear parts"), range(numParts()), ClearParts{lists_});
    std::int64_t firstWrong = 0;
    reduceMin(
      SPANWISE_KERNEL("start parts"), range(mesh_.simplices().numVertices()), StartParts{lists_, times_}, firstWrong);
    fronts::checkTimes(firstWrong, mesh_.numVerticesOfWhole());
  }

  void round(double limit, bool movesOn) {
    using Part = IteratePart<numCorners, ExecutionSpace>;
    const Part part{mesh_.simplices().view(), lists_, options_.tolerance, limit, movesOn, waitingList_};
    if constexpr (runsOnHost<ExecutionSpace>) {
      using Policy =
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
      forEach(SPANWISE_KERNEL("iterate parts"), Policy(space_, 0, numParts(), Kokkos::ChunkSize(1)),
        IteratePartAlone<Part>{part}, Work{4 * mesh_.simplices().numVertices()});
    } else {
      using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
      Kokkos::parallel_for(
        SPANWISE_KERNEL("iterate parts"), Policy(space_, static_cast<int>(numParts()), Kokkos::AUTO), part);
    }
    waitingList_ = movesOn ? 1 - waitingList_ : waitingList_;
    const std::int64_t threads = std::min<std::int64_t>(mesh_.parts().numGroups, 16384);
    forEach(SPANWISE_KERNEL("exchange times"), range(threads), ExchangeTimes{lists_, threads, waitingList_, limit});
    setAll(space_, numChanged_, 0);
    ++report_.numRounds;
  }

  const ExecutionSpace& space_;
  const PartedMesh<numCorners, Memory>& mesh_;
  const IterationOptions& options_;
  double* times_;
  typename Workspace<Memory>::template Array<std::int64_t> numChanged_;
  PartLists lists_{};
  int waitingList_ = 0;
  PartsReport report_;
};

} // namespace

template <class ExecutionSpace, int numCorners>
PartsReport iterateTimesInParts(const ExecutionSpace& space,
  const PartedMesh<numCorners, typename ExecutionSpace::memory_space>& mesh, const IterationOptions& options,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress) {
  SPANWISE_REGION("Eikonal::iterateTimesInParts");
  fronts::check(options, static_cast<std::int64_t>(times.extent(0)), mesh.numVerticesOfWhole());
  if (options.numStopVertices > 0) {
    throw InvalidArgument("iterations in parts do not end at a region: give a stop time, or iterate on the whole mesh");
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  try {
    return PartsIteration<ExecutionSpace, numCorners>(space, mesh, options, times.data(), frame).run(progress);
  } catch (const Cancelled&) {
    setAll(space, times, notReached);
    throw;
  }
}

#define SPANWISE_ITERATE_IN_PARTS(Space, corners)                                                                      \
  template PartsReport iterateTimesInParts<Space, corners>(const Space&,                                               \
    const PartedMesh<corners, Space::memory_space>&, const IterationOptions&,                                          \
    const Kokkos::View<double*, Space::memory_space>&, Workspace<Space::memory_space>&, const Progress&);
#define SPANWISE_ITERATE_TIMES_IN_PARTS(Space)                                                                         \
  SPANWISE_ITERATE_IN_PARTS(Space, 3)                                                                                  \
  SPANWISE_ITERATE_IN_PARTS(Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_ITERATE_TIMES_IN_PARTS)

} // namespace spanwise::eikonal
