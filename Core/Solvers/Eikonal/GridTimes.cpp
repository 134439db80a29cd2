#include "Core/Solvers/Eikonal/GridTimes.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckOptions.hpp"
#include "Core/Solvers/Eikonal/GridLists.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace spanwise::eikonal {

namespace {

using detail::Range;

enum State : std::uint8_t {
  NotListed, ///< not in the list of those that wait
  Waits,
  WaitsNoMore ///< in the list, but the front has reached it already
};

/// The lengths of lists, and how many cells were reached for the first time.
enum Count { NumWork, NumNextWork, NumActive, NumWaiting, NumStillWaiting, NumReached, numCounts };

/// What the kernels of an iteration share: values of cells.
struct Values {
  double* times;
  double* next;         ///< what was computed for the cell at a place of the work list
  double* lows;         ///< the least time a cell had since it last told those that read it
  const double* given;  ///< the times on input
  std::int32_t* queued; ///< 1: in the work list
  std::uint8_t* states; ///< State
};

/// Computes the cells of the work list.
template <class Stencil, int Dim, bool lowersOnly, bool inShares>
struct Compute {
  Stencil stencil;
  GridFactoringView<Dim> factoring;
  Values values;
  CellListView<inShares> work;
  bool secondOrder;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    work.forCells(item, [&](std::int32_t cell, std::int64_t place) { values.next[place] = compute(cell); });
  }

private:
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double compute(std::int32_t cell) const {
    if constexpr (lowersOnly) {
      return updateFromNeighbours(stencil, cell, values.times, false);
    } else {
      const double given = values.given[cell];
      const bool isSource = given < notReached;
      // What overtakes a source must do so in first order, which is not ahead of the front.
      const double time = updateFromNeighbours(stencil, cell, values.times, secondOrder && !isSource);
      if (isSource || factoring.sourceOfCell == nullptr || factoring.sourceOfCell[cell] < 0) {
        return Kokkos::min(time, given);
      }
      const FactoredSource<Dim>& source = factoring.sources[factoring.sourceOfCell[cell]];
      return updateFactored<Stencil, Dim>(stencil, cell, values.times, secondOrder, source, time);
    }
  }
};

/// Makes what was computed valid where it has changed: those cells are active now, or wait for the front.
template <bool lowersOnly, bool inShares>
struct TakeTimes {
  Values values;
  CellListView<inShares> work;
  CellListView<inShares> active;
  CellListView<inShares> waiting;
  std::int64_t* numReached;
  double limit;
  double tolerance;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    CellAppender<inShares> toActive(active, item);
    CellAppender<inShares> toWaiting(waiting, item);
    std::int64_t reached = 0;
    work.forCells(item, [&](std::int32_t cell, std::int64_t place) {
      values.queued[cell] = 0;
      const double old = values.times[cell];
      const double time = values.next[place];
      const double change = lowersOnly ? old - time : Kokkos::abs(old - time); // NaN: neither is reached
      if (!(time < notReached) || !(change > tolerance * Kokkos::abs(time))) {
        return;
      }
      reached += old < notReached ? 0 : 1;
      values.times[cell] = time;
      double low = time;
      if constexpr (!lowersOnly) {
        low = Kokkos::min(values.lows[cell], Kokkos::min(old, time));
        values.lows[cell] = low;
      }
      if (low <= limit) {
        if (values.states[cell] == Waits) {
          values.states[cell] = WaitsNoMore; // its place in the list is dropped when the front moves on
        }
        toActive.add(cell);
      } else {
        if (values.states[cell] == NotListed) {
          toWaiting.add(cell);
        }
        values.states[cell] = Waits;
      }
    });
    if (reached > 0) {
      Kokkos::atomic_add(numReached, reached);
    }
  }
};

/// Queues what reads the active cells and may change with them.
template <class Stencil, bool lowersOnly, bool inShares>
struct Spread {
  Stencil stencil;
  Values values;
  CellListView<inShares> active;
  CellListView<inShares> work;
  bool secondOrder;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    CellAppender<inShares> toWork(work, item);
    active.forCells(item, [&](std::int32_t cell, std::int64_t /*place*/) {
      double low;
      if constexpr (lowersOnly) {
        low = values.times[cell];
      } else {
        low = values.lows[cell];
        values.lows[cell] = notReached;
      }
      stencil.forDependents(cell, secondOrder, [&](std::int32_t dependent, int distance) {
        // Times before it do not depend on it; what no front has reached does not over two cells.
        const double time = values.times[dependent];
        if (time > low && (distance == 1 || time < notReached) && values.queued[dependent] == 0 &&
          Kokkos::atomic_exchange(&values.queued[dependent], 1) == 0) {
          toWork.add(dependent);
        }
      });
    });
  }
};

