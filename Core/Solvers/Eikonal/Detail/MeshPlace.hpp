#pragma once

// Places that ways back through a mesh come to. Not installed with what users call.

#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::detail {

/// Barycentric coordinates below this are 0: the place is on the face beside it. Far above their rounding, some 1e-16
/// times how much longer than high an element is, and a billionth of an element's height, which nobody sees.
constexpr double snap = 1e-9;

/// When it is a vertex's turn on ways back: later ones first, and on a plateau those that are farther from its border.
struct Turn {
  double time = notReached;
  std::int32_t plateauSteps = Kokkos::Experimental::finite_max_v<std::int32_t>;

  [[nodiscard]] KOKKOS_FUNCTION bool isBefore(const Turn& other) const {
    return time < other.time || (time == other.time && plateauSteps < other.plateauSteps);
  }
};

/// A place in a simplex, or, where coordinates are 0, in what it shares with others.
template <int corners>
struct MeshPlace {
  std::int64_t simplex = -1;
  double weights[corners] = {};
  double time = notReached; ///< when the front was there
  Turn last;                ///< of the last vertex that the path came to
  std::int32_t source = -1; ///< the source point that it is; -1: none
};

template <int corners>
KOKKOS_INLINE_FUNCTION void snapToFaces(double* weights) {
  double sum = 0.0;
  for (int k = 0; k < corners; ++k) {
    weights[k] = weights[k] < snap ? 0.0 : weights[k];
    sum += weights[k];
  }
  for (int k = 0; k < corners; ++k) {
    weights[k] /= sum;
  }
}

/// Where a path may go on.
template <int corners>
struct Around {
  double bestEnd = notReached; ///< when the front came that started at `end`
  MeshPlace<corners> end;      ///< a source point; no simplex: there is none beside the place
  double best = notReached;    ///< when the front came that went through `next`
  MeshPlace<corners> next;     ///< on a face; no simplex: there is none
  double bestVertex = notReached;
  MeshPlace<corners> vertex; ///< the same for a vertex; no simplex: it is the turn of none

  /// Where the path goes on.
  [[nodiscard]] KOKKOS_FUNCTION const MeshPlace<corners>& first() const {
    return end.simplex >= 0 ? end : next.simplex >= 0 ? next : vertex;
  }
};

} // namespace spanwise::eikonal::detail
