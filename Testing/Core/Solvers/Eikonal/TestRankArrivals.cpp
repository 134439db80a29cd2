// Arrival times from sources of all kinds on ranks: what one rank finds on the whole mesh, however the mesh is cut,
// however vertices and elements are numbered there, and whatever ghosts ranks have.

#include "Core/Mesh/RankMerge.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Solvers/Eikonal/RankArrivals.hpp"
#include "Testing/Rooms.hpp"

#include <string>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class RankArrivals : public ::testing::Test {};
TYPED_TEST_SUITE(RankArrivals, AllSpaces, SpaceNames);

/// Expects on all ranks, with all cuts, what one finds on the whole.
template <class Space>
void expectSame(const Problem& problem, std::mt19937& random) {
  const SpeedOn<Space> speed(problem.tensors);
  const Solution<Space> once = solve<Space>(problem.mesh, speed.get(), problem.sources, problem.options);
  bool byIds = false;
  for (const auto& parts : cutsOf(problem.mesh, random)) {
    const MeshPiece piece = pieceOf(problem.mesh, parts, random);
    const SharedVertices shared = sharedOf(piece, byIds);
    const auto found =
      solveOnRanks<Space>(piece, shared, problem.tensors, sourcesOf(problem.sources, piece), problem.options);
    const Times wanted = piece.ofWhole(once.times, piece.vertices);
    ASSERT_EQ(found.times.size(), wanted.size());
    for (std::size_t v = 0; v < wanted.size(); ++v) {
      ASSERT_TRUE(areTheSame(found.times[v], wanted[v]))
        << "vertex " << piece.vertices[v] << ": " << found.times[v] << ", one rank " << wanted[v];
    }
    const ArrivalReport& report = found.report;
    EXPECT_EQ(report.dimension, once.report.dimension);
    EXPECT_EQ(report.starts.numStarts, once.report.starts.numStarts);
    EXPECT_EQ(report.starts.surfaceCuts, once.report.starts.surfaceCuts);
    EXPECT_EQ(report.iteration.numIterations, once.report.iteration.numIterations);
    EXPECT_EQ(report.iteration.numUpdates, once.report.iteration.numUpdates);
    EXPECT_EQ(report.iteration.numReached, once.report.iteration.numReached);
    EXPECT_EQ(report.numSimplices, once.report.numSimplices);
    EXPECT_EQ(report.numFactored, once.report.numFactored);
    EXPECT_EQ(report.numUnreached, once.report.numUnreached);
    EXPECT_EQ(report.numUnused, once.report.numUnused);
    EXPECT_EQ(report.secondOrder.numSecond, once.report.secondOrder.numSecond);
    EXPECT_EQ(report.secondOrder.numFirst, once.report.secondOrder.numFirst);
    EXPECT_EQ(found.report.iteration.messages.bytes > 0, world().reduced(ReduceBy::Sum, shared.numSlots()) > 0);
    byIds = !byIds;
  }
}

TYPED_TEST(RankArrivals, FromPointsAnywhereInAMedium) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Problem problem{gridMesh(ElementType::Tetrahedron, 6), {}, {}, {}};
  shake(problem.mesh, random, 0.03, 3);
  addTensors(problem, random);
  // inside, at a vertex, on an edge and a face of elements with different media, on the boundary
  const HostMesh& mesh = problem.mesh;
  const auto middle = [&](std::int64_t e, int count) {
    Point point;
    for (int k = 0; k < count; ++k) {
      point = point + (1.0 / count) * mesh.corner(e, k);
    }
    return point;
  };
  problem.sources.points = {{{0.31, 0.42, 0.53}}, mesh.points[171], middle(500, 2), middle(700, 3), {{1.0, 0.3, 0.2}}};
  problem.sources.pointTimes = {0.0, 0.1, 0.05, 0.2, 0.15};
  for (const FactorBy by : {FactorBy::Nothing, FactorBy::Points}) {
    problem.options.factoring.by = by;
    expectSame<TypeParam>(problem, random);
  }
  problem.options.factoring.radius = 0.3;
  problem.options.iteration.stopTime = 0.4;
  expectSame<TypeParam>(problem, random);
}

