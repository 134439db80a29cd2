#pragma once

#include "Core/Field/Checks.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Multilevel/JumpFaces.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

namespace spanwise::multilevel {

/// The faces between leaves of a level and finer cells, and what the fluxes on their two sides differ by (M. J. Berger,
/// P. Colella, J. Comput. Phys. 82, 1989).
///
/// A conservative scheme takes (dt / dx) (F_upper - F_lower) along each axis from a cell, F being fluxes through its
/// faces. Where a coarse cell borders on finer ones its flux has to be the mean of theirs, or what leaves one side does
/// not arrive on the other. So coarse fluxes are taken from the register and fine ones added, in any number of smaller
/// time steps, and correct() changes the coarse cells by what is left. Fluxes are functors, as JumpFaces says.
///
/// With ranks, or axes that repeat, the rank that has the coarse cell sums on both sides of its faces. Sums have the
/// bits that one rank's have. Keeps its memory.
template <class ExecutionSpace, int Dim, class T>
struct FluxRegister : JumpFaces<ExecutionSpace, Dim> {
  using Memory = typename ExecutionSpace::memory_space;

  /// A cell's faces on several sides, one after the other by their sides.
  struct Link {
    std::int64_t next; ///< the cell's next face, or -1
    int nextSide;
    bool isFirst;
  };
  /// Of fields with so many components.
  explicit FluxRegister(int components = 1) : numComponents(components) {}

  int numComponents;
  Kokkos::View<Link*, Memory> links;         ///< of each face
  field::Field<T, Memory> sums{"fluxes", 0}; ///< of each face: time times flux, fine less coarse
};

/// Collective. out = the register of this rank's cells of the levels l and l + 1, with all sums 0, for use until they
/// change. Throws InvalidArgument on all ranks where the register is to have no components or more than 32, and as
/// buildJumpFaces(). A repeated call makes no arrays. O(rows + intervals).
template <class ExecutionSpace, int Dim, class T>
void buildFluxRegister(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::type_identity_t<MultilevelSetOn<Dim, ExecutionSpace>>& levels,
  const GhostLevels<ExecutionSpace, Dim>& ghosts, int l, FluxRegister<ExecutionSpace, Dim, T>& out);

/// Sets all sums to 0. O(faces).
template <class ExecutionSpace, int Dim, class T>
void clear(const Context<ExecutionSpace>& context, FluxRegister<ExecutionSpace, Dim, T>& fluxes);

namespace detail {

template <class Flux, class ExecutionSpace, int Dim, class T>
void checkFlux(const FluxRegister<ExecutionSpace, Dim, T>& fluxes) {
  constexpr auto count = static_cast<int>(FluxOf<Flux>::size());
  if (count != fluxes.numComponents) {
    throw InvalidArgument("a flux of " + std::to_string(count) + " components is not for a register of " +
      std::to_string(fluxes.numComponents));
  }
}

} // namespace detail

/// Takes dt times the coarse fluxes from the sums. Throws InvalidArgument where the flux has not as many components as
/// the register. O(faces); does not wait, and allocates nothing.
template <class ExecutionSpace, int Dim, class T, class Flux>
void addCoarseFluxes(const Context<ExecutionSpace>& context, const Flux& flux, std::type_identity_t<T> dt,
  FluxRegister<ExecutionSpace, Dim, T>& fluxes) {
  SPANWISE_REGION("Multilevel::addCoarseFluxes");
  detail::checkFlux<Flux>(fluxes);
  detail::forFaces(context.space(), SPANWISE_KERNEL("coarse fluxes"), fluxes, 0, fluxes.faces.numCells(),
    detail::AddCoarse<T, Flux>{flux, dt, fluxes.sums.view()});
}

/// Adds dt times the mean of the fine fluxes through each face. As addCoarseFluxes().
template <class ExecutionSpace, int Dim, class T, class Flux>
void addFineFluxes(const Context<ExecutionSpace>& context, const Flux& flux, std::type_identity_t<T> dt,
  FluxRegister<ExecutionSpace, Dim, T>& fluxes) {
  SPANWISE_REGION("Multilevel::addFineFluxes");
  detail::checkFlux<Flux>(fluxes);
  detail::forFaces(context.space(), SPANWISE_KERNEL("fine fluxes"), fluxes, 0, fluxes.faces.numCells(),
    detail::AddFine<Dim, T, Flux>{flux, dt / T{childRows<Dim>}, fluxes.sums.view()});
}

/// Adds to the coarse cells, in each component, what the sums ask for: sum / dx on a lower face, - sum / dx on an upper
/// one, with dx[d] the size of a coarse cell along axis d. `coarse` is the field on extended[l]; its ghost cells are to
/// be filled again. A cell is corrected once for each axis, by both sides at once, so the result is the same for any
/// number of threads, and that of a mirror image is the mirror image. Throws InvalidArgument if the field does not have
/// that set's cells and the register's components. O(faces), one kernel.
template <class ExecutionSpace, int Dim, class T>
void correct(const Context<ExecutionSpace>& context, const FluxRegister<ExecutionSpace, Dim, T>& fluxes,
  const double (&dx)[Dim], field::Field<T, typename ExecutionSpace::memory_space>& coarse);

} // namespace spanwise::multilevel
