// The narrow band of a sphere of a million triangles, three cells wide on both sides: cells and exact distances, with
// the sign of closed surfaces or without. Bytes are those of the distances, written once.

#include "Core/Solvers/Eikonal/SurfaceDistance.hpp"
#include "Benchmarks/TriangleSphere.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Geometry/Builders/Surface.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

namespace spanwise::benchmarks {
namespace {

template <class Where, bool isSigned>
void bandOfSphere(benchmark::State& state) {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const Space space = Where::space();
  constexpr std::int64_t m = 500;
  constexpr double width = 3.0;
  const TriangleSphere sphere = sphereOf(m, {0.0, 0.0, 0.0}, static_cast<double>(state.range(0)));
  const auto points = testing::arrayOn<Space>(sphere.points);
  const auto corners = testing::arrayOn<Space>(sphere.corners);
  using Surface = TriangleSurface<Memory>;
  const Surface surface{decltype(Surface::points)(points.data(), points.extent(0) / 3),
    decltype(Surface::triangles)(corners.data(), corners.extent(0) / 3)};
  const GridGeometry<3> lattice{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  const Context<Space> context(space);
  IntervalSetOn<3, Space> band;
  IntervalSetOn<3, Space> inside;
  FieldOn<double, Space> distances;
  const double seconds = secondsOf(state, space, [&] {
    eikonal::makeSurfaceBand<Space>(context, surface, lattice, width, band, distances);
    if constexpr (isSigned) {
      makeFromSurface<Space>(context, surface, lattice, inside);
      eikonal::negateInside<Space>(context, inside, band, distances);
    }
  });
  state.counters["cells"] = static_cast<double>(band.numCells());
  reportCells(state, space, seconds, band.numCells(), 8.0 * static_cast<double>(band.numCells()));
}

#define SPANWISE_BENCH_BAND(Where, text)                                                                               \
  BENCHMARK(bandOfSphere<Where, false>)                                                                                \
    ->Name("Spanwise/sphere/Band of a surface/" text)                                                                  \
    ->Arg(256)                                                                                                         \
    ->Arg(512)                                                                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(bandOfSphere<Where, true>)                                                                                 \
    ->Name("Spanwise/sphere/Band of a surface, signed/" text)                                                          \
    ->Arg(256)                                                                                                         \
    ->Arg(512)                                                                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);

SPANWISE_BENCH_BAND(OneThread, "1 thread")
SPANWISE_BENCH_BAND(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_BAND(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
