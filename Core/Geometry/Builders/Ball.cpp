#include "Core/Geometry/Builders/Ball.hpp"

#include "Core/Geometry/Detail/ExactArithmetic.hpp"
#include "Core/Geometry/Detail/OneIntervalRows.hpp"
#include "Core/Geometry/RowLimit.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Search.hpp"

#include <cmath>

namespace spanwise::geometry {

namespace {

KOKKOS_FORCEINLINE_FUNCTION double squareToCentre(double centre, std::int64_t c) {
  const double distance = detail::roundedDifference(static_cast<double>(c) + 0.5, centre);
  return detail::roundedProduct(distance, distance);
}

/// The one interval of each row of the ball's bounding box; empty where the row passes the ball.
template <int Dim>
struct BallRows {
  Ball<Dim> ball;
  Box<Dim> box;

  [[nodiscard]] KOKKOS_FUNCTION RowKey<Dim> key(std::int64_t r) const { return box.row(r); }

  KOKKOS_FUNCTION bool inside(const RowKey<Dim>& key, std::int64_t x) const {
    double square = detail::roundedSum(squareToCentre(ball.centre[0], x), squareToCentre(ball.centre[1], key.y));
    if constexpr (Dim == 3) {
      square = detail::roundedSum(square, squareToCentre(ball.centre[2], key.z));
    }
    return square <= detail::roundedProduct(ball.radius, ball.radius);
  }

  // The square root only guesses where the interval ends; the test of the documentation decides.
  [[nodiscard]] KOKKOS_FUNCTION Interval intervalOf(const RowKey<Dim>& key) const {
    const auto nearest = static_cast<std::int64_t>(Kokkos::floor(ball.centre[0]));
    if (!inside(key, nearest)) {
      return {0, 0};
    }
    double square = ball.radius * ball.radius - squareToCentre(ball.centre[1], key.y);
    if constexpr (Dim == 3) {
      square -= squareToCentre(ball.centre[2], key.z);
    }
    const double halfWidth = Kokkos::sqrt(Kokkos::max(square, 0.0));
    const auto first = static_cast<std::int64_t>(Kokkos::ceil(ball.centre[0] - halfWidth - 0.5));
    const auto last = static_cast<std::int64_t>(Kokkos::floor(ball.centre[0] + halfWidth - 0.5));
    const std::int64_t begin = firstTrue(box.begin[0], nearest, first, [&](std::int64_t x) { return inside(key, x); });
    const std::int64_t end =
      firstTrue(nearest + 1, box.end[0], last + 1, [&](std::int64_t x) { return !inside(key, x); });
    return {static_cast<Coordinate>(begin), static_cast<Coordinate>(end)};
  }
};

/// Cells around the ball, one more than the radius says for the rounding.
template <int Dim>
Box<Dim> boundingBoxOf(const Ball<Dim>& ball) {
  if (!std::isfinite(ball.radius) || ball.radius < 0.0) {
    throw InvalidArgument(
      "the radius of a ball is " + numberText(ball.radius) + "; it must be finite and not negative");
  }
  Box<Dim> box{};
  for (int d = 0; d < Dim; ++d) {
    const double low = ball.centre[d] - ball.radius;
    const double high = ball.centre[d] + ball.radius;
    if (!(low >= minCoordinate && high <= maxIntervalEnd)) { // NaN too
      throw InvalidArgument("a ball with the centre " + numberText(ball.centre[d]) + " and the radius " +
        numberText(ball.radius) + " along axis " + std::to_string(d) +
        " is not within the coordinate limits [-2^31, 2^31 - 1]");
    }
    box.begin[d] = static_cast<Coordinate>(std::max<double>(std::floor(low) - 1.0, minCoordinate));
    box.end[d] = static_cast<Coordinate>(std::min<double>(std::ceil(high) + 1.0, maxIntervalEnd));
  }
  return box;
}

} // namespace

template <class ExecutionSpace, int Dim>
void makeBall(const Context<ExecutionSpace>& context, const Ball<Dim>& ball, IntervalSetOn<Dim, ExecutionSpace>& out,
  const parallel::PlaneRange& planes) {
  SPANWISE_REGION("Geometry::makeBall");
  out.clear();
  Box<Dim> box = boundingBoxOf(ball);
  const parallel::PlaneRange rows = parallel::PlaneRange{box.begin[Dim - 1], box.end[Dim - 1]}.within(planes);
  box.begin[Dim - 1] = static_cast<Coordinate>(rows.begin);
  box.end[Dim - 1] = static_cast<Coordinate>(rows.end);
  checkMadeRows(box, "give the ball a smaller radius");
  const SetTotals all = detail::makeOneIntervalRows<Dim>(context, BallRows<Dim>{ball, box}, box.numRows(),
    [&](const SetTotals& totals) { return out.prepare(totals.rows, totals.intervals); });
  out.finish(all);
}

#define SPANWISE_MAKE_BALL(Space, Dim)                                                                                 \
  template void makeBall<Space, Dim>(                                                                                  \
    const Context<Space>&, const Ball<Dim>&, IntervalSetOn<Dim, Space>&, const parallel::PlaneRange&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_BALL)

} // namespace spanwise::geometry
