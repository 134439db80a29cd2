#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/Detail/Iteration.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Testing/Core/Solvers/Eikonal/Meshes.hpp"
#include "Testing/Core/Solvers/Eikonal/RayErrors.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class FastIterative : public ::testing::Test {};
TYPED_TEST_SUITE(FastIterative, AllSpaces, SpaceNames);

Times notReachedAtAll(const HostMesh& mesh) { return Times(mesh.points.size(), notReached); }

/// Times with sources at these vertices.
Times from(const HostMesh& mesh, const std::vector<std::size_t>& sources) {
  Times times = notReachedAtAll(mesh);
  for (const std::size_t source : sources) {
    times[source] = 0.0;
  }
  return times;
}

template <class Space, int corners>
struct Solved {
  Times times;
  IterationReport report;
  std::int64_t numDegenerate;
};

template <class Space, int corners>
Solved<Space, corners> solve(const HostMesh& host, const Speed& speed, const Times& sources,
  const IterationOptions& options = {}, const Progress& progress = {}, const Space& space = {}) {
  const MeshOn<Space, double, std::int64_t> mesh(host);
  SimplexMesh<corners, Space> simplices;
  const Context context(space);
  buildSimplexMesh<Space, corners>(context, mesh.mixed(), speed, simplices);
  const auto times = copied<double, Space>(sources);
  const IterationReport report = iterateTimes<Space, corners>(context.with(progress), simplices, options, times);
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), times);
  return {Times(mirror.data(), mirror.data() + mirror.extent(0)), report, simplices.degenerate().count};
}

/// The fixed point of all local problems, by going round and round through all tetrahedra.
Times reference(const HostMesh& mesh, const std::vector<SymmetricTensor>& tensors, Times times) {
  for (bool falls = true; falls;) {
    falls = false;
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      const SymmetricTensor inverse = tensors[e].inverse();
      for (int corner = 0; corner < 4; ++corner) {
        std::array<std::int64_t, 4> v{};
        for (int k = 0; k < 4; ++k) {
          v[k] = mesh.vertices[4 * e + (corner + 1 + k) % 4];
        }
        const auto d = [&](int i, int j) { return inverse.product(mesh.points[v[i]] - mesh.points[v[j]]); };
        const double time =
          updateFromFace(times[v[0]], times[v[1]], times[v[2]], d(0, 1), d(0, 2), d(1, 2), d(0, 3), d(1, 3), d(2, 3))
            .time;
        if (time < times[v[3]] * (1.0 - 1e-13)) {
          times[v[3]] = time;
          falls = true;
        }
      }
    }
  }
  return times;
}

TYPED_TEST(FastIterative, ReachesTheFixedPointWithTensorsOfElements) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> factor(0.2, 2.0);
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 7);
  shake(mesh, random, 0.03, 3);
  std::vector<SymmetricTensor> tensors;
  std::vector<double> components;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const SymmetricTensor m{factor(random), factor(random), factor(random), 0.1, -0.05, 0.08};
    tensors.push_back(m);
    components.insert(components.end(), {m.xx, m.yy, m.zz, m.xy, m.yz, m.xz});
  }
  const auto values = copied<double, TypeParam>(components);
  Times sources = from(mesh, {nearest(mesh, {{0.1, 0.2, 0.9}})});
  sources[5] = 0.3;
  const Times expected = reference(mesh, tensors, sources);
  for (const double window : {0.0, 0.5, 2.0, 1e9}) {
    IterationOptions options;
    options.window = window;
    const auto solved = solve<TypeParam, 4>(mesh, Speed::tensorOfElements(values.data()), sources, options);
    for (std::size_t v = 0; v < expected.size(); ++v) {
      ASSERT_NEAR(solved.times[v], expected[v], 1e-11) << "vertex " << v << ", window " << window;
    }
    EXPECT_TRUE(solved.report.converged);
    EXPECT_EQ(solved.report.numReached, mesh.numVertices());
  }
}

