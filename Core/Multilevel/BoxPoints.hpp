#pragma once

#include "Core/Multilevel/Sampling.hpp"

#include <vector>

namespace spanwise::multilevel {

/// Points at equal distances in an axis-aligned box, on its faces too: where a hierarchy is sampled. Along an axis
/// without length, or with a resolution of 1, there is one point, in the middle.
///
/// A part of them is an extent: the points extent[2 d] <= k <= extent[2 d + 1] along each axis d.
struct BoxPoints {
  double corner[3];  ///< the lowest
  double lengths[3]; ///< not negative
  int resolution[3]; ///< points along each axis

  /// Throws InvalidArgument for a resolution below 1, numbers that are not finite, a negative length, and more than
  /// 2^31 - 1 points.
  void check() const;

  [[nodiscard]] int count(int axis) const { return lengths[axis] == 0.0 ? 1 : resolution[axis]; }
  /// The distance between neighbours; positive where there is one point too.
  [[nodiscard]] double spacing(int axis) const;
  /// The coordinate of the first point.
  [[nodiscard]] double origin(int axis) const;
  /// The coordinate of point k along an axis. Exact at both ends.
  [[nodiscard]] double at(int axis, int k) const;

  /// All points.
  void wholeExtent(int extent[6]) const;
  /// One of so many pieces along the slowest axis with several points; pieces share the points between them. A piece
  /// may be empty.
  void extentOf(int piece, int pieces, int extent[6]) const;
};

/// The positions of the points of an extent, x fastest. In 2D z does not count. O(points).
template <int Dim>
std::vector<Position<Dim>> positionsOf(const BoxPoints& box, const int extent[6]);

} // namespace spanwise::multilevel
