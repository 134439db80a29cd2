#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// representatives[v] = the vertex that stands for vertex v: of all that are within `distance` of each other, also by
/// way of others, the one with the least coordinates, x first, of several in one place that with the least number. So
/// which place stands for which does not depend on the order of vertices. Distance 0 merges those in the same place. A
/// vertex with a coordinate that is NaN stands for itself. Returns how many vertices another one stands for. The same
/// for any number of threads. O(vertices + pairs within two distances). Throws InvalidArgument where `distance` is not
/// finite or negative, or
/// `representatives` [numVertices] has another length.
template <class ExecutionSpace, MeshReal Real>
std::int64_t mergeVertices(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices, double distance,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& representatives);

} // namespace spanwise
