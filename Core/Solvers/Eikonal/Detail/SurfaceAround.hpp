#pragma once

// What a cell of a grid, and a place in it, sees of a surface that fronts start at.

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/Eikonal/Detail/Bins.hpp"
#include "Core/Solvers/Eikonal/Detail/NearestPlace.hpp"
#include "Core/Solvers/Eikonal/Detail/StraightLine.hpp"
#include "Core/Solvers/Eikonal/Detail/SurfaceItems.hpp"
#include "Core/Solvers/Eikonal/GridLocator.hpp"
#include "Core/Solvers/Eikonal/GridSurface.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace spanwise::eikonal::detail {

/// How many cells from the surface times start at least, where no axis is much faster than another.
inline constexpr double cellsAround = 2.0;
/// How far beside a cell, as a share of its size, what touches it may be.
inline constexpr double looseTouch = 1e-9;

inline constexpr std::int64_t noTriangle = std::numeric_limits<std::int64_t>::max();

/// Triangles as a grid sees them: in 2D all are in the plane z = 0.
template <int Dim>
struct FlatItems {
  SurfaceItems items;

  KOKKOS_FUNCTION void corners(std::int64_t i, Point* points) const {
    items.corners(i, points);
    for (int k = 0; k < 3 && Dim == 2; ++k) {
      points[k][2] = 0.0;
    }
  }
  KOKKOS_FUNCTION Bounds operator()(std::int64_t i) const {
    Bounds bounds = items(i);
    if constexpr (Dim == 2) {
      bounds.low[2] = bounds.high[2] = 0.0;
    }
    return bounds;
  }
};

/// A convex polygon that is cut by a box.
struct Polygon {
  static constexpr int most = 9; ///< a triangle, and a corner more for each side of the box
  Point corners[most];
  int count = 0;

  /// Leaves what is within [low, high] along an axis (I. E. Sutherland, G. W. Hodgman, Commun. ACM 17 (1974) 32-42).
  KOKKOS_INLINE_FUNCTION void clip(int axis, double low, double high) {
    clipAt(axis, -1.0, -low);
    clipAt(axis, 1.0, high);
  }

private:
  KOKKOS_INLINE_FUNCTION void clipAt(int axis, double sign, double limit) {
    Point kept[most];
    int numKept = 0;
    for (int k = 0; k < count; ++k) {
      const Point& here = corners[k];
      const Point& next = corners[k + 1 < count ? k + 1 : 0];
      const double inside = limit - sign * here[axis];
      const double insideNext = limit - sign * next[axis];
      if (inside >= 0.0 && numKept < most) {
        kept[numKept++] = here;
      }
      if ((inside >= 0.0) != (insideNext >= 0.0) && numKept < most) {
        kept[numKept++] = here + (inside / (inside - insideNext)) * (next - here);
      }
    }
    for (int k = 0; k < numKept; ++k) {
      corners[k] = kept[k];
    }
    count = numKept;
  }
};

/// When a place starts, and by which triangle.
struct Start {
  double time = notReached;
  std::int64_t triangle = noTriangle;
  Point way = {}; ///< from the place to the surface

  [[nodiscard]] KOKKOS_FUNCTION bool isBefore(const Start& other) const {
    return time < other.time || (time == other.time && triangle < other.triangle);
  }
};

/// Cells and the surface near them.
template <int Dim>
struct SurfaceAround {
  Locator<Dim> locator;
  FlatItems<Dim> items;
  Bins bins;

  /// When the surface lets a cell start: its centre, or what is `aside` of that, still in the cell.
  [[nodiscard]] KOKKOS_FUNCTION Start startOf(std::int64_t cell, const Point& aside = {}) const {
    Search search{*this, aside};
    if (locator.grid.isWall(cell)) {
      return {};
    }
    const SymmetricTensor tensor = locator.grid.tensor(cell);
    search.inverse = tensor.inverse();
    search.setRadius(tensor);
    const geometry::Cell<Dim> at = locator.grid.coordinates(cell);
    Point centre = {};
    for (int axis = 0; axis < Dim; ++axis) {
      centre[axis] = locator.grid.lattice.centre(axis, at.at[axis]);
    }
    lookAlong<0>(search, centre);
    return search.straight.isBefore(search.touch) ? search.straight : search.touch;
  }

private:
  /// What a place in a cell has found.
  struct Search {
    const SurfaceAround& around;
    Point aside; ///< where the place is, seen from the centre of the cell
    SymmetricTensor inverse = {};
    double radius = 0.0;         ///< a travel time
    Point farthest = {};         ///< what may be near, along each axis
    Point half = {};             ///< of the cell, a little more
    Start touch = {};            ///< from what is in the cell
    Point slowest = {};          ///< the least travel time that a length along each axis takes, a little less
    double nearest = notReached; ///< from the nearest place that is seen, in the medium of the cell,
    Start straight = {};         ///< and in the media on the way

    KOKKOS_FUNCTION void setRadius(const SymmetricTensor& tensor) {
      const geometry::GridGeometry<Dim>& lattice = around.locator.grid.lattice;
      const double across[3] = {inverse.xx, inverse.yy, inverse.zz};
      const double along[3] = {tensor.xx, tensor.yy, tensor.zz};
      double most = notReached;
      for (int axis = 0; axis < Dim; ++axis) {
        const double h = lattice.spacing[axis];
        radius = Kokkos::max(radius, cellsAround * h * Kokkos::sqrt(across[axis]));
        most = Kokkos::min(most, cellsOfSurfaceLines * h / Kokkos::sqrt(along[axis]));
      }
      radius = Kokkos::min(radius, most);
      for (int axis = 0; axis < Dim; ++axis) {
        slowest[axis] = (1.0 - looseTouch) / Kokkos::sqrt(along[axis]);
        half[axis] = (0.5 + looseTouch) * lattice.spacing[axis];
        farthest[axis] = Kokkos::max(half[axis], radius * Kokkos::sqrt(along[axis]) * (1.0 + looseTouch));
      }
    }

