#include "Core/Field/Reductions.hpp"
#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Mesh/Simplices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

template <class Space>
class ElementMeasures : public ::testing::Test {};
TYPED_TEST_SUITE(ElementMeasures, AllSpaces, SpaceNames);

using Corners = std::vector<Point>;

/// The element that meanRatio() calls ideal, with edges of length 1.
Corners ideal(ElementType type) {
  const double h = std::sqrt(3.0) / 2.0;
  switch (type) {
  case ElementType::Edge:
    return {{{0, 0, 0}}, {{1, 0, 0}}};
  case ElementType::Triangle:
    return {{{0, 0, 0}}, {{1, 0, 0}}, {{0.5, h, 0}}};
  case ElementType::Quadrilateral:
    return {{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}}, {{0, 1, 0}}};
  case ElementType::Tetrahedron:
    return {{{0, 0, 0}}, {{1, 0, 0}}, {{0.5, h, 0}}, {{0.5, h / 3.0, std::sqrt(2.0 / 3.0)}}};
  case ElementType::Pyramid:
    return {{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}}, {{0, 1, 0}}, {{0.5, 0.5, std::sqrt(0.5)}}};
  case ElementType::Prism: // the triangle (0, 1, 2) looks outward
    return {{{0, 0, 0}}, {{0.5, h, 0}}, {{1, 0, 0}}, {{0, 0, 1}}, {{0.5, h, 1}}, {{1, 0, 1}}};
  case ElementType::Hexahedron:
    return {{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{1, 0, 1}}, {{1, 1, 1}}, {{0, 1, 1}}};
  }
  return {};
}

/// Lengths, areas and volumes of those.
double idealMeasure(ElementType type) {
  switch (type) {
  case ElementType::Triangle:
  case ElementType::Prism:
    return std::sqrt(3.0) / 4.0;
  case ElementType::Tetrahedron:
    return std::sqrt(2.0) / 12.0;
  case ElementType::Pyramid:
    return std::sqrt(2.0) / 6.0;
  default:
    return 1.0;
  }
}

/// A matrix and a shift.
struct Affine {
  Point columns[3];
  Point shift;

  Point operator()(const Point& p) const { return p[0] * columns[0] + p[1] * columns[1] + p[2] * columns[2] + shift; }
  [[nodiscard]] double determinant() const { return dot(columns[0], cross(columns[1], columns[2])); }
};

Corners mapped(const Affine& map, Corners corners) {
  std::transform(corners.begin(), corners.end(), corners.begin(), map);
  return corners;
}

Point randomPoint(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  return {{unit(random), unit(random), unit(random)}};
}

Affine randomAffine(std::mt19937& random) {
  return {{randomPoint(random), randomPoint(random), randomPoint(random)}, randomPoint(random)};
}

/// A rotation, a size and a shift.
Affine randomSimilarity(std::mt19937& random) {
  Point a = randomPoint(random);
  a = (1.0 / std::sqrt(dot(a, a))) * a;
  Point b = cross(a, randomPoint(random));
  b = (1.0 / std::sqrt(dot(b, b))) * b;
  const double size = std::exp(5.0 * randomPoint(random)[0]);
  return {{size * a, size * b, size * cross(a, b)}, randomPoint(random)};
}

TEST(ElementShape, IsOneForTheIdealElementAnywhere) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    EXPECT_NEAR(measure(type, ideal(type).data()), idealMeasure(type), 1e-15) << elementTypeName(type);
    for (int k = 0; k < 20; ++k) {
      const Corners corners = mapped(randomSimilarity(random), ideal(type));
      EXPECT_NEAR(meanRatio(type, corners.data()), 1.0, 1e-12) << elementTypeName(type);
    }
  }
}

TEST(ElementShape, IsBelowOneForAllOthers) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    if (type == ElementType::Edge) {
      continue;
    }
    for (int k = 0; k < 500; ++k) {
      Corners corners = ideal(type);
      for (Point& corner : corners) {
        corner = corner + (k < 250 ? 0.3 : 3.0) * randomPoint(random);
      }
      const double ratio = meanRatio(type, corners.data());
      EXPECT_LT(ratio, 1.0) << elementTypeName(type);
      EXPECT_GE(ratio, -1.0) << elementTypeName(type);
      EXPECT_TRUE(type != ElementType::Triangle || ratio >= 0.0);
      const Point up{{0.0, 0.0, 1.0}};
      const Orientation orientation{dimensionOf(type) == 2 ? up : Point{}, k % 2 == 0 ? 1.0 : -1.0};
      EXPECT_EQ(isOriented(type, corners.data(), orientation), meanRatio(type, corners.data(), orientation) > 0.0);
    }
  }
}

