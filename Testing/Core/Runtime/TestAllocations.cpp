// A repeated operation allocates nothing: neither Kokkos memory nor, on the host, from malloc or operator new.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Field/Stencils.hpp"
#include "Core/Field/Threshold.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Boxes.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/Cells.hpp"
#include "Core/Geometry/Builders/Mask.hpp"
#include "Core/Geometry/Builders/Runs.hpp"
#include "Core/Geometry/ComponentMeasures.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/EulerNumber.hpp"
#include "Core/Geometry/EvaluateSetExpression.hpp"
#include "Core/Geometry/ExtractRegion.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Mesh/BoundaryVertices.hpp"
#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/SmoothVertices.hpp"
#include "Core/Multilevel/Adapt.hpp"
#include "Core/Multilevel/CoarsenValues.hpp"
#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/FluxRegister.hpp"
#include "Core/Multilevel/Ghosts.hpp"
#include "Core/Multilevel/LevelBoxes.hpp"
#include "Core/Multilevel/LevelsOfTrees.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Multilevel/Sampling.hpp"
#include "Core/Multilevel/Trees.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/TuplesView.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/Gradient.hpp"
#include "Core/Solvers/Eikonal/GridOrigins.hpp"
#include "Core/Solvers/Eikonal/GridSignedDistance.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/GridTimes.hpp"
#include "Core/Solvers/Eikonal/LeafMesh.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <vector>

