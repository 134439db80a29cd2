#include "Core/Solvers/Eikonal/SurfaceDistance.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Field/Threshold.hpp"
#include "Core/Geometry/Builders/TouchedCells.hpp"
#include "Core/Geometry/CellSpan.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/PointBounds.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/SurfaceIndices.hpp"
#include "Core/Runtime/AtomicAccess.hpp"
#include "Core/Runtime/AtomicMinimum.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/CurveTree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace spanwise::eikonal {

namespace {

using geometry::CellSpan;

constexpr double infinite = Kokkos::Experimental::infinity_v<double>;

/// 1 / value, where that is finite.
KOKKOS_INLINE_FUNCTION double inverseOf(double value) {
  return value >= Kokkos::Experimental::norm_min_v<double> ? 1.0 / value : 0.0;
}

/// The squared distance from a side, `way` from the corner that `off` is seen from; `inverse` is 1 / its squared
/// length.
KOKKOS_FORCEINLINE_FUNCTION double squaredToSide(const Point& off, const Point& way, double inverse) {
  const Point left = off - Kokkos::min(Kokkos::max(dot(off, way) * inverse, 0.0), 1.0) * way;
  return dot(left, left);
}

/// A triangle, and what all points ask of it.
struct PreparedTriangle {
  Point corner;          ///< opposite to the longest side, where rounding tilts the plane the least
  Point side[2];         ///< from the corner to the others
  Point share[2];        ///< times a way from the corner: how much of each side is in it; zero of a needle
  Point normal;          ///< of length 1
  double inverseSide[3]; ///< 1 / squared length of both sides, and of the third; 0 of one without

  KOKKOS_INLINE_FUNCTION static PreparedTriangle of(const Point& a, const Point& b, const Point& c) {
    const double ab = dot(b - a, b - a);
    const double bc = dot(c - b, c - b);
    const double ca = dot(a - c, a - c);
    return bc >= ab && bc >= ca ? from(a, b, c) : ca >= ab ? from(b, c, a) : from(c, a, b);
  }

  [[nodiscard]] KOKKOS_FUNCTION detail::Bounds bounds() const {
    detail::Bounds bounds = detail::Bounds::empty();
    bounds.add(corner);
    bounds.add(corner + side[0]);
    bounds.add(corner + side[1]);
    return bounds;
  }
  /// squared [width] = the squared distances of points (x[k], y, z). In several loops, as compilers make branches of a
  /// choice between what is computed in one.
  template <int width>
  KOKKOS_FORCEINLINE_FUNCTION void squaredDistances(
    const double (&x)[width], double y, double z, double (&squared)[width]) const {
    double inside[width]; // positive where the point is above the inside
    double above[width];
    SPANWISE_INDEPENDENT
    for (int k = 0; k < width; ++k) {
      const Point off{{x[k] - corner[0], y - corner[1], z - corner[2]}};
      const double first = dot(off, share[0]);
      const double second = dot(off, share[1]);
      inside[k] = Kokkos::min(Kokkos::min(first, second), 1.0 - (first + second));
      above[k] = dot(off, normal);
    }
    SPANWISE_INDEPENDENT
    for (int k = 0; k < width; ++k) {
      const Point off{{x[k] - corner[0], y - corner[1], z - corner[2]}};
      const double least =
        Kokkos::min(squaredToSide(off, side[0], inverseSide[0]), squaredToSide(off, side[1], inverseSide[1]));
      squared[k] = Kokkos::min(least, squaredToSide(off - side[0], side[1] - side[0], inverseSide[2]));
    }
    SPANWISE_INDEPENDENT
    for (int k = 0; k < width; ++k) {
      const double straight = above[k] * above[k];
      squared[k] = inside[k] > 0.0 ? straight : squared[k];
    }
  }

private:
  KOKKOS_INLINE_FUNCTION static PreparedTriangle from(const Point& a, const Point& b, const Point& c) {
    PreparedTriangle result{a, {b - a, c - a}, {}, {}, {}};
    const Point normal = cross(result.side[0], result.side[1]);
    const double area2 = dot(normal, normal);
    const double sides2 = dot(result.side[0], result.side[0]) * dot(result.side[1], result.side[1]);
    // Of a needle, rounding tilts the plane by as much as its sides are off.
    constexpr double needle = 1e-8;
    if (area2 > needle * needle * sides2 && inverseOf(area2) > 0.0) {
      result.share[0] = (1.0 / area2) * cross(result.side[1], normal);
      result.share[1] = (1.0 / area2) * cross(normal, result.side[0]);
      result.normal = (1.0 / Kokkos::sqrt(area2)) * normal;
    }
    result.inverseSide[0] = inverseOf(dot(result.side[0], result.side[0]));
    result.inverseSide[1] = inverseOf(dot(result.side[1], result.side[1]));
    const Point third = result.side[1] - result.side[0];
    result.inverseSide[2] = inverseOf(dot(third, third));
    return result;
  }
};

template <class MemorySpace>
struct PrepareTriangles {
  geometry::TriangleSurface<MemorySpace> surface;
  PreparedTriangle* out;

