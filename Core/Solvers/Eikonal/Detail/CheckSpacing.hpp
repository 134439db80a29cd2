#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <cmath>

namespace spanwise::eikonal {

/// Throws InvalidArgument unless cells have a size.
template <int Dim>
void checkSpacing(const geometry::GridGeometry<Dim>& lattice) {
  for (const double spacing : lattice.spacing) {
    if (!(spacing > 0.0 && std::isfinite(spacing))) {
      throw InvalidArgument(
        "the spacing of cells is " + numberText(spacing) + ": it must be positive and finite along every axis");
    }
  }
}

} // namespace spanwise::eikonal
