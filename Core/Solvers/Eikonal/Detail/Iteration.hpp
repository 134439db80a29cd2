#pragma once

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckOptions.hpp"
#include "Core/Solvers/Eikonal/Detail/Counts.hpp"
#include "Core/Solvers/Eikonal/Detail/DropLate.hpp"
#include "Core/Solvers/Eikonal/Detail/Fronts.hpp"
#include "Core/Solvers/Eikonal/Detail/ListOrder.hpp"
#include "Core/Solvers/Eikonal/Detail/StopRegion.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace spanwise::eikonal::fronts {

inline void check(const IterationOptions& options, std::int64_t numTimes, std::int64_t numVertices) {
  if (numTimes != numVertices) {
    throw InvalidArgument("there are " + std::to_string(numTimes) + " times and " + std::to_string(numVertices) +
      " vertices: each vertex has one time");
  }
  checkOptions(options);
}

/// Throws where a time on input is not valid.
inline void checkTimes(std::int64_t firstWrong, std::int64_t numVertices) {
  if (firstWrong < numVertices) {
    throw InvalidArgument("the time of vertex " + std::to_string(firstWrong) +
      " is not valid: times of sources are finite numbers, all others are infinite");
  }
}

/// At most so many iterations are launched before a device is asked how many vertices are active. Its answer takes as
/// long as two iterations that find nobody. Tests set it.
template <class ExecutionSpace>
std::int64_t& iterationsAtOnce() {
  static std::int64_t count = runsOnHost<ExecutionSpace> ? 1 : 16;
  return count;
}

/// The lists and counts of one call.
template <class ExecutionSpace, int numCorners>
class Iteration {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;

  Iteration(const ExecutionSpace& space, SimplexMesh<numCorners, ExecutionSpace>& mesh, const FactoringView& factoring,
    const IterationOptions& options, double* times, Frame& frame)
    : space_(space), mesh_(mesh), factoring_(factoring), options_(options),
      window_(options.window * mesh.meanEdgeTime()), border_(mesh.border()), counts_(space, frame),
      numUpdates_(space, frame), order_(mesh.numVertices(), frame) {
    const std::int64_t count = mesh.numVertices();
    const auto list = [&] { return frame.template array<std::int32_t>(count).data(); };
    fronts_ = {times, frame.template array<double>(count).data(), list(), list(), list(), list(), counts_.data(), 0};
    active_ = list();
    nextActive_ = list();
    waiting_ = list();
    stillWaiting_ = list();
  }

  /// Sets all up from the times on input. Throws where one of them, or of the region to stop at, is not valid.
  void start() {
    std::int64_t firstWrong = 0;
    if (options_.numStopVertices > 0) {
      reduceMin(SPANWISE_KERNEL("check region"), range(options_.numStopVertices),
        CheckRegion{options_.stopVertices, numVertices()}, firstWrong);
      if (firstWrong < options_.numStopVertices) {
        throw InvalidArgument("vertex " + std::to_string(fetch(space_, options_.stopVertices, firstWrong)) +
          " of the region to stop at does not exist: vertices are numbered from 0 to " +
          std::to_string(numVertices() - 1));
      }
    }
    fronts_.iteration = 0;
    for (int which = 0; which < numCounts; ++which) {
      count(which) = 0;
    }
    counts_.send();
    numUpdates_.clear();
    reduceMin(SPANWISE_KERNEL("start"), range(numVertices()), Start{fronts_, waiting_}, firstWrong);
    checkTimes(firstWrong, numVertices());
    fetchCounts();
  }

  IterationReport run(const Progress& progress) {
    double limit = -notReached;
    hasRegion_ = border_.agreed(options_.numStopVertices > 0 ? -1.0 : 0.0) < 0.0;
    for (;;) {
      const double first = border_.agreed(numActive_ > 0 ? -notReached : firstWaiting());
      if (first > limit) { // nobody is active
        if (first == Kokkos::Experimental::finite_max_v<double> || first > stopTime_ || regionEndsBefore(first)) {
          break;
        }
        limit = std::min(first + window_, stopTime_);
        moveOn(limit);
      }
      if (report_.numIterations == options_.maxIterations) {
        report_.converged = false;
        break;
      }
      iterate(limit);
      border_.report(
        progress, std::min(1.0, static_cast<double>(report_.numActivations) / static_cast<double>(numVertices() + 1)));
    }
    reduce(
      SPANWISE_KERNEL("drop late times"), range(numVertices()), DropLate{fronts_.times, stopTime_}, report_.numReached);
    report_.numReached -= border_.countedElsewhere(space_, fronts_.times);
    report_.numUpdates = numUpdates_.sum();
    return report_;
  }

private:
  /// What a vertex with a new time takes, whose neighbours are updated, in small items.
  static constexpr std::int64_t workOfVertex = 32;
  // On a device, a thread for each corner of so many slots of a ball.
  static constexpr int itemsPerVertex = runsOnHost<ExecutionSpace> ? 1 : 32 * numCorners;
  // The fronts of a device may grow on the way. Threads without a vertex take little.
  static constexpr std::int64_t leastActive = runsOnHost<ExecutionSpace> ? 1 : 2048;

  [[nodiscard]] std::int64_t numVertices() const { return mesh_.numVertices(); }
  [[nodiscard]] IndexRange<ExecutionSpace> range(std::int64_t end) const {
    return IndexRange<ExecutionSpace>(space_, 0, end);
  }

