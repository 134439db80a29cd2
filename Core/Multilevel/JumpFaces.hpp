#pragma once

#include "Core/Geometry/Segments.hpp"
#include "Core/Multilevel/Detail/FluxFaces.hpp"
#include "Core/Multilevel/Ghosts.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <type_traits>

namespace spanwise::multilevel {

/// The faces between leaves of a level and finer cells. A conservative scheme needs the same fluxes on both sides of
/// them: either the mean of the fine ones takes the place of the coarse one (passFineFluxes()), or what they differ by
/// is summed and the coarse cells are corrected (FluxRegister).
///
/// A flux is a functor that a kernel of the execution space can call, once for a face:
///
///   Kokkos::Array<T, N> operator()(const FluxFace& face) const
///
/// gives all N components of what goes through the face between two cells, counted positive upwards along its axis, per
/// area and time. The cells are numbers in the extended set of their level (GhostLevels), on which the fields live that
/// the functor captures; their ghost cells are filled as far as it looks, which is at most their width from the face.
/// It is called at these faces only. Calls for the same face with the same values give the same bits, so a scheme uses
/// it for its update too.
///
/// With ranks, or axes that repeat, the rank that has the coarse cell has its faces: the finer cells on other ranks are
/// among its ghost cells, so nothing is sent. Keeps its memory.
template <class ExecutionSpace, int Dim>
struct JumpFaces {
  using Memory = typename ExecutionSpace::memory_space;

  /// Faces of coarse cells side by side, all on one side of them: 2 d for the lower faces along axis d, 2 d + 1 for the
  /// upper ones. Of the k-th, coarse.moved(k) is the coarse cell and refined.moved(k) the one across; of the finer
  /// faces in row r, fine[r].moved(2 k) is the finer cell and ghost[r].moved(2 k) that across, in the coarse cell.
  /// Where the face is not normal to x there is one more in each row.
  struct Run {
    int side;
    detail::CellAtFace coarse;
    detail::CellAtFace refined;
    detail::CellAtFace fine[childRows<Dim>];
    detail::CellAtFace ghost[childRows<Dim>];
  };
  std::int64_t numCoarseCells = 0;  ///< of the extended set
  geometry::Segments<Memory> faces; ///< one side after the other
  Kokkos::View<Run*, Memory> runs;
  std::int64_t firstFace[2 * Dim + 1] = {}; ///< of each side; then how many there are
  geometry::IntervalSetOn<Dim, ExecutionSpace> scratch[3];
  geometry::IntervalSetOn<Dim, ExecutionSpace> cellsOfSide[2 * Dim]; ///< with a refined neighbour there
};

/// Collective. out = this rank's faces between the levels l and l + 1, for use until they change. The ghost levels are
/// those of the hierarchy. Throws InvalidArgument on all ranks where there is no level l + 1, or the ghost levels are
/// of another hierarchy. A repeated call makes no arrays. O(rows + intervals).
template <class ExecutionSpace, int Dim>
void buildJumpFaces(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::type_identity_t<MultilevelSetOn<Dim, ExecutionSpace>>& levels,
  const GhostLevels<ExecutionSpace, Dim>& ghosts, int l, JumpFaces<ExecutionSpace, Dim>& out);

/// Hands the mean of the fine fluxes through each face to the coarse side: calls put(face, mean), a functor
/// void operator()(const FluxFace&, const Kokkos::Array<T, N>&) const, once for each coarse face. For schemes that keep
/// fluxes and take the same steps on all levels: with this one in place of its own a coarse cell gets what the finer
/// ones give. O(faces), one kernel; does not wait, and allocates nothing.
template <class ExecutionSpace, int Dim, class Flux, class Put>
void passFineFluxes(const Context<ExecutionSpace>& context, const Flux& flux, const Put& put,
  const JumpFaces<ExecutionSpace, Dim>& jumps) {
  SPANWISE_REGION("Multilevel::passFineFluxes");
  detail::forFaces(context.space(), SPANWISE_KERNEL("pass fluxes"), jumps, 0, jumps.faces.numCells(),
    detail::PassFine<Dim, Flux, Put>{flux, put});
}

} // namespace spanwise::multilevel
