#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"
#include "Testing/Core/Solvers/Eikonal/RandomProblems.hpp"
#include "Testing/Core/Solvers/Eikonal/RayErrors.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cstring>
#include <numeric>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class ArrivalTimesOn : public ::testing::Test {};
TYPED_TEST_SUITE(ArrivalTimesOn, AllSpaces, SpaceNames);

TYPED_TEST(ArrivalTimesOn, PointsStartAtTheCornersOfTheirCellWithExactTimes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.01, 0.99);
  for (const ElementType type : {ElementType::Tetrahedron, ElementType::Triangle}) {
    const int corners = numVerticesOf(type);
    HostMesh mesh = gridMesh(type, 8);
    shake(mesh, random, 0.03, corners - 1);
    for (int round = 0; round < 5; ++round) {
      // somewhere in an element
      const auto e = static_cast<std::int64_t>(random() % mesh.types.size());
      Point place;
      double sum = 0.0;
      std::array<double, 4> weights{};
      for (int k = 0; k < corners; ++k) {
        weights[k] = unit(random);
        sum += weights[k];
      }
      for (int k = 0; k < corners; ++k) {
        place = place + weights[k] / sum * mesh.corner(e, k);
      }
      HostSources sources = HostSources::at(place);
      sources.pointTimes = {0.75};
      const auto solution = solve<TypeParam>(mesh, Speed::constant(fullTensor), sources);
      EXPECT_EQ(solution.report.starts.numStarts, corners);
      EXPECT_EQ(solution.report.dimension, corners - 1);
      for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        const double exact = 0.75 + travelTime(fullTensor, mesh.points[v] - place);
        ASSERT_NEAR(solution.times[v], exact, 1e-12); // factored by the point, in a constant medium
      }
      for (int k = 0; k < corners; ++k) {
        const auto v = static_cast<std::size_t>(mesh.vertices[mesh.offsets[e] + k]);
        EXPECT_NEAR(solution.times[v], 0.75 + travelTime(fullTensor, mesh.points[v] - place), 1e-14);
      }
    }
  }
}

TYPED_TEST(ArrivalTimesOn, APointAtAVertexIsThatVertex) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 10);
  HostSources vertex;
  vertex.vertices = {static_cast<std::int64_t>(nearest(mesh, {{0.3, 0.6, 1.0}}))};
  const HostSources point = HostSources::at(mesh.points[vertex.vertices[0]]);
  const auto a = solve<TypeParam>(mesh, Speed::constant(2.0), vertex);
  ArrivalOptions plain;
  plain.factoring.by = FactorBy::Nothing;
  const auto b = solve<TypeParam>(mesh, Speed::constant(2.0), point, plain);
  for (std::size_t v = 0; v < a.times.size(); ++v) {
    ASSERT_NEAR(a.times[v], b.times[v], 1e-14);
  }
}

TYPED_TEST(ArrivalTimesOn, ManyPointsAreFoundWhereverTheyAre) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 5);
  shake(mesh, random, 0.03, 3);
  HostSources sources;
  for (int i = 0; i < 300; ++i) {
    sources.points.push_back({{unit(random), unit(random), i % 3 == 0 ? 0.0 : unit(random)}});
    sources.pointTimes.push_back(0.1 * unit(random));
  }
  for (std::size_t v = 0; v < mesh.points.size(); v += 7) { // where many elements meet
    sources.points.push_back(mesh.points[v]);
    sources.pointTimes.push_back(0.05);
  }
  Times expected(mesh.points.size(), notReached);
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    std::array<Point, 4> x{};
    for (int k = 0; k < 4; ++k) {
      x[k] = mesh.corner(e, k);
    }
    const auto volume = [](const Point& a, const Point& b, const Point& c, const Point& d) {
      return dot(cross(b - a, c - a), d - a);
    };
    for (std::size_t i = 0; i < sources.points.size(); ++i) {
      const Point& p = sources.points[i];
      const double all = volume(x[0], x[1], x[2], x[3]);
      const double least = std::min({volume(p, x[1], x[2], x[3]) / all, volume(x[0], p, x[2], x[3]) / all,
        volume(x[0], x[1], p, x[3]) / all, volume(x[0], x[1], x[2], p) / all});
      for (int k = 0; k < 4 && least > -1e-6; ++k) {
        double& time = expected[mesh.vertices[4 * e + k]];
        time = std::min(time, sources.pointTimes[i] + travelTime(fullTensor, x[k] - p));
      }
    }
  }
  ArrivalOptions options;
  options.iteration.maxIterations = 0; // starts only
  const auto solution = solve<TypeParam>(mesh, Speed::constant(fullTensor), sources, options);
  EXPECT_EQ(solution.report.starts.numOutside, 0);
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    if (expected[v] < notReached) {
      ASSERT_NEAR(solution.times[v], expected[v], 1e-13) << v;
    } else {
      ASSERT_EQ(solution.times[v], notReached) << v;
    }
  }
}

