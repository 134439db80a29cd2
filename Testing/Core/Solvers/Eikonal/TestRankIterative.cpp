// Arrival times on ranks: what one rank finds on the whole mesh, however the mesh is cut.

#include "Core/Mesh/MeshParts.hpp"
#include "Core/Mesh/Partition.hpp"
#include "Core/Mesh/RankPart.hpp"
#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Solvers/Eikonal/Media.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <iterator>
#include <numeric>
#include <string>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::gridMesh;
using spanwise::testing::messageOf;

using spanwise::testing::seed;
using spanwise::testing::SpaceNames;
using spanwise::testing::world;

template <class Space>
class RankIterative : public ::testing::Test {};
TYPED_TEST_SUITE(RankIterative, AllSpaces, SpaceNames);

/// What this rank has of a medium.
struct Piece {
  Medium medium;
  std::vector<std::int64_t> vertices; // of the whole
  SharedVertices shared;

  template <class T>
  [[nodiscard]] std::vector<T> ofWhole(const std::vector<T>& values) const {
    std::vector<T> mine;
    for (const std::int64_t v : vertices) {
      mine.push_back(values[static_cast<std::size_t>(v)]);
    }
    return mine;
  }
};

Piece pieceOf(const Medium& whole, const Parts& parts) {
  Parts mine;
  for (const std::int32_t part : parts) {
    mine.push_back(part == world().rank() ? 0 : -1);
  }
  const MeshOn<HostExecutionSpace, double, std::int64_t> host(whole.mesh);
  const MeshParts split = splitMesh(host.mixed().elements, whole.mesh.numVertices(), mine, 1);
  Piece piece;
  piece.vertices = split.vertices;
  piece.medium.mesh.points = piece.ofWhole(whole.mesh.points);
  piece.medium.mesh.types = split.types;
  piece.medium.mesh.offsets.assign(split.offsets.begin(), split.offsets.end());
  piece.medium.mesh.vertices.assign(split.corners.begin(), split.corners.end());
  for (std::size_t i = 0; i < split.elements.size() && !whole.tensors.empty(); ++i) {
    const auto* of = whole.tensors.data() + 6 * split.elements[i];
    piece.medium.tensors.insert(piece.medium.tensors.end(), of, of + 6);
  }
  piece.shared = findSharedVertices(world(), piece.vertices);
  return piece;
}

/// Ways to cut a mesh, good and bad.
std::vector<Parts> cutsOf(const HostMesh& mesh, std::mt19937& random) {
  const MeshOn<HostExecutionSpace, double, std::int64_t> host(mesh);
  std::vector<Parts> cuts;
  cuts.push_back(partitionMesh(host.mixed(), world().size(), PartitionBy::Metis).partOfElement);
  cuts.push_back(partitionMesh(host.mixed(), world().size(), PartitionBy::Bisection).partOfElement);
  Parts anywhere;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    anywhere.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(world().size())));
  }
  cuts.push_back(anywhere);
  cuts.emplace_back(mesh.types.size(), world().size() - 1); // the others have nothing
  return cuts;
}

/// Vertices to stop at, where the execution space finds them.
template <class Space>
struct Region {
  Kokkos::View<std::int64_t*, typename Space::memory_space> vertices;

  explicit Region(const std::vector<std::int64_t>& numbers) : vertices("Testing::region", numbers.size()) {
    const Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
      numbers.data(), numbers.size());
    Kokkos::deep_copy(vertices, from);
  }
  void addTo(IterationOptions& options) const {
    options.stopVertices = vertices.data();
    options.numStopVertices = static_cast<std::int64_t>(vertices.extent(0));
  }
};

void expectClose(const Times& times, const Times& expected) {
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t v = 0; v < times.size(); ++v) {
    EXPECT_TRUE(areTheSame(times[v], expected[v])) << times[v] << ", expected " << expected[v];
  }
}

