#pragma once

#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/ForEachInShares.hpp"
#include "Core/Runtime/Pace.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckCellCount.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckOptions.hpp"
#include "Core/Solvers/Eikonal/Detail/Counts.hpp"
#include "Core/Solvers/Eikonal/Detail/DropLate.hpp"
#include "Core/Solvers/Eikonal/Detail/GridFronts.hpp"
#include "Core/Solvers/Eikonal/Detail/StopRegion.hpp"
#include "Core/Solvers/Eikonal/GridTimes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace spanwise::eikonal::gridfronts {

inline void check(const GridOptions& options, int orderOfGrid, std::size_t numTimes, std::int64_t numCells) {
  checkCellCount("times", numTimes, numCells);
  checkOrder(options.order, orderOfGrid);
  checkOptions(options.iteration);
}

/// The lists and counts of one call. `lowersOnly`: see lowersOnly(). Cells of the halo are others', which the border
/// brings the times of: they stand in lists as they do where they are computed, so that own cells that read them are
/// computed anew.
template <class ExecutionSpace, int Dim, class Stencil, bool lowersOnly>
class Iteration {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;

  Iteration(const ExecutionSpace& space, Grid<Dim, ExecutionSpace>& grid, const GridOptions& options,
    const GridFactoringView<Dim>& factoring, double* times, Frame& frame)
    : space_(space), stencil_(grid.view()), factoring_(factoring), options_(options.iteration),
      secondOrder_(options.order == 2), numCells_(grid.numCells()), owned_(grid.owned()),
      meanCellTime_(grid.meanCellTime()), border_(grid.border()), counts_(space, frame),
      work_(noCells(NumWork, true, frame)), nextWork_(noCells(NumNextWork, true, frame)),
      active_(noCells(NumActive, false, frame)), waiting_(noCells(NumWaiting, false, frame)),
      stillWaiting_(noCells(NumStillWaiting, false, frame)), tolerance_(options.iteration.tolerance),
      stopTime_(options.iteration.stopTime), pace_(inBits && space.concurrency() > 1) {
    const auto values = [&](bool needed) { return needed ? frame.template array<double>(numCells_).data() : nullptr; };
    next_ = inBits ? frame.template array<std::int64_t>(8 * space.concurrency()).data() : nullptr;
    given_ = values(!lowersOnly);
    isGiven_ = lowersOnly ? nullptr : frame.template array<std::uint8_t>(numCells_).data();
    const auto fronts = [&] {
      return factoring.fronts.ofCell != nullptr ? frame.template array<std::int32_t>(numCells_).data() : nullptr;
    };
    values_ = {times, values(true), values(!lowersOnly), given_, isGiven_,
      frame.template array<std::uint8_t>(numCells_).data(), fronts(), fronts(), factoring.fronts.ofCell};
  }

  /// Sets all up from the times on input. Throws where one of them, or of the region to stop at, is not valid.
  void setUp() {
    border_.clear(space_);
    std::int64_t firstWrong = 0;
    if (options_.numStopVertices > 0) {
      reduceMin(SPANWISE_KERNEL("check region"), range(options_.numStopVertices),
        CheckRegion{options_.stopVertices, owned_.count()}, firstWrong);
      if (firstWrong < options_.numStopVertices) {
        throw InvalidArgument("cell " + std::to_string(fetch(space_, options_.stopVertices, firstWrong)) +
          " of the region to stop at does not exist: cells are numbered from 0 to " +
          std::to_string(owned_.count() - 1));
      }
    }
    reduceMin(SPANWISE_KERNEL("start"), range(numCells_), Start<BorderView>{border_.view(), values_, given_, isGiven_},
      firstWrong);
    if (firstWrong < numCells_) {
      throw InvalidArgument("the time of cell " + std::to_string(firstWrong - owned_.begin) +
        " is not valid: times of sources are finite numbers, all others are infinite");
    }
  }

  IterationReport run(const Progress& progress) {
    listSources();
    hasRegion_ = minOfAll(options_.numStopVertices > 0 ? -1.0 : 0.0) < 0.0;
    bool reached = false;
    for (;;) {
      const double first = border_.agreed(length(work_) > 0 ? -notReached : firstWaiting(), reached);
      if (first > -notReached) { // nobody has any work
        if (first > stopTime_ || first == Kokkos::Experimental::finite_max_v<double> || regionEndsBefore(first)) {
          break;
        }
        moveOn(first);
        continue;
      }
      if (report_.numIterations == options_.maxIterations) {
        report_.converged = false;
        break;
      }
      raiseTolerance(reached);
      iterate();
      reached = counts_[NumReached] > 0;
      border_.report(
        progress, std::min(1.0, static_cast<double>(numReached_) / static_cast<double>(owned_.count() + 1)));
    }
    reduce(SPANWISE_KERNEL("drop late times"), range(owned_.count()), DropLate{values_.times + owned_.begin, stopTime_},
      report_.numReached);
    return report_;
  }

private:
  static constexpr bool inBits = runsOnHost<ExecutionSpace>;
  using Set = CellSet<ExecutionSpace>;
  using View = CellSetView<inBits>;
  using BorderView = typename GridBorder<ExecutionSpace>::View;
  /// So many iterations that reach no cell are too many, where those before them were few.
  static constexpr std::int64_t maxIdle = 2000;

