#pragma once

#include "Core/Solvers/NBody/Interactions.hpp"

#include <cstdint>

namespace spanwise::nbody::detail {

/// How an interaction changes when all lengths are multiplied with s: it is multiplied with s^degree, or ln s is added
/// to it. Operators of others are made for each length.
enum class Scaling { None, Power, AddsLogarithm };

/// How an interaction scales with the length. A user's own is taken as it is.
template <class Interaction>
inline constexpr Scaling scalingOf = Scaling::None;
template <>
inline constexpr Scaling scalingOf<InverseDistance> = Scaling::Power;
template <>
inline constexpr Scaling scalingOf<Logarithm> = Scaling::AddsLogarithm;

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