  [[nodiscard]] KOKKOS_FUNCTION Point corner(std::int64_t t, int c) const {
    const std::int64_t point = surface.triangles(t, c);
    return {{surface.points(point, 0), surface.points(point, 1), surface.points(point, 2)}};
  }
  KOKKOS_FUNCTION void operator()(std::int64_t t) const {
    out[t] = PreparedTriangle::of(corner(t, 0), corner(t, 1), corner(t, 2));
  }
};

/// The cells whose centres are in [low, high], or nearly.
KOKKOS_INLINE_FUNCTION CellSpan cellsWithin(
  const geometry::GridGeometry<3>& lattice, int axis, double low, double high) {
  constexpr double loose = 1e-5;
  constexpr double least = geometry::minCoordinate;
  constexpr double most = geometry::maxIntervalEnd;
  const double first = Kokkos::ceil((low - lattice.origin[axis]) / lattice.spacing[axis] - 0.5 - loose);
  const double last = Kokkos::floor((high - lattice.origin[axis]) / lattice.spacing[axis] - 0.5 + loose);
  return {static_cast<std::int64_t>(Kokkos::min(Kokkos::max(first, least), most)),
    static_cast<std::int64_t>(Kokkos::min(Kokkos::max(last, least), most))};
}

/// Triangles as items of a tree.
struct TriangleItems {
  const PreparedTriangle* triangles;

  [[nodiscard]] KOKKOS_FUNCTION detail::Bounds branch(std::int64_t i) const { return triangles[i].bounds(); }
  [[nodiscard]] KOKKOS_FUNCTION Point place(std::int64_t i) const {
    const detail::Bounds bounds = branch(i);
    Point middle;
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = 0.5 * (bounds.low[axis] + bounds.high[axis]);
    }
    return middle;
  }
};

/// Cells side by side in a row, and the squared distances to the triangles seen so far.
template <int width>
struct CellPacket {
  const PreparedTriangle* triangles;
  double row[2] = {};   ///< y and z of the centres
  double x[width] = {}; ///< of the centres
  double least[width] = {};
  double most = 0.0;         ///< of these
  std::int32_t nearest = -1; ///< what has come nearer last

  [[nodiscard]] KOKKOS_INLINE_FUNCTION double bound(const detail::Bounds& box) const {
    const double gap[3] = {Kokkos::max(box.low[0] - x[width - 1], x[0] - box.high[0]),
      Kokkos::max(box.low[1] - row[0], row[0] - box.high[1]), Kokkos::max(box.low[2] - row[1], row[1] - box.high[2])};
    double sum = 0.0;
    for (const double g : gap) {
      sum += Kokkos::max(g, 0.0) * Kokkos::max(g, 0.0);
    }
    return sum;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double limit() const { return most; }
  KOKKOS_INLINE_FUNCTION void take(std::int32_t i) {
    const PreparedTriangle triangle = triangles[i];
    double squared[width];
    triangle.squaredDistances(x, row[0], row[1], squared);
    double now = 0.0;
    for (int k = 0; k < width; ++k) {
      least[k] = Kokkos::min(least[k], squared[k]);
      now = Kokkos::max(now, least[k]);
    }
    nearest = now < most ? i : nearest;
    most = now;
  }
};

struct FindDistances {
  geometry::IntervalSetView<3> set;
  geometry::GridGeometry<3> lattice;
  const PreparedTriangle* triangles;
  detail::CurveTree<detail::Bounds> tree;
  double most2;
  double* distances;

