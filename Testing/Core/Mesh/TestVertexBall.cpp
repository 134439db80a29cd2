#include "Core/Mesh/BallTable.hpp"
#include "Core/Mesh/VertexBall.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <utility>

namespace spanwise::testing {
namespace {

template <class Space>
class VertexBalls : public ::testing::Test {};
TYPED_TEST_SUITE(VertexBalls, AllSpaces, SpaceNames);

using Balls = std::vector<std::vector<std::pair<std::int64_t, int>>>;

template <class Space>
struct CopyDegrees {
  BallView ball;
  Kokkos::View<std::int64_t*, typename Space::memory_space> degrees;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { degrees(v) = ball.degrees[v]; }
};

template <class Space>
struct CopyEntries {
  BallView ball;
  Kokkos::View<std::int64_t*, typename Space::memory_space> begins;
  Kokkos::View<BallEntry*, typename Space::memory_space> entries;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    for (int k = 0; k < ball.degrees[v]; ++k) {
      entries(begins(v) + k) = ball(v, k);
    }
  }
};

template <class Space>
Balls toHost(const VertexBall<typename Space::memory_space>& ball) {
  using Memory = typename Space::memory_space;
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t count = ball.numVertices();
  const Kokkos::View<std::int64_t*, Memory> degrees("degrees", static_cast<std::size_t>(count));
  Kokkos::parallel_for("copy degrees", Range(0, count), CopyDegrees<Space>{ball.view(), degrees});
  const auto hostDegrees = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), degrees);
  std::vector<std::int64_t> begins{0};
  for (std::int64_t v = 0; v < count; ++v) {
    begins.push_back(begins.back() + hostDegrees(v));
  }
  const Kokkos::View<BallEntry*, Memory> entries("entries", static_cast<std::size_t>(begins.back()));
  const Kokkos::View<std::int64_t*, Memory> where("begins", begins.size());
  const auto hostWhere = Kokkos::create_mirror_view(where);
  std::copy(begins.begin(), begins.end(), hostWhere.data());
  Kokkos::deep_copy(where, hostWhere);
  Kokkos::parallel_for("copy entries", Range(0, count), CopyEntries<Space>{ball.view(), where, entries});
  const auto hostEntries = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entries);
  Balls result(static_cast<std::size_t>(count));
  for (std::int64_t v = 0; v < count; ++v) {
    for (std::int64_t i = begins[v]; i < begins[v + 1]; ++i) {
      result[v].emplace_back(BallView::element(hostEntries(i)), BallView::local(hostEntries(i)));
    }
  }
  return result;
}

/// The balls of a mesh, by walking through its elements.
Balls reference(const HostMesh& mesh) {
  Balls balls(mesh.points.size());
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    for (int k = 0; k < numVerticesOf(mesh.types[e]); ++k) {
      balls[mesh.vertices[mesh.offsets[e] + k]].emplace_back(e, k);
    }
  }
  return balls;
}

template <class Space>
VertexBall<typename Space::memory_space> ballOf(
  const ElementView<std::int64_t>& elements, std::int64_t numVertices, int width = 0) {
  VertexBall<typename Space::memory_space> ball;
  const Context<Space> context;
  buildVertexBall<Space, std::int64_t>(context, elements, numVertices, width, ball);
  return ball;
}

TYPED_TEST(VertexBalls, AreThoseOfARandomMesh) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const int width : {1, 2, 8, 32, 1000}) {
    const HostMesh mesh = tangledMesh(random, 300, 2000);
    const MeshOn<TypeParam, double, std::int64_t> device(mesh);
    const auto ball = ballOf<TypeParam>(device.mixed().elements, mesh.numVertices(), width);
    EXPECT_EQ(toHost<TypeParam>(ball), reference(mesh)) << width << " slots";
  }
}

TYPED_TEST(VertexBalls, AreThoseOfGridsOfEachType) {
  for (const ElementType type : allElementTypes) {
    const HostMesh mesh = gridMesh(type, 5);
    const MeshOn<TypeParam, double, std::int64_t> device(mesh);
    const auto ball = ballOf<TypeParam>(device.ofOneType().elements, mesh.numVertices());
    EXPECT_EQ(ball.width(), ballWidth(type));
    EXPECT_EQ(toHost<TypeParam>(ball), reference(mesh)) << elementTypeName(type);
  }
}

