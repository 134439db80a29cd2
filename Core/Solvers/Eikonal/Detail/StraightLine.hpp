#pragma once

#include "Core/Solvers/Eikonal/GridLocator.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::detail {

/// So many parts of a line for each cell that it goes across along an axis are fine enough to meet every cell that it
/// is in for a while.
inline constexpr int partsOfLine = 12;

/// Adds to `time` what a front takes along a straight line, which is looked at in so many parts, each in the medium of
/// its cell. False where the line leaves the cells of the set that are no walls.
template <int Dim>
KOKKOS_INLINE_FUNCTION bool addTimeOfLine(
  const Locator<Dim>& locator, const double (&from)[Dim], const double (&vector)[Dim], int numParts, double& time) {
  for (int part = 0; part < numParts; ++part) {
    double place[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      place[axis] = from[axis] + vector[axis] * (part + 0.5) / numParts;
    }
    std::int64_t on[Dim];
    const std::int64_t between = locator.find(place, on);
    if (between < 0 || locator.grid.isWall(between)) {
      return false;
    }
    const SymmetricTensor inverse = locator.grid.tensor(between).inverse();
    time += Kokkos::sqrt(inverse.product(FactoredSource<Dim>::pointOf(vector))) / numParts;
  }
  return true;
}

} // namespace spanwise::eikonal::detail
