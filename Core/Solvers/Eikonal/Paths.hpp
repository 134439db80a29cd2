#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"
#include "Core/Solvers/Eikonal/TracedPaths.hpp"

#include <cstdint>

namespace spanwise::eikonal {

/// Where paths begin, in the memory of the execution space.
struct PathTargets {
  const double* points = nullptr; ///< [count][3]
  std::int64_t count = 0;
  double reach = 0.0; ///< how far off the plane of a triangle a target may be: a length
};

struct PathOptions {
  std::int64_t maxSteps = 100000; ///< the most segments of a path
};

/// A point of a path.
struct PathPlace {
  double at[3];
  double time; ///< when the front was there
};

/// Paths from targets to sources, along which times never rise. They end at sources, by their number.
template <class MemorySpace>
using Paths = TracedPaths<PathPlace, MemorySpace>;

/// Collective. out = the fastest ways from targets back to the sources, simplex by simplex. `solution` is one of
/// solveArrivalTimes() with Trace::Sources for the same context, vertices and `sources`.
///
/// From a place p in a simplex, or in a face, an edge or a vertex that several share, a path goes straight to the place
/// y of the faces around, in which p is not, that minimises u(y) + sqrt((p - y)^T M^-1 (p - y)): the problem that gave
/// the vertices their times (SimplexUpdate.hpp), with factored times where they were factored. That is the direction
/// -M grad u of the front on that face, exact in each simplex, and the same rule at a vertex or on an edge. Where times
/// do not fall on the way to any such place, by half of what it takes at the least, the path goes straight to a vertex
/// around that is before the last vertex it came to: earlier, or on a plateau nearer to its border
/// (labelNearestSources()). There always is one, so every path runs down the times and ends at a source, whatever the
/// medium is: at the source point through its simplex, at the nearest place of a triangle of a surface. The times of
/// its points are linear between those of vertices, or factored as these are; a time that would rise on the way is made
/// that of the place after it. A path through targets outside of the mesh, or where no front came, has one point; one
/// that needs more than maxSteps segments ends there. Across a seam paths go on beyond the period, if elements are
/// shorter than half a period; targets are within it.
///
/// Targets are the same on all ranks. Where a path comes to a place whose vertices several ranks share, the rank that
/// has it asks these for the way on around the place, and it goes on with the one whose simplex is the fastest way, of
/// equal ones the first. A path ends up where its target is, on the first rank that has a simplex around that; those
/// without one are on rank 0. `out` has paths without points, which end at nothing, for all others. Sources are
/// numbered as labels are. A round for each time that a path comes to a cut. Allocates on several ranks.
///
/// O(targets * segments * simplices around a place). The same for any number of threads. Throws InvalidArgument, on all
/// ranks, where `solution` has no sources traced, or an option is out of range.
template <class ExecutionSpace, MeshReal Real>
void tracePaths(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices,
  const ArrivalTimes<ExecutionSpace>& solution, const Sources& sources, const PathTargets& targets,
  const PathOptions& options, Paths<typename ExecutionSpace::memory_space>& out);

} // namespace spanwise::eikonal
