#include "Core/Mesh/BoundaryVertices.hpp"
#include "Core/Mesh/ElementFaces.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace spanwise::testing {
namespace {

template <class Space>
class BoundaryVertices : public ::testing::Test {};
TYPED_TEST_SUITE(BoundaryVertices, AllSpaces, SpaceNames);

using Marks = std::vector<int>;

/// Marks of a mesh: of the boundary, or of features.
template <class Space>
Marks marksOf(const HostMesh& mesh, double featureAngle = -1.0) {
  using Memory = typename Space::memory_space;
  const Space space;
  const MeshOn<Space, double, std::int64_t> on(mesh);
  VertexBall<Memory> ball;
  const Context context(space);
  buildVertexBall(context, on.mixed().elements, mesh.numVertices(), 0, ball);
  const Kokkos::View<std::uint8_t*, Memory> marks("marks", mesh.points.size());
  if (featureAngle < 0.0) {
    markBoundaryVertices(context, on.mixed(), ball.view(), marks);
  } else {
    markFeatureVertices(context, on.mixed(), ball.view(), featureAngle, marks);
  }
  space.fence("marked");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), marks);
  return {host.data(), host.data() + host.extent(0)};
}

/// The vertices of sides that an odd number of elements has, side by side.
Marks reference(const HostMesh& mesh) {
  std::map<std::vector<std::int64_t>, int> sides;
  Marks marks(mesh.points.size());
  std::vector<int> numEdges(mesh.points.size());
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const ElementType type = mesh.types[e];
    const auto vertex = [&](int k) { return mesh.vertices[mesh.offsets[e] + k]; };
    const auto add = [&](std::vector<std::int64_t> side) {
      std::sort(side.begin(), side.end());
      ++sides[side];
    };
    const int count = numVerticesOf(type);
    if (dimensionOf(type) == 1) {
      ++numEdges[vertex(0)];
      ++numEdges[vertex(1)];
    }
    for (int k = 0; k < (dimensionOf(type) == 2 ? count : 0); ++k) {
      add({vertex(k), vertex((k + 1) % count)});
    }
    const ElementFaces faces = facesOf(type);
    for (int f = 0; f < faces.count; ++f) {
      const int* face = faces.vertices[f];
      add(face[3] < 0 ? std::vector{vertex(face[0]), vertex(face[1]), vertex(face[2])}
                      : std::vector{vertex(face[0]), vertex(face[1]), vertex(face[2]), vertex(face[3])});
    }
  }
  for (const auto& [side, uses] : sides) {
    for (const std::int64_t v : side) {
      marks[v] = uses % 2 == 1 ? 1 : marks[v];
    }
  }
  for (std::size_t v = 0; v < marks.size(); ++v) {
    marks[v] = numEdges[v] == 1 ? 1 : marks[v];
  }
  return marks;
}

HostMesh someElementsOf(const HostMesh& mesh, std::mt19937& random, double share) {
  HostMesh some;
  some.points = mesh.points;
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    if (unit(random) < share) {
      some.add(mesh.types[e],
        std::vector(mesh.vertices.begin() + mesh.offsets[e], mesh.vertices.begin() + mesh.offsets[e + 1]));
    }
  }
  return some;
}

TYPED_TEST(BoundaryVertices, OfGridsAreOnTheSidesOfTheCube) {
  for (const ElementType type : allElementTypes) {
    if (type == ElementType::Edge) {
      continue; // every vertex of that grid has two edges or more
    }
    const HostMesh mesh = gridMesh(type, 4);
    const Marks marks = marksOf<TypeParam>(mesh);
    for (std::size_t v = 0; v < marks.size(); ++v) {
      bool isOnSide = false;
      for (int axis = 0; axis < dimensionOf(type); ++axis) {
        isOnSide = isOnSide || mesh.points[v][axis] == 0.0 || mesh.points[v][axis] == 1.0;
      }
      EXPECT_EQ(marks[v], isOnSide ? 1 : 0) << elementTypeName(type) << " " << v;
    }
  }
}

TYPED_TEST(BoundaryVertices, AreThoseOfSidesWithAnOddNumberOfElements) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    for (const double share : {0.1, 0.5, 0.97}) {
      const HostMesh mesh = someElementsOf(gridMesh(type, 5), random, share);
      const Marks marks = marksOf<TypeParam>(mesh);
      EXPECT_EQ(marks, reference(mesh)) << elementTypeName(type);
      EXPECT_LT(std::count(marks.begin(), marks.end(), 1), static_cast<std::ptrdiff_t>(marks.size()));
    }
  }
  const HostMesh tangled = tangledMesh(random, 500, 60);
  EXPECT_EQ(marksOf<TypeParam>(tangled), reference(tangled));
}

