#pragma once

#include "Core/Runtime/AtomicAccess.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

namespace detail {

/// A thread's share of the items, and then what is left of the others'.
template <class Body>
struct DoShares {
  Body body;
  std::int64_t numItems;
  std::int64_t numShares;
  std::int64_t* next; ///< [8 numShares]: how many items of a share are taken, each in a line of the cache of its own

  KOKKOS_FUNCTION void operator()(std::int64_t mine) const {
    for (std::int64_t k = 0; k < numShares; ++k) {
      const std::int64_t share = (mine + k) % numShares;
      const std::int64_t first = share * numItems / numShares;
      const std::int64_t last = (share + 1) * numItems / numShares;
      std::int64_t* const taken = next + 8 * share;
      while (atomicLoad(taken) < last - first) {
        const std::int64_t item = first + Kokkos::atomic_fetch_add(taken, std::int64_t{1});
        if (item >= last) {
          break;
        }
        body(item);
      }
    }
  }
};

} // namespace detail

/// body(k) for k in [0, numItems) on the host, where items of one call have the memory of the same items of the calls
/// before: each thread does its share of them, the same every time, which it then has in its cache, and helps others
/// when it is done. Waits. `next` [8 threads] is scratch memory. Grid times with two threads that spin take 0.6 to 0.7
/// of the time that they take where items go to whoever asks (76^3 cells, Xeon).
template <class ExecutionSpace, class Body>
void forEachInShares(
  const ExecutionSpace& space, const char* label, std::int64_t numItems, std::int64_t* next, const Body& body) {
  static_assert(runsOnHost<ExecutionSpace>);
  const std::int64_t numShares = space.concurrency();
  for (std::int64_t k = 0; k < numShares; ++k) {
    next[8 * k] = 0;
  }
  Kokkos::parallel_for(
    label, IndexRange<ExecutionSpace>(space, 0, numShares), detail::DoShares<Body>{body, numItems, numShares, next});
  space.fence(label);
}

} // namespace spanwise
