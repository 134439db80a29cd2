#include "Core/Mesh/HilbertCurve.hpp"
#include "Core/Mesh/Orderings.hpp"
#include "Core/Mesh/Permute.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Spaces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>

namespace spanwise::testing {
namespace {

template <class Space>
class MeshOrderings : public ::testing::Test {};
TYPED_TEST_SUITE(MeshOrderings, AllSpaces, SpaceNames);

using Order = std::vector<std::int64_t>;

template <class Space>
using Indices = Kokkos::View<std::int64_t*, typename Space::memory_space>;

template <class Space>
Order toHost(const Indices<Space>& order) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), order);
  return {host.data(), host.data() + host.extent(0)};
}

template <class Space>
Indices<Space> toSpace(const Order& order) {
  const Indices<Space> view("order", order.size());
  const auto host = Kokkos::create_mirror_view(view);
  std::copy(order.begin(), order.end(), host.data());
  Kokkos::deep_copy(view, host);
  return view;
}

Order identity(std::int64_t count) {
  Order order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

bool isPermutation(Order order) {
  std::sort(order.begin(), order.end());
  return order == identity(static_cast<std::int64_t>(order.size()));
}

Order shuffled(std::int64_t count, std::mt19937& random) {
  Order order = identity(count);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// A mesh whose vertices and elements come in other orders.
HostMesh reordered(const HostMesh& mesh, const Order& vertices, const Order& elements) {
  HostMesh result;
  std::vector<std::int64_t> places(vertices.size());
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    result.points.push_back(mesh.points[vertices[k]]);
    places[vertices[k]] = static_cast<std::int64_t>(k);
  }
  for (const std::int64_t e : elements) {
    std::array<std::int64_t, maxElementVertices> corners{};
    for (int k = 0; k < numVerticesOf(mesh.types[e]); ++k) {
      corners[k] = places[mesh.vertices[mesh.offsets[e] + k]];
    }
    result.add(mesh.types[e], corners);
  }
  return result;
}

HostMesh shuffledMesh(const HostMesh& mesh, std::mt19937& random) {
  return reordered(mesh, shuffled(mesh.numVertices(), random), shuffled(mesh.numElements(), random));
}

template <class Space>
Order hilbertVertices(const Space& space, const HostMesh& mesh) {
  Workspace<typename Space::memory_space> workspace;
  const MeshOn<Space, double, std::int64_t> on(mesh);
  const Indices<Space> order("order", mesh.points.size());
  orderVerticesAlongHilbertCurve(space, on.mixed().vertices, order, workspace);
  space.fence("ordered");
  return toHost<Space>(order);
}

template <class Space>
Order cuthillMcKee(const Space& space, const HostMesh& mesh) {
  Workspace<typename Space::memory_space> workspace;
  const MeshOn<Space, double, std::int64_t> on(mesh);
  VertexBall<typename Space::memory_space> ball;
  buildVertexBall(space, on.mixed().elements, mesh.numVertices(), 0, ball, workspace);
  const Indices<Space> order("order", mesh.points.size());
  orderVerticesByCuthillMcKee(space, on.mixed().elements, ball.view(), order, workspace);
  space.fence("ordered");
  return toHost<Space>(order);
}

TEST(HilbertCurve, GoesFromCellToNeighbourThroughAllCells) {
  for (const int numAxes : {1, 2, 3}) {
    const int bits = numAxes == 3 ? 3 : 5;
    const int perAxis = 1 << bits;
    const int count = 1 << (bits * numAxes);
    std::vector<std::array<int, 3>> cells(static_cast<std::size_t>(count), std::array{-1, -1, -1});
    for (int i = 0; i < count; ++i) {
      const std::array<int, 3> at{i % perAxis, i / perAxis % perAxis, i / perAxis / perAxis};
      std::uint32_t cell[3] = {
        static_cast<std::uint32_t>(at[0]), static_cast<std::uint32_t>(at[1]), static_cast<std::uint32_t>(at[2])};
      const std::uint64_t number = hilbertNumber(cell, numAxes, bits);
      ASSERT_LT(number, static_cast<std::uint64_t>(count));
      EXPECT_EQ(cells[number][0], -1) << "a number is there twice";
      cells[number] = at;
    }
    for (int k = 1; k < count; ++k) {
      int distance = 0;
      for (int axis = 0; axis < 3; ++axis) {
        distance += std::abs(cells[k][axis] - cells[k - 1][axis]);
      }
      EXPECT_EQ(distance, 1);
    }
  }
}

TEST(HilbertCurve, TakesAllBits) {
  std::uint32_t last[3] = {(1U << 21) - 1, 0, 0};
  EXPECT_EQ(hilbertNumber(last, 3, 21), (std::uint64_t{1} << 63) - 1); // ends beside where it began
  std::uint32_t lastOfPlane[2] = {(1U << 31) - 1, 0};
  EXPECT_EQ(hilbertNumber(lastOfPlane, 2, 31), (std::uint64_t{1} << 62) - 1);
}

TYPED_TEST(MeshOrderings, AlongAHilbertCurveGoFromVertexToNeighbour) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : {ElementType::Quadrilateral, ElementType::Hexahedron}) {
    const HostMesh mesh = shuffledMesh(gridMesh(type, 7), random); // 8 vertices an axis
    const Order order = hilbertVertices(TypeParam(), mesh);
    ASSERT_TRUE(isPermutation(order));
    for (std::size_t k = 1; k < order.size(); ++k) {
      const Point step = mesh.points[order[k]] - mesh.points[order[k - 1]];
      EXPECT_NEAR(std::sqrt(dot(step, step)), 1.0 / 7.0, 1e-12);
    }
  }
}

