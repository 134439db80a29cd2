#include "Core/Solvers/Eikonal/GridSurface.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/Bins.hpp"
#include "Core/Solvers/Eikonal/Detail/StraightLine.hpp"
#include "Core/Solvers/Eikonal/Detail/SurfaceItems.hpp"
#include "Core/Solvers/Eikonal/GridLocator.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <limits>
#include <string>

namespace spanwise::eikonal {

namespace {

using detail::Bins;
using detail::Bounds;
using detail::Range;
using detail::SurfaceItems;

/// How many cells from the surface times start at least, where no axis is much faster than another.
constexpr double cellsAround = 2.0;
/// How far beside a cell, as a share of its size, what touches it may be.
constexpr double looseTouch = 1e-9;

constexpr std::int64_t noTriangle = std::numeric_limits<std::int64_t>::max();

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

/// The place of a triangle that is nearest to a point by travel time. Of one whose corners are nearly in a line
/// rounding leaves no more than its sides, so these are always looked at.
KOKKOS_INLINE_FUNCTION Point nearestPlace(const SymmetricTensor& inverse, const Point* x, const Point& point) {
  double lengths[3]; // squared, of the sides from each corner to the next
  double distances[3];
  for (int k = 0; k < 3; ++k) {
    lengths[k] = inverse.product(x[(k + 1) % 3] - x[k]);
    distances[k] = inverse.product(point - x[k]);
  }
  const Arrival<3> inside =
    updateFromFace(0.0, 0.0, 0.0, lengths[0], lengths[2], lengths[1], distances[0], distances[1], distances[2]);
  Point best = x[0] + (inside.weight[1] * (x[1] - x[0]) + inside.weight[2] * (x[2] - x[0]));
  double least = inverse.product(point - best);
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Arrival<2> onSide = updateFromEdge(0.0, 0.0, lengths[k], distances[k], distances[next]);
    const Point place = x[next] + onSide.weight[0] * (x[k] - x[next]);
    const double distance = inverse.product(point - place);
    if (distance < least) {
      least = distance;
      best = place;
    }
  }
  return best;
}

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

/// When a cell starts, and by which triangle.
struct Start {
  double time = notReached;
  std::int64_t triangle = noTriangle;

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

  /// When the surface lets a cell start.
  [[nodiscard]] KOKKOS_FUNCTION Start startOf(std::int64_t cell) const {
    Search search{*this};
    if (locator.grid.isWall(cell)) {
      return {};
    }
    const SymmetricTensor tensor = locator.grid.tensor(cell);
    search.inverse = tensor.inverse();
    search.setRadius(tensor);
    const Cell<Dim> at = locator.grid.coordinates(cell);
    Point centre = {};
    for (int axis = 0; axis < Dim; ++axis) {
      centre[axis] = locator.grid.lattice.centre(axis, at.at[axis]);
    }
    lookAlong<0>(search, centre);
    return search.straight.isBefore(search.touch) ? search.straight : search.touch;
  }

private:
  /// What a cell has found.
  struct Search {
    const SurfaceAround& around;
    SymmetricTensor inverse = {};
    double radius = 0.0;         ///< a travel time
    Point farthest = {};         ///< what may be near, along each axis
    Point half = {};             ///< of the cell, a little more
    Start touch = {};            ///< from what is in the cell
    Point slowest = {};          ///< the least travel time that a length along each axis takes, a little less
    double nearest = notReached; ///< from the nearest place that is seen, in the medium of the cell,
    Start straight = {};         ///< and in the media on the way

    KOKKOS_FUNCTION void setRadius(const SymmetricTensor& tensor) {
      const Lattice<Dim>& lattice = around.locator.grid.lattice;
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
      const double starts = detail::timeOf(around.items.items.surface.times, i);
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
        const double gap = Kokkos::max(bounds.low[axis] - centre[axis], centre[axis] - bounds.high[axis]);
        least = Kokkos::max(least, gap * slowest[axis]);
      }
      if (mayTouch) {
        touchBy(i, starts, corners, centre);
      }
      if (least > radius || starts + least > nearest) {
        return;
      }
      const Point place = nearestPlace(inverse, corners, centre);
      const Point way = centre - place;
      const double travel = Kokkos::sqrt(inverse.product(way));
      const double estimate = starts + travel;
      const bool isKnown = estimate == nearest && i == straight.triangle; // a triangle may be in several bins
      if (!(travel <= radius) || estimate > nearest || isKnown) {
        return;
      }
      double from[Dim];
      double vector[Dim];
      double cells = 1.0;
      for (int axis = 0; axis < Dim; ++axis) {
        from[axis] = place[axis];
        vector[axis] = way[axis];
        cells = Kokkos::max(cells, Kokkos::ceil(Kokkos::abs(way[axis]) / around.locator.grid.lattice.spacing[axis]));
      }
      double time = 0.0;
      if (detail::addTimeOfLine<Dim>(
            around.locator, from, vector, detail::partsOfLine * static_cast<int>(cells), time)) {
        const Start found{starts + time, i};
        straight = estimate < nearest || found.isBefore(straight) ? found : straight;
        nearest = estimate;
      }
    }

