#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// Collective. labels [numVertices], on input the sources that vertices start from (setStarts()) = the source that the
/// time of each vertex came from, a Voronoi map by travel time; -1 where no front came: every vertex with a time has a
/// label. `times` are those of iterateTimes() with `factoring`, and `startTimes` those it started from.
///
/// A vertex that kept its start is its own source's. Any other has its time from one simplex, that of those with an
/// earlier corner which gives the least, and the sources have shares in it: the mean of those of the earlier corners,
/// by their part in the place that its front came through. Shares are carried along and the largest says whose the
/// vertex is, so that a border keeps its direction between the edges of the mesh; of more than four the least are
/// dropped. Factored fronts may come to several vertices at one time, a plateau. What no earlier corner explains there
/// has the shares of the nearest vertex on the shortest way to the plateau's border.
///
/// Where simplices give a vertex the same time to the last bit, from equally early corners, that counts whose corners
/// have the least coordinates (`points`, x first); of equal shares that which such a corner has. So a map does not
/// depend on how vertices and elements are numbered, where they have different places. The least number of a source
/// would not do: labels are known after all times, parents are chosen before, and a vertex between two sources that
/// mirror each other would be labelled by how elements are numbered.
///
/// turns [numVertices] = the times, but where a strongly directed front comes to a vertex before it comes to any beside
/// it: there it is the least time that a way from there to a start must rise to. plateauSteps [numVertices] = how many
/// vertices of the same turn such a way goes over, 0 for all others. From a vertex that did not start, one around it
/// leads on to a source: one whose turn is earlier, or the same with fewer steps.
///
/// Times fall from vertex to corners, or steps do, so there is one solution, found in rounds over all vertices until
/// nothing changes: the same for any number of threads. O(simplices + vertices * rounds), at most as many rounds as
/// vertices on the way to a source.
///
/// A shared vertex has its time from a simplex of one rank, which tells the others its shares in every round. So the
/// map is that of one rank, however the mesh is cut. Only where several elements start a vertex at the same time its
/// source is the one with the least number, and ranks number them one after the other.
template <class ExecutionSpace, int corners, MeshReal Real>
void labelNearestSources(const Context<ExecutionSpace>& context, const VertexView<Real>& points,
  SimplexMesh<corners, ExecutionSpace>& simplices, const FactoringView& factoring, const double* times,
  const double* startTimes, std::int32_t* labels, double* turns, std::int32_t* plateauSteps);

} // namespace spanwise::eikonal
