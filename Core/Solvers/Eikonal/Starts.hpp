#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// What became of sources.
struct StartReport {
  std::int64_t numStarts = 0;    ///< vertices that fronts start at
  std::int64_t numOutside = 0;   ///< points that are in no simplex
  std::int64_t firstOutside = 0; ///< the first of them, where there are some
  bool surfaceCuts = false;      ///< the surface cuts or touches a simplex
};

/// What setStarts() writes, in the memory of the execution space.
struct StartArrays {
  /// [numVertices]: when fronts start at the vertices, notReached at all others: what iterateTimes() goes on with
  double* times = nullptr;
  /// [numVertices]: the source that each vertex starts from, of several with the same time the one with the least
  /// number; -1 at all others. Null: not asked for
  std::int32_t* labels = nullptr;
  /// [sources.points.count]: the first simplex that each point is in, -1: none. Null: not asked for
  std::int32_t* simplexOfPoint = nullptr;
  /// [numVertices], read: the vertex that stands for each one, where several are one. Null: all differ
  const std::int32_t* representatives = nullptr;
};

/// Lets fronts start at `sources`. `mesh`, `speed` and `simplices` are those of buildSimplexMesh().
///
/// Points and triangles are put into bins, and each simplex looks for those near it: O(simplices + pairs of simplices
/// and sources that are near each other). The same for any number of threads. Points that are in no simplex start
/// nothing and are counted. Throws InvalidArgument where a source names a vertex, element or point that does not exist,
/// or a time or coordinate of one is not finite, or a coordinate not within farthestCoordinate of 0.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
StartReport setStarts(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const Sources& sources, const StartArrays& out);

/// simplexOfPoint [points.count] = the first simplex that each point is in, -1: none. As setStarts() finds them.
template <class ExecutionSpace, int corners, MeshReal Real>
void locatePoints(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices,
  const SimplexMeshView<corners>& simplices, const PointSources& points, std::int32_t* simplexOfPoint);

} // namespace spanwise::eikonal