TYPED_TEST(MeshOrderings, AlongAHilbertCurveOfElementsAreThoseOfTheirBarycentres) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = shuffledMesh(gridMesh(ElementType::Hexahedron, 8), random);
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  const MeshOn<TypeParam, double, std::int64_t> on(mesh);
  for (const auto& view : {on.ofOneType(), on.mixed()}) {
    const Indices<TypeParam> order("order", mesh.types.size());
    orderElementsAlongHilbertCurve(space, view, order, workspace);
    space.fence("ordered");
    const Order host = toHost<TypeParam>(order);
    ASSERT_TRUE(isPermutation(host));
    for (std::size_t k = 1; k < host.size(); ++k) {
      const Point step = mesh.corner(host[k], 0) - mesh.corner(host[k - 1], 0);
      EXPECT_NEAR(std::sqrt(dot(step, step)), 1.0 / 8.0, 1e-12);
    }
  }
}

TYPED_TEST(MeshOrderings, AlongAHilbertCurveTakeAnyCoordinates) {
  HostMesh mesh;
  EXPECT_EQ(hilbertVertices(TypeParam(), mesh), Order());
  mesh.points = {Point{{1, 2, 3}}, Point{{1, 2, 3}}, Point{{1, 2, 3}}};
  EXPECT_EQ(hilbertVertices(TypeParam(), mesh), identity(3)); // in one place: by their numbers
  mesh.points = {Point{{3, 2, 3}}, Point{{-1e300, 2, 3}}, Point{{1e300, 2, 3}}};
  EXPECT_EQ(hilbertVertices(TypeParam(), mesh), (Order{1, 0, 2}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  mesh.points = {Point{{nan, 1, 2}}, Point{{infinity, -infinity, 2}}, Point{{0, nan, nan}}, Point{{1, 2, 3}}};
  EXPECT_TRUE(isPermutation(hilbertVertices(TypeParam(), mesh)));
}

/// The most that the numbers of two vertices of an element differ.
std::int64_t bandwidth(const HostMesh& mesh) {
  std::int64_t most = 0;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const auto [least, greatest] =
      std::minmax_element(mesh.vertices.begin() + mesh.offsets[e], mesh.vertices.begin() + mesh.offsets[e + 1]);
    most = std::max(most, *greatest - *least);
  }
  return most;
}

/// The order of Cuthill and McKee from given roots, with a queue.
Order reference(const HostMesh& mesh, const Order& reversed) {
  std::vector<std::set<std::int64_t>> neighbours(mesh.points.size());
  std::vector<int> degrees(mesh.points.size());
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    for (int i = 0; i < numVerticesOf(mesh.types[e]); ++i) {
      const std::int64_t v = mesh.vertices[mesh.offsets[e] + i];
      ++degrees[v];
      neighbours[v].insert(mesh.vertices.begin() + mesh.offsets[e], mesh.vertices.begin() + mesh.offsets[e + 1]);
    }
  }
  Order order;
  std::vector<bool> has(mesh.points.size());
  for (auto root = reversed.rbegin(); root != reversed.rend(); ++root) { // the first of each part is its root
    if (has[*root]) {
      continue;
    }
    std::size_t next = order.size();
    order.push_back(*root);
    has[*root] = true;
    for (; next < order.size(); ++next) {
      Order children;
      for (const std::int64_t w : neighbours[order[next]]) {
        if (!has[w]) {
          children.push_back(w);
          has[w] = true;
        }
      }
      std::stable_sort(children.begin(), children.end(), [&](auto a, auto b) { return degrees[a] < degrees[b]; });
      order.insert(order.end(), children.begin(), children.end());
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

TYPED_TEST(MeshOrderings, OfCuthillAndMcKeeAreThoseOfAQueue) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    const HostMesh mesh = shuffledMesh(gridMesh(type, 5), random);
    const Order order = cuthillMcKee(TypeParam(), mesh);
    ASSERT_TRUE(isPermutation(order)) << elementTypeName(type);
    EXPECT_EQ(order, reference(mesh, order)) << elementTypeName(type);
  }
  for (const int numElements : {0, 5, 60, 1000}) { // from many parts and vertices of none to a tangle
    const HostMesh mesh = tangledMesh(random, 200, numElements);
    const Order order = cuthillMcKee(TypeParam(), mesh);
    ASSERT_TRUE(isPermutation(order)) << numElements;
    EXPECT_EQ(order, reference(mesh, order)) << numElements;
  }
}

TYPED_TEST(MeshOrderings, OfCuthillAndMcKeeHaveASmallBandwidth) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  // Two vertices of an element are in one level or in two that follow each other. A strip of squares: levels from a
  // corner have at most 5 vertices.
  HostMesh strip;
  for (int i = 0; i <= 60; ++i) {
    for (int j = 0; j <= 2; ++j) {
      strip.points.push_back({{double(i), double(j), 0.0}});
    }
  }
  for (std::int64_t i = 0; i < 60; ++i) {
    for (std::int64_t j = 0; j < 2; ++j) {
      const std::int64_t v = 3 * i + j;
      strip.add(ElementType::Quadrilateral, std::array{v, v + 3, v + 4, v + 1});
    }
  }
  const HostMesh mesh = shuffledMesh(strip, random);
  EXPECT_GT(bandwidth(mesh), 100);
  EXPECT_LE(bandwidth(reordered(mesh, cuthillMcKee(TypeParam(), mesh), identity(mesh.numElements()))), 9);
  // A square of n^2: no level has more than 2 n + 1.
  const HostMesh square = shuffledMesh(gridMesh(ElementType::Quadrilateral, 12), random);
  const std::int64_t least = bandwidth(reordered(square, cuthillMcKee(TypeParam(), square), identity(144)));
  EXPECT_LT(least, 2 * 25);
  EXPECT_GT(bandwidth(square), 2 * 25);
}

