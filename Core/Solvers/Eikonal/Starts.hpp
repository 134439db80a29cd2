#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// How many sources of each kind all ranks have. They are numbered through: the vertices of all ranks, one rank's after
/// the other's, their elements, points, triangles of the surface.
struct SourceNumbers {
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
SourceNumbers countSources(const Communicator& communicator, const Sources& sources);

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
  /// [sources.points.count]: the first simplex of this rank that each point is in, -1: none. Null: not asked for
  std::int32_t* simplexOfPoint = nullptr;
  /// [numVertices], read: the vertex that stands for each one, where several are one. Null: all differ
  const std::int32_t* representatives = nullptr;
};

/// Collective. Lets fronts start at `sources`. `mesh` and `speed` are those of buildSimplexMesh(). Source vertices and
/// elements are numbers of the rank's own, and one rank that names a vertex is enough; points and the surface are the
/// same on all ranks, each of which finds its own simplices for them. A point at a cut starts the simplices around it
/// on all ranks. Labels are those of SourceNumbers. The report is of all ranks: points are outside that are in no
/// rank's simplices.
///
/// Points and triangles are put into bins, and each simplex looks for those near it: O(simplices + pairs of simplices
/// and sources that are near each other). The same for any number of threads. Points that are in no simplex start
/// nothing and are counted. Throws InvalidArgument, on all ranks, where a source names a vertex, element or point that
/// does not exist, or a time or coordinate of one is not finite, or a coordinate not within farthestCoordinate of 0.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
StartReport setStarts(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  SimplexMesh<corners, ExecutionSpace>& simplices, const Sources& sources, const StartArrays& out);

/// simplexOfPoint [points.count] = the first simplex that each point is in, -1: none. As setStarts() finds them.
template <class ExecutionSpace, int corners, MeshReal Real>
void locatePoints(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices,
  const SimplexMeshView<corners>& simplices, const PointSources& points, std::int32_t* simplexOfPoint);

} // namespace spanwise::eikonal
