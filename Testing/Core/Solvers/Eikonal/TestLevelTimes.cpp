#include "Core/Solvers/Eikonal/Gradient.hpp"
#include "Testing/Core/Solvers/Eikonal/LeafErrors.hpp"
#include "Testing/Core/Solvers/Eikonal/SpeedGradient.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class LevelTimes : public ::testing::Test {};
TYPED_TEST_SUITE(LevelTimes, AllSpaces, SpaceNames);

/// The times of the leaves behind a plane front that goes along y from y = 0.
template <class Space, int Dim>
std::vector<double> solvePlaneFront(LevelProblem<Space, Dim>& problem, double time) {
  const auto points = toVector(problem.mesh.mesh.points);
  std::vector<std::int64_t> start;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (points[p].at[1] == 0) {
      start.push_back(static_cast<std::int64_t>(p));
    }
  }
  return problem.solveFromVertices(start, time);
}

template <class Space, int Dim>
void expectPlaneFronts() {
  std::array<double, Dim> corner{};
  LevelProblem<Space, Dim> problem(refinedAround<Dim>(4, 2, corner), latticeOf<Dim>(0.25));
  problem.build(Speed::constant(2.0));
  const std::vector<double> times = solvePlaneFront(problem, 0.5);
  for (std::size_t leaf = 0; leaf < times.size(); ++leaf) {
    ASSERT_NEAR(times[leaf], 0.5 + problem.centres[leaf][1] / 2.0, 1e-13);
  }
}

TYPED_TEST(LevelTimes, PlaneFrontsAreExactAcrossLevels) {
  expectPlaneFronts<TypeParam, 2>();
  expectPlaneFronts<TypeParam, 3>();
}

/// Gradients and labels of leaves of a plane front that goes along y; vertices are labelled by their numbers.
template <class Space, int Dim>
void expectGradientsAndLabels() {
  std::array<double, Dim> corner{};
  LevelProblem<Space, Dim> problem(refinedAround<Dim>(4, 2, corner), latticeOf<Dim>(0.25));
  problem.build(Speed::constant(2.0));
  const std::size_t numLeaves = solvePlaneFront(problem, 0.0).size();
  const auto view = problem.view();

  using Memory = typename Space::memory_space;
  const Kokkos::View<double*, Memory> ofElements("of elements", 3 * view.elements.numElements);
  const Kokkos::View<double*, Memory> gradients("gradients", 3 * numLeaves);
  gradientOfTimes(problem.context, view, Dim, problem.times.data(), ofElements.data());
  gradientsOfLeaves(problem.context, problem.mesh, ofElements.data(), gradients);
  const std::vector<double> found = onHost(gradients);
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_NEAR(found[k], k % 3 == 1 ? 0.5 : 0.0, 1e-12);
  }

  std::vector<std::int32_t> numbers(static_cast<std::size_t>(problem.mesh.mesh.points.count()));
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto labels = onDevice<std::int32_t, Space>(numbers);
  const Kokkos::View<std::int32_t*, Memory> ofLeaves("labels", numLeaves);
  labelsOfLeaves(problem.context, problem.mesh, problem.times.data(), labels.data(), ofLeaves);
  const std::vector<double> times = onHost(problem.times);
  const std::vector<std::int32_t> foundLabels = onHost(ofLeaves);
  const auto offsets = toVector(problem.mesh.mesh.offsets);
  const auto connectivity = toVector(problem.mesh.mesh.connectivity);
  const auto sources = toVector(problem.mesh.mesh.sources);
  std::vector<double> earliest(numLeaves, notReached);
  for (std::size_t cell = 0; cell < sources.size(); ++cell) {
    double& least = earliest[static_cast<std::size_t>(sources[cell])];
    for (std::int64_t k = offsets[cell]; k < offsets[cell + 1]; ++k) {
      least = std::min(least, times[static_cast<std::size_t>(connectivity[static_cast<std::size_t>(k)])]);
    }
  }
  for (std::size_t leaf = 0; leaf < numLeaves; ++leaf) {
    ASSERT_EQ(times[static_cast<std::size_t>(foundLabels[leaf])], earliest[leaf]);
  }
}

TYPED_TEST(LevelTimes, LeavesHaveMeanGradientsAndTheLabelOfTheirEarliestPoint) {
  expectGradientsAndLabels<TypeParam, 2>();
  expectGradientsAndLabels<TypeParam, 3>();
}

