#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody {

/// Points where they lie, component by component: coordinate `axis` of point i is coordinates[axis][i].
template <int Dim, class Real>
struct PointsView {
  const Real* coordinates[Dim] = {};
  std::int64_t count = 0;
};

/// Points with charges. Column c of the charges is charges[c * stride + i]: for each right-hand side as many columns as
/// the interaction takes numbers of a source (one, but for a dipole's moment Dim), one right-hand side after the other.
template <int Dim, class Real>
struct SourcesView {
  PointsView<Dim, Real> points;
  const Real* charges = nullptr;
  std::int64_t stride = 0; ///< from one column to the next; 0: the number of points
};

/// Where sums go; what is nullptr is not computed. Columns are `stride` apart: of the potentials one for each potential
/// of each right-hand side (potentials[(side * numPotentials + p) * stride + i]), of the gradients Dim for each of
/// these, in the order of the axes.
template <class Real>
struct SumsView {
  Real* potentials = nullptr;
  Real* gradients = nullptr;
  std::int64_t stride = 0; ///< 0: the number of targets
};

/// The points of a View [points x Dim] whose columns are contiguous.
template <int Dim, class Real, class MemorySpace, class... Traits>
[[nodiscard]] PointsView<Dim, std::remove_const_t<Real>> pointsOf(
  const Kokkos::View<Real* [Dim], Kokkos::LayoutLeft, MemorySpace, Traits...>& view) {
  PointsView<Dim, std::remove_const_t<Real>> points;
  points.count = static_cast<std::int64_t>(view.extent(0));
  for (int axis = 0; axis < Dim; ++axis) {
    points.coordinates[axis] = view.data() + axis * static_cast<std::int64_t>(view.stride(1));
  }
  return points;
}

} // namespace spanwise::nbody
