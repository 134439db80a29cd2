#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"

#include <array>
#include <memory>

namespace spanwise::lattice::detail {

/// Finds what velocities have derivatives for: vorticity and the Q criterion, by differences to the cells on both
/// sides. At a wall the velocity halfway to the next cell is the wall's.
template <class ExecutionSpace, int Dim>
class FluidDerivatives {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Field = field::FieldOn<double, ExecutionSpace>;

  /// Of a set with its halo. `boundary` is that of the populations.
  void build(const Context<ExecutionSpace>& context, const Set& set, const parallel::HaloPlan& plan,
    const LatticeOptions<Dim>& options, const field::Boundary<Dim>& boundary);

  /// Collective. values = FluidValue of own cells, by their moments.
  void find(const Context<ExecutionSpace>& context, const Field& moments, Field& values);

private:
  field::StencilMapOn<field::FacePattern<Dim>, ExecutionSpace> map_;
  std::unique_ptr<parallel::HaloExchange<ExecutionSpace>> exchange_;
  std::array<SideCondition<Dim>, 2 * Dim> sides_;
  Field moments_; ///< with the halo
  Field found_;   ///< with the halo
};

} // namespace spanwise::lattice::detail