TYPED_TEST(MeshOrderings, AreTheSameForAnyNumberOfThreads) {
  shareLittleWork();
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = shuffledMesh(gridMesh(ElementType::Tetrahedron, 10), random);
  EXPECT_EQ(hilbertVertices(TypeParam(), mesh), hilbertVertices(oneThread<TypeParam>(), mesh));
  EXPECT_EQ(cuthillMcKee(TypeParam(), mesh), cuthillMcKee(oneThread<TypeParam>(), mesh));
}

/// A mesh of MeshArrays as one of vectors.
template <class Space>
HostMesh toHostMesh(const MeshArrays<double, std::int64_t, typename Space::memory_space>& arrays) {
  const auto coordinates = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), arrays.coordinates);
  const auto vertices = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), arrays.vertices);
  const auto types = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), arrays.types);
  HostMesh mesh;
  for (std::int64_t v = 0; v < arrays.numVertices; ++v) {
    mesh.points.push_back({{coordinates(3 * v), coordinates(3 * v + 1), coordinates(3 * v + 2)}});
  }
  std::int64_t corner = 0;
  for (std::int64_t e = 0; e < arrays.numElements; ++e) {
    const ElementType type = arrays.isOfOneType ? arrays.type : types(e);
    mesh.add(type, std::vector(vertices.data() + corner, vertices.data() + corner + numVerticesOf(type)));
    corner += numVerticesOf(type);
  }
  return mesh;
}

void expectSame(const HostMesh& a, const HostMesh& b) {
  EXPECT_EQ(a.types, b.types);
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.vertices, b.vertices);
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t v = 0; v < a.points.size(); ++v) {
    EXPECT_EQ(a.points[v][0], b.points[v][0]);
    EXPECT_EQ(a.points[v][1], b.points[v][1]);
    EXPECT_EQ(a.points[v][2], b.points[v][2]);
  }
}

TYPED_TEST(MeshOrderings, ReorderMeshes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  MeshArrays<double, std::int64_t, typename TypeParam::memory_space> out;
  for (const bool mixed : {true, false}) {
    const HostMesh mesh = mixed ? tangledMesh(random, 100, 300) : gridMesh(ElementType::Pyramid, 3);
    const MeshOn<TypeParam, double, std::int64_t> on(mesh);
    const auto view = mixed ? on.mixed() : on.ofOneType();
    const Order vertices = shuffled(mesh.numVertices(), random);
    const Order elements = shuffled(mesh.numElements(), random);
    const auto reorder = [&](const Order& ofVertices, const Order& ofElements) {
      reorderMesh<TypeParam, double, std::int64_t>(
        space, view, toSpace<TypeParam>(ofVertices), toSpace<TypeParam>(ofElements), out, workspace);
      space.fence("reordered");
      return toHostMesh<TypeParam>(out);
    };
    expectSame(reorder(vertices, elements), reordered(mesh, vertices, elements));
    expectSame(reorder(vertices, {}), reordered(mesh, vertices, identity(mesh.numElements())));
    expectSame(reorder({}, elements), reordered(mesh, identity(mesh.numVertices()), elements));
    expectSame(reorder({}, {}), mesh);
  }
}

