#pragma once

#include "Core/Geometry/NodeRows.hpp"
#include "Core/Geometry/Segments.hpp"

#include <cstdint>
#include <span>

namespace spanwise::multilevel::detail {

template <int Dim>
inline constexpr int numCorners = 1 << Dim;

/// The leaves of a level, and their nodes in the list of corners.
template <int Dim>
struct MeshLevel {
  geometry::IntervalSetView<Dim> leaves;
  geometry::SegmentsView segments; ///< the leaves' intervals
  const std::int64_t* bases;       ///< of nodes of the level (nodeBases())
  std::int64_t* nodeNumbers;       ///< of these among the points, or noPoint
  std::int64_t firstLeaf;
  std::int64_t firstOwned; ///< numbers of leaves of the level
  std::int64_t endOwned;
  int level;

  /// The number of corner k of the leaf `along` cells behind the begin of interval i: bit d of k is set on the far side
  /// along axis d.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t corner(std::int64_t i, std::int64_t along, int k) const {
    return nodeNumbers[bases[geometry::nodeRowsPerRow<Dim> * i + (k >> 1)] + along + (k & 1)];
  }
};

template <int Dim>
using MeshLevels = std::span<const MeshLevel<Dim>>;

} // namespace spanwise::multilevel::detail
