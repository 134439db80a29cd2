#include "Core/Geometry/ExtractRegion.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Combine.hpp"
#include "Core/Geometry/Detail/ExactArithmetic.hpp"
#include "Core/Geometry/Detail/OneIntervalRows.hpp"
#include "Core/Geometry/HostParts.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Search.hpp"

#include <cmath>
#include <string>

namespace spanwise::geometry {

namespace {

template <int Dim>
KOKKOS_FUNCTION std::int64_t coordinateOf(const RowKey<Dim>& key, int axis) {
  return axis == 1 ? key.y : key.zOr0();
}

/// The rows of a set, of which each has one interval of a box of cells.
template <int Dim>
struct RowsInBox {
  IntervalSetView<Dim> set;
  Box<Dim> box;

  [[nodiscard]] KOKKOS_FUNCTION RowKey<Dim> key(std::int64_t r) const { return set.rowKeys[r]; }
  [[nodiscard]] KOKKOS_FUNCTION Interval intervalOf(const RowKey<Dim>& key) const {
    for (int axis = 1; axis < Dim; ++axis) {
      const std::int64_t at = coordinateOf<Dim>(key, axis);
      if (at < box.begin[axis] || at >= box.end[axis]) {
        return {0, 0};
      }
    }
    return {box.begin[0], box.end[0]};
  }
};

/// The same for a ball.
template <int Dim>
struct RowsInBall {
  IntervalSetView<Dim> set;
  GridGeometry<Dim> lattice;
  BallRegion<Dim> ball;
  RegionCells cells;
  std::int64_t begin; ///< of the set's cells along x
  std::int64_t end;

  [[nodiscard]] KOKKOS_FUNCTION RowKey<Dim> key(std::int64_t r) const { return set.rowKeys[r]; }

  /// How far the cell's centre, or its nearest point, is from the ball's centre along an axis.
  [[nodiscard]] KOKKOS_FUNCTION double distance(int axis, std::int64_t c) const {
    if (cells == RegionCells::WithCentre) {
      return Kokkos::abs(detail::roundedDifference(lattice.centre(axis, c), ball.centre[axis]));
    }
    const double above = detail::roundedDifference(lattice.face(axis, c), ball.centre[axis]);
    const double below = detail::roundedDifference(ball.centre[axis], lattice.face(axis, c + 1));
    return Kokkos::max(0.0, Kokkos::max(above, below));
  }

  [[nodiscard]] KOKKOS_FUNCTION double square(int axis, std::int64_t c) const {
    const double length = distance(axis, c);
    return detail::roundedProduct(length, length);
  }

  [[nodiscard]] KOKKOS_FUNCTION double squareInRow(const RowKey<Dim>& key) const {
    double sum = square(1, key.y);
    if constexpr (Dim == 3) {
      sum = detail::roundedSum(sum, square(2, key.z));
    }
    return sum;
  }

  /// Whether the ball's centre lies between the faces of the cell.
  [[nodiscard]] KOKKOS_FUNCTION bool holdsCentre(const RowKey<Dim>& key, std::int64_t x) const {
    for (int axis = 0; axis < Dim; ++axis) {
      const std::int64_t c = axis == 0 ? x : coordinateOf<Dim>(key, axis);
      if (!(lattice.face(axis, c) < ball.centre[axis] && ball.centre[axis] < lattice.face(axis, c + 1))) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] KOKKOS_FUNCTION bool inside(const RowKey<Dim>& key, double inRow, std::int64_t x) const {
    const double sum = detail::roundedSum(square(0, x), inRow);
    const double limit = detail::roundedProduct(ball.radius, ball.radius);
    return cells == RegionCells::WithCentre ? sum <= limit : sum < limit || holdsCentre(key, x);
  }

  /// About the cell at a position along x; at most one beyond those of the set.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t cellNear(double position) const {
    const double cell = Kokkos::floor((position - lattice.origin[0]) / lattice.spacing[0]);
    return static_cast<std::int64_t>(
      Kokkos::max(static_cast<double>(begin - 1), Kokkos::min(static_cast<double>(end), cell)));
  }

