#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/FrameArrays.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::lattice {

/// How much a flow changes from one call to the next, to find out when it is steady.
///
/// Keeps the velocity of the last call: 4 bytes a cell and axis.
template <class ExecutionSpace, int Dim>
class VelocityChange {
public:
  using Flow = LatticeFlow<ExecutionSpace, Dim>;

  /// Collective. The greatest change of the velocity of a cell since the last call, as a part of a speed in cells a
  /// step; of the greatest speed in the flow where that is 0. Infinite at the first call, and where a velocity is not a
  /// number. The same on any number of ranks, to the last bit. Waits; only the first call allocates. O(cells).
  [[nodiscard]] double since(const Context<ExecutionSpace>& context, Flow& flow, double speed);

  /// The velocity of the last call, as far as there was one.
  void store(FrameWriter& to) const;
  /// Goes on as if the last call had been here. `cells` are those of this rank. Throws Error where the frame has
  /// others.
  void restore(FrameReader& from, std::int64_t cells);

private:
  using Velocities = Kokkos::View<float* [Dim], Kokkos::LayoutLeft, typename ExecutionSpace::memory_space>;

  Velocities last_;
  bool hasLast_ = false;
};

} // namespace spanwise::lattice
