#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/List.hpp"
#include "Core/Mesh/MeshView.hpp"
#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <cstdint>

namespace spanwise::eikonal {

// Fronts go through leaves by the mesh without hanging nodes that these make (multilevel::makeConformingMesh()): what
// is known of leaves is handed to its elements here, and LeafSolution.hpp takes the solution back.

/// The mesh of leaves that fronts go through. Keeps its memory.
template <class MemorySpace>
struct LeafMesh {
  multilevel::ConformingMesh<MemorySpace> mesh;
  geometry::List<double, MemorySpace> places; ///< [points][3]

  /// As long as this is not written. The leaf of each element is in mesh.sources.
  [[nodiscard]] MeshView<double, std::int64_t> view() const {
    MeshView<double, std::int64_t> result;
    result.vertices = VertexView<double>::interleaved(places.data(), places.count() / 3);
    result.elements.vertices = mesh.connectivity.data();
    result.elements.offsets = mesh.offsets.data();
    result.elements.types = mesh.types.data();
    result.elements.numElements = mesh.types.count();
    return result;
  }
};

template <class ExecutionSpace>
using LeafMeshOn = LeafMesh<typename ExecutionSpace::memory_space>;

/// What is known of leaves about fronts. Leaves are numbered as in ConformingMesh::sources. Arrays lie in the memory of
/// the execution space.
struct LeafFronts {
  Speed speed;              ///< constant, or of leaves, which are its elements
  NumberedSources sources;  ///< leaves in which fronts start
  const std::int64_t* stop; ///< [numStop] leaves that the iteration waits for
  std::int64_t numStop;
};

/// The same of the elements and vertices of their mesh. Keeps its memory.
template <class MemorySpace>
struct ElementFronts {
  Speed speed;
  geometry::List<double, MemorySpace> speeds;        ///< values of the speed
  geometry::List<std::int64_t, MemorySpace> sources; ///< elements in which fronts start
  geometry::List<double, MemorySpace> times;         ///< [sources]; none where all start at 0
  geometry::List<std::int64_t, MemorySpace> origins; ///< [sources] which of LeafFronts' sources each one is of
  geometry::List<std::int64_t, MemorySpace> stop;    ///< vertices that the iteration waits for, ascending

  [[nodiscard]] NumberedSources sourceView() const {
    return {sources.data(), times.empty() ? nullptr : times.data(), sources.count()};
  }
};

/// out = what leaves know of fronts, for their mesh. A leaf without elements is left out. Throws InvalidArgument where
/// the speed is one of vertices. O(elements + vertices + sources log elements). A repeated call allocates nothing.
template <class ExecutionSpace>
void frontsInMesh(const Context<ExecutionSpace>& context, const LeafMeshOn<ExecutionSpace>& mesh,
  const LeafFronts& leaves, ElementFronts<typename ExecutionSpace::memory_space>& out);

/// The elements of a leaf, for kernels.
struct ElementsOfLeaf {
  std::int64_t first;
  std::int64_t last;

  /// leafOfElement ascends. O(log elements).
  KOKKOS_FUNCTION ElementsOfLeaf(const std::int64_t* leafOfElement, std::int64_t numElements, std::int64_t leaf)
    : first(firstAbove(leafOfElement, 0, numElements, leaf - 1)),
      last(firstAbove(leafOfElement, first, numElements, leaf)) {}
};

} // namespace spanwise::eikonal
