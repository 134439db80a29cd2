#include "Core/Mesh/Detail/SmoothInstructions.hpp"
#include "Core/Mesh/ElementShape.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <random>
#include <vector>

namespace spanwise::testing {
namespace {

using spanwise::detail::SmoothInstructions;
using spanwise::detail::WeightedPoint;

/// Calls function(instructions) for all that the processor has; returns their number.
template <MeshIndex Index, class Function>
int forAllInstructions(ElementType type, const Function& function) {
  int count = 0;
  while (const auto* const instructions = spanwise::detail::smoothInstructions<Index>(type, count)) {
    function(*instructions);
    ++count;
  }
  return count;
}

/// The ideal element of ElementShape.hpp or its mirror image, roughly: corners of a cube that make up one of the type.
std::vector<Point> wholeElement(ElementType type) {
  const HostMesh grid = gridMesh(type, 1);
  std::vector<Point> points;
  for (int k = 0; k < numVerticesOf(type); ++k) {
    points.push_back(grid.corner(0, k));
  }
  return points;
}

/// Elements that share no vertices, in any order in memory: whole ones with noise of a size.
template <MeshIndex Index>
struct SomeElements {
  std::vector<WeightedPoint> before;
  std::vector<WeightedPoint> points;
  std::vector<Index> vertices;
  std::vector<WeightedPoint> barycentres;
  ElementType type;

  SomeElements(ElementType elementType, int numElements, double noise, std::mt19937& random) : type(elementType) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const std::vector<Point> whole = wholeElement(type);
    for (int e = 0; e < numElements; ++e) {
      const Point shift{{unit(random), unit(random), unit(random)}};
      for (const Point& corner : whole) {
        const Point step{{unit(random), unit(random), dimensionOf(type) == 3 ? unit(random) : 0.1 * unit(random)}};
        before.push_back(WeightedPoint::of(corner + shift, 0.0));
        points.push_back(WeightedPoint::of(corner + shift + noise * step, 0.0));
        vertices.push_back(static_cast<Index>(vertices.size()));
      }
    }
    std::shuffle(vertices.begin(), vertices.end(), random); // elements of corners from anywhere
    std::vector<WeightedPoint> moved = points;
    std::vector<WeightedPoint> old = before;
    for (std::size_t corner = 0; corner < vertices.size(); ++corner) {
      moved[static_cast<std::size_t>(vertices[corner])] = points[corner];
      old[static_cast<std::size_t>(vertices[corner])] = before[corner];
    }
    points = moved;
    before = old;
    barycentres.resize(static_cast<std::size_t>(numElements));
  }

  [[nodiscard]] std::vector<Point> corners(const std::vector<WeightedPoint>& of, std::int64_t e) const {
    std::vector<Point> corners;
    for (int k = 0; k < numVerticesOf(type); ++k) {
      corners.push_back(of[static_cast<std::size_t>(vertices[e * numVerticesOf(type) + k])].point());
    }
    return corners;
  }

  [[nodiscard]] bool isRight(std::int64_t e, double sign) const {
    const std::vector<Point> now = corners(points, e);
    if (dimensionOf(type) == 1) {
      return measure(type, now.data()) > 0.0;
    }
    const Point normal = dimensionOf(type) == 2 ? vectorArea(type, corners(before, e).data()) : Point{};
    return isOriented(type, now.data(), Orientation{normal, sign});
  }

  void expectBarycentres() const {
    for (std::size_t e = 0; e < barycentres.size(); ++e) {
      const std::vector<Point> now = corners(points, static_cast<std::int64_t>(e));
      const double size = std::abs(measureByCorners(type, now.data()));
      const Point weighted = size * barycentre(type, now.data());
      EXPECT_EQ(barycentres[e].x, weighted[0]) << elementTypeName(type) << " " << e;
      EXPECT_EQ(barycentres[e].y, weighted[1]) << elementTypeName(type) << " " << e;
      EXPECT_EQ(barycentres[e].z, weighted[2]) << elementTypeName(type) << " " << e;
      EXPECT_EQ(barycentres[e].weight, size) << elementTypeName(type) << " " << e;
    }
  }
};

template <class Index>
class SmoothInstructionsOf : public ::testing::Test {};
using Indices = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(SmoothInstructionsOf, Indices);

TYPED_TEST(SmoothInstructionsOf, WeighElementsToTheLastBit) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    forAllInstructions<TypeParam>(type, [&](const auto& instructions) {
      SomeElements<TypeParam> some(type, 48, 0.8, random); // inverted ones among them
      const double sum = instructions.weigh(some.vertices.data(), 48, some.points.data(), some.barycentres.data());
      some.expectBarycentres();
      double expected = 0.0;
      for (int e = 0; e < 48; ++e) {
        expected += measureByCorners(type, some.corners(some.points, e).data());
      }
      EXPECT_NEAR(sum, expected, 1e-12) << elementTypeName(type);
    });
  }
}

