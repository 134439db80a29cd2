#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"

#include <array>

namespace spanwise::lattice::detail {

/// Finds what velocities have derivatives for: vorticity and the Q criterion, by differences to the cells on both
/// sides. At a wall the velocity halfway to the next cell is the wall's.
template <class ExecutionSpace, int Dim>
class FluidDerivatives {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Field = field::FieldOn<double, ExecutionSpace>;

  /// For some cells of a set. `boundary` is that of the populations.
  void build(const Context<ExecutionSpace>& context, const Set& set, const Set& cells,
    const LatticeOptions<Dim>& options, const field::Boundary<Dim>& boundary);

  /// Takes moments of the cells; the others' stay.
  void put(const Context<ExecutionSpace>& context, const Field& moments) {
    copyCommon<ExecutionSpace, double>(context, fromCells_, moments, moments_);
  }
  /// Moments of the whole set. Those beside the cells are for the caller to fill.
  [[nodiscard]] Field& moments() { return moments_; }

  /// values = FluidValue of the cells. Cells are so much smaller than those that lengths and times are in units of.
  void find(const Context<ExecutionSpace>& context, double cellsInUnit, Field& values);

private:
  field::StencilMapOn<field::FacePattern<Dim>, ExecutionSpace> map_;
  geometry::CommonCells<Memory> fromCells_;
  geometry::CommonCells<Memory> toCells_;
  std::array<SideCondition<Dim>, 2 * Dim> sides_;
  Field moments_;
  Field found_; ///< of the whole set
};

} // namespace spanwise::lattice::detail
