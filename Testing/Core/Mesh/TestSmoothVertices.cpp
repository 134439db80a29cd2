#include "Core/Mesh/BoundaryVertices.hpp"
#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/SmoothVertices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Spaces.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spanwise::testing {
namespace {

template <class Space>
class SmoothVertices : public ::testing::Test {};
TYPED_TEST_SUITE(SmoothVertices, AllSpaces, SpaceNames);

/// What smoothing makes of a mesh whose boundary is held.
struct Smoothed {
  HostMesh mesh;
  SmoothReport report;
};

template <class Real, class Space>
Smoothed smoothed(const Space& space, const HostMesh& mesh, const SmoothOptions& options,
  const std::vector<int>& alsoHeld = {}, bool asMixed = false) {
  using Memory = typename Space::memory_space;
  const MeshOn<Space, Real, std::int32_t> on(mesh);
  const auto view = asMixed ? on.mixed() : on.ofOneType();
  VertexBall<Memory> ball;
  const Context context(space);
  buildVertexBall(context, view.elements, mesh.numVertices(), 0, ball);
  const Kokkos::View<std::uint8_t*, Memory> held("held", mesh.points.size());
  const auto hostHeld = Kokkos::create_mirror_view(held);
  for (const int v : alsoHeld) {
    hostHeld(v) = 1;
  }
  Kokkos::deep_copy(held, hostHeld);
  markBoundaryVertices(context, view, ball.view(), held);
  const Kokkos::View<Real*, Memory> coordinates("coordinates", 3 * mesh.points.size());
  Smoothed result;
  result.report = smoothVertices<Space, Real, std::int32_t>(context, view, ball.view(), options, {held}, coordinates);
  space.fence("smoothed");
  result.mesh = mesh;
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coordinates);
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    result.mesh.points[v] = {{host(3 * v), host(3 * v + 1), host(3 * v + 2)}};
  }
  return result;
}

std::vector<double> qualitiesOf(const HostMesh& mesh) {
  std::vector<double> qualities;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    Point points[maxElementVertices];
    for (int k = 0; k < numVerticesOf(mesh.types[e]); ++k) {
      points[k] = mesh.corner(e, k);
    }
    const Point up{{0.0, 0.0, 1.0}}; // of the flat meshes here
    qualities.push_back(meanRatio(mesh.types[e], points, {up, 1.0}));
  }
  return qualities;
}

double worstQuality(const HostMesh& mesh) {
  const auto qualities = qualitiesOf(mesh);
  return *std::min_element(qualities.begin(), qualities.end());
}

/// Whether a vertex of gridMesh() is on the boundary.
bool isOnSide(const HostMesh& mesh, std::size_t v) {
  const int dimension = dimensionOf(mesh.types.front());
  for (int axis = 0; axis < std::max(dimension, 2); ++axis) {
    if (mesh.points[v][axis] == 0.0 || mesh.points[v][axis] == 1.0) {
      return true;
    }
  }
  return false;
}

/// The grid with its inner vertices moved at random, flat ones in their plane, as far as its elements take it.
HostMesh perturbedGrid(ElementType type, int n, std::mt19937& random, double share) {
  const HostMesh grid = gridMesh(type, n);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::vector<Point> steps(grid.points.size());
  for (std::size_t v = 0; v < steps.size(); ++v) {
    if (!isOnSide(grid, v)) {
      steps[v] = {{unit(random), unit(random), dimensionOf(type) == 3 ? unit(random) : 0.0}};
    }
  }
  HostMesh mesh = grid;
  for (double size = share / n;; size *= 0.8) {
    for (std::size_t v = 0; v < steps.size(); ++v) {
      mesh.points[v] = grid.points[v] + size * steps[v];
    }
    if (worstQuality(mesh) > 0.01) {
      return mesh;
    }
  }
}

/// The vertices of the outline of the grid of edges, which is no boundary of edges.
std::vector<int> outline(const HostMesh& grid) {
  std::vector<int> held;
  for (std::size_t v = 0; v < grid.points.size(); ++v) {
    if (isOnSide(grid, v)) {
      held.push_back(static_cast<int>(v));
    }
  }
  return held;
}

TYPED_TEST(SmoothVertices, LeavesRegularMeshesAsTheyAre) {
  for (const ElementType type : allElementTypes) {
    const HostMesh grid = gridMesh(type, 5);
    const Smoothed result = smoothed<double>(TypeParam(), grid, {}, outline(grid));
    EXPECT_EQ(result.report.numRefused, 0);
    EXPECT_LT(result.report.longestStep, 1e-15) << elementTypeName(type);
    for (std::size_t v = 0; v < grid.points.size(); ++v) {
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(result.mesh.points[v][axis], grid.points[v][axis], 1e-14) << elementTypeName(type);
      }
    }
  }
}