  template <int width>
  KOKKOS_INLINE_FUNCTION void findIn(std::int64_t first, std::int64_t last) const {
    std::int64_t i = set.intervalOfCell(first);
    std::int64_t row = set.rowOfInterval(i);
    CellPacket<width> packet{triangles};
    for (std::int64_t cell = first; cell < last;) {
      if (cell == set.cellOffsets[i + 1]) {
        ++i;
        row += i == set.rowOffsets[row + 1] ? 1 : 0;
      }
      const std::int64_t count = Kokkos::min(std::int64_t{width}, Kokkos::min(last, set.cellOffsets[i + 1]) - cell);
      const std::int64_t column = set.intervals[i].begin + (cell - set.cellOffsets[i]);
      packet.row[0] = lattice.centre(1, set.rowKeys[row].y);
      packet.row[1] = lattice.centre(2, set.rowKeys[row].z);
      for (int k = 0; k < width; ++k) { // beyond the last one it stands several times
        packet.x[k] = lattice.centre(0, column + Kokkos::min(std::int64_t{k}, count - 1));
        packet.least[k] = most2;
      }
      packet.most = most2;
      if (packet.nearest >= 0) {
        packet.take(packet.nearest);
      }
      tree.visit(packet);
      for (std::int64_t k = 0; k < count; ++k) {
        const double least = packet.least[k];
        distances[cell + k] = least < most2 ? Kokkos::sqrt(least) : infinite;
      }
      cell += count;
    }
  }

  SPANWISE_WIDE_VECTORS KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    KOKKOS_IF_ON_HOST((findIn<8>(first, last);))
    KOKKOS_IF_ON_DEVICE((findIn<1>(first, last);))
  }
};

/// Around each triangle: how many cells its box has, with `most` on all sides.
struct CountAround {
  geometry::GridGeometry<3> lattice;
  const PreparedTriangle* triangles;
  double most;

  KOKKOS_FUNCTION void operator()(std::int64_t t, double& sum) const {
    const detail::Bounds bounds = triangles[t].bounds();
    double cells = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
      cells *= 1.0 + (bounds.high[axis] - bounds.low[axis] + 2.0 * most) / lattice.spacing[axis];
    }
    sum += cells;
  }
};

/// Triangles look at the cells around them where those are no more than so many times the cells that are asked for;
/// beyond, cells search the tree. With a band of three cells and triangles of two cells that takes a fourth of the time
/// (2 cores, Xeon), and as long with one of ten.
constexpr double mostPerCell = 200.0;

/// For short distances: each triangle looks at the cells around it, a plane of them at a time.
struct SpreadTriangles {
  geometry::IntervalSetView<3> set;
  geometry::GridGeometry<3> lattice;
  const PreparedTriangle* triangles;
  double most;
  double most2;
  double* least; ///< [cells of the set] squared

  [[nodiscard]] KOKKOS_FUNCTION CellSpan planesOf(const detail::Bounds& bounds) const {
    return cellsWithin(lattice, 2, bounds.low[2] - most, bounds.high[2] + most);
  }

  /// Plane k of a triangle.
  template <int width>
  SPANWISE_WIDE_VECTORS KOKKOS_FUNCTION void spread(std::int64_t t, std::int64_t k) const {
    const PreparedTriangle triangle = triangles[t];
    const detail::Bounds bounds = triangle.bounds();
    const auto plane = static_cast<geometry::Coordinate>(planesOf(bounds).first + k);
    const double z = lattice.centre(2, plane);
    const double left2 = most2 - squareOf(Kokkos::max(bounds.low[2] - z, z - bounds.high[2]));
    if (!(left2 >= 0.0)) {
      return;
    }
    const double left = Kokkos::sqrt(left2);
    const CellSpan rows = cellsWithin(lattice, 1, bounds.low[1] - left, bounds.high[1] + left);
    const CellSpan columns = cellsWithin(lattice, 0, bounds.low[0] - left, bounds.high[0] + left);
    const std::int64_t firstRow =
      set.lowerRow(geometry::RowKey<3>::fromYZ(static_cast<geometry::Coordinate>(rows.first), plane));
    for (std::int64_t column = columns.first; column <= columns.last; column += width) {
      const std::int64_t endColumn = Kokkos::min(column + width, columns.last + 1);
      double x[width];
      for (int lane = 0; lane < width; ++lane) {
        x[lane] = lattice.centre(0, column + lane);
      }
      for (std::int64_t row = firstRow;
        row < set.numRows && set.rowKeys[row].z == plane && set.rowKeys[row].y <= rows.last; ++row) {
        const double y = lattice.centre(1, set.rowKeys[row].y);
        if (squareOf(Kokkos::max(bounds.low[1] - y, y - bounds.high[1])) > left2) {
          continue;
        }
        const std::int64_t end = set.rowOffsets[row + 1];
        std::int64_t i = set.lowerInterval(row, static_cast<geometry::Coordinate>(column));
        if (i == end || set.intervals[i].begin >= endColumn) {
          continue;
        }
        double squared[width];
        triangle.squaredDistances(x, y, z, squared);
        for (; i < end && set.intervals[i].begin < endColumn; ++i) {
          const std::int64_t first = Kokkos::max(column, std::int64_t{set.intervals[i].begin});
          const std::int64_t last = Kokkos::min(endColumn, std::int64_t{set.intervals[i].end});
          double* const here = least + (set.cellOffsets[i] - set.intervals[i].begin);
          for (std::int64_t at = first; at < last; ++at) {
            if (squared[at - column] < atomicLoad(here + at)) {
              atomicFetchMin(here + at, squared[at - column]);
            }
          }
        }
      }
    }
  }