TYPED_TEST(FastIterative, PlaneFrontsAreExact) {
  // From the face x = 0 with a tensor for all: u = x / sqrt(e^T M e), e the normal of the face. It is an axis of M, so
  // that fronts go along it, and nothing comes to the sides later than elsewhere.
  const SymmetricTensor m{6.25, 0.7, 1.9, 0.0, 0.3, 0.0};
  for (const ElementType type :
    {ElementType::Tetrahedron, ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid}) {
    const HostMesh mesh = gridMesh(type, 6);
    Times sources = notReachedAtAll(mesh);
    for (std::size_t v = 0; v < sources.size(); ++v) {
      sources[v] = mesh.points[v][0] == 0.0 ? 0.0 : notReached;
    }
    for (const Speed& speed : {Speed::constant(2.5), Speed::constant(m)}) {
      const auto solved = solve<TypeParam, 4>(mesh, speed, sources);
      for (std::size_t v = 0; v < sources.size(); ++v) {
        ASSERT_NEAR(solved.times[v], mesh.points[v][0] / std::sqrt(m.xx), 1e-14) << elementTypeName(type);
      }
    }
  }
}

/// A mesh in disorder, with speeds so different that times of vertices fall several times.
template <class Space>
struct Disorder {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 6);
  Times sources;
  Kokkos::View<double*, typename Space::memory_space> speeds;

  explicit Disorder(std::mt19937& random) {
    std::uniform_real_distribution<double> factor(0.2, 2.0);
    shake(mesh, random, 0.03, 3);
    sources = from(mesh, {nearest(mesh, {{0.1, 0.2, 0.9}}), 5});
    std::vector<double> values(mesh.types.size());
    std::generate(values.begin(), values.end(), [&] { return factor(random); });
    speeds = copied<double, Space>(values);
  }

  [[nodiscard]] Solved<Space, 4> solved(const IterationOptions& options) const { return solved(options, sources); }
  [[nodiscard]] Solved<Space, 4> solved(const IterationOptions& options, const Times& starts) const {
    return solve<Space, 4>(mesh, Speed::ofElements(speeds.data()), starts, options);
  }
};

TYPED_TEST(FastIterative, TimesOnlyFall) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Disorder<TypeParam> disorder(random);
  for (const double window : {0.5, 1e9}) {
    IterationOptions options;
    options.window = window;
    const auto last = disorder.solved(options);
    Times before = disorder.sources;
    for (options.maxIterations = 1; options.maxIterations <= last.report.numIterations; ++options.maxIterations) {
      const Times now = disorder.solved(options).times;
      for (std::size_t v = 0; v < now.size(); ++v) {
        ASSERT_LE(now[v], before[v]) << "vertex " << v << ", iteration " << options.maxIterations;
        ASSERT_GE(now[v], last.times[v]) << "vertex " << v << ", iteration " << options.maxIterations;
      }
      before = now;
    }
    EXPECT_EQ(before, last.times);
  }
}

TYPED_TEST(FastIterative, AToleranceSavesUpdates) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Disorder<TypeParam> disorder(random);
  IterationOptions options;
  options.window = 1e9;
  const auto converged = disorder.solved(options);
  options.tolerance = 1e-2;
  const auto near = disorder.solved(options);
  EXPECT_TRUE(near.report.converged);
  EXPECT_LT(near.report.numUpdates, converged.report.numUpdates);
  EXPECT_NE(near.times, converged.times);
  // None of the updates that were left out brings more.
  options.maxIterations = 1;
  options.tolerance = 0.0;
  const auto next = disorder.solved(options, near.times);
  for (std::size_t v = 0; v < near.times.size(); ++v) {
    ASSERT_GE(near.times[v], converged.times[v]) << "vertex " << v;
    ASSERT_LE(near.times[v] - next.times[v], 1e-2 * next.times[v] * (1.0 + 1e-12)) << "vertex " << v;
  }
}

TYPED_TEST(FastIterative, NormsAtOneFiftiethAreThoseOfTheDiscreteSolution) {
  // Kuhn's cube, step 1/50, one source in the middle, speed 1: two independent solvers agree on these digits.
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 50);
  const Point middle{{0.5, 0.5, 0.5}};
  const auto solved = solve<TypeParam, 4>(mesh, Speed::constant(1.0), from(mesh, {nearest(mesh, middle)}));
  double l1 = 0.0;
  double l2 = 0.0;
  double most = 0.0;
  double least = 0.0;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    const Point from = mesh.points[v] - middle;
    const double error = solved.times[v] - std::sqrt(dot(from, from));
    l1 += std::abs(error);
    l2 += error * error;
    most = std::max(most, error);
    least = std::min(least, error);
  }
  const auto count = static_cast<double>(mesh.points.size());
  EXPECT_NEAR(l1 / count, 0.014045, 5e-7);
  EXPECT_NEAR(std::sqrt(l2 / count), 0.016040, 5e-7);
  EXPECT_NEAR(most, 0.02724, 5e-6);
  EXPECT_GE(least, -1e-15); // first order is never ahead of the front
}

