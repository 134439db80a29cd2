#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// out[leaf] = the time at the centre of each leaf of a mesh that ConformingMesh made: leafOfElement[e], ascending, is
/// the leaf of element e. A split leaf has a vertex at its centre. Of any other leaf it is the mean of the times at the
/// corners, which is exact for plane fronts; where times are factored the corners' are straightened first, which is
/// exact in the medium of the source and at any distance from it. The time is not before both the earliest corner and
/// the front in the medium of the source.
///
/// notReached where a corner is not, and in leaves without simplices (walls). Nothing depends on how vertices are
/// numbered. O(log elements) a leaf. Does not wait.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void timesAtCentres(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const FactoringView& factoring, const double* times,
  const std::int64_t* leafOfElement, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& out);

} // namespace spanwise::eikonal
