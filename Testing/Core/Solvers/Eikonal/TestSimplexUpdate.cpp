#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/Eikonal/Tensor.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::seed;

/// The least value of a convex function on [0, 1].
double minOfConvex(const std::function<double(double)>& f) {
  double low = 0.0;
  double high = 1.0;
  for (int k = 0; k < 90; ++k) {
    const double a = low + (high - low) / 3.0;
    const double b = high - (high - low) / 3.0;
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return std::min({f(0.5 * (low + high)), f(0.0), f(1.0)});
}

/// A tetrahedron, its tensor and the times at three of its vertices.
struct Problem {
  std::array<Point, 4> x;
  SymmetricTensor tensor;
  std::array<double, 3> u;

  [[nodiscard]] double squared(int i, int j) const { return tensor.product(x[i] - x[j]); }
  [[nodiscard]] double length(const Point& e) const { return std::sqrt(tensor.product(e)); }

  /// The time along a straight ray from a place of the face.
  [[nodiscard]] double through(double l1, double l2) const {
    const double l3 = 1.0 - l1 - l2;
    return l1 * u[0] + l2 * u[1] + l3 * u[2] + length(x[3] - (l1 * x[0] + l2 * x[1] + l3 * x[2]));
  }

  [[nodiscard]] Arrival<3> update() const {
    return updateFromFace(
      u[0], u[1], u[2], squared(0, 1), squared(0, 2), squared(1, 2), squared(0, 3), squared(1, 3), squared(2, 3));
  }
};

class RandomProblems {
public:
  explicit RandomProblems(unsigned seed) : random_(seed) {}

  /// `spread`: how far the times differ, in travel times along an edge. Below 1 fronts come through the face.
  Problem next(double spread) {
    Problem problem;
    for (Point& point : problem.x) {
      point = {{normal_(random_), normal_(random_), normal_(random_)}};
    }
    Point axes[3];
    for (Point& axis : axes) {
      axis = {{normal_(random_), normal_(random_), normal_(random_)}};
    }
    const auto entry = [&](int i, int j) { return dot(axes[i], axes[j]) + (i == j ? 0.1 : 0.0); };
    problem.tensor = {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(0, 2)};
    for (double& time : problem.u) {
      time = spread * problem.length(problem.x[0] - problem.x[1]) * unit_(random_);
    }
    return problem;
  }

private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> unit_;
};

TEST(SimplexUpdate, IsTheLeastOverTheFace) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  RandomProblems problems(seed());
  int inside = 0;
  for (int k = 0; k < 1000; ++k) {
    const Problem problem = problems.next(k % 2 == 0 ? 0.3 : 1.5);
    const double least = minOfConvex(
      [&](double l1) { return minOfConvex([&](double share) { return problem.through(l1, share * (1.0 - l1)); }); });
    const Arrival<3> arrival = problem.update();
    EXPECT_NEAR(arrival.time, least, 1e-6 * least);
    EXPECT_LE(arrival.time, least * (1.0 + 1e-12)); // the search is above the minimum, if anything
    EXPECT_NEAR(problem.through(arrival.weight[0], arrival.weight[1]), arrival.time, 1e-9 * arrival.time);
    inside += *std::min_element(arrival.weight, arrival.weight + 3) > 0.0 ? 1 : 0;
  }
  EXPECT_GT(inside, 50);
}

TEST(SimplexUpdate, IsTheLeastOverAnEdge) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  RandomProblems problems(seed());
  for (int k = 0; k < 1000; ++k) {
    const Problem problem = problems.next(k % 2 == 0 ? 0.3 : 1.5);
    const double least = minOfConvex([&](double l1) { return problem.through(l1, 1.0 - l1); });
    const Arrival<2> arrival =
      updateFromEdge(problem.u[0], problem.u[1], problem.squared(0, 1), problem.squared(0, 3), problem.squared(1, 3));
    EXPECT_NEAR(arrival.time, least, 1e-9 * least);
    EXPECT_NEAR(problem.through(arrival.weight[0], arrival.weight[1]), arrival.time, 1e-9 * arrival.time);
  }
}

TEST(SimplexUpdate, NumberingOfTheFaceDoesNotMatter) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  RandomProblems problems(seed());
  for (int k = 0; k < 300; ++k) {
    const Problem problem = problems.next(0.5);
    const double time = problem.update().time;
    std::array<int, 3> order{0, 1, 2};
    while (std::next_permutation(order.begin(), order.end())) {
      Problem renumbered = problem;
      for (int i = 0; i < 3; ++i) {
        renumbered.x[i] = problem.x[order[i]];
        renumbered.u[i] = problem.u[order[i]];
      }
      EXPECT_NEAR(renumbered.update().time, time, 1e-12 * time);
    }
  }
}