TYPED_TEST(ArrivalTimesOn, PointsBesideATriangleAreOnItWithinTheirReach) {
  const HostMesh mesh = gridMesh(ElementType::Triangle, 5);
  HostSources sources = HostSources::at({{0.33, 0.61, 0.01}});
  EXPECT_NE(messageOf([&] {
    solve<TypeParam>(mesh, Speed::constant(1.0), sources);
  }).find("source point 0 at (0.33, 0.61, 0.01) is outside of the mesh"),
    std::string::npos);
  sources.reach = 0.02;
  const auto solution = solve<TypeParam>(mesh, Speed::constant(1.0), sources);
  EXPECT_EQ(solution.report.starts.numStarts, 3);
  EXPECT_NEAR(solution.times[nearest(mesh, {{0.4, 0.6, 0.0}})], std::hypot(0.07, 0.01), 1e-14);
}

TYPED_TEST(ArrivalTimesOn, FloatsAndShortNumbersGiveTheSameTimes) {
  const HostMesh host = gridMesh(ElementType::Prism, 6);
  const HostSources sources = HostSources::at({{0.33, 0.61, 0.72}});
  const auto expected = solve<TypeParam>(host, Speed::constant(fullTensor), sources).times;
  const MeshOn<TypeParam, float, std::int32_t> mesh(host);
  const SourcesOn<TypeParam> there(sources);
  const Context<TypeParam> context;
  ArrivalTimes<TypeParam> out;
  solveArrivalTimes(context, mesh.mixed(), Speed::constant(fullTensor), there.get(), ArrivalOptions(), out);
  const Times times = onHost(out.times);
  for (std::size_t v = 0; v < expected.size(); ++v) {
    ASSERT_NEAR(times[v], expected[v], 1e-6);
  }
}

TYPED_TEST(ArrivalTimesOn, ElementsStartAtAllTheirVerticesAndTheEarliestCounts) {
  const HostMesh mesh = gridMesh(ElementType::Prism, 5);
  HostSources sources;
  sources.elements = {7, 100};
  sources.elementTimes = {0.5, 0.25};
  sources.vertices = {mesh.vertices[7 * 6], 200};
  sources.vertexTimes = {0.125, -2.0};
  const auto solution = solve<TypeParam>(mesh, Speed::constant(0.001), sources);
  for (int k = 1; k < 6; ++k) {
    EXPECT_EQ(solution.times[mesh.vertices[7 * 6 + k]], 0.5);
    EXPECT_EQ(solution.times[mesh.vertices[100 * 6 + k]], 0.25);
  }
  EXPECT_EQ(solution.times[sources.vertices[0]], 0.125);
  EXPECT_EQ(solution.times[200], -2.0);
  EXPECT_EQ(solution.report.starts.numStarts, 13);
}