/// Expects on all ranks, with this cut, what one finds on the whole. `region`: vertices of the whole to stop at.
template <class Space, int corners>
void expectSame(const Medium& whole, const Times& sources, const Parts& parts, IterationOptions options,
  const std::vector<std::int64_t>& region = {}) {
  Ready<Space, corners> all(whole);
  const Region<Space> ofWhole(region);
  ofWhole.addTo(options);
  const auto expected = copied<Space>(sources);
  const IterationReport once = iterateTimes<Space, corners>(all.context, all.simplices, options, expected);
  const Piece piece = pieceOf(whole, parts);
  const Times wanted = piece.ofWhole(onHost(expected));
  std::vector<std::int64_t> here;
  for (std::size_t v = 0; v < piece.vertices.size(); ++v) {
    if (std::find(region.begin(), region.end(), piece.vertices[v]) != region.end()) {
      here.push_back(static_cast<std::int64_t>(v));
    }
  }
  const Region<Space> ofPiece(here);
  ofPiece.addTo(options);
  Ready<Space, corners> mine(piece.medium, world(), &piece.shared);
  for (int round = 0; round < 2; ++round) { // the border serves again
    const auto times = copied<Space>(piece.ofWhole(sources));
    const IterationReport report = iterateTimes<Space, corners>(mine.context, mine.simplices, options, times);
    const Times found = onHost(times);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t v = 0; v < found.size(); ++v) {
      ASSERT_TRUE(areTheSame(found[v], wanted[v]))
        << "vertex " << piece.vertices[v] << ": " << found[v] << ", one rank " << wanted[v];
    }
    EXPECT_EQ(report.numIterations, once.numIterations);
    EXPECT_EQ(report.numUpdates, once.numUpdates);
    EXPECT_EQ(report.converged, once.converged);
    // vertices of no element are on no rank
    std::vector<bool> held(sources.size(), false);
    for (const std::int64_t v : world().gather(std::span<const std::int64_t>(piece.vertices))) {
      held[static_cast<std::size_t>(v)] = true;
    }
    std::int64_t reached = once.numReached;
    const Times of = onHost(expected);
    for (std::size_t v = 0; v < of.size(); ++v) {
      reached -= !held[v] && of[v] < notReached ? 1 : 0;
    }
    EXPECT_EQ(report.numReached, reached);
  }
}

TYPED_TEST(RankIterative, TensorsOnTetrahedraAreThoseOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Medium medium{gridMesh(ElementType::Tetrahedron, 7), {}};
  shake(medium.mesh, random, 0.03, 3);
  addTensors(medium, random);
  for (const Parts& parts : cutsOf(medium.mesh, random)) {
    for (const double window : {0.0, 1.0, 1e9}) {
      IterationOptions options;
      options.window = window;
      expectSame<TypeParam, 4>(medium, from(medium.mesh, {3, 200, 411}), parts, options);
    }
  }
}

TYPED_TEST(RankIterative, SplitElementsAndTrianglesAreThoseOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : {ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid}) {
    const Medium medium{gridMesh(type, 5), {}};
    for (const Parts& parts : cutsOf(medium.mesh, random)) {
      expectSame<TypeParam, 4>(medium, from(medium.mesh, {17}), parts, {});
    }
  }
  for (const ElementType type : {ElementType::Triangle, ElementType::Quadrilateral}) {
    Medium medium{gridMesh(type, 20), {}};
    addTensors(medium, random);
    for (const Parts& parts : cutsOf(medium.mesh, random)) {
      expectSame<TypeParam, 3>(medium, from(medium.mesh, {0, 300}), parts, {});
    }
  }
}

