#pragma once

// What sums by multipoles do on the host and on a device alike.

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/EwaldKernels.hpp"
#include "Core/Solvers/NBody/Detail/FarKernel.hpp"
#include "Core/Solvers/NBody/Detail/FarOperators.hpp"
#include "Core/Solvers/NBody/Detail/LatticeOperator.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleOrder.hpp"
#include "Core/Solvers/NBody/Interactions.hpp"
#include "Core/Solvers/NBody/PointTree.hpp"
#include "Core/Solvers/NBody/TreeLists.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace spanwise::nbody::detail {

/// Operators of interactions that do not scale are made for each size of boxes.
template <class Interaction>
inline constexpr RootSides rootSidesOf =
  scalingOf<Interaction> == Scaling::None ? RootSides::PowersOfTwo : RootSides::SixteenAnOctave;

/// What values at the nodes of a box are found in. The gradients of an interaction with a length are differences of
/// values that are nearly the same where boxes are small beside it, and single precision has no digits of them then.
template <class Interaction, class Real>
using NodeReal = std::conditional_t<scalingOf<typename FarKernelOf<Interaction>::Type> == Scaling::None, double, Real>;

template <class Interaction>
void radialValues(const std::byte* parameters, const double* r2, double* values, std::int64_t count) {
  const Interaction interaction = *reinterpret_cast<const Interaction*>(parameters);
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = interaction.template terms<Parts::Potential>(r2[i]).value;
  }
}

/// Overwrites what a function is.
template <class Interaction>
void setRadialFunction(const Interaction& interaction, RadialFunction& function) {
  function.type = typeid(Interaction);
  if constexpr (std::is_empty_v<Interaction>) { // its byte may be anything
    function.parameters.assign(sizeof(Interaction), std::byte{0});
  } else {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&interaction);
    function.parameters.assign(bytes, bytes + sizeof(Interaction));
  }
  function.values = radialValues<Interaction>;
  function.scaling = scalingOf<Interaction>;
  function.degree = -1;
}

template <class Interaction>
[[nodiscard]] RadialFunction radialFunctionOf(const Interaction& interaction) {
  RadialFunction function;
  setRadialFunction(interaction, function);
  return function;
}

/// Copies columns in the order of the curve.
template <class Real>
struct Gather {
  const Real* from;
  std::int64_t fromStride;
  const std::int64_t* order;
  std::int64_t count;
  Real* to;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { to[k] = from[k / count * fromStride + order[k % count]]; }
};

/// Points in the order of the curve.
template <class ExecutionSpace, int Dim, class Real>
PointsView<Dim, Real> gatherPoints(const ExecutionSpace& space, const PointsView<Dim, Real>& points,
  const std::int64_t* order, typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  PointsView<Dim, Real> result;
  result.count = points.count;
  for (int axis = 0; axis < Dim; ++axis) {
    Real* const to = frame.template array<Real>(points.count).data();
    forEach(SPANWISE_KERNEL("gather points"), IndexRange<ExecutionSpace>(space, 0, points.count),
      Gather<Real>{points.coordinates[axis], 0, order, points.count, to});
    result.coordinates[axis] = to;
  }
  return result;
}

/// Whether operators of boxes with sides of this length may be those of 1 / r, which are the same for all sizes. Boxes
/// that are not adjacent are at least a side apart, where softening takes at most (epsilon / side)^2 / 2 of 1 / r and
/// three times that of its gradient: half of what operators are off by is small beside the accuracy.
template <class Interaction>
[[nodiscard]] bool isUnsoftened(const Interaction& /*interaction*/, double /*side*/, double /*tolerance*/) {
  return false;
}
[[nodiscard]] inline bool isUnsoftened(const SoftenedInverseDistance& interaction, double side, double tolerance) {
  const double part = interaction.epsilon / side;
  return 1.5 * part * part <= 0.5 * tolerance;
}

