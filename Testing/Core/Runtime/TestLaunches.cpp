// Small work is done by the calling thread: nothing is launched on the host for some thousand items.

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
#include "Core/Geometry/Builders/Polygons.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Geometry/Builders/Runs.hpp"
#include "Core/Geometry/Builders/Surface.hpp"
#include "Core/Geometry/ComponentMeasures.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/EulerNumber.hpp"
#include "Core/Geometry/EvaluateSetExpression.hpp"
#include "Core/Geometry/ExtractRegion.hpp"
#include "Core/Geometry/LargestComponent.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/NodeRows.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Geometry/Validation.hpp"
#include "Core/Mesh/BoundaryVertices.hpp"
#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/MergeVertices.hpp"
#include "Core/Mesh/SmoothVertices.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Runtime/CountLaunches.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <vector>

namespace spanwise::testing {
namespace {

using Host = HostExecutionSpace;
using Memory = Host::memory_space;
using Set = IntervalSetOn<3, Host>;

/// Two balls that overlap, of 1,400 cells in 120 intervals each, and fields on the first.
class Launches : public ::testing::Test {
protected:
  Launches() {
    makeBall<Host, 3>(context, {{0.0, 0.0, 0.0}, 7.0}, ball);
    makeBall<Host, 3>(context, {{4.0, 1.0, 2.0}, 7.0}, other);
    x = FieldOn<double, Host>("x", ball.numCells());
    y = FieldOn<double, Host>("y", ball.numCells());
    fill(context, x, 1.0);
    fill(context, y, 2.0);
  }

