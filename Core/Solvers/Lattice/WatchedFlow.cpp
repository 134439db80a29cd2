#include "Core/Solvers/Lattice/WatchedFlow.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <algorithm>
#include <format>

namespace spanwise::lattice {

template <int Dim>
std::string describe(const LatticeWatch<Dim>& watch) {
  std::string probes;
  for (const std::array<double, Dim>& probe : watch.probes) {
    probes += " " + pointText(probe.data(), Dim);
  }
  return std::format("probes{}, the change of the velocity every {} steps of speed {}",
    probes.empty() ? " none" : probes, watch.stepsPerCheck, watch.speed);
}

template <class ExecutionSpace, int Dim>
WatchedFlow<ExecutionSpace, Dim>::WatchedFlow(
  const Context<ExecutionSpace>& context, Flow& flow, const LatticeWatch<Dim>& watch)
  : context_(context), flow_(flow), watch_(watch),
    probes_(context, flow, watch.lattice, std::span<const std::array<double, Dim>>(watch.probes)) {
  if (watch.stepsPerCheck < 0) {
    throw InvalidArgument(
      std::format("the number of steps between checks is {}; it must be at least 0", watch.stepsPerCheck));
  }
  if (flow.options().stepsPerFrame != 1) {
    throw InvalidArgument(
      std::format("frames of a flow that is watched have {} steps; they must have one", flow.options().stepsPerFrame));
  }
  record();
}

template <class ExecutionSpace, int Dim>
void WatchedFlow<ExecutionSpace, Dim>::record() {
  flow_.record();
  const std::span<const FluidState<Dim>> read = probes_.read(context_, flow_);
  readings_.insert(readings_.end(), read.begin(), read.end());
}

template <class ExecutionSpace, int Dim>
void WatchedFlow<ExecutionSpace, Dim>::step() {
  flow_.step();
  if (flow_.steps() % flow_.options().stepsPerRecord == 0) {
    record();
  }
  const bool isWhole = flow_.steps() >= flow_.options().rampSteps; // a ramp begins and ends with small changes
  if (isWhole && watch_.stepsPerCheck > 0 && flow_.steps() % watch_.stepsPerCheck == 0) {
    change_ = changes_.since(context_, flow_, watch_.speed);
  }
}

template <class ExecutionSpace, int Dim>
void WatchedFlow<ExecutionSpace, Dim>::advance(const Progress& progress) {
  parallel::agree(context_.communicator(), [&] { progress.report(0.0); });
  step();
}

template <class ExecutionSpace, int Dim>
void WatchedFlow<ExecutionSpace, Dim>::storeHistory(std::int64_t /*number*/, FrameWriter& to) const {
  flow_.storeHistory(flow_.steps(), to);
  to.number(static_cast<std::int64_t>(readings_.size()));
  std::ranges::copy(readings_, to.array<FluidState<Dim>>(static_cast<std::int64_t>(readings_.size())).begin());
  to.number(change_);
  changes_.store(to);
}

template <class ExecutionSpace, int Dim>
void WatchedFlow<ExecutionSpace, Dim>::restoreHistory(std::int64_t number, FrameReader& from) {
  flow_.restoreHistory(number, from);
  const auto readings = from.array<FluidState<Dim>>(from.number<std::int64_t>());
  readings_.assign(readings.begin(), readings.end());
  change_ = from.number<double>();
  changes_.restore(from);
}

#define SPANWISE_WATCHED_FLOW(Space, Dim) template class WatchedFlow<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_WATCHED_FLOW)
template std::string describe<2>(const LatticeWatch<2>&);
template std::string describe<3>(const LatticeWatch<3>&);

} // namespace spanwise::lattice
