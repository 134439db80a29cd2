#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/SharedExchange.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Starts.hpp"

#include <cstdint>

namespace spanwise::eikonal {

/// How many sources of each kind all ranks have. They are numbered through: the vertices of all ranks, one rank's after
/// the other's, their elements, points, triangles of the surface.
struct RankSources {
  std::int64_t numVertices = 0;
  std::int64_t numElements = 0;
  std::int64_t numPoints = 0;
  std::int64_t numTriangles = 0;
  std::int64_t firstVertex = 0;  ///< the number of this rank's first source vertex
  std::int64_t firstElement = 0; ///< and of its first source element

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstPoint() const { return numVertices + numElements; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstTriangle() const { return firstPoint() + numPoints; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t count() const { return firstTriangle() + numTriangles; }
};

/// Collective. Counts the sources of all ranks: vertices and elements are each rank's own, points and the surface those
/// of all, the same on each. Throws InvalidArgument on all ranks where these differ in number.
RankSources countSources(const Communicator& communicator, const Sources& sources);

/// Collective. setStarts() on ranks that each have a part of a mesh: `exchange` is of the vertices that they share.
/// Source vertices and elements are numbers of the rank's own, and one rank that names a vertex is enough; points and
/// the surface are the same on all ranks, each of which finds its own simplices for them. A point at a cut starts the
/// simplices around it on all ranks.
///
/// Times have the same bits as on one rank. Labels are those of RankSources. out.simplexOfPoint must be there if there
/// are points, and has simplices of this rank. The report is of all ranks: points are outside that are in no rank's
/// simplices. Throws on all ranks as setStarts() does on any.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
StartReport setStartsOnRanks(const Context<ExecutionSpace>& context, SharedExchange<ExecutionSpace>& exchange,
  const MeshView<Real, Index>& mesh, const Speed& speed, const SimplexMeshView<corners>& simplices,
  const Sources& sources, const StartArrays& out);

} // namespace spanwise::eikonal