TYPED_TEST(SmoothVertices, IsTheWeightedMeanOfBarycentres) {
  // One step of one vertex: of triangles between two areas, by hand.
  HostMesh mesh;
  mesh.points = {{{0, 0, 0}}, {{4, 0, 0}}, {{4, 2, 0}}, {{0, 2, 0}}, {{1, 1, 0}}};
  mesh.add(ElementType::Triangle, std::array{0, 1, 4});
  mesh.add(ElementType::Triangle, std::array{1, 2, 4});
  mesh.add(ElementType::Triangle, std::array{2, 3, 4});
  mesh.add(ElementType::Triangle, std::array{3, 0, 4});
  // Areas 2, 3, 2, 1 and barycentres (5/3, 1/3), (3, 1), (5/3, 5/3), (1/3, 1).
  const double mean = (2.0 * 5.0 / 3.0 + 3.0 * 3.0 + 2.0 * 5.0 / 3.0 + 1.0 / 3.0) / 8.0;
  SmoothOptions options;
  options.numIterations = 1;
  const Smoothed whole = smoothed<double>(TypeParam(), mesh, options);
  EXPECT_NEAR(whole.mesh.points[4][0], mean, 1e-15);
  EXPECT_NEAR(whole.mesh.points[4][1], 1.0, 1e-15);
  EXPECT_NEAR(whole.report.longestStep, mean - 1.0, 1e-15);
  options.relaxation = 0.25;
  const Smoothed part = smoothed<double>(TypeParam(), mesh, options);
  EXPECT_NEAR(part.mesh.points[4][0], 1.0 + 0.25 * (mean - 1.0), 1e-15);
}

TYPED_TEST(SmoothVertices, ImprovesTheWorstElementsOfPerturbedMeshes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    const HostMesh mesh = perturbedGrid(type, 6, random, 0.45);
    SmoothOptions options;
    options.numIterations = 20;
    const Smoothed result = smoothed<double>(TypeParam(), mesh, options, outline(gridMesh(type, 6)));
    if (type != ElementType::Edge) {
      // At least halfway to what the regular grid has.
      const double regular = worstQuality(gridMesh(type, 6));
      EXPECT_LT(worstQuality(mesh), 0.6 * regular) << elementTypeName(type);
      EXPECT_GT(worstQuality(result.mesh), 0.5 * (worstQuality(mesh) + regular)) << elementTypeName(type);
    }
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
      if (isOnSide(mesh, v)) {
        EXPECT_EQ(result.mesh.points[v][0], mesh.points[v][0]);
        EXPECT_EQ(result.mesh.points[v][1], mesh.points[v][1]);
        EXPECT_EQ(result.mesh.points[v][2], mesh.points[v][2]);
      }
    }
  }
}

TYPED_TEST(SmoothVertices, HoldsMarkedVertices) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = perturbedGrid(ElementType::Tetrahedron, 5, random, 0.3);
  std::vector<int> held;
  for (int v = 0; v < static_cast<int>(mesh.points.size()); v += 3) {
    held.push_back(v);
  }
  const Smoothed result = smoothed<double>(TypeParam(), mesh, {}, held);
  int numMoved = 0;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    const bool moved = result.mesh.points[v][0] != mesh.points[v][0];
    EXPECT_FALSE(moved && (v % 3 == 0 || isOnSide(mesh, v)));
    numMoved += moved ? 1 : 0;
  }
  EXPECT_GT(numMoved, 20);
}

/// The grid with its inner vertices moved one after the other, each as far as it goes without an element that is worse
/// than 0.01: the stars of most vertices are far from convex afterwards.
HostMesh mangledGrid(ElementType type, int n, std::mt19937& random) {
  HostMesh mesh = gridMesh(type, n);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    if (isOnSide(mesh, v)) {
      continue;
    }
    const Point from = mesh.points[v];
    const Point step{{unit(random), unit(random), dimensionOf(type) == 3 ? unit(random) : 0.0}};
    double size = 2.0 / n;
    do {
      mesh.points[v] = from + size * step;
      size *= 0.8;
    } while (worstQuality(mesh) < 0.01);
  }
  return mesh;
}

