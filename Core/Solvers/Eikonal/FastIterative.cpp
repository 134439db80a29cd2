#include "Core/Solvers/Eikonal/FastIterative.hpp"

#include "Core/Geometry/Detail/Fetch.hpp"
#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/CornerUpdate.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace spanwise::eikonal {

namespace {

using detail::Range;

/// The lists of an iteration and what they are counted by, in the memory of the execution space.
struct Fronts {
  double* times;          ///< before the iteration
  double* next;           ///< after it
  std::int32_t* activeIn; ///< the last iteration that a vertex is active in
  std::int32_t* touched;  ///< 1: its time has fallen in this iteration
  std::int32_t* waiting;  ///< 1: it waits for the front
  std::int32_t* touchedList;
  std::int64_t* counts; ///< lengths of lists and a sum, by Count
};

enum Count { NumTouched, NumActive, NumWaiting, NumUpdates, numCounts };

/// Appends a vertex to a list that is long enough.
KOKKOS_FORCEINLINE_FUNCTION void append(std::int32_t* list, std::int64_t& length, std::int32_t vertex) {
  list[Kokkos::atomic_fetch_add(&length, std::int64_t{1})] = vertex;
}

/// Active vertices tell the simplices around them, which update their other vertices. On the host an item of work is a
/// vertex, on a device a slot of its ball.
template <int numCorners, int itemsPerVertex, bool factored>
struct UpdateNeighbours {
  SimplexMeshView<numCorners> mesh;
  FactoringView factoring;
  Fronts fronts;
  const std::int32_t* active;
  std::int32_t iteration;
  double tolerance;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t v = active[item / itemsPerVertex];
    const int degree = mesh.ball.degrees[v];
    std::int64_t updates = 0;
    if constexpr (itemsPerVertex == 1) {
      for (int k = 0; k < degree; ++k) {
        updates += update(mesh.ball(v, k));
      }
    } else {
      for (int k = static_cast<int>(item % itemsPerVertex); k < degree; k += itemsPerVertex) {
        updates += update(mesh.ball(v, k));
      }
    }
    if (updates > 0) {
      Kokkos::atomic_add(&fronts.counts[NumUpdates], updates);
    }
  }

private:
  /// What is known of a simplex.
  struct Simplex {
    std::int32_t vertices[numCorners];
    double times[numCorners];
    const double* products;
    unsigned active; // bit k: corner k is active
  };

  /// Nothing where no simplex is factored.
  struct NotFactored {
    KOKKOS_FORCEINLINE_FUNCTION NotFactored(
      const FactoringView& /*factoring*/, std::int64_t /*simplex*/, const std::int32_t* /*vertices*/) {}
  };
  using Factored = std::conditional_t<factored, FactoredCorners<numCorners>, NotFactored>;

  KOKKOS_FUNCTION int update(BallEntry entry) const {
    const std::int64_t s = BallView::element(entry);
    Simplex simplex;
    simplex.products = mesh.products + s * SimplexMeshView<numCorners>::numEdges;
    simplex.active = 0;
    for (int k = 0; k < numCorners; ++k) {
      const std::int32_t v = mesh.vertices[s * numCorners + k];
      simplex.vertices[k] = v;
      simplex.times[k] = fronts.times[v];
      simplex.active |= (fronts.activeIn[v] == iteration ? 1U : 0U) << k;
    }
    const int told = BallView::local(entry);
    const Factored corners(factoring, s, simplex.vertices);
    int updates = updateOne<0>(simplex, corners, told) + updateOne<1>(simplex, corners, told) +
      updateOne<2>(simplex, corners, told);
    if constexpr (numCorners == 4) {
      updates += updateOne<3>(simplex, corners, told);
    }
    return updates;
  }

