#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <span>
#include <vector>

namespace spanwise::lattice {

/// Points where density and velocity of a flow are read: those of the cell that holds the point.
template <class ExecutionSpace, int Dim>
class FluidProbes {
public:
  using Flow = LatticeFlow<ExecutionSpace, Dim>;

  FluidProbes() = default;
  /// Collective. `lattice` says where the flow's cells lie, `points` are the same on all ranks. Throws InvalidArgument
  /// on all ranks, with the point and the rule, where one is in no cell with fluid. O(points log rows).
  FluidProbes(const Context<ExecutionSpace>& context, const Flow& flow, const geometry::GridGeometry<Dim>& lattice,
    std::span<const std::array<double, Dim>> points);

  [[nodiscard]] std::size_t size() const { return readings_.size(); }

  /// Collective. What is at each point now, in units of the lattice: the same on all ranks, to the last bit. Valid
  /// until the next call. O(cells + points); allocates nothing, and waits.
  [[nodiscard]] std::span<const FluidState<Dim>> read(const Context<ExecutionSpace>& context, Flow& flow);

private:
  using Memory = typename ExecutionSpace::memory_space;
  using Values = Kokkos::View<double * [Dim + 1], Kokkos::LayoutRight, Memory>;

  Kokkos::View<std::int64_t*, Memory> numbers_; ///< of cells of this rank; -1 for those of others
  Values values_;
  typename Values::host_mirror_type onHost_;
  std::vector<double> sums_;
  std::vector<FluidState<Dim>> readings_;
};

} // namespace spanwise::lattice