TYPED_TEST(RankIterative, PiecesThatAreApartAndStopTimesAreThoseOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Medium medium{gridMesh(ElementType::Tetrahedron, 5), {}};
  const HostMesh other = gridMesh(ElementType::Tetrahedron, 4);
  const std::int64_t first = medium.mesh.numVertices();
  for (const Point& point : other.points) {
    medium.mesh.points.push_back(point + Point{{3.0, 0.0, 0.0}});
  }
  for (std::int64_t e = 0; e < other.numElements(); ++e) {
    std::array<std::int64_t, 4> corners{};
    std::transform(other.vertices.begin() + 4 * e, other.vertices.begin() + 4 * e + 4, corners.begin(),
      [&](std::int64_t v) { return v + first; });
    medium.mesh.add(ElementType::Tetrahedron, corners);
  }
  medium.mesh.points.push_back({{9.0, 9.0, 9.0}}); // in no element
  IterationOptions stopping;
  stopping.stopTime = 0.6;
  IterationOptions few;
  few.maxIterations = 4;
  for (const Parts& parts : cutsOf(medium.mesh, random)) {
    for (const auto& options : {IterationOptions(), stopping, few}) {
      expectSame<TypeParam, 4>(medium, from(medium.mesh, {10}), parts, options); // the other is never reached
      expectSame<TypeParam, 4>(medium, from(medium.mesh, {10, static_cast<std::size_t>(first) + 3}), parts, options);
    }
    expectSame<TypeParam, 4>(medium, from(medium.mesh, {}), parts, {}); // no source
    IterationOptions narrow;
    narrow.window = 0.5;
    // regions that are reached, the source alone, and one that has a vertex which is never reached
    for (const std::vector<std::int64_t>& region : {std::vector<std::int64_t>{40, 77}, {10}, {40, first}}) {
      expectSame<TypeParam, 4>(medium, from(medium.mesh, {10}), parts, narrow, region);
    }
  }
}

TYPED_TEST(RankIterative, ASourceOnOneOfItsRanksIsEnough) {
  std::mt19937 random(seed());
  const Medium medium{gridMesh(ElementType::Tetrahedron, 6), {}};
  const Piece piece = pieceOf(medium, cutsOf(medium.mesh, random)[1]);
  const std::int64_t source = 3 + 7 * (3 + 7 * 3); // in the middle, where all cuts meet
  Ready<TypeParam, 4> all(medium);
  const auto expected = copied<TypeParam>(from(medium.mesh, {static_cast<std::size_t>(source)}));
  iterateTimes<TypeParam, 4>(all.context, all.simplices, {}, expected);
  Ready<TypeParam, 4> mine(piece.medium, world(), &piece.shared);
  for (int giver = 0; giver < world().size(); ++giver) {
    const auto place = std::find(piece.vertices.begin(), piece.vertices.end(), source);
    const bool gives = world().rank() == giver && place != piece.vertices.end();
    Times sources(piece.vertices.size(), notReached);
    if (gives) {
      sources[static_cast<std::size_t>(place - piece.vertices.begin())] = 0.01 * static_cast<double>(source % 7);
    }
    const auto times = copied<TypeParam>(sources);
    const auto report = iterateTimes<TypeParam, 4>(mine.context, mine.simplices, {}, times);
    if (world().reduced(ReduceBy::Maximum, std::int64_t{gives ? 1 : 0}) == 1) {
      expectClose(onHost(times), piece.ofWhole(onHost(expected)));
      EXPECT_EQ(report.numReached, medium.mesh.numVertices());
    } else {
      EXPECT_EQ(report.numReached, 0);
    }
  }
}

/// All vertices of a medium factored by one source, at speed 1.
template <class Space, int corners>
struct FactoredAll {
  using Memory = typename Space::memory_space;

  FactoredAll(const Ready<Space, corners>& ready, const Medium& medium, const Point& source)
    : places("places", 1), placeOfVertex("place of vertex", medium.mesh.points.size()),
      numSimplices(ready.simplices.numSimplices()) {
    FactorPlace place;
    place.place = source;
    Kokkos::deep_copy(places, place);
    Times coordinates;
    Times straight;
    for (const Point& point : medium.mesh.points) {
      coordinates.insert(coordinates.end(), std::begin(point.at), std::end(point.at));
      straight.push_back(std::sqrt(dot(point - source, point - source)));
    }
    points = copied<Space>(coordinates);
    travels = copied<Space>(straight);
  }