/// Every third inner vertex: the others are smoothed between them.
std::vector<int> someVertices(const HostMesh& mesh) {
  std::vector<int> held;
  for (int v = 0; v < static_cast<int>(mesh.points.size()); v += 3) {
    held.push_back(v);
  }
  return held;
}

/// The same mesh with its vertices and elements in any order.
HostMesh shuffled(const HostMesh& mesh, std::mt19937& random) {
  std::vector<std::int64_t> places(mesh.points.size());
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), random);
  std::vector<std::int64_t> elements(mesh.types.size());
  std::iota(elements.begin(), elements.end(), 0);
  std::shuffle(elements.begin(), elements.end(), random);
  HostMesh result;
  result.points.resize(mesh.points.size());
  for (std::size_t v = 0; v < places.size(); ++v) {
    result.points[static_cast<std::size_t>(places[v])] = mesh.points[v];
  }
  for (const std::int64_t e : elements) {
    std::vector<std::int64_t> corners;
    for (std::int64_t corner = mesh.offsets[e]; corner < mesh.offsets[e + 1]; ++corner) {
      corners.push_back(places[mesh.vertices[corner]]);
    }
    result.add(mesh.types[e], corners);
  }
  return result;
}

TYPED_TEST(SmoothVertices, NeverInvertsAnElement) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    if (type == ElementType::Edge) {
      continue;
    }
    std::int64_t numRefused = 0;
    for (int round = 0; round < 4; ++round) {
      HostMesh mesh = mangledGrid(type, dimensionOf(type) == 3 ? 5 : 12, random);
      const std::vector<int> held = someVertices(mesh);
      SmoothOptions options;
      options.numIterations = 1;
      for (int step = 0; step < 8; ++step) {
        const Smoothed next = smoothed<double>(TypeParam(), mesh, options, held);
        numRefused += next.report.numRefused;
        EXPECT_GT(worstQuality(next.mesh), 0.0) << elementTypeName(type) << ", step " << step;
        mesh = next.mesh;
      }
    }
    EXPECT_GT(numRefused, 0) << elementTypeName(type) << ": the meshes are too easy";
  }
}

TYPED_TEST(SmoothVertices, MakesNothingWorseThanAsked) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    if (type == ElementType::Edge) {
      continue;
    }
    for (const double minQuality : {0.3, 1.0}) {
      const HostMesh mesh = mangledGrid(type, dimensionOf(type) == 3 ? 4 : 12, random);
      SmoothOptions options;
      options.minQuality = minQuality;
      const auto before = qualitiesOf(mesh);
      const auto after = qualitiesOf(smoothed<double>(TypeParam(), mesh, options).mesh);
      for (std::size_t e = 0; e < before.size(); ++e) {
        EXPECT_GE(after[e], std::min(before[e], minQuality) - 1e-9) << elementTypeName(type);
      }
    }
  }
}

/// A grid whose elements grow along x and turn along y by a conformal map, which leaves them in good shape.
HostMesh fannedGrid(ElementType type, int n) {
  HostMesh mesh = gridMesh(type, n);
  for (Point& point : mesh.points) {
    const double radius = std::exp(2.0 * point[0]);
    point = {{radius * std::cos(2.0 * point[1]), radius * std::sin(2.0 * point[1]), 4.0 * point[2]}};
  }
  return mesh;
}

TYPED_TEST(SmoothVertices, KeepsTheWorstElementIfAsked) {
  for (const ElementType type : allElementTypes) {
    if (type == ElementType::Edge) {
      continue;
    }
    for (const bool turned : {false, true}) {
      if (turned && type != ElementType::Tetrahedron) {
        continue;
      }
      HostMesh mesh = fannedGrid(type, 6);
      for (std::int64_t e = 0; turned && e < mesh.numElements(); ++e) { // numbered the other way
        std::swap(mesh.vertices[mesh.offsets[e]], mesh.vertices[mesh.offsets[e] + 1]);
      }
      const auto worstOf = [&](const HostMesh& of) {
        const auto qualities = qualitiesOf(of);
        return turned ? -*std::max_element(qualities.begin(), qualities.end())
                      : *std::min_element(qualities.begin(), qualities.end());
      };
      SmoothOptions options;
      const double before = worstOf(mesh);
      EXPECT_GT(before, 0.2) << elementTypeName(type);
      EXPECT_LT(worstOf(smoothed<double>(TypeParam(), mesh, options).mesh), before - 1e-3)
        << elementTypeName(type) << ": the mesh is too easy";
      options.worst = WorstElement::IsKept;
      const Smoothed kept = smoothed<double>(TypeParam(), mesh, options);
      EXPECT_GE(worstOf(kept.mesh), before - 1e-12) << elementTypeName(type);
      EXPECT_GT(kept.report.longestStep, 0.0);
    }
  }
}

