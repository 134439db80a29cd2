// Smoothing on ranks: boundary, features and steps are those of one rank, and ranks agree on every shared vertex.

#include "Core/Mesh/BoundaryVertices.hpp"
#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/SharedExchange.hpp"
#include "Core/Mesh/SmoothVertices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Solvers/Eikonal/RankPieces.hpp"
#include "Testing/Core/Spaces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace spanwise::testing {
namespace {

template <class Space>
class RankSmooth : public ::testing::Test {};
TYPED_TEST_SUITE(RankSmooth, AllSpaces, SpaceNames);

/// Moves the vertices inside the unit cube or square at random.
void shakeInside(HostMesh& mesh, std::mt19937& random, double most, int dimension) {
  std::uniform_real_distribution<double> move(-most, most);
  for (Point& point : mesh.points) {
    for (int axis = 0; axis < dimension; ++axis) {
      point[axis] += point[axis] > 0.0 && point[axis] < 1.0 ? move(random) : 0.0;
    }
  }
}

/// A piece with nothing but this rank's elements.
HostMesh ownElements(const MeshPiece& piece) {
  HostMesh own;
  own.points = piece.mesh.points;
  for (std::size_t e = 0; e < piece.isGhost.size(); ++e) {
    if (!piece.isGhost[e]) {
      own.add(piece.mesh.types[e],
        std::vector<std::int64_t>(piece.mesh.vertices.begin() + piece.mesh.offsets[e],
          piece.mesh.vertices.begin() + piece.mesh.offsets[e + 1]));
    }
  }
  return own;
}

template <class View>
auto onHost(const View& view) {
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<typename View::non_const_value_type>(mirror.data(), mirror.data() + mirror.size());
}

/// What smoothing makes of a mesh, by vertices.
struct Smooth {
  std::vector<std::uint8_t> held;
  std::vector<double> coordinates;
  SmoothReport report;
  double worst = 1.0;
};

template <class Space>
Smooth smoothed(const HostMesh& host, const SmoothOptions& options, const MeshPiece* piece = nullptr,
  const SharedVertices* shared = nullptr, double degrees = 30.0) {
  using Memory = typename Space::memory_space;
  const Space space;
  const MeshOn<Space, double, std::int64_t> mesh(host);
  const Context context(space);
  VertexBall<Memory> ball;
  buildVertexBall(context, mesh.mixed().elements, host.numVertices(), 0, ball);
  const Kokkos::View<std::uint8_t*, Memory> held("held", host.points.size());
  const Kokkos::View<double*, Memory> coordinates("coordinates", 3 * host.points.size());
  Smooth result;
  if (piece != nullptr) {
    SharedExchange<Space> exchange(world(), *shared);
    const std::vector<std::int64_t> numbers = numberVertices(world(), *shared, host.numVertices());
    const SharedPart<Space> part{exchange, *shared, numbers};
    markBoundaryVertices(context, mesh.mixed(), ball.view(), held, &part);
    markFeatureVertices(context, mesh.mixed(), ball.view(), degrees, held, &part);
    result.report = smoothVertices<Space, double, std::int64_t>(
      context.with(world()), mesh.mixed(), ball.view(), options, {held, &exchange}, coordinates);
  } else {
    markBoundaryVertices(context, mesh.mixed(), ball.view(), held);
    markFeatureVertices(context, mesh.mixed(), ball.view(), degrees, held);
    result.report =
      smoothVertices<Space, double, std::int64_t>(context, mesh.mixed(), ball.view(), options, {held}, coordinates);
  }
  auto after = mesh.mixed();
  after.vertices = VertexView<double>::interleaved(coordinates.data(), host.numVertices());
  const Kokkos::View<double*, Memory> qualities("qualities", host.types.size());
  computeQualities(context, after, qualities);
  for (const double quality : onHost(qualities)) {
    result.worst = std::min(result.worst, quality);
  }
  result.held = onHost(held);
  result.coordinates = onHost(coordinates);
  return result;
}

/// Expects what one rank makes, on all cuts.
template <class Space>
void expectSameAsOneRank(
  const HostMesh& mesh, const SmoothOptions& options, std::mt19937& random, double degrees = 30.0) {
  const Smooth one = smoothed<Space>(mesh, options, nullptr, nullptr, degrees);
  for (const auto& parts : cutsOf(mesh, random)) {
    const MeshPiece piece = pieceOf(mesh, parts, random);
    const SharedVertices shared = sharedOf(piece, true);
    const Smooth found = smoothed<Space>(ownElements(piece), options, &piece, &shared, degrees);
    EXPECT_EQ(found.held, piece.ofWhole(one.held, piece.vertices));
    const std::vector<double> wanted = piece.ofWhole(one.coordinates, piece.vertices, 3);
    double furthest = 0.0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      furthest = std::max(furthest, std::abs(found.coordinates[k] - wanted[k]));
    }
    EXPECT_LE(furthest, 1e-12);
    EXPECT_EQ(found.report.numRefused, one.report.numRefused);
    EXPECT_NEAR(found.report.longestStep, one.report.longestStep, 1e-12);
    EXPECT_NEAR(world().reduced(ReduceBy::Minimum, found.worst), one.worst, 1e-9);
    // all that have a vertex have it in the same place, to the last bit
    std::vector<double> placed;
    for (std::size_t v = 0; v < piece.vertices.size(); ++v) {
      placed.insert(placed.end(),
        {static_cast<double>(piece.vertices[v]), found.coordinates[3 * v], found.coordinates[3 * v + 1],
          found.coordinates[3 * v + 2]});
    }
    const std::vector<double> all = world().gather(std::span<const double>(placed));
    std::map<double, std::array<double, 3>> places;
    for (std::size_t k = 0; k < all.size(); k += 4) {
      const std::array<double, 3> place{all[k + 1], all[k + 2], all[k + 3]};
      EXPECT_EQ(places.try_emplace(all[k], place).first->second, place);
    }
  }
}