TYPED_TEST(RankArrivals, OfSecondOrder) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : {ElementType::Tetrahedron, ElementType::Hexahedron, ElementType::Triangle}) {
    const int dimension = type == ElementType::Triangle ? 2 : 3;
    const double z = dimension == 2 ? 0.0 : 0.53;
    Problem problem{gridMesh(type, dimension == 2 ? 12 : 6), {}, HostSources::at({{0.31, 0.42, z}}), {}};
    problem.options.order = 2;
    expectSame<TypeParam>(problem, random); // ties: of all planes of symmetry
    shake(problem.mesh, random, 0.02, dimension);
    problem.sources.vertices = {17, 101};
    problem.sources.vertexTimes = {0.2, 0.1};
    expectSame<TypeParam>(problem, random);
    for (std::int64_t e = 0; e < problem.mesh.numElements(); ++e) { // smooth
      const Point x = problem.mesh.corner(e, 0);
      problem.tensors.insert(problem.tensors.end(), {1.0 + 0.5 * x[0], 1.2, 1.4 - 0.3 * x[1], 0.1, 0.0, 0.0});
    }
    expectSame<TypeParam>(problem, random);
    problem.tensors.clear();
    addTensors(problem, random); // anything but smooth
    expectSame<TypeParam>(problem, random);
  }
}

TYPED_TEST(RankArrivals, FromVerticesAndElements) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Problem problem{gridMesh(ElementType::Tetrahedron, 6), {}, {}, {}};
  addTensors(problem, random);
  problem.sources.vertices = {171, 3, 340, 171}; // in the middle, where cuts meet; one of them twice
  problem.sources.vertexTimes = {0.1, 0.0, 0.3, 0.2};
  problem.options.factoring.by = FactorBy::PointsAndVertices;
  expectSame<TypeParam>(problem, random);
  problem.sources.elements = {17, 600};
  problem.sources.elementTimes = {0.2, 0.1};
  problem.options.factoring.by = FactorBy::Points;
  expectSame<TypeParam>(problem, random);
  problem.sources.points = {{{0.31, 0.42, 0.83}}, {{0.7, 0.1, 0.2}}};
  problem.options.factoring.by = FactorBy::PointsAndVertices;
  expectSame<TypeParam>(problem, random);
}

TYPED_TEST(RankArrivals, FromASurface) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Problem problem{gridMesh(ElementType::Tetrahedron, 6), {}, {}, {}};
  addTensors(problem, random);
  addSphere(problem.sources, {{0.5, 0.5, 0.5}}, 0.3, 6);
  expectSame<TypeParam>(problem, random);
}

TYPED_TEST(RankArrivals, SplitElementsAreSplitAlike) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : {ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid}) {
    Problem problem{gridMesh(type, 4), {}, HostSources::at({{0.4, 0.55, 0.3}}), {}};
    shake(problem.mesh, random, 0.02, 3);
    addTensors(problem, random);
    expectSame<TypeParam>(problem, random);
  }
  for (const ElementType type : {ElementType::Triangle, ElementType::Quadrilateral}) {
    Problem problem{gridMesh(type, 12), {}, HostSources::at({{0.4, 0.55, 0.0}}), {}};
    shake(problem.mesh, random, 0.02, 2);
    addTensors(problem, random);
    expectSame<TypeParam>(problem, random);
  }
}

TYPED_TEST(RankArrivals, PiecesThatAreNotReachedAreCountedOnce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Problem problem{gridMesh(ElementType::Tetrahedron, 4), {}, HostSources::at({{0.4, 0.55, 0.3}}), {}};
  const HostMesh other = gridMesh(ElementType::Tetrahedron, 3);
  const std::int64_t first = problem.mesh.numVertices();
  for (const Point& point : other.points) {
    problem.mesh.points.push_back(point + Point{{3.0, 0.0, 0.0}});
  }
  for (std::int64_t e = 0; e < other.numElements(); ++e) {
    std::array<std::int64_t, 4> corners{};
    std::transform(other.vertices.begin() + 4 * e, other.vertices.begin() + 4 * e + 4, corners.begin(),
      [&](std::int64_t v) { return v + first; });
    problem.mesh.add(ElementType::Tetrahedron, corners);
  }
  expectSame<TypeParam>(problem, random);
}