TYPED_TEST(ArrivalTimesOn, APlaneAnywhereIsExact) {
  // two triangles across a shaken cube at x = 0.37: distances to a plane with a constant speed
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 9);
  shake(mesh, random, 0.02, 3);
  HostSources sources;
  sources.surface = {{{0.37, -1.0, -1.0}}, {{0.37, 3.0, -1.0}}, {{0.37, 3.0, 3.0}}, {{0.37, -1.0, 3.0}}};
  sources.triangles = {0, 1, 2, 0, 2, 3};
  const auto solution = solve<TypeParam>(mesh, Speed::constant(0.5), sources);
  EXPECT_EQ(solution.report.starts.numStarts, 200); // the layers beside it
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    ASSERT_NEAR(solution.times[v], std::abs(mesh.points[v][0] - 0.37) / 0.5, 1e-12);
  }
  // the same in the plane, from a line, as a triangle without area and as the cut of a triangle
  HostMesh square = gridMesh(ElementType::Triangle, 12);
  shake(square, random, 0.02, 2);
  HostSources line;
  line.surface = {{{0.37, -1.0, 0.0}}, {{0.37, 2.0, 0.0}}};
  line.triangles = {0, 1, 1};
  HostSources cut;
  cut.surface = {{{0.37, -5.0, -1.0}}, {{0.37, 5.0, -1.0}}, {{0.37, 0.0, 7.0}}};
  cut.triangles = {0, 1, 2};
  for (const HostSources& some : {line, cut}) {
    const auto flat = solve<TypeParam>(square, Speed::constant(0.5), some);
    for (std::size_t v = 0; v < square.points.size(); ++v) {
      ASSERT_NEAR(flat.times[v], std::abs(square.points[v][0] - 0.37) / 0.5, 1e-12);
    }
  }
}

TYPED_TEST(ArrivalTimesOn, ATriangleAlmostWithoutAreaIsItsLongestSide) {
  // The third corner is on the line between the others, as far as numbers go: what area there is comes from rounding.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 8);
  shake(mesh, random, 0.02, 3);
  for (const Speed& speed : {Speed::constant(0.5), Speed::constant(fullTensor)}) {
    for (int round = 0; round < 50; ++round) {
      const auto ends = randomPoints(random, 2, 3);
      HostSources line;
      line.surface = {ends[0], ends[1]};
      line.triangles = {0, 1, 1};
      HostSources needle;
      needle.surface = {ends[0], ends[1], ends[0] + unit(random) * (ends[1] - ends[0])};
      needle.triangles = {0, 1, 2};
      const auto expected = solve<TypeParam>(mesh, speed, line);
      const auto times = solve<TypeParam>(mesh, speed, needle).times;
      for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        ASSERT_NEAR(times[v], expected.times[v], 1e-9) << "round " << round;
      }
    }
  }
}

TYPED_TEST(ArrivalTimesOn, ASphereIsOfFirstOrder) {
  const Point centre{{0.5, 0.5, 0.5}};
  HostSources sources;
  addSphere(sources, centre, 0.25, 100); // within 1e-4 of the sphere
  RayProblem problem;
  problem.time = [&](const Point& x) { return std::abs(length(x - centre) - 0.25); };
  problem.slowness = [](std::int64_t /*element*/) { return 1.0; };
  Times errors;
  for (const int n : {10, 20, 40}) {
    const HostMesh mesh = gridMesh(ElementType::Tetrahedron, n);
    const auto solution = solve<TypeParam>(mesh, Speed::constant(1.0), sources);
    double sum = 0.0;
    Times bounds(mesh.points.size(), notReached);
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
      const double away = length(mesh.points[v] - centre) - 0.25;
      const double error = solution.times[v] - std::abs(away);
      if (away > 0.0) { // within, where fronts converge, times between vertices are too early
        ASSERT_GE(error, -2e-4);
      }
      sum += std::abs(error);
      if (std::abs(away) <= std::sqrt(3.0) / n) { // in an element that the sphere may go through
        bounds[v] = std::abs(error);
      }
    }
    boundErrors<4>(mesh, problem, 3, bounds);
    errors.push_back(sum / static_cast<double>(mesh.points.size()));
    const double bound = std::accumulate(bounds.begin(), bounds.end(), 0.0) / static_cast<double>(bounds.size());
    EXPECT_LE(errors.back(), bound + 1e-4);
  }
  printOrders("sphere", errors);
}

