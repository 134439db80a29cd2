#include "Core/Solvers/Eikonal/GridTimes.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"

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

enum Count { NumWork, NumActive, NumWaiting, NumReached, numCounts };

/// What the kernels of an iteration share.
struct Lists {
  double* times;
  double* next;         ///< [places in `work`] what was computed for a cell
  double* lows;         ///< [numCells] the least time a cell had since it last told those that read it
  const double* given;  ///< [numCells] the times on input
  std::int32_t* work;   ///< cells to be computed
  std::int32_t* active; ///< cells that tell those that read them
  std::int32_t* waiting;
  std::int32_t* stillWaiting;
  std::int32_t* queued; ///< [numCells] 1: in `work`
  std::uint8_t* states; ///< [numCells] by State
  std::int64_t* counts; ///< by Count
};

/// So many places of a list an item of work goes through on the host: lists are appended to by so many at once.
template <class ExecutionSpace>
inline constexpr int placesPerItem = runsOnHost<ExecutionSpace> ? 64 : 1;

/// Appends to a list that is long enough, by portions.
template <int capacity>
class Appender {
public:
  KOKKOS_FUNCTION Appender(std::int32_t* list, std::int64_t& length) : list_(list), length_(length) {}
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;
  KOKKOS_FUNCTION ~Appender() { flush(); }

  KOKKOS_FORCEINLINE_FUNCTION void add(std::int32_t cell) {
    if constexpr (capacity == 1) {
      list_[Kokkos::atomic_fetch_add(&length_, std::int64_t{1})] = cell;
    } else {
      if (count_ == capacity) {
        flush();
      }
      portion_[count_++] = cell;
    }
  }

private:
  KOKKOS_FUNCTION void flush() {
    if (count_ > 0) {
      std::int32_t* const to = list_ + Kokkos::atomic_fetch_add(&length_, static_cast<std::int64_t>(count_));
      for (int k = 0; k < count_; ++k) {
        to[k] = portion_[k];
      }
      count_ = 0;
    }
  }

  std::int32_t* list_;
  std::int64_t& length_;
  int count_ = 0;
  std::int32_t portion_[capacity];
};

/// Computes the cells of the work list.
template <class Stencil, int Dim, bool lowersOnly>
struct Compute {
  Stencil stencil;
  FactoringView<Dim> factoring;
  Lists lists;
  bool secondOrder;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int32_t cell = lists.work[place];
    double given = notReached;
    if constexpr (!lowersOnly) {
      given = lists.given[cell];
    }
    // What overtakes a source must do so in first order, which is not ahead of the front.
    double time = updateFromNeighbours(stencil, cell, lists.times, secondOrder && !(given < notReached));
    if constexpr (!lowersOnly) {
      if (given < notReached) {
        time = Kokkos::min(time, given);
      } else if (factoring.sourceOfCell != nullptr && factoring.sourceOfCell[cell] >= 0) {
        time = updateFactored<Stencil, Dim>(
          stencil, cell, lists.times, secondOrder, factoring.sources[factoring.sourceOfCell[cell]], time);
      }
    }
    lists.next[place] = time;
  }
};

