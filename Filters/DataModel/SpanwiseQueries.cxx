#include "SpanwiseQueries.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A closed range of real numbers.
struct Span {
  double low;
  double high;

  [[nodiscard]] bool empty() const { return !(low <= high); }
  [[nodiscard]] Span grown(double by) const { return {low - by, high + by}; }
};

// The cells [first, last] along an axis that a range in cell units touches, within the limits of coordinates.
struct CellRange {
  std::int64_t first;
  std::int64_t last;
};

CellRange cellsTouching(const Span& span) {
  constexpr double lowest = minCoordinate;
  constexpr double highest = maxRowKey;
  if (span.empty()) { // not a number, too
    return {1, 0};
  }
  return {static_cast<std::int64_t>(std::clamp(std::ceil(span.low - 1.0), lowest, highest + 1.0)),
    static_cast<std::int64_t>(std::clamp(std::floor(span.high), lowest - 1.0, highest))};
}

template <int Dim>
RowKey<Dim> keyOf(std::int64_t y, std::int64_t z) {
  return RowKey<Dim>::fromYZ(static_cast<Coordinate>(y), static_cast<Coordinate>(z));
}

// Calls visit(first, last) for the cells of row r within a range of x.
template <int Dim, class Visit>
void runsInRow(const IntervalSetView<Dim>& set, std::int64_t r, const CellRange& x, const Visit& visit) {
  if (x.first > x.last) {
    return;
  }
  for (std::int64_t i = set.lowerInterval(r, static_cast<Coordinate>(x.first)); i < set.rowOffsets[r + 1]; ++i) {
    const Interval interval = set.intervals[i];
    if (interval.begin > x.last) {
      return;
    }
    const std::int64_t begin = std::max<std::int64_t>(interval.begin, x.first);
    const std::int64_t end = std::min<std::int64_t>(interval.end, x.last + 1);
    visit(set.cellOffsets[i] + (begin - interval.begin), set.cellOffsets[i] + (end - interval.begin));
  }
}

// A segment in cell units: begin + t way, t in [0, 1].
template <int Dim>
class LineWalk {
public:
  LineWalk(const IntervalGrid<Dim>& grid, const double begin[3], const double end[3], double tolerance,
    const std::function<bool(const LineInCell&)>& visit)
    : set_(grid.cells()), visit_(visit) {
    for (int d = 0; d < 3; ++d) {
      const double spacing = grid.placement().spacing[d];
      begin_[d] = (begin[d] - grid.placement().origin[d]) / spacing;
      way_[d] = (end[d] - begin[d]) / spacing;
      tolerance_[d] = tolerance / spacing;
    }
    if constexpr (Dim == 2) {
      const double roundOff = 4.0 * std::numeric_limits<double>::epsilon() *
        (std::abs(begin[2]) + std::abs(end[2]) + std::abs(grid.placement().origin[2]));
      planeTolerance_ = std::max(tolerance, roundOff) / grid.placement().spacing[2];
    }
  }

  void run() const {
    const Span whole{0.0, 1.0};
    if constexpr (Dim == 2) {
      const Span inPlane = clip(whole, 2, {-planeTolerance_, planeTolerance_});
      if (!inPlane.empty()) {
        static_cast<void>(rows(inPlane, 0));
      }
    } else {
      planes(whole);
    }
  }

private:
  // The part of `t` in which the segment is within a range along an axis.
  [[nodiscard]] Span clip(const Span& t, int axis, const Span& range) const {
    if (way_[axis] == 0.0) {
      const bool inside = range.low <= begin_[axis] && begin_[axis] <= range.high;
      return inside ? t : Span{1.0, 0.0};
    }
    double in = (range.low - begin_[axis]) / way_[axis];
    double out = (range.high - begin_[axis]) / way_[axis];
    if (in > out) {
      std::swap(in, out);
    }
    return {std::max(t.low, in), std::min(t.high, out)};
  }

  // What the segment covers along an axis during `t`.
  [[nodiscard]] CellRange covered(const Span& t, int axis) const {
    const double a = begin_[axis] + t.low * way_[axis];
    const double b = begin_[axis] + t.high * way_[axis];
    return cellsTouching(Span{std::min(a, b), std::max(a, b)}.grown(tolerance_[axis]));
  }

  [[nodiscard]] Span cell(std::int64_t c, int axis) const {
    return Span{static_cast<double>(c), static_cast<double>(c) + 1.0}.grown(tolerance_[axis]);
  }