/// Which source of the whole each number is that ranks know the sources of a piece by.
std::vector<std::int32_t> numbersInWhole(
  const HostSources& whole, const MeshPiece& piece, const HostSources& mine, const SourceNumbers& numbers) {
  std::vector<std::int32_t> result;
  const auto add = [&](const std::vector<std::int64_t>& here, const std::vector<std::int64_t>& of,
                     const std::vector<std::int64_t>& all, std::size_t first) {
    std::vector<std::int64_t> ofMine;
    for (const std::int64_t k : here) {
      ofMine.push_back(of[static_cast<std::size_t>(k)]);
    }
    for (const std::int64_t number : world().gather(std::span<const std::int64_t>(ofMine))) {
      const auto at = std::find(all.begin(), all.end(), number) - all.begin();
      result.push_back(static_cast<std::int32_t>(first + static_cast<std::size_t>(at)));
    }
  };
  add(mine.vertices, piece.vertices, whole.vertices, 0);
  EXPECT_EQ(numbers.numVertices, static_cast<std::int64_t>(result.size()));
  add(mine.elements, piece.elements, whole.elements, whole.vertices.size());
  EXPECT_EQ(numbers.numVertices + numbers.numElements, static_cast<std::int64_t>(result.size()));
  for (std::size_t k = 0; k < whole.points.size(); ++k) {
    result.push_back(static_cast<std::int32_t>(whole.vertices.size() + whole.elements.size() + k));
  }
  return result;
}

template <class Space>
void expectSameLabels(Problem& problem, std::mt19937& random) {
  problem.options.trace = Trace::Sources;
  const SpeedOn<Space> speed(problem.tensors);
  const auto once = solve<Space>(problem.mesh, speed.get(), problem.sources, problem.options);
  const std::vector<std::int32_t> labels = onHost(once.all.labels);
  for (const auto& parts : cutsOf(problem.mesh, random)) {
    const MeshPiece piece = pieceOf(problem.mesh, parts, random);
    const HostSources mine = sourcesOf(problem.sources, piece);
    const auto found = solveOnRanks<Space>(piece, sharedOf(piece, true), problem.tensors, mine, problem.options);
    const std::vector<std::int32_t> labelsHere = onHost(found.all.labels);
    const std::vector<std::int32_t> ofWhole = numbersInWhole(problem.sources, piece, mine, found.report.sources);
    std::int64_t differ = 0;
    for (std::size_t v = 0; v < labelsHere.size(); ++v) {
      ASSERT_GE(labelsHere[v], 0);
      differ +=
        ofWhole[static_cast<std::size_t>(labelsHere[v])] == labels[static_cast<std::size_t>(piece.vertices[v])] ? 0 : 1;
    }
    EXPECT_EQ(differ, 0);
  }
}

TYPED_TEST(RankArrivals, NearestSourcesAreThoseOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Problem problem{gridMesh(ElementType::Tetrahedron, 6), {}, {}, {}};
  shake(problem.mesh, random, 0.03, 3);
  addTensors(problem, random);
  problem.sources.vertices = {3, 171};
  problem.sources.vertexTimes = {0.0, 0.2};
  problem.sources.elements = {900};
  problem.sources.points = {{{0.9, 0.1, 0.8}}, {{0.1, 0.9, 0.9}}};
  problem.options.factoring.by = FactorBy::Nothing;
  expectSameLabels<TypeParam>(problem, random);
}

