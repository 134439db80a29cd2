// Kernels on meshes: vertex balls, barycentres and qualities of elements, smoothing, and what it gains to have the
// vertices and elements in order. Bytes are those of the arrays that are read and written, each counted once a kernel.

#include "Benchmarks/Meshes.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Mesh/BoundaryVertices.hpp"
#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/Kernels.hpp"
#include "Core/Mesh/Orderings.hpp"
#include "Core/Mesh/SmoothVertices.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <random>
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
    buildVertexBall(space, grid.view().elements, grid.numVertices(), 0, ball, workspace);
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
  Workspace<Memory> workspace;
};

void reportElements(benchmark::State& state, double numElements) {
  state.counters["elements/s"] =
    benchmark::Counter(static_cast<double>(state.iterations()) * numElements, benchmark::Counter::kIsRate);
}

template <class Where, ElementType type>
void ballBuild(benchmark::State& state) {
  Prepared<Where> on(type);
  const double seconds = secondsOf(state, on.space,
    [&] { buildVertexBall(on.space, on.grid.view().elements, on.grid.numVertices(), 0, on.ball, on.workspace); });
  reportElements(state, on.numElements());
  reportBytes(state, on.space, seconds, on.listBytes() + static_cast<double>(on.ball.bytes()));
}

template <class Where, ElementType type>
void barycentres(benchmark::State& state) {
  Prepared<Where> on(type);
  const Kokkos::View<double*, typename Where::Space::memory_space> out(
    "Benchmarks::out", static_cast<std::size_t>(3 * on.grid.numElements()));
  const double seconds = secondsOf(state, on.space, [&] { computeBarycentres(on.space, on.grid.view(), out); });
  reportElements(state, on.numElements());
  reportBytes(state, on.space, seconds, on.listBytes() + on.coordinateBytes() + on.numElements() * 24.0);
}

template <class Where, ElementType type>
void qualities(benchmark::State& state) {
  Prepared<Where> on(type);
  const Kokkos::View<double*, typename Where::Space::memory_space> out(
    "Benchmarks::out", static_cast<std::size_t>(on.grid.numElements()));
  const double seconds = secondsOf(state, on.space, [&] { computeQualities(on.space, on.grid.view(), out); });
  reportElements(state, on.numElements());
  reportBytes(state, on.space, seconds, on.listBytes() + on.coordinateBytes() + on.numElements() * 8.0);
}

template <class Where, ElementType type>
void boundary(benchmark::State& state) {
  Prepared<Where> on(type);
  const Kokkos::View<std::uint8_t*, typename Where::Space::memory_space> marks(
    "Benchmarks::marks", static_cast<std::size_t>(on.grid.numVertices()));
  secondsOf(state, on.space, [&] { markBoundaryVertices(on.space, on.grid.view(), on.ball.view(), marks); });
  reportElements(state, on.numElements());
}

