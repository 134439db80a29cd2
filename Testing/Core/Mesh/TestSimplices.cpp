#include "Core/Mesh/Simplices.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace spanwise::testing {
namespace {

/// A hexahedron, or the prism, pyramid or tetrahedron that is cut from it.
Point cornerOf(ElementType type, int local) {
  const Point cube[8] = {
    {{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{1, 0, 1}}, {{1, 1, 1}}, {{0, 1, 1}}};
  constexpr int prism[6] = {0, 3, 1, 4, 7, 5};
  switch (type) {
  case ElementType::Prism:
    return cube[prism[local]];
  case ElementType::Tetrahedron:
  case ElementType::Pyramid:
    return local == (type == ElementType::Pyramid ? 4 : 3) ? cube[4] : cube[local];
  default:
    return cube[local];
  }
}

double volume(const Point& a, const Point& b, const Point& c, const Point& d) {
  return dot(b - a, cross(c - a, d - a)) / 6.0;
}

TEST(Simplices, FillTheirElementWhateverItsNumbers) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const std::map<ElementType, double> volumes{{ElementType::Tetrahedron, 1.0 / 6.0}, {ElementType::Pyramid, 1.0 / 3.0},
    {ElementType::Prism, 0.5}, {ElementType::Hexahedron, 1.0}};
  for (const auto& [type, exact] : volumes) {
    std::array<int, 8> numbers{};
    std::iota(numbers.begin(), numbers.end(), 0);
    for (int k = 0; k < 500; ++k) {
      std::shuffle(numbers.begin(), numbers.end(), random);
      int corners[maxSimplices][4];
      const int count = splitIntoSimplices(type, numbers.data(), corners);
      ASSERT_EQ(count, numSimplicesOf(type));
      double sum = 0.0;
      for (int s = 0; s < count; ++s) {
        const int* c = corners[s];
        const double part =
          volume(cornerOf(type, c[0]), cornerOf(type, c[1]), cornerOf(type, c[2]), cornerOf(type, c[3]));
        EXPECT_GT(part, 0.0) << elementTypeName(type);
        sum += part;
      }
      EXPECT_NEAR(sum, exact, 1e-14);
    }
  }
}

TEST(Simplices, OfNeighboursMeetFaceToFace) {
  // In a mesh every inner triangle belongs to two tetrahedra, and the others make up the surface of the cube.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : {ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid}) {
    const HostMesh mesh = gridMesh(type, 3);
    std::vector<std::int64_t> renumbered(mesh.points.size());
    std::iota(renumbered.begin(), renumbered.end(), 0);
    std::shuffle(renumbered.begin(), renumbered.end(), random);
    std::map<std::set<std::int64_t>, int> triangles;
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      std::array<std::int64_t, 8> vertices{};
      for (int k = 0; k < numVerticesOf(type); ++k) {
        vertices[k] = renumbered[mesh.vertices[mesh.offsets[e] + k]];
      }
      int corners[maxSimplices][4];
      const int count = splitIntoSimplices(type, vertices.data(), corners);
      for (int s = 0; s < count; ++s) {
        for (int left = 0; left < 4; ++left) {
          std::set<std::int64_t> triangle;
          for (int k = 0; k < 4; ++k) {
            if (k != left) {
              triangle.insert(vertices[corners[s][k]]);
            }
          }
          ++triangles[triangle];
        }
      }
    }
    std::int64_t onSurface = 0;
    for (const auto& [triangle, uses] : triangles) {
      EXPECT_LE(uses, 2);
      onSurface += uses == 1 ? 1 : 0;
    }
    EXPECT_EQ(onSurface, 6 * 3 * 3 * 2) << elementTypeName(type);
  }
}

TEST(Simplices, OfQuadrilateralsShareTheDiagonalOfTheLeastVertex) {
  for (int least = 0; least < 4; ++least) {
    std::array<int, 4> numbers{10, 11, 12, 13};
    numbers[least] = 1;
    int corners[maxSimplices][4];
    ASSERT_EQ(splitIntoSimplices(ElementType::Quadrilateral, numbers.data(), corners), 2);
    for (int s = 0; s < 2; ++s) {
      EXPECT_EQ(corners[s][0], least);
      EXPECT_EQ(corners[s][1], (least + 1 + s) % 4);
      EXPECT_EQ(corners[s][2], (least + 2 + s) % 4);
    }
  }
}

TEST(Simplices, ByPlaceAreTheSameWhateverTheNumbers) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (const ElementType type : {ElementType::Quadrilateral, ElementType::Tetrahedron, ElementType::Hexahedron,
         ElementType::Prism, ElementType::Pyramid}) {
    const int count = numVerticesOf(type);
    std::array<Point, 8> points{};
    for (Point& point : points) {
      // some coordinates are the same
      point = {{std::floor(3.0 * unit(random)), unit(random), std::floor(2.0 * unit(random))}};
    }
    std::vector<int> order(static_cast<std::size_t>(count)); // along z, then y, then x
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return std::array{points[a][2], points[a][1], points[a][0]} <
        std::array{points[b][2], points[b][1], points[b][0]};
    });
    std::array<int, 8> numbers{};
    for (int k = 0; k < count; ++k) {
      numbers[order[k]] = k;
    }
    int wanted[maxSimplices][4];
    int found[maxSimplices][4];
    const int simplices = splitIntoSimplices(type, numbers.data(), wanted);
    ASSERT_EQ(splitByPlace(type, points.data(), found), simplices);
    for (int s = 0; s < simplices; ++s) {
      EXPECT_TRUE(std::equal(wanted[s], wanted[s] + dimensionOf(type) + 1, found[s])) << elementTypeName(type);
    }
  }
}

} // namespace
} // namespace spanwise::testing