/// The first time of those that wait.
template <bool lowersOnly, bool inShares>
struct FirstWaiting {
  Values values;
  CellListView<inShares> waiting;

  KOKKOS_FUNCTION void operator()(std::int64_t item, double& least) const {
    waiting.forCells(item, [&](std::int32_t cell, std::int64_t /*place*/) {
      if (values.states[cell] == Waits) {
        least = Kokkos::min(least, lowsOnly(cell));
      }
    });
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double lowsOnly(std::int32_t cell) const {
    return lowersOnly ? values.times[cell] : values.lows[cell];
  }
};

/// Lets those go on that the limit has reached.
template <bool lowersOnly, bool inShares>
struct MoveOn {
  Values values;
  CellListView<inShares> waiting;
  CellListView<inShares> active;
  CellListView<inShares> stillWaiting;
  double limit;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    CellAppender<inShares> toActive(active, item);
    CellAppender<inShares> toStill(stillWaiting, item);
    waiting.forCells(item, [&](std::int32_t cell, std::int64_t /*place*/) {
      const bool waits = values.states[cell] == Waits;
      if (waits && (lowersOnly ? values.times[cell] : values.lows[cell]) > limit) {
        toStill.add(cell);
        return;
      }
      values.states[cell] = NotListed;
      if (waits) {
        toActive.add(cell);
      }
    });
  }
};

/// Sets up all values from the times on input, and finds the first that is not valid.
struct Start {
  Values values;
  double* given; ///< nullptr: not kept

  KOKKOS_FUNCTION void operator()(std::int64_t cell, std::int64_t& firstWrong) const {
    const double time = values.times[cell];
    values.queued[cell] = 0;
    values.states[cell] = NotListed;
    if (given != nullptr) {
      given[cell] = time;
      values.lows[cell] = time;
    }
    if (!(time > -notReached)) {
      firstWrong = Kokkos::min(firstWrong, cell);
    }
  }
};

/// Lets all sources wait. On the host by so many cells at once.
template <bool inShares>
struct ListSources {
  static constexpr std::int64_t perItem = inShares ? 4096 : 1;
  Values values;
  CellListView<inShares> waiting;
  std::int64_t numCells;
  std::int64_t numItems;
  std::int64_t numShares;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    CellAppender<inShares> toWaiting(waiting, item * numShares / numItems);
    const std::int64_t end = Kokkos::min((item + 1) * perItem, numCells);
    for (std::int64_t cell = item * perItem; cell < end; ++cell) {
      if (values.times[cell] < notReached) {
        values.states[cell] = Waits;
        toWaiting.add(static_cast<std::int32_t>(cell));
      }
    }
  }
};

struct DropLate {
  double* times;
  double stopTime;

  KOKKOS_FUNCTION void operator()(std::int64_t cell, std::int64_t& numReached) const {
    if (times[cell] > stopTime) {
      times[cell] = notReached;
    }
    numReached += times[cell] < notReached ? 1 : 0;
  }
};

void check(const GridOptions& options, std::int64_t numTimes, std::int64_t numCells) {
  const IterationOptions& iteration = options.iteration;
  if (numTimes != numCells) {
    throw InvalidArgument("there are " + std::to_string(numTimes) + " times and " + std::to_string(numCells) +
      " cells: each cell has one time");
  }
  if (options.order != 1 && options.order != 2) {
    throw InvalidArgument("order " + std::to_string(options.order) + " is asked for: differences have order 1 or 2");
  }
  checkOptions(iteration);
  if (iteration.numStopVertices > 0) {
    throw InvalidArgument("arrival times on cells do not end at a region: give a stop time");
  }
}

/// The lists and counts of one call. `lowersOnly`: first order without factoring, where times only fall.
template <class ExecutionSpace, int Dim, class Stencil, bool lowersOnly>
class Iteration {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;

