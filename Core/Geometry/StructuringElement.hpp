#pragma once

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/IntervalSet.hpp"

#include <vector>

namespace spanwise::geometry {

/// The structuring element of morph(): a set of cells around the origin, as a Minkowski sum of factors.
///
/// To dilate (erode) by a sum is to dilate (erode) by one factor after the other, so an element that is a sum of small
/// factors costs little. An element is made once, in the host's memory, and used for any number of calls.
template <int Dim>
class StructuringElement {
public:
  /// The cells first <= x <= last of the row (y, z).
  struct Row {
    Coordinate y;
    Coordinate z; ///< 0 in 2D
    Coordinate first;
    Coordinate last;
  };
  /// A box, or any rows.
  struct Factor {
    Cell<Dim> radius{};    ///< of the box; not used if there are rows
    std::vector<Row> rows; ///< rows with the same cells stand together; empty for a box
  };

  /// The cell at the origin alone, which changes nothing.
  StructuringElement() = default;

  /// The box of the cells |b[d]| <= radius.at[d]. One factor. Throws InvalidArgument if a radius is negative.
  static StructuringElement box(const Cell<Dim>& radius);

  /// The cells with |x| + |y| + |z| <= radius: faces' neighbourhood, iterated. O(log radius) factors of 3 (2D) or 5
  /// (3D) rows: the diamond of radius n plus the ends of the axes at +-m is the one of radius n + m if m <= n in 2D,
  /// and if 2 m <= n + 1 in 3D (R. van den Boomgaard, R. van Balen, CVGIP: Graphical Models and Image Processing 54,
  /// 1992, for such sums). Throws InvalidArgument if the radius is negative.
  static StructuringElement diamond(Coordinate radius);

  /// All cells that so many steps between neighbours reach: the diamond for faces, a box for vertices (and for edges in
  /// 2D). For edges in 3D these are the cells with |x|, |y|, |z| <= n and |x| + |y| + |z| <= 2 n, and O(log n) factors
  /// of 9 rows: n steps plus what two axes reach at m are n + m steps if 2 m <= n + 2. Throws InvalidArgument if the
  /// number is negative.
  static StructuringElement neighbourhood(Connectivity connectivity, Coordinate iterations);

  /// The largest radius of a ball: what has a row for each of its rows has some millions in 3D, and takes memory in
  /// proportion.
  static constexpr Coordinate maxBallRadius = Dim == 2 ? 30'000 : 1'000;

  /// The cells with x^2 + y^2 + z^2 <= radius^2. One factor of O(radius^(Dim - 1)) rows. Throws InvalidArgument if the
  /// radius is negative, NaN or more than maxBallRadius.
  static StructuringElement ball(double radius);

  /// Any cells, one row for each interval. Throws InvalidArgument if there are none: to erode by nothing would give all
  /// cells there are.
  static StructuringElement of(const HostIntervalSet<Dim>& cells);

  [[nodiscard]] const std::vector<Factor>& factors() const { return factors_; }

  /// The smallest and the largest coordinates of its cells along each axis.
  [[nodiscard]] const Cell<Dim>& first() const { return first_; }
  [[nodiscard]] const Cell<Dim>& last() const { return last_; }

private:
  void addBox(const Cell<Dim>& radius);
  void addRows(std::vector<Row> rows);

  std::vector<Factor> factors_;
  Cell<Dim> first_{};
  Cell<Dim> last_{};
};

} // namespace spanwise::geometry
