#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/ForEachCell.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Parallel/Stepping.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Lattice/Detail/FluidDerivatives.hpp"
#include "Core/Solvers/Lattice/Detail/Populations.hpp"
#include "Core/Solvers/Lattice/FluidValues.hpp"
#include "Core/Solvers/Lattice/LatticeHistory.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace spanwise::lattice {

/// Density and velocity of a fluid.
template <int Dim>
struct FluidState {
  double density = 1.0;
  double velocity[Dim] = {};
};

/// What cells that are given to a flow have.
enum class CellsHold {
  Solid, ///< they are the obstacle; fluid is in the others of the box
  Fluid, ///< they are the pore space; all else is solid
};

/// Rest everywhere.
template <int Dim>
struct FluidAtRest {
  KOKKOS_FUNCTION FluidState<Dim> operator()(const double (& /*position*/)[Dim]) const { return {}; }
};

/// Flow of a fluid that is hardly compressed (Mach number below 0.3), by the lattice Boltzmann method, in a box with
/// obstacles.
///
/// Populations move to neighbours and collide, in one pass over memory. Walls, also those of obstacles, lie halfway
/// between a cell with fluid and one without. Second order in space. Mass is conserved to round-off of what is stored
/// where no fluid flows in or out.
///
/// On ranks all functions are collective; the result is that of one rank, to the last bit. Steps allocate nothing, and
/// wait for nothing but the messages of other ranks. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
class LatticeFlow final : public parallel::Stepper {
public:
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Field = field::FieldOn<double, ExecutionSpace>;

  /// The fluid is at rest. `cells` are solid, or hold the fluid; those of all ranks together, in any cut. Throws
  /// InvalidArgument on all ranks, with the value and the rule, for options that are out of their ranges and where no
  /// cell of the box is left to the fluid.
  LatticeFlow(const Context<ExecutionSpace>& context, const LatticeOptions<Dim>& options, const Set& cells = {},
    CellsHold hold = CellsHold::Solid);

  /// Starts from another state, in equilibrium: initial(position), of type FluidState<Dim>, at the centre of each cell,
  /// in cells. `Initial` is a functor that a kernel can call:
  /// FluidState<Dim> operator()(const double (&position)[Dim]) const.
  template <class Initial>
  void start(const Initial& initial) {
    moments_.resize(cells_.numCells(), Dim + 1);
    const FieldView<double> out = moments_.view();
    field::forEachCell(
      context_.space(), SPANWISE_KERNEL("start of fluid"), cells_,
      KOKKOS_LAMBDA(std::int64_t number, const geometry::Cell<Dim>& cell) {
        double position[Dim];
        for (int d = 0; d < Dim; ++d) {
          position[d] = cell.at[d] + 0.5;
        }
        const FluidState<Dim> state = initial(position);
        out(number, 0) = state.density;
        for (int d = 0; d < Dim; ++d) {
          out(number, d + 1) = state.velocity[d];
        }
      });
    begin();
  }

  /// Puts the walls of obstacles where a function is 0: distance(position), above 0 in the fluid, at the centres of
  /// cells with fluid and of those beside them without. Without it walls lie halfway. `Distance` is a functor that a
  /// kernel can call: double operator()(const double (&position)[Dim]) const. Mass is then conserved to second order
  /// only.
  template <class Distance>
  void setSurface(const Distance& distance) {
    findLinks();
    const auto links = populations_->links();
    const geometry::IntervalSetView<Dim> cells = cells_.view();
    forEach(
      SPANWISE_KERNEL("cut links"),
      IndexRange<ExecutionSpace>(context_.space(), 0, static_cast<std::int64_t>(links.extent(0))),
      KOKKOS_LAMBDA(std::int64_t k) {
        const geometry::Cell<Dim> cell = cellOf(cells, links(k).cell);
        double inside[Dim];
        double outside[Dim];
        for (int d = 0; d < Dim; ++d) {
          inside[d] = cell.at[d] + 0.5;
          outside[d] = inside[d] - links(k).velocity[d];
        }
        const double here = distance(inside);
        const double there = distance(outside);
        const bool cuts = here > 0.0 && there <= 0.0;
        links(k).fraction = cuts ? static_cast<float>(Kokkos::max(here / (here - there), 1e-3)) : 0.5F;
      });
    populations_->useFractions();
  }

  void step();
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] const LatticeOptions<Dim>& options() const { return options_; }
  /// The planes that each rank owns.
  [[nodiscard]] const parallel::RowCut& cut() const { return cut_; }
  /// This rank's cells with fluid.
  [[nodiscard]] const Set& cells() const { return cells_; }
  /// Density and velocity of each of them: Dim + 1 components. The pressure is a third of the density.
  [[nodiscard]] const Field& moments();
  /// Collective. FluidValue of each of them. The first call allocates.
  [[nodiscard]] const Field& values();
  /// What steps have sent.
  [[nodiscard]] parallel::MessageReport messages() const { return populations_->messages(); }
  /// Of this rank's populations and of where they go.
  [[nodiscard]] std::size_t bytes() const { return populations_->bytes(); }

  /// Collective. What obstacles get of the fluid's momentum in the step that comes, by what is bounced back, and its
  /// torque about a position in cells. The pressure of the fluid at rest is left out: around an obstacle that is in the
  /// fluid all around it sums up to nothing.
  [[nodiscard]] WallForce<Dim> force(const double (&about)[Dim]);
  [[nodiscard]] WallForce<Dim> force() {
    const double origin[Dim] = {};
    return force(origin);
  }

  /// Records of the start and after every `stepsPerRecord` steps, as far as advance() has come.
  [[nodiscard]] const LatticeHistory<Dim>& history() const { return history_; }

  // Of Stepper: frame n is the state after n * stepsPerFrame steps.
  void advance(const Progress& progress) override;
  void store(KeptFrame& frame) override;
  void restore(const KeptFrame& frame, const Progress& progress = {}) override;
  void storeHistory(std::int64_t number, FrameWriter& to) const override;
  void restoreHistory(std::int64_t number, FrameReader& from) override;

private:
  void findLinks();
  void begin();
  void record();
  void recordStart();

  Context<ExecutionSpace> context_;
  LatticeOptions<Dim> options_;
  parallel::RowCut cut_;
  Set cells_;
  detail::PopulationCells<ExecutionSpace, Dim> held_;
  Field moments_;
  Field values_;
  std::optional<detail::FluidDerivatives<ExecutionSpace, Dim>> derivatives_;
  LatticeHistory<Dim> history_;
  std::unique_ptr<detail::Populations<ExecutionSpace, Dim>> populations_;
  bool hasLinks_ = false;
  std::int64_t steps_ = 0;
};

} // namespace spanwise::lattice
