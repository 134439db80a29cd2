#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Parallel/Stepping.hpp"
#include "Core/Solvers/Lattice/FluidProbes.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"
#include "Core/Solvers/Lattice/VelocityChange.hpp"

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace spanwise::lattice {

/// What is watched of a flow.
template <int Dim>
struct LatticeWatch {
  geometry::GridGeometry<Dim> lattice{};         ///< where cells of the root lie
  std::vector<std::array<double, Dim>> probes{}; ///< points where records read the fluid
  std::int64_t stepsPerCheck = 0;                ///< the change of the velocity is found after so many; 0: never
  double speed = 0.0;     ///< in cells a step, of which changes are a part; 0: the greatest in the flow
  double tolerance = 0.0; ///< a flow that changes by less from one frame to the next stays as it is; 0: it never does
};

/// All of it with all digits, for the name of a run.
template <int Dim>
[[nodiscard]] std::string describe(const LatticeWatch<Dim>& watch);

/// A flow with probes and the change of its velocity beside its history. A checkpoint holds all of these: a run that
/// goes on from one has the bits of one that was not interrupted, and ends with it.
///
/// It goes on step by step, or from frame to frame. With a tolerance frames are compared with the one before; from one
/// on that hardly differs the flow is steady, and later frames are that state, which costs no steps.
///
/// The flow lives longer. Collective as the flow is.
template <class ExecutionSpace, int Dim>
class WatchedFlow final : public parallel::Stepper {
public:
  using Flow = LatticeFlow<ExecutionSpace, Dim>;

  /// Makes the record of the start. Throws InvalidArgument on all ranks for probes that are not in the fluid, a number
  /// of steps or a tolerance that is negative, and where the change is to be found both after steps and after frames.
  WatchedFlow(const Context<ExecutionSpace>& context, Flow& flow, const LatticeWatch<Dim>& watch);

  /// One step; with a record after every LatticeOptions::stepsPerRecord.
  void step();
  /// The greatest change of the velocity in the last `stepsPerCheck` steps up to the last check, as a part of the
  /// speed. Checks begin after the ramp of the options; infinite before the second one, and where levels have changed
  /// between two.
  [[nodiscard]] double change() const { return change_; }
  /// Whether the flow is at the frame from which on it stays as it is.
  [[nodiscard]] bool isSteady() const { return steadyFrom_ >= 0 && flow_.steps() >= steadyFrom_; }
  [[nodiscard]] std::size_t numProbes() const { return probes_.size(); }
  /// What the probes read at a record of the flow's history.
  [[nodiscard]] std::span<const FluidState<Dim>> readings(std::size_t record) const {
    return std::span<const FluidState<Dim>>(readings_).subspan(record * numProbes(), numProbes());
  }

  // Of Stepper: frame n is the state after n * stepsPerFrame steps, or the one from which on the flow is steady.
  void advance(const Progress& progress) override;
  void store(KeptFrame& frame) override { flow_.store(frame); }
  void restore(const KeptFrame& frame, const Progress& progress) override { flow_.restore(frame, progress); }
  void storeHistory(std::int64_t number, FrameWriter& to) const override;
  void restoreHistory(std::int64_t number, FrameReader& from) override;

private:
  void record();

  Context<ExecutionSpace> context_;
  Flow& flow_;
  LatticeWatch<Dim> watch_;
  FluidProbes<ExecutionSpace, Dim> probes_;
  VelocityChange<ExecutionSpace, Dim> changes_;
  double change_ = std::numeric_limits<double>::infinity();
  std::int64_t steadyFrom_ = -1; ///< steps; negative: it has not been found to be steady
  std::vector<FluidState<Dim>> readings_;
};

} // namespace spanwise::lattice