  /// Updates one corner; 1 if the local problem was solved. Several corners may be active: the first of them, other
  /// than the one that is updated, does it.
  template <int corner>
  KOKKOS_FORCEINLINE_FUNCTION int updateOne(const Simplex& simplex, const Factored& corners, int told) const {
    const unsigned others = simplex.active & ~(1U << corner);
    if (told == corner || (others & ((1U << told) - 1U)) != 0) {
      return 0;
    }
    const double* u = simplex.times;
    const double old = u[corner];
    double least = Kokkos::min(u[(corner + 1) % numCorners], u[(corner + 2) % numCorners]);
    if constexpr (numCorners == 4) {
      least = Kokkos::min(least, u[(corner + 3) % numCorners]);
    }
    if (!(least < old)) {
      return 0; // nothing comes before it
    }
    double time;
    if constexpr (factored) {
      time = updateCorner<corner, numCorners>(corners, u, simplex.products).time;
    } else {
      time = updateCorner<corner, numCorners>(u, simplex.products).time;
    }
    if (time < old && !(old - time <= tolerance * Kokkos::abs(time))) {
      const std::int32_t v = simplex.vertices[corner];
      if (time < Kokkos::atomic_fetch_min(&fronts.next[v], time) &&
        Kokkos::atomic_exchange(&fronts.touched[v], 1) == 0) {
        append(fronts.touchedList, fronts.counts[NumTouched], v);
      }
    }
    return 1;
  }
};

/// Makes the new times valid and sorts their vertices: active in the next iteration, or waiting. As many threads as
/// there may be vertices go through the list, whose length only the device knows.
struct TakeTimes {
  Fronts fronts;
  std::int32_t* active;
  std::int32_t* waitingList;
  std::int32_t nextIteration;
  std::int64_t numThreads;
  double limit;

  KOKKOS_FUNCTION void operator()(std::int64_t thread) const {
    for (std::int64_t i = thread; i < fronts.counts[NumTouched]; i += numThreads) {
      const std::int32_t v = fronts.touchedList[i];
      fronts.touched[v] = 0;
      fronts.times[v] = fronts.next[v];
      if (fronts.times[v] <= limit) {
        fronts.waiting[v] = 0; // its place in the list is dropped when the front moves on
        fronts.activeIn[v] = nextIteration;
        append(active, fronts.counts[NumActive], v);
      } else if (fronts.waiting[v] == 0) {
        fronts.waiting[v] = 1;
        append(waitingList, fronts.counts[NumWaiting], v);
      }
    }
  }
};

/// The first time of those that wait.
struct FirstWaiting {
  Fronts fronts;
  const std::int32_t* waitingList;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double& least) const {
    const std::int32_t v = waitingList[i];
    if (fronts.waiting[v] != 0) {
      least = Kokkos::min(least, fronts.times[v]);
    }
  }
};

/// Lets those go on that the limit has reached.
struct MoveOn {
  Fronts fronts;
  const std::int32_t* waitingList;
  std::int32_t* stillWaiting;
  std::int32_t* active;
  std::int32_t iteration;
  double limit;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t v = waitingList[i];
    if (fronts.waiting[v] == 0) {
      return;
    }
    if (fronts.times[v] <= limit) {
      fronts.waiting[v] = 0;
      fronts.activeIn[v] = iteration;
      append(active, fronts.counts[NumActive], v);
    } else {
      append(stillWaiting, fronts.counts[NumWaiting], v);
    }
  }
};

/// Sets up all lists from the times on input, and finds the first that is not valid.
struct Start {
  Fronts fronts;
  std::int32_t* waitingList;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& firstWrong) const {
    const double time = fronts.times[v];
    fronts.next[v] = time;
    fronts.activeIn[v] = -1;
    fronts.touched[v] = 0;
    fronts.waiting[v] = 0;
    if (!(time > -notReached)) {
      firstWrong = Kokkos::min(firstWrong, v);
    } else if (time < notReached) {
      fronts.waiting[v] = 1;
      append(waitingList, fronts.counts[NumWaiting], static_cast<std::int32_t>(v));
    }
  }
};

/// The last time in a region, with the other sign, so that it is a minimum.
struct LastOfRegion {
  const std::int64_t* region;
  const double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double& least) const {
    least = Kokkos::min(least, -times[region[i]]);
  }
};

struct CheckRegion {
  const std::int64_t* region;
  std::int64_t numVertices;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& firstWrong) const {
    if (region[i] < 0 || region[i] >= numVertices) {
      firstWrong = Kokkos::min(firstWrong, i);
    }
  }
};

struct DropLate {
  double* times;
  double stopTime;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& numReached) const {
    if (times[v] > stopTime) {
      times[v] = notReached;
    }
    numReached += times[v] < notReached ? 1 : 0;
  }
};

