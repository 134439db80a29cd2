#pragma once

#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::detail {

/// The policy of flat kernels: 64-bit indices on an execution space instance.
template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// Kokkos::parallel_for over a range of small items. Few are done by the calling thread.
template <class ExecutionSpace, class Functor>
void forEach(const char* label, const Range<ExecutionSpace>& range, const Functor& functor) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    if (range.end() - range.begin() <= fewItems) {
      for (std::int64_t i = range.begin(); i < range.end(); ++i) {
        functor(i);
      }
      return;
    }
  }
  Kokkos::parallel_for(label, range, functor);
}

} // namespace spanwise::detail
