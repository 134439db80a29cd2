// Fields: arithmetic, reductions, stencils, maps of neighbours, remapping; beside each a plain loop over a dense array
// of as many cells. Counted bytes: what has to be read and written once, that is the values; for the building of maps
// the set's arrays and the map. A plain loop that writes what it has not read moves a half more (the line is read
// before it is written), so that 0.67 of the copy is what it can reach.

#include "Benchmarks/Where.hpp"
#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Copy.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Field/Stencils.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace spanwise::benchmarks {
namespace {

/// Rates of a measurement that handled so many cells and bytes each time and took `seconds` altogether.
template <class Space>
void reportCells(benchmark::State& state, const Space& space, double seconds, std::int64_t cells, double bytes) {
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["cells/s"] = benchmark::Counter(rounds * static_cast<double>(cells), benchmark::Counter::kIsRate);
  state.counters["bytes/s"] = benchmark::Counter(rounds * bytes, benchmark::Counter::kIsRate);
  const double limit = runsOnHost<Space> ? copyBandwidth(space.concurrency()) : deviceCopyBandwidth();
  state.counters["share of copy"] = rounds * bytes / seconds / limit;
}

/// Calls `operation` over and over; returns the seconds.
template <class Space, class Operation>
double measure(benchmark::State& state, const Space& space, const Operation& operation) {
  operation();
  space.fence();
  const auto begin = std::chrono::steady_clock::now();
  for (auto _ : state) {
    operation();
    space.fence();
    benchmark::ClobberMemory();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A set in the memory of Where, and a field that grows along the cells.
template <int Dim, Pair<Dim> (*Make)(), class Where>
struct Input {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;

  Space space = Where::space();
  Workspace<Memory> workspace;
  IntervalSetOn<Dim, Space> set;
  FieldOn<double, Space> x;
  FieldOn<double, Space> y;

  Input() {
    static const HostIntervalSet<Dim> made = Make().a;
    copy(made, set);
    HostField<double> values("x", set.numCells());
    for (std::int64_t k = 0; k < set.numCells(); ++k) {
      values.view()(k) = static_cast<double>(k % 1000);
    }
    copy(values, x);
    y.resize(set.numCells());
    fill(space, y, 1.0);
  }
  [[nodiscard]] double bytes(int fields) const { return static_cast<double>(set.numCells()) * sizeof(double) * fields; }
};

template <int Dim, Pair<Dim> (*Make)(), class Where>
void axpyOf(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  const double seconds = measure(state, in.space, [&] { axpy(in.space, 1e-9, in.x, in.y); });
  reportCells(state, in.space, seconds, in.set.numCells(), in.bytes(3));
}

template <int Dim, Pair<Dim> (*Make)(), class Where>
void dotOf(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  double result = 0.0;
  const double seconds = measure(state, in.space, [&] { result = dot(in.space, in.x, in.y); });
  benchmark::DoNotOptimize(result);
  reportCells(state, in.space, seconds, in.set.numCells(), in.bytes(2));
}

/// The second set of the pair as a region: one long run a row in the ball, short ones in noise.
template <int Dim, Pair<Dim> (*Make)(), class Where>
void scaleRegion(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  static const HostIntervalSet<Dim> other = Make().b;
  IntervalSetOn<Dim, typename Where::Space> set;
  copy(other, set);
  RegionOn<Dim, typename Where::Space> region(set);
  const auto& cells = region.in(in.space, in.set, in.workspace);
  const double seconds = measure(state, in.space, [&] { scale(in.space, 1.0000001, in.x, cells); });
  reportCells(state, in.space, seconds, cells.numCells(), 16.0 * static_cast<double>(cells.numCells()));
  state.counters["runs"] = static_cast<double>(cells.numRuns());
}

template <int Dim, Pair<Dim> (*Make)(), class Where>
void laplacianOf(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  StencilMapOn<FacePattern<Dim>, typename Where::Space> map;
  buildStencilMap<FacePattern<Dim>, typename Where::Space>(
    in.space, in.set, {BoundaryPolicy::Mirror}, map, in.workspace);
  Spacing<Dim> spacing{};
  std::fill_n(spacing.along, Dim, 1.0);
  const double seconds = measure(state, in.space, [&] { laplacian(in.space, map, in.x, spacing, 0.0, in.y); });
  reportCells(state, in.space, seconds, in.set.numCells(), in.bytes(2));
  state.counters["segments"] = static_cast<double>(map.numSegments());
}

template <int Dim, Pair<Dim> (*Make)(), class Where>
void boxFilterOf(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  StencilMapOn<BoxPattern<Dim>, typename Where::Space> map;
  buildStencilMap<BoxPattern<Dim>, typename Where::Space>(
    in.space, in.set, {BoundaryPolicy::Mirror}, map, in.workspace);
  const double seconds = measure(state, in.space, [&] { boxFilter(in.space, map, in.x, 0.0, in.y); });
  reportCells(state, in.space, seconds, in.set.numCells(), in.bytes(2));
  state.counters["segments"] = static_cast<double>(map.numSegments());
}

template <int Dim, Pair<Dim> (*Make)(), class Where, class Pattern>
void buildMapOf(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  StencilMapOn<Pattern, typename Where::Space> map;
  const double seconds = measure(state, in.space, [&] {
    buildStencilMap<Pattern, typename Where::Space>(in.space, in.set, {BoundaryPolicy::Mirror}, map, in.workspace);
  });
  double bytes =
    static_cast<double>(map.numSegments()) * (sizeof(StencilSegment<Pattern::count>) + sizeof(std::int64_t));
  bytesOf(in.set, true, bytes);
  reportCells(state, in.space, seconds, in.set.numCells(), bytes);
  state.counters["segments/s"] =
    benchmark::Counter(static_cast<double>(state.iterations() * map.numSegments()), benchmark::Counter::kIsRate);
}

template <int Dim, Pair<Dim> (*Make)(), class Where>
void buildFaceMap(benchmark::State& state) {
  buildMapOf<Dim, Make, Where, FacePattern<Dim>>(state);
}
template <int Dim, Pair<Dim> (*Make)(), class Where>
void buildBoxMap(benchmark::State& state) {
  buildMapOf<Dim, Make, Where, BoxPattern<Dim>>(state);
}

/// The shared cells are found anew each time.
template <int Dim, Pair<Dim> (*Make)(), class Where>
void remapOf(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  using Space = typename Where::Space;
  static const HostIntervalSet<Dim> other = Make().b;
  IntervalSetOn<Dim, Space> to;
  copy(other, to);
  CommonCells<typename Space::memory_space> common;
  const double seconds = measure(state, in.space, [&] {
    commonCells<Space, Dim>(in.space, in.set, to, common, in.workspace);
    remap(in.space, common, in.x, -1.0, in.y);
  });
  double bytes = 8.0 * static_cast<double>(common.numCells() + to.numCells());
  bytesOf(in.set, false, bytes);
  bytesOf(to, false, bytes);
  reportCells(state, in.space, seconds, to.numCells(), bytes);
}

// --- the references: loops over dense arrays, as one writes them, in blocks of rows for the threads

/// A cube of about 10 M cells with a layer around it.
constexpr std::int64_t edge = 216;
constexpr std::int64_t layered = edge + 2;

template <class Where>
struct Dense {
  typename Where::Space space = Where::space();
  std::vector<double> x = std::vector<double>(layered * layered * layered, 1.0);
  std::vector<double> y = std::vector<double>(layered * layered * layered, 2.0);

  /// Calls row(first, last) for the inner cells of each row.
  template <class Row>
  void forRows(const Row& row) const {
    Kokkos::parallel_for("dense rows",
      Kokkos::RangePolicy<typename Where::Space, Kokkos::IndexType<std::int64_t>>(space, 0, edge * edge),
      [=](std::int64_t r) {
        const std::int64_t first = ((r / edge + 1) * layered + r % edge + 1) * layered + 1;
        row(first, first + edge);
      });
  }
};

template <class Where>
void denseAxpy(benchmark::State& state) {
  Dense<Where> in;
  const double* const x = in.x.data();
  double* const y = in.y.data();
  const double seconds = measure(state, in.space, [&] {
    in.forRows([=](std::int64_t first, std::int64_t last) {
      for (std::int64_t k = first; k < last; ++k) {
        y[k] += 1e-9 * x[k];
      }
    });
  });
  reportCells(state, in.space, seconds, edge * edge * edge, 24.0 * edge * edge * edge);
}

template <class Where>
void denseLaplacian(benchmark::State& state) {
  Dense<Where> in;
  const double* const x = in.x.data();
  double* const y = in.y.data();
  const double seconds = measure(state, in.space, [&] {
    in.forRows([=](std::int64_t first, std::int64_t last) {
      constexpr std::int64_t plane = layered * layered;
      for (std::int64_t k = first; k < last; ++k) {
        y[k] = x[k - 1] + x[k + 1] + x[k - layered] + x[k + layered] + x[k - plane] + x[k + plane] - 6.0 * x[k];
      }
    });
  });
  reportCells(state, in.space, seconds, edge * edge * edge, 16.0 * edge * edge * edge);
}

template <class Where>
void denseBoxFilter(benchmark::State& state) {
  Dense<Where> in;
  const double* const x = in.x.data();
  double* const y = in.y.data();
  const double seconds = measure(state, in.space, [&] {
    in.forRows([=](std::int64_t first, std::int64_t last) {
      for (std::int64_t k = first; k < last; ++k) {
        double sum = 0.0;
        for (std::int64_t row = 0; row < 9; ++row) {
          const double* const at = x + k + (row / 3 - 1) * layered * layered + (row % 3 - 1) * layered;
          sum += at[-1] + at[0] + at[1];
        }
        y[k] = sum / 27.0;
      }
    });
  });
  reportCells(state, in.space, seconds, edge * edge * edge, 16.0 * edge * edge * edge);
}

#define SPANWISE_BENCH(Dim, Make, function, name, Where, text)                                                         \
  BENCHMARK(function<Dim, Make, Where>)                                                                                \
    ->Name("Spanwise/" #Make "/" name "/" text)                                                                        \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_WHERE(Dim, Make, Where, text)                                                                   \
  SPANWISE_BENCH(Dim, Make, axpyOf, "Field axpy", Where, text)                                                         \
  SPANWISE_BENCH(Dim, Make, dotOf, "Field dot", Where, text)                                                           \
  SPANWISE_BENCH(Dim, Make, scaleRegion, "Field scale region", Where, text)                                            \
  SPANWISE_BENCH(Dim, Make, laplacianOf, "Field Laplacian", Where, text)                                               \
  SPANWISE_BENCH(Dim, Make, boxFilterOf, "Field box filter", Where, text)                                              \
  SPANWISE_BENCH(Dim, Make, buildFaceMap, "Field face map", Where, text)                                               \
  SPANWISE_BENCH(Dim, Make, buildBoxMap, "Field box map", Where, text)                                                 \
  SPANWISE_BENCH(Dim, Make, remapOf, "Field remap", Where, text)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define SPANWISE_BENCH_DEVICE(Dim, Make) SPANWISE_BENCH_WHERE(Dim, Make, Device, "device")
#else
#define SPANWISE_BENCH_DEVICE(Dim, Make)
#endif
#define SPANWISE_BENCH_CASE(Dim, Make)                                                                                 \
  SPANWISE_BENCH_WHERE(Dim, Make, OneThread, "1 thread")                                                               \
  SPANWISE_BENCH_WHERE(Dim, Make, AllThreads, "all threads")                                                           \
  SPANWISE_BENCH_DEVICE(Dim, Make)

SPANWISE_BENCH_CASE(2, random2D)
SPANWISE_BENCH_CASE(3, random3D)
SPANWISE_BENCH_CASE(3, balls)
SPANWISE_BENCH_CASE(3, shells)

#define SPANWISE_BENCH_DENSE(function, name, Where, text)                                                              \
  BENCHMARK(function<Where>)->Name("Dense array/cube/" name "/" text)->Unit(benchmark::kMillisecond)->UseRealTime();
#define SPANWISE_BENCH_DENSE_WHERE(Where, text)                                                                        \
  SPANWISE_BENCH_DENSE(denseAxpy, "Field axpy", Where, text)                                                           \
  SPANWISE_BENCH_DENSE(denseLaplacian, "Field Laplacian", Where, text)                                                 \
  SPANWISE_BENCH_DENSE(denseBoxFilter, "Field box filter", Where, text)
SPANWISE_BENCH_DENSE_WHERE(OneThread, "1 thread")
SPANWISE_BENCH_DENSE_WHERE(AllThreads, "all threads")

} // namespace
} // namespace spanwise::benchmarks