  private:
    KOKKOS_FUNCTION void touchBy(std::int64_t i, double starts, const Point* corners, const Point& centre) {
      Polygon inCell;
      for (inCell.count = 0; inCell.count < 3; ++inCell.count) {
        inCell.corners[inCell.count] = corners[inCell.count];
      }
      for (int axis = 0; axis < Dim && inCell.count > 0; ++axis) {
        inCell.clip(axis, centre[axis] - half[axis], centre[axis] + half[axis]);
      }
      for (int k = 0; k < inCell.count; ++k) { // a fan; two corners or one are a segment or a point
        const Point fan[3] = {inCell.corners[0], inCell.corners[k], inCell.corners[k + 1 < inCell.count ? k + 1 : 0]};
        const Start candidate{starts + Kokkos::sqrt(inverse.product(centre - nearestPlace(inverse, fan, centre))), i};
        touch = candidate.isBefore(touch) ? candidate : touch;
      }
    }
  };

  /// Looks for triangles around a place and all its copies along axes that repeat, from `axis` on.
  template <int axis>
  KOKKOS_FUNCTION void lookAlong(Search& search, const Point& centre) const {
    if constexpr (axis == Dim) {
      Bounds box = Bounds::empty();
      box.add(centre - search.farthest);
      box.add(centre + search.farthest);
      bins.forItems(box, [&](std::int64_t i) { search.consider(i, centre); });
    } else if (!locator.grid.periods.along[axis]) {
      lookAlong<axis + 1>(search, centre);
    } else {
      const double length = locator.grid.period(axis);
      const double first = Kokkos::ceil((bins.bounds.low[axis] - search.farthest[axis] - centre[axis]) / length);
      const double last = Kokkos::floor((bins.bounds.high[axis] + search.farthest[axis] - centre[axis]) / length);
      for (int copy = 0; copy <= last - first; ++copy) {
        Point moved = centre;
        moved[axis] += (first + copy) * length;
        lookAlong<axis + 1>(search, moved);
      }
    }
  }
};

template <int Dim>
struct StartAround {
  SurfaceAround<Dim> around;
  std::int64_t firstCell;
  double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    const std::int64_t cell = firstCell + i;
    const Start start = around.startOf(cell);
    if (start.time < notReached) {
      times[cell] = Kokkos::min(times[cell], start.time);
      ++count;
    }
  }
};

template <int Dim>
struct LabelAround {
  SurfaceAround<Dim> around;
  std::int64_t firstCell;
  std::int64_t firstLabel;
  const double* times;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t cell = firstCell + i;
    if (labels[cell] >= 0 || !(times[cell] < notReached)) {
      return;
    }
    const Start start = around.startOf(cell);
    if (start.time == times[cell]) {
      labels[cell] = static_cast<std::int32_t>(firstLabel + start.triangle);
    }
  }
};

template <class ExecutionSpace, int Dim>
SurfaceAround<Dim> makeAround(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid, const SurfaceSources& surface,
  typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  if (surface.count >= std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(
      "the source surface has " + std::to_string(surface.count) + " triangles: there must be fewer than 2^31 - 1");
  }
  detail::checkSurface(space, surface);
  const FlatItems<Dim> items{{surface}};
  const SurfaceAround<Dim> around{
    {grid.view(), set.view()}, items, detail::makeBins(space, items, surface.count, frame)};
  constexpr double mostPeriods = 1000.0;
  for (int axis = 0; axis < Dim; ++axis) {
    const double length = around.bins.bounds.high[axis] - around.bins.bounds.low[axis];
    if (grid.view().periods.along[axis] && !(length <= mostPeriods * grid.view().period(axis))) {
      throw InvalidArgument("the source surface is " + spanwise::detail::numberText(length) +
        " long along an axis with the period " + spanwise::detail::numberText(grid.view().period(axis)) +
        ": it must not be longer than 1000 periods");
    }
  }
  return around;
}

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t startAtSurface(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid, const SurfaceSources& surface, CellRange cells,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::startAtSurface");
  if (static_cast<std::int64_t>(times.extent(0)) != grid.numCells() || set.numCells() != grid.numCells()) {
    throw InvalidArgument("there are " + std::to_string(times.extent(0)) + " times, " + std::to_string(set.numCells()) +
      " cells in the set and " + std::to_string(grid.numCells()) + " in the grid: the numbers must be equal");
  }
  std::int64_t count = 0;
  if (surface.count > 0) {
    typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
    reduce(SPANWISE_KERNEL("start surface"), Range<ExecutionSpace>(space, 0, cells.count()),
      StartAround<Dim>{makeAround<ExecutionSpace, Dim>(space, set, grid, surface, frame), cells.begin, times.data()},
      count);
  }
  return count;
}

template <class ExecutionSpace, int Dim>
void labelAtSurface(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid, const SurfaceSources& surface, CellRange cells,
  std::int64_t first, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::labelAtSurface");
  if (surface.count > 0) {
    typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
    spanwise::detail::forEach(SPANWISE_KERNEL("label surface"), Range<ExecutionSpace>(space, 0, cells.count()),
      LabelAround<Dim>{makeAround<ExecutionSpace, Dim>(space, set, grid, surface, frame), cells.begin, first,
        times.data(), labels.data()});
  }
}

#define SPANWISE_GRID_SURFACE(Space, Dim)                                                                              \
  template std::int64_t startAtSurface<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&,                     \
    const Grid<Dim, Space::memory_space>&, const SurfaceSources&, CellRange,                                           \
    const Kokkos::View<double*, Space::memory_space>&, Workspace<Space::memory_space>&);                               \
  template void labelAtSurface<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&,                             \
    const Grid<Dim, Space::memory_space>&, const SurfaceSources&, CellRange, std::int64_t,                             \
    const Kokkos::View<double*, Space::memory_space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&,        \
    Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_SURFACE)

} // namespace spanwise::eikonal
