#pragma once

// Surfaces that fronts start at, for tests on grids.

#include "Core/Solvers/Eikonal/Sources.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace spanwise::eikonal::testing {

/// The squared length of the shortest way from a point to a segment, by the metric N.
inline double squaredToSegment(const SymmetricTensor& n, const Point& a, const Point& b, const Point& p) {
  const double whole = n.product(b - a);
  const double share = whole > 0.0 ? std::clamp(n.product(b - a, p - a) / whole, 0.0, 1.0) : 0.0;
  return n.product(p - (a + share * (b - a)));
}

/// The same to a triangle: to its sides, or straight down on it.
inline double distanceTo(const SymmetricTensor& n, const Point& a, const Point& b, const Point& c, const Point& p) {
  double least = std::min({squaredToSegment(n, a, b, p), squaredToSegment(n, b, c, p), squaredToSegment(n, c, a, p)});
  const Point e = b - a;
  const Point f = c - a;
  const double ee = n.product(e, e);
  const double ef = n.product(e, f);
  const double ff = n.product(f, f);
  const double area = ee * ff - ef * ef;
  if (area > 1e-12 * ee * ff) {
    const double s = (ff * n.product(e, p - a) - ef * n.product(f, p - a)) / area;
    const double t = (ee * n.product(f, p - a) - ef * n.product(e, p - a)) / area;
    if (s >= 0.0 && t >= 0.0 && s + t <= 1.0) {
      least = std::min(least, n.product(p - (a + (s * e + t * f))));
    }
  }
  return std::sqrt(least);
}

/// Triangles, each with its own points and its time.
struct Triangles {
  std::vector<double> points;
  std::vector<std::int64_t> corners;
  std::vector<double> times;

  void add(const Point& a, const Point& b, const Point& c, double time = 0.0) {
    for (const Point& point : {a, b, c}) {
      corners.push_back(static_cast<std::int64_t>(points.size() / 3));
      points.insert(points.end(), {point[0], point[1], point[2]});
    }
    times.push_back(time);
  }
  void addSegment(const Point& a, const Point& b, double time = 0.0) { add(a, b, b, time); }
  [[nodiscard]] Point corner(std::size_t triangle, int k) const {
    const std::size_t at = 3 * static_cast<std::size_t>(corners[3 * triangle + static_cast<std::size_t>(k)]);
    return {{points[at], points[at + 1], points[at + 2]}};
  }
  [[nodiscard]] std::size_t count() const { return times.size(); }
};

/// A sphere of 4 n^2 triangles, whose corners are on it.
inline Triangles sphere(const Point& centre, double radius, int n) {
  const auto corner = [&](int i, int j) {
    const double theta = std::numbers::pi * j / n;
    const double phi = std::numbers::pi * i / n;
    return centre + radius * Point{{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)}};
  };
  Triangles triangles;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < 2 * n; ++i) {
      triangles.add(corner(i, j), corner(i + 1, j), corner(i, j + 1));
      triangles.add(corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
    }
  }
  return triangles;
}

/// Triangles where the execution space finds them.
template <class Space>
struct SurfaceOnDevice {
  explicit SurfaceOnDevice(const Triangles& of)
    : points(onDevice<double, Space>(of.points)), corners(onDevice<std::int64_t, Space>(of.corners)),
      times(onDevice<double, Space>(of.times)) {}

  [[nodiscard]] SurfaceSources view() const {
    return {points.data(), corners.data(), times.data(), static_cast<std::int64_t>(points.extent(0)) / 3,
      static_cast<std::int64_t>(times.extent(0))};
  }

  Kokkos::View<double*, typename Space::memory_space> points;
  Kokkos::View<std::int64_t*, typename Space::memory_space> corners;
  Kokkos::View<double*, typename Space::memory_space> times;
};

/// Triangles, segments and points anywhere in a box; in the plane z = 0 if it is flat.
inline Triangles randomTriangles(std::mt19937& random, int count, const Point& low, const Point& high, double size) {
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const auto within = [&](const Point& near) {
    Point point;
    for (int axis = 0; axis < 3; ++axis) {
      const double length = high[axis] - low[axis];
      point[axis] = std::clamp(near[axis] + size * length * (share(random) - 0.5), low[axis], high[axis]);
    }
    return point;
  };
  Triangles triangles;
  for (int k = 0; k < count; ++k) {
    Point middle;
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = low[axis] + share(random) * (high[axis] - low[axis]);
    }
    const Point a = within(middle);
    const Point b = k % 7 == 6 ? a : within(middle);
    const Point c = k % 3 == 2 ? b : within(middle);
    triangles.add(a, b, c, share(random));
  }
  return triangles;
}

} // namespace spanwise::eikonal::testing
