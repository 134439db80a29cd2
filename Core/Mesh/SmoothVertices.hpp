#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// How vertices are smoothed.
struct SmoothOptions {
  int numIterations = 10;
  /// What part of its way a vertex goes in an iteration, above 0 and at most 1.
  double relaxation = 1.0;
  /// A step is refused where it leaves an element with a lower quality than this and than before: 0 refuses to invert
  /// elements, 1 to make any worse. Within 0 and 1.
  double minQuality = 0.0;
};

/// What smoothing did.
struct SmoothReport {
  std::int64_t numRefused = 0; ///< steps of vertices that were refused, in all iterations
  double longestStep = 0.0;    ///< of a vertex in the last iteration, before refusals
};

/// coordinates = the vertices of a mesh [3 * numVertices], x y z x y z ..., smoothed: in each iteration every vertex
/// goes to the mean of the barycentres of the elements around it, weighted by their length, area or volume. Vertices
/// with held[vertex] != 0 stay (markBoundaryVertices(), markFeatureVertices(); an empty view: none is held), and so do
/// vertices without elements around, or whose elements have no size.
///
/// All vertices go at once, from where they are before. Then the elements that came out worse than the options allow
/// take their vertices' steps back, until there are none: so none is ever inverted that was not (meanRatio() is above 0
/// afterwards where it was before; edges keep a length). Solid elements of one type are to have the orientation that
/// most of their volume has at the beginning; flat ones the normal that they have before the step. The same bits for
/// any number of threads.
///
/// `coordinates` must not overlap those of the mesh. All other memory is taken from `workspace`: 33 bytes an element
/// and 3 coordinates a vertex. O(iterations * corners), and as much again for each time that steps are taken back.
/// Throws InvalidArgument where an option is out of range or an array has the wrong length; Cancelled when `progress`
/// says so, and `coordinates` are then undefined.
///
/// The scheme of two kernels: L. Marechal, The GMlib library, INRIA 2018, section 2.4.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
SmoothReport smoothVertices(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball,
  const SmoothOptions& options, const Kokkos::View<const std::uint8_t*, typename ExecutionSpace::memory_space>& held,
  const Kokkos::View<Real*, typename ExecutionSpace::memory_space>& coordinates,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress = {});

} // namespace spanwise
