#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Multilevel/FluxRegister.hpp"
#include "Core/Multilevel/MultilevelField.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Flow/Detail/WallForce.hpp"
#include "Core/Solvers/Flow/FlowOptions.hpp"

#include <array>
#include <cstdint>

namespace spanwise::flow::detail {

/// What a time step follows from, and what is wrong with a state.
struct StateCheck {
  /// The greatest sum over axes of (|velocity| + speed of sound) / cell size; NaN where a state is none.
  double fastest = 0.0;
  /// Cells whose density or pressure is below the least allowed.
  std::int64_t numLow = 0;
};

/// The kernels of a scheme on each level, for the choices of FlowOptions. Keeps its memory.
template <class ExecutionSpace, int Dim>
class FlowScheme {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Field = field::FieldOn<double, ExecutionSpace>;
  using Jumps = multilevel::JumpFaces<ExecutionSpace, Dim>;
  using Register = multilevel::FluxRegister<ExecutionSpace, Dim, double>;
  using Cells = geometry::CommonCells<Memory>;

  explicit FlowScheme(const FlowOptions<Dim>& options)
    : riemann_(options.riemann), reconstruction_(options.reconstruction), gas_{options.gamma} {
    for (Field& fluxes : fluxes_) {
      fluxes.setName("fluxes");
    }
  }

  /// How far the stencil looks.
  [[nodiscard]] int width() const { return reconstruction_ == Reconstruction::Constant ? 1 : 2; }
  [[nodiscard]] int numStages() const { return reconstruction_ == Reconstruction::Constant ? 1 : 2; }
  [[nodiscard]] const IdealGas<double>& gas() const { return gas_; }

  /// Finds neighbours of a level's cells. `cells` are those of the extended set that are stepped, `faceCells` those
  /// through whose upper faces fluxes are needed.
  void useLevel(
    const Context<ExecutionSpace>& context, int level, const Set& extended, const Cells& cells, const Cells& faceCells);

  /// Computes the fluxes of a level. They are kept until those of a level two below or above are.
  void findFluxes(const Context<ExecutionSpace>& context, int level, const Field& state);
  /// Where a level meets the next finer one its fluxes become the means of those.
  void takeFineFluxes(const Context<ExecutionSpace>& context, int level, const Jumps& jumps);
  /// Takes dt times the fluxes of a level from a register of it and the next finer one.
  void addCoarseFluxes(const Context<ExecutionSpace>& context, int level, double dt, Register& sums) const;
  /// Adds dt times the fluxes of a level to a register of it and the next coarser one.
  void addFineFluxes(const Context<ExecutionSpace>& context, int level, double dt, Register& sums) const;
  /// With the fluxes of `in`: out = kept out + (1 - kept) (in + dt rate(in)) in the cells of a level; `ratio` is dt /
  /// cell size.
  void stage(const Context<ExecutionSpace>& context, int level, const Field& in, const double (&ratio)[Dim],
    double kept, Field& out) const;

  /// Waits.
  [[nodiscard]] StateCheck check(
    const Context<ExecutionSpace>& context, const Cells& cells, const Field& state, const double (&spacing)[Dim]) const;
  /// Raises densities and pressures to the least allowed.
  void raise(const Context<ExecutionSpace>& context, const Cells& cells, Field& state) const;

  /// What is told of the cells of a level (FlowValue), from a state whose ghost cells are filled.
  void tell(const Context<ExecutionSpace>& context, int level, const Field& state, const double (&spacing)[Dim],
    Field& out) const;
  /// What the gas in `cells`, of the finest level, pushes solid cells beside it with. Waits.
  [[nodiscard]] ForceSum<Dim> force(const Context<ExecutionSpace>& context, const Set& cells, const Set& extended,
    const Field& state, const double (&spacing)[Dim]) const;

private:
  [[nodiscard]] Field& fluxesOf(int level) { return fluxes_[level % 2]; }
  [[nodiscard]] const Field& fluxesOf(int level) const { return fluxes_[level % 2]; }

  Riemann riemann_;
  Reconstruction reconstruction_;
  IdealGas<double> gas_;
  // One of them is used.
  std::array<field::StencilMap<field::StarPattern<Dim, 1>, Memory>, multilevel::maxNumLevels> nearest_;
  std::array<field::StencilMap<field::StarPattern<Dim, 2>, Memory>, multilevel::maxNumLevels> wide_;
  std::array<field::StencilMap<field::LowerFacePattern<Dim>, Memory>, multilevel::maxNumLevels> lower_;
  Field fluxes_[2]; ///< through upper faces, axis by axis: of a level and the next
};

} // namespace spanwise::flow::detail
