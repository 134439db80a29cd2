#pragma once

#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

// What is measured of each element of a mesh, in the memory of the execution space. Nothing is allocated, and nothing
// waits for the result. All throw InvalidArgument where the output has another length than they say.

/// barycentres = the mean of the vertices of each element [3 * numElements]: x y z x y z ... O(corners).
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void computeBarycentres(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Kokkos::View<Real*, typename ExecutionSpace::memory_space>& barycentres);

/// measures = length, area or volume of each element [numElements]: measure(). O(corners).
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void computeMeasures(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& measures);

/// qualities = the shape of each element [numElements], at most 1: meanRatio(). O(corners).
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void computeQualities(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& qualities);

} // namespace spanwise
