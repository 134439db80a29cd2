#pragma once

// The kernels of the fast iterative method.

#include "Core/Runtime/AtomicMinimum.hpp"
#include "Core/Runtime/Prefetch.hpp"
#include "Core/Runtime/SpreadCount.hpp"
#include "Core/Solvers/Eikonal/CornerUpdate.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace spanwise::eikonal::fronts {

/// Lengths of lists, and what the report says. Two lists each are in use in turn, so that an iteration can set the
/// length of the next one's to 0: the host need not come between them.
enum Count { NumTouched, NumActive = NumTouched + 2, NumWaiting = NumActive + 2, NumActivations, NumIdle, numCounts };
/// Counts lie in cache lines of their own: some threads read one while others add to the next.
inline constexpr int countsApart = 8;

/// Appends a vertex to a list that is long enough.
KOKKOS_FORCEINLINE_FUNCTION void append(std::int32_t* list, std::int64_t& length, std::int32_t vertex) {
  list[Kokkos::atomic_fetch_add(&length, std::int64_t{1})] = vertex;
}

/// The lists of an iteration and what they are counted by, in the memory of the execution space.
struct Fronts {
  double* times;          ///< before the iteration
  double* next;           ///< after it
  std::int32_t* activeIn; ///< the last iteration that a vertex is active in
  std::int32_t* touched;  ///< 1: its time has fallen in this iteration
  std::int32_t* waiting;  ///< 1: it waits for the front
  std::int32_t* touchedList;
  std::int64_t* counts; ///< by Count
  std::int32_t iteration;

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t& count(int which) const { return counts[countsApart * which]; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t& numTouched() const {
    return count(NumTouched + iteration % 2);
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t& numTouchedNext() const {
    return count(NumTouched + (iteration + 1) % 2);
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t& numActive() const { return count(NumActive + iteration % 2); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t& numActiveNext() const {
    return count(NumActive + (iteration + 1) % 2);
  }

  /// Lowers the time that a vertex will have.
  KOKKOS_FORCEINLINE_FUNCTION void lower(std::int32_t vertex, double time) const {
    if (time < atomicFetchMin(&next[vertex], time) && Kokkos::atomic_exchange(&touched[vertex], 1) == 0) {
      append(touchedList, numTouched(), vertex);
    }
  }
};

/// Active vertices tell the simplices around them, which update their other vertices. On the host an item of work is a
/// vertex, on a device a corner of a slot of its ball: slots beside each other have the same corner, so that threads
/// beside each other do the same. Where there are more items than threads, each thread goes on.
template <int numCorners, int itemsPerVertex, bool factored>
struct UpdateNeighbours {
  SimplexMeshView<numCorners> mesh;
  FactoringView factoring;
  Fronts fronts;
  const std::int32_t* active;
  SpreadCount numUpdates;
  std::int64_t numThreads;
  double tolerance;

  KOKKOS_FUNCTION void operator()(std::int64_t thread) const {
    const std::int64_t numActive = fronts.numActive();
    if (thread == 0) {
      fronts.numActiveNext() = 0;
      fronts.count(NumActivations) += numActive;
      fronts.count(NumIdle) += numActive == 0 ? 1 : 0;
    }
    for (std::int64_t item = thread; item < numActive * itemsPerVertex; item += numThreads) {
      tell(item, numActive);
    }
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void tell(std::int64_t item, std::int64_t numActive) const {
    const std::int64_t v = active[item / itemsPerVertex];
    const int degree = mesh.ball.degrees[v];
    std::int64_t updates = 0;
    if constexpr (itemsPerVertex == 1) {
      KOKKOS_IF_ON_HOST((prefetchFor(item, numActive);))
      for (int k = 0; k < degree; ++k) {
        updates += update(mesh.ball(v, k));
      }
    } else {
      constexpr int numSlots = itemsPerVertex / numCorners;
      const auto corner = static_cast<int>(item % itemsPerVertex) / numSlots;
      for (int k = static_cast<int>(item % numSlots); k < degree; k += numSlots) {
        updates += update(mesh.ball(v, k), corner);
      }
    }
    if (updates > 0) {
      numUpdates.add(item / itemsPerVertex, updates);
    }
  }

  /// Asks for what vertices need that come soon: where that lies no processor could foresee.
  void prefetchFor(std::int64_t item, std::int64_t numActive) const {
    const BallView& ball = mesh.ball;
    if (item + ballAhead < numActive) {
      const std::int64_t v = active[item + ballAhead];
      spanwise::detail::prefetch(ball.degrees + v, 1);
      spanwise::detail::prefetch(ball.base + v * ball.width, ball.width);
    }
    if (item + simplicesAhead < numActive) {
      const std::int64_t v = active[item + simplicesAhead];
      const int degree = ball.degrees[v];
      for (int k = 0; k < degree; ++k) {
        spanwise::detail::prefetch(mesh.simplices + BallView::element(ball(v, k)), 1);
      }
    }
  }

  // Vertices: by then memory has answered, and the caches still hold it.
  static constexpr std::int64_t ballAhead = 4;
  static constexpr std::int64_t simplicesAhead = 2;

  /// A simplex as an iteration finds it.
  struct State {
    const Simplex<numCorners>& simplex;
    double times[numCorners];
    unsigned active; // bit k: corner k is active
  };

  /// Nothing where no simplex is factored.
  struct NotFactored {
    KOKKOS_FORCEINLINE_FUNCTION NotFactored(
      const FactoringView& /*factoring*/, std::int64_t /*simplex*/, const std::int32_t* /*vertices*/) {}
  };
  using Factored = std::conditional_t<factored, FactoredCorners<numCorners>, NotFactored>;

  static constexpr int allCorners = -1;

  /// Updates a corner, or all of them.
  KOKKOS_FUNCTION int update(BallEntry entry, int only = allCorners) const {
    const std::int64_t s = BallView::element(entry);
    State state{mesh[s], {}, 0};
    for (int k = 0; k < numCorners; ++k) {
      const std::int32_t v = state.simplex.vertices[k];
      state.times[k] = fronts.times[v];
      state.active |= (fronts.activeIn[v] == fronts.iteration ? 1U : 0U) << k;
    }
    const int told = BallView::local(entry);
    const Factored corners(factoring, s, state.simplex.vertices);
    const auto wants = [only](int corner) { return only == allCorners || only == corner; };
    int updates = wants(0) ? updateOne<0>(state, corners, told) : 0;
    updates += wants(1) ? updateOne<1>(state, corners, told) : 0;
    updates += wants(2) ? updateOne<2>(state, corners, told) : 0;
    if constexpr (numCorners == 4) {
      updates += wants(3) ? updateOne<3>(state, corners, told) : 0;
    }
    return updates;
  }

  /// Updates one corner; 1 if the local problem was solved. Several corners may be active: the first of them, other
  /// than the one that is updated, does it.
  template <int corner>
  KOKKOS_FORCEINLINE_FUNCTION int updateOne(const State& state, const Factored& corners, int told) const {
    const unsigned others = state.active & ~(1U << corner);
    if (told == corner || (others & ((1U << told) - 1U)) != 0) {
      return 0;
    }
    const double* u = state.times;
    const double old = u[corner];
    double time;
    if constexpr (factored) {
      if (!(corners.earliest(corner, u) < old)) {
        return 0;
      }
      const StraightTimesAround<corner, numCorners> around(corners, u, state.simplex.products);
      if (!(around.least < old)) {
        return 0; // nothing comes before it
      }
      time = around.arrival(state.simplex.products).time;
    } else {
      double least = Kokkos::min(u[(corner + 1) % numCorners], u[(corner + 2) % numCorners]);
      if constexpr (numCorners == 4) {
        least = Kokkos::min(least, u[(corner + 3) % numCorners]);
      }
      if (!(least < old)) {
        return 0; // nothing comes before it
      }
      time = updateCorner<corner, numCorners>(u, state.simplex.products).time;
    }
    if (time < old && !(old - time <= tolerance * Kokkos::abs(time))) {
      fronts.lower(state.simplex.vertices[corner], time);
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
  std::int64_t numThreads;
  double limit;

  KOKKOS_FUNCTION void operator()(std::int64_t thread) const {
    if (thread == 0) {
      fronts.numTouchedNext() = 0;
    }
    const std::int64_t numTouched = fronts.numTouched();
    for (std::int64_t i = thread; i < numTouched; i += numThreads) {
      take(fronts.touchedList[i]);
    }
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void take(std::int32_t v) const {
    fronts.touched[v] = 0;
    fronts.times[v] = fronts.next[v];
    if (fronts.times[v] <= limit) {
      fronts.waiting[v] = 0; // its place in the list is dropped when the front moves on
      fronts.activeIn[v] = fronts.iteration + 1;
      append(active, fronts.numActiveNext(), v);
    } else if (fronts.waiting[v] == 0) {
      fronts.waiting[v] = 1;
      append(waitingList, fronts.count(NumWaiting), v);
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
  double limit;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t v = waitingList[i];
    if (fronts.waiting[v] == 0) {
      return;
    }
    if (fronts.times[v] <= limit) {
      fronts.waiting[v] = 0;
      fronts.activeIn[v] = fronts.iteration;
      append(active, fronts.numActive(), v);
    } else {
      append(stillWaiting, fronts.count(NumWaiting), v);
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
      append(waitingList, fronts.count(NumWaiting), static_cast<std::int32_t>(v));
    }
  }
};

} // namespace spanwise::eikonal::fronts
