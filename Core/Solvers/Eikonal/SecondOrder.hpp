#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// What times of second order took.
struct SecondOrderReport {
  std::int64_t numWaves = 0;  ///< of vertices that were computed together
  std::int64_t numSecond = 0; ///< vertices with a time of second order
  std::int64_t numFirst = 0;  ///< vertices that only updates of first order were found for, without those of sources
};

/// Collective. Makes times of first order, of iterateTimes(), times of second order: where they are smooth, errors fall
/// with the square of the size of the elements.
///
/// Along an edge e = x - x_i that ends at x, 2 (u - u_i) - e . g_i = e . grad u(x) + O(|e|^3) with the gradient g_i at
/// x_i (J. A. Sethian, A. Vladimirsky, Proc. Natl. Acad. Sci. 97 (2000) 5699-5703). So the gradient at x and the time
/// there are found from the corners of a simplex as in an update of first order, with other right-hand sides. The
/// tensor is that at x, the middle of those around; where these differ much it is that of the simplex. Simplices that
/// are factored take all this for what is left of the times, u - T0 (Factoring.hpp).
///
/// A vertex is computed from corners whose times of first order are before its own, and these before it: no vertex
/// waits for itself, the result is unique, and has the same bits for any number of threads. Of the simplices around
/// that the ray to the vertex comes through, nearly at least, the least time counts. It does not where gradients at
/// corners differ much, as where fronts meet or start to spread around an edge, or where it is farther from the update
/// of first order than these differences allow: then that one stays.
///
/// times [numVertices]: those of iterateTimes() that is through, replaced. starts [numVertices]: what they were before.
/// A vertex that still has its start keeps it. O(simplices) and the memory of the workspace. Waits.
///
/// After each wave ranks tell each other what they have found for the vertices that they share, so that it takes more
/// waves, and a reduction for each. Counts are this rank's, each vertex counted once.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
SecondOrderReport toSecondOrder(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Speed& speed, SimplexMesh<corners, ExecutionSpace>& simplices, const FactoringView& factoring, double* starts,
  double* times);

} // namespace spanwise::eikonal