void check(const IterationOptions& options, std::int64_t numTimes, std::int64_t numVertices) {
  if (numTimes != numVertices) {
    throw InvalidArgument("there are " + std::to_string(numTimes) + " times and " + std::to_string(numVertices) +
      " vertices: each vertex has one time");
  }
  if (!(options.tolerance >= 0.0 && options.tolerance < 1.0)) {
    throw InvalidArgument(
      "the tolerance is " + std::to_string(options.tolerance) + ": it must be at least 0 and below 1");
  }
  if (!(options.window >= 0.0)) {
    throw InvalidArgument("the window is " + std::to_string(options.window) + ": it must not be negative");
  }
  if (options.maxIterations < 0) {
    throw InvalidArgument("at most " + std::to_string(options.maxIterations) +
      " iterations are asked for: the number must not be negative");
  }
}

/// The lists and counts of one call.
template <class ExecutionSpace, int numCorners>
class Iteration {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;

  Iteration(const ExecutionSpace& space, const SimplexMesh<numCorners, Memory>& mesh, const FactoringView& factoring,
    const IterationOptions& options, double* times, Frame& frame)
    : space_(space), mesh_(mesh), factoring_(factoring), options_(options),
      counts_(frame.template array<std::int64_t>(numCounts)) {
    const std::int64_t count = mesh.numVertices();
    const auto list = [&] { return frame.template array<std::int32_t>(count).data(); };
    fronts_ = {times, frame.template array<double>(count).data(), list(), list(), list(), list(), counts_.data()};
    active_ = list();
    nextActive_ = list();
    waiting_ = list();
    stillWaiting_ = list();
  }

  IterationReport run(const Progress& progress) {
    start();
    while (numActive_ > 0 || moveOn()) {
      if (report_.numIterations == options_.maxIterations) {
        report_.converged = false;
        break;
      }
      iterate();
      progress.report(std::min(1.0, static_cast<double>(report_.numActivations) / static_cast<double>(numVertices())));
    }
    reduce(
      SPANWISE_KERNEL("drop late times"), range(numVertices()), DropLate{fronts_.times, stopTime_}, report_.numReached);
    return report_;
  }

private:
  // On a device, a thread for each of so many slots of a ball.
  static constexpr int itemsPerVertex = runsOnHost<ExecutionSpace> ? 1 : 32;

  [[nodiscard]] std::int64_t numVertices() const { return mesh_.numVertices(); }
  [[nodiscard]] Range<ExecutionSpace> range(std::int64_t end) const { return Range<ExecutionSpace>(space_, 0, end); }