TYPED_TEST(VertexBalls, OccupancyCountsEverySlot) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = tangledMesh(random, 500, 1000);
  const MeshOn<TypeParam, double, std::int64_t> device(mesh);
  for (const int width : {1, 3, 8}) {
    const auto ball = ballOf<TypeParam>(device.mixed().elements, mesh.numVertices(), width);
    std::int64_t inBase = 0;
    for (const auto& entries : reference(mesh)) {
      inBase += std::min<std::int64_t>(static_cast<std::int64_t>(entries.size()), width);
    }
    const BallOccupancy& occupancy = ball.occupancy();
    EXPECT_EQ(occupancy.numEntries, static_cast<std::int64_t>(mesh.vertices.size()));
    EXPECT_EQ(occupancy.numInBase, inBase);
    EXPECT_EQ(occupancy.numEmptySlots, mesh.numVertices() * width - inBase);
    EXPECT_DOUBLE_EQ(occupancy.shareInBase() + occupancy.shareInOverflow(), 1.0);
  }
}

TYPED_TEST(VertexBalls, InnerVerticesOfRegularGridsFillTheirSlots) {
  // Where every vertex of a periodic grid has the same degree, the balls of a large grid come near it.
  const HostMesh mesh = gridMesh(ElementType::Hexahedron, 20);
  const MeshOn<TypeParam, double, std::int64_t> device(mesh);
  const auto ball = ballOf<TypeParam>(device.ofOneType().elements, mesh.numVertices());
  EXPECT_EQ(ball.occupancy().shareInBase(), 1.0);
  // 21^3 vertices with 8 slots for 8 * 20^3 corners
  EXPECT_DOUBLE_EQ(ball.occupancy().extraMemory(), (21.0 * 21.0 * 21.0 - 8000.0) / 8000.0);
}

TYPED_TEST(VertexBalls, AFanOverflowsInOrder) {
  // 5000 triangles around vertex 0
  HostMesh mesh;
  mesh.points.resize(5001);
  for (std::int64_t e = 0; e < 5000; ++e) {
    mesh.add(ElementType::Triangle, std::array<std::int64_t, 3>{1 + e, 0, 1 + (e + 1) % 5000});
  }
  const MeshOn<TypeParam, double, std::int64_t> device(mesh);
  const auto ball = ballOf<TypeParam>(device.ofOneType().elements, mesh.numVertices());
  EXPECT_EQ(toHost<TypeParam>(ball), reference(mesh));
  EXPECT_EQ(ball.occupancy().numEntries - ball.occupancy().numInBase, 5000 - 8);
}

TYPED_TEST(VertexBalls, OfNothing) {
  const auto none = ballOf<TypeParam>(ElementView<std::int64_t>{}, 0);
  EXPECT_EQ(none.numVertices(), 0);
  EXPECT_EQ(none.occupancy().shareInBase(), 0.0);
  const auto lonely = ballOf<TypeParam>(ElementView<std::int64_t>{}, 7);
  EXPECT_EQ(toHost<TypeParam>(lonely), Balls(7));
}

TYPED_TEST(VertexBalls, AreTheSameAgainInTheSameMemory) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  VertexBall<typename TypeParam::memory_space> ball;
  const Context<TypeParam> context;
  for (const std::int64_t numVertices : {400, 100, 700}) {
    const HostMesh mesh = tangledMesh(random, numVertices, 1500);
    const MeshOn<TypeParam, float, std::int32_t> device(mesh);
    buildVertexBall<TypeParam, std::int32_t>(context, device.mixed().elements, numVertices, 4, ball);
    EXPECT_EQ(toHost<TypeParam>(ball), reference(mesh));
  }
}

TYPED_TEST(VertexBalls, RefuseWhatTheyCannotNumber) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
  mesh.vertices[4 * 7 + 2] = 27; // vertices are 0 ... 26
  mesh.vertices[4 * 9 + 1] = -1;
  const MeshOn<TypeParam, double, std::int64_t> device(mesh);
  const auto message = [&](const ElementView<std::int64_t>& elements, std::int64_t numVertices, int width) {
    try {
      ballOf<TypeParam>(elements, numVertices, width);
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(device.ofOneType().elements, 27, 0),
    "element 7 names a vertex that the mesh does not have: vertices are numbered from 0 to 26");
  EXPECT_NE(message({}, -3, 0), "");
  EXPECT_NE(message({}, 3, -1), "");
  EXPECT_NE(message({}, 3, maxBallWidth + 1), "");
  ElementView<std::int64_t> many;
  many.numElements = maxBallElements + 1;
  EXPECT_NE(message(many, 3, 0), "");
}

TEST(BallTable, HasALineForEachMesh) {
  EXPECT_EQ(toString({{"edges", 16, {10000, 9872, 3460}}, {"hexahedra of a cube", 8, {8, 8, 56}}}),
    "mesh                 vector  base table  overflow table  extra memory\n"
    "edges                    16     98.72 %          1.28 %       34.60 %\n"
    "hexahedra of a cube       8    100.00 %          0.00 %      700.00 %\n");
  EXPECT_EQ(toString(std::vector<BallTableRow>{}), "mesh  vector  base table  overflow table  extra memory\n");
}

} // namespace
} // namespace spanwise::testing