    KOKKOS_FUNCTION void consider(std::int64_t i, const Point& centre) {
      Point corners[3];
      around.items.corners(i, corners);
      const Point from = centre + aside;
      const double starts = timeOf(around.items.items.surface.times, i);
      // Most triangles can be told by their bounds to be too far away.
      Bounds bounds = Bounds::empty();
      for (const Point& corner : corners) {
        bounds.add(corner);
      }
      bool mayTouch = true;
      double least = 0.0; // a travel time that is not too long
      for (int axis = 0; axis < Dim; ++axis) {
        mayTouch =
          mayTouch && bounds.low[axis] <= centre[axis] + half[axis] && bounds.high[axis] >= centre[axis] - half[axis];
        const double gap = Kokkos::max(bounds.low[axis] - from[axis], from[axis] - bounds.high[axis]);
        least = Kokkos::max(least, gap * slowest[axis]);
      }
      if (mayTouch) {
        touchBy(i, starts, corners, centre, from);
      }
      if (least > radius || starts + least > nearest) {
        return;
      }
      const Point place = nearestPlace(inverse, corners, from);
      const Point way = from - place;
      const double travel = Kokkos::sqrt(inverse.product(way));
      const double estimate = starts + travel;
      const bool isKnown = estimate == nearest && i == straight.triangle; // a triangle may be in several bins
      if (!(travel <= radius) || estimate > nearest || isKnown) {
        return;
      }
      double onSurface[Dim];
      double vector[Dim];
      for (int axis = 0; axis < Dim; ++axis) {
        onSurface[axis] = place[axis];
        vector[axis] = way[axis];
      }
      double time = 0.0;
      if (addTimeOfLine<Dim>(around.locator, onSurface, vector, time)) {
        const Start found{starts + time, i, -1.0 * way};
        straight = estimate < nearest || found.isBefore(straight) ? found : straight;
        nearest = estimate;
      }
    }

  private:
    KOKKOS_FUNCTION void touchBy(
      std::int64_t i, double starts, const Point* corners, const Point& centre, const Point& from) {
      Polygon inCell;
      for (inCell.count = 0; inCell.count < 3; ++inCell.count) {
        inCell.corners[inCell.count] = corners[inCell.count];
      }
      for (int axis = 0; axis < Dim && inCell.count > 0; ++axis) {
        inCell.clip(axis, centre[axis] - half[axis], centre[axis] + half[axis]);
      }
      for (int k = 0; k < inCell.count; ++k) { // a fan; two corners or one are a segment or a point
        const Point fan[3] = {inCell.corners[0], inCell.corners[k], inCell.corners[k + 1 < inCell.count ? k + 1 : 0]};
        const Point way = from - nearestPlace(inverse, fan, from);
        const Start candidate{starts + Kokkos::sqrt(inverse.product(way)), i, -1.0 * way};
        touch = candidate.isBefore(touch) ? candidate : touch;
      }
    }
  };

  /// Looks for triangles around a place and all its copies along axes that repeat, from `axis` on.
  template <int axis>
  KOKKOS_FUNCTION void lookAlong(Search& search, const Point& centre) const {
    if constexpr (axis == Dim) {
      Bounds box = Bounds::empty();
      const Point place = centre + search.aside;
      box.add(centre - search.farthest);
      box.add(centre + search.farthest);
      box.add(place - search.farthest);
      box.add(place + search.farthest);
      bins.forItems(box, [&](std::int64_t i) { search.consider(i, centre); });
    } else if (!locator.grid.periods.along[axis]) {
      lookAlong<axis + 1>(search, centre);
    } else {
      const double length = locator.grid.period(axis);
      const double most = search.farthest[axis] + Kokkos::abs(search.aside[axis]);
      const double first = Kokkos::ceil((bins.bounds.low[axis] - most - centre[axis]) / length);
      const double last = Kokkos::floor((bins.bounds.high[axis] + most - centre[axis]) / length);
      for (int copy = 0; copy <= last - first; ++copy) {
        Point moved = centre;
        moved[axis] += (first + copy) * length;
        lookAlong<axis + 1>(search, moved);
      }
    }
  }
};

/// `set` is that of the grid. Throws InvalidArgument as startAtSurface() does. Valid until `frame` closes.
template <class ExecutionSpace, int Dim>
SurfaceAround<Dim> makeAround(const ExecutionSpace& space, const Grid<Dim, ExecutionSpace>& grid,
  const SurfaceSources& surface, typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  if (surface.count >= std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(
      "the source surface has " + std::to_string(surface.count) + " triangles: there must be fewer than 2^31 - 1");
  }
  checkSurface(space, surface);
  const FlatItems<Dim> items{{surface}};
  const SurfaceAround<Dim> around{
    {grid.view(), grid.set().view()}, items, makeBins(space, items, surface.count, frame)};
  constexpr double maxPeriods = 1000.0;
  for (int axis = 0; axis < Dim; ++axis) {
    const double length = around.bins.bounds.high[axis] - around.bins.bounds.low[axis];
    if (grid.view().periods.along[axis] && !(length <= maxPeriods * grid.view().period(axis))) {
      throw InvalidArgument("the source surface is " + numberText(length) + " long along an axis with the period " +
        numberText(grid.view().period(axis)) + ": it must not be longer than 1000 periods");
    }
  }
  return around;
}

} // namespace spanwise::eikonal::detail
