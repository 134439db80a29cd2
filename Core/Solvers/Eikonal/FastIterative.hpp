#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/IterationReport.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace spanwise::eikonal {

/// When an iteration ends, and how it goes on.
struct IterationOptions {
  /// Times after this one are not computed.
  double stopTime = std::numeric_limits<double>::infinity();
  /// What an update must bring, as a share of the time, to count.
  double tolerance = 1e-13;
  /// The most iterations.
  std::int64_t maxIterations = std::numeric_limits<std::int64_t>::max();
  /// Vertices wait until the front comes near: those within so many mean travel times of an edge behind the first go
  /// on together. Small: fewer updates. Large: fewer iterations, what a device likes.
  double window = 1.0;
  /// A region [numStopVertices], in the memory of the execution space: when all its vertices have their times the
  /// iteration ends, and times after the last of them are not computed. Where fronts cannot come to one of them it
  /// goes on to the end. Null: everywhere.
  const std::int64_t* stopVertices = nullptr;
  std::int64_t numStopVertices = 0;
};

/// Collective. Lowers `times` [numVertices] until no simplex of the mesh can lower them further: the arrival times of
/// fronts that start at the vertices with a finite time on input, where others have notReached. First order in the size
/// of the elements.
///
/// The fast iterative method (Z. Fu, R. M. Kirby, R. T. Whitaker, SIAM J. Sci. Comput. 35 (2013)), with these changes.
/// A vertex whose time fell tells the simplices around it, and these compute the times of their other vertices, so that
/// no simplex is asked for which nothing changed. Vertices far behind the front wait (as in S. Hong, W.-K. Jeong, A
/// group-ordered fast iterative method for eikonal equations, IEEE Trans. Parallel Distrib. Syst. 28 (2017)). All
/// updates of an iteration start from the times before it, and the least wins: the same bits for any number of threads.
///
/// All ranks do the same iterations at once. In each, the times that fell at the border go to the neighbours before
/// they are taken over, and then all agree on where to go on, in one reduction. So times differ from those of one rank
/// by round-off at most, however the mesh is cut. A source is given on at least one of the ranks that have the vertex;
/// afterwards all that have a vertex have its time.
///
/// Simplices that are in `factoring` are updated with factored times (Factoring.hpp); it is of this rank's simplices,
/// and the places in it are known on every rank whose simplices are factored by them.
///
/// All memory is taken from the context's workspace. Throws InvalidArgument, on all ranks, where `times` has another
/// length than the mesh has vertices, a time on input is NaN or -infinity, an option is out of range, a vertex of the
/// region does not exist, or ranks have different options; Cancelled when the context's progress says so on any rank,
/// and `times` are then all notReached. A region to stop at is what all ranks name of it.
template <class ExecutionSpace, int numCorners>
IterationReport iterateTimes(const Context<ExecutionSpace>& context, SimplexMesh<numCorners, ExecutionSpace>& mesh,
  const IterationOptions& options, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  const FactoringView& factoring = {});

} // namespace spanwise::eikonal
