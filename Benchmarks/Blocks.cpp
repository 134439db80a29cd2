// Block sets beside interval sets: a seven-point stencil on sparse sets, and a map with an expensive boundary condition
// in the three groupings of Meneghin and Mahmoud (2025), Table II. Counted bytes: the values that have to be read and
// written once, whatever stands between them in blocks that are not full; for the building of maps the values of a
// field.

#include "Benchmarks/Where.hpp"
#include "Core/Field/CopyCells.hpp"
#include "Core/Field/ForGroups.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <string>

namespace spanwise::benchmarks {

/// The cells of a gyroid's thicker half: pores of some 50 cells, of any direction.
struct InGyroid {
  KOKKOS_FUNCTION bool operator()(const Cell<3>& cell) const {
    const double x = 0.06 * cell.at[0];
    const double y = 0.06 * cell.at[1];
    const double z = 0.06 * cell.at[2];
    return Kokkos::sin(x) * Kokkos::cos(y) + Kokkos::sin(y) * Kokkos::cos(z) + Kokkos::sin(z) * Kokkos::cos(x) < 0.0;
  }
};

struct Laplacian {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& p) const {
    return p.sumOfNeighbours() - 6.0 * p.centre();
  }
};

/// How many values a cell has in the map with a boundary condition: the populations of D3Q19.
inline constexpr int numValues = 19;

/// A field in columns, without the question how its values lie.
template <class T>
struct Columns {
  T* first;
  std::int64_t stride;

  explicit Columns(const FieldView<T>& view) : first(view.values), stride(view.componentStride) {}
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(std::int64_t place, int c) const { return first[c * stride + place]; }
};

/// What all cells do: values relax towards their mean.
struct Relax {
  Columns<double> values;

  template <class Cell>
  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell& /*cell*/) const {
    double f[numValues];
    double sum = 0.0;
    for (int c = 0; c < numValues; ++c) {
      f[c] = values(number, c);
      sum += f[c];
    }
    for (int c = 0; c < numValues; ++c) {
      values(number, c) = f[c] + 0.1 * (sum / numValues - f[c]);
    }
  }
};

/// What cells at the boundary do first: their values' moments with the given vector are made to fit, by the solution of
/// a dense system of six equations. It takes registers and time, as regularised boundary conditions do.
struct RelaxAtBoundary {
  Columns<const double> data;
  Columns<double> values;

  template <class Cell>
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t number, const Cell& cell) const {
    constexpr int n = 6;
    double a[n][n + 1];
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        a[i][j] = values(number, (3 * i + 5 * j) % numValues) + (i == j ? 40.0 : 0.0);
      }
      a[i][n] = data(place, i % 3);
    }
    for (int i = 0; i < n; ++i) { // the diagonal dominates
      for (int k = i + 1; k < n; ++k) {
        const double factor = a[k][i] / a[i][i];
        for (int j = i; j <= n; ++j) {
          a[k][j] -= factor * a[i][j];
        }
      }
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) {
        a[i][n] -= a[i][j] * a[j][n];
      }
      a[i][n] /= a[i][i];
    }
    for (int c = 0; c < numValues; ++c) {
      values(number, c) += a[c % n][n];
    }
    Relax{values}(number, cell);
  }
};

namespace {

HostIntervalSet<3> gyroid() {
  HostIntervalSet<3> set;
  makeFromPredicate<Kokkos::DefaultHostExecutionSpace, 3>(
    Context<Kokkos::DefaultHostExecutionSpace>(), {{0, 0, 0}, {272, 272, 272}}, InGyroid{}, set);
  return set;
}
HostIntervalSet<3> shell() { return makeShell(0, 516.0, 513.0); }
HostIntervalSet<3> ball() { return makeShell(0, 134.0, 0.0); }

/// Makes a set of the given cells: as intervals, or as blocks in an order.
template <class Space>
void makeSet(
  const Context<Space>& context, const IntervalSetOn<3, Space>& cells, int /*order*/, GroupedSetOn<3, Space>& out) {
  out.build(context, cells, {});
}
template <class Space>
void makeSet(
  const Context<Space>& context, const IntervalSetOn<3, Space>& cells, int order, BlockSetOn<3, Space>& out) {
  buildBlocks<Space, 3>(context, cells, static_cast<BlockOrder>(order), out);
}

template <class Set, class Where>
void stencilOn(benchmark::State& state, HostIntervalSet<3> (*make)(), int order) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context<Space> context(space);
  IntervalSetOn<3, Space> cells;
  copy(make(), cells);
  Set set;
  makeSet(context, cells, order, set);
  StencilMapOf<FacePattern<3>, Set> map;
  buildStencilMap<FacePattern<3>, Space>(context, set, {BoundaryPolicy::Mirror}, map);
  FieldOn<double, Space> in("in", set.numPlaces());
  FieldOn<double, Space> out("out", set.numPlaces());
  fill(context, in, 1.0);
  fill(context, out, 0.0);
  const double seconds = secondsOf(state, space, [&] { applyStencil(space, map, in, 0.0, Laplacian{}, out); });
  reportCells(state, space, seconds, cells.numCells(), 16.0 * static_cast<double>(cells.numCells()));
  state.counters["full"] = static_cast<double>(set.numCells()) / static_cast<double>(set.numPlaces());
  state.counters["map B/cell"] = static_cast<double>(map.bytes()) / static_cast<double>(cells.numCells());
}