template <class Where, ElementType type, int finer = 1>
void smoothing(benchmark::State& state) {
  Prepared<Where> on(type, finer);
  using Memory = typename Where::Space::memory_space;
  const Kokkos::View<std::uint8_t*, Memory> held("Benchmarks::held", static_cast<std::size_t>(on.grid.numVertices()));
  markBoundaryVertices(on.space, on.grid.view(), on.ball.view(), held);
  const Kokkos::View<double*, Memory> out("Benchmarks::out", on.grid.coordinates.extent(0));
  SmoothOptions options;
  options.numIterations = 10;
  SmoothReport report;
  const double seconds = secondsOf(state, on.space, [&] {
    report = smoothVertices<typename Where::Space, double, std::int32_t>(
      on.space, on.grid.view(), on.ball.view(), options, held, out, on.workspace);
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

/// In which order the vertices and elements of the tetrahedra come.
enum class Ordering { Shuffled, RowByRow, Hilbert, CuthillMcKee };

template <class Where>
struct Ordered {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  using Indices = Kokkos::View<std::int32_t*, Memory>;

  explicit Ordered(Ordering ordering) : space(Where::space()) {
    const Prepared<Where> on(ElementType::Tetrahedron);
    if (ordering == Ordering::RowByRow) {
      reorder(on.grid.view(), {}, {});
    } else {
      reorder(on.grid.view(), shuffled(on.grid.numVertices()), shuffled(on.grid.numElements()));
    }
    if (ordering == Ordering::Hilbert || ordering == Ordering::CuthillMcKee) {
      const auto from = mesh;
      mesh = {};
      reorder(from.view(), vertexOrder(from.view(), ordering), {});
      // Elements go with their vertices: along the same curve, or by the mean number of their vertices.
      const auto renumbered = mesh;
      mesh = {};
      reorder(renumbered.view(), {}, elementOrder(renumbered, ordering));
    }
    buildVertexBall(space, mesh.view().elements, mesh.numVertices, 0, ball, workspace);
  }

  Indices vertexOrder(const MeshView<double, std::int32_t>& of, Ordering ordering) {
    const Indices order("Benchmarks::order", static_cast<std::size_t>(of.vertices.numVertices));
    if (ordering == Ordering::Hilbert) {
      orderVerticesAlongHilbertCurve(space, of.vertices, order, workspace);
    } else {
      buildVertexBall(space, of.elements, of.vertices.numVertices, 0, ball, workspace);
      orderVerticesByCuthillMcKee(space, of.elements, ball.view(), order, workspace);
    }
    return order;
  }

  Indices elementOrder(const MeshArrays<double, std::int32_t, Memory>& of, Ordering ordering) {
    const Indices order("Benchmarks::order", static_cast<std::size_t>(of.numElements));
    if (ordering == Ordering::Hilbert) {
      orderElementsAlongHilbertCurve(space, of.view(), order, workspace);
      return order;
    }
    const auto lists = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of.vertices);
    const auto host = Kokkos::create_mirror_view(order);
    std::iota(host.data(), host.data() + host.extent(0), 0);
    const auto sum = [&](std::int32_t e) {
      return std::accumulate(lists.data() + 4 * e, lists.data() + 4 * e + 4, std::int64_t{0});
    };
    std::stable_sort(host.data(), host.data() + host.extent(0), [&](auto a, auto b) { return sum(a) < sum(b); });
    Kokkos::deep_copy(order, host);
    return order;
  }

  Indices shuffled(std::int64_t count) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    return copied<std::int32_t, Memory>(order);
  }

  void reorder(const MeshView<double, std::int32_t>& from, const Indices& vertices, const Indices& elements) {
    reorderMesh<Space, double, std::int32_t>(space, from, vertices, elements, mesh, workspace);
    space.fence();
  }

  Space space;
  MeshArrays<double, std::int32_t, Memory> mesh;
  VertexBall<Memory> ball;
  Workspace<Memory> workspace;
};

template <class Where, Ordering ordering>
void makeOrder(benchmark::State& state) {
  using Space = typename Where::Space;
  Ordered<Where> on(Ordering::Shuffled);
  const Kokkos::View<std::int32_t*, typename Space::memory_space> order(
    "Benchmarks::order", static_cast<std::size_t>(on.mesh.numVertices));
  secondsOf(state, on.space, [&] {
    if constexpr (ordering == Ordering::Hilbert) {
      orderVerticesAlongHilbertCurve(on.space, on.mesh.view().vertices, order, on.workspace);
    } else {
      orderVerticesByCuthillMcKee(on.space, on.mesh.view().elements, on.ball.view(), order, on.workspace);
    }
  });
}

template <class Where, Ordering ordering>
void ballBuildOrdered(benchmark::State& state) {
  Ordered<Where> on(ordering);
  secondsOf(state, on.space,
    [&] { buildVertexBall(on.space, on.mesh.view().elements, on.mesh.numVertices, 0, on.ball, on.workspace); });
}

template <class Where, Ordering ordering>
void smoothingOrdered(benchmark::State& state) {
  Ordered<Where> on(ordering);
  using Space = typename Where::Space;
  const Kokkos::View<double*, typename Space::memory_space> out("Benchmarks::out", on.mesh.coordinates.extent(0));
  const Kokkos::View<const std::uint8_t*, typename Space::memory_space> none;
  secondsOf(state, on.space, [&] {
    smoothVertices<Space, double, std::int32_t>(on.space, on.mesh.view(), on.ball.view(), {}, none, out, on.workspace);
  });
}

template <class Where, Ordering ordering>
void arrivalTimesOrdered(benchmark::State& state) {
  Ordered<Where> on(ordering);
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const auto coordinates = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), on.mesh.coordinates);
  std::int64_t middle = 0; // the vertex next to it
  double nearest = 1.0;
  for (std::int64_t v = 0; v < on.mesh.numVertices; ++v) {
    const Point offset =
      Point{{coordinates(3 * v), coordinates(3 * v + 1), coordinates(3 * v + 2)}} - Point{{0.5, 0.5, 0.5}};
    if (dot(offset, offset) < nearest) {
      nearest = dot(offset, offset);
      middle = v;
    }
  }
  eikonal::SimplexMesh<4, Memory> simplices;
  eikonal::buildSimplexMesh<Space, 4>(on.space, on.mesh.view(), eikonal::Speed::constant(1.0), simplices, on.workspace);
  const Kokkos::View<double*, Memory> times("Benchmarks::times", static_cast<std::size_t>(on.mesh.numVertices));
  secondsOf(state, on.space, [&] {
    Kokkos::deep_copy(on.space, times, eikonal::notReached);
    Kokkos::deep_copy(on.space, Kokkos::subview(times, middle), 0.0);
    eikonal::iterateTimes<Space, 4>(on.space, simplices, {}, times, on.workspace);
  });
}

#define SPANWISE_BENCH_ORDERED(ordering, name, Where, text)                                                            \
  BENCHMARK(ballBuildOrdered<Where, Ordering::ordering>)                                                               \
    ->Name("Spanwise/" name "/Vertex ball/" text)                                                                      \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(smoothingOrdered<Where, Ordering::ordering>)                                                               \
    ->Name("Spanwise/" name "/Smoothing, 10 iterations/" text)                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(arrivalTimesOrdered<Where, Ordering::ordering>)                                                            \
    ->Name("Spanwise/" name "/Arrival times/" text)                                                                    \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);
#define SPANWISE_BENCH_ORDERINGS(Where, text)                                                                          \
  BENCHMARK(makeOrder<Where, Ordering::Hilbert>)                                                                       \
    ->Name("Spanwise/Ordering/Hilbert/" text)                                                                          \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(makeOrder<Where, Ordering::CuthillMcKee>)                                                                  \
    ->Name("Spanwise/Ordering/Cuthill-McKee/" text)                                                                    \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  SPANWISE_BENCH_ORDERED(Shuffled, "Shuffled", Where, text)                                                            \
  SPANWISE_BENCH_ORDERED(RowByRow, "Row by row", Where, text)                                                          \
  SPANWISE_BENCH_ORDERED(Hilbert, "Hilbert", Where, text)                                                              \
  SPANWISE_BENCH_ORDERED(CuthillMcKee, "Cuthill-McKee", Where, text)

SPANWISE_BENCH_ORDERINGS(OneThread, "1 thread")
SPANWISE_BENCH_ORDERINGS(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_ORDERINGS(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
