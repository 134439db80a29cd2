#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/LeafMesh.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

// What a solution on the mesh of leaves is at the leaves. Nothing depends on how vertices are numbered, and nothing
// waits.

/// out[leaf] = the time at the centre of each leaf. A split leaf has a vertex at its centre. Of any other leaf it is
/// the mean of the times at the corners, which is exact for plane fronts; where times are factored the corners' are
/// straightened first, which is exact in the medium of the source and at any distance from it. The time is not before
/// both the earliest corner and the front in the medium of the source.
///
/// notReached where a corner is not, and in leaves without simplices (walls). `speed` is that of elements. O(log
/// elements) a leaf.
template <class ExecutionSpace, int corners>
void timesAtCentres(const Context<ExecutionSpace>& context, const LeafMeshOn<ExecutionSpace>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const FactoringView& factoring, const double* times,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& out);

/// out[leaf] = the label (labelNearestSources()) of the earliest vertex of each leaf; -1 of a leaf without elements.
/// O(log elements + corners of the leaf) a leaf.
template <class ExecutionSpace>
void labelsOfLeaves(const Context<ExecutionSpace>& context, const LeafMeshOn<ExecutionSpace>& mesh, const double* times,
  const std::int32_t* labels, const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& out);

/// out[leaf][3] = the mean of the gradients of elements [numElements][3] (gradientOfTimes()) in each leaf, by their
/// area or volume; NaN of a leaf without elements. O(log elements + elements of the leaf) a leaf.
template <class ExecutionSpace>
void gradientsOfLeaves(const Context<ExecutionSpace>& context, const LeafMeshOn<ExecutionSpace>& mesh,
  const double* gradients, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& out);

} // namespace spanwise::eikonal
