// spanwise-mach2: flow of a gas around a cylinder, or any set of cells, from the command line.

#include "CellsOfFile.h"
#include "Mach2Options.h"
#include "Mach2Output.h"
#include "ProgramRanks.h"
#include "ProgressBar.h"

#include "SpanwiseFlowObstacle.h"
#include "SpanwiseFlowRun.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseRankGroup.h"

#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Parallel/Stepping.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <format>
#include <memory>

using namespace spanwise;
using namespace spanwise::flow;
using namespace spanwise::geometry;

namespace {

/// Where what flows in comes from, what it is, and how it is computed.
template <int Dim>
FlowSetup<Dim> setupOf(const Mach2Options& asked) {
  FlowSetup<Dim> setup;
  FlowOptions<Dim>& options = setup.options;
  const int counts[] = {asked.nx, asked.ny, asked.nz};
  for (int d = 0; d < Dim; ++d) {
    options.box.end[d] = counts[d];
    options.lattice.spacing[d] = 1.0;
    options.repeats[d] = d > 0 && asked.sides == "periodic";
    options.sides[2 * d] = options.sides[2 * d + 1] = d > 0 && asked.sides == "wall" ? Side::SlipWall : Side::Outflow;
  }
  options.sides[0] = Side::Inflow;
  options.gamma = asked.gamma;
  options.inflow = {1.4, {}, 1.4 / asked.gamma}; // the speed of sound is 1
  options.inflow.velocity[0] = asked.mach;
  setup.start = options.inflow;
  options.riemann = asked.flux == "rusanov" ? Riemann::Rusanov : Riemann::Hllc;
  options.reconstruction = asked.slopes == "none" ? Reconstruction::Constant
    : asked.slopes == "minmod"                    ? Reconstruction::Minmod
                                                  : Reconstruction::VanLeer;
  options.cfl = asked.cfl;
  options.numLevels = asked.levels();
  options.stepsPerRemesh = asked.remeshStride;
  options.subcycles = asked.subcycles;
  options.sensor.limit = asked.gradient * options.inflow.density;
  options.stepsPerRecord = asked.recordStride;
  for (const std::vector<double>& probe : asked.probes) {
    if (probe.size() != Dim) {
      throw InvalidArgument(std::format("a probe has {} coordinates; it must have {}", probe.size(), Dim));
    }
    std::copy_n(probe.begin(), Dim, options.probes.emplace_back().begin());
  }
  setup.stream = {1.0, 0.0, 0.0};
  return setup;
}

/// This rank's cells of the obstacle, on the finest level.
template <int Dim>
HostIntervalSet<Dim> obstacleOf(const RankGroup& group, vtkMultiProcessController* controller,
  const Mach2Options& asked, const FlowSetup<Dim>& setup) {
  const double scale = std::ldexp(1.0, asked.levels() - 1);
  HostIntervalSet<Dim> set;
  if (asked.obstacle.empty()) {
    const int counts[] = {asked.nx, asked.ny, asked.nz};
    Ball<Dim> ball{};
    for (int d = 0; d < Dim; ++d) {
      const auto axis = static_cast<std::size_t>(d);
      const double usual = d == 0 ? 0.25 * counts[d] : 0.5 * counts[d];
      ball.centre[d] = scale * (axis < asked.center.size() ? asked.center[axis] : usual);
    }
    ball.radius = scale * asked.radius;
    group.agree([&] {
      if (group.rank() == 0) {
        makeBall<HostExecutionSpace, Dim>(Context<HostExecutionSpace>(), ball, set);
      }
    });
    return set;
  }
  const InputCells cells = cellsOfFile(group, controller, asked.obstacle, {.cellSize = 1.0 / scale});
  group.agree([&] {
    const auto* const of = std::get_if<RankCells<Dim>>(&cells.cells);
    if (of == nullptr) {
      throw InvalidArgument(
        std::format("the obstacle is {}D and the flow {}D; they must be the same (--nz)", cells.dimension(), Dim));
    }
    GridGeometry<Dim> finest = setup.options.lattice;
    Box<Dim> box = setup.options.box;
    for (int d = 0; d < Dim; ++d) {
      finest.spacing[d] /= scale;
      box.end[d] = static_cast<Coordinate>(box.end[d] * scale);
    }
    set = sampledOn<Dim>(finest, box, of->set.host(), cells.placement);
  });
  return set;
}

/// Steps until there are enough of them, or somebody interrupts; whether nobody did.
bool stepOn(const RankGroup& group, const Mach2Options& asked, FlowRun& run, Mach2Output& output,
  const parallel::CheckpointFiles& files) {
  ProgressBar bar(asked.quiet || group.rank() != 0, "M cells/s");
  bool stops = false;
  while (!stops && run.report().steps < asked.maxSteps && run.time() < asked.maxTime) {
    const std::int64_t before = run.report().steps;
    run.step(asked.maxTime);
    const FlowReport& report = run.report();
    const auto hasPassed = [&](int stride) { return stride > 0 && report.steps / stride != before / stride; };
    if (hasPassed(asked.outputStride)) {
      output.writeStep(run);
      output.writeReport(run);
    }
    if (hasPassed(asked.checkpointStride)) {
      parallel::checkpoint(group.communicator(), run.stepper(), files, report.steps);
    }
    const double bySteps = static_cast<double>(report.steps) / static_cast<double>(asked.maxSteps);
    const double byTime = std::isfinite(asked.maxTime) ? run.time() / asked.maxTime : 0.0;
    bar.show(
      std::max(bySteps, byTime), report.cellUpdates, std::format("step {}  time {:.4g}", report.steps, run.time()));
    stops = isInterrupted(group);
  }
  bar.finish();
  return !stops;
}

template <int Dim>
void runFlow(const RankGroup& group, vtkMultiProcessController* controller, const Mach2Options& asked) {
  FlowSetup<Dim> setup;
  group.agree([&] { setup = setupOf<Dim>(asked); });
  setup.obstacle = obstacleOf<Dim>(group, controller, asked, setup);
  const std::unique_ptr<FlowRun> run = startFlow<Dim>(group, setup);
  Mach2Output output(group, controller, asked.folder, {asked.asVtk, asked.masks});
  const std::string checkpoint = asked.checkpoint.empty() ? asked.folder + "/checkpoint" : asked.checkpoint;
  const parallel::CheckpointFiles files{checkpoint, run->name()};
  if (asked.restart.empty()) {
    output.writeGeometry(*run);
  } else {
    parallel::restart(group.communicator(), run->stepper(), {asked.restart, run->name()});
    output.goOn(run->report().steps);
  }
  if (asked.restart.empty() && asked.outputStride > 0) {
    output.writeStep(*run);
  }
  const bool isWhole = stepOn(group, asked, *run, output, files);
  output.writeReport(*run);
  parallel::checkpoint(group.communicator(), run->stepper(), files, run->report().steps);
  if (group.rank() == 0) {
    const FlowReport& report = run->report();
    std::printf("%s after %lld steps at time %g: %lld cell updates, %lld remeshings, %lld states raised\n",
      isWhole ? "done" : "interrupted", static_cast<long long>(report.steps), run->time(),
      static_cast<long long>(report.cellUpdates), static_cast<long long>(report.remeshes),
      static_cast<long long>(report.raisedCells));
    std::printf(
      "%s: %d steps written; go on with --restart %s\n", asked.folder.c_str(), output.numSteps(), checkpoint.c_str());
  }
}

} // namespace

int main(int argc, char** argv) {
  const ProgramRanks ranks(argc, argv);
  int exitCode = 0;
  const std::optional<Mach2Options> asked = parseMach2Options(argc, argv, ranks.isFirst(), exitCode);
  if (!asked) {
    return exitCode;
  }
  return ranks.run("spanwise-mach2", [&](const RankGroup& group) {
    asked->dimension() == 2 ? runFlow<2>(group, ranks.controller(), *asked)
                            : runFlow<3>(group, ranks.controller(), *asked);
  });
}
