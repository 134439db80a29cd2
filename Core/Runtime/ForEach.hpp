#pragma once

#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// The policy of flat kernels: 64-bit indices on an execution space instance.
template <class ExecutionSpace>
using IndexRange = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// The same where some parts of the range take longer than others: threads take what comes next.
template <class ExecutionSpace>
using UnevenRange =
  Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;

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