  Iteration(const ExecutionSpace& space, const GridOn<Dim, ExecutionSpace>& grid, const GridOptions& options,
    const GridFactoringView<Dim>& factoring, double* times, Frame& frame)
    : space_(space), stencil_(grid.view()), factoring_(factoring), options_(options.iteration),
      secondOrder_(options.order == 2), numCells_(grid.numCells()), meanCellTime_(grid.meanCellTime()),
      counts_(frame.template array<std::int64_t>(numCounts)), work_(list(NumWork, frame)),
      nextWork_(list(NumNextWork, frame)), active_(list(NumActive, frame)), waiting_(list(NumWaiting, frame)),
      stillWaiting_(list(NumStillWaiting, frame)), tolerance_(options.iteration.tolerance) {
    const auto values = [&](bool needed) { return needed ? frame.template array<double>(numCells_).data() : nullptr; };
    given_ = values(!lowersOnly);
    values_ = {times, values(true), values(!lowersOnly), given_, frame.template array<std::int32_t>(numCells_).data(),
      frame.template array<std::uint8_t>(numCells_).data()};
  }

  IterationReport run(const Progress& progress) {
    start();
    while (length(work_) > 0 || moveOn()) {
      if (report_.numIterations == options_.maxIterations) {
        report_.converged = false;
        break;
      }
      iterate();
      progress.report(std::min(1.0, static_cast<double>(numReached_) / static_cast<double>(numCells_)));
    }
    reduce(SPANWISE_KERNEL("drop late times"), range(numCells_), DropLate{values_.times, options_.stopTime},
      report_.numReached);
    return report_;
  }

private:
  static constexpr bool inShares = runsOnHost<ExecutionSpace>;
  using List = CellList<ExecutionSpace>;
  using View = CellListView<inShares>;
  /// So many iterations in which the front neither moves on nor reaches a cell are too many.
  static constexpr int mostIdle = 2000;

  [[nodiscard]] Range<ExecutionSpace> range(std::int64_t end) const { return Range<ExecutionSpace>(space_, 0, end); }

  [[nodiscard]] List list(Count slot, Frame& frame) const {
    return List(space_, numCells_, counts_.data(), slot, frame);
  }
  [[nodiscard]] std::int64_t length(const List& list) const { return hostCounts_[list.slot()]; }
  void clear(List& list) {
    hostCounts_[list.slot()] = 0;
    list.clear();
  }

  template <class Functor>
  void forItems(const char* label, std::int64_t numItems, const Functor& functor) const {
    if (inShares && numItems == 1) {
      if constexpr (inShares) {
        functor(0);
      }
      return;
    }
    Kokkos::parallel_for(label, range(numItems), functor);
    if constexpr (inShares) {
      space_.fence(SPANWISE_LABEL("Eikonal::lists"));
    }
  }

