#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/FrameArrays.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::lattice {

/// How much a flow changes from one call to the next, to find out when it is steady.
///
/// Keeps the velocity of the last call: 4 bytes a cell and axis. Leaves of levels are compared with those of the same
/// place, so there is nothing to compare with where levels have changed: a flow that they still follow is not steady.
template <class ExecutionSpace, int Dim>
class VelocityChange {
public:
  using Flow = LatticeFlow<ExecutionSpace, Dim>;

  /// Collective. The greatest change of the velocity of a cell since the last call, as a part of a speed in cells a
  /// step; of the greatest speed in the flow where that is 0. Infinite at the first call, where levels have changed
  /// since the last one, and where a velocity is not a number. The same on any number of ranks, to the last bit. Waits;
  /// allocates at the first call and where levels have changed. O(cells).
  [[nodiscard]] double since(const Context<ExecutionSpace>& context, Flow& flow, double speed);

  /// The velocity of the last call, as far as there was one.
  void store(FrameWriter& to) const;
  /// Goes on as if the last call had been here.
  void restore(FrameReader& from);

private:
  using Velocities = Kokkos::View<float* [Dim], Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

  Velocities last_; ///< of the leaves of one level after the other
  bool hasLast_ = false;
  std::int64_t numLevelChanges_ = 0; ///< of the flow at the last call
};

} // namespace spanwise::lattice
