#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/SharedExchange.hpp"
#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// What may become of the least quality that an element of the mesh has.
enum class WorstElement {
  MayGetWorse, ///< as far as SmoothOptions::minQuality lets it
  IsKept,      ///< none gets worse than the worst was before the first step
};

/// How vertices are smoothed.
struct SmoothOptions {
  int numIterations = 10;
  /// What part of its way a vertex goes in an iteration, above 0 and at most 1.
  double relaxation = 1.0;
  /// A step is refused where it leaves an element with a lower quality than this and than before: 0 refuses to invert
  /// elements, 1 to make any worse. Within 0 and 1.
  double minQuality = 0.0;
  /// IsKept: as if minQuality were the least quality that any element has at the beginning, if that is more.
  WorstElement worst = WorstElement::MayGetWorse;
};

/// What smoothing did.
struct SmoothReport {
  std::int64_t numRefused = 0; ///< steps of vertices that were refused, in all iterations
  double longestStep = 0.0;    ///< of a vertex in the last iteration, before refusals
};

/// The vertices of a rank's part of a mesh that stay, and how it hears of what others do at vertices that they share.
template <class ExecutionSpace>
struct HeldVertices {
  /// held[vertex] != 0 (markBoundaryVertices(), markFeatureVertices()); empty: none.
  Kokkos::View<const std::uint8_t*, typename ExecutionSpace::memory_space> held;
  SharedExchange<ExecutionSpace>* exchange = nullptr; ///< on the context's ranks; null: no vertices are shared
};

/// Collective. coordinates = the vertices of a mesh [3 * numVertices], x y z x y z ..., smoothed: in each iteration
/// every vertex goes to the mean of the barycentres of the elements around it, weighted by their length, area or
/// volume. Held vertices stay, and so do vertices without elements around, or whose elements have no size.
///
/// All vertices go at once, from where they are before. Then the elements that came out worse than the options allow
/// take their vertices' steps back, until there are none: so none is ever inverted that was not (meanRatio() is above 0
/// afterwards where it was before; edges keep a length). Solid elements of one type are to have the orientation that
/// most of their volume has at the beginning; flat ones the normal that they have before the step. The same bits for
/// any number of threads.
///
/// On ranks that each have a part of a mesh `mesh` has the elements of this rank alone. A shared vertex goes to the
/// mean of the barycentres of all ranks' elements around it, from where the first rank has it; it stays where any rank
/// holds it, and an element that refuses takes its steps back on all ranks. Sums there are made of each rank's, in the
/// order of ranks: the result is that of one rank but for round-off, and for the steps that round-off decides about.
/// The report is of all ranks.
///
/// `coordinates` must not overlap those of the mesh. All other memory is taken from the context's workspace: 33 bytes
/// an element and 64 a vertex, 67 where vertices are shared. O(iterations * corners), and as much again for each time
/// that steps are taken back. Throws, on all ranks, InvalidArgument where an option is out of range or differs among
/// ranks, or an array has the wrong length; Cancelled when `progress` says so, and `coordinates` are then undefined.
///
/// The scheme of two kernels: L. Marechal, The GMlib library, INRIA 2018, section 2.4.
template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
SmoothReport smoothVertices(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const BallView& ball, const SmoothOptions& options, const HeldVertices<ExecutionSpace>& held,
  const Kokkos::View<Real*, typename ExecutionSpace::memory_space>& coordinates);

} // namespace spanwise