TYPED_TEST(SmoothInstructionsOf, FindElementsThatAreNotRight) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    forAllInstructions<TypeParam>(type, [&](const auto& instructions) {
      int numRight = 0;
      int numWrong = 0;
      for (int round = 0; round < 200; ++round) {
        SomeElements<TypeParam> some(type, 4, 0.025 * (round % 50), random);
        const double sign = measure(type, some.corners(some.before, 0).data()) < 0.0 ? -1.0 : 1.0;
        if (dimensionOf(type) == 1 && round % 2 == 0) { // without length
          some.points[static_cast<std::size_t>(some.vertices[4])] =
            some.points[static_cast<std::size_t>(some.vertices[5])];
        }
        const bool expected =
          some.isRight(0, sign) && some.isRight(1, sign) && some.isRight(2, sign) && some.isRight(3, sign);
        EXPECT_EQ(instructions.check({some.vertices.data(), 4, some.before.data(), some.points.data(), sign, 0.0,
                    some.barycentres.data()}),
          expected)
          << elementTypeName(type);
        some.expectBarycentres();
        ++(expected ? numRight : numWrong);
      }
      EXPECT_GT(numRight, 20) << elementTypeName(type);
      EXPECT_GT(numWrong, 20) << elementTypeName(type);
    });
  }
}

/// What is surely above a quality is above it, at once as one by one, and most of what is above it surely is.
TYPED_TEST(SmoothInstructionsOf, FindElementsThatAreSurelyAboveAQuality) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    forAllInstructions<TypeParam>(type, [&](const auto& instructions) {
      int numAbove = 0;
      int numSurely = 0;
      for (int round = 0; round < 300; ++round) {
        SomeElements<TypeParam> some(type, 4, 0.01 * (round % 30), random);
        const double size = std::array{1.0, 1e-20, 1e20, 1e-60}[static_cast<std::size_t>(round % 4)];
        for (auto* const points : {&some.before, &some.points}) {
          for (WeightedPoint& point : *points) {
            point = WeightedPoint::of(size * point.point(), 0.0);
          }
        }
        const double sign = measure(type, some.corners(some.before, 0).data()) < 0.0 ? -1.0 : 1.0;
        const double quality = 0.05 * (1 + round % 19);
        bool areAbove = true;
        bool areSurely = true;
        for (int e = 0; e < 4; ++e) {
          const auto corners = some.corners(some.points, e);
          Orientation orientation{{}, sign};
          if (dimensionOf(type) == 2) {
            orientation = {vectorArea(type, some.corners(some.before, e).data()), 1.0};
          }
          areAbove = areAbove && meanRatio(type, corners.data(), orientation) > quality;
          areSurely = areSurely && isSurelyAbove(type, corners.data(), orientation, quality);
        }
        EXPECT_EQ(instructions.check({some.vertices.data(), 4, some.before.data(), some.points.data(), sign, quality,
                    some.barycentres.data()}),
          areSurely)
          << elementTypeName(type);
        EXPECT_TRUE(areAbove || !areSurely) << elementTypeName(type) << ", quality " << quality;
        numAbove += areAbove && size > 1e-50 ? 1 : 0;
        numSurely += areSurely && size > 1e-50 ? 1 : 0;
      }
      EXPECT_GT(numAbove, 20) << elementTypeName(type);
      EXPECT_GE(numSurely, numAbove - 2) << elementTypeName(type);
    });
  }
}

TYPED_TEST(SmoothInstructionsOf, FindNumbersThatAreNone) {
  std::mt19937 random(1);
  for (const ElementType type : allElementTypes) {
    forAllInstructions<TypeParam>(type, [&](const auto& instructions) {
      for (int corner = 0; corner < numVerticesOf(type); ++corner) {
        SomeElements<TypeParam> some(type, 4, 0.0, random);
        const double sign = measure(type, some.corners(some.before, 0).data()) < 0.0 ? -1.0 : 1.0;
        const auto check = [&] {
          return instructions.check(
            {some.vertices.data(), 4, some.before.data(), some.points.data(), sign, 0.0, some.barycentres.data()});
        };
        EXPECT_TRUE(check()) << elementTypeName(type);
        some.points[static_cast<std::size_t>(some.vertices[2 * numVerticesOf(type) + corner])].y = std::nan("");
        EXPECT_FALSE(check()) << elementTypeName(type) << ", corner " << corner;
      }
    });
  }
}

