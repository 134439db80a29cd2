// Compressible flow: steps of a stream of Mach 2 to a disc or a ball, on one level and on moving levels, remeshing
// included; with the same steps on all levels and, subcycled, with larger ones on coarse levels. Counted bytes: in each
// stage the state is read and the next one written, and in the second stage read too.

#include "Benchmarks/Where.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Runtime/KernelTimes.hpp"
#include "Core/Solvers/Flow/CompressibleFlow.hpp"

#include <cmath>

namespace spanwise::benchmarks {
namespace {

using namespace flow; // NOLINT(google-build-using-namespace)

/// A tunnel of 20 radii by 8, in 3D by 8 again, with the obstacle 5 radii behind the inflow; sides are walls.
template <int Dim>
FlowOptions<Dim> tunnelOf(int cellsOfRadius, int numLevels, Riemann riemann, Reconstruction reconstruction) {
  FlowOptions<Dim> options;
  for (int d = 0; d < Dim; ++d) {
    options.box.end[d] = (d == 0 ? 20 : 8) * cellsOfRadius;
    options.lattice.spacing[d] = 1.0 / cellsOfRadius;
  }
  options.inflow.density = 1.4;
  options.inflow.velocity[0] = 2.0;
  options.sides[0] = Side::Inflow;
  options.sides[1] = Side::Outflow;
  options.riemann = riemann;
  options.reconstruction = reconstruction;
  options.numLevels = numLevels;
  return options;
}

/// How often coarse levels step.
enum Steps { Together, Subcycled };

template <class Where, int Dim, int cellsOfRadius, int numLevels, Steps steps, Riemann riemann,
  Reconstruction reconstruction>
void stepsOf(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context context(space);
  FlowOptions<Dim> options = tunnelOf<Dim>(cellsOfRadius, numLevels, riemann, reconstruction);
  options.subcycles = steps == Subcycled;
  const double scale = cellsOfRadius * std::ldexp(1.0, numLevels - 1);
  Ball<Dim> ball{{}, scale};
  for (int d = 0; d < Dim; ++d) {
    ball.centre[d] = (d == 0 ? 5.0 : 4.0) * scale;
  }
  IntervalSetOn<Dim, Space> obstacle;
  makeBall<Space, Dim>(context, ball, obstacle);
  CompressibleFlow<Space, Dim> flow(context, options, obstacle);
  const auto stepOn = [&](std::int64_t count) {
    const std::int64_t end = flow.report().steps + count;
    while (flow.report().steps < end) {
      flow.step();
    }
  };
  stepOn(160);                    // a shock
  constexpr int stepsAtOnce = 40; // four cycles of remeshing
  std::int64_t first = 0;
  const double seconds = secondsOf(state, space, [&] {
    stepOn(stepsAtOnce);
    first = first == 0 ? flow.report().cellUpdates : first; // of the round that is not timed
  });
  const std::int64_t updates = flow.report().cellUpdates - first;
  const auto rounds = static_cast<double>(state.iterations());
  const double bytes =
    sizeof(double) * Component<Dim>::count * (reconstruction == Reconstruction::Constant ? 2.0 : 5.0);
  reportCells(state, space, seconds, static_cast<std::int64_t>(static_cast<double>(updates) / rounds),
    bytes * static_cast<double>(updates) / rounds);
  std::int64_t leaves = 0;
  for (int l = 0; l < flow.levels().numLevels(); ++l) {
    leaves += flow.leaves(l).numCells();
  }
  state.counters["leaves"] = static_cast<double>(leaves);
  state.counters["ns a leaf and finest step"] = 1e9 * seconds / rounds / stepsAtOnce / static_cast<double>(leaves);
  flow.step(); // levels follow the flow; not in the next one
  const KernelTimes times;
  const std::int64_t before = flow.report().steps;
  flow.step();
  std::int64_t launches = 0;
  for (const KernelTime& kernel : times.times()) {
    launches += kernel.numLaunches;
  }
  state.counters["launches a finest step"] =
    static_cast<double>(launches) / static_cast<double>(flow.report().steps - before);
}

#define SPANWISE_BENCH_FLOW(Where, text, Dim, cells, levels, steps, riemann, reconstruction, name)                     \
  BENCHMARK((stepsOf<Where, Dim, cells, levels, steps, Riemann::riemann, Reconstruction::reconstruction>))             \
    ->Name("Spanwise/Flow " #Dim "D/" name "/" text)                                                                   \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_FLOWS(Where, text)                                                                              \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 1, Together, Rusanov, Constant, "Rusanov, one level")                        \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 4, Together, Rusanov, Constant, "Rusanov, 4 levels")                         \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 4, Subcycled, Rusanov, Constant, "Rusanov, 4 levels, subcycled")             \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 1, Together, Hllc, VanLeer, "HLLC and van Leer, one level")                  \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 4, Together, Hllc, VanLeer, "HLLC and van Leer, 4 levels")                   \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 4, Subcycled, Hllc, VanLeer, "HLLC and van Leer, 4 levels, subcycled")       \
  SPANWISE_BENCH_FLOW(Where, text, 3, 6, 1, Together, Hllc, VanLeer, "HLLC and van Leer, one level")                   \
  SPANWISE_BENCH_FLOW(Where, text, 3, 6, 3, Together, Hllc, VanLeer, "HLLC and van Leer, 3 levels")                    \
  SPANWISE_BENCH_FLOW(Where, text, 3, 6, 3, Subcycled, Hllc, VanLeer, "HLLC and van Leer, 3 levels, subcycled")
SPANWISE_BENCH_FLOWS(OneThread, "1 thread")
SPANWISE_BENCH_FLOWS(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_FLOWS(Device, "device")
SPANWISE_BENCH_FLOW(Device, "device", 2, 160, 1, Together, Hllc, VanLeer, "HLLC and van Leer, 4 M cells")
SPANWISE_BENCH_FLOW(Device, "device", 2, 40, 5, Together, Hllc, VanLeer, "HLLC and van Leer, 5 levels")
SPANWISE_BENCH_FLOW(Device, "device", 3, 20, 1, Together, Hllc, VanLeer, "HLLC and van Leer, 10 M cells")
SPANWISE_BENCH_FLOW(Device, "device", 3, 10, 4, Together, Hllc, VanLeer, "HLLC and van Leer, 4 levels of 1.3 M")
#endif

} // namespace
} // namespace spanwise::benchmarks
