// Arrival times in the unit cube of n^3 cells of six tetrahedra each, speed 1, from one source in the middle, two in
// opposite corners or eight in all corners: the vertex balls, the mesh with its squared travel times and these balls,
// and the times. Updates a vertex say how often a local problem was solved. Factored times come from the whole way,
// from mesh and source on.

#include "Benchmarks/Cube.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

namespace spanwise::benchmarks {
namespace {

template <class Where>
void buildBallsOfCube(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Cube<Space> cube(static_cast<int>(state.range(0)));
  const Context context(space);
  VertexBall<typename Space::memory_space> ball;
  secondsOf(
    state, space, [&] { buildVertexBall(context, cube.view().elements, cube.view().vertices.numVertices, 0, ball); });
}

template <class Where>
void buildCube(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Cube<Space> cube(static_cast<int>(state.range(0)));
  const Context context(space);
  eikonal::SimplexMesh<4, Space> mesh;
  secondsOf(state, space,
    [&] { eikonal::buildSimplexMesh<Space, 4>(context, cube.view(), eikonal::Speed::constant(1.0), mesh); });
  state.counters["tetrahedra/s"] =
    benchmark::Counter(static_cast<double>(state.iterations() * mesh.numSimplices()), benchmark::Counter::kIsRate);
}

template <class Where>
void solveCube(benchmark::State& state) {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const Space space = Where::space();
  const Cube<Space> cube(static_cast<int>(state.range(0)));
  const Context context(space);
  eikonal::SimplexMesh<4, Space> mesh;
  eikonal::buildSimplexMesh<Space, 4>(context, cube.view(), eikonal::Speed::constant(1.0), mesh);
  const Kokkos::View<double*, Memory> times("Benchmarks::times", static_cast<std::size_t>(mesh.numVertices()));
  const std::vector<std::int64_t> sources = cube.sources(state.range(1));
  eikonal::IterationReport report;
  const double seconds = secondsOf(state, space, [&] {
    Kokkos::deep_copy(space, times, eikonal::notReached);
    for (const std::int64_t vertex : sources) {
      Kokkos::deep_copy(space, Kokkos::subview(times, vertex), 0.0);
    }
    report = eikonal::iterateTimes<Space, 4>(context, mesh, {}, times);
  });
  state.counters["tetrahedra"] = static_cast<double>(mesh.numSimplices());
  state.counters["iterations"] = static_cast<double>(report.numIterations);
  state.counters["updates a vertex"] = static_cast<double>(report.numUpdates) / static_cast<double>(mesh.numVertices());
  // each simplex and its four entries in balls read once, each time read and written once
  constexpr double bytesOfSimplex = 4 * sizeof(std::int32_t) + 6 * sizeof(double) + 4 * sizeof(BallEntry);
  reportBytes(state, space, seconds,
    bytesOfSimplex * static_cast<double>(mesh.numSimplices()) + 16.0 * static_cast<double>(mesh.numVertices()));
}

/// The same with factored times, of first or second order: from mesh and source to times, with all between.
template <class Where>
void solveFactored(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Cube<Space> cube(static_cast<int>(state.range(0)));
  const Context context(space);
  const auto number = Cube<Space>::template copied<std::int64_t>({cube.middle});
  eikonal::Sources sources;
  sources.vertices = {number.data(), nullptr, 1};
  eikonal::ArrivalOptions options;
  options.factoring.by = eikonal::FactorBy::PointsAndVertices;
  options.order = static_cast<int>(state.range(1));
  eikonal::ArrivalTimes<Space> out;
  eikonal::ArrivalReport report;
  secondsOf(state, space, [&] {
    report = eikonal::solveArrivalTimes(context, cube.view(), eikonal::Speed::constant(1.0), sources, options, out);
  });
  state.counters["tetrahedra"] = static_cast<double>(report.numSimplices);
  state.counters["iterations"] = static_cast<double>(report.iteration.numIterations);
  state.counters["updates a vertex"] =
    static_cast<double>(report.iteration.numUpdates) / static_cast<double>(out.times.extent(0));
  state.counters["waves"] = static_cast<double>(report.secondOrder.numWaves);
}

#define SPANWISE_BENCH_CUBE(Where, text)                                                                               \
  BENCHMARK(buildBallsOfCube<Where>)                                                                                   \
    ->Name("Spanwise/cube/Balls/" text)                                                                                \
    ->ArgName("n")                                                                                                     \
    ->ArgsProduct({{50, 75, 100, 125}})                                                                                \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(buildCube<Where>)                                                                                          \
    ->Name("Spanwise/cube/Simplices/" text)                                                                            \
    ->ArgName("n")                                                                                                     \
    ->ArgsProduct({{50, 75, 100, 125}})                                                                                \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(solveCube<Where>)                                                                                          \
    ->Name("Spanwise/cube/Arrival times/" text)                                                                        \
    ->ArgNames({"n", "sources"})                                                                                       \
    ->ArgsProduct({{50, 75, 80, runsOnHost<Where::Space> ? 100 : 160, 125}, {1, 2, 8}})                                \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(solveFactored<Where>)                                                                                      \
    ->Name("Spanwise/cube/Mesh and factored times/" text)                                                              \
    ->ArgNames({"n", "order"})                                                                                         \
    ->ArgsProduct({{50, 75}, {1, 2}})                                                                                  \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);

SPANWISE_BENCH_CUBE(OneThread, "1 thread")
SPANWISE_BENCH_CUBE(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_CUBE(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