TYPED_TEST(SmoothVertices, UntanglesWhatItCan) {
  // Elements that are inverted at the beginning may be left so, but are not held by it.
  for (const ElementType type : {ElementType::Tetrahedron, ElementType::Hexahedron, ElementType::Prism}) {
    HostMesh mesh = gridMesh(type, 4);
    std::size_t inner = 0;
    while (isOnSide(mesh, inner)) {
      ++inner;
    }
    mesh.points[inner] = mesh.points[inner] + Point{{0.6, 0.55, 0.5}};
    EXPECT_LT(worstQuality(mesh), 0.0);
    EXPECT_GT(worstQuality(smoothed<double>(TypeParam(), mesh, {}).mesh), 0.0) << elementTypeName(type);
  }
}

TYPED_TEST(SmoothVertices, KeepsMeshesThatAreNumberedTheOtherWay) {
  // As some programs number prisms: all are left-handed.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = perturbedGrid(ElementType::Prism, 5, random, 0.3);
  HostMesh turned = mesh;
  for (std::int64_t e = 0; e < turned.numElements(); ++e) {
    std::int64_t* const v = turned.vertices.data() + turned.offsets[e];
    std::swap(v[1], v[2]);
    std::swap(v[4], v[5]);
  }
  const Smoothed one = smoothed<double>(TypeParam(), mesh, {});
  const Smoothed other = smoothed<double>(TypeParam(), turned, {});
  EXPECT_GT(worstQuality(one.mesh), worstQuality(mesh));
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(one.mesh.points[v][axis], other.mesh.points[v][axis], 1e-12);
    }
  }
}

TYPED_TEST(SmoothVertices, HasTheSameBitsForAnyNumberOfThreads) {
  shareLittleWork();
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh grid = mangledGrid(ElementType::Tetrahedron, 5, random);
  // So many that threads share the work, vertices of 24 pyramids before those of six.
  const HostMesh large = perturbedGrid(ElementType::Pyramid, 20, random, 0.3);
  for (const HostMesh& mesh : {grid, shuffled(grid, random), large}) {
    const Smoothed all = smoothed<double>(TypeParam(), mesh, {});
    const Smoothed one = smoothed<double>(oneThread<TypeParam>(), mesh, {});
    EXPECT_EQ(all.report.numRefused, one.report.numRefused);
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(all.mesh.points[v][axis], one.mesh.points[v][axis]);
      }
    }
  }
}

/// All vertices but those on the sides moved at once to the mean around them, again and again, by definition.
HostMesh smoothedByDefinition(HostMesh mesh, int numIterations) {
  for (int iteration = 0; iteration < numIterations; ++iteration) {
    std::vector<Point> sums(mesh.points.size());
    std::vector<double> weights(mesh.points.size());
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      Point points[maxElementVertices];
      for (int k = 0; k < numVerticesOf(mesh.types[e]); ++k) {
        points[k] = mesh.corner(e, k);
      }
      const double size = std::abs(measure(mesh.types[e], points));
      for (std::int64_t corner = mesh.offsets[e]; corner < mesh.offsets[e + 1]; ++corner) {
        const auto v = static_cast<std::size_t>(mesh.vertices[corner]);
        sums[v] = sums[v] + size * barycentre(mesh.types[e], points);
        weights[v] += size;
      }
    }
    for (std::size_t v = 0; v < sums.size(); ++v) {
      if (!isOnSide(mesh, v)) {
        mesh.points[v] = (1.0 / weights[v]) * sums[v];
      }
    }
  }
  return mesh;
}

TYPED_TEST(SmoothVertices, MovesAllVerticesAtOnceHoweverTheyAreNumbered) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    const HostMesh grid = perturbedGrid(type, dimensionOf(type) == 3 ? 9 : 40, random, 0.1);
    for (const HostMesh& mesh : {grid, shuffled(grid, random)}) {
      SmoothOptions options;
      options.numIterations = 4;
      const HostMesh expected = smoothedByDefinition(mesh, options.numIterations);
      const Smoothed all = smoothed<double>(TypeParam(), mesh, options, outline(mesh));
      const Smoothed one = smoothed<double>(oneThread<TypeParam>(), mesh, options, outline(mesh));
      EXPECT_EQ(all.report.numRefused, 0);
      EXPECT_EQ(all.report.longestStep, one.report.longestStep);
      for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        for (int axis = 0; axis < 3; ++axis) {
          ASSERT_NEAR(all.mesh.points[v][axis], expected.points[v][axis], 1e-13) << elementTypeName(type);
          ASSERT_EQ(all.mesh.points[v][axis], one.mesh.points[v][axis]) << elementTypeName(type);
        }
      }
    }
  }
}