namespace spanwise::testing {
namespace {

/// The first vertex is the source.
template <class Memory>
struct StartFromFirst {
  Kokkos::View<double*, Memory> times;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { times(v) = v == 0 ? 0.0 : eikonal::notReached; }
};

template <class Space>
class Allocations : public ::testing::Test {};
TYPED_TEST_SUITE(Allocations, AllSpaces, SpaceNames);

TYPED_TEST(Allocations, CounterSeesThem) {
#ifndef __SANITIZE_ADDRESS__
  countThreads();
  counting = true;
  auto* const volatile number = new int(1);
  delete number;
  counting = false;
  EXPECT_GT(mallocCalls.load(), 0);
#endif
}

TYPED_TEST(Allocations, NoneInRepeatedAlgebra) {
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<3, TypeParam> a;
  IntervalSetOn<3, TypeParam> b;
  makeBall<TypeParam, 3>(context, {{0.0, 0.0, 0.0}, 60.0}, a);
  makeBall<TypeParam, 3>(context, {{20.0, 1.0, 2.0}, 60.0}, b);
  IntervalSetOn<3, TypeParam> out;
  for (const SetOperation operation :
    {SetOperation::Union, SetOperation::Intersection, SetOperation::Difference, SetOperation::SymmetricDifference}) {
    expectNoAllocations<TypeParam>([&] { combine<TypeParam, 3>(context, operation, a, b, out); });
  }
  expectNoAllocations<TypeParam>([&] { complement<TypeParam, 3>(context, a, {{-70, -70, -70}, {70, 70, 70}}, out); });
}

TYPED_TEST(Allocations, NoneInRepeatedAlgebraOfLists) {
  const TypeParam space;
  const Context context(space);
  std::vector<IntervalSetOn<3, TypeParam>> balls(7);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    makeBall<TypeParam, 3>(context, {{10.0 * static_cast<double>(k), 1.0, 2.0}, 40.0}, balls[k]);
  }
  IntervalSetOn<3, TypeParam> out;
  for (const SetOperation operation :
    {SetOperation::Union, SetOperation::Intersection, SetOperation::Difference, SetOperation::SymmetricDifference}) {
    expectNoAllocations<TypeParam>([&] { combine<TypeParam, 3>(context, operation, balls, out); });
  }
}

TYPED_TEST(Allocations, NoneInRepeatedBuildersAndMeasures) {
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<2, TypeParam> box;
  IntervalSetOn<2, TypeParam> disk;
  IntervalSetOn<2, TypeParam> moved;
  expectNoAllocations<TypeParam>([&] { makeBox<TypeParam, 2>(context, {{0, 0}, {100, 1000}}, box); });
  expectNoAllocations<TypeParam>([&] { makeBall<TypeParam, 2>(context, {{0.0, 0.0}, 300.0}, disk); });
  expectNoAllocations<TypeParam>([&] { translate<TypeParam, 2>(context, disk, {{3, 4}}, moved); });
  expectNoAllocations<TypeParam>([&] { boundingBox<TypeParam, 2>(context, disk); });
  expectNoAllocations<TypeParam>([&] { equal<TypeParam, 2>(context, disk, moved); });
  IntervalSetOn<2, TypeParam> slab;
  expectNoAllocations<TypeParam>([&] { restrictRows<TypeParam, 2>(context, disk, {-20, 30}, slab); });
  expectNoAllocations<TypeParam>([&] { planesOf<TypeParam, 2>(context, disk); });
  const GridGeometry<2> lattice{{0.0, 0.0}, {1.0, 1.0}};
  IntervalSetOn<2, TypeParam> part;
  expectNoAllocations<TypeParam>([&] {
    extractRegion<TypeParam, 2>(context, disk, lattice, BoxRegion<2>{{0.0, 0.0}, {100.0, 100.0}},
      {RegionCells::WithCentre, RegionSide::Outside}, part);
  });
  expectNoAllocations<TypeParam>([&] {
    extractRegion<TypeParam, 2>(
      context, disk, lattice, BallRegion<2>{{0.0, 0.0}, 200.0}, {RegionCells::Touching, RegionSide::Inside}, part);
  });
}

TYPED_TEST(Allocations, NoneInRepeatedBuildersFromArrays) {
  using Memory = typename TypeParam::memory_space;
  const TypeParam space;
  const Context context(space);
  constexpr std::int64_t length = 1000;
  const Box<2> box{{0, 0}, {length, length}};
  const Kokkos::View<unsigned char*, Memory> image("Testing::image", length * length);
  Kokkos::deep_copy(image, 7);
  const Kokkos::View<const unsigned char*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> values(
    image.data(), image.extent(0));
  const Kokkos::View<Cell<2>*, Memory> list("Testing::cells", length);
  const Kokkos::View<const Cell<2>*, Memory> cells = list;
  IntervalSetOn<2, TypeParam> out;
  expectNoAllocations<TypeParam>(
    [&] { makeFromMask<unsigned char, TypeParam, 2>(context, values, box, {1.0, 9.0}, out); });
  EXPECT_EQ(out.numCells(), length * length);
  expectNoAllocations<TypeParam>([&] { makeFromCells<TypeParam, 2>(context, cells, out); });
  EXPECT_EQ(out.numCells(), 1);
}

TYPED_TEST(Allocations, NoneInRepeatedMorphology) {
  using enum MorphologyOperation;
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(context, {{0.0, 0.0, 0.0}, 60.0}, ball);
  for (const MorphologyOperation operation : {Dilate, Erode, Open, Close, OuterGradient, InnerGradient}) {
    for (const auto& element : {StructuringElement<3>::box({{3, 1, 2}}), StructuringElement<3>::box({{1, 40, 0}}),
           StructuringElement<3>::diamond(5), StructuringElement<3>::ball(2.0)}) {
      IntervalSetOn<3, TypeParam> out;
      expectNoAllocations<TypeParam>([&] { morph<TypeParam, 3>(context, operation, ball, element, out); });
    }
  }
}

TYPED_TEST(Allocations, NoneInRepeatedMorphologyOfNoise) {
  using enum MorphologyOperation;
  const TypeParam space;
  const Context context(space);
  const auto set = noiseOn<TypeParam, 3>(1);
  const auto element = StructuringElement<3>::box({{1, 1, 1}});
  for (const MorphologyOperation operation : {Dilate, Erode, Open, Close}) {
    IntervalSetOn<3, TypeParam> out;
    expectNoAllocations<TypeParam>([&] { morph<TypeParam, 3>(context, operation, set, element, out); });
  }
}

TYPED_TEST(Allocations, NoneInRepeatedSetExpressions) {
  const TypeParam space;
  const Context context(space);
  std::vector<IntervalSetOn<3, TypeParam>> balls(3);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    makeBall<TypeParam, 3>(context, {{10.0 * static_cast<double>(k), 1.0, 2.0}, 30.0}, balls[k]);
  }
  SetExpressionEvaluator<TypeParam, 3> evaluator(SetExpression(
    "(A | B) & ~dilate(C, 2) ^ largest(erode(A, 1) - C) | translate(boundary(B), 1, 2, 3) - box(0, 9, 0, 9, 0, 9)",
    {"A", "B", "C"}));
  IntervalSetOn<3, TypeParam> out;
  expectNoAllocations<TypeParam>([&] { evaluator.evaluate(context, balls, out); });
  EXPECT_GT(out.numCells(), 1000);
}

TYPED_TEST(Allocations, NoneInRepeatedChainsOfNoise) {
  const TypeParam space;
  const Context context(space);
  const std::vector<IntervalSetOn<3, TypeParam>> sets{
    noiseOn<TypeParam, 3>(1), noiseOn<TypeParam, 3>(2), noiseOn<TypeParam, 3>(3)};
  IntervalSetOn<3, TypeParam> out;
  expectNoAllocations<TypeParam>([&] { combine<TypeParam, 3>(context, SetOperation::Union, sets, out); });
  SetExpressionEvaluator<TypeParam, 3> evaluator(SetExpression("(A | B) & ~C", {"A", "B", "C"}));
  expectNoAllocations<TypeParam>([&] { evaluator.evaluate(context, sets, out); });
  EXPECT_GT(out.numCells(), 1000);
}

