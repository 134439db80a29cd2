#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::detail {

/// The policy of flat kernels: 64-bit indices on an execution space instance.
template <class ExecutionSpace>
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

} // namespace spanwise::detail
