// The peer: OpenVDB's mask trees on the same sets, one thread. Its operations change their first operand, so a fair
// figure is the operation plus the copy that keeps the operand; the operation alone is shown too. OpenVDB's fastest
// axis is z: intervals lie along it.

#include "Benchmarks/Inputs.hpp"
#include "Benchmarks/TriangleSphere.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tools/Morphology.h>
#include <openvdb/tools/TopologyToLevelSet.h>
#include <tbb/global_control.h>

#include <chrono>

namespace spanwise::benchmarks {
namespace {

using Tree = openvdb::MaskTree;

template <int Dim>
Tree toTree(const HostIntervalSet<Dim>& set) {
  Tree tree;
  const IntervalSetView<Dim> view = set.view();
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    const RowKey<Dim> key = view.rowKeys[r];
    for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
      tree.sparseFill(openvdb::CoordBBox(openvdb::Coord(key.zOr0(), key.y, view.intervals[i].begin),
                        openvdb::Coord(key.zOr0(), key.y, view.intervals[i].end - 1)),
        true, true);
    }
  }
  tree.voxelizeActiveTiles();
  tree.prune();
  return tree;
}

struct TreePair {
  Tree a;
  Tree b;
};

template <int Dim, Pair<Dim> (*Make)()>
const TreePair& trees() {
  static const TreePair pair = [] {
    openvdb::initialize();
    const Pair<Dim> sets = Make();
    return TreePair{toTree(sets.a), toTree(sets.b)};
  }();
  return pair;
}

struct Union {
  static void apply(Tree& a, const Tree& b) { a.topologyUnion(b); }
};
struct Intersection {
  static void apply(Tree& a, const Tree& b) { a.topologyIntersection(b); }
};
struct Difference {
  static void apply(Tree& a, const Tree& b) { a.topologyDifference(b); }
};
constexpr auto cube = openvdb::tools::NN_FACE_EDGE_VERTEX;
constexpr auto faces = openvdb::tools::NN_FACE;

template <openvdb::tools::NearestNeighbors neighbours, int iterations>
struct Dilate {
  static void apply(Tree& a, const Tree& /*b*/) {
    openvdb::tools::dilateActiveValues(a, iterations, neighbours, openvdb::tools::EXPAND_TILES, false);
  }
};
template <openvdb::tools::NearestNeighbors neighbours, int iterations>
struct Erode {
  static void apply(Tree& a, const Tree& /*b*/) {
    openvdb::tools::erodeActiveValues(a, iterations, neighbours, openvdb::tools::EXPAND_TILES, false);
  }
};

using DilateCube1 = Dilate<cube, 1>;
using DilateCube4 = Dilate<cube, 4>;
using DilateDiamond4 = Dilate<faces, 4>;
using ErodeCube1 = Erode<cube, 1>;
using ErodeDiamond1 = Erode<faces, 1>;

template <int Dim, Pair<Dim> (*Make)(), class Operation, bool withCopy>
void openVdb(benchmark::State& state) {
  const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
  const TreePair& pair = trees<Dim, Make>();
  double cells = 0.0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    Tree result(pair.a);
    const auto copied = std::chrono::steady_clock::now();
    Operation::apply(result, pair.b);
    const auto end = std::chrono::steady_clock::now();
    state.SetIterationTime(std::chrono::duration<double>(end - (withCopy ? begin : copied)).count());
    cells = static_cast<double>(result.activeVoxelCount());
  }
  state.counters["cells"] = cells;
}

/// Distances within three cells of the boundary of the ball of SignedDistance.cpp: a narrow band, from a mask, to first
/// order.
void levelSetOfBall(benchmark::State& state) {
  const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
  openvdb::initialize();
  const double middle = 0.5 * static_cast<double>(state.range(0));
  HostIntervalSet<3> ball;
  const Context<Kokkos::DefaultHostExecutionSpace> context;
  makeBall<Kokkos::DefaultHostExecutionSpace, 3>(context, {{middle, middle, middle}, 0.8 * middle}, ball);
  const openvdb::MaskGrid mask(openvdb::MaskGrid::TreePtrType(new Tree(toTree<3>(ball))));
  double cells = 0.0;
  for (auto _ : state) {
    const auto levelSet = openvdb::tools::topologyToLevelSet(mask, 3, 0, 0, 0);
    cells = static_cast<double>(levelSet->activeVoxelCount());
  }
  state.counters["cells"] = cells;
}
BENCHMARK(levelSetOfBall)
  ->Name("OpenVDB/ball/Signed distance, band/1 thread")
  ->Arg(256)
  ->UseRealTime()
  ->Unit(benchmark::kMillisecond);

