#pragma once

// The kernels of the iteration on grids.

#include "Core/Solvers/Eikonal/Detail/CellSet.hpp"
#include "Core/Solvers/Eikonal/Detail/FactoredCells.hpp"
#include "Core/Solvers/Eikonal/Detail/FrontUpdate.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::gridfronts {

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
  double* next;                ///< what was computed for the cell at a place of the work list
  double* lows;                ///< the least time a cell had since it last told those that read it
  const double* given;         ///< the times on input
  const std::uint8_t* isGiven; ///< 1: there is one. Few cells have, and bytes stay in the cache where numbers do not
  std::uint8_t* states;        ///< State
  // Where fronts are told apart (labelFronts()), else null:
  std::int32_t* fronts;            ///< whose time cells have
  std::int32_t* nextFronts;        ///< of what was computed
  const std::int32_t* givenFronts; ///< on input

  /// The time on input; notReached if there is none.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double givenTime(std::int32_t cell) const {
    return isGiven[cell] != 0 ? given[cell] : notReached;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION FrontTime at(std::int32_t cell) const {
    return {times[cell], fronts != nullptr ? fronts[cell] : -1};
  }
};

/// Computes the cells of the work list.
template <class Stencil, int Dim, bool lowersOnly, bool inBits>
struct Compute {
  Stencil stencil;
  GridFactoringView<Dim> factoring;
  Values values;
  CellSetView<inBits> work;
  bool secondOrder;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    if constexpr (inBits && !lowersOnly) {
      if (values.fronts == nullptr && factoring.sourceOfCell != nullptr) {
        KOKKOS_IF_ON_HOST((computeTogether(item);))
        return;
      }
    }
    work.forCells(item, [&](std::int32_t cell, std::int64_t place) {
      if (!lowersOnly && values.fronts != nullptr) {
        const FrontTime found = computeByFronts(cell);
        values.next[place] = found.time;
        values.nextFronts[place] = found.front;
      } else {
        values.next[place] = compute(cell);
      }
    });
  }

private:
  /// On the host: cells that take out a source, some at once.
  void computeTogether(std::int64_t item) const {
    const auto write = [&](std::int32_t cell, std::int64_t place, double time) {
      values.next[place] = Kokkos::min(time, values.givenTime(cell));
    };
    FactoredUpdates<Stencil, Dim, decltype(write)> together(stencil, values.times, write);
    work.forCells(item, [&](std::int32_t cell, std::int64_t place) {
      const FactoredSource<Dim>* const source = values.isGiven[cell] != 0 ? nullptr : factoring.of(cell);
      if (source != nullptr) {
        together.add(cell, place, secondOrder, *source);
      } else {
        values.next[place] = compute(cell);
      }
    });
  }

  [[nodiscard]] KOKKOS_FUNCTION FrontTime computeByFronts(std::int32_t cell) const {
    const FrontTime given{values.givenTime(cell), values.givenFronts[cell]};
    const FrontTime found = FrontUpdate<Stencil, Dim>(stencil, factoring, cell, values.times, values.fronts,
      secondOrder && !(given.time < notReached), given.time < notReached)
                              .find();
    return found.time < given.time ? found : given;
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double compute(std::int32_t cell) const {
    if constexpr (lowersOnly) {
      return updateFromReads(stencil, readNeighbours(stencil, cell, values.times, false), values.times);
    } else {
      const double given = values.givenTime(cell);
      const bool isSource = given < notReached;
      // What overtakes a source must do so in first order, which is not ahead of the front.
      const double time = updateFromNeighbours(
        stencil, cell, values.times, secondOrder && !isSource, isSource ? nullptr : factoring.of(cell));
      return Kokkos::min(time, given);
    }
  }
};

/// Gives cells new times: they are active now, or wait for the front.
template <bool lowersOnly, bool inBits>
class Taker {
public:
  KOKKOS_FUNCTION Taker(const Values& values, const CellSetView<inBits>& active, const CellSetView<inBits>& waiting,
    double limit, bool alone)
    : values_(values), toActive_(active, alone), toWaiting_(waiting, alone), limit_(limit) {}

  KOKKOS_FORCEINLINE_FUNCTION void take(std::int32_t cell, const FrontTime& taken) {
    const double old = values_.times[cell];
    const double time = taken.time;
    values_.times[cell] = time;
    if (!lowersOnly && values_.fronts != nullptr) {
      values_.fronts[cell] = taken.front;
    }
    double low = time;
    if constexpr (!lowersOnly) {
      low = Kokkos::min(values_.lows[cell], Kokkos::min(old, time));
      values_.lows[cell] = low;
    }
    if (low <= limit_) {
      if (values_.states[cell] == Waits) {
        values_.states[cell] = WaitsNoMore; // its place in the list is dropped when the front moves on
      }
      toActive_.add(cell);
    } else {
      if (values_.states[cell] == NotListed) {
        toWaiting_.add(cell);
      }
      values_.states[cell] = Waits;
    }
  }

private:
  const Values& values_;
  CellAdder<inBits> toActive_;
  CellAdder<inBits> toWaiting_;
  double limit_;
};

