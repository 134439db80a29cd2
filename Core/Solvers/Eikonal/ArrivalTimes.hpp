#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/SecondOrder.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"
#include "Core/Solvers/Eikonal/Starts.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace spanwise::eikonal {

/// Which elements of a mesh fronts go through.
enum class FrontsIn {
  Highest, ///< the solid ones if there are some, else the flat ones
  Flat,    ///< triangles and quadrilaterals
  Solid    ///< tetrahedra, pyramids, prisms and hexahedra
};

/// What a speed of 0 is.
enum class ZeroSpeed {
  Error,
  Wall ///< nothing goes through the element
};

/// What is kept to know where times came from.
enum class Trace {
  Nothing,
  Sources ///< the source of each vertex, and what tracePaths() needs
};

struct ArrivalOptions {
  IterationOptions iteration;
  /// Of the times: 1 or 2 (toSecondOrder()). Ways back (tracePaths()) want 1: only those fall all the way to a source.
  int order = 1;
  FrontsIn frontsIn = FrontsIn::Highest;
  ZeroSpeed zeroSpeed = ZeroSpeed::Error;
  FactoringOptions factoring;
  Trace trace = Trace::Nothing;
  /// Vertices within this distance of each other are taken for one (mergeVertices()); 0: those in the same place;
  /// negative: none; what is not finite else is an error. Speeds of vertices stay those of the elements' own ones.
  double mergeDistance = -1.0;
  /// Where the mesh closes on itself. Vertices are not merged then. Sources are within one period; the copies of points
  /// and vertices around it count where times are factored.
  Seam seam;
};

/// What arrival times took, and what was found in the mesh, on all ranks. Each vertex counts once; the first of
/// elements found is this rank's.
struct ArrivalReport {
  int dimension = 0;     ///< of the elements that fronts went through: 2 or 3; 0: there were none
  SourceNumbers sources; ///< what labels are the numbers of
  StartReport starts;
  IterationReport iteration;
  SecondOrderReport secondOrder; ///< all 0 where times are of first order
  Found degenerate;              ///< elements that are left out since they have no extent
  Found inverted;                ///< solid elements turned inside out, which are used
  Found walls;                   ///< elements of speed 0
  std::int64_t numSimplices = 0;
  std::int64_t numFactored = 0;  ///< simplices with factored times
  std::int64_t numMerged = 0;    ///< vertices that another one stands for
  std::int64_t numUnreached = 0; ///< vertices of simplices that no front has reached
  std::int64_t numUnused = 0;    ///< vertices that are in no simplex
  BallOccupancy occupancy;       ///< of the simplices around vertices
  std::size_t meshBytes = 0;     ///< of simplices, travel times along edges, and vertex balls
};

/// Arrival times and what they were computed with. Its memory is used again by the next solution. Lives no longer than
/// the communicator.
template <class ExecutionSpace>
struct ArrivalTimes {
  using Memory = typename ExecutionSpace::memory_space;

  int dimension = 0;                   ///< as in the report
  Kokkos::View<double*, Memory> times; ///< [numVertices], notReached where no front came
  Trace trace = Trace::Nothing;        ///< whether the next four are set
  /// [numVertices]: the source that each vertex has its time from (labelNearestSources()), -1: none.
  Kokkos::View<std::int32_t*, Memory> labels;
  Kokkos::View<double*, Memory> turns;              ///< [numVertices], of labelNearestSources()
  Kokkos::View<std::int32_t*, Memory> plateauSteps; ///< [numVertices], of labelNearestSources()
  Kokkos::View<double*, Memory> startTimes;         ///< [numVertices], of setStarts()
  SimplexMesh<3, ExecutionSpace> triangles;         ///< what fronts went through where the report's dimension is 2
  SimplexMesh<4, ExecutionSpace> tetrahedra;        ///< the same for 3
  /// [numVertices]: the vertex that stands for each one; not set where none were merged.
  Kokkos::View<std::int32_t*, Memory> representatives;
  /// [sources.points.count]: the first simplex that each source point is in.
  Kokkos::View<std::int32_t*, Memory> simplexOfPoint;
  Factoring<Memory> factoring;
  double periods[3] = {}; ///< of the seam
};

/// Collective. out = when fronts that start at `sources` arrive at the vertices of a mesh, where sqrt(grad u^T M grad
/// u) = 1 with the tensor M of `speed`: M = c^2 I is speed c, and the travel time along a vector e is sqrt(e^T M^-1 e).
/// First order in the size of the elements, or second (options.order). Elements that are no simplices are split
/// (splitByPlace()); how elements are oriented does not matter. What is apart from all sources keeps notReached:
/// replaceUnreached() puts another value there.
///
/// Every rank of the context has a part of the mesh: elements of its own, and vertices, of which `shared` are on
/// several ranks (sharedVerticesOf(), which numbers them as `mesh` does); null: none. Elements without vertices, and
/// vertices without elements, do not count; vertices that a rank shares get times also if it has no elements there, as
/// those of ghost elements do. Ranks may have nothing at all. Sources are as setStarts() has them, and a region to stop
/// at is what all ranks name of it. However the mesh is cut, times are those of one rank to round-off.
///
/// It is buildSimplexMesh(), setStarts(), setFactoring(), iterateTimes(), labelNearestSources() and toSecondOrder() in
/// a row; whoever solves often in one mesh calls them himself. Where sources that times are factored by are in
/// different media, times are iterated twice, the second time with factorByLabels(). Labels are those of the times of
/// first order.
///
/// Where duplicates are merged (options.mergeDistance), `shared` must be of the vertices that stand for others, and
/// vertices of different ranks are one only if they are shared. To merge those within a distance above 0 across ranks
/// put them where mergedPlaces() says, and merge what is in the same place.
///
/// Takes memory from the context's workspace and that of `out`, so that in one process a solution of the same size
/// allocates nothing. Throws InvalidArgument, on all ranks, as these do, where there is no source, a point is outside
/// of the mesh, the surface cuts no element, the order is not 1 or 2, a speed is 0 and must not, or ranks differ in
/// their options; Cancelled when the context's progress says so. `out.times` has no entries then.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
ArrivalReport solveArrivalTimes(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Speed& speed, const Sources& sources, const ArrivalOptions& options, ArrivalTimes<ExecutionSpace>& out,
  const SharedVertices* shared = nullptr);

/// Puts `value` at all vertices that no front has reached; returns how many there are.
template <class ExecutionSpace>
std::int64_t replaceUnreached(
  const ExecutionSpace& space, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times, double value);

} // namespace spanwise::eikonal