/// The surface of the cube [0, 1]^3, of n^2 quadrilaterals a side or twice as many triangles.
HostMesh cubeSurface(int n, bool triangles, bool turned) {
  const HostMesh solid = gridMesh(ElementType::Hexahedron, n);
  HostMesh surface;
  surface.points = solid.points;
  const ElementFaces faces = facesOf(ElementType::Hexahedron);
  int numFaces = 0;
  for (std::int64_t e = 0; e < solid.numElements(); ++e) {
    for (int f = 0; f < faces.count; ++f) {
      std::array<std::int64_t, 4> corners{};
      bool isOnSide = false;
      for (int k = 0; k < 4; ++k) {
        corners[k] = solid.vertices[solid.offsets[e] + faces.vertices[f][k]];
      }
      for (int axis = 0; axis < 3; ++axis) {
        const double at = surface.points[corners[0]][axis];
        isOnSide = isOnSide || ((at == 0.0 || at == 1.0) && std::all_of(corners.begin(), corners.end(), [&](auto v) {
          return surface.points[v][axis] == at;
        }));
      }
      if (!isOnSide) {
        continue;
      }
      if (turned && ++numFaces % 2 == 0) { // numbered in the opposite sense
        std::swap(corners[1], corners[3]);
      }
      if (triangles) {
        surface.add(ElementType::Triangle, std::array{corners[0], corners[1], corners[2]});
        surface.add(ElementType::Triangle, std::array{corners[0], corners[2], corners[3]});
      } else {
        surface.add(ElementType::Quadrilateral, corners);
      }
    }
  }
  return surface;
}

TYPED_TEST(BoundaryVertices, FeaturesOfACubesSurfaceAreItsEdges) {
  for (const bool triangles : {false, true}) {
    for (const bool turned : {false, true}) {
      const HostMesh mesh = cubeSurface(4, triangles, turned);
      EXPECT_EQ(marksOf<TypeParam>(mesh), Marks(mesh.points.size(), 0)); // it is closed
      const Marks marks = marksOf<TypeParam>(mesh, 60.0);
      for (std::size_t v = 0; v < marks.size(); ++v) {
        int numSides = 0;
        for (int axis = 0; axis < 3; ++axis) {
          numSides += mesh.points[v][axis] == 0.0 || mesh.points[v][axis] == 1.0 ? 1 : 0;
        }
        EXPECT_EQ(marks[v], numSides >= 2 ? 1 : 0) << v;
      }
      EXPECT_EQ(marksOf<TypeParam>(mesh, 91.0), Marks(mesh.points.size(), 0));
    }
  }
}

TYPED_TEST(BoundaryVertices, OfALineAreItsEndsAndBends) {
  HostMesh line; // straight, 45 degrees, straight, 90 degrees, and a third edge at a vertex
  line.points = {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}, {{3, 1, 0}}, {{4, 2, 0}}, {{3, 3, 0}}, {{4, 4, 0}}};
  for (std::int64_t v = 0; v < 6; ++v) {
    line.add(ElementType::Edge, std::array{v, v + 1});
  }
  EXPECT_EQ(marksOf<TypeParam>(line), (Marks{1, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(marksOf<TypeParam>(line, 44.0), (Marks{0, 0, 1, 0, 1, 1, 0}));
  EXPECT_EQ(marksOf<TypeParam>(line, 46.0), (Marks{0, 0, 0, 0, 1, 1, 0}));
  EXPECT_EQ(marksOf<TypeParam>(line, 91.0), Marks(7, 0));
}

TYPED_TEST(BoundaryVertices, NeedAMarkForEachVertexAndAnAngle) {
  using Memory = typename TypeParam::memory_space;
  const TypeParam space;
  const HostMesh mesh = gridMesh(ElementType::Triangle, 2);
  const MeshOn<TypeParam, double, std::int64_t> on(mesh);
  VertexBall<Memory> ball;
  const Context context(space);
  buildVertexBall(context, on.mixed().elements, mesh.numVertices(), 0, ball);
  const Kokkos::View<std::uint8_t*, Memory> few("few", 3);
  const Kokkos::View<std::uint8_t*, Memory> marks("marks", mesh.points.size());
  EXPECT_THROW(markBoundaryVertices(context, on.mixed(), ball.view(), few), InvalidArgument);
  EXPECT_THROW(markFeatureVertices(context, on.mixed(), ball.view(), 30.0, few), InvalidArgument);
  for (const double angle : {-1.0, 181.0, std::nan("")}) {
    EXPECT_THROW(markFeatureVertices(context, on.mixed(), ball.view(), angle, marks), InvalidArgument);
  }
}

} // namespace
} // namespace spanwise::testing