/// The band of SurfaceDistance.cpp, by the flags of meshToVolume(): signed, or without a sign.
template <int flags, int threads>
void bandOfSphere(benchmark::State& state) {
  const tbb::global_control control(
    tbb::global_control::max_allowed_parallelism, threads > 0 ? threads : oneapi::tbb::info::default_concurrency());
  openvdb::initialize();
  constexpr std::int64_t m = 500;
  constexpr float width = 3.0F;
  const TriangleSphere sphere = sphereOf(m, {0.0, 0.0, 0.0}, static_cast<double>(state.range(0)));
  std::vector<openvdb::Vec3s> points(sphere.points.size() / 3);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = openvdb::Vec3s(openvdb::Vec3d(&sphere.points[3 * i]));
  }
  std::vector<openvdb::Vec3I> triangles(sphere.corners.size() / 3);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      triangles[i][k] = static_cast<openvdb::Index32>(sphere.corners[3 * i + static_cast<std::size_t>(k)]);
    }
  }
  const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> mesh(points, triangles);
  const openvdb::math::Transform transform; // cells of size 1
  double cells = 0.0;
  for (auto _ : state) {
    const auto grid = openvdb::tools::meshToVolume<openvdb::FloatGrid>(mesh, transform, width, width, flags);
    cells = static_cast<double>(grid->activeVoxelCount());
  }
  state.counters["cells"] = cells;
}
#define SPANWISE_BENCH_BAND(threads, text)                                                                             \
  BENCHMARK(bandOfSphere<openvdb::tools::UNSIGNED_DISTANCE_FIELD, threads>)                                            \
    ->Name("OpenVDB/sphere/Band of a surface/" text)                                                                   \
    ->Arg(256)                                                                                                         \
    ->Arg(512)                                                                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);                                                                                   \
  BENCHMARK(bandOfSphere<0, threads>)                                                                                  \
    ->Name("OpenVDB/sphere/Band of a surface, signed/" text)                                                           \
    ->Arg(256)                                                                                                         \
    ->Arg(512)                                                                                                         \
    ->UseRealTime()                                                                                                    \
    ->Unit(benchmark::kMillisecond);
SPANWISE_BENCH_BAND(1, "1 thread")
SPANWISE_BENCH_BAND(0, "all threads")

#define SPANWISE_BENCH(Dim, Make, Operation, text)                                                                     \
  BENCHMARK(openVdb<Dim, Make, Operation, true>)                                                                       \
    ->Name("OpenVDB/" #Make "/" text "/1 thread, with copy")                                                           \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseManualTime();                                                                                                 \
  BENCHMARK(openVdb<Dim, Make, Operation, false>)                                                                      \
    ->Name("OpenVDB/" #Make "/" text "/1 thread, in place")                                                            \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseManualTime();
#define SPANWISE_BENCH_ALGEBRA(Dim, Make)                                                                              \
  SPANWISE_BENCH(Dim, Make, Union, "Union")                                                                            \
  SPANWISE_BENCH(Dim, Make, Intersection, "Intersection")                                                              \
  SPANWISE_BENCH(Dim, Make, Difference, "Difference")
#define SPANWISE_BENCH_MORPHOLOGY(Make)                                                                                \
  SPANWISE_BENCH(3, Make, DilateCube1, "Dilate Cube 1")                                                                \
  SPANWISE_BENCH(3, Make, DilateCube4, "Dilate Cube 4")                                                                \
  SPANWISE_BENCH(3, Make, ErodeCube1, "Erode Cube 1")                                                                  \
  SPANWISE_BENCH(3, Make, DilateDiamond4, "Dilate Diamond 4")                                                          \
  SPANWISE_BENCH(3, Make, ErodeDiamond1, "Erode Diamond 1")

SPANWISE_BENCH_ALGEBRA(2, random2D)
SPANWISE_BENCH_ALGEBRA(3, random3D)
SPANWISE_BENCH_ALGEBRA(3, balls)
SPANWISE_BENCH_ALGEBRA(3, shells)
SPANWISE_BENCH_MORPHOLOGY(random3D)
SPANWISE_BENCH_MORPHOLOGY(balls)
SPANWISE_BENCH_MORPHOLOGY(shells)

} // namespace
} // namespace spanwise::benchmarks