TYPED_TEST(Allocations, NoneInRepeatedComponents) {
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(context, {{0.0, 0.0, 0.0}, 60.0}, ball);
  const ComponentNumbers<TypeParam> labels("Testing::labels", static_cast<std::size_t>(ball.numIntervals()));
  const ComponentNumbers<TypeParam> sizes("Testing::sizes", 1);
  const ComponentNumbering one(1);
  IntervalSetOn<3, TypeParam> out;
  expectNoAllocations<TypeParam>(
    [&] { connectedComponents<TypeParam, 3>(context, Connectivity::Vertex, ball, labels); });
  expectNoAllocations<TypeParam>([&] {
    componentSizes<TypeParam, 3>(context, ball, labels, one, sizes);
    selectComponents<TypeParam, 3>(context, ball, labels, {1, ball.numCells(), sizes}, out);
  });
  EXPECT_EQ(out.numCells(), ball.numCells());
  const ComponentMeasuresOn<TypeParam, 3> measures("Testing::measures", 1);
  const Periods<3> periods{{{-60, -60, -60}, {60, 60, 60}}, {true, true, false}};
  expectNoAllocations<TypeParam>([&] {
    connectedComponents<TypeParam, 3>(context, Connectivity::Vertex, ball, labels, periods);
    measureComponents<TypeParam, 3>(context, ball, labels, one, measures);
    largestComponent<TypeParam>(context, sizes, one);
    componentOf<TypeParam, 3>(context, ball, labels, one, {{0, 0, 0}});
    selectComponents<TypeParam, 3>(context, ball, labels, {0, 0}, out);
  });
  expectNoAllocations<TypeParam>([&] { crop<TypeParam, 3>(context, ball, {{-9, -9, 0}, {50, 9, 9}}, out); });
  for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Vertex}) {
    expectNoAllocations<TypeParam>([&] { eulerNumber<TypeParam, 3>(context, connectivity, ball); });
  }
}

TYPED_TEST(Allocations, NoneWhereValuesAreCoarsened) {
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<3, TypeParam> ball;
  IntervalSetOn<3, TypeParam> coarse;
  makeBall<TypeParam, 3>(context, {{0.0, 0.0, 0.0}, 20.0}, ball);
  coarsen<TypeParam, 3>(context, Coarsening::Outside, ball, coarse);
  const Kokkos::View<double*, typename TypeParam::memory_space> fine(
    "Testing::fine", static_cast<std::size_t>(ball.numCells()));
  const Kokkos::View<double*, typename TypeParam::memory_space> values(
    "Testing::values", static_cast<std::size_t>(coarse.numCells()));
  expectNoAllocations<TypeParam>([&] {
    coverOf<TypeParam, 3>(context, coarse, ball, nullptr, values.data());
    coarsenValues<TypeParam, 3, double>(context, coarse, ball,
      {tuplesView<const double>(fine.data(), ball.numCells(), 1)}, CoarseValue::Mean,
      tuplesView(values.data(), coarse.numCells(), 1));
  });
}

// A box of leaves around a ball of finer ones.
template <class Space>
struct RefinedBall {
  Space space;
  const Context<Space> context{space};
  LeavesOn<3, Space> leaves{2};
  LeafCoverOn<3, Space> cover;

  RefinedBall() {
    IntervalSetOn<3, Space> ball;
    IntervalSetOn<3, Space> box;
    makeBall<Space, 3>(context, {{0.0, 0.0, 0.0}, 10.0}, ball);
    makeBox<Space, 3>(context, {{-16, -16, -16}, {16, 16, 16}}, box);
    combine<Space, 3>(context, SetOperation::Difference, box, ball, leaves[0]);
    refine<Space, 3>(context, ball, leaves[1]);
    coverOfLeaves<Space, 3>(context, leaves, cover);
  }
};