  [[nodiscard]] IndexRange<ExecutionSpace> range(std::int64_t end) const {
    return IndexRange<ExecutionSpace>(space_, 0, end);
  }

  [[nodiscard]] Set noCells(Count slot, bool once, Frame& frame) const {
    return Set(space_, numCells_, counts_.data(), slot, once, frame);
  }
  [[nodiscard]] std::int64_t length(const Set& set) const { return counts_[set.slot()]; }
  /// Says that a set that all cells have been taken out of has none.
  void setEmpty(const Set& set) { counts_[set.slot()] = 0; }

  template <class Functor>
  void forItems(const char* label, std::int64_t numItems, const Functor& functor) const {
    if (numItems == 0) {
      return;
    }
    if constexpr (inBits) {
      if (numItems > 1) {
        forEachInShares(space_, label, numItems, next_, functor);
        return;
      }
    }
    forEach(label, range(numItems), functor, Work{std::numeric_limits<std::int64_t>::max()});
  }

  void fetchCounts() {
    counts_.fetch();
    report_.numActivations += counts_[NumActive];
  }

  /// Calls take(firstCell, changed) for the pieces that came from other ranks; returns how many times there were.
  template <class Take>
  std::int64_t forArrived(const Take& take) {
    border_.exchange(space_);
    std::int64_t come = 0;
    for (std::size_t k = 0; k < border_.numArrived(); ++k) {
      const auto arrived = border_.arrived(k);
      if (arrived.changed.count > 0) {
        take(arrived.firstCell, arrived.changed);
        come += arrived.changed.count;
      }
    }
    return come;
  }

  void listSources() {
    forArrived([&](std::int32_t firstCell, const auto& changed) {
      forEach(SPANWISE_KERNEL("take starts"), range(changed.count),
        TakeStarts{values_, firstCell, changed.places, changed.times});
    });
    counts_.send();
    constexpr std::int64_t perItem = ListSources<inBits>::perItem;
    const std::int64_t items = (numCells_ + perItem - 1) / perItem;
    forItems(SPANWISE_KERNEL("list sources"), items, ListSources<inBits>{values_, waiting_.view(), numCells_});
    fetchCounts();
    numReached_ = counts_[NumWaiting];
  }

  /// The first of those that wait; the largest number if nobody does.
  double firstWaiting() {
    double first = Kokkos::Experimental::finite_max_v<double>;
    if (length(waiting_) > 0) {
      const View waiting = waiting_.items(length(waiting_), pace_.shares());
      reduceMin(SPANWISE_KERNEL("first waiting"), range(waiting.numItems),
        FirstWaiting<lowersOnly, inBits>{values_, waiting}, first);
    }
    return first;
  }

  /// The least of the numbers of all ranks.
  double minOfAll(double mine) {
    bool reached = false;
    return border_.agreed(mine, reached);
  }

  /// Whether no cell of the region, of all ranks, can change any more by a front that starts at `first`.
  bool regionEndsBefore(double first) {
    if (!hasRegion_) {
      return false;
    }
    double least = Kokkos::Experimental::finite_max_v<double>;
    if (options_.numStopVertices > 0) {
      reduceMin(SPANWISE_KERNEL("region"), range(options_.numStopVertices),
        LastOfRegion{options_.stopVertices, values_.times + owned_.begin}, least);
    }
    const double last = -minOfAll(least);
    if (last > first) {
      return false;
    }
    stopTime_ = std::min(stopTime_, last);
    return true;
  }

  /// Moves the limit behind the first that waits anywhere.
  void moveOn(double first) {
    limit_ = std::min(first + options_.window * meanCellTime_, stopTime_);
    const View waiting = waiting_.items(length(waiting_), pace_.shares());
    setEmpty(nextWork_);
    setEmpty(active_);
    setEmpty(stillWaiting_);
    counts_.send();
    forItems(SPANWISE_KERNEL("move on"), waiting.numItems,
      MoveOn<lowersOnly, inBits>{values_, waiting, active_.view(), stillWaiting_.view(), limit_});
    std::swap(waiting_, stillWaiting_);
    spread(length(stillWaiting_));
  }

