// Kernels on meshes: vertex balls, barycentres and qualities of elements, smoothing. Bytes are those of the arrays that
// are read and written, each counted once a kernel.

#include "Benchmarks/Meshes.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Mesh/BoundaryVertices.hpp"
#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/Kernels.hpp"
#include "Core/Mesh/SmoothVertices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <string>

namespace spanwise::benchmarks {
namespace {

/// Cells an axis, so that there are some 100 to 300 thousand vertices.
int sizeOf(ElementType type) {
  switch (type) {
  case ElementType::Tetrahedron:
  case ElementType::Prism:
    return 50;
  case ElementType::Hexahedron:
    return 60;
  case ElementType::Pyramid:
    return 40;
  default:
    return 500;
  }
}

/// A grid whose vertices are moved by up to a tenth of a cell, with its balls.
template <class Where>
struct Prepared {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;

  explicit Prepared(ElementType type, int finer = 1) : space(Where::space()), grid(type, finer * sizeOf(type)) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), grid.coordinates);
    std::uint64_t seed = 1;
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      const double unit = static_cast<double>(splitMix64(seed) >> 11) / 9007199254740992.0 - 0.5;
      host(i) += dimensionOf(type) < 3 && i % 3 == 2 ? 0.0 : 0.2 * unit / (finer * sizeOf(type));
    }
    Kokkos::deep_copy(grid.coordinates, host);
    buildVertexBall(context, grid.view().elements, grid.numVertices(), 0, ball);
  }

  [[nodiscard]] double numVertices() const { return static_cast<double>(grid.numVertices()); }
  [[nodiscard]] double numElements() const { return static_cast<double>(grid.numElements()); }
  [[nodiscard]] double listBytes() const { return static_cast<double>(grid.corners.extent(0)) * sizeof(std::int32_t); }
  [[nodiscard]] double coordinateBytes() const {
    return static_cast<double>(grid.coordinates.extent(0)) * sizeof(double);
  }
  /// Entries and degrees, without the slots that are empty.
  [[nodiscard]] double ballBytes() const {
    return static_cast<double>(ball.occupancy().numEntries) * sizeof(BallEntry) + numVertices() * sizeof(std::int32_t);
  }

  Space space;
  GridMesh<Space> grid;
  VertexBall<Memory> ball;
  const Context<Space> context{space};
};

void reportElements(benchmark::State& state, double numElements) {
  state.counters["elements/s"] =
    benchmark::Counter(static_cast<double>(state.iterations()) * numElements, benchmark::Counter::kIsRate);
}

template <class Where, ElementType type>
void ballBuild(benchmark::State& state) {
  Prepared<Where> on(type);
  const double seconds = secondsOf(
    state, on.space, [&] { buildVertexBall(on.context, on.grid.view().elements, on.grid.numVertices(), 0, on.ball); });
  reportElements(state, on.numElements());
  reportBytes(state, on.space, seconds, on.listBytes() + static_cast<double>(on.ball.bytes()));
}

template <class Where, ElementType type>
void barycentres(benchmark::State& state) {
  Prepared<Where> on(type);
  const Kokkos::View<double*, typename Where::Space::memory_space> out(
    "Benchmarks::out", static_cast<std::size_t>(3 * on.grid.numElements()));
  const double seconds = secondsOf(state, on.space, [&] { computeBarycentres(on.context, on.grid.view(), out); });
  reportElements(state, on.numElements());
  reportBytes(state, on.space, seconds, on.listBytes() + on.coordinateBytes() + on.numElements() * 24.0);
}

template <class Where, ElementType type>
void qualities(benchmark::State& state) {
  Prepared<Where> on(type);
  const Kokkos::View<double*, typename Where::Space::memory_space> out(
    "Benchmarks::out", static_cast<std::size_t>(on.grid.numElements()));
  const double seconds = secondsOf(state, on.space, [&] { computeQualities(on.context, on.grid.view(), out); });
  reportElements(state, on.numElements());
  reportBytes(state, on.space, seconds, on.listBytes() + on.coordinateBytes() + on.numElements() * 8.0);
}