TEST(SimplexUpdate, OfAPlaneFrontIsExact) {
  // u = n . x with sqrt(n^T M n) = 1 and a ray that comes through the face: M n is the direction of the ray.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  RandomProblems problems(seed());
  int through = 0;
  for (int k = 0; k < 2000; ++k) {
    Problem problem = problems.next(0.0);
    const Point place = 0.4 * problem.x[0] + 0.35 * problem.x[1] + 0.25 * problem.x[2];
    const Point ray = problem.x[3] - place;
    // |grad u|_M = 1 and grad u = N ray / |ray|
    const SymmetricTensor& n = problem.tensor;
    const Point gradient = (1.0 / problem.length(ray)) *
      Point{{n.xx * ray[0] + n.xy * ray[1] + n.xz * ray[2], n.xy * ray[0] + n.yy * ray[1] + n.yz * ray[2],
        n.xz * ray[0] + n.yz * ray[1] + n.zz * ray[2]}};
    for (int i = 0; i < 3; ++i) {
      problem.u[i] = dot(gradient, problem.x[i]);
    }
    const Arrival<3> arrival = problem.update();
    const double scale = problem.length(ray) + std::abs(dot(gradient, problem.x[3]));
    EXPECT_NEAR(arrival.time, dot(gradient, problem.x[3]), 1e-9 * scale);
    through += std::abs(arrival.weight[0] - 0.4) < 1e-4 && std::abs(arrival.weight[1] - 0.35) < 1e-4 ? 1 : 0;
  }
  EXPECT_GT(through, 1900);
}

TEST(SimplexUpdate, TakesInfiniteTimesAndFacesWithoutArea) {
  // from two vertices, from one, from none
  const double d = 1.0;
  const Arrival<3> two = updateFromFace(0.0, 0.0, notReached, d, d, d, d, d, d);
  EXPECT_DOUBLE_EQ(two.time, std::sqrt(0.75)); // the height of an equilateral triangle
  EXPECT_EQ(two.weight[2], 0.0);
  const Arrival<3> one = updateFromFace(notReached, 2.0, notReached, d, d, d, d, d, d);
  EXPECT_DOUBLE_EQ(one.time, 3.0);
  EXPECT_EQ(one.weight[1], 1.0);
  EXPECT_EQ(updateFromFace(notReached, notReached, notReached, d, d, d, d, d, d).time, notReached);
  // all three vertices of the face on a line: 0, 1 and 2, the fourth one above 1
  EXPECT_DOUBLE_EQ(updateFromFace(0.0, 0.0, 0.0, 1.0, 4.0, 1.0, 2.0, 1.0, 2.0).time, 1.0);
  // two vertices in one place
  EXPECT_DOUBLE_EQ(updateFromEdge(0.0, 1.0, 0.0, 4.0, 4.0).time, 2.0);
}

TEST(SimplexUpdate, IsNeverBelowAPointSource) {
  // times at the face are exact distances to a point: the front is curved, and a straight one is not ahead of it
  SCOPED_TRACE("seed " + std::to_string(seed()));
  RandomProblems problems(seed());
  for (int k = 0; k < 1000; ++k) {
    Problem problem = problems.next(0.0);
    const Point source = problems.next(0.0).x[0];
    for (int i = 0; i < 3; ++i) {
      problem.u[i] = problem.length(problem.x[i] - source);
    }
    const double exact = problem.length(problem.x[3] - source);
    EXPECT_GE(problem.update().time, exact * (1.0 - 1e-12));
  }
}

TEST(Tensor, InverseAndDefiniteness) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  RandomProblems problems(seed());
  for (int k = 0; k < 200; ++k) {
    const SymmetricTensor m = problems.next(0.0).tensor;
    const SymmetricTensor n = m.inverse();
    EXPECT_TRUE(m.positiveDefinite());
    EXPECT_TRUE(n.positiveDefinite());
    EXPECT_NEAR(m.xx * n.xx + m.xy * n.xy + m.xz * n.xz, 1.0, 1e-9);
    EXPECT_NEAR(m.xy * n.xy + m.yy * n.yy + m.yz * n.yz, 1.0, 1e-9);
    EXPECT_NEAR(m.xx * n.xy + m.xy * n.yy + m.xz * n.yz, 0.0, 1e-9 * (1.0 + std::abs(n.yy)));
    EXPECT_NEAR(m.xz * n.xx + m.yz * n.xy + m.zz * n.xz, 0.0, 1e-9 * (1.0 + std::abs(n.xx)));
  }
  EXPECT_FALSE((SymmetricTensor{1.0, 1.0, 1.0, 1.0, 0.0, 0.0}).positiveDefinite());
  EXPECT_FALSE((SymmetricTensor{-1.0, -1.0, 1.0, 0.0, 0.0, 0.0}).positiveDefinite());
  EXPECT_FALSE(SymmetricTensor::isotropic(std::nan("")).positiveDefinite());
  EXPECT_FALSE(SymmetricTensor::isotropic(notReached).positiveDefinite());
}

} // namespace
} // namespace spanwise::eikonal::testing