TYPED_TEST(ArrivalTimesOn, TensorsOfSixAndNineComponentsAgree) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 5);
  Times six;
  Times nine;
  const SymmetricTensor& m = fullTensor;
  for (std::size_t e = 0; e < mesh.types.size(); ++e) {
    six.insert(six.end(), {m.xx, m.yy, m.zz, m.xy, m.yz, m.xz});
    nine.insert(nine.end(), {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz});
  }
  const HostSources sources = HostSources::at({{0.1, 0.4, 0.3}});
  const auto expected = solve<TypeParam>(mesh, Speed::constant(fullTensor), sources).times;
  const auto sixThere = copied<double, TypeParam>(six);
  const auto nineThere = copied<double, TypeParam>(nine);
  EXPECT_EQ(solve<TypeParam>(mesh, Speed::tensorOfElements(sixThere.data()), sources).times, expected);
  EXPECT_EQ(solve<TypeParam>(mesh, Speed::matrixOfElements(nineThere.data()), sources).times, expected);
  nine[9 * 30 + 1] = 0.5;
  const auto skewed = copied<double, TypeParam>(nine);
  const std::string message =
    messageOf([&] { solve<TypeParam>(mesh, Speed::matrixOfElements(skewed.data()), sources); });
  EXPECT_NE(message.find("the tensor of element 30 is (1.5, 0.5, 0.25, 0.3"), std::string::npos) << message;
  EXPECT_NE(message.find("symmetric"), std::string::npos);
  six[6 * 21 + 2] = -1.0;
  const auto negative = copied<double, TypeParam>(six);
  EXPECT_NE(messageOf([&] {
    solve<TypeParam>(mesh, Speed::tensorOfElements(negative.data()), sources);
  }).find("the tensor of element 21 is (1.5, 0.8, -1,"),
    std::string::npos);
  EXPECT_NE(messageOf([&] {
    solve<TypeParam>(mesh, Speed::constant(std::nan("")), sources);
  }).find("the tensor of all elements"),
    std::string::npos);
}