  Host space;
  const Context<Host> context{space};
  Set ball;
  Set other;
  Set out;
  FieldOn<double, Host> x;
  FieldOn<double, Host> y;
};

struct Nothing {
  void operator()(std::int64_t /*i*/) const {}
};

// Otherwise nothing that follows would mean anything.
TEST_F(Launches, AreSeenWhereThereIsMuch) {
  const IndexRange<Host> many(space, 0, 100000);
  EXPECT_EQ(launchesOf([&] { forEach(SPANWISE_KERNEL("nothing"), many, Nothing()); }).size(), 1U);
  EXPECT_EQ(launchesOf([&] { forEach(SPANWISE_KERNEL("nothing"), many, Nothing(), Work{100}); }).size(), 0U);
  const IndexRange<Host> few(space, 0, 10);
  EXPECT_EQ(launchesOf([&] { forEach(SPANWISE_KERNEL("nothing"), few, Nothing()); }).size(), 0U);
  EXPECT_EQ(launchesOf([&] { forEach(SPANWISE_KERNEL("nothing"), few, Nothing(), Work{100000}); }).size(), 1U);
  const IndexRange<Host> one(space, 0, 1);
  EXPECT_EQ(launchesOf([&] { forEach(SPANWISE_KERNEL("nothing"), one, Nothing(), Work{100000}); }).size(), 0U);
}

TEST_F(Launches, NoneInAlgebra) {
  using enum SetOperation;
  for (const SetOperation operation : {Union, Intersection, Difference, SymmetricDifference}) {
    expectNoLaunches([&] { combine<Host, 3>(context, operation, ball, other, out); });
  }
  const std::vector<Set> three{ball, other, out};
  expectNoLaunches([&] { combine<Host, 3>(context, Union, three, out); });
  expectNoLaunches([&] { complement<Host, 3>(context, ball, {{-9, -9, -9}, {9, 9, 9}}, out); });
  expectNoLaunches([&] { out = compacted(ball); });
  SetExpressionEvaluator<Host, 3> evaluator(SetExpression(
    "(A | B) & ~dilate(B, 2) ^ largest(erode(A, 1) - B) | translate(boundary(B), 1, 2, 3) - box(0, 9, 0, 9, 0, 9)",
    {"A", "B"}));
  const std::vector<Set> sets{ball, other};
  expectNoLaunches([&] { evaluator.evaluate(context, sets, out); });
}

TEST_F(Launches, NoneInMorphology) {
  using enum MorphologyOperation;
  for (const MorphologyOperation operation : {Dilate, Erode, Open, Close, OuterGradient, InnerGradient}) {
    for (const auto& element : {StructuringElement<3>::box({{3, 1, 2}}), StructuringElement<3>::box({{1, 20, 0}}),
           StructuringElement<3>::diamond(3), StructuringElement<3>::ball(2.0)}) {
      expectNoLaunches([&] { morph<Host, 3>(context, operation, ball, element, out); });
    }
  }
}

TEST_F(Launches, NoneInMovesAndMeasures) {
  expectNoLaunches([&] { translate<Host, 3>(context, ball, {{3, 4, 5}}, out); });
  expectNoLaunches([&] { crop<Host, 3>(context, ball, {{-5, -5, 0}, {5, 5, 5}}, out); });
  expectNoLaunches([&] { restrictRows<Host, 3>(context, ball, {-2, 3}, out); });
  expectNoLaunches([&] { boundingBox<Host, 3>(context, ball); });
  expectNoLaunches([&] { planesOf<Host, 3>(context, ball); });
  expectNoLaunches([&] { EXPECT_FALSE((equal<Host, 3>(context, ball, other))); });
  expectNoLaunches([&] { EXPECT_EQ((validate<Host, 3>(context, ball)), ""); });
  for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Vertex}) {
    expectNoLaunches([&] { eulerNumber<Host, 3>(context, connectivity, ball); });
  }
  const GridGeometry<3> lattice{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  expectNoLaunches([&] {
    extractRegion<Host, 3>(
      context, ball, lattice, BallRegion<3>{{0.0, 0.0, 3.0}, 4.0}, {RegionCells::Touching, RegionSide::Inside}, out);
  });
  const Kokkos::View<Cell<3>*, Memory> cells("Testing::cells", 1000);
  const Kokkos::View<std::int64_t*, Memory> numbers("Testing::numbers", 1000);
  expectNoLaunches([&] { findCells<Host, 3>(context, ball, cells, numbers); });
  expectNoLaunches([&] {
    nodeRowsOf<Host, 3>(context, ball, out);
    const Kokkos::View<std::int64_t*, Memory> bases(
      "Testing::bases", static_cast<std::size_t>(nodeRowsPerRow<3> * ball.numIntervals()));
    nodeBases<Host, 3>(context, ball, out, bases);
  });
  ListOn<Box<3>, Host> boxes;
  expectNoLaunches([&] { boxesOf<Host, 3>(context, ball, boxes); });
}

TEST_F(Launches, NoneInComponents) {
  const ComponentNumbers<Host> labels("Testing::labels", static_cast<std::size_t>(ball.numIntervals()));
  const ComponentNumbers<Host> sizes("Testing::sizes", 1);
  const ComponentNumbering one(1);
  const ComponentMeasuresOn<Host, 3> measures("Testing::measures", 1);
  const Periods<3> periods{{{-7, -7, -7}, {7, 7, 7}}, {true, true, false}};
  expectNoLaunches([&] {
    connectedComponents<Host, 3>(context, Connectivity::Vertex, ball, labels, periods);
    componentSizes<Host, 3>(context, ball, labels, one, sizes);
    measureComponents<Host, 3>(context, ball, labels, one, measures);
    selectComponents<Host, 3>(context, ball, labels, {1, ball.numCells(), sizes}, out);
    componentOf<Host, 3>(context, ball, labels, one, {{0, 0, 0}});
    selectComponents<Host, 3>(context, ball, labels, {0, 0}, out);
    largestComponent<Host>(context, sizes, one);
  });
}

/// The surface of a unit tetrahedron, and a square, 20 times as large.
struct Faces {
  Kokkos::View<double* [3], Kokkos::LayoutRight, Memory> points{"Testing::points", 4};
  Kokkos::View<std::int64_t* [3], Kokkos::LayoutRight, Memory> triangles{"Testing::triangles", 4};
  Kokkos::View<double* [2], Kokkos::LayoutRight, Memory> corners{"Testing::corners", 4};
  Kokkos::View<std::int64_t*, Memory> ringOffsets{"Testing::rings", 2};

