#pragma once

#include "Testing/Rooms.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace spanwise::benchmarks {

struct TriangleSphere {
  std::vector<double> points;        ///< 3 a point
  std::vector<std::int64_t> corners; ///< 3 a triangle
};

/// 4 m (m - 1) triangles between meridians and parallels.
inline TriangleSphere sphereOf(std::int64_t m, const std::array<double, 3>& centre, double radius) {
  TriangleSphere sphere;
  const auto add = [&](double polar, double around) {
    sphere.points.insert(sphere.points.end(),
      {centre[0] + radius * std::sin(polar) * std::cos(around), centre[1] + radius * std::sin(polar) * std::sin(around),
        centre[2] + radius * std::cos(polar)});
  };
  const double step = std::numbers::pi / static_cast<double>(m);
  add(0.0, 0.0);
  for (std::int64_t j = 1; j < m; ++j) {
    for (std::int64_t i = 0; i < 2 * m; ++i) {
      add(step * static_cast<double>(j), step * static_cast<double>(i));
    }
  }
  add(std::numbers::pi, 0.0);
  const std::int64_t pole = 2 * m * (m - 1) + 1; // the other one is 0
  for (std::int64_t i = 0; i < 2 * m; ++i) {
    const std::int64_t next = (i + 1) % (2 * m);
    sphere.corners.insert(sphere.corners.end(), {0, 1 + i, 1 + next, pole - 1 - i, pole, pole - 1 - next});
    for (std::int64_t j = 1; j + 1 < m; ++j) {
      const std::int64_t low = 1 + 2 * m * (j - 1);
      const std::int64_t high = low + 2 * m;
      sphere.corners.insert(sphere.corners.end(), {low + i, high + i, high + next, low + i, high + next, low + next});
    }
  }
  return sphere;
}

} // namespace spanwise::benchmarks
