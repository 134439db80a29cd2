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

/// What a rank's part of a mesh has in common with others'. Lives no longer than what it is made of.
template <class ExecutionSpace>
struct SharedPart {
  SharedExchange<ExecutionSpace>& exchange; ///< of the vertices that ranks share
  const SharedVertices& shared;
  const std::vector<std::int64_t>& numbers; ///< of all vertices of the part (numberVertices())
};

// Vertices that smoothing should hold: what is found is added to `marks` [numVertices] as 1, the others stay as they
// are. Collective where ranks have a part of a mesh each, which `part` tells of: a face on a cut is no boundary, and
// elements of two ranks make a feature as those of one do. So what is marked is what one rank would mark, and ranks
// that share a vertex mark it alike. All throw InvalidArgument, on all ranks, where `marks` or the ball have another
// length than the mesh has vertices.

/// Marks the vertices on the boundary: those of a face of solid elements, or of a side of flat ones, that an odd number
/// of elements has, and the ends of edges (one edge). Elements of each dimension are looked at by themselves.
///
/// At each vertex the exclusive or of a 64-bit hash of its faces is 0 where each is there twice. A vertex on the
/// boundary is missed only where hashes of different faces cancel, a chance of 2^-64. O(corners); 16 bytes of the
/// workspace a vertex, 24 with a part.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markBoundaryVertices(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const BallView& ball, const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks,
  const SharedPart<ExecutionSpace>* part = nullptr);

/// Marks the vertices on features of surfaces and lines: those where the normals of two flat elements that share a side
/// make more than `degrees` with each other, and those where two edges meet at more than `degrees` from straight on.
/// Neighbours that are numbered in opposite senses count as if they were not. O(sum of squared degrees of vertices of
/// flat elements). What ranks have of flat elements and edges at a cut goes to those that share it. Throws
/// InvalidArgument also where `degrees` is not within 0 ... 180.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markFeatureVertices(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const BallView& ball, double degrees, const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks,
  const SharedPart<ExecutionSpace>* part = nullptr);

} // namespace spanwise