TYPED_TEST(SmoothVertices, IsTheSameForElementsWhoseTypeIsKnown) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : allElementTypes) {
    const HostMesh mesh = perturbedGrid(type, 4, random, 0.4);
    const std::vector<int> held = outline(gridMesh(type, 4));
    const Smoothed known = smoothed<double>(TypeParam(), mesh, {}, held);
    const Smoothed mixed = smoothed<double>(TypeParam(), mesh, {}, held, true);
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(known.mesh.points[v][axis], mixed.mesh.points[v][axis], 1e-12) << elementTypeName(type);
      }
    }
  }
}

TYPED_TEST(SmoothVertices, TakesFloats) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = perturbedGrid(ElementType::Tetrahedron, 6, random, 0.4);
  const Smoothed inFloat = smoothed<float>(TypeParam(), mesh, {});
  const Smoothed inDouble = smoothed<double>(TypeParam(), mesh, {});
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(inFloat.mesh.points[v][axis], inDouble.mesh.points[v][axis], 2e-6);
    }
  }
}

TYPED_TEST(SmoothVertices, LeavesVerticesOfNoElement) {
  HostMesh mesh = gridMesh(ElementType::Triangle, 3);
  mesh.points.push_back({{7.0, 8.0, 9.0}});
  const std::array<std::int64_t, 3> inOnePlace{16, 16, 16}; // without area
  mesh.add(ElementType::Triangle, inOnePlace);
  mesh.points.push_back({{1.0, 2.0, 3.0}});
  for (const int numIterations : {0, 1, 2}) {
    SmoothOptions options;
    options.numIterations = numIterations;
    const Smoothed result = smoothed<double>(TypeParam(), mesh, options);
    EXPECT_EQ(result.mesh.points[16][1], 8.0);
    EXPECT_EQ(result.mesh.points[17][2], 3.0);
    EXPECT_NEAR(result.mesh.points[5][0], 1.0 / 3.0, 1e-15);
  }
}

TYPED_TEST(SmoothVertices, ChecksItsOptionsAndStopsWhenToldTo) {
  using Memory = typename TypeParam::memory_space;
  const TypeParam space;
  const HostMesh mesh = gridMesh(ElementType::Triangle, 3);
  const MeshOn<TypeParam, double, std::int32_t> on(mesh);
  VertexBall<Memory> ball;
  const Context context(space);
  buildVertexBall(context, on.ofOneType().elements, mesh.numVertices(), 0, ball);
  const Kokkos::View<double*, Memory> coordinates("coordinates", 3 * mesh.points.size());
  const Kokkos::View<double*, Memory> few("few", mesh.points.size());
  const Kokkos::View<const std::uint8_t*, Memory> none;
  const Kokkos::View<const std::uint8_t*, Memory> wrong = Kokkos::View<std::uint8_t*, Memory>("wrong", 3);
  const auto smooth = [&](const SmoothOptions& options, const auto& held, const auto& out, const Progress& progress) {
    smoothVertices<TypeParam, double, std::int32_t>(
      context.with(progress), on.ofOneType(), ball.view(), options, {held}, out);
  };
  EXPECT_NO_THROW(smooth({}, none, coordinates, {}));
  EXPECT_THROW(smooth({-1, 1.0, 0.0}, none, coordinates, {}), InvalidArgument);
  EXPECT_THROW(smooth({1, 0.0, 0.0}, none, coordinates, {}), InvalidArgument);
  EXPECT_THROW(smooth({1, 1.1, 0.0}, none, coordinates, {}), InvalidArgument);
  EXPECT_THROW(smooth({1, 1.0, -0.1}, none, coordinates, {}), InvalidArgument);
  EXPECT_THROW(smooth({1, 1.0, std::nan("")}, none, coordinates, {}), InvalidArgument);
  EXPECT_THROW(smooth({}, wrong, coordinates, {}), InvalidArgument);
  EXPECT_THROW(smooth({}, none, few, {}), InvalidArgument);
  EXPECT_THROW(smooth({}, none, coordinates, Progress([](double done) { return done < 0.35; })), Cancelled);
}

} // namespace
} // namespace spanwise::testing
