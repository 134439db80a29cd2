#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/ForEachCell.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Multilevel/TransferMap.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Parallel/Stepping.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Lattice/Detail/FluidDerivatives.hpp"
#include "Core/Solvers/Lattice/Detail/LatticeLevels.hpp"
#include "Core/Solvers/Lattice/Detail/Populations.hpp"
#include "Core/Solvers/Lattice/Detail/WallShear.hpp"
#include "Core/Solvers/Lattice/FluidValues.hpp"
#include "Core/Solvers/Lattice/LatticeHistory.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

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

namespace detail {

template <int Dim, class Initial>
struct SetStart {
  double size; ///< of a cell, in those of the root
  Initial initial;
  FieldView<double> out;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const geometry::Cell<Dim>& cell) const {
    double position[Dim];
    for (int d = 0; d < Dim; ++d) {
      position[d] = (cell.at[d] + 0.5) * size;
    }
    const FluidState<Dim> state = initial(position);
    out(number, 0) = state.density;
    for (int d = 0; d < Dim; ++d) {
      out(number, d + 1) = state.velocity[d];
    }
  }
};

template <int Dim, class MemorySpace, class Distance>
struct CutLink {
  geometry::IntervalSetView<Dim> cells;
  Kokkos::View<WallLink*, MemorySpace> links;
  double size; ///< of a cell, in those of the root
  SlipPlanes<Dim> slip;
  Distance distance;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const geometry::Cell<Dim> cell = cellOf(cells, links(k).cell);
    double inside[Dim];
    double outside[Dim];
    for (int d = 0; d < Dim; ++d) {
      inside[d] = (cell.at[d] + 0.5) * size;
      outside[d] = slip.reflected(d, inside[d] - links(k).velocity[d] * size);
    }
    const double here = distance(inside);
    const double there = distance(outside);
    const bool cuts = here > 0.0 && there <= 0.0;
    links(k).fraction = cuts ? static_cast<float>(Kokkos::max(here / (here - there), 1e-3)) : 0.5F;
  }
};

} // namespace detail

/// Flow of a fluid that is hardly compressed (Mach number below 0.3), by the lattice Boltzmann method, in a box with
/// obstacles.
///
/// Populations move to neighbours and collide, in one pass over memory. Walls, also those of obstacles, lie halfway
/// between a cell with fluid and one without. Second order in space. Mass is conserved to round-off of what is stored
/// where no fluid flows in or out.
///
/// With levels (LatticeOptions::refinement) obstacles are of cells of the finest one, and all else is told in cells and
/// steps of the root, whose steps those of the flow are; each level has its own cells. Mass is conserved across their
/// jumps too (LevelJump).
///
/// On ranks all functions are collective; the result is that of one rank, to the last bit. Steps allocate nothing, and
/// wait for nothing but the messages of other ranks. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
class LatticeFlow final : public parallel::Stepper {
public:
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Field = field::FieldOn<double, ExecutionSpace>;

  /// The fluid is at rest. `cells`, of the finest level, are solid, or hold the fluid; those of all ranks together, in
  /// any cut. Throws
  /// InvalidArgument on all ranks, with the value and the rule, for options that are out of their ranges and where no
  /// cell of the box is left to the fluid.
  LatticeFlow(const Context<ExecutionSpace>& context, const LatticeOptions<Dim>& options, const Set& cells = {},
    CellsHold hold = CellsHold::Solid);

  /// Starts from another state, in equilibrium: initial(position), of type FluidState<Dim>, at the centre of each cell,
  /// in cells. `Initial` is a functor that a kernel can call:
  /// FluidState<Dim> operator()(const double (&position)[Dim]) const.
  template <class Initial>
  void start(const Initial& initial) {
    const auto write = [&] {
      for (int l = 0; l < numLevels(); ++l) {
        const Set& cells = this->cells(l);
        Field& moments = of(l).moments;
        const FieldView<double> out = moments.view();
        const double size = 1.0 / static_cast<double>(1 << l);
        field::forEachCell(context_.space(), SPANWISE_KERNEL("start of fluid"), cells,
          detail::SetStart<Dim, Initial>{size, initial, out});
      }
      begin();
    };
    write();
    for (int l = 1; options_.refinement.vorticity > 0.0 && l < options_.refinement.numLevels; ++l) {
      adapt(); // to the start itself, a level at a time
      write();
    }
  }

  /// Puts the walls of obstacles where a function is 0: distance(position), above 0 in the fluid, at the centres of
  /// cells with fluid and of those beside them without; obstacles go on as their mirror images beyond slip sides.
  /// Without it walls lie halfway. `Distance` is a functor that a kernel can call: double operator()(const double
  /// (&position)[Dim]) const. Mass is then conserved to second order only.
  template <class Distance>
  void setSurface(const Distance& distance) {
    cutLinks_ = [distance](LatticeFlow& flow) {
      const int l = flow.numLevels() - 1; // of all obstacles
      flow.findLinks(l);
      const auto links = flow.of(l).populations->links();
      const geometry::IntervalSetView<Dim> cells = flow.cells(l).view();
      const double size = 1.0 / static_cast<double>(1 << l);
      const auto slip = slipPlanes(flow.options_);
      forEach(SPANWISE_KERNEL("cut links"),
        IndexRange<ExecutionSpace>(flow.context_.space(), 0, static_cast<std::int64_t>(links.extent(0))),
        detail::CutLink<Dim, typename ExecutionSpace::memory_space, Distance>{cells, links, size, slip, distance});
      flow.of(l).populations->useFractions();
      flow.of(l).wallShear.reset();
    };
    cutLinks_(*this);
    findNormals_ = [distance](LatticeFlow& flow) {
      const int l = flow.numLevels() - 1;
      flow.of(l).wallShear->useDistance(flow.context_, flow.cells(l), static_cast<double>(1 << l), distance);
    };
  }

