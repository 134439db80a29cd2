#pragma once

// The shape that hierarchies are refined towards, here and by p4est: a circle or sphere of radius 0.3 around the middle
// of the unit square or cube. A cell is refined if the circle may cross it.

#include <Kokkos_Core.hpp>

#include <cmath>

namespace spanwise::benchmarks {

/// Levels that are there from the start, as a uniform grid of the root.
inline constexpr int firstLevel = 4;
/// The finest level: some 100 k leaves in 2D and 3 M in 3D.
template <int Dim>
inline constexpr int finestLevel = Dim == 2 ? 14 : 9;

/// Whether the cell with this centre and size is refined.
template <int Dim>
KOKKOS_INLINE_FUNCTION bool isCrossed(const double (&centre)[Dim], double size) {
  double sum = 0.0;
  for (int d = 0; d < Dim; ++d) {
    sum += (centre[d] - 0.5) * (centre[d] - 0.5);
  }
  constexpr double halfDiagonal = Dim == 2 ? 0.7072 : 0.8661;
  return Kokkos::abs(Kokkos::sqrt(sum) - 0.3) < halfDiagonal * size;
}

} // namespace spanwise::benchmarks