/// Makes what was computed valid where it has changed, and tells other ranks.
template <class BorderView, bool lowersOnly, bool inBits>
struct TakeTimes {
  BorderView border;
  Values values;
  CellSetView<inBits> work;
  CellSetView<inBits> active;
  CellSetView<inBits> waiting;
  std::int64_t* numReached;
  double limit;
  double tolerance;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    Taker<lowersOnly, inBits> taker(values, active, waiting, limit, true);
    std::int64_t reached = 0;
    work.takeCells(item, [&](std::int32_t cell, std::int64_t place) {
      const double old = values.times[cell];
      const double time = values.next[place];
      const double change = lowersOnly ? old - time : Kokkos::abs(old - time); // NaN: neither is reached
      const bool isTold = !lowersOnly && values.fronts != nullptr;
      const FrontTime taken{time, isTold ? values.nextFronts[place] : -1};
      const bool isOther = isTold && taken.front != values.fronts[cell];
      if (!(time < notReached) || !(isOther || change > tolerance * Kokkos::abs(time))) {
        return;
      }
      reached += old < notReached ? 0 : 1;
      taker.take(cell, taken);
      border.tell(cell, taken);
    });
    if (reached > 0) {
      Kokkos::atomic_add(numReached, reached);
    }
  }
};

/// Takes times that have come from other ranks. On the host so many at once.
template <bool lowersOnly, bool inBits>
struct TakeArrived {
  static constexpr std::int64_t perItem = inBits ? 1024 : 1;
  Values values;
  CellSetView<inBits> active;
  CellSetView<inBits> waiting;
  double limit;
  std::int32_t firstCell;
  const std::int32_t* places;
  const FrontTime* times;
  std::int64_t count;
  std::int64_t numItems;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    Taker<lowersOnly, inBits> taker(values, active, waiting, limit, numItems == 1);
    const std::int64_t end = Kokkos::min((item + 1) * perItem, count);
    for (std::int64_t i = item * perItem; i < end; ++i) {
      taker.take(firstCell + places[i], times[i]);
    }
  }
};

/// Queues what reads the active cells and may change with them: of the cells that are computed here.
template <class Stencil, class BorderView, bool lowersOnly, bool inBits>
struct Spread {
  Stencil stencil;
  BorderView border;
  Values values;
  CellSetView<inBits> active;
  CellSetView<inBits> work;
  bool secondOrder;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    CellAdder<inBits> toWork(work, active.numItems == 1);
    active.takeCells(item, [&](std::int32_t cell, std::int64_t /*place*/) {
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
        if (time > low && (distance == 1 || time < notReached) && border.owns(dependent)) {
          toWork.add(dependent);
        }
      });
    });
  }
};

/// The first time of those that wait.
template <bool lowersOnly, bool inBits>
struct FirstWaiting {
  Values values;
  CellSetView<inBits> waiting;

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
template <bool lowersOnly, bool inBits>
struct MoveOn {
  Values values;
  CellSetView<inBits> waiting;
  CellSetView<inBits> active;
  CellSetView<inBits> stillWaiting;
  double limit;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    CellAdder<inBits> toActive(active, true);
    CellAdder<inBits> toStill(stillWaiting, true);
    waiting.takeCells(item, [&](std::int32_t cell, std::int64_t /*place*/) {
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

/// Sets up all values from the times on input, tells other ranks of own cells that have one, and finds the first own
/// one that is not valid.
template <class BorderView>
struct Start {
  BorderView border;
  Values values;
  double* given; ///< nullptr: not kept
  std::uint8_t* isGiven;

  KOKKOS_FUNCTION void operator()(std::int64_t item, std::int64_t& firstWrong) const {
    const auto cell = static_cast<std::int32_t>(item);
    if (!border.owns(cell)) {
      values.times[cell] = notReached;
    } else if (!(values.times[cell] > -notReached)) {
      firstWrong = Kokkos::min(firstWrong, item);
    }
    const double time = values.times[cell];
    values.states[cell] = NotListed;
    if (given != nullptr) {
      given[cell] = time;
      isGiven[cell] = static_cast<std::uint8_t>(time < notReached);
      values.lows[cell] = time;
    }
    if (values.fronts != nullptr) {
      values.fronts[cell] = values.givenFronts[cell];
    }
    if (time < notReached) {
      border.tell(cell, values.at(cell));
    }
  }
};

/// Takes the times on input that have come from other ranks.
struct TakeStarts {
  Values values;
  std::int32_t firstCell;
  const std::int32_t* places;
  const FrontTime* times;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t cell = firstCell + places[i];
    values.times[cell] = times[i].time;
    if (values.lows != nullptr) {
      values.lows[cell] = times[i].time;
    }
  }
};

/// Lets all sources wait. On the host by so many cells at once.
template <bool inBits>
struct ListSources {
  static constexpr std::int64_t perItem = inBits ? 4096 : 1; // whole words of bits
  Values values;
  CellSetView<inBits> waiting;
  std::int64_t numCells;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    CellAdder<inBits> toWaiting(waiting, true);
    const std::int64_t end = Kokkos::min((item + 1) * perItem, numCells);
    for (std::int64_t cell = item * perItem; cell < end; ++cell) {
      if (values.times[cell] < notReached) {
        values.states[cell] = Waits;
        toWaiting.add(static_cast<std::int32_t>(cell));
      }
    }
  }
};

} // namespace spanwise::eikonal::gridfronts