TYPED_TEST(ArrivalTimesOn, NamesWhatIsWrong) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 4);
  const auto message = [&](const HostSources& sources, const Speed& speed = Speed::constant(1.0)) {
    return messageOf([&] { solve<TypeParam>(mesh, speed, sources); });
  };
  const auto expectIn = [](const std::string& part, const std::string& whole) {
    EXPECT_NE(whole.find(part), std::string::npos) << whole;
  };
  expectIn("there is no source", message({}));
  HostSources outside = HostSources::at({{0.5, 0.5, 0.5}});
  outside.points.push_back({{0.5, 1.25, -3.0}});
  outside.points.push_back({{7.0, 0.0, 0.0}});
  expectIn("source point 1 at (0.5, 1.25, -3) is outside of the mesh, as 2 of 3 points are", message(outside));
  HostSources wrong;
  wrong.vertices = {3, 125};
  expectIn("source vertex 125 starts at 0: numbers are from 0 to 124", message(wrong));
  wrong = {};
  wrong.elements = {-1};
  expectIn("source element -1", message(wrong));
  wrong = HostSources::at({{0.5, 0.5, 0.5}});
  wrong.pointTimes = {std::nan("")};
  expectIn("source point 0 starts at nan, or one of its coordinates, is not finite", message(wrong));
  for (const auto& [reach, text] : {std::pair(-0.5, "-0.5"), std::pair(std::nan(""), "nan")}) {
    wrong = HostSources::at({{0.5, 0.5, 0.5}});
    wrong.reach = reach;
    EXPECT_EQ(
      message(wrong), std::string("the reach of source points is ") + text + ": it must be a length, 0 or more");
  }
  wrong = {};
  wrong.surface = {{{5.0, 0.0, 0.0}}, {{5.0, 1.0, 0.0}}, {{5.0, 0.0, 1.0}}};
  wrong.triangles = {0, 1, 2};
  expectIn("the source surface is outside of the mesh", message(wrong));
  wrong.triangles = {0, 1, 3};
  expectIn("triangle 0 of the source surface", message(wrong));
  const HostSources good = HostSources::at({{0.5, 0.5, 0.5}});
  Times speeds(mesh.points.size(), 1.0);
  speeds[77] = -0.5;
  const auto ofVertices = copied<double, TypeParam>(speeds);
  expectIn("the speed of vertex 77, in element ", message(good, Speed::ofVertices(ofVertices.data())));
  Times zero(mesh.types.size(), 1.0);
  zero[9] = 0.0;
  const auto ofElements = copied<double, TypeParam>(zero);
  expectIn("the speed of element 9 is 0", message(good, Speed::ofElements(ofElements.data())));
  ArrivalOptions walls;
  walls.zeroSpeed = ZeroSpeed::Wall;
  EXPECT_EQ(solve<TypeParam>(mesh, Speed::ofElements(ofElements.data()), good, walls).report.walls.count, 1);
  ArrivalOptions flat;
  flat.frontsIn = FrontsIn::Flat;
  expectIn("the mesh has no flat elements among its 384",
    messageOf([&] { solve<TypeParam>(mesh, Speed::constant(1.0), good, flat); }));
}

// Coordinates may be as large as squares of areas are finite.
TYPED_TEST(ArrivalTimesOn, AnyFiniteCoordinatesGiveTimesOrOneMessage) {
  for (const ElementType type : {ElementType::Triangle, ElementType::Tetrahedron}) {
    for (const double size : {1e-30, 1e30, 1e70, 1e76, 1e155, 1e200, 1.7e308}) {
      HostMesh mesh = gridMesh(type, 3);
      for (Point& point : mesh.points) {
        point = size * point;
      }
      const Point place = size * Point{{0.43, 0.29, type == ElementType::Triangle ? 0.0 : 0.61}};
      const HostSources sources = HostSources::at(place);
      if (size <= farthestCoordinate) {
        const Times times = solve<TypeParam>(mesh, Speed::constant(1.0), sources).times;
        for (std::size_t v = 0; v < times.size(); ++v) {
          EXPECT_NEAR(times[v] / size, length((1.0 / size) * (mesh.points[v] - place)), 1e-12);
        }
      } else {
        EXPECT_EQ(messageOf([&] { solve<TypeParam>(mesh, Speed::constant(1.0), sources); }),
          "element 0 has a vertex farther than 1e+75 from 0 along an axis: squares of areas must be finite");
      }
      if (size > 1.0) { // a source outside
        EXPECT_NE(messageOf([&] {
          solve<TypeParam>(gridMesh(type, 3), Speed::constant(1.0), HostSources::at({{3.0 * size, size, 0.0}}));
        }).find("source point 0"),
          std::string::npos);
      }
    }
  }
}

TYPED_TEST(ArrivalTimesOn, AreEmptyWhenCancelled) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 6);
  const MeshOn<TypeParam, double, std::int64_t> there(mesh);
  const SourcesOn<TypeParam> sources(HostSources::at({{0.5, 0.5, 0.5}}));
  const Context<TypeParam> context;
  ArrivalTimes<TypeParam> out;
  const auto solveHere = [&](const Progress& progress) {
    solveArrivalTimes(context.with(progress), there.mixed(), Speed::constant(1.0), sources.get(), {}, out);
  };
  double last = 0.0;
  solveHere(Progress([&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    return true;
  }));
  EXPECT_GT(last, 0.9);
  EXPECT_EQ(out.times.extent(0), mesh.points.size());
  EXPECT_THROW(solveHere(Progress([](double fraction) { return fraction < 0.5; })), Cancelled);
  EXPECT_EQ(out.times.extent(0), 0U);
}