/// Without factoring, from a point in a constant medium with leaves that are refined around it.
template <class Space, int Dim>
LeafErrors errorsAround(int n, int depth, const SymmetricTensor& m) {
  std::array<double, Dim> place{};
  PointSource<Dim> source{};
  FactorPlace seen; // distances from the source are times
  for (int axis = 0; axis < Dim; ++axis) {
    seen.place[axis] = source.at[axis] = place[axis] = 0.47 - 0.03 * axis;
  }
  seen.setMedium(m.inverse());
  LevelProblem<Space, Dim> problem(refinedAround<Dim>(n, depth, place), latticeOf<Dim>(1.0 / n));
  problem.build(Speed::constant(m));
  const std::vector<double> times = problem.solve({source});
  EXPECT_EQ(problem.report.numReached, problem.mesh.mesh.points.count());
  for (std::size_t leaf = 0; leaf < times.size(); ++leaf) {
    Point centre;
    std::copy_n(problem.centres[leaf].begin(), Dim, centre.at);
    EXPECT_GE(times[leaf], seen.stretched(centre).time - 1e-12); // first order is never ahead of the front
  }
  RayProblem rays;
  rays.time = [](const Point& x) { return length(x); };
  return errorsOfLeaves(problem, times, rays, std::vector<double>(times.size(), 1.0), seen);
}

TYPED_TEST(LevelTimes, ErrorsAroundAPointAreWithinTheirBounds) {
  const SymmetricTensor full{1.5, 1.0, 1.2, 0.3, 0.1, -0.2};
  const SymmetricTensor plane{1.5, 1.0, 1.0, 0.3, 0.0, 0.0};
  for (const int k : {1, 2}) {
    for (const LeafErrors& errors :
      {errorsAround<TypeParam, 2>(10 * k, 3, plane), errorsAround<TypeParam, 3>(5 * k, 2, full)}) {
      EXPECT_LE(errors.mean, errors.meanBound) << k;
    }
  }
}

TYPED_TEST(LevelTimes, RefinementAroundASourceIsWorthIt) {
  // The error of a point source is made around it.
  const SymmetricTensor one = SymmetricTensor::isotropic(1.0);
  const LeafErrors refined = errorsAround<TypeParam, 2>(10, 3, one);
  EXPECT_LE(refined.mean, refined.meanBound);
  EXPECT_GT((errorsAround<TypeParam, 2>(10, 0, one).mean), refined.meanBound);
}

/// The largest error at the points of a mesh that is refined around a source, and at the centres of its leaves, in a
/// constant medium.
template <class Space, int Dim>
double maxError(int n, const std::array<double, Dim>& place, const SymmetricTensor& m) {
  PointSource<Dim> source{};
  std::copy_n(place.begin(), Dim, source.at);
  source.time = 0.5;
  LevelProblem<Space, Dim> problem(refinedAround<Dim>(n, 2, place), latticeOf<Dim>(1.0 / n));
  problem.build(Speed::constant(m));
  const std::vector<double> ofLeaves = problem.solve({source}, 9.0);
  const std::vector<double> times = onHost(problem.times);
  const auto points = toVector(problem.mesh.mesh.points);
  const SymmetricTensor inverse = m.inverse();
  const auto errorAt = [&](const auto& at, double unit, double time) {
    Point d;
    for (int axis = 0; axis < Dim; ++axis) {
      d[axis] = static_cast<double>(at[axis]) * unit - source.at[axis];
    }
    return std::abs(time - 0.5 - std::sqrt(inverse.product(d)));
  };
  double most = 0.0;
  for (std::size_t p = 0; p < points.size(); ++p) {
    most = std::max(most, errorAt(points[p].at, 1.0 / (4.0 * n), times[p]));
  }
  for (std::size_t leaf = 0; leaf < ofLeaves.size(); ++leaf) {
    most = std::max(most, errorAt(problem.centres[leaf], 1.0, ofLeaves[leaf]));
  }
  return most;
}

TYPED_TEST(LevelTimes, FactoredTimesAreExactInAConstantMedium) {
  const SymmetricTensor plane{1.5, 1.0, 1.0, 0.3, 0.0, 0.0};
  const SymmetricTensor full{1.5, 1.0, 1.2, 0.3, 0.1, -0.2};
  EXPECT_LT((maxError<TypeParam, 2>(10, {0.47, 0.44}, plane)), 1e-12);
  EXPECT_LT((maxError<TypeParam, 2>(10, {0.4875, 0.4625}, plane)), 1e-12); // the centre of a leaf
  EXPECT_LT((maxError<TypeParam, 3>(5, {0.47, 0.44, 0.41}, full)), 1e-12);
}

