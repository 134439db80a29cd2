#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <span>
#include <vector>

namespace spanwise::lattice {

/// Points where density and velocity of a flow are read: those of the leaf that holds the point, which is found anew
/// where levels have changed.
template <class ExecutionSpace, int Dim>
class FluidProbes {
public:
  using Flow = LatticeFlow<ExecutionSpace, Dim>;

  FluidProbes() = default;
  /// Collective. `lattice` says where the flow's cells of the root lie, `points` are the same on all ranks. Throws
  /// InvalidArgument on all ranks, with the point and the rule, where one is in no cell with fluid. O(points log rows)
  /// a level.
  FluidProbes(const Context<ExecutionSpace>& context, const Flow& flow, const geometry::GridGeometry<Dim>& lattice,
    std::span<const std::array<double, Dim>> points);

  [[nodiscard]] std::size_t size() const { return readings_.size(); }

  /// Collective. What is at each point now, in units of the lattice: the same on all ranks, to the last bit. Valid
  /// until the next call. O(cells + points); allocates nothing, and waits.
  [[nodiscard]] std::span<const FluidState<Dim>> read(const Context<ExecutionSpace>& context, Flow& flow);

private:
  using Memory = typename ExecutionSpace::memory_space;
  using Values = Kokkos::View<double * [Dim + 1], Kokkos::LayoutRight, Memory>;

  void find(const Context<ExecutionSpace>& context, const Flow& flow);

  Kokkos::View<geometry::Cell<Dim>*, Memory> cells_; ///< of the finest level
  Kokkos::View<std::int64_t*, Memory> numbers_;      ///< of leaves of this rank; -1 for those of others
  Kokkos::View<int*, Memory> levels_;                ///< of these leaves
  std::int64_t numLevelChanges_ = 0;                 ///< of the flow when they were found
  Values values_;
  typename Values::host_mirror_type onHost_;
  std::vector<double> sums_;
  std::vector<FluidState<Dim>> readings_;
};

} // namespace spanwise::lattice
