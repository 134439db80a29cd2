#pragma once

#include "Core/Solvers/NBody/Interactions.hpp"

namespace spanwise::nbody::detail {

/// The columns of the sums at a target: for each right-hand side its potentials, then its gradients.
template <class Interaction, Parts parts, int Dim, int numSides = 1>
struct SumColumns {
  static constexpr int numCharges = numChargesOf<Interaction>;
  static constexpr int numPotentials = numPotentialsOf<Interaction>;
  static constexpr int ofPotential = hasPotential(parts) ? numPotentials : 0;
  static constexpr int ofGradient = hasGradient(parts) ? numPotentials * Dim : 0;
  static constexpr int ofSide = ofPotential + ofGradient;
  static constexpr int all = numSides * ofSide;
};

template <int Dim, class T>
KOKKOS_FORCEINLINE_FUNCTION T squareOf(const T* d) {
  T r2 = d[0] * d[0];
  for (int axis = 1; axis < Dim; ++axis) {
    r2 = r2 + d[axis] * d[axis];
  }
  return r2;
}

/// Adds to `sums` [SumColumns::all] what a source with the charges [numSides * numCharges] does, d away from it.
template <class Interaction, Parts parts, int Dim, int numSides, class T>
KOKKOS_FORCEINLINE_FUNCTION void addPair(const Interaction& interaction, const T* d, const T* charges, T* sums) {
  using Columns = SumColumns<Interaction, parts, Dim, numSides>;
  const T r2 = squareOf<Dim>(d);
  if constexpr (RadialInteraction<Interaction>) {
    const RadialTerms<T> terms = interaction.template terms<parts>(r2);
    for (int side = 0; side < numSides; ++side) {
      T* const sum = sums + side * Columns::ofSide;
      if constexpr (hasPotential(parts)) {
        sum[0] += charges[side] * terms.value;
      }
      if constexpr (hasGradient(parts)) {
        const T weight = charges[side] * terms.slope;
        for (int axis = 0; axis < Dim; ++axis) {
          sum[Columns::ofPotential + axis] += weight * d[axis];
        }
      }
    }
  } else {
    for (int side = 0; side < numSides; ++side) {
      T* const sum = sums + side * Columns::ofSide;
      interaction.template add<parts, Dim>(
        d, r2, charges + side * Columns::numCharges, sum, sum + Columns::ofPotential);
    }
  }
}

/// Adds to the sums of two particles [SumColumns::all] what each does to the other by a radial interaction; d is the
/// place of the first minus that of the second.
template <class Interaction, Parts parts, int Dim, class T>
KOKKOS_FORCEINLINE_FUNCTION void addMutualPair(const Interaction& interaction, const T* d, const T& chargeOfFirst,
  const T& chargeOfSecond, T* sumsOfFirst, T* sumsOfSecond) {
  using Columns = SumColumns<Interaction, parts, Dim>;
  const RadialTerms<T> terms = interaction.template terms<parts>(squareOf<Dim>(d));
  if constexpr (hasPotential(parts)) {
    sumsOfFirst[0] += chargeOfSecond * terms.value;
    sumsOfSecond[0] += chargeOfFirst * terms.value;
  }
  if constexpr (hasGradient(parts)) {
    const T toFirst = chargeOfSecond * terms.slope;
    const T toSecond = chargeOfFirst * terms.slope;
    for (int axis = 0; axis < Dim; ++axis) {
      sumsOfFirst[Columns::ofPotential + axis] += toFirst * d[axis];
      sumsOfSecond[Columns::ofPotential + axis] -= toSecond * d[axis];
    }
  }
}

} // namespace spanwise::nbody::detail