/// What images of the root of a periodic tree do that do not touch it; nullptr where it is not repeated. Uses memory of
/// `kept`.
template <int Dim, class Interaction, class MemorySpace>
std::shared_ptr<const LatticeOperator<Dim>> latticeOf(
  const Interaction& interaction, const PointTree<Dim, MemorySpace>& tree, FarLevels<Dim>& kept) {
  if constexpr (hasEwald<Interaction>) {
    if (tree.isPeriodic) {
      const double edge = scalingOf<Interaction> == Scaling::None ? tree.side : 1.0;
      setRadialFunction(interaction, kept.function);
      return latticeOperator<Dim>(kept.function, edge, [&interaction, &edge]() -> FarFunction {
        const auto images = std::make_shared<FarImages<Interaction, Dim>>(interaction, edge);
        return [images](const double* inEdges) { return (*images)(inEdges); };
      });
    }
  }
  return nullptr;
}

/// The expansion of a root with this side and these moments that it makes, in memory of the frame.
template <class Interaction, int Dim, class Real>
std::span<const double> expansionOfLattice(const LatticeOperator<Dim>& lattice, double side, int order,
  std::span<const Real> moments, Workspace<Kokkos::HostSpace>& workspace, Workspace<Kokkos::HostSpace>::Frame& frame) {
  const auto count = static_cast<std::int64_t>(moments.size());
  double* const ofRoot = frame.template array<double>(count).data();
  const std::span<double> expansion(frame.template array<double>(count).data(), moments.size());
  std::copy(moments.begin(), moments.end(), ofRoot);
  std::fill_n(expansion.data(), count, 0.0);
  lattice.apply(order, ofRoot, expansion.data(), workspace);
  if (scalingOf<Interaction> == Scaling::Power) {
    for (double& coefficient : expansion) {
      coefficient /= side;
    }
  }
  if (scalingOf<Interaction> == Scaling::AddsLogarithm) { // of the images that touch it
    expansion[0] -= TreeLists<Dim, Kokkos::HostSpace>::numOffsets * std::log(side) * ofRoot[0];
  }
  return expansion;
}

inline void noValues(const std::byte* /*parameters*/, const double* /*r2*/, double* values, std::int64_t count) {
  std::fill_n(values, count, 0.0);
}

/// The operators of the levels of a tree. Those `withFar` (levelsWithFar()) are made for the interaction, others have
/// no directions: where points are so close that a tree is deep, operators of boxes that nothing is far from would take
/// most of the time, and of boxes so small that the interaction is constant in them they would be of rounding errors.
template <class Real, class Interaction, int Dim, class MemorySpace>
const std::vector<FarLevel<Dim, Real>>& farLevels(const Interaction& interaction,
  const PointTree<Dim, MemorySpace>& tree, const MultipoleOrder& order, std::uint64_t withFar, FarLevels<Dim>& kept) {
  std::vector<FarLevel<Dim, Real>>& levels = kept.template in<Real>();
  levels.assign(tree.numLevels(), {});
  setRadialFunction(interaction, kept.function);
  setRadialFunction(InverseDistance(), kept.unsoftened);
  kept.nothing.values = noValues;
  for (int level = tree.isPeriodic ? 1 : 2; level < tree.numLevels(); ++level) {
    if ((withFar >> level & 1U) == 0) {
      levels[level].operators = farOperators<Dim, Real>(kept.nothing, order.order, 1.0, order.tolerance);
      continue;
    }
    const double side = tree.sideOf(level);
    const RadialFunction& function = isUnsoftened(interaction, side, order.tolerance) ? kept.unsoftened : kept.function;
    const double madeFor = function.scaling == Scaling::None ? side : 1.0;
    levels[level].operators = farOperators<Dim, Real>(function, order.order, madeFor, order.tolerance);
    levels[level].factor = function.scaling == Scaling::Power ? std::pow(side, function.degree) : 1.0;
    levels[level].logarithm = function.scaling == Scaling::AddsLogarithm ? std::log(side) : 0.0;
  }
  return levels;
}

} // namespace spanwise::nbody::detail