// Between sources that mirror each other many simplices give a vertex the same time to the last bit, and sources have
// equal shares in it: which one counts does not depend on cuts.
TYPED_TEST(RankArrivals, NearestSourcesAtTiesAreThoseOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type :
    {ElementType::Triangle, ElementType::Quadrilateral, ElementType::Tetrahedron, ElementType::Hexahedron}) {
    const int n = dimensionOf(type) == 3 ? 6 : 12;
    const double top = dimensionOf(type) == 3 ? 1.0 : 0.0;
    Problem problem{gridMesh(type, n), {}, {}, {}};
    for (const FactorBy by : {FactorBy::Nothing, FactorBy::PointsAndVertices}) {
      problem.options.factoring.by = by;
      problem.sources = {};
      problem.sources.vertices = {0, n, (n + 1) * n, (n + 1) * (n + 1) - 1}; // the corners of a side
      problem.sources.vertexTimes = {0.0, 0.0, 0.0, 0.0};
      SCOPED_TRACE("element type " + std::to_string(static_cast<int>(type)));
      expectSameLabels<TypeParam>(problem, random);
      problem.sources = {};
      problem.sources.points = {
        {{0.25, 0.75, 0.5 * top}}, {{0.75, 0.25, 0.5 * top}}, {{0.25, 0.25, 0.5 * top}}, {{0.75, 0.75, 0.5 * top}}};
      expectSameLabels<TypeParam>(problem, random);
    }
  }
}

TYPED_TEST(RankArrivals, DuplicatesAreMergedAcrossCuts) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh joined = gridMesh(ElementType::Hexahedron, 4);
  const auto once = solve<TypeParam>(joined, Speed::constant(1.0), HostSources::at({{0.4, 0.55, 0.3}}));
  HostMesh apart; // each element with vertices of its own
  std::vector<std::int64_t> of;
  for (std::int64_t e = 0; e < joined.numElements(); ++e) {
    std::array<std::int64_t, 8> corners{};
    for (int k = 0; k < 8; ++k) {
      corners[static_cast<std::size_t>(k)] = apart.numVertices();
      apart.points.push_back(joined.corner(e, k));
      of.push_back(joined.vertices[static_cast<std::size_t>(8 * e + k)]);
    }
    apart.add(ElementType::Hexahedron, corners);
  }
  ArrivalOptions options;
  options.mergeDistance = 0.0;
  for (const auto& parts : cutsOf(apart, random)) {
    const MeshPiece piece = pieceOf(apart, parts, random);
    const MeshOn<HostExecutionSpace, double, std::int64_t> host(piece.mesh);
    std::vector<std::int32_t> standIns; // the first vertex in each place
    for (const std::int64_t v : piece.vertices) {
      std::int32_t first = 0;
      while (of[static_cast<std::size_t>(piece.vertices[static_cast<std::size_t>(first)])] !=
        of[static_cast<std::size_t>(v)]) {
        ++first;
      }
      standIns.push_back(first);
    }
    const SharedVertices shared = sharedVerticesOf(world(), host.mixed(), {}, standIns);
    const auto found = solveOnRanks<TypeParam>(piece, shared, {}, HostSources::at({{0.4, 0.55, 0.3}}), options);
    for (std::size_t v = 0; v < found.times.size(); ++v) {
      ASSERT_TRUE(areTheSame(
        found.times[v], once.times[static_cast<std::size_t>(of[static_cast<std::size_t>(piece.vertices[v])])]));
    }
  }
}

