#pragma once

#include "Core/Geometry/Detail/ExactArithmetic.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// Where cells lie: the cell c covers [origin + c spacing, origin + (c + 1) spacing] along each axis.
template <int Dim>
struct GridGeometry {
  double origin[Dim];
  double spacing[Dim]; ///< positive

  /// The centre of cell c along an axis, origin + (c + 0.5) * spacing as evaluated in double: the same bits on every
  /// machine and with every compiler flag.
  [[nodiscard]] KOKKOS_FUNCTION double centre(int axis, std::int64_t c) const {
    return detail::roundedSum(origin[axis], detail::roundedProduct(static_cast<double>(c) + 0.5, spacing[axis]));
  }
  /// The lower face of cell c along an axis, origin + c * spacing: the same bits everywhere, too.
  [[nodiscard]] KOKKOS_FUNCTION double face(int axis, std::int64_t c) const {
    return detail::roundedSum(origin[axis], detail::roundedProduct(static_cast<double>(c), spacing[axis]));
  }
};

} // namespace spanwise::geometry