/// Makes what was computed valid where it has changed: those cells are active now, or wait for the front.
template <int perItem, bool lowersOnly>
struct TakeTimes {
  Lists lists;
  std::int64_t numWork;
  double limit;
  double tolerance;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    Appender<perItem> active(lists.active, lists.counts[NumActive]);
    Appender<perItem> waiting(lists.waiting, lists.counts[NumWaiting]);
    const std::int64_t end = Kokkos::min((item + 1) * perItem, numWork);
    std::int64_t reached = 0;
    for (std::int64_t place = item * perItem; place < end; ++place) {
      const std::int32_t cell = lists.work[place];
      lists.queued[cell] = 0;
      const double old = lists.times[cell];
      const double time = lists.next[place];
      const bool changed = lowersOnly
        ? time < old && !(old - time <= tolerance * Kokkos::abs(time))
        : time < notReached && !(Kokkos::abs(old - time) <= tolerance * Kokkos::abs(time));
      if (!changed) {
        continue;
      }
      reached += old < notReached ? 0 : 1;
      lists.times[cell] = time;
      double low = time;
      if constexpr (!lowersOnly) {
        low = Kokkos::min(lists.lows[cell], Kokkos::min(old, time));
        lists.lows[cell] = low;
      }
      if (low <= limit) {
        if (lists.states[cell] == Waits) {
          lists.states[cell] = WaitsNoMore; // its place in the list is dropped when the front moves on
        }
        active.add(cell);
      } else {
        if (lists.states[cell] == NotListed) {
          waiting.add(cell);
        }
        lists.states[cell] = Waits;
      }
    }
    if (reached > 0) {
      Kokkos::atomic_add(&lists.counts[NumReached], reached);
    }
  }
};

/// Queues what reads the active cells and may change with them.
template <class Stencil, int perItem, bool lowersOnly>
struct Spread {
  Stencil stencil;
  Lists lists;
  bool secondOrder;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t numActive = lists.counts[NumActive];
    Appender<perItem> work(lists.work, lists.counts[NumWork]);
    const std::int64_t end = Kokkos::min((item + 1) * perItem, numActive);
    for (std::int64_t place = item * perItem; place < end; ++place) {
      const std::int32_t cell = lists.active[place];
      double low;
      if constexpr (lowersOnly) {
        low = lists.times[cell];
      } else {
        low = lists.lows[cell];
        lists.lows[cell] = notReached;
      }
      stencil.forDependents(cell, secondOrder, [&](std::int32_t dependent, int distance) {
        // Times before it do not depend on it; what no front has reached does not over two cells.
        const double time = lists.times[dependent];
        if (time > low && (distance == 1 || time < notReached) && lists.queued[dependent] == 0 &&
          Kokkos::atomic_exchange(&lists.queued[dependent], 1) == 0) {
          work.add(dependent);
        }
      });
    }
  }
};

/// The first time of those that wait.
template <bool lowersOnly>
struct FirstWaiting {
  Lists lists;

  KOKKOS_FUNCTION void operator()(std::int64_t place, double& least) const {
    const std::int32_t cell = lists.waiting[place];
    if (lists.states[cell] == Waits) {
      least = Kokkos::min(least, lowsOf(cell));
    }
  }
  [[nodiscard]] KOKKOS_FUNCTION double lowsOf(std::int32_t cell) const {
    return lowersOnly ? lists.times[cell] : lists.lows[cell];
  }
};

/// Lets those go on that the limit has reached.
template <int perItem, bool lowersOnly>
struct MoveOn {
  Lists lists;
  std::int64_t numWaiting;
  double limit;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    Appender<perItem> active(lists.active, lists.counts[NumActive]);
    Appender<perItem> still(lists.stillWaiting, lists.counts[NumWaiting]);
    const std::int64_t end = Kokkos::min((item + 1) * perItem, numWaiting);
    for (std::int64_t place = item * perItem; place < end; ++place) {
      const std::int32_t cell = lists.waiting[place];
      const bool waits = lists.states[cell] == Waits;
      if (waits && (lowersOnly ? lists.times[cell] : lists.lows[cell]) > limit) {
        still.add(cell);
        continue;
      }
      lists.states[cell] = NotListed;
      if (waits) {
        active.add(cell);
      }
    }
  }
};

/// Sets up all lists from the times on input, and finds the first that is not valid.
struct Start {
  Lists lists;
  double* given; ///< nullptr: not kept