TEST(ElementShape, IsNegativeWhereACornerIsTurnedInsideOut) {
  for (const ElementType type : allElementTypes) {
    Corners corners = ideal(type);
    if (dimensionOf(type) == 3) {
      for (Point& corner : corners) {
        corner[2] = -corner[2];
      }
      EXPECT_NEAR(meanRatio(type, corners.data()), -1.0, 1e-12) << elementTypeName(type);
      EXPECT_NEAR(measure(type, corners.data()), -idealMeasure(type), 1e-15);
      EXPECT_NEAR(meanRatio(type, corners.data(), {Point{}, -1.0}), 1.0, 1e-12);
      for (Point& corner : corners) {
        corner[2] = 0.0;
      }
      EXPECT_EQ(meanRatio(type, corners.data()), 0.0) << elementTypeName(type);
    }
  }
  // One corner of a square, and of a cube, pulled through the middle: the area and the volume are still positive.
  Corners square = ideal(ElementType::Quadrilateral);
  square[2] = {{0.4, 0.4, 0.0}};
  EXPECT_GT(measure(ElementType::Quadrilateral, square.data()), 0.0);
  EXPECT_LT(meanRatio(ElementType::Quadrilateral, square.data()), 0.0);
  Corners cube = ideal(ElementType::Hexahedron);
  cube[6] = {{0.2, 0.2, 0.2}};
  EXPECT_GT(measure(ElementType::Hexahedron, cube.data()), 0.0);
  EXPECT_LT(meanRatio(ElementType::Hexahedron, cube.data()), 0.0);
}

TEST(ElementShape, OfKnownElementsIsKnown) {
  // det T = h and |T|^2 = 1 + h^2, or 2 + h^2: a rectangle and a box of edges 1, 1, h.
  for (const double h : {0.01, 0.5, 3.0}) {
    Corners box = ideal(ElementType::Hexahedron);
    for (Point& corner : box) {
      corner[2] *= h;
    }
    EXPECT_NEAR(meanRatio(ElementType::Hexahedron, box.data()), 3.0 * std::cbrt(h * h) / (2.0 + h * h), 1e-14);
    Corners rectangle = ideal(ElementType::Quadrilateral);
    for (Point& corner : rectangle) {
      corner[1] *= h;
    }
    EXPECT_NEAR(meanRatio(ElementType::Quadrilateral, rectangle.data()), 2.0 * h / (1.0 + h * h), 1e-14);
    Corners prism = ideal(ElementType::Prism);
    for (Point& corner : prism) {
      corner[2] *= h;
    }
    EXPECT_NEAR(meanRatio(ElementType::Prism, prism.data()), 3.0 * std::cbrt(h * h) / (2.0 + h * h), 1e-14);
  }
  // 12 (3 V)^(2/3) / sum of squared edges (A. Liu, B. Joe, BIT 34 (1994)): the corner of a cube.
  const Corners corner{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  EXPECT_NEAR(meanRatio(ElementType::Tetrahedron, corner.data()), 12.0 * std::cbrt(0.25) / 9.0, 1e-14);
  // 4 sqrt(3) A / sum of squared edges: half a square.
  EXPECT_NEAR(meanRatio(ElementType::Triangle, corner.data()), std::sqrt(3.0) / 2.0, 1e-14);
}

TEST(ElementShape, OfATetrahedronIsThatOfEachOfItsCorners) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 50; ++k) {
    const Corners p{randomPoint(random), randomPoint(random), randomPoint(random), randomPoint(random)};
    const double ratio = meanRatio(ElementType::Tetrahedron, p.data());
    constexpr int turned[3][4] = {{1, 2, 0, 3}, {3, 2, 1, 0}, {2, 3, 0, 1}}; // even permutations
    for (const auto& t : turned) {
      const Corners other{p[t[0]], p[t[1]], p[t[2]], p[t[3]]};
      EXPECT_NEAR(meanRatio(ElementType::Tetrahedron, other.data()), ratio, 1e-9);
    }
  }
}

TEST(ElementShape, VolumesFollowAffineMaps) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    if (dimensionOf(type) != 3) {
      continue;
    }
    for (int k = 0; k < 50; ++k) {
      const Affine map = randomAffine(random);
      EXPECT_NEAR(measure(type, mapped(map, ideal(type)).data()), map.determinant() * idealMeasure(type), 1e-12);
    }
  }
}