/// Two meshes beside each other, each with points of its own.
HostMesh beside(const HostMesh& a, const HostMesh& b, const Point& move) {
  HostMesh both = a;
  for (const Point& point : b.points) {
    both.points.push_back(point + move);
  }
  for (std::int64_t e = 0; e < b.numElements(); ++e) {
    std::array<std::int64_t, 8> corners{};
    for (int k = 0; k < numVerticesOf(b.types[e]); ++k) {
      corners[k] = b.vertices[b.offsets[e] + k] + a.numVertices();
    }
    both.add(b.types[e], corners);
  }
  return both;
}

TYPED_TEST(ArrivalTimesOn, PiecesThatAreApartStayAtInfinityUntilTheyAreMerged) {
  const int n = 6;
  const HostMesh cube = gridMesh(ElementType::Tetrahedron, n);
  HostMesh mesh = beside(cube, cube, {{1.0 + 1e-9, 0.0, 0.0}});
  mesh.points.push_back({{9.0, 9.0, 9.0}}); // in no element
  const HostSources sources = HostSources::at({{0.0, 0.0, 0.0}});
  auto apart = solve<TypeParam>(mesh, Speed::constant(1.0), sources);
  const auto half = static_cast<std::int64_t>(cube.points.size());
  EXPECT_EQ(apart.report.numUnreached, half);
  EXPECT_EQ(apart.report.numUnused, 1);
  EXPECT_EQ(apart.report.numMerged, 0);
  EXPECT_EQ(apart.times[half], notReached);
  EXPECT_EQ(replaceUnreached(TypeParam(), apart.all.times, -1.0), half + 1);
  EXPECT_EQ(onHost(apart.all.times)[half], -1.0);

  ArrivalOptions options;
  options.mergeDistance = 1e-6;
  options.trace = Trace::Sources;
  const auto merged = solve<TypeParam>(mesh, Speed::constant(1.0), sources, options);
  const auto labels = onHost(merged.all.labels);
  EXPECT_EQ(std::count(labels.begin(), labels.end(), 0), 2 * half);
  EXPECT_EQ(labels.back(), -1);
  EXPECT_EQ(merged.report.numMerged, (n + 1) * (n + 1));
  EXPECT_EQ(merged.report.numUnreached, 0);
  EXPECT_EQ(merged.report.numUnused, 1);
  for (std::size_t v = 0; v + 1 < mesh.points.size(); ++v) { // exact but for what they are apart
    EXPECT_NEAR(merged.times[v], length(mesh.points[v]), 1e-6) << v;
  }
  EXPECT_EQ(merged.times.back(), notReached);
  options.mergeDistance = 0.0; // only what is in the same place
  EXPECT_EQ(solve<TypeParam>(mesh, Speed::constant(1.0), sources, options).report.numMerged, 0);
  const HostMesh twice = beside(cube, cube, {{0.0, 0.0, 0.0}});
  const auto same = solve<TypeParam>(twice, Speed::constant(1.0), sources, options);
  const auto once = solve<TypeParam>(cube, Speed::constant(1.0), sources);
  EXPECT_EQ(same.report.numMerged, half);
  for (std::int64_t v = 0; v < half; ++v) {
    ASSERT_NEAR(same.times[v], once.times[v], 1e-14);
    ASSERT_EQ(same.times[v + half], same.times[v]);
  }
}

