#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

// What a solution on the mesh of leaves is at the leaves. leafOfElement[e], ascending, is the leaf of element e, as
// ConformingMesh has it. Nothing depends on how vertices are numbered, and nothing waits.

/// out[leaf] = the time at the centre of each leaf. A split leaf has a vertex at its centre. Of any other leaf it is
/// the mean of the times at the corners, which is exact for plane fronts; where times are factored the corners' are
/// straightened first, which is exact in the medium of the source and at any distance from it. The time is not before
/// both the earliest corner and the front in the medium of the source.
///
/// notReached where a corner is not, and in leaves without simplices (walls). O(log elements) a leaf.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void timesAtCentres(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const FactoringView& factoring, const double* times,
  const std::int64_t* leafOfElement, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& out);

/// out[leaf] = the label (labelNearestSources()) of the earliest vertex of each leaf; -1 of a leaf without elements.
/// O(log elements + corners of the leaf) a leaf.
template <class ExecutionSpace, MeshIndex Index>
void labelsOfLeaves(const ExecutionSpace& space, const ElementView<Index>& elements, const double* times,
  const std::int32_t* labels, const std::int64_t* leafOfElement,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& out);

/// out[leaf][3] = the mean of the gradients of elements [numElements][3] (gradientOfTimes()) in each leaf, by their
/// area or volume; NaN of a leaf without elements. O(log elements + elements of the leaf) a leaf.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void gradientsOfLeaves(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const double* gradients,
  const std::int64_t* leafOfElement, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& out);

} // namespace spanwise::eikonal
