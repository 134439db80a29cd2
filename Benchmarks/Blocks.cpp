// Block sets beside interval sets: a seven-point stencil on sparse sets, and a lattice Boltzmann method with a
// regularised inflow in the three groupings of Meneghin and Mahmoud (2025), Table II. Counted bytes: the values that
// have to be read and written once, whatever stands between them in blocks that are not full; for the building of maps
// the values of a field.

#include "Benchmarks/Where.hpp"
#include "Core/Field/ForGroups.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeOnGroups.hpp"
#include "Testing/Rooms.hpp"

#include <string>
#include <type_traits>
#include <utility>

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

/// Steps of D3Q19 in 32 bits in a box, where fluid flows in at the lower end of x.
template <class Set, class Where>
void latticeOnGroups(benchmark::State& state, Coordinate size, BlockGrouping grouping) {
  using Space = typename Where::Space;
  using Lattice = lattice::D3Q19;
  const Space space = Where::space();
  const Context<Space> context(space);
  IntervalSetOn<3, Space> cells;
  IntervalSetOn<3, Space> inflow;
  makeBox<Space, 3>(context, {{0, 0, 0}, {size, size, size}}, cells);
  makeBox<Space, 3>(context, {{0, 0, 0}, {1, size, size}}, inflow);
  Set set;
  if constexpr (std::is_same_v<Set, GroupedSetOn<3, Space>>) {
    set.build(context, cells, inflow);
  } else {
    buildBlocks<Space, 3>(context, cells, inflow, {BlockOrder::Row, grouping}, set);
  }
  lattice::testing::LatticeOnGroups<Lattice, float, Space, Set> flow(context, set, 0.05, 0.03);
  const double seconds = secondsOf(state, space, [&] { flow.step(); });
  reportCells(state, space, seconds, cells.numCells(), 8.0 * Lattice::count * static_cast<double>(cells.numCells()));
  state.counters["data B"] = static_cast<double>(flow.bytesOfInflow());
  state.counters["map B/cell"] = static_cast<double>(flow.bytesOfMap()) / static_cast<double>(cells.numCells());
}

template <class Where>
void addLattices(const std::string& where, Coordinate size) {
  using Space = typename Where::Space;
  const auto add = [&](const char* name, auto* function, BlockGrouping grouping) {
    benchmark::RegisterBenchmark(
      std::string("Spanwise/Lattice with an inflow/") + name + "/" + where, function, size, grouping)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  };
  add("intervals", &latticeOnGroups<GroupedSetOn<3, Space>, Where>, BlockGrouping::Naive);
  add("naive", &latticeOnGroups<BlockSetOn<3, Space>, Where>, BlockGrouping::Naive);
  add("bit mask", &latticeOnGroups<BlockSetOn<3, Space>, Where>, BlockGrouping::BitMask);
  add("contiguous", &latticeOnGroups<BlockSetOn<3, Space>, Where>, BlockGrouping::Contiguous);
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
  addLattices<OneThread>("1 thread", 96);
  addStencils<AllThreads>("all threads");
  addLattices<AllThreads>("all threads", 96);
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  addStencils<Device>("device");
  addLattices<Device>("device", 256);
#endif
  return true;
}();

} // namespace
} // namespace spanwise::benchmarks