  [[nodiscard]] std::int64_t& count(int which) { return counts_[countsApart * which]; }

  void fetchCounts() {
    counts_.fetch();
    numActive_ = count(NumActive + fronts_.iteration % 2);
    numWaiting_ = count(NumWaiting);
    report_.numActivations = count(NumActivations);
  }

  /// The first of those that wait; the largest number if nobody does.
  double firstWaiting() {
    double first = Kokkos::Experimental::finite_max_v<double>;
    if (numWaiting_ > 0) {
      reduceMin(SPANWISE_KERNEL("first waiting"), range(numWaiting_), FirstWaiting{fronts_, waiting_}, first);
    }
    return first;
  }

  /// Whether nobody in the region, of all ranks, can be reached earlier than it is, by a front that starts at `first`.
  bool regionEndsBefore(double first) {
    if (!hasRegion_) {
      return false;
    }
    double least = Kokkos::Experimental::finite_max_v<double>;
    if (options_.numStopVertices > 0) {
      reduceMin(SPANWISE_KERNEL("region"), range(options_.numStopVertices),
        LastOfRegion{options_.stopVertices, fronts_.times}, least);
    }
    const double last = -border_.agreed(least);
    if (last > first) {
      return false;
    }
    stopTime_ = std::min(stopTime_, last);
    return true;
  }

  void moveOn(double limit) {
    if (numWaiting_ == 0) {
      return;
    }
    iterationsOfLast_ = iterationsOfFront_;
    iterationsOfFront_ = 0;
    const std::int64_t waiting = numWaiting_;
    count(NumWaiting) = 0;
    counts_.send();
    forEach(SPANWISE_KERNEL("move on"), range(waiting), MoveOn{fronts_, waiting_, stillWaiting_, active_, limit});
    std::swap(waiting_, stillWaiting_);
    fetchCounts();
  }

  /// One iteration or some. Ranks bring each other their times after each.
  void iterate(double limit) {
    const bool alone = border_.communicator().alone();
    const std::int64_t most =
      std::min(options_.maxIterations - report_.numIterations, alone ? atOnce() : std::int64_t{1});
    const std::int64_t idleBefore = count(NumIdle);
    for (std::int64_t k = 0; k < most; ++k) {
      if (k == 0) {
        orderActive();
      }
      if (factoring_.placeOfVertex != nullptr) {
        update<true>();
      } else {
        update<false>();
      }
      const std::int64_t come = alone ? 0 : border_.exchange(space_, fronts_);
      // About as many as times may have fallen. Where more have, each thread goes on through the list.
      const std::int64_t threads = std::min(numVertices(), std::max(numActive_, leastActive) * 16 + come);
      forEach(SPANWISE_KERNEL("take times"), range(threads), TakeTimes{fronts_, nextActive_, waiting_, threads, limit});
      std::swap(active_, nextActive_);
      ++fronts_.iteration;
    }
    fetchCounts();
    const std::int64_t done = alone ? most - (count(NumIdle) - idleBefore) : most;
    report_.numIterations += done;
    iterationsOfFront_ += done;
  }

  /// A front takes about as many iterations as the last one; what is left comes by and by.
  [[nodiscard]] std::int64_t atOnce() const {
    constexpr std::int64_t few = 2;
    const std::int64_t likely = iterationsOfFront_ == 0 ? std::max(iterationsOfLast_, few) : few;
    return std::min(likely, iterationsAtOnce<ExecutionSpace>());
  }

  /// On the host, where a thread works on many vertices one after the other; what a few of them read stays in caches.
  void orderActive() {
    if constexpr (runsOnHost<ExecutionSpace>) {
      if (workOfUpdates().smallItems > spanwise::detail::littleWork().smallItems) {
        order_.sort(active_, numActive_, nextActive_);
        std::swap(active_, nextActive_);
      }
    }
  }

  template <bool factored>
  void update() {
    using Update = UpdateNeighbours<numCorners, itemsPerVertex, factored>;
    const std::int64_t threads = std::max(numActive_, leastActive) * itemsPerVertex;
    forEach(SPANWISE_KERNEL("update"), range(threads),
      Update{mesh_.view(), factoring_, fronts_, active_, numUpdates_.view(), threads, options_.tolerance},
      workOfUpdates());
  }

  [[nodiscard]] Work workOfUpdates() const { return {workOfVertex * numActive_}; }

  const ExecutionSpace& space_;
  const SimplexMesh<numCorners, ExecutionSpace>& mesh_;
  const FactoringView& factoring_;
  const IterationOptions& options_;
  double window_; // how far behind the first time others go on with it
  double stopTime_ = options_.stopTime;
  bool hasRegion_ = false; // on any rank
  MeshBorder<ExecutionSpace>& border_;
  Counts<ExecutionSpace, countsApart * numCounts> counts_;
  SpreadCounter<ExecutionSpace> numUpdates_;
  ListOrder order_;
  Fronts fronts_{};
  std::int32_t* active_ = nullptr;
  std::int32_t* nextActive_ = nullptr;
  std::int32_t* waiting_ = nullptr;
  std::int32_t* stillWaiting_ = nullptr;
  std::int64_t numActive_ = 0;
  std::int64_t numWaiting_ = 0;
  std::int64_t iterationsOfFront_ = 0; ///< since the front moved on
  std::int64_t iterationsOfLast_ = 0;  ///< from the move before to that
  IterationReport report_;
};

} // namespace spanwise::eikonal::fronts
