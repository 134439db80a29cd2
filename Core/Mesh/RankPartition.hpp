#pragma once

#include "Core/Mesh/Partition.hpp"
#include "Core/Runtime/Communicator.hpp"

#include <cstdint>
#include <span>

namespace spanwise {

/// How a mesh that lies in pieces is dealt out.
struct RankPartition {
  MeshPartition mine;     ///< the parts of this rank's elements
  PartitionReport report; ///< of the whole mesh, on all ranks
};

/// Collective. partitionMesh() of a mesh in the host's memory of which each rank has a piece; no element may be in
/// several. numbers[v] is the number of the piece's vertex v: from 0 on, the same on all ranks that have the vertex and
/// different for different vertices (numberVertices()), without large gaps, as memory is taken for all numbers. One
/// process needs none.
///
/// METIS takes a mesh as a whole, so rank 0 gathers the corners and vertices of all elements, deals them out and tells
/// the others: a byte an element, 8 a corner and 32 a vertex of each piece go there, and METIS makes its graph there.
/// O(corners of all ranks log parts) on rank 0, O(corners) elsewhere. The same result for the same pieces.
///
/// Throws on all ranks what partitionMesh() throws on any, and InvalidArgument where there is not one number for each
/// vertex, or a number is negative.
template <MeshReal Real, MeshIndex Index>
RankPartition partitionMesh(const Communicator& communicator, const MeshView<Real, Index>& piece,
  std::span<const std::int64_t> numbers, int numParts, PartitionBy by = PartitionBy::Metis);

} // namespace spanwise
