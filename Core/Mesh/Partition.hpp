#pragma once

#include "Core/Mesh/MeshView.hpp"

#include <cstdint>
#include <vector>

namespace spanwise {

/// How elements are dealt out.
enum class PartitionBy {
  Metis,     ///< few vertices between the parts: G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998) 359-392
  Bisection, ///< barycentres cut in two across their longest extent, again and again: fast, and needs no METIS
};

/// Whether this build has METIS.
bool hasMetis();

/// Which part each element of a mesh belongs to.
struct MeshPartition {
  std::vector<std::int32_t> partOfElement; ///< [numElements]: in [0, numParts)
  int numParts = 1;
  PartitionBy by = PartitionBy::Bisection; ///< what made it
};

/// Deals the elements of a mesh in the host's memory out to parts of about as many elements each. Where METIS is asked
/// for and this build has none, or there are fewer than 8 elements for each part, parts are made by bisection, and the
/// result says so. The same for the same mesh; METIS draws its random numbers from rand(), which it seeds.
/// Throws InvalidArgument where there is no part, where an element names a vertex that the mesh does not have, or where
/// there are more corners than METIS numbers; Error where METIS fails. O(corners log parts).
template <MeshReal Real, MeshIndex Index>
MeshPartition partitionMesh(const MeshView<Real, Index>& mesh, int numParts, PartitionBy by = PartitionBy::Metis);

/// What a partition costs and how even it is.
struct PartitionReport {
  std::int64_t maxElements = 0;       ///< of a part
  double imbalance = 1.0;             ///< that, by the mean of all parts
  std::int64_t numSharedVertices = 0; ///< in elements of several parts: the cut
  std::int64_t numCopies = 0;         ///< of vertices in all parts together, beyond one each
  /// Faces of solid elements, sides of flat ones and ends of edges that elements of several parts have.
  std::int64_t numCutFaces = 0;
};

/// The report for a mesh whose element e belongs to parts[e]. Throws InvalidArgument as partitionMesh() does, and where
/// there is not one part for each element. O(corners + cut faces log cut faces).
template <MeshIndex Index>
PartitionReport reportPartition(
  const ElementView<Index>& elements, std::int64_t numVertices, const MeshPartition& partition);

} // namespace spanwise
