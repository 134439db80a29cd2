// Hierarchies as what other programs have instead: boxes, trees and conforming meshes, and back. Leaves a second:
// searches and sorts rule here, not bytes.

#include "Benchmarks/Hierarchies.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/LevelBoxes.hpp"
#include "Core/Multilevel/LevelsOfTrees.hpp"
#include "Core/Multilevel/Trees.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

namespace spanwise::benchmarks {
namespace {

/// The leaves of the balanced circle or sphere.
template <int Dim, class Space>
struct BalancedLeaves {
  using Memory = typename Space::memory_space;
  Space space;
  const Context<Space> context{space};
  LeavesOn<Dim, Space> leaves;
  LeafCoverOn<Dim, Space> cover;
  std::int64_t count = 0;

  explicit BalancedLeaves(const Space& where) : space(where) {
    MultilevelSetOn<Dim, Space> levels;
    RuleScratch<Dim, Memory> scratch;
    refineByRule<Space, Dim>(context, levels, scratch);
    balance<Space, Dim>(context, Connectivity::Vertex, levels);
    leaves.resize(static_cast<std::size_t>(levels.numLevels()));
    for (int l = 0; l < levels.numLevels(); ++l) {
      auto& set = leaves[static_cast<std::size_t>(l)];
      spanwise::multilevel::leaves<Space, Dim>(context, levels, l, set);
      count += set.numCells();
    }
    coverOfLeaves<Space, Dim>(context, leaves, cover);
    space.fence();
  }
};

template <int Dim, class Space, class Function>
void measure(benchmark::State& state, BalancedLeaves<Dim, Space>& on, const Function& function) {
  secondsOf(state, on.space, function);
  state.counters["leaves"] = static_cast<double>(on.count);
  state.counters["leaves/s"] =
    benchmark::Counter(static_cast<double>(state.iterations() * on.count), benchmark::Counter::kIsRate);
}

template <int Dim, class Where>
void convertToBoxes(benchmark::State& state) {
  using Space = typename Where::Space;
  BalancedLeaves<Dim, Space> on(Where::space());
  std::vector<ListOn<Box<Dim>, Space>> boxes(on.leaves.size());
  std::vector<BoxCoveringsOn<Space>> coverings(on.leaves.size());
  measure<Dim>(state, on, [&] {
    for (std::size_t l = 0; l < boxes.size(); ++l) {
      levelBoxes<Space, Dim>(on.context, on.cover, static_cast<int>(l), boxes[l]);
      coveringsOfBoxes<Space, Dim>(on.context, boxes[l], on.leaves[l], on.cover.refined[l], coverings[l]);
    }
  });
  double count = 0.0;
  for (const auto& list : boxes) {
    count += static_cast<double>(list.count());
  }
  state.counters["boxes"] = count;
}

template <int Dim, class Where>
void convertToTrees(benchmark::State& state) {
  using Space = typename Where::Space;
  BalancedLeaves<Dim, Space> on(Where::space());
  TreesOn<Space> trees;
  measure<Dim>(state, on, [&] { makeTrees<Space, Dim>(on.context, on.leaves, on.cover, trees); });
}

template <int Dim, class Where>
void convertFromTrees(benchmark::State& state) {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  BalancedLeaves<Dim, Space> on(Where::space());
  TreesOn<Space> trees;
  makeTrees<Space, Dim>(on.context, on.leaves, on.cover, trees);
  // The roots are the cells of level 0, all of them.
  std::vector<Cell<Dim>> roots;
  Box<Dim> box{};
  std::fill(box.end, box.end + Dim, 1 << firstLevel);
  for (std::int64_t r = 0; r < box.numRows(); ++r) {
    for (Coordinate x = 0; x < box.end[0]; ++x) {
      const RowKey<Dim> key = box.row(r);
      Cell<Dim> cell{};
      cell.at[0] = x;
      cell.at[1] = key.y;
      cell.at[Dim - 1] = Dim == 3 ? key.zOr0() : key.y;
      roots.push_back(cell);
    }
  }
  const Kokkos::View<const Cell<Dim>*, Kokkos::HostSpace> onHost(roots.data(), roots.size());
  const auto onSpace = Kokkos::create_mirror_view_and_copy(Memory(), onHost);
  const Kokkos::View<std::uint32_t*, Memory> children("Benchmarks::children", static_cast<std::size_t>(trees.numNodes));
  const TreeArraysOn<Dim, Space> arrays{onSpace, trees.firstNodes.view(), children, {}};
  TreeLeavesOn<Dim, Space> back;
  measure<Dim>(state, on, [&] {
    firstChildrenOf<Space, Dim>(on.context, arrays.firstNodes, trees.refinedBits.view(), children);
    levelsOfTrees<Space, Dim>(on.context, arrays, 31, back);
  });
}

template <int Dim, class Where>
void convertToMesh(benchmark::State& state) {
  using Space = typename Where::Space;
  BalancedLeaves<Dim, Space> on(Where::space());
  ConformingMeshOn<Space> mesh;
  ConformingScratchOn<Dim, Space> scratch;
  const int finest = static_cast<int>(on.leaves.size()) - 1;
  measure<Dim>(
    state, on, [&] { makeConformingMesh<Space, Dim>(on.context, on.leaves, on.cover, {finest}, mesh, scratch); });
  state.counters["cells"] = static_cast<double>(mesh.types.count());
  state.counters["points"] = static_cast<double>(mesh.points.count());
}

template <int Dim, class Where>
void meansOfMesh(benchmark::State& state) {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  BalancedLeaves<Dim, Space> on(Where::space());
  ConformingMeshOn<Space> mesh;
  ConformingScratchOn<Dim, Space> scratch;
  const int finest = static_cast<int>(on.leaves.size()) - 1;
  makeConformingMesh<Space, Dim>(on.context, on.leaves, on.cover, {finest}, mesh, scratch);
  const Kokkos::View<double*, Memory> values("Benchmarks::values", static_cast<std::size_t>(on.count));
  const Kokkos::View<double*, Memory> means("Benchmarks::means", static_cast<std::size_t>(mesh.points.count()));
  measure<Dim>(state, on, [&] { meansAtPoints<Space>(on.context, mesh, values, means); });
}

#define SPANWISE_BENCH_CONVERSION(function, Dim, name, what, Where, text)                                              \
  BENCHMARK(function<Dim, Where>)                                                                                      \
    ->Name("Spanwise/" name "/" what "/" text)                                                                         \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_CONVERSIONS(Dim, name, Where, text)                                                             \
  SPANWISE_BENCH_CONVERSION(convertToBoxes, Dim, name, "to boxes", Where, text)                                        \
  SPANWISE_BENCH_CONVERSION(convertToTrees, Dim, name, "to trees", Where, text)                                        \
  SPANWISE_BENCH_CONVERSION(convertFromTrees, Dim, name, "from trees", Where, text)                                    \
  SPANWISE_BENCH_CONVERSION(convertToMesh, Dim, name, "to a conforming mesh", Where, text)                             \
  SPANWISE_BENCH_CONVERSION(meansOfMesh, Dim, name, "means at its points", Where, text)

SPANWISE_BENCH_CONVERSIONS(2, "circle", OneThread, "1 thread")
SPANWISE_BENCH_CONVERSIONS(3, "sphere", OneThread, "1 thread")
SPANWISE_BENCH_CONVERSIONS(2, "circle", AllThreads, "all threads")
SPANWISE_BENCH_CONVERSIONS(3, "sphere", AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_CONVERSIONS(2, "circle", Device, "device")
SPANWISE_BENCH_CONVERSIONS(3, "sphere", Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