  KOKKOS_FUNCTION void operator()(std::int64_t t, std::int64_t k, std::int64_t /*part*/) const {
    KOKKOS_IF_ON_HOST((spread<8>(t, k);))
    KOKKOS_IF_ON_DEVICE((spread<1>(t, k);))
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION static double squareOf(double gap) { return gap > 0.0 ? gap * gap : 0.0; }
};

struct TakeRoots {
  double most2;
  double* distances; ///< squared, on input

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    distances[cell] = distances[cell] < most2 ? Kokkos::sqrt(distances[cell]) : infinite;
  }
};

/// A set that has all cells of `planes` whose centres are within `width` of a surface, and some more.
template <class ExecutionSpace>
geometry::IntervalSetOn<3, ExecutionSpace> cellsAround(const Context<ExecutionSpace>& context,
  const geometry::TriangleSurface<typename ExecutionSpace::memory_space>& surface,
  const geometry::GridGeometry<3>& lattice, double width, const parallel::PlaneRange& planes) {
  geometry::Cell<3> reach{}; // from a touched cell to one whose centre is within the width of what touches it
  for (int axis = 0; axis < 3; ++axis) {
    constexpr double most = 1e9;
    constexpr double loose = 1e-5;
    reach.at[axis] =
      static_cast<geometry::Coordinate>(std::min(std::floor(width / lattice.spacing[axis] + 0.5 + loose), most));
  }
  geometry::IntervalSetOn<3, ExecutionSpace> touched;
  geometry::makeTouchedCells<ExecutionSpace>(context, surface, lattice, touched, planes.widened(reach.at[2]));
  geometry::IntervalSetOn<3, ExecutionSpace> around;
  geometry::morph<ExecutionSpace, 3>(
    context, geometry::MorphologyOperation::Dilate, touched, geometry::StructuringElement<3>::box(reach), around);
  geometry::restrictRows<ExecutionSpace, 3>(context, around, planes, around);
  return around;
}

} // namespace

template <class ExecutionSpace>
void distanceToSurface(const Context<ExecutionSpace>& context,
  const geometry::TriangleSurface<typename ExecutionSpace::memory_space>& surface,
  const geometry::GridGeometry<3>& lattice, const geometry::IntervalSetOn<3, ExecutionSpace>& where, double most,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances) {
  SPANWISE_REGION("Eikonal::distanceToSurface");
  using Memory = typename ExecutionSpace::memory_space;
  const ExecutionSpace& space = context.space();
  geometry::detail::checkLattice(lattice);
  if (!(most >= 0.0)) {
    throw InvalidArgument("the greatest distance is " + numberText(most) + ": it must not be negative");
  }
  if (static_cast<std::int64_t>(distances.extent(0)) != where.numCells()) {
    throw InvalidArgument("there are " + std::to_string(distances.extent(0)) + " distances for " +
      std::to_string(where.numCells()) + " cells: there must be one for each");
  }
  const auto numTriangles = static_cast<std::int64_t>(surface.triangles.extent(0));
  if (numTriangles >= std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(
      "the surface has " + std::to_string(numTriangles) + " triangles: there must be fewer than 2^31 - 1");
  }
  if (numTriangles == 0) {
    setAll(space, distances, infinite);
    return;
  }
  geometry::detail::checkIndices(space, surface);
  geometry::detail::usableBoundsOf<3>(space, surface.points);
  if (where.empty()) {
    return;
  }
  typename Workspace<Memory>::Frame frame(context.workspace());
  PreparedTriangle* const triangles = frame.template array<PreparedTriangle>(numTriangles).data();
  forEach(SPANWISE_KERNEL("prepare"), IndexRange<ExecutionSpace>(space, 0, numTriangles),
    PrepareTriangles<Memory>{surface, triangles});
  // What is as far away as `most` counts, but for rounding.
  const double most2 = std::nextafter(most * most * (1.0 + 4.0 * std::numeric_limits<double>::epsilon()), infinite);
  const IndexRange<ExecutionSpace> all(space, 0, numTriangles);
  double cellsAround = 0.0;
  reduce(SPANWISE_KERNEL("cells around"), all, CountAround{lattice, triangles, most}, cellsAround);
  if (cellsAround <= mostPerCell * static_cast<double>(where.numCells())) {
    setAll(space, distances, most2);
    const SpreadTriangles spread{where.view(), lattice, triangles, most, most2, distances.data()};
    std::int64_t* const planesOf = frame.template array<std::int64_t>(numTriangles + 1).data();
    forEach(
      SPANWISE_KERNEL("count planes"), all,
      KOKKOS_LAMBDA(std::int64_t t) { planesOf[t] = spread.planesOf(triangles[t].bounds()).count(); });
    const std::int64_t numPlanes = exclusiveScan(space, SPANWISE_KERNEL("scan planes"), planesOf, numTriangles);
    forEachPart(space, SPANWISE_KERNEL("spread"), planesOf, numTriangles, {numPlanes, Work{64 * numPlanes}}, spread);
    forEach(SPANWISE_KERNEL("take roots"), IndexRange<ExecutionSpace>(space, 0, where.numCells()),
      TakeRoots{most2, distances.data()});
  } else {
    const auto tree = detail::makeCurveTree<detail::Bounds>(space, TriangleItems{triangles}, numTriangles, frame);
    field::forCells(space, SPANWISE_KERNEL("find distances"), where.numCells(),
      FindDistances{where.view(), lattice, triangles, tree, most2, distances.data()}, Work{64 * where.numCells()});
  }
}