TYPED_TEST(Allocations, NoneInRepeatedBoxes) {
  using Memory = typename TypeParam::memory_space;
  RefinedBall<TypeParam> on;
  ListOn<Box<3>, TypeParam> boxes;
  BoxCoveringsOn<TypeParam> coverings;
  IntervalSetOn<3, TypeParam> set;
  expectNoAllocations<TypeParam>([&] {
    coverOfLeaves<TypeParam, 3>(on.context, on.leaves, on.cover);
    levelBoxes<TypeParam, 3>(on.context, on.cover, 1, boxes);
    coveringsOfBoxes<TypeParam, 3>(on.context, boxes, on.leaves[1], on.cover.refined[1], coverings);
  });
  const Kokkos::View<RowRun<3>*, Memory> runs("Testing::runs", 1);
  Kokkos::deep_copy(runs, RowRun<3>{{{1, 2, 3}}, 4});
  const Kokkos::View<std::int64_t*, Memory> places("Testing::places", 1);
  expectNoAllocations<TypeParam>([&] { makeFromRuns<TypeParam, 3>(on.context, runs, set, places); });
}

TYPED_TEST(Allocations, NoneInRepeatedTrees) {
  using Memory = typename TypeParam::memory_space;
  RefinedBall<TypeParam> on;
  TreesOn<TypeParam> trees;
  expectNoAllocations<TypeParam>([&] { makeTrees<TypeParam, 3>(on.context, on.leaves, on.cover, trees); });
  const Kokkos::View<Cell<3>*, Memory> roots("Testing::roots", static_cast<std::size_t>(trees.numTrees()));
  const Kokkos::View<std::uint32_t*, Memory> children("Testing::children", static_cast<std::size_t>(trees.numNodes));
  TreeLeavesOn<3, TypeParam> back;
  const TreeArraysOn<3, TypeParam> arrays{roots, trees.firstNodes.view(), children, {}};
  expectNoAllocations<TypeParam>([&] {
    firstChildrenOf<TypeParam, 3>(on.context, arrays.firstNodes, trees.refinedBits.view(), children);
    levelsOfTrees<TypeParam, 3>(on.context, arrays, 31, back);
  });
  EXPECT_EQ(back.nodes[1].count(), on.leaves[1].numCells());
}

TYPED_TEST(Allocations, NoneInRepeatedConformingMeshes) {
  RefinedBall<TypeParam> on;
  ConformingMeshOn<TypeParam> mesh;
  ConformingScratchOn<3, TypeParam> scratch;
  for (const PlaneRange& planes : {PlaneRange(), PlaneRange{-3, 5}}) {
    expectNoAllocations<TypeParam>(
      [&] { makeConformingMesh<TypeParam, 3>(on.context, on.leaves, on.cover, {1, planes}, mesh, scratch); });
    EXPECT_GT(mesh.types.count(), 1000);
  }
}