  KOKKOS_FUNCTION void operator()(std::int64_t cell, std::int64_t& firstWrong) const {
    const double time = lists.times[cell];
    lists.queued[cell] = 0;
    lists.states[cell] = NotListed;
    if (given != nullptr) {
      given[cell] = time;
      lists.lows[cell] = time;
    }
    if (!(time > -notReached)) {
      firstWrong = Kokkos::min(firstWrong, cell);
    } else if (time < notReached) {
      lists.states[cell] = Waits;
      lists.waiting[Kokkos::atomic_fetch_add(&lists.counts[NumWaiting], std::int64_t{1})] =
        static_cast<std::int32_t>(cell);
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
  if (!(iteration.tolerance >= 0.0 && iteration.tolerance < 1.0)) {
    throw InvalidArgument(
      "the tolerance is " + std::to_string(iteration.tolerance) + ": it must be at least 0 and below 1");
  }
  if (!(iteration.window >= 0.0)) {
    throw InvalidArgument("the window is " + std::to_string(iteration.window) + ": it must not be negative");
  }
  if (iteration.maxIterations < 0) {
    throw InvalidArgument("at most " + std::to_string(iteration.maxIterations) +
      " iterations are asked for: the number must not be negative");
  }
}

/// The lists and counts of one call. `lowersOnly`: first order without factoring, where times only fall.
template <class ExecutionSpace, int Dim, class Stencil, bool lowersOnly>
class Iteration {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;

  Iteration(const ExecutionSpace& space, const GridOn<Dim, ExecutionSpace>& grid, const GridOptions& options,
    const FactoringView<Dim>& factoring, double* times, Frame& frame)
    : space_(space), stencil_(grid.view()), factoring_(factoring), options_(options.iteration),
      secondOrder_(options.order == 2), numCells_(grid.numCells()), meanCellTime_(grid.meanCellTime()),
      counts_(frame.template array<std::int64_t>(numCounts)), tolerance_(options.iteration.tolerance) {
    const auto list = [&] { return frame.template array<std::int32_t>(numCells_).data(); };
    const auto values = [&](bool needed) { return needed ? frame.template array<double>(numCells_).data() : nullptr; };
    given_ = values(!lowersOnly);
    lists_ = {times, values(true), values(!lowersOnly), given_, list(), list(), list(), list(), list(),
      frame.template array<std::uint8_t>(numCells_).data(), counts_.data()};
  }

  IterationReport run(const Progress& progress) {
    start();
    while (numWork_ > 0 || moveOn()) {
      if (report_.numIterations == options_.maxIterations) {
        report_.converged = false;
        break;
      }
      iterate();
      progress.report(std::min(1.0, static_cast<double>(numReached_) / static_cast<double>(numCells_)));
    }
    reduce(SPANWISE_KERNEL("drop late times"), range(numCells_), DropLate{lists_.times, options_.stopTime},
      report_.numReached);
    return report_;
  }

private:
  static constexpr int perItem = placesPerItem<ExecutionSpace>;
  /// So many iterations in which the front neither moves on nor reaches a cell are too many.
  static constexpr int mostIdle = 2000;

  [[nodiscard]] Range<ExecutionSpace> range(std::int64_t end) const { return Range<ExecutionSpace>(space_, 0, end); }

  /// A kernel over so many places of a list.
  template <class Functor>
  void forPlaces(const char* label, std::int64_t numPlaces, const Functor& functor) const {
    const std::int64_t items = (numPlaces + perItem - 1) / perItem;
    if constexpr (runsOnHost<ExecutionSpace>) {
      if (numPlaces <= detail::fewItems) {
        for (std::int64_t item = 0; item < items; ++item) {
          functor(item);
        }
        return;
      }
    }
    Kokkos::parallel_for(label, range(items), functor);
  }

  void fetchCounts() {
    const Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      hostCounts_, numCounts);
    Kokkos::deep_copy(space_, host, counts_);
    space_.fence(SPANWISE_LABEL("Eikonal::counts"));
    numWork_ = hostCounts_[NumWork];
    numWaiting_ = hostCounts_[NumWaiting];
    report_.numActivations += hostCounts_[NumActive];
  }

  void setCounts(std::int64_t waiting) {
    hostCounts_[NumWork] = 0;
    hostCounts_[NumActive] = 0;
    hostCounts_[NumWaiting] = waiting;
    const Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      hostCounts_, numCounts);
    Kokkos::deep_copy(space_, counts_, host);
  }