  void step();
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] const LatticeOptions<Dim>& options() const { return options_; }
  /// The steps up to a frame; for the greatest number, by which checkpoints ask for all frames, more than there are.
  [[nodiscard]] std::int64_t stepsOfFrame(std::int64_t number) const;
  /// Levels that there are now, at least 1; those of all ranks.
  [[nodiscard]] int numLevels() const { return static_cast<int>(levels_.size()); }
  /// How often levels have got other cells: the same number, the same cells. Frames hold it.
  [[nodiscard]] std::int64_t numLevelChanges() const { return numLevelChanges_; }
  /// The planes of the root that each rank owns.
  [[nodiscard]] const parallel::RowCut& cut() const { return refined_ ? refined_->cut() : cut_; }
  /// This rank's cells of a level with fluid, that have no finer ones.
  [[nodiscard]] const Set& cells(int level = 0) const { return refined_ ? refined_->cells(level).leaves : cells_; }
  /// Density and velocity of each of them: Dim + 1 components. The pressure is a third of the density.
  [[nodiscard]] const Field& moments(int level = 0);
  /// Collective. FluidValue of each of them. The first call allocates, with levels each one that finds them changed.
  [[nodiscard]] const Field& values(int level = 0);
  /// Collective. What the fluid does to the walls along them, at each of these cells that is beside walls, of
  /// obstacles or of the box: viscosity times the slope of the velocity at the wall, Dim components. 0 elsewhere, and
  /// between walls that are a cell apart. The first call allocates, with levels each one that finds them changed.
  [[nodiscard]] const Field& wallShear(int level = 0);
  /// What steps have sent.
  [[nodiscard]] parallel::MessageReport messages() const;
  /// Of this rank's populations and of where they go.
  [[nodiscard]] std::size_t bytes() const;

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
  /// Collective. Adds a record of the state; for programs that call step(). Throws Error, with advice, where the flow
  /// has become unstable.
  void record();

  // Of Stepper: frame n is the state after n * stepsPerFrame steps.
  void advance(const Progress& progress) override;
  void store(KeptFrame& frame) override;
  void restore(const KeptFrame& frame, const Progress& progress = {}) override;
  void storeHistory(std::int64_t number, FrameWriter& to) const override;
  void restoreHistory(std::int64_t number, FrameReader& from) override;

private:
  using Derivatives = detail::FluidDerivatives<ExecutionSpace, Dim>;

  struct Level {
    std::unique_ptr<detail::Populations<ExecutionSpace, Dim>> populations;
    Field moments{"moments", 0, Dim + 1};
    Field values{"fluid values", 0, 1};
    Field shear{"wall shear", 0, Dim};
    std::unique_ptr<Derivatives> derivatives;
    std::unique_ptr<detail::WallShear<ExecutionSpace, Dim>> wallShear;
    multilevel::TransferMapOn<Dim, ExecutionSpace> toBelow; ///< moments of ghosts and cells with children
    bool hasLinks = false;
  };
  [[nodiscard]] Level& of(int level) { return levels_[static_cast<std::size_t>(level)]; }
  [[nodiscard]] const Level& of(int level) const { return levels_[static_cast<std::size_t>(level)]; }

  /// All cells of a level that this rank has something of.
  [[nodiscard]] const Set& heldOn(int level) const { return refined_ ? refined_->cells(level).held : held_.set; }

  void makeOneLevel(const Set& given, CellsHold hold);
  void makeSeveralLevels(const Set& given, CellsHold hold);
  template <class Cells>
  void makeLevel(int level, const Cells& held);
  void useLevels();
  void stepLevel(int level, double part, bool isFirst);
  void adapt();
  void findLinks(int level);
  void prepareValues(int level);
  void findValues();
  [[nodiscard]] double partOfVelocities() const;
  void begin();
  void recordStart();

  Context<ExecutionSpace> context_;
  LatticeOptions<Dim> options_;
  parallel::RowCut cut_; // of one level
  Set cells_;
  detail::PopulationCells<ExecutionSpace, Dim> held_;
  std::unique_ptr<parallel::HaloExchange<ExecutionSpace>> momentsExchange_;
  std::unique_ptr<detail::LatticeLevels<ExecutionSpace, Dim>> refined_; ///< several levels
  std::vector<Level> levels_;
  std::function<void(LatticeFlow&)> cutLinks_;
  std::function<void(LatticeFlow&)> findNormals_; ///< of walls where links are cut
  LatticeHistory<Dim> history_;
  std::int64_t steps_ = 0;
  bool hasValues_ = false; ///< of the state as it is
  std::int64_t numLevelChanges_ = 0;
};

} // namespace spanwise::lattice
