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
#include "Core/Runtime/Context.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <vector>

namespace spanwise::benchmarks {
namespace {

/// A set in the memory of Where, and a field that grows along the cells.
template <int Dim, Pair<Dim> (*Make)(), class Where>
struct Input {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;

  Space space = Where::space();
  const Context<Space> context{space};
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
    fill(context, y, 1.0);
  }
  [[nodiscard]] double bytes(int fields) const { return static_cast<double>(set.numCells()) * sizeof(double) * fields; }
};

template <int Dim, Pair<Dim> (*Make)(), class Where>
void axpyOf(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  const double seconds = secondsOf(state, in.space, [&] { axpy(in.context, 1e-9, in.x, in.y); });
  reportCells(state, in.space, seconds, in.set.numCells(), in.bytes(3));
}

template <int Dim, Pair<Dim> (*Make)(), class Where>
void dotOf(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  double result = 0.0;
  const double seconds = secondsOf(state, in.space, [&] { result = dot(in.context, in.x, in.y); });
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
  const auto& cells = region.in(in.context, in.set);
  const double seconds = secondsOf(state, in.space, [&] { scale(in.context, 1.0000001, in.x, cells); });
  reportCells(state, in.space, seconds, cells.numCells(), 16.0 * static_cast<double>(cells.numCells()));
  state.counters["runs"] = static_cast<double>(cells.numRuns());
}

/// apply(in, map): a stencil of a pattern.
template <template <int> class Pattern, int Dim, Pair<Dim> (*Make)(), class Where, class Apply>
void stencilOf(benchmark::State& state, const Apply& apply) {
  Input<Dim, Make, Where> in;
  StencilMapOn<Pattern<Dim>, typename Where::Space> map;
  buildStencilMap<Pattern<Dim>, typename Where::Space>(in.context, in.set, {BoundaryPolicy::Mirror}, map);
  const double seconds = secondsOf(state, in.space, [&] { apply(in, map); });
  reportCells(state, in.space, seconds, in.set.numCells(), in.bytes(2));
  state.counters["segments"] = static_cast<double>(map.numSegments());
}

template <int Dim, Pair<Dim> (*Make)(), class Where>
void laplacianOf(benchmark::State& state) {
  GridGeometry<Dim> grid{};
  std::fill_n(grid.spacing, Dim, 1.0);
  stencilOf<FacePattern, Dim, Make, Where>(
    state, [&](auto& in, const auto& map) { laplacian(in.context, map, in.x, grid, 0.0, in.y); });
}

template <int Dim, Pair<Dim> (*Make)(), class Where>
void boxFilterOf(benchmark::State& state) {
  stencilOf<BoxPattern, Dim, Make, Where>(
    state, [](auto& in, const auto& map) { boxFilter(in.context, map, in.x, 0.0, in.y); });
}

template <int Dim, Pair<Dim> (*Make)(), class Where, class Pattern>
void buildMapOf(benchmark::State& state) {
  Input<Dim, Make, Where> in;
  StencilMapOn<Pattern, typename Where::Space> map;
  const double seconds = secondsOf(state, in.space,
    [&] { buildStencilMap<Pattern, typename Where::Space>(in.context, in.set, {BoundaryPolicy::Mirror}, map); });
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
  const double seconds = secondsOf(state, in.space, [&] {
    commonCells<Space, Dim>(in.context, in.set, to, common);
    remap(in.context, common, in.x, -1.0, in.y);
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

/// cell(x, y, k) for the inner cells; counts `arrays` doubles for each.
template <class Where, class Cell>
void denseOf(benchmark::State& state, int arrays, const Cell& cell) {
  Dense<Where> in;
  const double* const x = in.x.data();
  double* const y = in.y.data();
  const double seconds = secondsOf(state, in.space, [&] {
    in.forRows([=](std::int64_t first, std::int64_t last) {
      for (std::int64_t k = first; k < last; ++k) {
        cell(x, y, k);
      }
    });
  });
  reportCells(state, in.space, seconds, edge * edge * edge, 8.0 * arrays * edge * edge * edge);
}

template <class Where>
void denseAxpy(benchmark::State& state) {
  denseOf<Where>(state, 3, [](const double* x, double* y, std::int64_t k) { y[k] += 1e-9 * x[k]; });
}

template <class Where>
void denseLaplacian(benchmark::State& state) {
  denseOf<Where>(state, 2, [](const double* x, double* y, std::int64_t k) {
    constexpr std::int64_t plane = layered * layered;
    y[k] = x[k - 1] + x[k + 1] + x[k - layered] + x[k + layered] + x[k - plane] + x[k + plane] - 6.0 * x[k];
  });
}

template <class Where>
void denseBoxFilter(benchmark::State& state) {
  denseOf<Where>(state, 2, [](const double* x, double* y, std::int64_t k) {
    double sum = 0.0;
    for (std::int64_t row = 0; row < 9; ++row) {
      const double* const at = x + k + (row / 3 - 1) * layered * layered + (row % 3 - 1) * layered;
      sum += at[-1] + at[0] + at[1];
    }
    y[k] = sum / 27.0;
  });
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
SPANWISE_BENCH_ALL_CASES

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
