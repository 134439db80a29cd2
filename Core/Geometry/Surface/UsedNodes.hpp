#pragma once

#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <bit>
#include <cstdint>
#include <vector>

namespace spanwise::geometry {

/// The nodes that a surface uses, renumbered: a bit for each node, and after count() the new number of each node that
/// is marked. A quarter of a byte a node.
class UsedNodes {
public:
  explicit UsedNodes(std::int64_t numNodes)
    : words_(SPANWISE_LABEL("Geometry::used nodes"), static_cast<std::size_t>(numNodes / 64 + 1)),
      before_(static_cast<std::size_t>(numNodes / 64 + 2), 0) {}

  /// Marks the nodes first ... last. May be called by several threads.
  void mark(std::int64_t first, std::int64_t last) const {
    for (std::int64_t w = first / 64; w <= last / 64; ++w) {
      const std::uint64_t bits = within(w, first, last);
      std::uint64_t& word = words_[static_cast<std::size_t>(w)];
      if ((Kokkos::atomic_load(&word) & bits) != bits) {
        Kokkos::atomic_or(&word, bits);
      }
    }
  }

  /// Numbers the marked nodes in their order, and returns how many there are.
  std::int64_t count(const HostExecutionSpace& space) {
    for (std::size_t w = 0; w < words_.extent(0); ++w) {
      before_[w] = std::popcount(words_[w]);
    }
    return exclusiveScan(
      space, SPANWISE_KERNEL("number nodes"), before_.data(), static_cast<std::int64_t>(before_.size()) - 1);
  }

  /// visit(node, its new number) for each marked node of first ... last, in order. O(last - first) / 64 where few are
  /// marked.
  template <class Visit>
  void visitMarked(std::int64_t first, std::int64_t last, const Visit& visit) const {
    for (std::int64_t w = first / 64; w <= last / 64; ++w) {
      std::uint64_t bits = words_[static_cast<std::size_t>(w)] & within(w, first, last);
      if (bits == 0) {
        continue;
      }
      std::int64_t next = number(64 * w + std::countr_zero(bits));
      for (; bits != 0; bits &= bits - 1) {
        visit(64 * w + std::countr_zero(bits), next++);
      }
    }
  }
  /// The new number of a marked node.
  [[nodiscard]] std::int64_t number(std::int64_t node) const {
    const std::uint64_t below = word(node) & ((std::uint64_t{1} << (node % 64)) - 1);
    return before_[static_cast<std::size_t>(node / 64)] + std::popcount(below);
  }

private:
  // The bits of word w that are first ... last.
  [[nodiscard]] static std::uint64_t within(std::int64_t w, std::int64_t first, std::int64_t last) {
    std::uint64_t bits = ~std::uint64_t{0};
    if (w == first / 64) {
      bits &= ~std::uint64_t{0} << (first % 64);
    }
    if (w == last / 64) {
      bits &= ~std::uint64_t{0} >> (63 - last % 64);
    }
    return bits;
  }
  [[nodiscard]] std::uint64_t word(std::int64_t node) const { return words_[static_cast<std::size_t>(node / 64)]; }

  Kokkos::View<std::uint64_t*, Kokkos::HostSpace> words_;
  std::vector<std::int64_t> before_;
};

} // namespace spanwise::geometry
