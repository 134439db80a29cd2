#pragma once

namespace spanwise::lattice {

/// What is told of the fluid in each cell: components of LatticeFlow::values(), in units of the lattice.
template <int Dim>
struct FluidValue {
  static constexpr int density = 0;
  static constexpr int velocity = 1;        ///< Dim components
  static constexpr int vorticity = 1 + Dim; ///< 1 component in 2D, 3 in 3D
  static constexpr int qCriterion = Dim == 2 ? 4 : 7;
  static constexpr int count = qCriterion + 1;
};

} // namespace spanwise::lattice