  void fetchCounts() {
    if constexpr (inShares) {
      std::copy_n(counts_.data(), numCounts, hostCounts_);
    } else {
      const Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
        hostCounts_, numCounts);
      Kokkos::deep_copy(space_, host, counts_);
      space_.fence(SPANWISE_LABEL("Eikonal::counts"));
    }
    report_.numActivations += hostCounts_[NumActive];
  }

  void sendCounts() {
    if constexpr (inShares) {
      std::copy_n(hostCounts_, numCounts, counts_.data());
    } else {
      const Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
        hostCounts_, numCounts);
      Kokkos::deep_copy(space_, counts_, host);
    }
  }

  void start() {
    sendCounts();
    std::int64_t firstWrong = 0;
    reduceMin(SPANWISE_KERNEL("start"), range(numCells_), Start{values_, given_}, firstWrong);
    if (firstWrong < numCells_) {
      throw InvalidArgument("the time of cell " + std::to_string(firstWrong) +
        " is not valid: times of sources are finite numbers, all others are infinite");
    }
    constexpr std::int64_t perItem = ListSources<inShares>::perItem;
    const std::int64_t items = (numCells_ + perItem - 1) / perItem;
    forItems(SPANWISE_KERNEL("list sources"), items,
      ListSources<inShares>{values_, waiting_.view(), numCells_, items, waiting_.mostShares()});
    fetchCounts();
    numReached_ = hostCounts_[NumWaiting];
  }

  /// Moves the limit behind the first that waits; false if nobody does, or it is too late.
  bool moveOn() {
    while (length(waiting_) > 0) {
      std::int64_t numItems = 0;
      const View waiting = waiting_.ordered(length(waiting_), numItems);
      double first = 0.0;
      reduceMin(
        SPANWISE_KERNEL("first waiting"), range(numItems), FirstWaiting<lowersOnly, inShares>{values_, waiting}, first);
      if (first > options_.stopTime || first == Kokkos::Experimental::finite_max_v<double>) {
        return false;
      }
      limit_ = std::min(first + options_.window * meanCellTime_, options_.stopTime);
      clear(nextWork_);
      clear(active_);
      clear(stillWaiting_);
      sendCounts();
      forItems(SPANWISE_KERNEL("move on"), numItems,
        MoveOn<lowersOnly, inShares>{values_, waiting, active_.view(), stillWaiting_.view(), limit_});
      std::swap(waiting_, stillWaiting_);
      spread(length(stillWaiting_));
      numIdle_ = 0;
      if (length(work_) > 0) {
        return true;
      }
    }
    return false;
  }

  /// Makes the next work list, of what reads the active cells, of which there are so many at most.
  void spread(std::int64_t mostActive) {
    std::int64_t numItems = 0;
    const View active = active_.ordered(mostActive, numItems);
    forItems(SPANWISE_KERNEL("spread"), numItems,
      Spread<Stencil, lowersOnly, inShares>{stencil_, values_, active, nextWork_.view(), secondOrder_});
    std::swap(work_, nextWork_);
    fetchCounts();
  }

  void iterate() {
    const std::int64_t count = length(work_);
    waiting_.joinPortions(stillWaiting_);
    clear(nextWork_);
    clear(active_);
    hostCounts_[NumReached] = 0;
    sendCounts();
    std::int64_t numItems = 0;
    const View work = work_.ordered(count, numItems);
    forItems(SPANWISE_KERNEL("compute"), numItems,
      Compute<Stencil, Dim, lowersOnly, inShares>{stencil_, factoring_, values_, work, secondOrder_});
    forItems(SPANWISE_KERNEL("take times"), numItems,
      TakeTimes<lowersOnly, inShares>{
        values_, work, active_.view(), waiting_.view(), counts_.data() + NumReached, limit_, tolerance_});
    spread(count);
    ++report_.numIterations;
    report_.numUpdates += count;
    numReached_ += hostCounts_[NumReached];
    raiseTolerance();
  }

  /// Times that swing for ever are let alone in the end.
  void raiseTolerance() {
    numIdle_ = hostCounts_[NumReached] > 0 ? 0 : numIdle_ + 1;
    if (!lowersOnly && numIdle_ > mostIdle) {
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
  double meanCellTime_;
  typename Workspace<Memory>::template Array<std::int64_t> counts_;
  List work_;
  List nextWork_;
  List active_;
  List waiting_;
  List stillWaiting_;
  double tolerance_;
  double* given_ = nullptr;
  std::int64_t hostCounts_[numCounts] = {};
  Values values_{};
  std::int64_t numReached_ = 0;
  int numIdle_ = 0;
  double limit_ = 0.0;
  IterationReport report_;
};

} // namespace

template <class ExecutionSpace, int Dim>
IterationReport computeGridTimes(const ExecutionSpace& space, const GridOn<Dim, ExecutionSpace>& grid,
  const GridOptions& options, const GridFactoringView<Dim>& factoring,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress) {
  SPANWISE_REGION("Eikonal::computeGridTimes");
  check(options, static_cast<std::int64_t>(times.extent(0)), grid.numCells());
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  const auto runWith = [&]<class Stencil>() {
    if (options.order == 1 && factoring.sourceOfCell == nullptr) {
      return Iteration<ExecutionSpace, Dim, Stencil, true>(space, grid, options, factoring, times.data(), frame)
        .run(progress);
    }
    return Iteration<ExecutionSpace, Dim, Stencil, false>(space, grid, options, factoring, times.data(), frame)
      .run(progress);
  };
  try {
    return grid.hasDirections() ? runWith.template operator()<TensorStencil<Dim>>()
                                : runWith.template operator()<AxisStencil<Dim>>();
  } catch (const Cancelled&) {
    Kokkos::deep_copy(space, times, notReached);
    throw;
  }
}

#define SPANWISE_GRID_TIMES(Space, Dim)                                                                                \
  template IterationReport computeGridTimes<Space, Dim>(const Space&, const GridOn<Dim, Space>&, const GridOptions&,   \
    const GridFactoringView<Dim>&, const Kokkos::View<double*, Space::memory_space>&, Workspace<Space::memory_space>&, \
    const Progress&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_TIMES)

} // namespace spanwise::eikonal
