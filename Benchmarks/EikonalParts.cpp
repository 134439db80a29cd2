// Arrival times part by part, on the cube of Eikonal.cpp with METIS's parts: the time of METIS, of cutting the mesh
// open on the host, of building it with its squared travel times and vertex balls, and of the times, from one source in
// the middle and, medians of three, from two in opposite corners and eight in all. 0 parts: the whole mesh without any
// of that.

#include "Benchmarks/Cube.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Mesh/MeshParts.hpp"
#include "Core/Mesh/Partition.hpp"
#include "Core/Solvers/Eikonal/PartsIterative.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace spanwise::benchmarks {
namespace {

/// Milliseconds that `work` takes.
template <class Work>
double millisecondsOf(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// The median of three times.
template <class Work>
double medianMillisecondsOf(const Work& work) {
  double times[3];
  for (double& time : times) {
    time = millisecondsOf(work);
  }
  std::sort(times, times + 3);
  return times[1];
}

template <class Where>
void solveInParts(benchmark::State& state) {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const Space space = Where::space();
  const auto n = static_cast<int>(state.range(0));
  const auto numParts = static_cast<int>(state.range(1));
  const Cube<Space> cube(n);
  const auto speed = eikonal::Speed::constant(1.0);
  Workspace<Memory> workspace;
  eikonal::SimplexMesh<4, Memory> whole;
  eikonal::PartedMesh<4, Memory> parted;
  if (numParts == 0) {
    eikonal::buildSimplexMesh<Space, 4>(space, cube.view(), speed, whole, workspace);
    space.fence();
  } else {
    const Cube<HostSpace> onHost(n);
    MeshPartition partition;
    MeshParts parts;
    state.counters["METIS ms"] = millisecondsOf([&] { partition = partitionMesh(onHost.view(), numParts); });
    state.counters["cut"] = static_cast<double>(
      reportPartition(onHost.view().elements, onHost.view().vertices.numVertices, partition).numSharedVertices);
    state.counters["split ms"] = millisecondsOf([&] {
      parts = splitMesh(onHost.view().elements, onHost.view().vertices.numVertices, partition.partOfElement, numParts);
    });
    const auto build = [&] {
      eikonal::buildPartedMesh<Space, 4>(space, cube.view(), speed, parts, parted, workspace);
      space.fence();
    };
    build(); // allocates
    state.counters["mesh ms"] = millisecondsOf(build);
  }
  const std::int64_t numVertices = cube.view().vertices.numVertices;
  const Kokkos::View<double*, Memory> times("Benchmarks::times", static_cast<std::size_t>(numVertices));
  eikonal::PartsReport report;
  const auto solve = [&](std::int64_t numSources) {
    Kokkos::deep_copy(space, times, eikonal::notReached);
    for (const std::int64_t vertex : cube.sources(numSources)) {
      Kokkos::deep_copy(space, Kokkos::subview(times, vertex), 0.0);
    }
    if (numParts == 0) {
      report.all = eikonal::iterateTimes<Space, 4>(space, whole, {}, times, workspace);
    } else {
      report = eikonal::iterateTimesInParts<Space, 4>(space, parted, {}, times, workspace);
    }
    space.fence();
  };
  state.counters["two sources ms"] = medianMillisecondsOf([&] { solve(2); });
  state.counters["eight sources ms"] = medianMillisecondsOf([&] { solve(8); });
  secondsOf(state, space, [&] { solve(1); });
  state.counters["rounds"] = static_cast<double>(report.numRounds);
  state.counters["iterations"] = static_cast<double>(report.all.numIterations);
  state.counters["updates a vertex"] = static_cast<double>(report.all.numUpdates) / static_cast<double>(numVertices);
}

#define SPANWISE_BENCH_PARTS(Where, text)                                                                              \
  BENCHMARK(solveInParts<Where>)                                                                                       \
    ->Name("Spanwise/cube/Arrival times in parts/" text)                                                               \
    ->ArgNames({"n", "parts"})                                                                                         \
    ->ArgsProduct({{50, 75, 100, 125}, {0, 2, 3, 4, 8, 16, 64}})                                                       \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);

SPANWISE_BENCH_PARTS(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_PARTS(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
