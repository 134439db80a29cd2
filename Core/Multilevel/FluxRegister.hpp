#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Segments.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

/// The faces on one side of coarse cells, in runs of cells side by side.
template <class Run, class T, class MemorySpace>
struct FluxSide {
  geometry::Segments<MemorySpace> faces;
  Kokkos::View<Run*, MemorySpace> runs;
  Kokkos::View<T*, MemorySpace> sums; ///< of each face: time times flux, fine less coarse
};

/// The faces between leaves of a level and finer cells, and what the fluxes on their two sides differ by (M. J. Berger,
/// P. Colella, J. Comput. Phys. 82, 1989).
///
/// A conservative scheme takes (dt / dx) (F_upper - F_lower) along each axis from a cell, F being fluxes through its
/// faces. Where a coarse cell borders on finer ones its flux has to be the mean of theirs, or what leaves one side does
/// not arrive on the other. So coarse fluxes are taken from the register and fine ones added, in any number of smaller
/// time steps, and correct() changes the coarse cells by what is left.
///
/// Fluxes come as a field on a level with 2 Dim components: component 2 d is the flux through the lower face along axis
/// d, 2 d + 1 that through the upper one, both counted positive upwards. Keeps its memory.
template <int Dim, class T, class MemorySpace>
struct FluxRegister {
  static constexpr int numSides = 2 * Dim;

  /// Coarse cells side by side and the finer cells across their face: those of the k-th are fine[r] + step k and,
  /// across a face that is not normal to x, fine[r] + step k + 1.
  struct Run {
    std::int64_t coarse;
    std::int64_t fine[Dim == 2 ? 2 : 4];
  };
  FluxSide<Run, T, MemorySpace> sides[numSides]; ///< 2 d: the lower faces along axis d; 2 d + 1: the upper ones
  std::int64_t numCoarseCells = 0;
  std::int64_t numFineCells = 0;
  geometry::IntervalSet<Dim, MemorySpace> scratch[4];
};

template <int Dim, class T, class ExecutionSpace>
using FluxRegisterOn = FluxRegister<Dim, T, typename ExecutionSpace::memory_space>;

/// out = the register of a level and the next finer one, with all sums 0, for use until they change. Fine cells are
/// complete groups of siblings (MultilevelSet). A repeated call allocates nothing. O(rows + intervals).
template <class ExecutionSpace, int Dim, class T>
void buildFluxRegister(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  FluxRegisterOn<Dim, T, ExecutionSpace>& out);

/// Sets all sums to 0. O(faces).
template <class ExecutionSpace, int Dim, class T>
void clear(const ExecutionSpace& space, FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes);

/// Takes dt times the coarse fluxes from the sums. Throws InvalidArgument if the field does not have the coarse level's
/// cells or not 2 Dim components. O(faces).
template <class ExecutionSpace, int Dim, class T>
void addCoarseFluxes(const ExecutionSpace& space, const field::FieldOn<T, ExecutionSpace>& flux,
  std::type_identity_t<T> dt, FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes);

/// Adds dt times the mean of the fine fluxes through each face. Throws as addCoarseFluxes() does. O(faces).
template <class ExecutionSpace, int Dim, class T>
void addFineFluxes(const ExecutionSpace& space, const field::FieldOn<T, ExecutionSpace>& flux,
  std::type_identity_t<T> dt, FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes);

/// Adds to component `component` of coarse cells what the sums ask for: sum / dx on a lower face, - sum / dx on an
/// upper one, with dx[d] the size of a coarse cell along axis d. Cells are corrected side by side, one side after the
/// other, so the result is the same for any number of threads. O(faces).
template <class ExecutionSpace, int Dim, class T>
void correct(const ExecutionSpace& space, const FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes, const double (&dx)[Dim],
  field::FieldOn<T, ExecutionSpace>& coarse, int component = 0);

} // namespace spanwise::multilevel
