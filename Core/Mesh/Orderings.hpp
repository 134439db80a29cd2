#pragma once

#include "Core/Mesh/MeshArrays.hpp"
#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

// Orders of the vertices and elements of a mesh in which what lies close together in space is close together in memory.
// An order says which vertex or element comes when: order[k] is the old number of what comes k-th. They are the same
// for any number of threads. Outputs have an entry for each vertex or element, else InvalidArgument is thrown; memory
// is taken from `workspace`.

/// The order of vertices along a Hilbert curve through the cube around them (the square or line where all coordinates
/// of an axis are equal), of 2^21 cells an axis in space and 2^31 in a plane; in one cell by their numbers. NaN counts
/// as the least coordinate. O(n log n). The curve: J. Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707
/// (2004) 381-387.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void orderVerticesAlongHilbertCurve(const ExecutionSpace& space, const VertexView<Real>& vertices,
  const Kokkos::View<Index*, typename ExecutionSpace::memory_space>& order,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

/// The same of elements, by their barycentres.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void orderElementsAlongHilbertCurve(const ExecutionSpace& space, const MeshView<Real, Index>& mesh,
  const Kokkos::View<Index*, typename ExecutionSpace::memory_space>& order,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

/// The reverse Cuthill-McKee order of vertices: breadth first through the elements, then from the last to the first, so
/// that the numbers of an element's vertices are close together (E. Cuthill, J. McKee, 24th ACM National Conference,
/// 1969; A. George, J. Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981). Children of a vertex
/// come by the number of elements around them, then by their numbers. Each connected part starts at a vertex far out
/// (A. George, J. Liu, ACM Trans. Math. Softw. 5 (1979)). Vertices without elements come last.
///
/// Level by level in parallel: of small meshes, or thin ones with many levels, a device has little. O(corners * degree
/// + n log n), some four walks through the mesh. Throws InvalidArgument also where the ball is that of another mesh.
template <class ExecutionSpace, MeshIndex Index>
void orderVerticesByCuthillMcKee(const ExecutionSpace& space, const ElementView<Index>& elements, const BallView& ball,
  const Kokkos::View<Index*, typename ExecutionSpace::memory_space>& order,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

/// places[order[k]] = k. Throws InvalidArgument where the lengths differ or a number is there twice or not at all.
template <class ExecutionSpace, MeshIndex Index>
void invertOrder(const ExecutionSpace& space,
  const Kokkos::View<const Index*, typename ExecutionSpace::memory_space>& order,
  const Kokkos::View<Index*, typename ExecutionSpace::memory_space>& places);

/// out = a mesh with its vertices and elements in other orders: vertices of elements are renumbered and stay in their
/// places within the element. An empty order: they stay where they are. The memory of `out` is used again; it must not
/// be that of the mesh. O(corners). Throws InvalidArgument as invertOrder() does.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void reorderMesh(const ExecutionSpace& space, const MeshView<Real, Index>& mesh,
  const Kokkos::View<const Index*, typename ExecutionSpace::memory_space>& vertexOrder,
  const Kokkos::View<const Index*, typename ExecutionSpace::memory_space>& elementOrder,
  MeshArrays<Real, Index, typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

} // namespace spanwise