  void fetchCounts() {
    const Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      hostCounts_, numCounts);
    Kokkos::deep_copy(space_, host, counts_);
    space_.fence(SPANWISE_LABEL("Eikonal::counts"));
    numActive_ = hostCounts_[NumActive];
    numWaiting_ = hostCounts_[NumWaiting];
  }

  void setCounts(std::int64_t waiting) {
    hostCounts_[NumTouched] = 0;
    hostCounts_[NumActive] = 0;
    hostCounts_[NumWaiting] = waiting;
    const Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      hostCounts_, numCounts);
    Kokkos::deep_copy(space_, counts_, host);
  }

  void start() {
    std::int64_t firstWrong = 0;
    if (options_.numStopVertices > 0) {
      reduceMin(SPANWISE_KERNEL("check region"), range(options_.numStopVertices),
        CheckRegion{options_.stopVertices, numVertices()}, firstWrong);
      if (firstWrong < options_.numStopVertices) {
        throw InvalidArgument("vertex " +
          std::to_string(spanwise::detail::fetch(space_, options_.stopVertices, firstWrong)) +
          " of the region to stop at does not exist: vertices are numbered from 0 to " +
          std::to_string(numVertices() - 1));
      }
    }
    setCounts(0);
    reduceMin(SPANWISE_KERNEL("start"), range(numVertices()), Start{fronts_, waiting_}, firstWrong);
    if (firstWrong < numVertices()) {
      throw InvalidArgument("the time of vertex " + std::to_string(firstWrong) +
        " is not valid: times of sources are finite numbers, all others are infinite");
    }
    fetchCounts();
  }

  /// Moves the limit behind the first that waits; false if nobody does, or it is too late.
  bool moveOn() {
    if (numWaiting_ == 0) {
      return false;
    }
    double first = 0.0;
    reduceMin(SPANWISE_KERNEL("first waiting"), range(numWaiting_), FirstWaiting{fronts_, waiting_}, first);
    if (first == Kokkos::Experimental::finite_max_v<double> || first > stopTime_ || regionEndsBefore(first)) {
      return false;
    }
    limit_ = std::min(first + options_.window * mesh_.meanEdgeTime(), stopTime_);
    setCounts(0);
    detail::forEach(SPANWISE_KERNEL("move on"), range(numWaiting_),
      MoveOn{fronts_, waiting_, stillWaiting_, active_, iterationNumber(), limit_});
    std::swap(waiting_, stillWaiting_);
    fetchCounts();
    return true;
  }

  /// Whether nobody in the region can be reached earlier than it is, by a front that starts at `first`.
  bool regionEndsBefore(double first) {
    if (options_.numStopVertices == 0) {
      return false;
    }
    double last = 0.0;
    reduceMin(SPANWISE_KERNEL("region"), range(options_.numStopVertices),
      LastOfRegion{options_.stopVertices, fronts_.times}, last);
    if (-last > first) {
      return false;
    }
    stopTime_ = std::min(stopTime_, -last);
    return true;
  }

  void iterate() {
    setCounts(numWaiting_);
    if (factoring_.placeOfSimplex != nullptr) {
      update<true>();
    } else {
      update<false>();
    }
    // About as many as times may have fallen. Where more have, each thread goes on through the list.
    const std::int64_t threads = std::min(numVertices(), numActive_ * 16);
    ++report_.numIterations;
    report_.numActivations += numActive_;
    detail::forEach(SPANWISE_KERNEL("take times"), range(threads),
      TakeTimes{fronts_, nextActive_, waiting_, iterationNumber(), threads, limit_});
    std::swap(active_, nextActive_);
    fetchCounts();
    report_.numUpdates = hostCounts_[NumUpdates];
  }

  template <bool factored>
  void update() {
    using Update = UpdateNeighbours<numCorners, itemsPerVertex, factored>;
    Kokkos::parallel_for(SPANWISE_KERNEL("update"), range(numActive_ * itemsPerVertex),
      Update{mesh_.view(), factoring_, fronts_, active_, iterationNumber(), options_.tolerance});
  }

  [[nodiscard]] std::int32_t iterationNumber() const { return static_cast<std::int32_t>(report_.numIterations); }

  const ExecutionSpace& space_;
  const SimplexMesh<numCorners, Memory>& mesh_;
  const FactoringView& factoring_;
  const IterationOptions& options_;
  typename Workspace<Memory>::template Array<std::int64_t> counts_;
  std::int64_t hostCounts_[numCounts] = {};
  Fronts fronts_{};
  std::int32_t* active_ = nullptr;
  std::int32_t* nextActive_ = nullptr;
  std::int32_t* waiting_ = nullptr;
  std::int32_t* stillWaiting_ = nullptr;
  std::int64_t numActive_ = 0;
  std::int64_t numWaiting_ = 0;
  double limit_ = 0.0;
  double stopTime_ = options_.stopTime;
  IterationReport report_;
};

} // namespace

template <class ExecutionSpace, int numCorners>
IterationReport iterateTimes(const ExecutionSpace& space,
  const SimplexMesh<numCorners, typename ExecutionSpace::memory_space>& mesh, const IterationOptions& options,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress,
  const FactoringView& factoring) {
  SPANWISE_REGION("Eikonal::iterateTimes");
  check(options, static_cast<std::int64_t>(times.extent(0)), mesh.numVertices());
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  try {
    return Iteration<ExecutionSpace, numCorners>(space, mesh, factoring, options, times.data(), frame).run(progress);
  } catch (const Cancelled&) {
    Kokkos::deep_copy(space, times, notReached);
    throw;
  }
}

#define SPANWISE_ITERATE_TIMES(Space)                                                                                  \
  template IterationReport iterateTimes<Space, 3>(const Space&, const SimplexMesh<3, Space::memory_space>&,            \
    const IterationOptions&, const Kokkos::View<double*, Space::memory_space>&, Workspace<Space::memory_space>&,       \
    const Progress&, const FactoringView&);                                                                            \
  template IterationReport iterateTimes<Space, 4>(const Space&, const SimplexMesh<4, Space::memory_space>&,            \
    const IterationOptions&, const Kokkos::View<double*, Space::memory_space>&, Workspace<Space::memory_space>&,       \
    const Progress&, const FactoringView&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_ITERATE_TIMES)

} // namespace spanwise::eikonal