  Faces() {
    constexpr std::int64_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t d = 0; d < 3; ++d) {
        points(k, d) = k == d + 1 ? 20.0 : 0.0;
        triangles(k, d) = faces[k][d];
      }
      corners(k, 0) = k == 1 || k == 2 ? 20.0 : 0.0;
      corners(k, 1) = k >= 2 ? 20.0 : 0.0;
    }
    ringOffsets(1) = 4;
  }
};

struct EvenCell {
  bool operator()(const Cell<3>& cell) const { return cell.at[0] % 2 == 0; }
};

TEST_F(Launches, NoneInBuilders) {
  expectNoLaunches([&] { makeBall<Host, 3>(context, {{0.0, 0.0, 0.0}, 7.0}, out); });
  expectNoLaunches([&] { makeBox<Host, 3>(context, {{0, 0, 0}, {100, 20, 20}}, out); });
  const Box<3> box{{0, 0, 0}, {12, 12, 12}};
  expectNoLaunches([&] { makeFromPredicate<Host, 3>(context, box, EvenCell(), out); });
  const std::vector<unsigned char> image(1728, 7);
  const Kokkos::View<const unsigned char*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> values(
    image.data(), image.size());
  expectNoLaunches([&] { makeFromMask<unsigned char, Host, 3>(context, values, box, {1.0, 9.0}, out); });
  EXPECT_EQ(out.numCells(), 1728);
  const Kokkos::View<Cell<3>*, Memory> cells("Testing::cells", 3000);
  for (std::size_t k = 0; k < cells.extent(0); ++k) {
    cells(k).at[k % 3] = static_cast<Coordinate>(k * k % 1009);
  }
  expectNoLaunches([&] { makeFromCells<Host, 3>(context, cells, out); });
  const Kokkos::View<RowRun<3>*, Memory> runs("Testing::runs", 2);
  runs(0) = {{{1, 2, 3}}, 4};
  runs(1) = {{{1, 0, 3}}, 1};
  const Kokkos::View<std::int64_t*, Memory> places("Testing::places", 2);
  expectNoLaunches([&] { makeFromRuns<Host, 3>(context, runs, out, places); });
  const Faces faces;
  expectNoLaunches(
    [&] { makeFromSurface<Host>(context, {faces.points, faces.triangles}, {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, out); });
  EXPECT_GT(out.numCells(), 1000);
  IntervalSetOn<2, Host> square;
  expectNoLaunches(
    [&] { makeFromPolygons<Host>(context, {faces.corners, faces.ringOffsets}, {{0.0, 0.0}, {1.0, 1.0}}, square); });
  EXPECT_EQ(square.numCells(), 400);
}

TEST_F(Launches, NoneInFields) {
  RegionOn<3, Host> region(other);
  const auto within = [&] { return Within(region.in(context, ball)); };
  expectNoLaunches([&] {
    fill(context, x, 3.0, within());
    scale(context, 0.5, x);
    axpy(context, 2.0, x, y, within());
    multiply(context, x, y, x, within());
    copyValues(context, y, x);
    dot(context, x, y, within());
    norm(context, Norm::Linf, x, within());
    extrema(context, x);
  });
  CommonCells<Memory> common;
  FieldOn<double, Host> remapped;
  expectNoLaunches([&] {
    commonCells<Host, 3>(context, ball, other, common);
    remap(context, common, x, -1.0, remapped);
    threshold(context, ball, x, ThresholdRule::above(0.5), out);
  });
  StencilMapOn<FacePattern<3>, Host> map;
  expectNoLaunches([&] {
    buildStencilMap<FacePattern<3>, Host>(context, ball, {BoundaryPolicy::Value}, map);
    laplacian(context, map, x, {{}, {1.0, 1.0, 1.0}}, 0.0, y);
  });
}

TEST_F(Launches, NoneInHalos) {
  const SingleProcess alone;
  const RowCut cut{{PlaneRange().begin, PlaneRange().end}};
  const Halo halo(2, {-8, 8}); // the process's other end is its own
  CellMove<Host, 3> move(alone);
  expectNoLaunches([&] {
    addHalo<Host, 3>(context, cut, halo, ball, out, move);
    HaloExchange<Host> exchange(alone, makeHaloPlan<Host, 3>(context.with(alone), cut, halo, out));
    FieldOn<double, Host> density("density", out.numCells());
    exchange.exchange(space, density.view());
  });
}

TEST_F(Launches, NoneOnMeshes) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 6);
  const MeshOn<Host, double, std::int32_t> on(mesh);
  for (const bool mixed : {false, true}) {
    const auto view = mixed ? on.mixed() : on.ofOneType();
    VertexBall<Memory> vertexBall;
    const Kokkos::View<double*, Memory> ofElements("of elements", mesh.types.size());
    const Kokkos::View<double*, Memory> barycentres("barycentres", 3 * mesh.types.size());
    const Kokkos::View<double*, Memory> coordinates("coordinates", 3 * mesh.points.size());
    const Kokkos::View<std::uint8_t*, Memory> held("held", mesh.points.size());
    const Kokkos::View<std::int32_t*, Memory> representatives("representatives", mesh.points.size());
    expectNoLaunches([&] { buildVertexBall(context, view.elements, mesh.numVertices(), 0, vertexBall); });
    expectNoLaunches([&] {
      computeBarycentres(context, view, barycentres);
      computeMeasures(context, view, ofElements);
      computeQualities(context, view, ofElements);
    });
    expectNoLaunches([&] {
      markBoundaryVertices(context, view, vertexBall.view(), held);
      markFeatureVertices(context, view, vertexBall.view(), 30.0, held);
      smoothVertices<Host, double, std::int32_t>(context, view, vertexBall.view(), {}, {held}, coordinates);
    });
    expectNoLaunches([&] { mergeVertices<Host, double>(context, view.vertices, 1e-3, representatives); });
  }
}

