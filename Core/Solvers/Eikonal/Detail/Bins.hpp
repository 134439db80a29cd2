#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace spanwise::eikonal::detail {

/// A box in space with its sides along the axes.
struct Bounds {
  double low[3];
  double high[3];

  KOKKOS_INLINE_FUNCTION static Bounds empty() {
    constexpr double most = Kokkos::Experimental::infinity_v<double>;
    return {{most, most, most}, {-most, -most, -most}};
  }
  KOKKOS_INLINE_FUNCTION void add(const Point& point) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = Kokkos::min(low[axis], point[axis]);
      high[axis] = Kokkos::max(high[axis], point[axis]);
    }
  }
  KOKKOS_INLINE_FUNCTION void add(const Bounds& other) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = Kokkos::min(low[axis], other.low[axis]);
      high[axis] = Kokkos::max(high[axis], other.high[axis]);
    }
  }
  /// Farther out on all sides.
  KOKKOS_INLINE_FUNCTION void grow(double by) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] -= by;
      high[axis] += by;
    }
  }
};

/// Bins of a regular grid, and the items whose bounds reach into each of them: for items that touch a box, of which
/// there are few in each bin. What comes first of sources with starts and media of their own may be far away, which no
/// ring of bins bounds: they have a tree (SourceTree.hpp).
struct Bins {
  Bounds bounds = {};
  double binsPerLength[3] = {};
  int size[3] = {};
  const std::int64_t* begins = nullptr; ///< [bins + 1]
  const std::int32_t* items = nullptr;

  /// The bins that a box reaches into: [first, last] along each axis. False where it is outside of all.
  KOKKOS_INLINE_FUNCTION bool range(const Bounds& box, int first[3], int last[3]) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (!(box.low[axis] <= bounds.high[axis] && box.high[axis] >= bounds.low[axis])) {
        return false;
      }
      first[axis] = at(axis, box.low[axis]);
      last[axis] = at(axis, box.high[axis]);
    }
    return true;
  }

  /// function(bin) for all bins that a box reaches into.
  template <class Function>
  KOKKOS_INLINE_FUNCTION void forBins(const Bounds& box, const Function& function) const {
    int first[3] = {};
    int last[3] = {};
    if (!range(box, first, last)) {
      return;
    }
    for (int k = first[2]; k <= last[2]; ++k) {
      for (int j = first[1]; j <= last[1]; ++j) {
        for (int i = first[0]; i <= last[0]; ++i) {
          function((std::int64_t{k} * size[1] + j) * size[0] + i);
        }
      }
    }
  }

  /// function(item) for all items in these bins; an item in several bins comes several times.
  template <class Function>
  KOKKOS_INLINE_FUNCTION void forItems(const Bounds& box, const Function& function) const {
    forBins(box, [&](std::int64_t bin) {
      for (std::int64_t k = begins[bin]; k < begins[bin + 1]; ++k) {
        function(std::int64_t{items[k]});
      }
    });
  }

private:
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int at(int axis, double x) const {
    const double place = (x - bounds.low[axis]) * binsPerLength[axis];
    return place <= 0.0 ? 0 : place >= size[axis] - 1 ? size[axis] - 1 : static_cast<int>(place);
  }
};

/// The bounds of all items: items(i) are the bounds of item i.
template <class Items>
struct AllBounds {
  using value_type = Bounds;
  Items items;

  KOKKOS_FUNCTION void init(Bounds& bounds) const { bounds = Bounds::empty(); }
  KOKKOS_FUNCTION void join(Bounds& bounds, const Bounds& other) const { bounds.add(other); }
  KOKKOS_FUNCTION void operator()(std::int64_t i, Bounds& bounds) const { bounds.add(items(i)); }
};

template <class Items>
struct CountInBins {
  Items items;
  Bins bins;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    bins.forBins(items(i), [&](std::int64_t bin) { Kokkos::atomic_inc(&counts[bin]); });
  }
};

/// Writes items from the end of each bin.
template <class Items>
struct FillBins {
  Items items;
  Bins bins;
  std::int64_t* left; // places of a bin that are not filled yet
  std::int32_t* out;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    bins.forBins(items(i), [&](std::int64_t bin) {
      out[bins.begins[bin] + Kokkos::atomic_fetch_sub(&left[bin], std::int64_t{1}) - 1] = static_cast<std::int32_t>(i);
    });
  }
};

struct CopyCounts {
  const std::int64_t* from;
  std::int64_t* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// Bins for `count` > 0 items, about as many bins as items. The order of items in a bin is left to chance. Their arrays
/// are valid until `frame` closes.
template <class ExecutionSpace, class Items>
Bins makeBins(const ExecutionSpace& space, const Items& items, std::int64_t count,
  typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  const IndexRange<ExecutionSpace> all(space, 0, count);
  Bins bins;
  reduce(SPANWISE_KERNEL("bounds"), all, AllBounds<Items>{items}, bins.bounds);
  double length[3];
  for (int axis = 0; axis < 3; ++axis) {
    length[axis] = bins.bounds.high[axis] - bins.bounds.low[axis];
  }
  const double longest = std::max({length[0], length[1], length[2]});
  double volume = 1.0;
  for (double& l : length) {
    l = longest > 0.0 ? std::max(l / longest, 1e-3) : 1.0;
    volume *= l;
  }
  const double side = std::cbrt(volume / static_cast<double>(count));
  for (int axis = 0; axis < 3; ++axis) {
    bins.size[axis] = static_cast<int>(std::clamp(length[axis] / side, 1.0, 256.0));
    bins.binsPerLength[axis] = longest > 0.0 ? bins.size[axis] / (length[axis] * longest) : 0.0;
  }
  const std::int64_t numBins = std::int64_t{bins.size[0]} * bins.size[1] * bins.size[2];
  const auto begins = frame.template array<std::int64_t>(numBins + 1);
  const auto left = frame.template array<std::int64_t>(numBins);
  setAll(space, begins, 0);
  forEach(SPANWISE_KERNEL("count in bins"), all, CountInBins<Items>{items, bins, begins.data()});
  forEach(SPANWISE_KERNEL("copy counts"), IndexRange<ExecutionSpace>(space, 0, numBins),
    CopyCounts{begins.data(), left.data()});
  const std::int64_t numItems = exclusiveScan(space, SPANWISE_KERNEL("scan bins"), begins.data(), numBins);
  const auto list = frame.template array<std::int32_t>(numItems);
  bins.begins = begins.data();
  bins.items = list.data();
  forEach(SPANWISE_KERNEL("fill bins"), all, FillBins<Items>{items, bins, left.data(), list.data()});
  return bins;
}

} // namespace spanwise::eikonal::detail
