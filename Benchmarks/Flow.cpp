// Compressible flow: steps of a stream of Mach 2 to a disc or a ball, on one level and on moving levels, remeshing
// included. Counted bytes: in each stage the state is read and the next one written, and in the second stage read too.

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

template <class Where, int Dim, int cellsOfRadius, int numLevels, Riemann riemann, Reconstruction reconstruction>
void stepsOf(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context context(space);
  const FlowOptions<Dim> options = tunnelOf<Dim>(cellsOfRadius, numLevels, riemann, reconstruction);
  const double scale = cellsOfRadius * std::ldexp(1.0, numLevels - 1);
  Ball<Dim> ball{{}, scale};
  for (int d = 0; d < Dim; ++d) {
    ball.centre[d] = (d == 0 ? 5.0 : 4.0) * scale;
  }
  IntervalSetOn<Dim, Space> obstacle;
  makeBall<Space, Dim>(context, ball, obstacle);
  CompressibleFlow<Space, Dim> flow(context, options, obstacle);
  for (int step = 0; step < 150; ++step) { // a shock
    flow.step();
  }
  constexpr int stepsAtOnce = 20; // two cycles of remeshing
  const std::int64_t before = flow.report().cellUpdates;
  std::int64_t first = 0;
  const double seconds = secondsOf(state, space, [&] {
    for (int step = 0; step < stepsAtOnce; ++step) {
      flow.step();
    }
    first = first == 0 ? flow.report().cellUpdates : first; // of the round that is not timed
  });
  const std::int64_t updates = flow.report().cellUpdates - first;
  const auto rounds = static_cast<double>(state.iterations());
  const double bytes =
    sizeof(double) * Component<Dim>::count * (reconstruction == Reconstruction::Constant ? 2.0 : 5.0);
  reportCells(state, space, seconds, static_cast<std::int64_t>(static_cast<double>(updates) / rounds),
    bytes * static_cast<double>(updates) / rounds);
  state.counters["leaves"] = static_cast<double>(first - before) / stepsAtOnce;
  const KernelTimes times;
  flow.step();
  std::int64_t launches = 0;
  for (const KernelTime& kernel : times.times()) {
    launches += kernel.numLaunches;
  }
  state.counters["launches a step"] = static_cast<double>(launches);
}

#define SPANWISE_BENCH_FLOW(Where, text, Dim, cells, levels, riemann, reconstruction, name)                            \
  BENCHMARK((stepsOf<Where, Dim, cells, levels, Riemann::riemann, Reconstruction::reconstruction>))                    \
    ->Name("Spanwise/Flow " #Dim "D/" name "/" text)                                                                   \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_FLOWS(Where, text)                                                                              \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 1, Rusanov, Constant, "Rusanov, one level")                                  \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 4, Rusanov, Constant, "Rusanov, 4 levels")                                   \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 1, Hllc, VanLeer, "HLLC and van Leer, one level")                            \
  SPANWISE_BENCH_FLOW(Where, text, 2, 20, 4, Hllc, VanLeer, "HLLC and van Leer, 4 levels")                             \
  SPANWISE_BENCH_FLOW(Where, text, 3, 6, 1, Hllc, VanLeer, "HLLC and van Leer, one level")                             \
  SPANWISE_BENCH_FLOW(Where, text, 3, 6, 3, Hllc, VanLeer, "HLLC and van Leer, 3 levels")
SPANWISE_BENCH_FLOWS(OneThread, "1 thread")
SPANWISE_BENCH_FLOWS(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_FLOWS(Device, "device")
SPANWISE_BENCH_FLOW(Device, "device", 2, 160, 1, Hllc, VanLeer, "HLLC and van Leer, 4 M cells")
SPANWISE_BENCH_FLOW(Device, "device", 2, 40, 5, Hllc, VanLeer, "HLLC and van Leer, 5 levels")
SPANWISE_BENCH_FLOW(Device, "device", 3, 20, 1, Hllc, VanLeer, "HLLC and van Leer, 10 M cells")
SPANWISE_BENCH_FLOW(Device, "device", 3, 10, 4, Hllc, VanLeer, "HLLC and van Leer, 4 levels of 1.3 M")
#endif

} // namespace
} // namespace spanwise::benchmarks
