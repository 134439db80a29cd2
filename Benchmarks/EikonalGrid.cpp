// Arrival times on a grid of (n + 1)^3 cells from its middle, speed 1: what scikit-fmm computes in EikonalGrid.py. The
// grid is made apart, since it serves any number of solutions. Bytes are those that every algorithm has to move: each
// time written once, and read once by each of the six neighbours.

#include "Benchmarks/Where.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/GridTimes.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

namespace spanwise::benchmarks {
namespace {

template <class Space>
struct GridOfCube {

  GridOfCube(const Space& space, int n) : context(space) {
    makeBox<Space, 3>(context, {{0, 0, 0}, {n + 1, n + 1, n + 1}}, set);
    const double h = 1.0 / n;
    for (int axis = 0; axis < 3; ++axis) {
      lattice.spacing[axis] = h;
      middle.at[axis] = (n / 2 + 0.5) * h;
    }
    build();
  }

  void build() { eikonal::buildGrid<Space, 3>(context, set, lattice, {}, eikonal::Speed::constant(1.0), grid); }

  GridGeometry<3> lattice{};
  eikonal::PointSource<3> middle{};
  IntervalSetOn<3, Space> set;
  const Context<Space> context;
  eikonal::Grid<3, Space> grid;
};

template <class Where>
void buildGridOfCube(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  GridOfCube<Space> cube(space, static_cast<int>(state.range(0)));
  secondsOf(state, space, [&] { cube.build(); });
  state.counters["bytes a cell"] = static_cast<double>(cube.grid.bytes()) / static_cast<double>(cube.grid.numCells());
}

/// Factored within so many hundredths of the cube's width.
template <class Where, int order, int radiusPercent>
void solveGridOfCube(benchmark::State& state) {
  constexpr double radius = radiusPercent / 100.0;
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const Space space = Where::space();
  GridOfCube<Space> cube(space, static_cast<int>(state.range(0)));
  const Kokkos::View<double*, Memory> times("Benchmarks::times", static_cast<std::size_t>(cube.grid.numCells()));
  eikonal::GridOptions options;
  options.order = order;
  eikonal::GridFactoring<3, Memory> factoring;
  eikonal::IterationReport report;
  const double seconds = secondsOf(state, space, [&] {
    Kokkos::deep_copy(space, times, eikonal::notReached);
    eikonal::startAtPoints<Space, 3>(cube.context, cube.grid, {cube.middle}, radius, times, factoring);
    report = eikonal::computeGridTimes<Space, 3>(cube.context, cube.grid, options, factoring.view(), times);
  });
  const auto cells = static_cast<double>(cube.grid.numCells());
  state.counters["iterations"] = static_cast<double>(report.numIterations);
  state.counters["updates a cell"] = static_cast<double>(report.numUpdates) / cells;
  reportCells(state, space, seconds, cube.grid.numCells(), 7.0 * 8.0 * cells);
}

/// The source that each of 76^3 cells is the nearest to in time, for so many sources anywhere.
template <class Where>
void chooseSources(benchmark::State& state) {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const Space space = Where::space();
  GridOfCube<Space> cube(space, 75);
  const Kokkos::View<double*, Memory> times("Benchmarks::times", static_cast<std::size_t>(cube.grid.numCells()));
  Kokkos::deep_copy(space, times, eikonal::notReached);
  eikonal::GridFactoring<3, Memory> factoring;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<eikonal::PointSource<3>> points;
  for (std::int64_t k = 0; k < state.range(0); ++k) {
    points.push_back({{unit(random), unit(random), unit(random)}, 0.0});
  }
  const double seconds = secondsOf(
    state, space, [&] { eikonal::startAtPoints<Space, 3>(cube.context, cube.grid, points, 2.0, times, factoring); });
  reportCells(state, space, seconds, cube.grid.numCells(), 4.0 * static_cast<double>(cube.grid.numCells()));
}

#define SPANWISE_BENCH_GRID(Where, text)                                                                               \
  BENCHMARK(buildGridOfCube<Where>)                                                                                    \
    ->Name("Spanwise/cube/Grid/" text)                                                                                 \
    ->Arg(50)                                                                                                          \
    ->Arg(75)                                                                                                          \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(chooseSources<Where>)                                                                                      \
    ->Name("Spanwise/cube/Grid sources/" text)                                                                         \
    ->Arg(1)                                                                                                           \
    ->Arg(100)                                                                                                         \
    ->Arg(10000)                                                                                                       \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  SPANWISE_BENCH_GRID_TIMES(Where, 1, 0, "Grid times, order 1/" text)                                                  \
  SPANWISE_BENCH_GRID_TIMES(Where, 2, 0, "Grid times, order 2/" text)                                                  \
  SPANWISE_BENCH_GRID_TIMES(Where, 2, 20, "Grid times, order 2, factored near/" text)                                  \
  SPANWISE_BENCH_GRID_TIMES(Where, 2, 200, "Grid times, order 2, factored/" text)
#define SPANWISE_BENCH_GRID_TIMES(Where, order, radius, text)                                                          \
  BENCHMARK_TEMPLATE(solveGridOfCube, Where, order, radius)                                                            \
    ->Name("Spanwise/cube/" text)                                                                                      \
    ->Arg(50)                                                                                                          \
    ->Arg(75)                                                                                                          \
    ->Arg(100)                                                                                                         \
    ->Arg(150)                                                                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);

SPANWISE_BENCH_GRID(OneThread, "1 thread")
SPANWISE_BENCH_GRID(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_GRID(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
