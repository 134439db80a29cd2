// Signed distances to a ball in the cube of n^3 cells around it, inside and outside: what scipy computes in
// SignedDistance.py, with one call for each side. And the band of three cells on both sides of the boundary. Bytes are
// those that every way to do it axis by axis has to move: each distance written three times, and read twice.

#include "Benchmarks/Where.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/GridSignedDistance.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

namespace spanwise::benchmarks {
namespace {

template <class Space>
struct BallInCube {
  using Memory = typename Space::memory_space;

  BallInCube(const Space& space, Coordinate n) : cube{{0, 0, 0}, {n, n, n}}, context(space) {
    const double middle = 0.5 * n;
    makeBall<Space, 3>(context, {{middle, middle, middle}, 0.8 * middle}, ball);
  }

  Box<3> cube;
  GridGeometry<3> lattice{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  IntervalSetOn<3, Space> ball;
  const Context<Space> context;
};

template <class Where>
void distanceInCube(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  BallInCube<Space> in(space, static_cast<Coordinate>(state.range(0)));
  const std::int64_t numCells = in.cube.numRows() * in.cube.extent(0);
  const Kokkos::View<double*, typename Space::memory_space> distances("Benchmarks::distances", numCells);
  const double seconds = secondsOf(state, space,
    [&] { eikonal::signedDistanceInBox<Space, 3>(in.context, in.ball, in.lattice, {}, in.cube, distances); });
  state.counters["bytes a cell"] =
    8.0 + static_cast<double>(in.context.workspace().bytes()) / static_cast<double>(numCells);
  reportCells(state, space, seconds, numCells, 5.0 * 8.0 * static_cast<double>(numCells));
}

template <class Where>
void distanceInBand(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  BallInCube<Space> in(space, static_cast<Coordinate>(state.range(0)));
  IntervalSetOn<3, Space> more;
  IntervalSetOn<3, Space> less;
  IntervalSetOn<3, Space> band;
  const auto cube = StructuringElement<3>::box({3, 3, 3});
  morph<Space, 3>(in.context, MorphologyOperation::Dilate, in.ball, cube, more);
  morph<Space, 3>(in.context, MorphologyOperation::Erode, in.ball, cube, less);
  combine<Space, 3>(in.context, SetOperation::Difference, more, less, band);
  const Kokkos::View<double*, typename Space::memory_space> distances("Benchmarks::distances", band.numCells());
  const double seconds = secondsOf(state, space,
    [&] { eikonal::signedDistanceOnCells<Space, 3>(in.context, in.ball, in.lattice, {}, band, 3.0, distances); });
  reportCells(state, space, seconds, band.numCells(), 8.0 * static_cast<double>(band.numCells()));
}

#define SPANWISE_BENCH_DISTANCE(Where, text)                                                                           \
  BENCHMARK(distanceInCube<Where>)                                                                                     \
    ->Name("Spanwise/ball/Signed distance/" text)                                                                      \
    ->Arg(128)                                                                                                         \
    ->Arg(256)                                                                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(distanceInBand<Where>)                                                                                     \
    ->Name("Spanwise/ball/Signed distance, band/" text)                                                                \
    ->Arg(256)                                                                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);

SPANWISE_BENCH_DISTANCE(OneThread, "1 thread")
SPANWISE_BENCH_DISTANCE(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_DISTANCE(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
