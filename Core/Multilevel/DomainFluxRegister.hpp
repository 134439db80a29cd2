#pragma once

#include "Core/Multilevel/FluxRegister.hpp"
#include "Core/Multilevel/LevelHalo.hpp"
#include "Core/Multilevel/TransferMap.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <type_traits>

namespace spanwise::multilevel {

/// The flux register of a level and the next finer one in a domain that is cut among ranks, or repeats along axes:
/// faces between a leaf of this rank and finer cells on another one, or at the other end of a period, are there too.
/// Sums are the rank's that has the coarse cell, and have the bits that one rank's have. Of fluxes through finer faces
/// only their sums on coarse ones travel, and only of cells beside cuts and ends of periods. Keeps its memory. Lives no
/// longer than the communicator.
template <class ExecutionSpace, int Dim, class T>
struct DomainFluxRegister {
  using Memory = typename ExecutionSpace::memory_space;
  static constexpr int numSides = 2 * Dim;

  /// Coarse cells side by side, and the refined ones across their face: the k-th has number coarse + k, the one across
  /// number refined + k in `refined`.
  struct Run {
    std::int64_t coarse;
    std::int64_t refined;
  };

  FluxRegisterOn<Dim, T, ExecutionSpace> own;           ///< the faces between this rank's own cells
  FluxSide<Run, T, Memory> across[numSides];            ///< the others
  geometry::IntervalSetOn<Dim, ExecutionSpace> refined; ///< this rank's refined cells at its ends, and those next to it
  TransferMapOn<Dim, ExecutionSpace> children;          ///< of the former
  LevelHalo<ExecutionSpace, Dim> halo;
  field::FieldOn<T, ExecutionSpace> sums{"fluxes", 0, numSides}; ///< through the finer faces of each side of `refined`
  geometry::IntervalSetOn<Dim, ExecutionSpace> scratch[4];
};

/// Collective. As buildFluxRegister(), for this rank's cells of the levels l (coarse) and l + 1 (fine). Allocates,
/// unless the domain ends here. Throws on all ranks, InvalidArgument also where cells are not this rank's.
template <class ExecutionSpace, int Dim, class T>
void buildFluxRegister(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain, int l,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  DomainFluxRegister<ExecutionSpace, Dim, T>& out);

/// As clear() of a FluxRegister.
template <class ExecutionSpace, int Dim, class T>
void clear(const ExecutionSpace& space, DomainFluxRegister<ExecutionSpace, Dim, T>& fluxes);

/// As addCoarseFluxes(), from this rank's cells.
template <class ExecutionSpace, int Dim, class T>
void addCoarseFluxes(const ExecutionSpace& space, const field::FieldOn<T, ExecutionSpace>& flux,
  std::type_identity_t<T> dt, DomainFluxRegister<ExecutionSpace, Dim, T>& fluxes);

/// Collective. As addFineFluxes(), from this rank's cells: a message of 2 Dim values for each refined cell beside a cut
/// goes to each rank beside this one. Throws InvalidArgument on all ranks, and has then added nothing. A repeated call
/// allocates nothing.
template <class ExecutionSpace, int Dim, class T>
void addFineFluxes(const ExecutionSpace& space, const field::FieldOn<T, ExecutionSpace>& flux,
  std::type_identity_t<T> dt, DomainFluxRegister<ExecutionSpace, Dim, T>& fluxes);

/// As correct(), of this rank's cells.
template <class ExecutionSpace, int Dim, class T>
void correct(const ExecutionSpace& space, const DomainFluxRegister<ExecutionSpace, Dim, T>& fluxes,
  const double (&dx)[Dim], field::FieldOn<T, ExecutionSpace>& coarse, int component = 0);

} // namespace spanwise::multilevel