// Vertices near each other are one across ranks, in the same place as on one rank.
TYPED_TEST(RankArrivals, VerticesNearEachOtherAreOneAcrossRanks) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> little(-2e-3, 2e-3);
  const HostMesh joined = gridMesh(ElementType::Hexahedron, 4);
  HostMesh apart; // each element with vertices of its own, near those of others
  for (std::int64_t e = 0; e < joined.numElements(); ++e) {
    std::array<std::int64_t, 8> corners{};
    for (int k = 0; k < 8; ++k) {
      corners[static_cast<std::size_t>(k)] = apart.numVertices();
      const Point shift{{little(random), little(random), little(random)}};
      apart.points.push_back(joined.corner(e, k) + shift);
    }
    apart.add(ElementType::Hexahedron, corners);
  }
  const HostSources sources = HostSources::at({{0.4, 0.55, 0.3}});
  ArrivalOptions options;
  options.mergeDistance = 0.02;
  const auto once = solve<TypeParam>(apart, Speed::constant(1.0), sources, options);
  EXPECT_EQ(once.report.numMerged, apart.numVertices() - joined.numVertices());
  options.mergeDistance = 0.0;
  for (const auto& parts : cutsOf(apart, random)) {
    MeshPiece piece = pieceOf(apart, parts, random);
    piece.mesh.points = spanwise::mergedPlaces(world(), piece.mesh.points, 0.02);
    std::vector<std::int32_t> standIns; // the first vertex in each place
    for (const Point& point : piece.mesh.points) {
      std::int32_t first = 0;
      while (!std::equal(point.at, point.at + 3, piece.mesh.points[static_cast<std::size_t>(first)].at)) {
        ++first;
      }
      standIns.push_back(first);
    }
    const MeshOn<HostExecutionSpace, double, std::int64_t> host(piece.mesh);
    const SharedVertices shared = sharedVerticesOf(world(), host.mixed(), {}, standIns);
    const auto found = solveOnRanks<TypeParam>(piece, shared, {}, sources, options);
    for (std::size_t v = 0; v < found.times.size(); ++v) {
      ASSERT_TRUE(areTheSame(found.times[v], once.times[static_cast<std::size_t>(piece.vertices[v])]));
    }
  }
}

TYPED_TEST(RankArrivals, WhatGoesWrongOnOneRankIsKnownToAll) {
  std::mt19937 random(seed());
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 4);
  const MeshPiece piece = pieceOf(mesh, cutsOf(mesh, random)[1], random);
  const SharedVertices shared = sharedOf(piece, true);
  const bool last = world().rank() + 1 == world().size();
  const auto message = [&](const HostSources& sources, const ArrivalOptions& options, double tensor = 1.0) {
    Times tensors;
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      const bool bad = last && e == 7;
      tensors.insert(tensors.end(), {bad ? tensor : 1.0, 1.0, 1.0, 0.0, 0.0, 0.0});
    }
    return messageOf([&] { solveOnRanks<TypeParam>(piece, shared, tensors, sources, options); });
  };
  const HostSources inside = HostSources::at({{0.4, 0.55, 0.3}});
  EXPECT_EQ(message(inside, {}), "");
  EXPECT_NE(message(HostSources::at({{0.4, 1.55, 0.3}}), {}).find("source point 0 at (0.4, 1.55, 0.3) is outside"),
    std::string::npos);
  EXPECT_NE(message({}, {}).find("there is no source"), std::string::npos);
  HostSources oneVertex;
  if (last && !piece.vertices.empty()) {
    oneVertex.vertices = {0};
  }
  EXPECT_EQ(message(oneVertex, {}), ""); // one rank that has a source is enough
  if (last) {
    oneVertex.vertices = {100000};
  }
  EXPECT_NE(message(oneVertex, {}).find("source vertex 100000"), std::string::npos);
  ArrivalOptions options;
  options.frontsIn = FrontsIn::Flat;
  EXPECT_NE(message(inside, options).find("no flat elements among its 384"), std::string::npos);
  options = {};
  options.factoring.radius = last ? 1.0 : 2.0;
  EXPECT_EQ(message(inside, options).find("other options") != std::string::npos, world().size() > 1);
  if (world().size() > 1) {
    EXPECT_NE(message(last ? HostSources() : inside, {}).find("all ranks must have the same"), std::string::npos);
  }
  int reports = 0; // one rank is asked to stop
  const Progress stopping([&](double) { return !last || ++reports < 4; });
  EXPECT_THROW((solveOnRanks<TypeParam>(piece, shared, {}, inside, {}, stopping)), Cancelled);
  EXPECT_EQ(message(inside, {}), ""); // and all is well again
}

} // namespace
} // namespace spanwise::eikonal::testing
