#pragma once

#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/NBody/Detail/SumColumns.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

/// The sums at a target in the order of SumColumns.
template <class Real, int size>
struct Sums {
  Real values[size] = {};

  KOKKOS_FORCEINLINE_FUNCTION Sums& operator+=(const Sums& other) {
    for (int c = 0; c < size; ++c) {
      values[c] += other.values[c];
    }
    return *this;
  }
};

/// Where the sums of `numSides` right-hand sides from `firstSide` on go.
template <class Interaction, Parts parts, int Dim, class Real, int numSides>
struct SumOutput {
  using Columns = SumColumns<Interaction, parts, Dim, numSides>;

  SumsView<Real> to;
  Real potentialFactor;
  Real gradientFactor;
  bool adds; ///< to what is there
  int firstSide;

  KOKKOS_FORCEINLINE_FUNCTION void put(Real* at, Real value) const { *at = adds ? *at + value : value; }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t target, const Real* sums) const {
    for (int side = 0; side < numSides; ++side) {
      const Real* const ofSide = sums + side * Columns::ofSide;
      if constexpr (hasPotential(parts)) {
        for (int p = 0; p < Columns::numPotentials && to.potentials != nullptr; ++p) {
          const std::int64_t column = (firstSide + side) * Columns::numPotentials + p;
          put(to.potentials + column * to.stride + target, potentialFactor * ofSide[p]);
        }
      }
      if constexpr (hasGradient(parts)) {
        for (int c = 0; c < Columns::ofGradient; ++c) {
          const std::int64_t column = (firstSide + side) * Columns::ofGradient + c;
          put(to.gradients + column * to.stride + target, gradientFactor * ofSide[Columns::ofPotential + c]);
        }
      }
    }
  }
};

/// What sums of so many pairs take: several are summed at once.
inline Work workOfPairs(std::int64_t numTargets, std::int64_t numSources) { return {numTargets * numSources / 8}; }

/// Everything that a kernel needs to know of sums. Charges begin at those of the first right-hand side of the output.
template <class Interaction_, Parts parts_, int dimension, class Real_, int numSides_>
struct SumProblem {
  using Interaction = Interaction_;
  using Real = Real_;
  static constexpr Parts parts = parts_;
  static constexpr int Dim = dimension;
  static constexpr int numSides = numSides_;
  using Columns = SumColumns<Interaction, parts, Dim, numSides>;
  using Values = Sums<Real, Columns::all>;
  static constexpr int numCharges = numSides * Columns::numCharges;

  Interaction interaction;
  PointsView<Dim, Real> targets;
  PointsView<Dim, Real> sources;
  const Real* charges;
  std::int64_t chargeStride;
  bool within; ///< the targets are the sources
  SumOutput<Interaction, parts, Dim, Real, numSides> output;

  KOKKOS_FORCEINLINE_FUNCTION void loadTarget(std::int64_t i, Real* x) const {
    for (int axis = 0; axis < Dim; ++axis) {
      x[axis] = targets.coordinates[axis][i];
    }
  }
};

} // namespace spanwise::nbody::detail
