#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/SharedExchange.hpp"
#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace spanwise {

// Vertices that smoothing should hold: what is found is added to `marks` [numVertices] as 1, the others stay as they
// are. All throw InvalidArgument where `marks` or the ball have another length than the mesh has vertices.

/// Marks the vertices on the boundary: those of a face of solid elements, or of a side of flat ones, that an odd number
/// of elements has, and the ends of edges (one edge). Elements of each dimension are looked at by themselves.
///
/// At each vertex the exclusive or of a 64-bit hash of its faces is 0 where each is there twice. A vertex on the
/// boundary is missed only where hashes of different faces cancel, a chance of 2^-64. O(corners).
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markBoundaryVertices(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball,
  const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks);

/// Marks the vertices on features of surfaces and lines: those where the normals of two flat elements that share a side
/// make more than `degrees` with each other, and those where two edges meet at more than `degrees` from straight on.
/// Neighbours that are numbered in opposite senses count as if they were not. O(sum of squared degrees of vertices of
/// flat elements). Throws InvalidArgument also where `degrees` is not within 0 ... 180.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markFeatureVertices(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball,
  double degrees, const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks);

// The same on ranks that each have a part of a mesh. A face on a cut is no boundary, and elements of two ranks make a
// feature as those of one do: what is marked is what one rank would mark. Ranks that share a vertex mark it alike. They
// throw on all ranks what the others throw on any.

/// What a rank's part of a mesh has in common with others'. Lives no longer than what it is made of.
template <class ExecutionSpace>
struct SharedPart {
  SharedExchange<ExecutionSpace>& exchange; ///< of the vertices that ranks share
  const SharedVertices& shared;
  const std::vector<std::int64_t>& numbers; ///< of all vertices of the part (numberVertices())
};

/// Collective.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markBoundaryVerticesOnRanks(const Context<ExecutionSpace>& context, const SharedPart<ExecutionSpace>& part,
  const MeshView<Real, Index>& mesh, const BallView& ball,
  const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks);

/// A mesh in the memory of a space, and in the host's.
template <MeshReal Real, MeshIndex Index>
struct MirroredMesh {
  MeshView<Real, Index> mesh;
  MeshView<Real, Index> onHost;
};

/// Collective. What ranks have of flat elements and edges at a cut goes to those that share it.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markFeatureVerticesOnRanks(const ExecutionSpace& space, const SharedPart<ExecutionSpace>& part,
  const MirroredMesh<Real, Index>& mesh, const BallView& ball, double degrees,
  const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks);

} // namespace spanwise
