// Start times from a surface: a sphere of so many triangles around the middle of the unit cube, in the grid of 76^3
// cells and in the mesh of 50^3 cells of six tetrahedra each. Bytes are those of the times, written once.

#include "Benchmarks/Cube.hpp"
#include "Benchmarks/TriangleSphere.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/GridSurface.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/Eikonal/Starts.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>

namespace spanwise::benchmarks {
namespace {

/// A sphere of radius 0.3 in the middle of the unit cube.
template <class Space>
struct Sphere {
  explicit Sphere(std::int64_t m) {
    const TriangleSphere sphere = sphereOf(m, {0.5, 0.5, 0.5}, 0.3);
    points = Cube<Space>::copied(sphere.points);
    triangles = Cube<Space>::copied(sphere.corners);
  }

  [[nodiscard]] eikonal::SurfaceSources view() const {
    return {points.data(), triangles.data(), nullptr, static_cast<std::int64_t>(points.extent(0)) / 3,
      static_cast<std::int64_t>(triangles.extent(0)) / 3};
  }

  Kokkos::View<double*, typename Space::memory_space> points;
  Kokkos::View<std::int64_t*, typename Space::memory_space> triangles;
};

template <class Where>
void startInGrid(benchmark::State& state) {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const Space space = Where::space();
  constexpr int n = 76;
  IntervalSetOn<3, Space> set;
  makeBox<Space, 3>(Context(space), {{0, 0, 0}, {n, n, n}}, set);
  GridGeometry<3> lattice{};
  for (double& spacing : lattice.spacing) {
    spacing = 1.0 / n;
  }
  const Context context(space);
  eikonal::Grid<3, Space> grid;
  eikonal::buildGrid<Space, 3>(context, set, lattice, {}, eikonal::Speed::constant(1.0), grid);
  const Sphere<Space> sphere(state.range(0));
  const Kokkos::View<double*, Memory> times("Benchmarks::times", static_cast<std::size_t>(grid.numCells()));
  std::int64_t numStarts = 0;
  const double seconds = secondsOf(state, space, [&] {
    Kokkos::deep_copy(space, times, eikonal::notReached);
    numStarts = eikonal::startAtSurface<Space, 3>(context, grid, sphere.view(), times);
  });
  state.counters["triangles"] = static_cast<double>(sphere.view().count);
  state.counters["starts"] = static_cast<double>(numStarts);
  reportCells(state, space, seconds, grid.numCells(), 8.0 * static_cast<double>(grid.numCells()));
}

template <class Where>
void startInMesh(benchmark::State& state) {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const Space space = Where::space();
  const Cube<Space> cube(50);
  const auto speed = eikonal::Speed::constant(1.0);
  const Context context(space);
  eikonal::SimplexMesh<4, Space> mesh;
  eikonal::buildSimplexMesh<Space, 4>(context, cube.view(), speed, mesh);
  const Sphere<Space> sphere(state.range(0));
  const Kokkos::View<double*, Memory> times("Benchmarks::times", static_cast<std::size_t>(mesh.numVertices()));
  eikonal::Sources sources;
  sources.surface = sphere.view();
  eikonal::StartReport report;
  const double seconds = secondsOf(state, space, [&] {
    report = eikonal::setStarts(context, cube.view(), speed, mesh, sources, {times.data(), nullptr, nullptr, nullptr});
  });
  state.counters["triangles"] = static_cast<double>(sphere.view().count);
  state.counters["starts"] = static_cast<double>(report.numStarts);
  reportBytes(state, space, seconds, 8.0 * static_cast<double>(mesh.numVertices()));
}

#define SPANWISE_BENCH_SURFACE(Where, text)                                                                            \
  BENCHMARK(startInGrid<Where>)                                                                                        \
    ->Name("Spanwise/cube/Surface sources, grid/" text)                                                                \
    ->Arg(16)                                                                                                          \
    ->Arg(160)                                                                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(startInMesh<Where>)                                                                                        \
    ->Name("Spanwise/cube/Surface sources, mesh/" text)                                                                \
    ->Arg(16)                                                                                                          \
    ->Arg(160)                                                                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);

SPANWISE_BENCH_SURFACE(OneThread, "1 thread")
SPANWISE_BENCH_SURFACE(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_SURFACE(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
