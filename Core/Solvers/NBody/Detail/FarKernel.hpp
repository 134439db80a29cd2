#pragma once

#include "Core/Solvers/NBody/Interactions.hpp"

#include <cstdint>

namespace spanwise::nbody::detail {

/// The radial interaction that the far field of an interaction is made of.
template <class Interaction>
struct FarKernelOf {
  using Type = Interaction;
  static constexpr bool ofDipoles = false;
  static Type of(const Interaction& interaction) { return interaction; }
};
/// The potential of a dipole p is p . grad_y (1 / |x - y|), so its moments are derivatives of those of charges.
template <int Dim>
struct FarKernelOf<Dipole<Dim>> {
  using Type = InverseDistance;
  static constexpr bool ofDipoles = true;
  static Type of(const Dipole<Dim>& /*interaction*/) { return {}; }
};

/// Targets of a leaf that are done together, from `begin` on.
struct TargetTile {
  std::int32_t box;
  std::int32_t level;
  std::int64_t begin;
};

} // namespace spanwise::nbody::detail
