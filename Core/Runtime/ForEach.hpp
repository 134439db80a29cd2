#pragma once

#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise {

/// The policy of flat kernels: 64-bit indices on an execution space instance.
template <class ExecutionSpace>
using IndexRange = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// The same where some parts of the range take longer than others: threads take what comes next.
template <class ExecutionSpace>
using UnevenRange =
  Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;

/// On the host: how many of `count` small items make one piece of work, from `least` to `most`. Threads get as many
/// pieces each, about four: with one more for some of them the others would wait at the end. O(1).
template <class ExecutionSpace>
std::int64_t itemsPerPiece(const ExecutionSpace& space, std::int64_t count, std::int64_t least, std::int64_t most) {
  const auto divideUp = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const std::int64_t perThread = divideUp(count, space.concurrency());
  const std::int64_t numPieces = std::max(std::int64_t{4}, divideUp(perThread, most));
  return std::max(least, divideUp(perThread, numPieces));
}

/// Kokkos::parallel_for over a range. Little work is done by the calling thread.
template <class Policy, class Functor>
void forEach(const char* label, const Policy& range, const Functor& functor, const Work& work) {
  if constexpr (runsOnHost<typename Policy::execution_space>) {
    if (detail::doneAlone(range, work)) {
      for (std::int64_t i = range.begin(); i < range.end(); ++i) {
        functor(i);
      }
      return;
    }
  }
  Kokkos::parallel_for(label, range, functor);
}

/// The same where each item is a small one.
template <class Policy, class Functor>
void forEach(const char* label, const Policy& range, const Functor& functor) {
  forEach(label, range, functor, detail::workOf(range));
}

} // namespace spanwise
