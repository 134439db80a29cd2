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
  return std::format("probes{}, the change of the velocity every {} steps of speed {}{}",
    probes.empty() ? " none" : probes, watch.stepsPerCheck, watch.speed,
    watch.tolerance > 0.0 ? std::format(", steady where frames change by {}", watch.tolerance) : std::string());
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
  if (!(watch.tolerance >= 0.0)) {
    throw InvalidArgument(
      std::format("the tolerance of a steady flow is {}; it must be at least 0, for none", watch.tolerance));
  }
  if (watch.stepsPerCheck > 0 && watch.tolerance > 0.0) {
    throw InvalidArgument("the change of the velocity is to be found after steps and after frames; it must be one");
  }
  record();
}

template <class ExecutionSpace, int Dim>
void WatchedFlow<ExecutionSpace, Dim>::record() {
  flow_.record();
  const std::span<const FluidState<Dim>> read = probes_.read(context_, flow_);
  readings_.resize((flow_.history().upTo(flow_.steps()).size() - 1) * numProbes()); // those before, as the history has
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
  const LatticeOptions<Dim>& options = flow_.options();
  const bool isCompared = watch_.tolerance > 0.0 && flow_.steps() >= options.rampSteps && !isSteady();
  if (isCompared) {
    static_cast<void>(changes_.since(context_, flow_, watch_.speed));
  }
  for (int k = 0; k < options.stepsPerFrame && !isSteady(); ++k) {
    parallel::agree(context_.communicator(),
      [&] { progress.report(static_cast<double>(k) / static_cast<double>(options.stepsPerFrame)); });
    step();
  }
  if (flow_.history().upTo(flow_.steps()).back().steps != flow_.steps()) {
    record();
  }
  if (isCompared) {
    change_ = changes_.since(context_, flow_, watch_.speed);
    steadyFrom_ = change_ <= watch_.tolerance ? flow_.steps() : -1;
  }
}

template <class ExecutionSpace, int Dim>
void WatchedFlow<ExecutionSpace, Dim>::storeHistory(std::int64_t number, FrameWriter& to) const {
  flow_.storeHistory(number, to);
  const std::int64_t steps = flow_.stepsOfFrame(number);
  const auto readings = std::span(readings_).first(flow_.history().upTo(steps).size() * numProbes());
  to.number(static_cast<std::int64_t>(readings.size()));
  std::ranges::copy(readings, to.array<FluidState<Dim>>(static_cast<std::int64_t>(readings.size())).begin());
  to.number(steadyFrom_ <= steps ? steadyFrom_ : -1);
  if (watch_.stepsPerCheck > 0) {
    to.number(change_);
    changes_.store(to);
  }
}

template <class ExecutionSpace, int Dim>
void WatchedFlow<ExecutionSpace, Dim>::restoreHistory(std::int64_t number, FrameReader& from) {
  flow_.restoreHistory(number, from);
  const auto readings = from.array<FluidState<Dim>>(from.number<std::int64_t>());
  readings_.assign(readings.begin(), readings.end());
  steadyFrom_ = from.number<std::int64_t>();
  if (watch_.stepsPerCheck > 0) { // as the run that was stored, whose name has it
    change_ = from.number<double>();
    changes_.restore(from);
  }
}

#define SPANWISE_WATCHED_FLOW(Space, Dim) template class WatchedFlow<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_WATCHED_FLOW)
template std::string describe<2>(const LatticeWatch<2>&);
template std::string describe<3>(const LatticeWatch<3>&);

} // namespace spanwise::lattice