// Small sets are cut among threads too, where these are told to share little work.
TEST_F(Launches, MakeTheSameSetsAsTheCallingThread) {
  using enum MorphologyOperation;
  const Faces faces;
  const auto sets = [&] {
    std::vector<Set> made(10);
    auto next = made.begin();
    for (const SetOperation operation : {SetOperation::Union, SetOperation::SymmetricDifference}) {
      combine<Host, 3>(context, operation, ball, other, *next++);
    }
    for (const MorphologyOperation operation : {Dilate, Erode, Open}) {
      morph<Host, 3>(context, operation, made[1], StructuringElement<3>::diamond(2), *next++);
    }
    translate<Host, 3>(context, ball, {{3, 4, 5}}, *next++);
    crop<Host, 3>(context, ball, {{-5, -5, 0}, {5, 5, 5}}, *next++);
    makeFromSurface<Host>(context, {faces.points, faces.triangles}, {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, *next++);
    makeFromPredicate<Host, 3>(context, {{-9, -9, -9}, {9, 9, 9}}, EvenCell(), *next++);
    largestComponent<Host, 3>(context, Connectivity::Face, made[1], *next++);
    return made;
  };
  const std::vector<Set> alone = sets();
  const Work before = spanwise::detail::littleWork();
  shareLittleWork();
  EXPECT_GT(launchesOf([&] {
    const std::vector<Set> shared = sets();
    for (std::size_t k = 0; k < alone.size(); ++k) {
      EXPECT_TRUE((equal<Host, 3>(context, shared[k], alone[k]))) << k;
      EXPECT_EQ((validate<Host, 3>(context, shared[k])), "");
    }
  }).size(),
    20U);
  spanwise::detail::littleWork() = before;
}

} // namespace
} // namespace spanwise::testing