TYPED_TEST(RankSmooth, OfAllTypesIsThatOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    const int dimension = dimensionOf(type);
    HostMesh mesh = gridMesh(type, dimension == 3 ? 5 : 10);
    shakeInside(mesh, random, dimension == 3 ? 0.05 : 0.03, dimension == 3 ? 3 : 2);
    expectSameAsOneRank<TypeParam>(mesh, {3, 1.0, 0.0}, random);
    expectSameAsOneRank<TypeParam>(mesh, {2, 0.7, 0.3}, random); // many steps are refused
    expectSameAsOneRank<TypeParam>(mesh, {2, 1.0, 0.0, WorstElement::IsKept}, random);
  }
}

TYPED_TEST(RankSmooth, NeverInvertsAnElement) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 5);
  shakeInside(mesh, random, 0.03, 3);
  const Smooth before = smoothed<TypeParam>(mesh, {0, 1.0, 0.0});
  ASSERT_GT(before.worst, 0.0);
  for (const auto& parts : cutsOf(mesh, random)) {
    const MeshPiece piece = pieceOf(mesh, parts, random);
    const SharedVertices shared = sharedOf(piece, false);
    const Smooth found = smoothed<TypeParam>(ownElements(piece), {10, 1.0, 1.0}, &piece, &shared);
    EXPECT_GE(world().reduced(ReduceBy::Minimum, found.worst), before.worst);
  }
}

TYPED_TEST(RankSmooth, FeaturesOfSurfacesAndLinesAreSeenAcrossCuts) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : {ElementType::Triangle, ElementType::Quadrilateral}) {
    HostMesh roof = gridMesh(type, 8);
    for (Point& point : roof.points) {
      point[2] = std::abs(point[0] - 0.5);
    }
    expectSameAsOneRank<TypeParam>(roof, {2, 0.5, 0.0}, random);
  }
  HostMesh line; // with a bend
  for (int k = 0; k <= 12; ++k) {
    line.points.push_back({{0.1 * k, k > 5 ? 0.2 * (k - 5) : 0.0, 0.0}});
  }
  for (std::int64_t k = 0; k < 12; ++k) {
    line.add(ElementType::Edge, std::array{k, k + 1});
  }
  expectSameAsOneRank<TypeParam>(line, {2, 0.5, 0.0}, random);
}

TYPED_TEST(RankSmooth, WhatGoesWrongOnOneRankIsKnownToAll) {
  std::mt19937 random(seed());
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 4);
  const MeshPiece piece = pieceOf(mesh, cutsOf(mesh, random)[1], random);
  const SharedVertices shared = sharedOf(piece, true);
  const bool last = world().rank() + 1 == world().size();
  EXPECT_THROW((smoothed<TypeParam>(ownElements(piece), {-1, 1.0, 0.0}, &piece, &shared)), InvalidArgument);
  if (!world().alone()) {
    EXPECT_THROW((smoothed<TypeParam>(ownElements(piece), {last ? 3 : 4, 1.0, 0.0}, &piece, &shared)), InvalidArgument);
    const WorstElement worst = last ? WorstElement::IsKept : WorstElement::MayGetWorse;
    EXPECT_THROW((smoothed<TypeParam>(ownElements(piece), {3, 1.0, 0.0, worst}, &piece, &shared)), InvalidArgument);
  }
  EXPECT_THROW(
    (smoothed<TypeParam>(ownElements(piece), {3, 1.0, 0.0}, &piece, &shared, last ? 200.0 : 30.0)), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
