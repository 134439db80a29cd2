#pragma once

#include "Core/Runtime/AtomicAccess.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// What kernels see of UsedNodes.
struct UsedNodesView {
  std::uint64_t* words = nullptr; ///< a bit for each node
  std::int64_t* before = nullptr; ///< the new number of the first marked node of each word

  /// Marks the nodes first ... last. May be called by several threads.
  KOKKOS_FUNCTION void mark(std::int64_t first, std::int64_t last) const {
    for (std::int64_t w = first / 64; w <= last / 64; ++w) {
      const std::uint64_t bits = within(w, first, last);
      if ((atomicLoad(words + w) & bits) != bits) {
        Kokkos::atomic_or(words + w, bits);
      }
    }
  }

  /// visit(node, its new number) for each marked node of first ... last, in order. O(last - first) / 64 where few are
  /// marked.
  template <class Visit>
  KOKKOS_FUNCTION void visitMarked(std::int64_t first, std::int64_t last, const Visit& visit) const {
    for (std::int64_t w = first / 64; w <= last / 64; ++w) {
      std::uint64_t bits = words[w] & within(w, first, last);
      if (bits == 0) {
        continue;
      }
      std::int64_t next = number(64 * w + Kokkos::countr_zero(bits));
      for (; bits != 0; bits &= bits - 1) {
        visit(64 * w + Kokkos::countr_zero(bits), next++);
      }
    }
  }

  /// The new number of a marked node.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t number(std::int64_t node) const {
    const std::uint64_t below = words[node / 64] & ((std::uint64_t{1} << (node % 64)) - 1);
    return before[node / 64] + Kokkos::popcount(below);
  }

private:
  // The bits of word w that are first ... last.
  [[nodiscard]] KOKKOS_FUNCTION static std::uint64_t within(std::int64_t w, std::int64_t first, std::int64_t last) {
    std::uint64_t bits = ~std::uint64_t{0};
    if (w == first / 64) {
      bits &= ~std::uint64_t{0} << (first % 64);
    }
    if (w == last / 64) {
      bits &= ~std::uint64_t{0} >> (63 - last % 64);
    }
    return bits;
  }
};

namespace detail {

struct CountUsedNodes {
  UsedNodesView nodes;

  KOKKOS_FUNCTION void operator()(std::int64_t w) const { nodes.before[w] = Kokkos::popcount(nodes.words[w]); }
};

} // namespace detail

/// The nodes that a surface uses, renumbered: a bit for each node, and after count() the new number of each node that
/// is marked. A quarter of a byte a node.
template <class MemorySpace>
class UsedNodes {
public:
  UsedNodes() = default;
  explicit UsedNodes(std::int64_t numNodes)
    : words_(SPANWISE_LABEL("Geometry::used nodes"), static_cast<std::size_t>(numNodes / 64 + 1)),
      before_(Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::numbers of nodes")),
        words_.extent(0) + 1) {}

  [[nodiscard]] UsedNodesView view() const { return {words_.data(), before_.data()}; }

  /// Numbers the marked nodes in their order, and returns how many there are.
  template <class ExecutionSpace>
  std::int64_t count(const ExecutionSpace& space) const {
    const auto numWords = static_cast<std::int64_t>(words_.extent(0));
    forEach(
      SPANWISE_KERNEL("count nodes"), IndexRange<ExecutionSpace>(space, 0, numWords), detail::CountUsedNodes{view()});
    return exclusiveScan(space, SPANWISE_KERNEL("number nodes"), before_.data(), numWords);
  }

private:
  Kokkos::View<std::uint64_t*, MemorySpace> words_;
  Kokkos::View<std::int64_t*, MemorySpace> before_;
};

} // namespace spanwise::geometry
