#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal {

/// gradients [numElements][3] = the gradient of times [numVertices] in each flat (dimension 2) or solid (3) element: of
/// the linear function in a simplex, in the plane of a triangle, and the mean by area or volume over the simplices of
/// any other element (splitByPlace()). Exact where times are linear. NaN in elements of another dimension, in
/// those without extent, and where a vertex has no finite time. O(elements).
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void gradientOfTimes(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, int dimension,
  const double* times, double* gradients);

} // namespace spanwise::eikonal
