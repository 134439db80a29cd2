#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace spanwise {

namespace detail {

template <class T, class Index>
struct PermuteValues {
  const Index* order;
  const T* from;
  T* to;
  int numComponents;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t old = order[k];
    for (int c = 0; c < numComponents; ++c) {
      to[k * numComponents + c] = from[old * numComponents + c];
    }
  }
};

} // namespace detail

/// to = the values of vertices or elements in another order: what belonged to order[k] belongs to k. Each has
/// `numComponents` values, one after the other. Does not wait. Numbers in `order` must be valid (invertOrder() looks).
/// Throws InvalidArgument where lengths do not agree.
template <class ExecutionSpace, MeshIndex Index, class T>
void permute(const ExecutionSpace& space,
  const Kokkos::View<const Index*, typename ExecutionSpace::memory_space>& order,
  const Kokkos::View<const T*, typename ExecutionSpace::memory_space>& from,
  const Kokkos::View<T*, typename ExecutionSpace::memory_space>& to, int numComponents = 1) {
  const auto count = static_cast<std::int64_t>(order.extent(0));
  if (numComponents < 1 || from.extent(0) != to.extent(0) ||
    static_cast<std::int64_t>(from.extent(0)) != count * numComponents) {
    throw InvalidArgument("an order of " + std::to_string(count) + " was given for " + std::to_string(from.extent(0)) +
      " values, to be written to " + std::to_string(to.extent(0)) + ": there must be " + std::to_string(numComponents) +
      " each");
  }
  forEach(SPANWISE_KERNEL("permute"), IndexRange<ExecutionSpace>(space, 0, count),
    detail::PermuteValues<T, Index>{order.data(), from.data(), to.data(), numComponents});
}

} // namespace spanwise