TYPED_TEST(MeshOrderings, ArePermutationsOrRefused) {
  const TypeParam space;
  const auto message = [&](const Order& order, std::size_t numPlaces) -> std::string {
    const Indices<TypeParam> places("places", numPlaces);
    try {
      invertOrder<TypeParam, std::int64_t>(space, toSpace<TypeParam>(order), places);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    const Order host = toHost<TypeParam>(places);
    for (std::size_t k = 0; k < order.size(); ++k) {
      EXPECT_EQ(host[order[k]], static_cast<std::int64_t>(k));
    }
    return "";
  };
  EXPECT_EQ(message({2, 0, 1}, 3), "");
  EXPECT_EQ(message({}, 0), "");
  EXPECT_EQ(message({0, 7, 1}, 3), "an order has 7 at place 1: each number from 0 to 2 must be there once");
  EXPECT_NE(message({0, -1, 1}, 3), "");
  EXPECT_NE(message({0, 1, 1}, 3), "");
  EXPECT_EQ(message({0, 1}, 3), "an order of 2 was given for 3 vertices or elements");
  Workspace<typename TypeParam::memory_space> workspace;
  const MeshOn<TypeParam, double, std::int64_t> on(gridMesh(ElementType::Triangle, 2));
  const Indices<TypeParam> few("few", 3);
  EXPECT_EQ(messageOf([&] { orderVerticesAlongHilbertCurve(space, on.mixed().vertices, few, workspace); }),
    "an order of 9 was asked for in an array of 3");
  EXPECT_EQ(messageOf([&] { orderElementsAlongHilbertCurve(space, on.mixed(), few, workspace); }),
    "an order of 8 was asked for in an array of 3");
  BallView ball;
  ball.numVertices = 9;
  EXPECT_EQ(messageOf([&] { orderVerticesByCuthillMcKee(space, on.mixed().elements, ball, few, workspace); }),
    "an order of 9 vertices was asked for in an array of 3");
}

TYPED_TEST(MeshOrderings, CarryValuesAlong) {
  const TypeParam space;
  using Memory = typename TypeParam::memory_space;
  const Kokkos::View<std::int64_t*, Memory> values = toSpace<TypeParam>({10, 11, 20, 21, 30, 31});
  const Kokkos::View<std::int64_t*, Memory> to("to", 6);
  permute<TypeParam, std::int64_t, std::int64_t>(space, toSpace<TypeParam>({2, 0, 1}), values, to, 2);
  space.fence("permuted");
  EXPECT_EQ(toHost<TypeParam>(to), (Order{30, 31, 10, 11, 20, 21}));
  EXPECT_EQ(messageOf([&] {
    permute<TypeParam, std::int64_t, std::int64_t>(space, toSpace<TypeParam>({2, 0, 1}), values, to);
  }),
    "an order of 3 was given for 6 values, to be written to 6: there must be 1 each");
}

TYPED_TEST(MeshOrderings, AreOfMeshesThatCameFromTheHost) {
  // Where the host computes, the arrays are its own.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = tangledMesh(random, 50, 80);
  std::vector<double> interleaved;
  std::vector<double> axes[3];
  for (const Point& p : mesh.points) {
    for (int axis = 0; axis < 3; ++axis) {
      interleaved.push_back(p[axis]);
      axes[axis].push_back(p[axis]);
    }
  }
  const ElementView<std::int64_t> elements{
    mesh.vertices.data(), mesh.offsets.data(), mesh.types.data(), ElementType::Tetrahedron, mesh.numElements()};
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  MeshArrays<double, std::int64_t, typename TypeParam::memory_space> out;
  for (const VertexView<double>& vertices : {VertexView<double>::interleaved(interleaved.data(), mesh.numVertices()),
         VertexView<double>{{axes[0].data(), axes[1].data(), axes[2].data()}, 1, mesh.numVertices()}}) {
    const MeshMirror<TypeParam, double, std::int64_t> mirror(space, {vertices, elements});
    EXPECT_EQ(mirror.view().elements.vertices == mesh.vertices.data(), runsOnHost<TypeParam>);
    reorderMesh<TypeParam, double, std::int64_t>(space, mirror.view(), {}, {}, out, workspace);
    space.fence("copied");
    expectSame(toHostMesh<TypeParam>(out), mesh);
  }
}

} // namespace
} // namespace spanwise::testing
