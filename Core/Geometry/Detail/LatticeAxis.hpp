#pragma once

#include "Core/Geometry/Detail/Orientation.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Interval.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Search.hpp"

namespace spanwise::geometry::detail {

/// One axis of a lattice and the cells along it that matter. Kernels look for cells in [begin, end] only.
struct LatticeAxis {
  double origin;
  double spacing;
  std::int64_t begin;
  std::int64_t end;

  [[nodiscard]] KOKKOS_FUNCTION double centre(std::int64_t c) const {
    return snappedToExact(GridGeometry<1>{{origin}, {spacing}}.centre(0, c));
  }

  /// The same axis, of which only the cells in `planes` matter.
  [[nodiscard]] LatticeAxis inPlanes(const parallel::PlaneRange& planes) const {
    const parallel::PlaneRange here = parallel::PlaneRange{begin, end}.within(planes);
    return {origin, spacing, here.begin, here.end};
  }

  /// About the first cell whose centre is not below `position`; in [begin, end].
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t near(double position) const {
    const double cell = Kokkos::ceil((position - origin) / spacing - 0.5);
    if (!(cell > static_cast<double>(begin))) {
      return begin;
    }
    return cell < static_cast<double>(end) ? static_cast<std::int64_t>(cell) : end;
  }

  /// The first cell in [begin, end) whose centre is not below `position`; `end` if there is none.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstNotBelow(double position) const {
    return firstTrue(begin, end, near(position), [&](std::int64_t c) { return centre(c) >= position; });
  }
};

} // namespace spanwise::geometry::detail