TYPED_TEST(FastIterative, ATensorIsAStretchedMesh) {
  // With M = A A^T, u is that of speed 1 in the mesh whose points are A^-1 x.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 8);
  shake(mesh, random, 0.02, 3);
  // A lower triangular
  const double a[3][3] = {{1.3, 0.0, 0.0}, {0.4, 0.8, 0.0}, {-0.3, 0.2, 1.1}};
  HostMesh stretched = mesh;
  for (Point& p : stretched.points) {
    const double x = p[0] / a[0][0];
    const double y = (p[1] - a[1][0] * x) / a[1][1];
    const double z = (p[2] - a[2][0] * x - a[2][1] * y) / a[2][2];
    p = {{x, y, z}};
  }
  const auto entry = [&](int i, int j) { return a[i][0] * a[j][0] + a[i][1] * a[j][1] + a[i][2] * a[j][2]; };
  const SymmetricTensor m{entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(0, 2)};
  const Times sources = from(mesh, {100, 400});
  const auto direct = solve<TypeParam, 4>(mesh, Speed::constant(m), sources);
  const auto moved = solve<TypeParam, 4>(stretched, Speed::constant(1.0), sources);
  for (std::size_t v = 0; v < sources.size(); ++v) {
    ASSERT_NEAR(direct.times[v], moved.times[v], 1e-12);
  }
}

TYPED_TEST(FastIterative, TrianglesInThePlane) {
  // never ahead of the exact time, and no later than the way along the ray, whose errors are of h log h
  for (const int n : {20, 40}) {
    const HostMesh mesh = gridMesh(ElementType::Triangle, n);
    const std::size_t middle = nearest(mesh, {{0.5, 0.5, 0.0}});
    const auto solved = solve<TypeParam, 3>(mesh, Speed::constant(1.0), from(mesh, {middle}));
    RayProblem problem;
    problem.time = [&](const Point& x) { return length(x - mesh.points[middle]); };
    problem.slowness = [](std::int64_t /*element*/) { return 1.0; };
    Times bounds(mesh.points.size(), notReached);
    bounds[middle] = 0.0;
    boundErrors<3>(mesh, problem, 2, bounds);
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
      const double error = solved.times[v] - problem.time(mesh.points[v]);
      ASSERT_GE(error, -1e-15);
      ASSERT_LE(error, bounds[v] + 1e-12);
    }
  }
}

TYPED_TEST(FastIterative, SpeedsOfElementsAndVerticesAgreeWithAConstant) {
  const HostMesh mesh = gridMesh(ElementType::Prism, 5);
  const Times sources = from(mesh, {0});
  const Times expected = solve<TypeParam, 4>(mesh, Speed::constant(3.0), sources).times;
  const auto ofElements = copied<double, TypeParam>(std::vector<double>(mesh.types.size(), 3.0));
  const auto ofVertices = copied<double, TypeParam>(std::vector<double>(mesh.points.size(), 3.0));
  const Times a = solve<TypeParam, 4>(mesh, Speed::ofElements(ofElements.data()), sources).times;
  const Times b = solve<TypeParam, 4>(mesh, Speed::ofVertices(ofVertices.data()), sources).times;
  for (std::size_t v = 0; v < sources.size(); ++v) {
    EXPECT_NEAR(a[v], expected[v], 1e-13);
    EXPECT_NEAR(b[v], expected[v], 1e-13);
  }
}