  [[nodiscard]] FactoringView view() const {
    return {placeOfVertex.data(), travels.data(), places.data(), points.data(), numSimplices};
  }

  Kokkos::View<FactorPlace*, Memory> places;
  Kokkos::View<std::int32_t*, Memory> placeOfVertex; // 0: the one
  Kokkos::View<double*, Memory> travels;
  Kokkos::View<double*, Memory> points;
  std::int64_t numSimplices;
};

TYPED_TEST(RankIterative, FactoredTimesAreThoseOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Medium medium{gridMesh(ElementType::Tetrahedron, 6), {}};
  const std::size_t source = 100;
  const Point place = medium.mesh.points[source];
  Times sources(medium.mesh.points.size(), notReached);
  sources[source] = 0.0;
  Ready<TypeParam, 4> all(medium);
  const FactoredAll<TypeParam, 4> factored(all, medium, place);
  const auto expected = copied<TypeParam>(sources);
  iterateTimes<TypeParam, 4>(all.context, all.simplices, {}, expected, factored.view());
  for (const Parts& parts : cutsOf(medium.mesh, random)) {
    const Piece piece = pieceOf(medium, parts);
    Ready<TypeParam, 4> mine(piece.medium, world(), &piece.shared);
    const FactoredAll<TypeParam, 4> here(mine, piece.medium, place);
    const auto times = copied<TypeParam>(piece.ofWhole(sources));
    iterateTimes<TypeParam, 4>(mine.context, mine.simplices, {}, times, here.view());
    const Times found = onHost(times);
    expectClose(found, piece.ofWhole(onHost(expected)));
    for (std::size_t v = 0; v < found.size(); ++v) { // and exact in a constant medium, from where all can be seen
      const Point away = piece.medium.mesh.points[v] - place;
      EXPECT_NEAR(found[v], std::sqrt(dot(away, away)), 1e-12);
    }
  }
}

/// What a reader brings: a rank's elements of a cut with a layer of ghost elements around, and vertices of which some
/// are in no element, numbered in an order of the rank's own. `whole` says which vertex of the whole mesh each is.
struct ReadPiece {
  HostMesh mesh;
  std::vector<std::uint8_t> isGhost;
  std::vector<std::int64_t> whole;
};

ReadPiece readPiece(const HostMesh& mesh, const Parts& parts, std::mt19937 random) {
  for (int r = 0; r < world().rank(); ++r) {
    random(); // every rank its own order
  }
  ReadPiece piece;
  piece.whole.resize(mesh.points.size());
  std::iota(piece.whole.begin(), piece.whole.end(), std::int64_t{0});
  std::shuffle(piece.whole.begin(), piece.whole.end(), random);
  std::vector<std::int64_t> placeOf(mesh.points.size());
  for (std::size_t i = 0; i < piece.whole.size(); ++i) {
    placeOf[piece.whole[i]] = static_cast<std::int64_t>(i);
    piece.mesh.points.push_back(mesh.points[piece.whole[i]]);
  }
  const auto cornersOf = [&](std::int64_t e) {
    return std::span(mesh.vertices).subspan(mesh.offsets[e], mesh.offsets[e + 1] - mesh.offsets[e]);
  };
  std::vector<bool> near(mesh.points.size(), false);
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    for (const std::int64_t v : cornersOf(e)) {
      near[v] = near[v] || parts[e] == world().rank();
    }
  }
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const auto corners = cornersOf(e);
    if (std::any_of(corners.begin(), corners.end(), [&](auto v) { return near[v]; })) {
      std::vector<std::int64_t> here;
      std::transform(corners.begin(), corners.end(), std::back_inserter(here), [&](auto v) { return placeOf[v]; });
      piece.mesh.add(mesh.types[e], here);
      piece.isGhost.push_back(parts[e] == world().rank() ? 0 : 1);
    }
  }
  return piece;
}