/// The volume of a trilinear map of the unit cube, by the Gauss rule of 3^3 points: exact for the determinant of its
/// Jacobian, whose degree is 2 in each variable.
double trilinearVolume(const Corners& p) {
  const double at[3] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)};
  const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  constexpr int unit[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  double sum = 0.0;
  for (int i = 0; i < 27; ++i) {
    const int q[3] = {i % 3, i / 3 % 3, i / 9};
    Point columns[3];
    for (int corner = 0; corner < 8; ++corner) {
      double value[3];
      double slope[3];
      for (int axis = 0; axis < 3; ++axis) {
        const double x = at[q[axis]];
        value[axis] = unit[corner][axis] == 1 ? x : 1.0 - x;
        slope[axis] = unit[corner][axis] == 1 ? 1.0 : -1.0;
      }
      columns[0] = columns[0] + slope[0] * value[1] * value[2] * p[corner];
      columns[1] = columns[1] + value[0] * slope[1] * value[2] * p[corner];
      columns[2] = columns[2] + value[0] * value[1] * slope[2] * p[corner];
    }
    sum += weight[q[0]] * weight[q[1]] * weight[q[2]] * dot(columns[0], cross(columns[1], columns[2]));
  }
  return sum;
}

TEST(ElementShape, VolumesAreThoseOfTrilinearMaps) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 50; ++k) {
    Corners cube = ideal(ElementType::Hexahedron);
    for (Point& corner : cube) {
      corner = corner + randomPoint(random);
    }
    EXPECT_NEAR(measure(ElementType::Hexahedron, cube.data()), trilinearVolume(cube), 1e-12);
    EXPECT_NEAR(measureByCorners(ElementType::Hexahedron, cube.data()), trilinearVolume(cube), 1e-12);
    // A prism is a cube of which two edges have no length (one of each triangle), a pyramid one without a top.
    Corners prism(cube.begin(), cube.begin() + 6);
    const Corners asCube{prism[0], prism[2], prism[1], prism[1], prism[3], prism[5], prism[4], prism[4]};
    EXPECT_NEAR(measure(ElementType::Prism, prism.data()), trilinearVolume(asCube), 1e-12);
    const Corners pyramid(cube.begin(), cube.begin() + 5);
    const Corners pointed{
      pyramid[0], pyramid[1], pyramid[2], pyramid[3], pyramid[4], pyramid[4], pyramid[4], pyramid[4]};
    EXPECT_NEAR(measure(ElementType::Pyramid, pyramid.data()), trilinearVolume(pointed), 1e-12);
  }
}

template <class Space, class Real>
std::vector<double> toHost(const Kokkos::View<Real*, typename Space::memory_space>& values) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  return {host.data(), host.data() + host.extent(0)};
}

TYPED_TEST(ElementMeasures, AreThoseOfEachElementOfAMixedMesh) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = tangledMesh(random, 100, 1000);
  const MeshOn<TypeParam, double, std::int32_t> on(mesh);
  const TypeParam space;
  const Context context(space);
  using Memory = typename TypeParam::memory_space;
  const Kokkos::View<double*, Memory> barycentres("barycentres", 3 * mesh.types.size());
  const Kokkos::View<double*, Memory> measures("measures", mesh.types.size());
  const Kokkos::View<double*, Memory> qualities("qualities", mesh.types.size());
  computeBarycentres(context, on.mixed(), barycentres);
  computeMeasures(context, on.mixed(), measures);
  computeQualities(context, on.mixed(), qualities);
  space.fence("computed");
  const auto hostBarycentres = toHost<TypeParam, double>(barycentres);
  const auto hostMeasures = toHost<TypeParam, double>(measures);
  const auto hostQualities = toHost<TypeParam, double>(qualities);
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const ElementType type = mesh.types[e];
    Corners corners;
    Point mean;
    for (int k = 0; k < numVerticesOf(type); ++k) {
      corners.push_back(mesh.corner(e, k));
      mean = mean + (1.0 / numVerticesOf(type)) * corners.back();
    }
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(hostBarycentres[3 * e + axis], mean[axis], 1e-14);
    }
    EXPECT_NEAR(hostMeasures[e], measure(type, corners.data()), 1e-14);
    EXPECT_NEAR(hostQualities[e], meanRatio(type, corners.data()), 1e-9) << elementTypeName(type);
  }
}