TYPED_TEST(FastIterative, GoesAroundWallsAndLeavesOutWhatIsApart) {
  // A wall of speed 0 across the square, but for a gap at the top: behind it the way leads through the gap.
  const int n = 20;
  const HostMesh mesh = gridMesh(ElementType::Quadrilateral, n);
  std::vector<double> speeds(mesh.types.size(), 1.0);
  for (int j = 0; j < n; ++j) {
    speeds[j * n + 10] = j < 18 ? 0.0 : 1.0;
  }
  const auto source = nearest(mesh, {{0.0, 0.0, 0.0}});
  const auto target = nearest(mesh, {{1.0, 0.0, 0.0}});
  const auto open = copied<double, TypeParam>(speeds);
  const auto through = solve<TypeParam, 3>(mesh, Speed::ofElements(open.data()), from(mesh, {source}));
  // the shortest way around the wall's two corners, at (0.5, 0.9) and (0.55, 0.9)
  const double exact = std::hypot(0.5, 0.9) + 0.05 + std::hypot(0.45, 0.9);
  EXPECT_GE(through.times[target], exact - 1e-12);
  EXPECT_LE(through.times[target], exact * 1.05);
  for (int j = 18; j < n; ++j) {
    speeds[j * n + 10] = 0.0;
  }
  const auto closed = copied<double, TypeParam>(speeds);
  const auto apart = solve<TypeParam, 3>(mesh, Speed::ofElements(closed.data()), from(mesh, {source}));
  EXPECT_EQ(apart.times[target], notReached);
  EXPECT_EQ(apart.report.numReached, 21 * 11);
}

TYPED_TEST(FastIterative, StopsWhereItIsTold) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 10);
  const Times sources = from(mesh, {0});
  const auto everywhere = solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources);
  const Times& all = everywhere.times;
  IterationOptions options;
  options.stopTime = 0.6;
  const auto stopped = solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources, options);
  for (std::size_t v = 0; v < all.size(); ++v) {
    EXPECT_EQ(stopped.times[v], all[v] <= 0.6 ? all[v] : notReached);
  }
  const std::vector<std::int64_t> region{5, static_cast<std::int64_t>(nearest(mesh, {{0.3, 0.4, 0.2}}))};
  const auto regionThere = copied<std::int64_t, TypeParam>(region);
  options = {};
  options.window = 0.5;
  options.stopVertices = regionThere.data();
  options.numStopVertices = 2;
  const auto inRegion = solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources, options);
  double last = 0.0;
  for (const std::int64_t v : region) {
    last = std::max(last, all[v]);
  }
  for (std::size_t v = 0; v < all.size(); ++v) {
    EXPECT_EQ(inRegion.times[v], all[v] <= last ? all[v] : notReached);
  }
  EXPECT_LT(inRegion.report.numUpdates, everywhere.report.numUpdates / 2);
  const auto wrong = copied<std::int64_t, TypeParam>(std::vector<std::int64_t>{0, 1331});
  options.stopVertices = wrong.data();
  options.numStopVertices = 2;
  EXPECT_NE(messageOf([&] {
    solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources, options);
  }).find("vertex 1331 of the region to stop at does not exist"),
    std::string::npos);
  options = {};
  options.maxIterations = 3;
  const auto few = solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources, options);
  EXPECT_FALSE(few.report.converged);
  EXPECT_EQ(few.report.numIterations, 3);
  int reports = 0;
  const Progress cancelling([&](double) { return ++reports < 2; });
  EXPECT_THROW((solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources, {}, cancelling)), Cancelled);
}

TYPED_TEST(FastIterative, LeavesOutDegenerateElements) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 4);
  const Times sources = from(mesh, {0});
  const Times expected = solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources).times;
  // two tetrahedra without volume: one with a corner twice, one flat
  mesh.add(ElementType::Tetrahedron, std::array<std::int64_t, 4>{0, 1, 124, 124});
  mesh.add(ElementType::Tetrahedron, std::array<std::int64_t, 4>{0, 4, 24, 20});
  const auto solved = solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources);
  EXPECT_EQ(solved.times, expected);
  EXPECT_EQ(solved.numDegenerate, 2);
}

TYPED_TEST(FastIterative, NamesWhatIsWrong) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 3);
  const auto message = [](const auto& call) { return messageOf(call); };
  const Times sources = from(mesh, {0});
  std::vector<double> speeds(mesh.types.size(), 1.0);
  speeds[17] = -1.0;
  const auto negative = copied<double, TypeParam>(speeds);
  EXPECT_NE(message([&] {
    solve<TypeParam, 4>(mesh, Speed::ofElements(negative.data()), sources);
  }).find("the speed of element 17 is -1: speeds must be finite and positive"),
    std::string::npos);
  speeds[17] = std::nan("");
  const auto undefined = copied<double, TypeParam>(speeds);
  EXPECT_NE(message([&] { solve<TypeParam, 4>(mesh, Speed::ofElements(undefined.data()), sources); }).find("17"),
    std::string::npos);
  Times wrong = sources;
  wrong[9] = std::nan("");
  EXPECT_NE(message([&] { solve<TypeParam, 4>(mesh, Speed::constant(1.0), wrong); }).find("the time of vertex 9"),
    std::string::npos);
  IterationOptions options;
  options.tolerance = 1e300;
  EXPECT_NE(message([&] {
    solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources, options);
  }).find("the tolerance is 1e+300: it must be at least 0 and below 1"),
    std::string::npos);
  options.tolerance = 0.0;
  options.window = -1e300;
  EXPECT_NE(
    message([&] { solve<TypeParam, 4>(mesh, Speed::constant(1.0), sources, options); }).find("the window is -1e+300"),
    std::string::npos);
}

