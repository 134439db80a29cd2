#pragma once

#include "Core/Geometry/CommonCells.hpp"
#include "Core/Multilevel/LevelHalo.hpp"
#include "Core/Multilevel/PointTravel.hpp"
#include "Core/Multilevel/Sampling.hpp"

#include <array>
#include <cstdint>
#include <type_traits>

namespace spanwise {

/// How the values of a hierarchy in a domain that is cut among ranks, or repeats along axes, are read at points. Keeps
/// its memory. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
struct DomainSampling {
  using Memory = typename ExecutionSpace::memory_space;

  explicit DomainSampling(const Communicator& communicator) : travel(communicator) {}

  Sampling sampling = Sampling::Constant;
  int numLevels = 0;
  RowCut rootCut;
  Periods<Dim> periods;
  bool endsHere = true;
  PointTravel<ExecutionSpace, Dim> travel;
  // For slopes: the cells of each level and those next to them.
  MultilevelSetOn<Dim, ExecutionSpace> around;
  std::array<CommonCells<Memory>, maxNumLevels> own; ///< the level's cells among them
  std::array<LevelHalo<ExecutionSpace, Dim>, maxNumLevels> halos;
  // What ranks find for others.
  Kokkos::View<std::int32_t*, Memory> levelsFound;
  Kokkos::View<std::int64_t*, Memory> cellsFound;
};

/// Collective. out = how values of `levels` are read, for use until they change; numbers of cells of all ranks' levels.
/// Allocates, unless the domain ends here. Throws on all ranks as LevelDomain::surround().
template <class ExecutionSpace, int Dim>
void buildSampling(const ExecutionSpace& space, LevelDomain<ExecutionSpace, Dim>& domain,
  const MultilevelSetOn<Dim, ExecutionSpace>& levels, Sampling sampling, DomainSampling<ExecutionSpace, Dim>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

/// What sampling a field uses again: values on the cells around too, and what ranks find for others.
template <class ExecutionSpace, class T>
struct SampledField {
  MultilevelFieldOn<T, ExecutionSpace> around;
  FieldOn<T, ExecutionSpace> found;
};

/// Collective. As samplePoints(), of the whole hierarchy, unwrapped: with the bits that one rank would get. Points may
/// lie anywhere, and each rank gets the values at its own; they travel to the ranks that have the leaves, and values
/// back. `field` and `leaves` are of this rank's cells; fields of all ranks have as many components. With slopes, a
/// copy of the field and a message to each rank beside this one for each level. Throws on all ranks.
template <class ExecutionSpace, int Dim, class T>
void samplePoints(const ExecutionSpace& space, DomainSampling<ExecutionSpace, Dim>& how,
  const MultilevelSetOn<Dim, ExecutionSpace>& levels, const MultilevelFieldOn<T, ExecutionSpace>& field,
  const Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>& points,
  std::type_identity_t<T> outside, FieldOn<T, ExecutionSpace>& out,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& levelsOfPoints,
  SampledField<ExecutionSpace, T>& scratch, const MultilevelSetOn<Dim, ExecutionSpace>* leaves = nullptr);

/// Collective. As locatePoints(), of the whole hierarchy: ranks(p) is the rank that has the leaf, -1 if no leaf holds
/// the point, and cells(p) its number there.
template <class ExecutionSpace, int Dim>
void locatePoints(const ExecutionSpace& space, DomainSampling<ExecutionSpace, Dim>& how,
  const MultilevelSetOn<Dim, ExecutionSpace>& leaves,
  const Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>& points,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& ranksOfPoints,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& cellsOfPoints,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& levelsOfPoints);

} // namespace spanwise
