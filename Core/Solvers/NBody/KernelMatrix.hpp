#pragma once

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Solvers/NBody/Detail/SumColumns.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody {

namespace detail {

template <class Interaction, int Dim, class Real>
struct EvaluateMatrix {
  Interaction interaction;
  PointsView<Dim, Real> targets;
  PointsView<Dim, Real> sources;
  Real* matrix;
  std::int64_t stride;

  KOKKOS_FUNCTION void operator()(std::int64_t pair) const {
    constexpr int numCharges = numChargesOf<Interaction>;
    constexpr int numPotentials = numPotentialsOf<Interaction>;
    const std::int64_t i = pair % targets.count;
    const std::int64_t j = pair / targets.count;
    Real d[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      d[axis] = targets.coordinates[axis][i] - sources.coordinates[axis][j];
    }
    for (int c = 0; c < numCharges; ++c) {
      Real unit[numCharges] = {};
      Real values[numPotentials] = {};
      unit[c] = Real(1);
      addPair<Interaction, Parts::Potential, Dim, 1>(interaction, d, unit, values);
      for (int p = 0; p < numPotentials; ++p) {
        matrix[(c * sources.count + j) * stride + p * targets.count + i] = values[p];
      }
    }
  }
};

} // namespace detail

/// The matrix of an interaction, column by column: the potentials that unit charges of sources make at targets,
///
///     matrix[(c * numSources + j) * stride + p * numTargets + i] = potential p at x_i of charge c at y_j,
///
/// of which a far field that is made of the interaction's values alone is built. stride >= numPotentials * numTargets.
/// Does not wait. O(numTargets * numSources), a thread for each pair.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
void evaluateMatrix(const ExecutionSpace& space, const Interaction& interaction, const PointsView<Dim, Real>& targets,
  const PointsView<Dim, Real>& sources, Real* matrix, std::int64_t stride) {
  static_assert(AnyInteraction<Interaction>, "an interaction has terms() or add(): Interactions.hpp");
  SPANWISE_REGION("NBody::evaluateMatrix");
  Kokkos::parallel_for(SPANWISE_KERNEL("matrix"),
    spanwise::detail::Range<ExecutionSpace>(space, 0, targets.count * sources.count),
    detail::EvaluateMatrix<Interaction, Dim, Real>{interaction, targets, sources, matrix, stride});
}

} // namespace spanwise::nbody