/// A part of a mesh with one part as a mesh of its own.
HostMesh meshOf(const MeshParts& part, const HostMesh& whole) {
  HostMesh mesh;
  for (const std::int64_t v : part.vertices) {
    mesh.points.push_back(whole.points[v]);
  }
  mesh.types = part.types;
  mesh.offsets.assign(part.offsets.begin(), part.offsets.end());
  mesh.vertices.assign(part.corners.begin(), part.corners.end());
  return mesh;
}

TYPED_TEST(RankIterative, PiecesOfReadersAreThoseOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = gridMesh(ElementType::Prism, 5); // neighbours must agree on how quadrilaterals are split
  const Times sources = from(mesh, {100});
  for (const bool byIds : {true, false}) {
    std::vector<std::int64_t> ids(mesh.points.size());
    std::iota(ids.begin(), ids.end(), 1000);
    std::shuffle(ids.begin(), ids.end(), random);
    // one rank alone
    const MeshOn<HostExecutionSpace, double, std::int64_t> onOne(mesh);
    const RankPart one =
      makeRankPart(SingleProcess(), onOne.mixed(), {}, byIds ? std::span(ids) : std::span<std::int64_t>());
    Ready<TypeParam, 4> all({meshOf(one.mesh, mesh), {}});
    Times ofOne;
    for (const std::int64_t v : one.mesh.vertices) {
      ofOne.push_back(sources[v]);
    }
    const auto expected = copied<TypeParam>(ofOne);
    iterateTimes<TypeParam, 4>(all.context, all.simplices, {}, expected);
    const Times found = onHost(expected);
    Times wanted(sources.size(), notReached);
    for (std::size_t i = 0; i < found.size(); ++i) {
      wanted[one.mesh.vertices[i]] = found[i];
    }
    for (const Parts& parts : cutsOf(mesh, random)) {
      const ReadPiece piece = readPiece(mesh, parts, random);
      std::vector<std::int64_t> idsHere;
      for (const std::int64_t v : piece.whole) {
        idsHere.push_back(ids[v]);
      }
      const bool keeps = byIds || world().rank() > 0; // one rank without ids is enough to do without
      const MeshOn<HostExecutionSpace, double, std::int64_t> host(piece.mesh);
      const RankPart part =
        makeRankPart(world(), host.mixed(), piece.isGhost, keeps ? std::span(idsHere) : std::span<std::int64_t>());
      Times ofPart;
      Times wantedHere;
      for (const std::int64_t v : part.mesh.vertices) {
        ofPart.push_back(sources[piece.whole[v]]);
        wantedHere.push_back(wanted[piece.whole[v]]);
      }
      Ready<TypeParam, 4> mine({meshOf(part.mesh, piece.mesh), {}}, world(), &part.shared);
      const auto times = copied<TypeParam>(ofPart);
      iterateTimes<TypeParam, 4>(mine.context, mine.simplices, {}, times);
      expectClose(onHost(times), wantedHere);
    }
  }
}

