#pragma once

// Loads and stores that other threads' writes cannot tear, in no order with other memory. Kokkos before 5 makes each a
// loop of compare-exchanges: threads that look at one word then wait for each other, as for the root of a large tree.

#include <Kokkos_Core.hpp>

#include <atomic>

namespace spanwise {

/// The value at `from`, while other threads may write it. O(1).
template <class Word>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Word atomicLoad(const Word* from) {
  static_assert(sizeof(Word) <= 8);
  KOKKOS_IF_ON_DEVICE((return *static_cast<const volatile Word*>(from);))
  KOKKOS_IF_ON_HOST((return std::atomic_ref<Word>(*const_cast<Word*>(from)).load(std::memory_order_relaxed);))
}

/// Writes `value` to `to`, while other threads may read or write it. O(1).
template <class Word>
KOKKOS_FORCEINLINE_FUNCTION void atomicStore(Word* to, Word value) {
  static_assert(sizeof(Word) <= 8);
  KOKKOS_IF_ON_DEVICE((*static_cast<volatile Word*>(to) = value;))
  KOKKOS_IF_ON_HOST((std::atomic_ref<Word>(*to).store(value, std::memory_order_relaxed);))
}

} // namespace spanwise
