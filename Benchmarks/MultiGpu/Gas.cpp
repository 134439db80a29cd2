// Compressible flow by MUSCL and HLLC, as weak scaling: balls of dense gas in a periodic box, one for each rank, on one
// level and on four that follow them. Remeshing is a part of the steps.

#include "Benchmarks/MultiGpu/Run.hpp"
#include "Core/Solvers/Flow/CompressibleFlow.hpp"

#include <cmath>

namespace spanwise::benchmarks {
namespace {

using namespace flow; // NOLINT(google-build-using-namespace)

/// In each cube of edge 1 a ball of three times the density and pressure.
struct DenseBalls {
  KOKKOS_FUNCTION Primitive<double, 3> operator()(const double (&position)[3]) const {
    double square = 0.0;
    for (const double x : position) {
      const double within = x - Kokkos::floor(x) - 0.5;
      square += within * within;
    }
    const double part = square < 0.09 ? 3.0 : 1.0;
    return {part, {0.1, 0.2, 0.3}, part};
  }
};

void measureFlow(const Run& run, const std::string& name, int edge, int numLevels) {
  FlowOptions<3> options;
  options.box.end[0] = edge;
  options.box.end[1] = edge;
  options.box.end[2] = edge * run.ranks().size();
  for (int d = 0; d < 3; ++d) {
    options.repeats[d] = true;
    options.lattice.spacing[d] = 1.0 / edge;
  }
  options.numLevels = numLevels;
  CompressibleFlow<Space, 3> flow(run.context(), options);
  flow.start(DenseBalls());
  // A cycle of steps, as levels follow the gas once in it.
  const auto cycle = [&] {
    for (int k = 0; k < options.stepsPerRemesh; ++k) {
      flow.step();
    }
  };
  const std::int64_t updates = flow.report().cellUpdates;
  cycle();
  const auto updatesOfCycle = static_cast<double>(flow.report().cellUpdates - updates);
  const StepCost cost = run.costOf(cycle);
  run.write("gas", name, updatesOfCycle, cost);
}

} // namespace

void measureGas(const Run& run) {
  measureFlow(run, "one level, 10 M cells a rank", run.edge(216), 1);
  measureFlow(run, "4 levels, 10 M cells a rank", run.edge(52), 4);
}

} // namespace spanwise::benchmarks