  void start() {
    setCounts(0);
    std::int64_t firstWrong = 0;
    reduceMin(SPANWISE_KERNEL("start"), range(numCells_), Start{lists_, given_}, firstWrong);
    if (firstWrong < numCells_) {
      throw InvalidArgument("the time of cell " + std::to_string(firstWrong) +
        " is not valid: times of sources are finite numbers, all others are infinite");
    }
    fetchCounts();
    numReached_ = numWaiting_;
  }

  /// Moves the limit behind the first that waits; false if nobody does, or it is too late.
  bool moveOn() {
    while (numWaiting_ > 0) {
      double first = 0.0;
      reduceMin(SPANWISE_KERNEL("first waiting"), range(numWaiting_), FirstWaiting<lowersOnly>{lists_}, first);
      if (first > options_.stopTime || first == Kokkos::Experimental::finite_max_v<double>) {
        return false;
      }
      limit_ = std::min(first + options_.window * meanCellTime_, options_.stopTime);
      const std::int64_t count = numWaiting_;
      setCounts(0);
      forPlaces(SPANWISE_KERNEL("move on"), count, MoveOn<perItem, lowersOnly>{lists_, count, limit_});
      std::swap(lists_.waiting, lists_.stillWaiting);
      spread(count);
      fetchCounts();
      numIdle_ = 0;
      if (numWork_ > 0) {
        return true;
      }
    }
    return false;
  }

  void spread(std::int64_t most) {
    forPlaces(SPANWISE_KERNEL("spread"), most, Spread<Stencil, perItem, lowersOnly>{stencil_, lists_, secondOrder_});
  }

  void iterate() {
    const std::int64_t count = numWork_;
    setCounts(numWaiting_);
    const Compute<Stencil, Dim, lowersOnly> compute{stencil_, factoring_, lists_, secondOrder_};
    if constexpr (runsOnHost<ExecutionSpace>) {
      if (count <= detail::fewItems) {
        for (std::int64_t place = 0; place < count; ++place) {
          compute(place);
        }
      } else {
        Kokkos::parallel_for(SPANWISE_KERNEL("compute"), range(count), compute);
      }
    } else {
      Kokkos::parallel_for(SPANWISE_KERNEL("compute"), range(count), compute);
    }
    forPlaces(SPANWISE_KERNEL("take times"), count, TakeTimes<perItem, lowersOnly>{lists_, count, limit_, tolerance_});
    spread(count);
    fetchCounts();
    ++report_.numIterations;
    report_.numUpdates += count;
    raiseTolerance();
    numReached_ += hostCounts_[NumReached];
    hostCounts_[NumReached] = 0;
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
  FactoringView<Dim> factoring_;
  const IterationOptions& options_;
  bool secondOrder_;
  std::int64_t numCells_;
  double meanCellTime_;
  typename Workspace<Memory>::template Array<std::int64_t> counts_;
  double tolerance_;
  double* given_ = nullptr;
  std::int64_t hostCounts_[numCounts] = {};
  Lists lists_{};
  std::int64_t numWork_ = 0;
  std::int64_t numWaiting_ = 0;
  std::int64_t numReached_ = 0;
  int numIdle_ = 0;
  double limit_ = 0.0;
  IterationReport report_;
};

} // namespace

template <class ExecutionSpace, int Dim>
IterationReport computeGridTimes(const ExecutionSpace& space, const GridOn<Dim, ExecutionSpace>& grid,
  const GridOptions& options, const FactoringView<Dim>& factoring,
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
    const FactoringView<Dim>&, const Kokkos::View<double*, Space::memory_space>&, Workspace<Space::memory_space>&,     \
    const Progress&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_TIMES)

} // namespace spanwise::eikonal
