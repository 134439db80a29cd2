#pragma once

#include "Core/Field/ForEachCell.hpp"
#include "Core/Multilevel/Adapt.hpp"
#include "Core/Multilevel/FluxRegister.hpp"
#include "Core/Multilevel/Ghosts.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/LevelMove.hpp"
#include "Core/Multilevel/ObstacleLevels.hpp"
#include "Core/Parallel/Stepping.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Flow/Detail/FlowProbes.hpp"
#include "Core/Solvers/Flow/Detail/FlowScheme.hpp"
#include "Core/Solvers/Flow/FlowHistory.hpp"
#include "Core/Solvers/Flow/FlowOptions.hpp"
#include "Core/Solvers/Flow/FlowReport.hpp"
#include "Core/Solvers/Flow/FlowValues.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace spanwise::flow {

namespace detail {

/// The state of a cell by where its centre is.
template <class Initial, int Dim>
struct SetGas {
  Initial initial;
  IdealGas<double> gas;
  geometry::GridGeometry<Dim> lattice;
  FieldView<double> out;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const geometry::Cell<Dim>& cell) const {
    double position[Dim];
    for (int d = 0; d < Dim; ++d) {
      position[d] = lattice.centre(d, cell.at[d]);
    }
    const Conserved<double, Dim> values = gas.conserved(initial(position));
    for (int c = 0; c < Component<Dim>::count; ++c) {
      out(number, c) = values[static_cast<std::size_t>(c)];
    }
  }
};

} // namespace detail

/// Compressible flow of an ideal gas without friction (the Euler equations) in a box with obstacles, on levels that
/// follow the flow.
///
/// Finite volumes: fluxes by an approximate Riemann solver (RiemannFlux.hpp) between limited linear reconstructions
/// (Reconstruction.hpp), in one stage or two of a strong-stability-preserving Runge-Kutta method. All levels take the
/// same steps, or finer ones smaller steps (FlowOptions::subcycles). Where levels meet, fluxes of the coarse side are
/// replaced by the mean of the fine ones, so mass and energy of a closed box hold to round-off. Walls and obstacles are
/// faces between a cell and its mirror image. Cells at an obstacle are always refined to the finest level, whose cells
/// are the obstacle's shape.
///
/// On ranks all functions are collective; the result is that of one rank. Steps allocate nothing once the levels have
/// settled, and wait for the time step, and before steps of subcycled levels to see that their states are right. Lives
/// no longer than the communicator.
template <class ExecutionSpace, int Dim>
class CompressibleFlow final : public parallel::Stepper {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Field = multilevel::MultilevelFieldOn<double, ExecutionSpace>;

  /// The gas is everywhere what flows in. `obstacle` has cells of the finest level that are solid, those of all ranks
  /// together; `cut` the planes of the root that each rank owns at first, equal shares if not given. Throws
  /// InvalidArgument on all ranks, with the value and the rule, for options that are out of their ranges, an inflow
  /// whose density or pressure is not positive, a probe that is outside of the box, and where the obstacle leaves no
  /// cell to the gas.
  CompressibleFlow(const Context<ExecutionSpace>& context, const FlowOptions<Dim>& options, const Set& obstacle = {},
    const parallel::RowCut& cut = {});

  /// Starts from another state: initial(position), of type Primitive<double, Dim>, at the centre of each cell. Levels
  /// are made to follow it. `Initial` is a functor that a kernel can call:
  /// Primitive<double, Dim> operator()(const double (&position)[Dim]) const.
  template <class Initial>
  void start(const Initial& initial) {
    begin([&](int l) {
      const detail::SetGas<Initial, Dim> set{initial, {options_.gamma}, levels_.lattice(l), state_.level(l).view()};
      field::forEachCell(
        context_.space(), SPANWISE_KERNEL("start of flow"), ghosts_.extended[static_cast<std::size_t>(l)], set);
    });
  }

  /// One step of the coarsest level, as long as the flow allows but not beyond `end`.
  void step(double end = std::numeric_limits<double>::infinity());

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] const FlowReport& report() const { return report_; }
  [[nodiscard]] const FlowOptions<Dim>& options() const { return options_; }
  /// The planes of the root that each rank owns now.
  [[nodiscard]] const parallel::RowCut& cut() const { return domain_.rootCut(); }
  /// The levels; obstacles' cells are among them.
  [[nodiscard]] const multilevel::MultilevelSetOn<Dim, ExecutionSpace>& levels() const { return levels_; }
  /// The cells of a level that hold gas and have no finer ones.
  [[nodiscard]] const Set& leaves(int level) const { return leaves_[static_cast<std::size_t>(level)]; }
  /// This rank's cells of the finest level that are solid; those that are in the box.
  [[nodiscard]] const Set& obstacle() const { return obstacle_.finest(); }
  /// The state on the cells of the levels. It is 0 in obstacles, and where levels are subcycled in cells with children
  /// some of which are.
  [[nodiscard]] const Field& state();
  /// What is told of the gas in each cell of leaves(), in their order: FlowValue. Differences go from cell to cell of a
  /// level, with ghost cells where another begins, so jumps between levels do not show.
  [[nodiscard]] const Field& values();
  /// The force of the gas on the obstacle along each axis, its pressure at the walls as the scheme has it; in 2D for a
  /// unit of depth.
  [[nodiscard]] Kokkos::Array<double, Dim> force();
  /// The integral of a component over the gas of all ranks.
  [[nodiscard]] double total(int component) const;
  /// Records of the start and after every `stepsPerRecord` steps, at whole steps of the root. Probes in obstacles read
  /// 0.
  [[nodiscard]] const FlowHistory<Dim>& history() const { return history_; }

  // Of Stepper: frame n is the state at the time n * timePerFrame.
  void advance(const Progress& progress) override;
  void store(KeptFrame& frame) override;
  void restore(const KeptFrame& frame, const Progress& progress) override;
  void storeHistory(std::int64_t number, FrameWriter& to) const override;
  void restoreHistory(std::int64_t number, FrameReader& from) override;