TYPED_TEST(Allocations, NoneInRepeatedFrontsOfLeaves) {
  using Memory = typename TypeParam::memory_space;
  RefinedBall<TypeParam> on;
  eikonal::LeafMeshOn<TypeParam> mesh;
  ConformingScratchOn<3, TypeParam> scratch;
  makeConformingMesh<TypeParam, 3>(
    on.context, on.leaves, on.cover, {.finest = 1, .withShares = false}, mesh.mesh, scratch);
  const std::int64_t numLeaves = on.leaves[0].numCells() + on.leaves[1].numCells();
  const Kokkos::View<double*, Memory> speeds("Testing::speeds", static_cast<std::size_t>(numLeaves));
  const Kokkos::View<std::int64_t*, Memory> leaves("Testing::leaves", 2); // the first one, twice
  eikonal::ElementFronts<Memory> fronts;
  const eikonal::LeafFronts ofLeaves{
    eikonal::Speed::ofElements(speeds.data()), {leaves.data(), speeds.data(), 2}, leaves.data(), 2};
  expectNoAllocations<TypeParam>([&] {
    mesh.places.prepare(3 * mesh.mesh.points.count());
    placesOfPoints<TypeParam>(on.context, mesh.mesh, {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, mesh.places.view());
    eikonal::frontsInMesh<TypeParam>(on.context, mesh, ofLeaves, fronts);
  });
  EXPECT_EQ(fronts.sources.count(), 2);
  EXPECT_EQ(fronts.stop.count(), 8);
}

TYPED_TEST(Allocations, NoneInRepeatedHaloExchange) {
  const TypeParam space;
  const SingleProcess alone;
  const Context context(space);
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(context, {{0.0, 0.0, 0.0}, 30.0}, ball);
  const RowCut cut{{PlaneRange().begin, PlaneRange().end}};
  const Halo halo(2, {-35, 30}); // the process's other end is its own
  CellMove<TypeParam, 3> move(alone);
  IntervalSetOn<3, TypeParam> held;
  addHalo<TypeParam, 3>(context, cut, halo, ball, held, move);
  HaloExchange<TypeParam> exchange(alone, makeHaloPlan<TypeParam, 3>(context.with(alone), cut, halo, held));
  const FieldOn<double, TypeParam> before("before", ball.numCells(), 3);
  FieldOn<double, TypeParam> density("density", held.numCells());
  FieldOn<double, TypeParam> velocity("velocity", held.numCells(), 3);
  ASSERT_GT(exchange.plan().sends.size(), 0U);
  expectNoAllocations<TypeParam>([&] { exchange.exchange(space, density.view(), velocity.view()); });
  expectNoAllocations<TypeParam>([&] { move.moveValues(space, before.view(), velocity.view()); });
}

// Two balls that overlap, and a field on the first.
template <class Space>
struct FieldOnBall {
  Space space;
  const Context<Space> context{space};
  IntervalSetOn<3, Space> ball;
  IntervalSetOn<3, Space> other;
  FieldOn<double, Space> x;
  FieldOn<double, Space> y;

  FieldOnBall() {
    makeBall<Space, 3>(context, {{0.0, 0.0, 0.0}, 40.0}, ball);
    makeBall<Space, 3>(context, {{20.0, 1.0, 2.0}, 40.0}, other);
    x = FieldOn<double, Space>("a name that is not short", ball.numCells());
    y.resize(ball.numCells());
    fill(context, x, 1.0);
    fill(context, y, 2.0);
  }
};

TYPED_TEST(Allocations, NoneInRepeatedArithmeticOfFields) {
  FieldOnBall<TypeParam> f;
  RegionOn<3, TypeParam> region(f.other);
  const auto within = [&] { return Within(region.in(f.context, f.ball)); };
  expectNoAllocations<TypeParam>([&] {
    fill(f.context, f.x, 3.0, within());
    scale(f.context, 0.5, f.x);
    axpy(f.context, 2.0, f.x, f.y, within());
    add(f.context, f.x, f.y, f.y);
    multiply(f.context, f.x, f.y, f.x, within());
    copyValues(f.context, f.y, f.x);
  });
  expectNoAllocations<TypeParam>([&] {
    dot(f.context, f.x, f.y, within());
    norm(f.context, Norm::L2, f.x);
    norm(f.context, Norm::Linf, f.x, within());
    extrema(f.context, f.x);
  });
}

TYPED_TEST(Allocations, NoneInRepeatedChangesOfAFieldsSet) {
  FieldOnBall<TypeParam> f;
  CommonCells<typename TypeParam::memory_space> common;
  FieldOn<double, TypeParam> out;
  IntervalSetOn<3, TypeParam> kept;
  expectNoAllocations<TypeParam>([&] {
    commonCells<TypeParam, 3>(f.context, f.ball, f.other, common);
    remap(f.context, common, f.x, -1.0, out);
    extract(f.context, common, f.x, out);
  });
  expectNoAllocations<TypeParam>([&] { threshold(f.context, f.ball, f.x, ThresholdRule::above(0.5), kept); });
  EXPECT_EQ(kept.numCells(), f.ball.numCells());
}

TYPED_TEST(Allocations, NoneInRepeatedStencils) {
  FieldOnBall<TypeParam> f;
  StencilMapOn<FacePattern<3>, TypeParam> map;
  expectNoAllocations<TypeParam>([&] {
    buildStencilMap<FacePattern<3>, TypeParam>(f.context, f.ball, {BoundaryPolicy::Value}, map);
    laplacian(f.context, map, f.x, {{}, {1.0, 1.0, 1.0}}, 0.0, f.y);
    jacobiStep(f.context, map, f.x, {{{}, {1.0, 1.0, 1.0}}, 0.5}, 0.0, f.y);
  });
}

struct NoTimes {
  double* times;
  KOKKOS_FUNCTION void operator()(std::int64_t cell) const { times[cell] = eikonal::notReached; }
};

TYPED_TEST(Allocations, NoneInRepeatedTimesOnGrids) {
  using Memory = typename TypeParam::memory_space;
  FieldOnBall<TypeParam> f;
  const TypeParam& space = f.context.space();
  const GridGeometry<3> lattice{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  IntervalSetOn<3, TypeParam> core;
  makeBall<TypeParam, 3>(f.context, {{0.0, 0.0, 0.0}, 4.0}, core);
  makeBall<TypeParam, 3>(f.context, {{0.0, 0.0, 0.0}, 14.0}, f.ball);
  const auto numCells = static_cast<std::size_t>(f.ball.numCells());
  const Kokkos::View<double*, Memory> times("times", numCells);
  const Kokkos::View<double*, Memory> gradient("gradient", 3 * numCells);
  const Kokkos::View<std::int32_t*, Memory> origins("origins", numCells);
  const Kokkos::View<std::int32_t*, Memory> labels("labels", numCells);
  eikonal::Grid<3, TypeParam> grid;
  for (const bool coupled : {false, true}) {
    for (const int order : {1, 2}) {
      eikonal::GridOptions options;
      options.order = order;
      expectNoAllocations<TypeParam>([&] {
        eikonal::buildGrid<TypeParam, 3>(f.context, f.ball, lattice, {},
          eikonal::Speed::constant(eikonal::SymmetricTensor{1.0, 1.0, 1.0, coupled ? 0.3 : 0.0, 0.0, 0.0}), grid);
        Kokkos::parallel_for(SPANWISE_KERNEL("no times"),
          Kokkos::RangePolicy<TypeParam>(space, 0, static_cast<std::int64_t>(numCells)), NoTimes{times.data()});
        eikonal::startAtCells<TypeParam, 3>(f.context, grid, core, 0.0, times);
        eikonal::computeGridTimes<TypeParam, 3>(f.context, grid, options, {}, times);
        eikonal::gradientOfTimes<TypeParam, 3>(f.context, grid, order, times, gradient);
        eikonal::findOrigins<TypeParam, 3>(f.context, grid, times, origins);
        eikonal::labelBySource<TypeParam, 3>(f.context, grid, origins, labels);
        eikonal::signedDistanceOnCells<TypeParam, 3>(f.context, core, lattice, {}, f.ball, 3.0, times);
      });
    }
  }
  // What starts at points allocates for them; what goes on from there does not.
  eikonal::GridFactoring<3, Memory> around;
  eikonal::GridOptions secondOrder;
  secondOrder.order = 2;
  eikonal::startAtPoints<TypeParam, 3>(
    f.context, grid, {{{0.2, 0.3, 0.4}, 0.0}, {{-3.5, 2.2, 5.1}, 0.1}}, 9.0, times, around);
  expectNoAllocations<TypeParam>([&] {
    eikonal::labelAroundPoints<TypeParam, 3>(f.context, grid, around, times, labels);
    eikonal::computeGridTimes<TypeParam, 3>(f.context, grid, secondOrder, around.view(), times);
    eikonal::gradientOfTimes<TypeParam, 3>(f.context, grid, 2, times, gradient, around.view());
  });
  const Box<3> box{{-12, -12, -12}, {12, 12, 12}};
  const Kokkos::View<double*, Memory> distances("distances", 24 * 24 * 24);
  expectNoAllocations<TypeParam>(
    [&] { eikonal::signedDistanceInBox<TypeParam, 3>(f.context, core, lattice, {}, box, distances); });
}

TYPED_TEST(Allocations, NoneInRepeatedRefinement) {
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(context, {{0.0, 0.0, 0.0}, 40.0}, ball);
  IntervalSetOn<3, TypeParam> out;
  expectNoAllocations<TypeParam>([&] { refine<TypeParam, 3>(context, ball, out); });
  for (const Coarsening which : {Coarsening::Outside, Coarsening::Inside}) {
    expectNoAllocations<TypeParam>([&] { coarsen<TypeParam, 3>(context, which, ball, out); });
  }
}

/// A flux that needs both cells.
struct MeanFlux {
  FieldView<const double> values;

  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(const FluxFace& face) const {
    return {0.5 * (values(face.lower) + values(face.upper))};
  }
};

/// Three levels around a sphere, with two fields of one value.
template <class Space>
struct Hierarchy {
  Space space;
  const Context<Space> context{space};
  MultilevelSetOn<3, Space> levels;
  std::vector<IntervalSetOn<3, Space>> refined;
  MultilevelFieldOn<double, Space> field;

  Hierarchy() : refined(2), field("f") {
    makeBox<Space, 3>(context, {{-12, -12, -12}, {12, 12, 12}}, levels.level(0));
    for (int l = 0; l < 2; ++l) {
      IntervalSetOn<3, Space> inner;
      auto& shell = refined[static_cast<std::size_t>(l)];
      makeBall<Space, 3>(context, {{0.0, 0.0, 0.0}, 8.0 * (1 << l) + 1.0}, shell);
      makeBall<Space, 3>(context, {{0.0, 0.0, 0.0}, 8.0 * (1 << l) - 1.0}, inner);
      combine<Space, 3>(context, SetOperation::Difference, shell, inner, shell);
    }
    makeLevels<Space, 3>(context, refined, Grading::Vertex, levels);
    field.resize(levels);
    for (int l = 0; l < levels.numLevels(); ++l) {
      fill<Space, double>(context, field.level(l), 1.0);
    }
  }
};

TYPED_TEST(Allocations, NoneInRepeatedLevels) {
  Hierarchy<TypeParam> on;
  MultilevelSetOn<3, TypeParam> levels;
  levels.level(0) = on.levels.level(0);
  for (const Grading grading : {Grading::Nested, Grading::Face, Grading::Edge, Grading::Vertex}) {
    expectNoAllocations<TypeParam>([&] { makeLevels<TypeParam, 3>(on.context, on.refined, grading, levels); });
  }
  expectNoAllocations<TypeParam>([&] { balance<TypeParam, 3>(on.context, Connectivity::Vertex, levels); });
  IntervalSetOn<3, TypeParam> out;
  expectNoAllocations<TypeParam>([&] { leaves<TypeParam, 3>(on.context, levels, 1, out); });
}

TYPED_TEST(Allocations, NoneInRepeatedTransfer) {
  Hierarchy<TypeParam> on;
  for (const Prolongation method : {Prolongation::Injection, Prolongation::Linear, Prolongation::ThirdOrder}) {
    LevelTransferOn<3, TypeParam> transfer;
    expectNoAllocations<TypeParam>([&] { buildLevelTransfer<TypeParam, 3>(on.context, on.levels, method, transfer); });
    expectNoAllocations<TypeParam>([&] { restrictLevels<TypeParam, 3, double>(on.context, transfer, on.field); });
    expectNoAllocations<TypeParam>(
      [&] { prolong<TypeParam, 3, double>(on.context, transfer.maps[0], on.field.level(0), on.field.level(1)); });
    LevelDomain<TypeParam, 3> domain;
    GhostLevels<TypeParam, 3> ghosts;
    MultilevelFieldOn<double, TypeParam> extended("f");
    expectNoAllocations<TypeParam>([&] {
      buildGhosts(on.context, domain, on.levels, {2, true, method}, ghosts);
      toExtended(on.context, ghosts, on.field, extended);
      fillGhosts(on.context, ghosts, MirrorState(), extended);
    });
  }
  LevelDomain<TypeParam, 3> domain;
  GhostLevels<TypeParam, 3> ghosts;
  buildGhosts(on.context, domain, on.levels, {}, ghosts);
  MultilevelFieldOn<double, TypeParam> extended("f");
  toExtended(on.context, ghosts, on.field, extended);
  FluxRegister<TypeParam, 3, double> fluxes;
  FieldOn<double, TypeParam> between("f", 0);
  expectNoAllocations<TypeParam>([&] {
    buildFluxRegister(on.context, domain, on.levels, ghosts, 1, fluxes);
    addCoarseFluxes(on.context, MeanFlux{extended.level(1).view()}, 0.1, fluxes);
    addFineFluxes(on.context, MeanFlux{extended.level(2).view()}, 0.1, fluxes);
    correct(on.context, fluxes, {1.0, 1.0, 1.0}, extended.level(1));
    interpolateInTime(on.context, extended.level(0), extended.level(0), 0.5, between);
  });
  const Kokkos::View<Position<3>*, typename TypeParam::memory_space> points("Testing::points", 1000);
  const Kokkos::View<std::int64_t*, typename TypeParam::memory_space> cells("Testing::cells", 1000);
  SamplesOn<TypeParam, double> samples;
  samples.levels = decltype(samples.levels)("Testing::levels", 1000);
  expectNoAllocations<TypeParam>([&] {
    samplePoints<TypeParam, 3, double>(on.context, {on.levels, on.field}, points, {Sampling::Linear}, samples);
    locatePoints<TypeParam, 3>(on.context, on.levels, points, cells, samples.levels);
  });
}

TYPED_TEST(Allocations, NoneInRepeatedAdaptation) {
  Hierarchy<TypeParam> on;
  std::vector<MultilevelFieldOn<double, TypeParam>> fields{on.field};
  LevelDomain<TypeParam, 3> domain;
  Adaptation<TypeParam, 3, double> adaptation;
  TagScratch<3, typename TypeParam::memory_space> scratch;
  const auto tag = [&](int l, IntervalSetOn<3, TypeParam>& out) {
    if (l < 2) {
      out = on.refined[static_cast<std::size_t>(l)];
    } else {
      out.clear();
    }
  };
  // a criterion's own work; then a cycle that gives the same hierarchy each time
  IntervalSetOn<3, TypeParam> tags;
  for (const TagCriterion criterion : {TagCriterion::Value, TagCriterion::Loehner}) {
    expectNoAllocations<TypeParam>([&] {
      tagCells<TypeParam, 3, double>(
        on.context, on.levels.level(1), on.field.level(1), {criterion, 0.5}, tags, scratch);
    });
  }
  const AdaptOptions options{3, 1, Grading::Vertex, Prolongation::Linear};
  expectNoAllocations<TypeParam>([&] { adaptation.adaptBy(on.context, domain, tag, options, on.levels, fields); });
  EXPECT_EQ(on.levels.numLevels(), 3);
}

TYPED_TEST(Allocations, NoneInRepeatedArrivalTimes) {
  using namespace eikonal;
  using Memory = typename TypeParam::memory_space;
  const TypeParam space;
  const Context context(space);
  const HostMesh host = gridMesh(ElementType::Hexahedron, 6);
  const MeshOn<TypeParam, double, std::int64_t> mesh(host);
  // a point, an element, and a triangle
  const auto there = [](const auto& values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    const Kokkos::View<T*, Memory> view("values", values.size());
    const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
      values.data(), values.size());
    Kokkos::deep_copy(view, from);
    return view;
  };
  const auto numbers = there(std::vector<std::int64_t>{7});
  const auto corners = there(std::vector<std::int64_t>{0, 1, 2});
  const auto points = there(std::vector<double>{0.3, 0.4, 0.5, 0.9, 0.1, 0.1, 0.9, 0.4, 0.2});
  Sources sources;
  sources.elements = {numbers.data(), nullptr, 1};
  sources.points = {points.data(), nullptr, 1};
  sources.surface = {points.data(), corners.data(), nullptr, 3, 1};
  ArrivalOptions options;
  ArrivalTimes<TypeParam> times;
  const auto solve = [&] { solveArrivalTimes(context, mesh.mixed(), Speed::constant(1.0), sources, options, times); };
  {
    SCOPED_TRACE("plain");
    expectNoAllocations<TypeParam>(solve);
  }
  options.trace = Trace::Sources;
  {
    SCOPED_TRACE("traced");
    expectNoAllocations<TypeParam>(solve);
  }
  options.mergeDistance = 1e-9;
  {
    SCOPED_TRACE("merged");
    expectNoAllocations<TypeParam>(solve);
  }
  SCOPED_TRACE("after it");
  Paths<Memory> paths;
  expectNoAllocations<TypeParam>(
    [&] { tracePaths(context, mesh.mixed().vertices, times, sources, {points.data(), 3, 0.0}, {}, paths); });
  const Kokkos::View<double*, Memory> gradients("gradients", 3 * host.types.size());
  expectNoAllocations<TypeParam>(
    [&] { gradientOfTimes(context, mesh.mixed(), 3, times.times.data(), gradients.data()); });
}

TYPED_TEST(Allocations, NoneInRepeatedIterationsOfTimes) {
  using Memory = typename TypeParam::memory_space;
  const TypeParam space;
  const Context context(space);
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 12);
  const MeshOn<TypeParam, double, std::int32_t> on(mesh);
  const auto speed = eikonal::Speed::constant(1.0);
  eikonal::SimplexMesh<4, TypeParam> simplices;
  eikonal::buildSimplexMesh<TypeParam, 4>(context, on.ofOneType(), speed, simplices);
  const Kokkos::View<double*, Memory> times("Testing::times", mesh.points.size());
  const auto start = [&] {
    Kokkos::parallel_for(SPANWISE_KERNEL("start"), Kokkos::RangePolicy<TypeParam>(space, 0, mesh.points.size()),
      StartFromFirst<Memory>{times});
  };
  expectNoAllocations<TypeParam>([&] {
    start();
    eikonal::iterateTimes<TypeParam, 4>(context, simplices, {}, times);
  });
}