TEST(EdgeTimes, AddUpWithoutEndInAnyOrder) {
  // Whole numbers: the mean of as many copies of a mesh as there may be is that of one.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> exponent(-300.0, 300.0);
  Times squares;
  for (int i = 0; i < 100; ++i) {
    squares.push_back(std::pow(10.0, exponent(random)));
  }
  EdgeTimes once;
  EdgeTimes backwards;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    once.add(squares[i]);
    backwards.add(squares[squares.size() - 1 - i]);
  }
  EXPECT_EQ(once.mean(), backwards.mean());
  EdgeTimes many = once;
  while (many.count < std::int64_t{1} << 46) {
    many += EdgeTimes(many);
    ASSERT_EQ(many.mean(), once.mean()) << many.count << " edges";
  }
  EdgeTimes same;
  same.add(0.25);
  same.add(0.25);
  EXPECT_EQ(same.mean(), 0.5);
  EXPECT_EQ(EdgeTimes().mean(), 0.0);
}

TEST(FastIterativeOnTheHost, GivesTheSameBitsForAnyNumberOfThreads) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 15);
  shake(mesh, random, 0.02, 3);
  const Times sources = from(mesh, {0, 1000, 2000});
  const auto all = solve<HostExecutionSpace, 4>(mesh, Speed::constant(1.0), sources);
  for (const HostExecutionSpace& space : spanwise::testing::ofSeveralThreads<HostExecutionSpace>()) {
    const auto some = solve<HostExecutionSpace, 4>(mesh, Speed::constant(1.0), sources, {}, {}, space);
    EXPECT_EQ(std::memcmp(all.times.data(), some.times.data(), all.times.size() * sizeof(double)), 0);
    EXPECT_EQ(all.report.numUpdates, some.report.numUpdates);
  }
}

/// Launches so many iterations before it asks for counts, while it lives.
class AtOnce {
public:
  explicit AtOnce(std::int64_t count) { fronts::iterationsAtOnce<HostExecutionSpace>() = count; }
  ~AtOnce() { fronts::iterationsAtOnce<HostExecutionSpace>() = before_; }
  AtOnce(const AtOnce&) = delete;
  AtOnce& operator=(const AtOnce&) = delete;

private:
  std::int64_t before_ = fronts::iterationsAtOnce<HostExecutionSpace>();
};

TEST(FastIterativeOnTheHost, SeveralIterationsAtOnceAreThoseOneByOne) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 15);
  shake(mesh, random, 0.02, 3);
  const Times sources = from(mesh, {0, 1000, 2000});
  IterationOptions options;
  options.window = 3.0;
  IterationOptions few = options;
  few.maxIterations = 7;
  const auto single = solve<HostExecutionSpace, 4>(mesh, Speed::constant(1.0), sources, options);
  const auto singleFew = solve<HostExecutionSpace, 4>(mesh, Speed::constant(1.0), sources, few);
  for (const std::int64_t count : {2, 5, 16, 1000}) {
    SCOPED_TRACE(std::to_string(count) + " at once");
    const AtOnce atOnce(count);
    const auto several = solve<HostExecutionSpace, 4>(mesh, Speed::constant(1.0), sources, options);
    EXPECT_EQ(several.times, single.times);
    EXPECT_EQ(several.report.numIterations, single.report.numIterations);
    EXPECT_EQ(several.report.numActivations, single.report.numActivations);
    EXPECT_EQ(several.report.numUpdates, single.report.numUpdates);
    const auto severalFew = solve<HostExecutionSpace, 4>(mesh, Speed::constant(1.0), sources, few);
    EXPECT_EQ(severalFew.times, singleFew.times);
    EXPECT_EQ(severalFew.report.numIterations, 7);
    EXPECT_FALSE(severalFew.report.converged);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