private:
  using Level = std::size_t;
  using LevelField = field::FieldOn<double, ExecutionSpace>;
  using Cells = geometry::CommonCells<Memory>;

  /// Levels that take the same steps.
  struct Group {
    int coarsest;
    int finest;
  };

  void makeRoot();
  void keepBalance();
  void placeProbes();

  /// Writes a state by write(level), on levels that are made to follow it.
  template <class Write>
  void begin(const Write& write) {
    time_ = 0.0;
    numRaised_ = 0;
    report_ = {};
    levels_.setNumLevels(1);
    useLevels();
    for (int cycle = 0; cycle < options_.numLevels; ++cycle) {
      for (int l = 0; l < ghosts_.numLevels; ++l) {
        write(l);
      }
      if (cycle + 1 < options_.numLevels) {
        restrictLevels(context_, ghosts_, state_);
        adapt();
      }
    }
    settle();
    history_.clear();
    record();
  }

  void adapt();
  void useLevels();
  void settle();
  double timeStep(double end);
  double guard(int level);
  void count(std::int64_t cellUpdates);
  void fillGhostsOf(const Group& group, const LevelField* below, Field& field);
  void restrictWithin(const Group& group, Field& field);
  void stage(const Group& group, double dt, double kept, Field& in, Field& out);
  void stepGroup(int coarsest, const LevelField* belowAtBegin, const LevelField* belowAtEnd, double dt);
  void stepFiner(int level, double dt);
  void record();

  /// How often the step of the root is halved on a level.
  [[nodiscard]] int numHalvings(int level) const;
  /// How many steps the finest level takes for one of the root.
  [[nodiscard]] std::int64_t numSubsteps() const { return std::int64_t{1} << numHalvings(ghosts_.numLevels - 1); }
  /// Whether the level above takes smaller steps. Then all of a level's cells are stepped, not only leaves: finer ghost
  /// cells are made of values at the end of its step, which finer levels have not reached yet.
  [[nodiscard]] bool isSubcycled(int level) const {
    return level + 1 < ghosts_.numLevels && numHalvings(level + 1) > numHalvings(level);
  }
  [[nodiscard]] const Cells& leafCells(int level) const {
    const auto index = static_cast<Level>(level);
    return isSubcycled(level) ? leafCells_[index] : stepped_[index];
  }
  /// Whether the last steps, as many as the finest level took for one of the root, have passed a multiple of `period`.
  [[nodiscard]] bool hasPassed(int period) const {
    return report_.steps / period != (report_.steps - numSubsteps()) / period;
  }
  [[nodiscard]] double timeOfFrame(std::int64_t number) const {
    return static_cast<double>(number) * options_.timePerFrame;
  }

  Context<ExecutionSpace> context_;
  FlowOptions<Dim> options_;
  multilevel::LevelDomain<ExecutionSpace, Dim> domain_;
  detail::FlowScheme<ExecutionSpace, Dim> scheme_;
  FlowBoundary<double, Dim> boundary_;
  multilevel::MultilevelSetOn<Dim, ExecutionSpace> levels_;
  multilevel::GhostLevels<ExecutionSpace, Dim> ghosts_;
  multilevel::Adaptation<ExecutionSpace, Dim, double> adaptation_;
  multilevel::LevelTagScratch<ExecutionSpace, Dim, double> ofTagging_;
  /// Of l and l + 1; sums only where that takes smaller steps.
  std::array<multilevel::FluxRegister<ExecutionSpace, Dim, double>, multilevel::maxNumLevels - 1> jumps_;
  multilevel::ObstacleLevels<ExecutionSpace, Dim> obstacle_;
  std::array<Cells, multilevel::maxNumLevels> solidCells_; ///< in the extended sets; their state stays 0
  std::array<Set, multilevel::maxNumLevels> leaves_;
  std::array<Cells, multilevel::maxNumLevels> leafCells_; ///< in the extended sets, where the level is subcycled
  std::array<Cells, multilevel::maxNumLevels> stepped_;   ///< in the extended sets
  geometry::StructuringElement<Dim> atFaces_;
  std::array<Cells, multilevel::maxNumLevels> faceCells_; ///< in the extended sets
  Field state_{"state", Component<Dim>::count};           ///< on the extended sets
  Field next_{"state", Component<Dim>::count};
  Field before_{"state", Component<Dim>::count};                  ///< of subcycled levels, at the start of their step
  Field between_{"state", Component<Dim>::count};                 ///< and at its middle
  std::vector<Field> own_{Field("state", Component<Dim>::count)}; ///< on the levels, where they are adapted and kept
  Field values_{"values", FlowValue<Dim>::count};                 ///< on the extended sets
  Field leafValues_{"values", FlowValue<Dim>::count};
  Field none_{"state", Component<Dim>::count};
  Set scratch_[3];
  multilevel::LevelMove<ExecutionSpace, Dim> move_;
  detail::FlowProbes<ExecutionSpace, Dim> probes_;
  double time_ = 0.0;
  std::int64_t numRaised_ = 0; ///< of this rank, not in the report yet
  FlowReport report_;
  FlowHistory<Dim> history_;
};

} // namespace spanwise::flow