  // Square root and division only guess; the test of the documentation decides.
  [[nodiscard]] KOKKOS_FUNCTION Interval intervalOf(const RowKey<Dim>& key) const {
    const double inRow = squareInRow(key);
    const auto test = [&](std::int64_t x) { return inside(key, inRow, x); };
    const std::int64_t around = Kokkos::max(begin, Kokkos::min(end - 1, cellNear(ball.centre[0])));
    std::int64_t nearest = around;
    if (!test(nearest)) {
      nearest = around > begin && test(around - 1) ? around - 1 : around + 1;
      if (nearest >= end || !test(nearest)) {
        return {0, 0};
      }
    }
    const double halfWidth = Kokkos::sqrt(Kokkos::max(0.0, ball.radius * ball.radius - inRow));
    const std::int64_t first = firstTrue(begin, nearest, cellNear(ball.centre[0] - halfWidth), test);
    const std::int64_t last = firstTrue(nearest + 1, end, cellNear(ball.centre[0] + halfWidth) + 1,
      [&](std::int64_t x) { return !inside(key, inRow, x); });
    return {static_cast<Coordinate>(first), static_cast<Coordinate>(last)};
  }
};

/// Keeps what lies in, or outside of, the one interval that each row of the set has.
template <class ExecutionSpace, int Dim, class Rows>
void keepRows(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set, const Rows& rows,
  RegionSide side, IntervalSetOn<Dim, ExecutionSpace>& out) {
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const WritableIntervalSet<Dim> region = detail::scratchSet<Dim>(frame, set.numRows(), set.numRows());
  const SetTotals inRegion =
    detail::makeOneIntervalRows<Dim>(context, rows, set.numRows(), [&](const SetTotals& /*totals*/) { return region; });
  const auto operation = side == RegionSide::Inside ? SetOperation::Intersection : SetOperation::Difference;
  const WritableIntervalSet<Dim> target =
    out.prepare(set.numRows() + inRegion.rows, set.numIntervals() + inRegion.intervals);
  out.finish(detail::combineInto<ExecutionSpace, Dim>(
    context, static_cast<unsigned>(operation), set.view(), region.view(inRegion), target));
}

void checkNumber(const char* what, double value, bool mayBeInfinite) {
  if (std::isnan(value) || (!mayBeInfinite && std::isinf(value))) {
    throw InvalidArgument(std::string(what) + " is " + numberText(value) + "; it must be a" +
      (mayBeInfinite ? " number" : " finite number"));
  }
}

/// The cells of an axis, among [begin, end), that belong to the range [low, high].
Interval cellsWithin(
  const GridGeometry<1>& axis, double low, double high, RegionCells cells, std::int64_t begin, std::int64_t end) {
  const auto near = [&](double position) {
    const double cell = std::floor((position - axis.origin[0]) / axis.spacing[0]);
    return static_cast<std::int64_t>(std::max(static_cast<double>(begin), std::min(static_cast<double>(end), cell)));
  };
  if (high < low) { // no point lies in it, though a cell may hold both ends
    return {0, 0};
  }
  const bool touching = cells == RegionCells::Touching;
  const std::int64_t first = firstTrue(begin, end, near(low),
    [&](std::int64_t c) { return touching ? axis.face(0, c + 1) > low : axis.centre(0, c) >= low; });
  const std::int64_t last = firstTrue(first, end, near(high),
    [&](std::int64_t c) { return touching ? axis.face(0, c) >= high : axis.centre(0, c) >= high; });
  return {static_cast<Coordinate>(first), static_cast<Coordinate>(last)};
}

} // namespace

template <class ExecutionSpace, int Dim>
void extractRegion(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const GridGeometry<Dim>& lattice, const BoxRegion<Dim>& box, const RegionChoice& choice,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::extractRegion");
  out.clear();
  for (int d = 0; d < Dim; ++d) {
    checkNumber("the lower end of a box", box.low[d], true);
    checkNumber("the upper end of a box", box.high[d], true);
  }
  if (set.empty()) {
    return;
  }
  const Box<Dim> all = boundingBox<ExecutionSpace, Dim>(context, set);
  RowsInBox<Dim> rows{set.view(), {}};
  for (int d = 0; d < Dim; ++d) {
    const GridGeometry<1> axis{{lattice.origin[d]}, {lattice.spacing[d]}};
    const Interval within = cellsWithin(axis, box.low[d], box.high[d], choice.cells, all.begin[d], all.end[d]);
    rows.box.begin[d] = within.begin;
    rows.box.end[d] = within.end;
  }
  keepRows<ExecutionSpace, Dim>(context, set, rows, choice.side, out);
}

template <class ExecutionSpace, int Dim>
void extractRegion(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const GridGeometry<Dim>& lattice, const BallRegion<Dim>& ball, const RegionChoice& choice,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::extractRegion");
  out.clear();
  for (const double centre : ball.centre) {
    checkNumber("the centre of a ball", centre, false);
  }
  checkNumber("the radius of a ball", ball.radius, false);
  if (ball.radius < 0.0) {
    throw InvalidArgument("the radius of a ball is " + numberText(ball.radius) + "; it must not be negative");
  }
  if (set.empty()) {
    return;
  }
  const Box<Dim> all = boundingBox<ExecutionSpace, Dim>(context, set);
  const RowsInBall<Dim> rows{set.view(), lattice, ball, choice.cells, all.begin[0], all.end[0]};
  keepRows<ExecutionSpace, Dim>(context, set, rows, choice.side, out);
}

#define SPANWISE_EXTRACT_REGION(Space, Dim)                                                                            \
  template void extractRegion<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                     \
    const GridGeometry<Dim>&, const BoxRegion<Dim>&, const RegionChoice&, IntervalSetOn<Dim, Space>&);                 \
  template void extractRegion<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                     \
    const GridGeometry<Dim>&, const BallRegion<Dim>&, const RegionChoice&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_EXTRACT_REGION)

} // namespace spanwise::geometry