/// Building a set of blocks and its map.
template <class Where>
void buildOn(benchmark::State& state, HostIntervalSet<3> (*make)(), int order) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context<Space> context(space);
  IntervalSetOn<3, Space> cells;
  copy(make(), cells);
  BlockSetOn<3, Space> set;
  BlockStencilMapOn<FacePattern<3>, Space> map;
  const double seconds = secondsOf(state, space, [&] {
    makeSet(context, cells, order, set);
    buildStencilMap<FacePattern<3>, Space>(context, set, {BoundaryPolicy::Mirror}, map);
  });
  reportCells(state, space, seconds, cells.numCells(), 8.0 * static_cast<double>(cells.numCells()));
}

/// A map over a cube of 100^3 cells, with a boundary condition at the lower and the upper end of x.
template <class Where>
void groupedMap(benchmark::State& state, BlockGrouping grouping) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context<Space> context(space);
  constexpr Coordinate n = 100;
  IntervalSetOn<3, Space> cells;
  IntervalSetOn<3, Space> inner;
  IntervalSetOn<3, Space> ends;
  makeBox<Space, 3>(context, {{0, 0, 0}, {n, n, n}}, cells);
  makeBox<Space, 3>(context, {{1, 0, 0}, {n - 1, n, n}}, inner);
  combine<Space, 3>(context, SetOperation::Difference, cells, inner, ends);
  BlockSetOn<3, Space> set;
  buildBlocks<Space, 3>(context, cells, ends, {BlockOrder::Row, grouping}, set);
  FieldOn<double, Space> values("values", set.numPlaces(), numValues);
  fill(context, values, 1.0);
  FieldOn<double, Space> data("data", set.numSubsetPlaces(), 3);
  fill(context, data, 0.01);
  const Columns<double> to(values.view());
  const double seconds = secondsOf(state, space, [&] {
    forGroups(set, Relax{to}, RelaxAtBoundary{Columns<const double>(data.view()), to},
      [&](SubsetGroup group, const auto& body) { forEachCell(space, SPANWISE_KERNEL("relax"), set, body, group); });
  });
  reportCells(state, space, seconds, cells.numCells(), 16.0 * numValues * static_cast<double>(cells.numCells()));
  state.counters["data B"] = static_cast<double>(data.bytes());
  state.counters["index B"] = grouping == BlockGrouping::BitMask ? 8.0 * static_cast<double>(set.numBlocks()) : 0.0;
}

template <class Where>
void addMaps(const std::string& where) {
  const std::pair<const char*, BlockGrouping> groupings[] = {
    {"naive", BlockGrouping::Naive}, {"bit mask", BlockGrouping::BitMask}, {"contiguous", BlockGrouping::Contiguous}};
  for (const auto& [name, grouping] : groupings) {
    benchmark::RegisterBenchmark(
      std::string("Spanwise/Map with a boundary condition/") + name + "/" + where, &groupedMap<Where>, grouping)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  }
}

template <class Where>
void addStencils(const std::string& where) {
  using Space = typename Where::Space;
  const std::pair<const char*, HostIntervalSet<3> (*)()> sets[] = {
    {"shell", shell}, {"porous", gyroid}, {"ball", ball}};
  for (const auto& [name, make] : sets) {
    const std::string begin = std::string("Spanwise/") + name + "/Seven points/";
    const auto add = [&](const std::string& of, auto* function, int order) {
      benchmark::RegisterBenchmark(begin + of + "/" + where, function, make, order)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    };
    add("intervals", &stencilOn<GroupedSetOn<3, Space>, Where>, 0);
    add("blocks by rows", &stencilOn<BlockSetOn<3, Space>, Where>, static_cast<int>(BlockOrder::Row));
    add("blocks by Morton", &stencilOn<BlockSetOn<3, Space>, Where>, static_cast<int>(BlockOrder::Morton));
    add("blocks by Hilbert", &stencilOn<BlockSetOn<3, Space>, Where>, static_cast<int>(BlockOrder::Hilbert));
    add("build blocks", &buildOn<Where>, static_cast<int>(BlockOrder::Morton));
  }
}

const bool areThere = [] {
  addStencils<OneThread>("1 thread");
  addMaps<OneThread>("1 thread");
  addStencils<AllThreads>("all threads");
  addMaps<AllThreads>("all threads");
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  addStencils<Device>("device");
  addMaps<Device>("device");
#endif
  return true;
}();

} // namespace
} // namespace spanwise::benchmarks