TYPED_TEST(ElementMeasures, OfGridsFillTheCube) {
  const TypeParam space;
  const Context context(space);
  using Memory = typename TypeParam::memory_space;
  for (const ElementType type : allElementTypes) {
    const HostMesh mesh = gridMesh(type, 5);
    const MeshOn<TypeParam, float, std::int64_t> on(mesh);
    const Kokkos::View<double*, Memory> measures("measures", mesh.types.size());
    const Kokkos::View<double*, Memory> qualities("qualities", mesh.types.size());
    const Kokkos::View<float*, Memory> barycentres("barycentres", 3 * mesh.types.size());
    computeMeasures(context, on.ofOneType(), measures);
    computeQualities(context, on.ofOneType(), qualities);
    computeBarycentres(context, on.ofOneType(), barycentres);
    space.fence("computed");
    const auto sizes = toHost<TypeParam, double>(measures);
    const auto centres = toHost<TypeParam, float>(barycentres);
    double sum = 0.0;
    Point centre;
    for (std::size_t e = 0; e < sizes.size(); ++e) {
      EXPECT_GT(sizes[e], 0.0);
      sum += sizes[e];
      centre = centre + sizes[e] * Point{{centres[3 * e], centres[3 * e + 1], centres[3 * e + 2]}};
    }
    EXPECT_NEAR(sum, type == ElementType::Edge ? 12.0 : 1.0, 1e-5) << elementTypeName(type);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(centre[axis] / sum, axis == 2 && dimensionOf(type) < 3 ? 0.0 : 0.5, 1e-6);
    }
    for (const double value : toHost<TypeParam, double>(qualities)) {
      EXPECT_GT(value, 0.5);
      EXPECT_LT(value, 1.0 + 1e-6);
    }
  }
}

TEST(ElementShape, IsNotPositiveForBrokenElements) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const ElementType type : allElementTypes) {
    Corners point(maxElementVertices, Point{{1.0, 2.0, 3.0}});
    EXPECT_EQ(meanRatio(type, point.data()), 0.0) << elementTypeName(type);
    EXPECT_EQ(measure(type, point.data()), 0.0);
    for (int k = 0; k < numVerticesOf(type); ++k) {
      Corners corners = ideal(type);
      corners[k][1] = nan;
      const double ratio = meanRatio(type, corners.data());
      EXPECT_FALSE(ratio > 0.0) << elementTypeName(type) << ", corner " << k;
    }
  }
}

TYPED_TEST(ElementMeasures, AreReducedAsFieldsAre) {
  const TypeParam space;
  const Context context(space);
  using Memory = typename TypeParam::memory_space;
  const HostMesh mesh = gridMesh(ElementType::Hexahedron, 4);
  const MeshOn<TypeParam, double, std::int64_t> on(mesh);
  FieldOn<double, TypeParam> volumes("volumes", mesh.numElements());
  computeMeasures(context, on.ofOneType(),
    Kokkos::View<double*, Memory>(volumes.view().values, static_cast<std::size_t>(mesh.numElements())));
  EXPECT_NEAR(sum(context, volumes), 1.0, 1e-14);
  EXPECT_NEAR(extrema(context, volumes).min, 1.0 / 64.0, 1e-15);
  EXPECT_NEAR(extrema(context, volumes).max, 1.0 / 64.0, 1e-15);
  EXPECT_EQ(norm(context, Norm::L0, volumes), 64.0);
  EXPECT_NEAR(norm(context, Norm::L1, volumes), 1.0, 1e-14);
  EXPECT_NEAR(norm(context, Norm::L2, volumes), 1.0 / 8.0, 1e-14);
  EXPECT_NEAR(norm(context, Norm::Linf, volumes), 1.0 / 64.0, 1e-15);
}

TYPED_TEST(ElementMeasures, NeedRoomForAll) {
  const TypeParam space;
  const Context context(space);
  using Memory = typename TypeParam::memory_space;
  const MeshOn<TypeParam, double, std::int64_t> on(gridMesh(ElementType::Triangle, 2));
  const Kokkos::View<double*, Memory> seven("seven", 7);
  EXPECT_THROW(computeMeasures(context, on.ofOneType(), seven), InvalidArgument);
  EXPECT_THROW(computeQualities(context, on.ofOneType(), seven), InvalidArgument);
  EXPECT_THROW(computeBarycentres(context, on.ofOneType(), seven), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