TYPED_TEST(Allocations, NoneInRepeatedKernelsOnMeshes) {
  using Memory = typename TypeParam::memory_space;
  const TypeParam space;
  const Context context(space);
  for (const bool mixed : {false, true}) {
    const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 8);
    const MeshOn<TypeParam, double, std::int32_t> on(mesh);
    const auto view = mixed ? on.mixed() : on.ofOneType();
    VertexBall<Memory> ball;
    const Kokkos::View<double*, Memory> ofElements("of elements", mesh.types.size());
    const Kokkos::View<double*, Memory> barycentres("barycentres", 3 * mesh.types.size());
    const Kokkos::View<double*, Memory> coordinates("coordinates", 3 * mesh.points.size());
    const Kokkos::View<std::uint8_t*, Memory> held("held", mesh.points.size());
    expectNoAllocations<TypeParam>([&] { buildVertexBall(context, view.elements, mesh.numVertices(), 0, ball); });
    expectNoAllocations<TypeParam>([&] {
      computeBarycentres(context, view, barycentres);
      computeMeasures(context, view, ofElements);
      computeQualities(context, view, ofElements);
    });
    expectNoAllocations<TypeParam>([&] {
      markBoundaryVertices(context, view, ball.view(), held);
      markFeatureVertices(context, view, ball.view(), 30.0, held);
      smoothVertices<TypeParam, double, std::int32_t>(context, view, ball.view(), {}, {held}, coordinates);
    });
  }
}

} // namespace
} // namespace spanwise::testing