// Sources at all corners of a side, and others anywhere: as many fronts as there are points.
TYPED_TEST(LevelTimes, ManySourcesAreExactInAConstantMedium) {
  std::vector<PointSource<2>> sources{{{0.7, 0.6}, 0.05}, {{0.72, 0.6}, 0.0}};
  for (int k = 0; k < 10; ++k) {
    sources.push_back({{0.1 * k, 0.0}, 0.0});
  }
  LevelProblem<TypeParam, 2> problem(refinedAround<2>(10, 2, {0.47, 0.44}), latticeOf<2>(0.1));
  problem.build(Speed::constant(1.0));
  const std::vector<double> times = problem.solve(sources, 9.0);
  for (std::size_t leaf = 0; leaf < times.size(); ++leaf) {
    double exact = notReached;
    for (const PointSource<2>& source : sources) {
      exact = std::min(exact,
        source.time + std::hypot(problem.centres[leaf][0] - source.at[0], problem.centres[leaf][1] - source.at[1]));
    }
    EXPECT_NEAR(times[leaf], exact, 1e-12); // what comes first at a centre does so at a corner of the leaf, too
  }
}

// A slow leaf in a fast medium: its centre is not before its corners, however near the source is.
TYPED_TEST(LevelTimes, TimesAtCentresAreNotBeforeTheCorners) {
  const PointSource<2> source{{0.45, 0.45}, 0.0};
  LevelProblem<TypeParam, 2> problem({allCells<2>(0, 5)}, latticeOf<2>(0.2));
  std::vector<double> speeds(25, 1.0);
  speeds[8] = 0.01; // x in [0.6, 0.8], y in [0.2, 0.4]
  speeds[16] = 0.0; // a wall
  problem.buildWithSpeeds(speeds);
  const std::vector<double> times = problem.solve({source}, 9.0);
  EXPECT_GE(times[8], std::hypot(0.15, 0.05) - 1e-12);
  EXPECT_EQ(times[16], notReached);
  EXPECT_NEAR(times[12], std::hypot(0.05, 0.05), 1e-12);
}

/// Where the speed is 0.7 + 1.5 y, each leaf having that of its centre.
template <class Space>
LeafErrors errorsInAGradient(int n, double radius) {
  const SpeedGradient medium{{{0.0, 1.5, 0.0}}, 0.7};
  const Point place{{0.47, 0.44, 0.0}};
  LevelProblem<Space, 2> problem(refinedAround<2>(n, 2, {place[0], place[1]}), latticeOf<2>(1.0 / n));
  std::vector<double> speeds;
  for (const auto& centre : problem.centres) {
    speeds.push_back(medium.speed({{centre[0], centre[1], 0.0}}));
  }
  problem.buildWithSpeeds(speeds);
  const std::vector<double> times = problem.solve({{{place[0], place[1]}, 0.0}}, radius);
  RayProblem rays;
  rays.time = [&](const Point& x) { return medium.time(place, x); };
  if (radius > 0.0) {
    rays.lead = [&](const Point& x, const Point& nearby) { return leadOf(place, x, nearby); };
  }
  return errorsOfLeaves(problem, times, rays, speeds);
}

TYPED_TEST(LevelTimes, AreOfFirstOrderFromAPointThatIsFactored) {
  for (const int n : {20, 40, 80}) {
    const LeafErrors factored = errorsInAGradient<TypeParam>(n, 9.0);
    const LeafErrors plain = errorsInAGradient<TypeParam>(n, 0.0);
    std::cout << "levels, n = " << n << ": mean error " << factored.mean << ", its bound " << factored.meanBound
              << ", without factoring " << plain.mean << ", its bound " << plain.meanBound << '\n';
    EXPECT_LE(factored.mean, factored.meanBound) << n;
    EXPECT_LE(plain.mean, plain.meanBound) << n;
    EXPECT_GT(plain.mean, factored.meanBound) << n; // of h log h
  }
}

TYPED_TEST(LevelTimes, TakeTheSpeedsOfLeaves) {
  const Leaves<2> cells = refinedAround<2>(6, 2, {0.3, 0.6});
  LevelProblem<TypeParam, 2> problem(cells, latticeOf<2>(1.0 / 6));
  const std::vector<PointSource<2>> sources{{{0.1, 0.1}, 0.25}};
  problem.build(Speed::constant(3.0));
  const std::vector<double> expected = problem.solve(sources);
  problem.buildWithSpeeds(std::vector<double>(expected.size(), 3.0));
  const std::vector<double> ofSpeeds = problem.solve(sources);
  std::vector<double> components;
  for (std::size_t leaf = 0; leaf < expected.size(); ++leaf) {
    components.insert(components.end(), {9.0, 9.0, 9.0, 0.0, 0.0, 0.0});
  }
  problem.buildWithTensors(components);
  const std::vector<double> ofTensors = problem.solve(sources);
  for (std::size_t leaf = 0; leaf < expected.size(); ++leaf) {
    EXPECT_NEAR(ofSpeeds[leaf], expected[leaf], 1e-13);
    EXPECT_NEAR(ofTensors[leaf], expected[leaf], 1e-13);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