TYPED_TEST(ArrivalTimesOn, OrientationDoesNotMatterAndIsReported) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 4);
  const HostSources sources = HostSources::at({{0.2, 0.3, 0.4}});
  const auto right = solve<TypeParam>(mesh, Speed::constant(1.0), sources);
  EXPECT_EQ(right.report.inverted.count, 0);
  EXPECT_EQ(right.report.inverted.first, -1);
  for (const std::int64_t e : {11, 12, 200}) {
    std::swap(mesh.vertices[4 * e], mesh.vertices[4 * e + 1]);
  }
  mesh.add(ElementType::Tetrahedron, std::array<std::int64_t, 4>{0, 1, 2, 2});
  const auto turned = solve<TypeParam>(mesh, Speed::constant(1.0), sources);
  EXPECT_EQ(turned.report.inverted.count, 3);
  EXPECT_EQ(turned.report.inverted.first, 11);
  EXPECT_EQ(turned.report.degenerate.count, 1);
  EXPECT_EQ(turned.report.degenerate.first, 384);
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    EXPECT_NEAR(turned.times[v], right.times[v], 1e-14);
  }
}

TYPED_TEST(ArrivalTimesOn, SliversAddWaysAndNothingElse) {
  // Four vertices around a face of a cube, all but in one plane, as a tetrahedron: what Delaunay meshes are full of.
  // Fronts may go along its diagonals, so that times come nearer to the exact ones and never before them.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const int n = 10;
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, n);
  std::normal_distribution<double> noise(0.0, 1e-7);
  for (Point& point : mesh.points) {
    point = point + Point{{noise(random), noise(random), noise(random)}};
  }
  const std::size_t middle = nearest(mesh, {{0.5, 0.5, 0.5}});
  HostSources sources;
  sources.vertices = {static_cast<std::int64_t>(middle)};
  const auto without = solve<TypeParam>(mesh, Speed::constant(fullTensor), sources);
  const auto at = [&](int i, int j, int k) { return (std::int64_t{k} * (n + 1) + j) * (n + 1) + i; };
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        mesh.add(
          ElementType::Tetrahedron, std::array{at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k)});
        mesh.add(
          ElementType::Tetrahedron, std::array{at(i, j, k), at(i, j + 1, k), at(i, j + 1, k + 1), at(i, j, k + 1)});
      }
    }
  }
  const auto with = solve<TypeParam>(mesh, Speed::constant(fullTensor), sources);
  ArrivalOptions factored;
  factored.factoring.by = FactorBy::PointsAndVertices;
  const auto straight = solve<TypeParam>(mesh, Speed::constant(fullTensor), sources, factored);
  EXPECT_EQ(with.report.degenerate.count, 0);
  EXPECT_GT(with.report.inverted.count, 100);
  std::int64_t numEarlier = 0;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    const double exact = travelTime(fullTensor, mesh.points[v] - mesh.points[middle]);
    ASSERT_GE(with.times[v], exact - 1e-12);
    ASSERT_LE(with.times[v], without.times[v] + 1e-12);
    ASSERT_NEAR(straight.times[v], exact, 1e-7);
    numEarlier += with.times[v] < without.times[v] - 1e-6 ? 1 : 0;
  }
  EXPECT_GT(numEarlier, 100);
}

TEST(ArrivalTimesOnTheHost, HaveTheSameBitsForAnyNumberOfThreads) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 12);
  shake(mesh, random, 0.02, 3);
  HostSources sources;
  sources.points = {{{0.1, 0.2, 0.3}}, {{0.9, 0.8, 0.7}}, {{0.5, 0.25, 0.75}}};
  addSphere(sources, {{0.5, 0.5, 0.1}}, 0.2, 10);
  const auto all = solve<HostExecutionSpace>(mesh, Speed::constant(fullTensor), sources);
  for (const HostExecutionSpace& space : spanwise::testing::ofSeveralThreads<HostExecutionSpace>()) {
    const auto some = solve<HostExecutionSpace>(mesh, Speed::constant(fullTensor), sources, {}, {}, space);
    EXPECT_EQ(std::memcmp(all.times.data(), some.times.data(), all.times.size() * sizeof(double)), 0);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