  /// Makes the next work list, of what reads the active cells, of which there are so many at most.
  void spread(std::int64_t maxActive) {
    const View active = active_.items(maxActive, pace_.shares());
    forItems(SPANWISE_KERNEL("spread"), active.numItems,
      Spread<Stencil, BorderView, lowersOnly, inBits>{
        stencil_, border_.view(), values_, active, nextWork_.view(), secondOrder_});
    std::swap(work_, nextWork_);
    fetchCounts();
  }

  void iterate() {
    const Stopwatch watch;
    const std::int64_t count = length(work_);
    const bool isMuch = work_.isMuch();
    setEmpty(nextWork_);
    setEmpty(active_);
    counts_[NumReached] = 0;
    counts_.send();
    border_.clear(space_);
    const View work = work_.items(count, pace_.shares());
    forItems(SPANWISE_KERNEL("compute"), work.numItems,
      Compute<Stencil, Dim, lowersOnly, inBits>{stencil_, factoring_, values_, work, secondOrder_});
    forItems(SPANWISE_KERNEL("take times"), work.numItems,
      TakeTimes<BorderView, lowersOnly, inBits>{border_.view(), values_, work, active_.view(), waiting_.view(),
        counts_.data() + NumReached, limit_, tolerance_});
    const std::int64_t come = forArrived([&](std::int32_t firstCell, const auto& changed) {
      using Take = TakeArrived<lowersOnly, inBits>;
      const std::int64_t items = (changed.count + Take::perItem - 1) / Take::perItem;
      forItems(SPANWISE_KERNEL("take arrived"), items,
        Take{values_, active_.view(), waiting_.view(), limit_, firstCell, changed.places, changed.times, changed.count,
          items});
    });
    spread(count + come);
    ++report_.numIterations;
    report_.numUpdates += count;
    numReached_ += counts_[NumReached];
    if (isMuch) {
      pace_.note(count, watch.seconds());
    }
  }

  /// Times that swing for ever are let alone in the end. When all cells are reached, what is left takes about as many
  /// iterations at most as fronts took to come there.
  void raiseTolerance(bool reached) {
    if (reached) {
      numIdle_ = 0;
      lastReached_ = report_.numIterations;
    } else {
      ++numIdle_;
    }
    if (!lowersOnly && numIdle_ > maxIdle + lastReached_) {
      tolerance_ = std::max(10.0 * tolerance_, 1e-15);
      report_.converged = false;
      numIdle_ = 0;
    }
  }

  const ExecutionSpace& space_;
  Stencil stencil_;
  GridFactoringView<Dim> factoring_;
  const IterationOptions& options_;
  bool secondOrder_;
  std::int64_t numCells_;
  parallel::CellRange owned_;
  double meanCellTime_;
  GridBorder<ExecutionSpace>& border_;
  Counts<ExecutionSpace, numCounts> counts_;
  Set work_;
  Set nextWork_;
  Set active_;
  Set waiting_;
  Set stillWaiting_;
  double tolerance_;
  double stopTime_;
  bool hasRegion_ = false;       // on any rank
  std::int64_t* next_ = nullptr; // of forEachInShares()
  double* given_ = nullptr;
  std::uint8_t* isGiven_ = nullptr;
  Values values_{};
  std::int64_t numReached_ = 0;
  std::int64_t numIdle_ = 0;     // iterations that reached no cell, since the last that did or the tolerance was raised
  std::int64_t lastReached_ = 0; // the iteration that last reached a cell
  double limit_ = 0.0;
  Pace pace_; // of iterations with more than a little work
  IterationReport report_;
};

/// Calls run.operator()<Stencil, lowersOnly>() with what a grid and options ask for.
template <int Dim, class Run>
auto withKind(bool hasDirections, bool lowersOnly, const Run& run) {
  using Tensors = TensorStencil<Dim>;
  using Axes = AxisStencil<Dim>;
  if (hasDirections) {
    return lowersOnly ? run.template operator()<Tensors, true>() : run.template operator()<Tensors, false>();
  }
  return lowersOnly ? run.template operator()<Axes, true>() : run.template operator()<Axes, false>();
}

/// Whether times only fall: in first order, where no source is factored out and fronts are not told apart.
template <int Dim>
bool lowersOnly(const GridOptions& options, const GridFactoringView<Dim>& factoring) {
  return options.order == 1 && factoring.sourceOfCell == nullptr && factoring.fronts.ofCell == nullptr;
}

} // namespace spanwise::eikonal::gridfronts
