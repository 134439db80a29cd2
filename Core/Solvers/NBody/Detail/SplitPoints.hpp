#pragma once

// Particles with coordinates of two floats each, for SplitSums.hpp.

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleSteps.hpp"
#include "Core/Solvers/NBody/Detail/SplitSums.hpp"
#include "Core/Solvers/NBody/PointTree.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace spanwise::nbody::detail {

/// Whether near particles of a problem may be summed as split ones.
template <class Problem>
inline constexpr bool canBeSplit = std::is_same_v<typename Problem::Interaction, InverseDistance> &&
  std::is_same_v<typename Problem::Real, double> && hasGradient(Problem::parts);

template <int Dim>
struct SplitPoints {
  SplitFunction<Dim> function = nullptr; ///< nullptr: they are not split
  SplitTask<Dim> task{};                 ///< without blocks and sums
};

struct LargestMagnitude {
  using value_type = double;
  const double* values;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& largest) const {
    largest = Kokkos::max(largest, Kokkos::abs(values[i]));
  }
  KOKKOS_FUNCTION void init(double& largest) const { largest = 0.0; }
  KOKKOS_FUNCTION void join(double& largest, double other) const { largest = Kokkos::max(largest, other); }
};

struct SplitNumbers {
  const double* values;
  double centre;
  double scale;
  float* high;
  float* low;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const double value = (values[i] - centre) * scale;
    high[i] = static_cast<float>(value);
    low[i] = static_cast<float>(value - static_cast<double>(high[i]));
  }
};

struct ScaleNumbers {
  const double* values;
  double scale;
  float* scaled;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { scaled[i] = static_cast<float>(values[i] * scale); }
};

/// Splits particles along the curve of a tree. They are not, where numbers are so large or small that a power of them
/// may not be finite, or the processor has no instructions for it.
template <class ExecutionSpace, class Problem, class Frame>
[[nodiscard]] SplitPoints<Problem::Dim> splitPoints(const ExecutionSpace& space, const Problem& problem,
  const PointTree<Problem::Dim, Kokkos::HostSpace>& tree, InstructionSet instructions, Frame& frame) {
  constexpr int Dim = Problem::Dim;
  SplitPoints<Dim> result;
  const std::int64_t count = problem.sources.count;
  const IndexRange<ExecutionSpace> all(space, 0, count);
  double largest = 0.0;
  reduce(SPANWISE_KERNEL("largest charge"), all, LargestMagnitude{problem.charges}, largest);
  int ofSide = 0;
  int ofCharge = 0;
  std::frexp(tree.side, &ofSide);
  std::frexp(largest, &ofCharge);
  constexpr int maxExponent = 300;
  if (!(largest > 0.0) || !std::isfinite(largest) || std::abs(ofSide) > maxExponent ||
    std::abs(ofCharge) > maxExponent) {
    return result;
  }
  result.function = instructions == InstructionSet::Avx512 ? avx512Split<Dim>(Problem::parts)
    : instructions == InstructionSet::Avx2                 ? avx2Split<Dim>(Problem::parts)
                                                           : nullptr;
  if (result.function == nullptr) {
    return result;
  }
  const double scale = std::ldexp(1.0, splitExponent - ofSide);
  const auto array = [&] { return frame.template array<float>(count).data(); };
  for (int axis = 0; axis < Dim; ++axis) {
    float* const high = array();
    float* const low = array();
    forEach(SPANWISE_KERNEL("split points"), all,
      SplitNumbers{problem.sources.coordinates[axis], tree.low[axis] + 0.5 * tree.side, scale, high, low});
    result.task.high[axis] = high;
    result.task.low[axis] = low;
  }
  float* const charges = array();
  forEach(SPANWISE_KERNEL("scale charges"), all, ScaleNumbers{problem.charges, std::ldexp(1.0, -ofCharge), charges});
  result.task.charges = charges;
  result.task.ofPotential = std::ldexp(scale, ofCharge);
  result.task.ofGradient = result.task.ofPotential * scale;
  return result;
}

} // namespace spanwise::nbody::detail