TYPED_TEST(RankIterative, ReportsWhatItSends) {
  std::mt19937 random(seed());
  const Medium medium{gridMesh(ElementType::Tetrahedron, 6), {}};
  const Piece piece = pieceOf(medium, cutsOf(medium.mesh, random)[1]);
  Ready<TypeParam, 4> mine(piece.medium, world(), &piece.shared);
  const auto times = copied<TypeParam>(piece.ofWhole(from(medium.mesh, {0})));
  const IterationReport report = iterateTimes<TypeParam, 4>(mine.context, mine.simplices, {}, times);
  const auto neighbours = world().reduced(ReduceBy::Sum, static_cast<std::int64_t>(piece.shared.ranks.size()));
  const std::int64_t slots = world().reduced(ReduceBy::Sum, piece.shared.numSlots());
  // before the first iteration and in each a count for each neighbour; then times, if there are any
  const std::int64_t least = neighbours * (1 + report.numIterations) * 8;
  if (world().joinsMessages()) {
    EXPECT_LE(report.messages.messages, neighbours * 2 * (1 + report.numIterations));
    EXPECT_GE(report.messages.messages, neighbours * (1 + report.numIterations));
  }
  // a time goes over a border a few times before it is final, not in each iteration
  EXPECT_GE(report.messages.bytes, least + (neighbours > 0 ? 12 : 0));
  EXPECT_LE(report.messages.bytes, least + 12 * 12 * slots);
  EXPECT_EQ(report.messages.messages == 0, world().alone());
}

TYPED_TEST(RankIterative, WhatGoesWrongOnOneRankIsKnownToAll) {
  std::mt19937 random(seed());
  const Medium medium{gridMesh(ElementType::Tetrahedron, 5), {}};
  const Piece piece = pieceOf(medium, cutsOf(medium.mesh, random)[1]);
  Ready<TypeParam, 4> mine(piece.medium, world(), &piece.shared);
  const bool last = world().rank() + 1 == world().size();
  const auto message = [&](const Times& sources, const IterationOptions& options) -> std::string {
    try {
      iterateTimes<TypeParam, 4>(mine.context, mine.simplices, options, copied<TypeParam>(sources));
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  const Times good = piece.ofWhole(from(medium.mesh, {0}));
  Times bad = good;
  if (last) {
    bad.at(4) = std::nan("");
  }
  EXPECT_NE(message(bad, {}).find("the time of vertex 4 is not valid"), std::string::npos);
  Times few = good;
  if (last) {
    few.pop_back();
  }
  EXPECT_NE(message(few, {}).find("each vertex has one time"), std::string::npos);
  IterationOptions options;
  options.stopTime = last ? 1.0 : 2.0;
  EXPECT_EQ(message(good, options).find("other options") != std::string::npos, world().size() > 1);
  options.window = -1.0;
  options.stopTime = 1.0;
  EXPECT_NE(message(good, options).find("window"), std::string::npos);

  // one rank is asked to stop
  int reports = 0;
  const Progress stopping([&](double) { return !last || ++reports < 4; });
  const auto times = copied<TypeParam>(good);
  EXPECT_THROW((iterateTimes<TypeParam, 4>(mine.context.with(stopping), mine.simplices, {}, times)), Cancelled);
  EXPECT_EQ(onHost(times), Times(good.size(), notReached));
  EXPECT_EQ(message(good, {}), ""); // and all is well again

  if (!world().alone()) {
    SharedVertices shared = piece.shared;
    if (last) {
      shared.vertices.pop_back();
      --shared.firstSlot.back();
    }
    const std::string text = messageOf([&] { Ready<TypeParam, 4>(piece.medium, world(), &shared); });
    // The least rank of the two tells it, to all.
    const std::int64_t least =
      world().reduced(ReduceBy::Maximum, static_cast<std::int64_t>(last ? piece.shared.ranks.back() : -1));
    std::int64_t known = 0;
    for (std::size_t n = 0; world().rank() == least && n < shared.ranks.size(); ++n) {
      if (shared.ranks[n] + 1 == world().size()) {
        known = shared.firstSlot[n + 1] - shared.firstSlot[n];
      }
    }
    known = world().reduced(ReduceBy::Maximum, known);
    EXPECT_NE(text.find(std::format("rank {} has {} vertices or cells in common with rank {}, which has {} with it: "
                                    "both must have the same",
                least, known, world().size() - 1, known - 1)),
      std::string::npos)
      << text;
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