  // The planes of constant z that exist, in the order in which they are met.
  void planes(const Span& t) const {
    const CellRange z = covered(t, 2);
    const bool up = way_[2] >= 0.0;
    std::int64_t next = up ? z.first : z.last;
    while (next >= z.first && next <= z.last) {
      const std::int64_t r =
        up ? set_.lowerRow(keyOf<Dim>(minCoordinate, next)) : set_.lowerRow(keyOf<Dim>(minCoordinate, next + 1)) - 1;
      if (r < 0 || r >= set_.numRows) {
        return;
      }
      const std::int64_t plane = set_.rowKeys[r].zOr0();
      if (plane < z.first || plane > z.last) {
        return;
      }
      const Span inPlane = clip(t, 2, cell(plane, 2));
      if (!inPlane.empty() && !rows(inPlane, plane)) {
        return;
      }
      next = up ? plane + 1 : plane - 1;
    }
  }

  // The rows of a plane that exist. False: the visitor wants no more.
  [[nodiscard]] bool rows(const Span& t, std::int64_t plane) const {
    const CellRange y = covered(t, 1);
    if (y.first > y.last) {
      return true;
    }
    const std::int64_t first = set_.lowerRow(keyOf<Dim>(y.first, plane));
    std::int64_t last = set_.lowerRow(keyOf<Dim>(y.last, plane)); // itself, if it exists
    if (last == set_.numRows || !(set_.rowKeys[last] == keyOf<Dim>(y.last, plane))) {
      --last;
    }
    const bool up = way_[1] >= 0.0;
    for (std::int64_t k = 0; k <= last - first; ++k) {
      const std::int64_t r = up ? first + k : last - k;
      const Span inRow = clip(t, 1, cell(set_.rowKeys[r].y, 1));
      if (!inRow.empty() && !cells(inRow, r)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool cells(const Span& t, std::int64_t r) const {
    const CellRange x = covered(t, 0);
    if (x.first > x.last) {
      return true;
    }
    const bool right = way_[0] >= 0.0;
    const std::int64_t first = set_.lowerInterval(r, static_cast<Coordinate>(x.first));
    std::int64_t last = set_.lowerInterval(r, static_cast<Coordinate>(x.last));
    if (last == set_.rowOffsets[r + 1] || set_.intervals[last].begin > x.last) {
      --last;
    }
    for (std::int64_t k = 0; k <= last - first; ++k) {
      if (!interval(t, right ? first + k : last - k, x, right)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool interval(const Span& t, std::int64_t i, const CellRange& x, bool right) const {
    const Interval here = set_.intervals[i];
    const std::int64_t first = std::max<std::int64_t>(here.begin, x.first);
    const std::int64_t last = std::min<std::int64_t>(here.end - 1, x.last);
    for (std::int64_t k = 0; k <= last - first; ++k) {
      const std::int64_t c = right ? first + k : last - k;
      const Span inCell = clip(t, 0, cell(c, 0));
      if (!inCell.empty() && !visit_({set_.cellOffsets[i] + (c - here.begin), inCell.low, inCell.high})) {
        return false;
      }
    }
    return true;
  }

  IntervalSetView<Dim> set_;
  const std::function<bool(const LineInCell&)>& visit_;
  double begin_[3];
  double way_[3];
  double tolerance_[3];
  double planeTolerance_ = 0.0;
};

// Looks outwards from a position: planes by their distance, in each of them rows by theirs.
template <int Dim>
class NearestSearch {
public:
  NearestSearch(const IntervalGrid<Dim>& grid, const double position[3], double radius)
    : grid_(grid), set_(grid.cells()), position_(position) {
    best_.distance2 = radius * radius;
    if constexpr (Dim == 2) {
      planeDistance2_ = square(position[2] - grid.placement().origin[2]);
    }
  }

  [[nodiscard]] NearestCell run() {
    if (!set_.numRows || std::isnan(position_[0]) || std::isnan(position_[1]) || std::isnan(position_[2])) {
      return {};
    }
    if constexpr (Dim == 2) {
      rows(0, planeDistance2_);
    } else {
      planes();
    }
    preferContaining();
    return best_;
  }

private:
  static double square(double value) { return value * value; }

  // The place of [begin, end) along an axis that is nearest to the position.
  [[nodiscard]] double nearest(int axis, std::int64_t begin, std::int64_t end) const {
    return std::clamp(position_[axis], grid_.placement().position(axis, begin), grid_.placement().position(axis, end));
  }
  [[nodiscard]] double distance2(int axis, std::int64_t begin, std::int64_t end) const {
    return square(position_[axis] - nearest(axis, begin, end));
  }
  // The cell coordinate of the position along an axis, within the limits.
  [[nodiscard]] Coordinate coordinate(int axis) const {
    const double t = std::floor((position_[axis] - grid_.placement().origin[axis]) / grid_.placement().spacing[axis]);
    return static_cast<Coordinate>(std::clamp(t, static_cast<double>(minCoordinate), static_cast<double>(maxRowKey)));
  }

  [[nodiscard]] bool canImprove(double distance2) const {
    return best_.cell < 0 ? distance2 <= best_.distance2 : distance2 < best_.distance2;
  }

  void planes() {
    const Coordinate z = coordinate(2);
    std::int64_t above = set_.lowerRow(keyOf<Dim>(minCoordinate, z)); // the first row of the next plane upwards
    std::int64_t below = above - 1;                                   // the last row of the next plane downwards
    double distanceAbove = planeDistance2(above);
    double distanceBelow = planeDistance2(below);
    while (std::min(distanceAbove, distanceBelow) < infinity && canImprove(std::min(distanceAbove, distanceBelow))) {
      if (distanceAbove <= distanceBelow) {
        const std::int64_t plane = set_.rowKeys[above].zOr0();
        rows(plane, distanceAbove);
        above = set_.lowerRow(keyOf<Dim>(minCoordinate, plane + 1));
        distanceAbove = planeDistance2(above);
      } else {
        const std::int64_t plane = set_.rowKeys[below].zOr0();
        rows(plane, distanceBelow);
        below = set_.lowerRow(keyOf<Dim>(minCoordinate, plane)) - 1;
        distanceBelow = planeDistance2(below);
      }
    }
  }

  [[nodiscard]] double planeDistance2(std::int64_t r) const {
    if (r < 0 || r >= set_.numRows) {
      return infinity;
    }
    const std::int64_t z = set_.rowKeys[r].zOr0();
    return distance2(2, z, z + 1);
  }

  void rows(std::int64_t plane, double fromPlane) {
    std::int64_t above = set_.lowerRow(keyOf<Dim>(coordinate(1), plane));
    std::int64_t below = above - 1;
    double distanceAbove = rowDistance2(above, plane, fromPlane);
    double distanceBelow = rowDistance2(below, plane, fromPlane);
    while (std::min(distanceAbove, distanceBelow) < infinity && canImprove(std::min(distanceAbove, distanceBelow))) {
      if (distanceAbove <= distanceBelow) {
        row(above, distanceAbove);
        distanceAbove = rowDistance2(++above, plane, fromPlane);
      } else {
        row(below, distanceBelow);
        distanceBelow = rowDistance2(--below, plane, fromPlane);
      }
    }
  }

  [[nodiscard]] double rowDistance2(std::int64_t r, std::int64_t plane, double fromPlane) const {
    if (r < 0 || r >= set_.numRows || set_.rowKeys[r].zOr0() != plane) {
      return infinity;
    }
    const std::int64_t y = set_.rowKeys[r].y;
    return fromPlane + distance2(1, y, y + 1);
  }

  void row(std::int64_t r, double fromRow) {
    const std::int64_t right = set_.lowerInterval(r, coordinate(0));
    for (std::int64_t i = std::max(right - 1, set_.rowOffsets[r]); i <= right && i < set_.rowOffsets[r + 1]; ++i) {
      const Interval here = set_.intervals[i];
      const double distance = fromRow + distance2(0, here.begin, here.end);
      if (canImprove(distance)) {
        const std::int64_t x = std::clamp<std::int64_t>(coordinate(0), here.begin, here.end - 1);
        const std::int64_t y = set_.rowKeys[r].y;
        const std::int64_t z = set_.rowKeys[r].zOr0();
        best_.cell = set_.cellOffsets[i] + (x - here.begin);
        best_.distance2 = distance;
        best_.point[0] = nearest(0, x, x + 1);
        best_.point[1] = nearest(1, y, y + 1);
        best_.point[2] = Dim == 2 ? grid_.placement().origin[2] : nearest(2, z, z + 1);
      }
    }
  }

  // On a face several cells are equally near.
  void preferContaining() {
    if (best_.cell >= 0 && best_.distance2 == planeDistance2_) {
      double local[Dim];
      const std::int64_t found = grid_.findCell(position_, local);
      best_.cell = found >= 0 ? found : best_.cell;
    }
  }

  const IntervalGrid<Dim>& grid_;
  IntervalSetView<Dim> set_;
  const double* position_;
  double planeDistance2_ = 0.0;
  NearestCell best_;
};

} // namespace

template <int Dim>
void walkLine(const IntervalGrid<Dim>& grid, const double begin[3], const double end[3], double tolerance,
  const std::function<bool(const LineInCell&)>& visit) {
  LineWalk<Dim>(grid, begin, end, tolerance, visit).run();
}

template <int Dim>
NearestCell nearestCell(const IntervalGrid<Dim>& grid, const double position[3], double radius) {
  return NearestSearch<Dim>(grid, position, radius).run();
}

template <int Dim>
void cellsInBounds(const IntervalGrid<Dim>& grid, const double bounds[6],
  const std::function<void(std::int64_t first, std::int64_t last)>& visit) {
  const GridPlacement& placement = grid.placement();
  CellRange ranges[3]{{0, 0}, {0, 0}, {0, 0}};
  for (int d = 0; d < Dim; ++d) {
    ranges[d] = cellsTouching({(bounds[2 * d] - placement.origin[d]) / placement.spacing[d],
      (bounds[2 * d + 1] - placement.origin[d]) / placement.spacing[d]});
    if (ranges[d].first > ranges[d].last) {
      return;
    }
  }
  if (Dim == 2 && (bounds[4] > placement.origin[2] || bounds[5] < placement.origin[2])) {
    return;
  }
  const IntervalSetView<Dim>& set = grid.cells();
  const RowKey<Dim> end = keyOf<Dim>(ranges[1].last, ranges[2].last);
  std::int64_t r = set.lowerRow(keyOf<Dim>(ranges[1].first, ranges[2].first));
  while (r < set.numRows && !(end < set.rowKeys[r])) {
    const RowKey<Dim> key = set.rowKeys[r];
    if (key.y < ranges[1].first) {
      r = set.lowerRow(keyOf<Dim>(ranges[1].first, key.zOr0()));
    } else if (key.y > ranges[1].last) {
      r = set.lowerRow(keyOf<Dim>(ranges[1].first, key.zOr0() + 1));
    } else {
      runsInRow(set, r, ranges[0], visit);
      ++r;
    }
  }
}

template <int Dim>
void cellsOnPlane(const IntervalGrid<Dim>& grid, const double origin[3], const double normal[3], double tolerance,
  const std::function<void(std::int64_t first, std::int64_t last)>& visit) {
  const GridPlacement& placement = grid.placement();
  const IntervalSetView<Dim>& set = grid.cells();
  const double reach = tolerance * std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  // What the plane's function, normal . (x - origin), takes over [c, c + size] along an axis.
  const auto valuesOver = [&](int axis, std::int64_t c, std::int64_t size) {
    const double a = normal[axis] * (placement.position(axis, c) - origin[axis]);
    const double b = normal[axis] * (placement.position(axis, c + size) - origin[axis]);
    return Span{std::min(a, b), std::max(a, b)};
  };
  for (std::int64_t r = 0; r < set.numRows; ++r) {
    const Span y = valuesOver(1, set.rowKeys[r].y, 1);
    const Span z = valuesOver(2, set.rowKeys[r].zOr0(), Dim == 2 ? 0 : 1);
    const Span rest = Span{y.low + z.low, y.high + z.high}.grown(reach);
    Span x{-infinity, infinity};
    if (normal[0] != 0.0) {
      const double a = (origin[0] - rest.high / normal[0] - placement.origin[0]) / placement.spacing[0];
      const double b = (origin[0] - rest.low / normal[0] - placement.origin[0]) / placement.spacing[0];
      x = {std::min(a, b), std::max(a, b)};
    } else if (rest.low > 0.0 || rest.high < 0.0) {
      continue;
    }
    runsInRow(set, r, cellsTouching(x), visit);
  }
}

#define SPANWISE_QUERIES(Dim)                                                                                          \
  template void walkLine(const IntervalGrid<Dim>&, const double[3], const double[3], double,                           \
    const std::function<bool(const LineInCell&)>&);                                                                    \
  template NearestCell nearestCell(const IntervalGrid<Dim>&, const double[3], double);                                 \
  template void cellsInBounds(                                                                                         \
    const IntervalGrid<Dim>&, const double[6], const std::function<void(std::int64_t, std::int64_t)>&);                \
  template void cellsOnPlane(const IntervalGrid<Dim>&, const double[3], const double[3], double,                       \
    const std::function<void(std::int64_t, std::int64_t)>&);
SPANWISE_QUERIES(2)
SPANWISE_QUERIES(3)

} // namespace spanwise