/// Balls of up to seven elements, of which the base table takes four.
struct SomeBalls {
  static constexpr int numVertices = 40;
  static constexpr int width = 4;
  std::vector<BallEntry> base = std::vector<BallEntry>(numVertices * width, noBallEntry);
  std::vector<std::int32_t> degrees;
  std::vector<std::int64_t> overflowBegin{0};
  std::vector<BallEntry> overflow;
  std::vector<WeightedPoint> barycentres;
  std::vector<WeightedPoint> from;
  std::vector<std::uint8_t> held;

  explicit SomeBalls(std::mt19937& random) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int e = 0; e < 100; ++e) {
      barycentres.push_back({unit(random), unit(random), unit(random), unit(random)});
    }
    for (int v = 0; v < numVertices; ++v) {
      degrees.push_back(v % 8); // some have no elements
      for (int k = 0; k < degrees.back(); ++k) {
        const auto entry = static_cast<BallEntry>(8 * (random() % 100) + random() % 8);
        if (k < width) {
          base[static_cast<std::size_t>(v * width + k)] = entry;
        } else {
          overflow.push_back(entry);
        }
      }
      overflowBegin.push_back(static_cast<std::int64_t>(overflow.size()));
      from.push_back({unit(random), unit(random), unit(random), 0.0});
      held.push_back(static_cast<std::uint8_t>(v % 5 == 0));
    }
  }

  [[nodiscard]] BallView view() const {
    return {base.data(), degrees.data(), overflowBegin.data(), overflow.data(), numVertices, width};
  }

  template <class Real>
  [[nodiscard]] Point moved(std::int64_t v, double relaxation, bool holds, double& step2) const {
    const std::int32_t degree = degrees[static_cast<std::size_t>(v)];
    const auto pull = [&](int k) { return barycentres[static_cast<std::size_t>(BallView::element(view()(v, k)))]; };
    WeightedPoint sum{0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < degree; k += 2) { // the width is even
      sum = sum + (k + 1 < degree ? pull(k) + pull(k + 1) : pull(k));
    }
    const Point start = from[static_cast<std::size_t>(v)].point();
    if (sum.weight == 0.0 || (holds && held[static_cast<std::size_t>(v)] != 0)) {
      return start;
    }
    const Point step = relaxation * ((1.0 / sum.weight) * sum.point() - start);
    step2 = std::max(step2, dot(step, step));
    const Point to = start + step;
    return {{double{static_cast<Real>(to[0])}, double{static_cast<Real>(to[1])}, double{static_cast<Real>(to[2])}}};
  }
};

template <class Real, class Instructions>
void expectMoves(const Instructions& instructions, const SomeBalls& some, double relaxation, bool holds) {
  std::vector<WeightedPoint> to(SomeBalls::numVertices, {9.0, 9.0, 9.0, 9.0});
  const spanwise::detail::VertexMove move{
    some.view(), some.barycentres.data(), some.from.data(), to.data(), holds ? some.held.data() : nullptr, relaxation};
  const double longest2 = (std::same_as<Real, float> ? instructions.moveFloats : instructions.move)(move, 3, 37);
  double expectedLongest2 = 0.0;
  for (int v = 3; v < 37; ++v) {
    const Point expected = some.moved<Real>(v, relaxation, holds, expectedLongest2);
    const WeightedPoint& got = to[static_cast<std::size_t>(v)];
    EXPECT_EQ(got.x, expected[0]) << v;
    EXPECT_EQ(got.y, expected[1]) << v;
    EXPECT_EQ(got.z, expected[2]) << v;
    EXPECT_EQ(got.weight, 0.0) << v;
  }
  EXPECT_EQ(longest2, expectedLongest2);
  EXPECT_EQ(to[2].x, 9.0);
  EXPECT_EQ(to[37].x, 9.0);
}

TYPED_TEST(SmoothInstructionsOf, MoveVerticesToTheLastBit) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  forAllInstructions<TypeParam>(ElementType::Tetrahedron, [&](const auto& instructions) {
    const SomeBalls some(random);
    for (const double relaxation : {1.0, 0.3}) {
      for (const bool holds : {false, true}) {
        expectMoves<double>(instructions, some, relaxation, holds);
        expectMoves<float>(instructions, some, relaxation, holds);
      }
    }
  });
}

TEST(SmoothInstructions, AreThereWhereTheProcessorHasThem) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(KOKKOS_ENABLE_CUDA)
  const int expected = (__builtin_cpu_supports("avx2") != 0 ? 1 : 0) +
    (__builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0 ? 1 : 0);
#else
  const int expected = 0;
#endif
  for (const ElementType type : allElementTypes) {
    EXPECT_EQ(forAllInstructions<std::int32_t>(type, [](const auto&) {}), expected);
  }
}

} // namespace
} // namespace spanwise::testing