template <class Where, ElementType type>
void boundary(benchmark::State& state) {
  Prepared<Where> on(type);
  const Kokkos::View<std::uint8_t*, typename Where::Space::memory_space> marks(
    "Benchmarks::marks", static_cast<std::size_t>(on.grid.numVertices()));
  secondsOf(state, on.space, [&] { markBoundaryVertices(on.context, on.grid.view(), on.ball.view(), marks); });
  reportElements(state, on.numElements());
}

template <class Where, ElementType type, int finer = 1>
void smoothing(benchmark::State& state) {
  Prepared<Where> on(type, finer);
  using Memory = typename Where::Space::memory_space;
  const Kokkos::View<std::uint8_t*, Memory> held("Benchmarks::held", static_cast<std::size_t>(on.grid.numVertices()));
  markBoundaryVertices(on.context, on.grid.view(), on.ball.view(), held);
  const Kokkos::View<double*, Memory> out("Benchmarks::out", on.grid.coordinates.extent(0));
  SmoothOptions options;
  options.numIterations = 10;
  SmoothReport report;
  const double seconds = secondsOf(state, on.space, [&] {
    report = smoothVertices<typename Where::Space, double, std::int32_t>(
      on.context, on.grid.view(), on.ball.view(), options, {held}, out);
  });
  // A look at the elements (lists, coordinates, and their weighted barycentres with a mark), and a move of the vertices
  // (balls, those barycentres, coordinates read and written, marks of what is held). Before and after them the
  // coordinates are copied.
  const double look = on.listBytes() + on.coordinateBytes() + on.numElements() * 33.0;
  const double move = on.ballBytes() + on.numElements() * 32.0 + 2.0 * on.coordinateBytes() + on.numVertices();
  reportElements(state, 10.0 * on.numElements());
  reportBytes(state, on.space, seconds, 11.0 * look + 10.0 * move + 4.0 * on.coordinateBytes());
  state.counters["refused"] = static_cast<double>(report.numRefused);
  state.counters["ms an iteration"] = 100.0 * seconds / static_cast<double>(state.iterations());
}

#define SPANWISE_BENCH_MESH(type, Where, text)                                                                         \
  BENCHMARK(ballBuild<Where, ElementType::type>)                                                                       \
    ->Name("Spanwise/" #type "/Vertex ball/" text)                                                                     \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(barycentres<Where, ElementType::type>)                                                                     \
    ->Name("Spanwise/" #type "/Barycentres/" text)                                                                     \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(qualities<Where, ElementType::type>)                                                                       \
    ->Name("Spanwise/" #type "/Qualities/" text)                                                                       \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(boundary<Where, ElementType::type>)                                                                        \
    ->Name("Spanwise/" #type "/Boundary/" text)                                                                        \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(smoothing<Where, ElementType::type>)                                                                       \
    ->Name("Spanwise/" #type "/Smoothing, 10 iterations/" text)                                                        \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define SPANWISE_BENCH_MESH_ON_DEVICE(type)                                                                            \
  SPANWISE_BENCH_MESH(type, Device, "device")                                                                          \
  BENCHMARK(smoothing<Device, ElementType::type, 3>)                                                                   \
    ->Name("Spanwise/" #type ", three times finer/Smoothing, 10 iterations/device")                                    \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);
#else
#define SPANWISE_BENCH_MESH_ON_DEVICE(type)
#endif
#define SPANWISE_BENCH_MESH_TYPE(type)                                                                                 \
  SPANWISE_BENCH_MESH(type, OneThread, "1 thread")                                                                     \
  SPANWISE_BENCH_MESH(type, AllThreads, "all threads")                                                                 \
  SPANWISE_BENCH_MESH_ON_DEVICE(type)

SPANWISE_BENCH_MESH_TYPE(Tetrahedron)
SPANWISE_BENCH_MESH_TYPE(Hexahedron)
SPANWISE_BENCH_MESH_TYPE(Triangle)
SPANWISE_BENCH_MESH_TYPE(Quadrilateral)
SPANWISE_BENCH_MESH_TYPE(Prism)
SPANWISE_BENCH_MESH_TYPE(Pyramid)
SPANWISE_BENCH_MESH_TYPE(Edge)

} // namespace
} // namespace spanwise::benchmarks
