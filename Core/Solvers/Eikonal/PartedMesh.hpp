#pragma once

#include "Core/Mesh/MeshParts.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// What kernels see of a mesh in parts, beside its simplices. Vertices are those of the parts, which stand one after
/// the other; what the whole mesh has once may be there as several copies, which are a group.
struct PartsView {
  const std::int64_t* firstVertex = nullptr; ///< [numParts + 1]
  const std::int32_t* whole = nullptr;       ///< [numVertices]: the vertex of the whole mesh
  const std::int32_t* groupOf = nullptr;     ///< [numVertices]: -1 where there is but one copy
  const std::int64_t* firstCopy = nullptr;   ///< [numGroups + 1]
  const std::int32_t* copies = nullptr;      ///< vertices, group by group
  const std::int32_t* partOfCopy = nullptr;  ///< beside them
  std::int64_t numGroups = 0;
  int numParts = 0;
};

/// A simplex mesh that is cut open between its parts, each of which is solved by itself. Made once for a mesh, a
/// partition and speeds, used for any number of solutions.
template <int numCorners, class MemorySpace>
class PartedMesh {
public:
  /// All parts as one mesh without connections between them.
  [[nodiscard]] const SimplexMesh<numCorners, MemorySpace>& simplices() const { return simplices_; }
  [[nodiscard]] const PartsView& parts() const { return parts_; }
  [[nodiscard]] std::int64_t numVerticesOfWhole() const { return numVerticesOfWhole_; }

private:
  template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
  friend void buildPartedMesh(const ExecutionSpace&, const MeshView<Real, Index>&, const Speed&, const MeshParts&,
    PartedMesh<corners, typename ExecutionSpace::memory_space>&, Workspace<typename ExecutionSpace::memory_space>&);

  SimplexMesh<numCorners, MemorySpace> simplices_;
  Kokkos::View<std::int64_t*, MemorySpace> firstVertex_;
  Kokkos::View<std::int32_t*, MemorySpace> whole_;
  Kokkos::View<std::int32_t*, MemorySpace> groupOf_;
  Kokkos::View<std::int64_t*, MemorySpace> firstCopy_;
  Kokkos::View<std::int32_t*, MemorySpace> copies_;
  Kokkos::View<std::int32_t*, MemorySpace> partOfCopy_;
  PartsView parts_;
  std::int64_t numVerticesOfWhole_ = 0;
};

/// out = a mesh with its speeds, both of which lie in the memory of the execution space, in the parts that splitMesh()
/// made of it. Elements that are in no part are left out. O(corners) on the host, and as buildSimplexMesh(), whose
/// errors it throws; InvalidArgument also where parts have elements or vertices that the mesh has not.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void buildPartedMesh(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const MeshParts& parts, PartedMesh<corners, typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

} // namespace spanwise::eikonal
