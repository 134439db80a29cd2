#pragma once

#include "Core/Solvers/NBody/Detail/MutualSums.hpp"
#include "Core/Solvers/NBody/Detail/NoLanes.hpp"
#include "Core/Solvers/NBody/Detail/TileSums.hpp"

namespace spanwise::nbody::detail {

// Sums of this library's own interactions with the vectors that a processor has, which is asked when the program runs.

template <class Interaction, int Dim, class Real>
using TileFunction = void (*)(const Interaction&, const TileTask<Dim, Real>&);
template <class Interaction, int Dim, class Real>
using MutualFunction = void (*)(const Interaction&, const MutualTask<Dim, Real>&);

/// How many right-hand sides are summed at once where there are so many.
inline constexpr int sidesAtOnce = 4;

/// Functions for 1 or sidesAtOnce right-hand sides. Defined in the files of their instructions; nullptr where the
/// compiler does not have them. To be called only where the processor does.
template <class Interaction, int Dim, class Real>
TileFunction<Interaction, Dim, Real> avx2Tile(Parts parts, int numSides);
template <class Interaction, int Dim, class Real>
TileFunction<Interaction, Dim, Real> avx512Tile(Parts parts, int numSides);
template <class Interaction, int Dim, class Real>
MutualFunction<Interaction, Dim, Real> avx2Mutual(Parts parts);
template <class Interaction, int Dim, class Real>
MutualFunction<Interaction, Dim, Real> avx512Mutual(Parts parts);

/// Calls M(given, Interaction, Dim) for all that there are functions of.
#define SPANWISE_FOR_EACH_INTERACTION(M, given)                                                                        \
  M(given, InverseDistance, 2)                                                                                         \
  M(given, InverseDistance, 3)                                                                                         \
  M(given, SoftenedInverseDistance, 2)                                                                                 \
  M(given, SoftenedInverseDistance, 3)                                                                                 \
  M(given, Logarithm, 2)                                                                                               \
  M(given, Logarithm, 3)                                                                                               \
  M(given, Gaussian, 2)                                                                                                \
  M(given, Gaussian, 3)                                                                                                \
  M(given, Yukawa, 2)                                                                                                  \
  M(given, Yukawa, 3)                                                                                                  \
  M(given, Dipole<2>, 2)                                                                                               \
  M(given, Dipole<3>, 3)

/// Whether there are functions for an interaction.
template <class Interaction, int Dim>
inline constexpr bool isCompiled = false;
#define SPANWISE_IS_COMPILED(value, Interaction, Dim)                                                                  \
  template <>                                                                                                          \
  inline constexpr bool isCompiled<Interaction, Dim> = value;
SPANWISE_FOR_EACH_INTERACTION(SPANWISE_IS_COMPILED, true)
#undef SPANWISE_IS_COMPILED

/// Functions for the parts that are asked for, made of the instructions `Lanes` and, where those fail, Lanes::Safe;
/// nullptr where the compiler does not have them (NoLanes.hpp).
template <class Lanes, class Interaction, int Dim, class Real, int numSides>
TileFunction<Interaction, Dim, Real> tileFunctionOf(Parts parts) {
  if constexpr (isThere<Lanes>) {
    using Safe = typename Lanes::Safe;
    switch (parts) {
    case Parts::Potential:
      return addTile<Lanes, Safe, Interaction, Parts::Potential, Dim, Real, numSides>;
    case Parts::Gradient:
      return addTile<Lanes, Safe, Interaction, Parts::Gradient, Dim, Real, numSides>;
    case Parts::Both:
      return addTile<Lanes, Safe, Interaction, Parts::Both, Dim, Real, numSides>;
    }
  }
  return nullptr;
}

template <class Lanes, class Interaction, int Dim, class Real>
MutualFunction<Interaction, Dim, Real> mutualFunctionOf(Parts parts) {
  if constexpr (isThere<Lanes> && RadialInteraction<Interaction>) {
    using Safe = typename Lanes::Safe;
    switch (parts) {
    case Parts::Potential:
      return addMutual<Lanes, Safe, Interaction, Parts::Potential, Dim, Real>;
    case Parts::Gradient:
      return addMutual<Lanes, Safe, Interaction, Parts::Gradient, Dim, Real>;
    case Parts::Both:
      return addMutual<Lanes, Safe, Interaction, Parts::Both, Dim, Real>;
    }
  }
  return nullptr;
}

/// Defines avx2Tile() and avx2Mutual(), or those of another set of instructions, for one interaction: what the files of
/// the instructions consist of.
#define SPANWISE_DEFINE_TILES(set, Set, Real, Interaction, Dim)                                                        \
  template <>                                                                                                          \
  TileFunction<Interaction, Dim, Real> set##Tile<Interaction, Dim, Real>(Parts parts, int numSides) {                  \
    return numSides == 1 ? tileFunctionOf<LanesFor<InstructionSet::Set>, Interaction, Dim, Real, 1>(parts)             \
                         : tileFunctionOf<LanesFor<InstructionSet::Set>, Interaction, Dim, Real, sidesAtOnce>(parts);  \
  }                                                                                                                    \
  template <>                                                                                                          \
  MutualFunction<Interaction, Dim, Real> set##Mutual<Interaction, Dim, Real>(Parts parts) {                            \
    return mutualFunctionOf<LanesFor<InstructionSet::Set>, Interaction, Dim, Real>(parts);                             \
  }

} // namespace spanwise::nbody::detail
