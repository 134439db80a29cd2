#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Flow/IdealGas.hpp"

#include <span>
#include <vector>

namespace spanwise::flow::detail {

/// Cells of the finest level whose states are read, at whatever level they are leaves. Keeps its memory.
template <class ExecutionSpace, int Dim>
class FlowProbes {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  void place(const Context<ExecutionSpace>& context, const std::vector<geometry::Cell<Dim>>& cells);

  /// Reads those that are leaves of a level, `coarser` levels below the finest, on this rank.
  void read(const Context<ExecutionSpace>& context, const IdealGas<double>& gas, int coarser, const Set& leaves,
    const Set& extended, const field::FieldOn<double, ExecutionSpace>& state);
  /// Collective. What was read of all levels and ranks, 0 where nothing was; the next read() begins anew. Waits.
  [[nodiscard]] std::span<const Primitive<double, Dim>> finish(const Context<ExecutionSpace>& context);

private:
  static constexpr int count = Component<Dim>::count;

  Kokkos::View<geometry::Cell<Dim>*, Memory> cells_;
  Kokkos::View<double* [count], Kokkos::LayoutRight, Memory> values_;
  typename Kokkos::View<double* [count], Kokkos::LayoutRight, Memory>::host_mirror_type onHost_;
  std::vector<double> sums_;
  std::vector<Primitive<double, Dim>> readings_;
};

} // namespace spanwise::flow::detail