template <class ExecutionSpace>
void makeSurfaceBand(const Context<ExecutionSpace>& context,
  const geometry::TriangleSurface<typename ExecutionSpace::memory_space>& surface,
  const geometry::GridGeometry<3>& lattice, double width, geometry::IntervalSetOn<3, ExecutionSpace>& out,
  field::FieldOn<double, ExecutionSpace>& distances, const parallel::PlaneRange& planes) {
  SPANWISE_REGION("Eikonal::makeSurfaceBand");
  out.clear();
  if (!(width >= 0.0 && std::isfinite(width))) {
    throw InvalidArgument("the width is " + numberText(width) + ": it must be finite and not negative");
  }
  const auto around = cellsAround<ExecutionSpace>(context, surface, lattice, width, planes);
  context.progress().report(0.3);
  field::FieldOn<double, ExecutionSpace> ofAround("Eikonal::distances", around.numCells());
  const Kokkos::View<double*, typename ExecutionSpace::memory_space> view(
    ofAround.view().values, static_cast<std::size_t>(around.numCells()));
  distanceToSurface<ExecutionSpace>(context, surface, lattice, around, width, view);
  context.progress().report(0.9);
  constexpr double finite = std::numeric_limits<double>::max(); // width and what rounding adds
  field::selectByValue<double, ExecutionSpace, 3>(context, around, view, {0.0, finite}, false, out);
  geometry::CommonCells<typename ExecutionSpace::memory_space> common;
  geometry::commonCells<ExecutionSpace, 3>(context, around, out, common);
  distances = field::FieldOn<double, ExecutionSpace>("Eikonal::distances", out.numCells());
  field::copyCommon<ExecutionSpace, double>(context, common, ofAround, distances);
}

template <class ExecutionSpace>
void negateInside(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<3, ExecutionSpace>& inside,
  const geometry::IntervalSetOn<3, ExecutionSpace>& where, field::FieldOn<double, ExecutionSpace>& distances) {
  geometry::CommonCells<typename ExecutionSpace::memory_space> common;
  geometry::commonCells<ExecutionSpace, 3>(context, where, inside, common);
  field::scale<ExecutionSpace, double>(context, -1.0, distances, common);
}

#define SPANWISE_SURFACE_DISTANCE(Space)                                                                               \
  template void distanceToSurface<Space>(const Context<Space>&, const geometry::TriangleSurface<Space::memory_space>&, \
    const geometry::GridGeometry<3>&, const geometry::IntervalSetOn<3, Space>&, double,                                \
    const Kokkos::View<double*, Space::memory_space>&);                                                                \
  template void makeSurfaceBand<Space>(const Context<Space>&, const geometry::TriangleSurface<Space::memory_space>&,   \
    const geometry::GridGeometry<3>&, double, geometry::IntervalSetOn<3, Space>&, field::FieldOn<double, Space>&,      \
    const parallel::PlaneRange&);                                                                                      \
  template void negateInside<Space>(const Context<Space>&, const geometry::IntervalSetOn<3, Space>&,                   \
    const geometry::IntervalSetOn<3, Space>&, field::FieldOn<double, Space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_SURFACE_DISTANCE)

} // namespace spanwise::eikonal
