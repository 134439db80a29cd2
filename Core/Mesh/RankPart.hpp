#pragma once

#include "Core/Mesh/MeshParts.hpp"
#include "Core/Mesh/SharedVertices.hpp"

#include <cstdint>
#include <span>

namespace spanwise {

/// A rank's part of a mesh, as solvers on ranks need it.
struct RankPart {
  MeshParts mesh;        ///< one part: the rank's own elements, and the vertices that they touch
  SharedVertices shared; ///< in the numbers of `mesh`
};

/// Collective. Makes a part of what a rank has got of a mesh, in the host's memory: a piece of a dataset, with ghost
/// elements or without.
///
/// isGhost[e] (or empty: none): not 0 where another rank has element e as its own; these are left out. ids[v] (or
/// empty): a number of vertex v that is the same on all ranks. Where a rank with vertices has none, vertices are told
/// apart by their coordinates on all ranks. Elements and vertices of the part have no gaps, and their numbers in the
/// piece stand in it; vertices ascend by their ids or else by their places, so that all ranks agree on how elements
/// at the cut are split. Throws, on all ranks, what splitMesh() and findSharedVertices() throw on any, and
/// InvalidArgument where isGhost or ids have another length than the mesh.
template <MeshReal Real, MeshIndex Index>
RankPart makeRankPart(const Communicator& communicator, const MeshView<Real, Index>& piece,
  std::span<const std::uint8_t> isGhost, std::span<const std::int64_t> ids);

/// Collective. The vertices that a rank's piece of a mesh, in the host's memory, shares with other ranks' pieces, in
/// the piece's numbers: of those in the lists of its elements, which includes elements that are none to Core (of a type
/// without vertices), as ghost elements are. So ranks that have such elements learn what others compute there.
///
/// ids[v] (or empty): a number of vertex v that is the same on all ranks. Where a rank with vertices has none, vertices
/// are told apart by their coordinates. representatives[v] (or empty, on all ranks alike): the vertex that stands for
/// vertex v; then only those that stand for others are shared, by coordinates, in elements or not. Throws, on all
/// ranks, what findSharedVertices() throws on any, and InvalidArgument where an array has another length than the
/// piece.
template <MeshReal Real, MeshIndex Index>
SharedVertices sharedVerticesOf(const Communicator& communicator, const MeshView<Real, Index>& piece,
  std::span<const std::int64_t> ids, std::span<const std::int32_t> representatives = {});

} // namespace spanwise
