#include "SpanwiseGridPlaces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Place = std::array<double, 3>;

/// How far a value is from a range.
double beside(double value, double low, double high) { return std::max({low - value, value - high, 0.0}); }

constexpr double nowhere = std::numeric_limits<double>::infinity();

/// Moves a place to the nearest one in a cell and returns how far, squared; `nowhere` if there is none within `reach`.
template <int Dim>
double moveIntoCells(const IntervalGrid<Dim>& grid, double reach, Place& place) {
  const IntervalSetView<Dim>& cells = grid.cells();
  const GridPlacement& at = grid.placement();
  double least = reach * reach;
  Place nearest = place;
  bool found = false;
  for (std::int64_t r = 0; r < cells.numRows; ++r) {
    const RowKey<Dim>& key = cells.rowKeys[r];
    Place moved = place;
    double besideRow = 0.0;
    const auto clampTo = [&](int axis, std::int64_t begin, std::int64_t end) {
      const double low = at.position(axis, begin);
      const double high = at.position(axis, end);
      const double distance = beside(place[axis], low, high);
      moved[axis] = std::clamp(place[axis], low, high);
      return distance * distance;
    };
    besideRow += clampTo(1, key.y, std::int64_t{key.y} + 1);
    if constexpr (Dim == 3) {
      besideRow += clampTo(2, key.z, std::int64_t{key.z} + 1);
    }
    if (besideRow > least) {
      continue;
    }
    // The first interval that ends behind the place, and the one before it.
    const Interval* const first = cells.intervals + cells.rowOffsets[r];
    const Interval* const end = cells.intervals + cells.rowOffsets[r + 1];
    const Interval* const behind = std::upper_bound(
      first, end, place[0], [&](double x, const Interval& interval) { return x < at.position(0, interval.end); });
    for (const Interval* i = behind == first ? behind : behind - 1; i != end && i <= behind; ++i) {
      const double squared = besideRow + clampTo(0, i->begin, i->end);
      if (squared <= least) {
        least = squared;
        nearest = moved;
        found = true;
      }
    }
  }
  place = nearest;
  return found ? least : nowhere;
}

/// A place on an upper face goes into the cell that is said to hold it.
template <int Dim>
void moveOffFaces(const IntervalGrid<Dim>& grid, const Cell<Dim>& cell, Place& place) {
  constexpr double inside = 1e-9;
  const GridPlacement& at = grid.placement();
  for (int axis = 0; axis < Dim; ++axis) {
    const double local = (place[axis] - at.origin[axis]) / at.spacing[axis] - cell.at[axis];
    if (!(local >= 0.0 && local < 1.0)) {
      place[axis] = at.origin[axis] + at.spacing[axis] * (cell.at[axis] + std::clamp(local, inside, 1.0 - inside));
    }
  }
}

/// Moves a place into a cell of the grid and returns how far, squared; `nowhere` where there is none.
template <int Dim>
double placeIn(const IntervalGrid<Dim>& grid, const Periods<Dim>& periods, double reach, Place& place) {
  const GridPlacement& at = grid.placement();
  if (!std::all_of(place.begin(), place.end(), [](double x) { return std::isfinite(x); })) {
    return nowhere;
  }
  if constexpr (Dim == 2) {
    if (std::abs(place[2] - at.origin[2]) > reach + 1e-6 * std::max(at.spacing[0], at.spacing[1])) {
      return nowhere;
    }
  }
  for (int axis = 0; axis < Dim; ++axis) {
    if (periods.along[axis]) {
      const double length = static_cast<double>(periods.box.extent(axis)) * at.spacing[axis];
      place[axis] -= length * std::floor((place[axis] - at.position(axis, periods.box.begin[axis])) / length);
    }
  }
  double local[Dim];
  double distance = 0.0;
  std::int64_t cell = grid.findCell(place.data(), local);
  if (cell < 0) {
    distance = moveIntoCells(grid, reach, place);
    cell = distance < nowhere ? grid.findCell(place.data(), local) : -1;
  }
  if (cell < 0) {
    return nowhere;
  }
  moveOffFaces(grid, grid.cellAt(cell), place);
  return distance;
}

} // namespace

template <int Dim>
std::vector<double> placesIn(const RankGroup& group, const IntervalGrid<Dim>& grid, const Periods<Dim>& periods,
  const std::vector<double>& points, double reach) {
  constexpr std::size_t each = Dim + 1; // the distance and the place
  std::vector<double> mine;
  for (std::size_t k = 0; k < points.size(); k += 3) {
    Place place{points[k], points[k + 1], points[k + 2]};
    mine.push_back(placeIn(grid, periods, reach, place));
    mine.insert(mine.end(), place.begin(), place.begin() + Dim);
  }
  const std::vector<double> all = group.gather(mine);
  std::vector<double> places;
  for (std::size_t k = 0; k < mine.size(); k += each) {
    // Of equally near ones the last, as on one rank: on a face that is the upper cell.
    double least = nowhere;
    std::size_t best = all.size();
    for (std::size_t from = k; from < all.size(); from += mine.size()) {
      if (all[from] < nowhere && all[from] <= least) {
        least = all[from];
        best = from;
      }
    }
    for (int axis = 0; axis < Dim; ++axis) {
      places.push_back(
        best < all.size() ? all[best + 1 + static_cast<std::size_t>(axis)] : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return places;
}

template std::vector<double> placesIn<2>(
  const RankGroup&, const IntervalGrid<2>&, const Periods<2>&, const std::vector<double>&, double);
template std::vector<double> placesIn<3>(
  const RankGroup&, const IntervalGrid<3>&, const Periods<3>&, const std::vector<double>&, double);

} // namespace spanwise
