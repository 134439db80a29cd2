#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace spanwise::eikonal::fronts {

/// Puts lists of vertices in the order of their numbers, but for small differences: neighbours in a mesh mostly have
/// numbers that are near each other, so what one of them reads is there when the next one asks for it. Kernels append
/// to lists as they come.
class ListOrder {
public:
  /// `frame`: gives the memory, on the host.
  template <class Frame>
  ListOrder(std::int64_t numVertices, Frame& frame) {
    while ((numVertices >> shift_) >= maxBuckets) {
      ++shift_;
    }
    begins_ = frame.template array<std::int32_t>(maxBuckets).data();
  }

  /// to [count] = the vertices of `from`, by counting. O(count + maxBuckets).
  void sort(const std::int32_t* from, std::int64_t count, std::int32_t* to) const {
    std::fill_n(begins_, maxBuckets, 0);
    for (std::int64_t i = 0; i < count; ++i) {
      ++begins_[from[i] >> shift_];
    }
    std::int32_t begin = 0;
    for (int k = 0; k < maxBuckets; ++k) {
      begin += std::exchange(begins_[k], begin);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      to[begins_[from[i] >> shift_]++] = from[i];
    }
  }

private:
  static constexpr int maxBuckets = 4096;

  std::int32_t* begins_ = nullptr;
  int shift_ = 0;
};

} // namespace spanwise::eikonal::fronts
