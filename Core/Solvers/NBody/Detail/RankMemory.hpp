#pragma once

#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/RankParticles.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace spanwise::nbody::detail {

/// Where the host's part of sums in an execution space is done: there, if it is one of the host.
template <class ExecutionSpace>
using HostSpaceFor = std::conditional_t<runsOnHost<ExecutionSpace>, ExecutionSpace, HostExecutionSpace>;

template <class ExecutionSpace>
[[nodiscard]] HostSpaceFor<ExecutionSpace> hostSpaceFor([[maybe_unused]] const ExecutionSpace& space) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    return space;
  } else {
    return {};
  }
}

/// What sums by multipoles on ranks keep between calls.
template <int Dim, class ExecutionSpace, class Real>
struct RankMemory {
  using There = Kokkos::View<Real*, typename ExecutionSpace::memory_space>;

  RankParticles<HostSpaceFor<ExecutionSpace>, Dim, Real> particles;
  RankColumns<Real> sums; ///< at this rank's part of the targets

  // copies, where sums are made in other memory than the host's
  RankColumns<Real> givenSources;
  RankColumns<Real> givenTargets;
  RankColumns<Real> results;
  There sourcesThere;
  There targetsThere;
  There sumsThere;
};

} // namespace spanwise::nbody::detail
