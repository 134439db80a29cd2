#pragma once

#include "Testing/Core/Solvers/Eikonal/Meshes.hpp"

namespace spanwise::eikonal::testing {

/// A wall from the lower side of the unit square, and how far places are from one before it.
struct AroundAWall {
  double left;
  double right;
  double top;
  Point source;

  [[nodiscard]] bool isWall(const Point& x) const { return x[0] > left && x[0] < right && x[1] < top; }

  [[nodiscard]] double distance(const Point& x) const {
    const Point corners[2] = {{{left, top, 0.0}}, {{right, top, 0.0}}};
    const auto sees = [&](const Point& a, const Point& b, double at) { // above the wall's corner at this x
      return a[1] + (b[1] - a[1]) * (at - a[0]) / (b[0] - a[0]) >= top;
    };
    if (x[0] <= left || sees(source, x, left)) {
      return length(x - source);
    }
    const double toFirst = length(corners[0] - source);
    return x[0] < right || x[1] >= top ? toFirst + length(x - corners[0])
                                       : toFirst + length(corners[1] - corners[0]) + length(x - corners[1]);
  }
};

} // namespace spanwise::eikonal::testing
