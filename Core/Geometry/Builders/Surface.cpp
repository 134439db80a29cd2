#include "Core/Geometry/Builders/Surface.hpp"

#include "Core/Geometry/Detail/ClosedSurface.hpp"
#include "Core/Geometry/Detail/EdgeCrossing.hpp"
#include "Core/Geometry/Detail/Toggles.hpp"
#include "Core/Geometry/PointBounds.hpp"
#include "Core/Geometry/SurfaceIndices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

namespace spanwise::geometry {

namespace {

// A triangle is taken apart in two steps. The planes z = centre of a layer of cells cut it into strips; a strip meets
// the rows between the two places where the triangle's edges, seen along x, cross the layer: the same crossings as
// those of polygons' edges with rows, so that triangles that share an edge share its crossings. Each row of a strip
// then has one toggle, where the row crosses the triangle's plane.

using detail::Edge;
using detail::LatticeAxis;

struct Triangle {
  double corner[3][3];

  /// The edge from corner e to the next one, seen along x: in (y, z).
  [[nodiscard]] KOKKOS_FUNCTION Edge edge(int e) const {
    const double (&a)[3] = corner[e];
    const double (&b)[3] = corner[(e + 1) % 3];
    return detail::edgeBetween(a[1], a[2], b[1], b[2]);
  }
};

template <class MemorySpace>
struct Triangles {
  TriangleSurface<MemorySpace> surface;

  [[nodiscard]] KOKKOS_FUNCTION Triangle triangle(std::int64_t t) const {
    Triangle result{};
    for (int c = 0; c < 3; ++c) {
      for (int d = 0; d < 3; ++d) {
        result.corner[c][d] = detail::snappedToExact(surface.points(surface.triangles(t, c), d));
      }
    }
    return result;
  }
};

/// The layers of cells whose centres are between the least and the greatest z of a triangle.
KOKKOS_INLINE_FUNCTION detail::CellRange layersOf(const Triangle& triangle, const LatticeAxis& z) {
  const double a = triangle.corner[0][2];
  const double b = triangle.corner[1][2];
  const double c = triangle.corner[2][2];
  return {z.firstNotBelow(Kokkos::min(a, Kokkos::min(b, c))), z.firstNotBelow(Kokkos::max(a, Kokkos::max(b, c)))};
}

/// The rows of layer z from y on that meet a triangle.
struct Strip {
  std::int64_t triangle;
  Coordinate y;
  Coordinate z;
};

template <class MemorySpace>
struct PlaceStrip {
  Triangles<MemorySpace> triangles;
  LatticeAxis y;
  LatticeAxis z;
  Strip* strips;
  std::int64_t* rows; ///< of each strip

  KOKKOS_FUNCTION void operator()(std::int64_t t, std::int64_t k, std::int64_t place) const {
    const Triangle triangle = triangles.triangle(t);
    const std::int64_t layer = layersOf(triangle, z).begin + k;
    const double centre = z.centre(layer);
    std::int64_t begin = y.end;
    std::int64_t end = y.begin;
    for (int e = 0; e < 3; ++e) {
      const Edge edge = triangle.edge(e);
      if (edge.low[1] <= centre && centre < edge.high[1]) { // two of the three
        const std::int64_t row = detail::firstCellRightOf(edge, centre, y);
        begin = Kokkos::min(begin, row);
        end = Kokkos::max(end, row);
      }
    }
    strips[place] = {t, static_cast<Coordinate>(begin), static_cast<Coordinate>(layer)};
    rows[place] = end - begin;
  }
};

/// About where the line with these y and z crosses the triangle's plane.
KOKKOS_INLINE_FUNCTION double positionInPlane(const Triangle& triangle, double y, double z) {
  double side[2][3]; // from corner 0 to the others
  for (int d = 0; d < 3; ++d) {
    side[0][d] = triangle.corner[1][d] - triangle.corner[0][d];
    side[1][d] = triangle.corner[2][d] - triangle.corner[0][d];
  }
  const double fromCorner[2] = {y - triangle.corner[0][1], z - triangle.corner[0][2]};
  const double area = side[0][1] * side[1][2] - side[0][2] * side[1][1];
  const double first = (fromCorner[0] * side[1][2] - fromCorner[1] * side[1][1]) / area;
  const double second = (side[0][1] * fromCorner[1] - side[0][2] * fromCorner[0]) / area;
  return triangle.corner[0][0] + first * side[0][0] + second * side[1][0];
}

/// The first cell of a row whose centre is on the right of the triangle's plane or on it. The row crosses the plane.
KOKKOS_INLINE_FUNCTION std::int64_t firstCellBehind(
  const Triangle& triangle, double y, double z, const LatticeAxis& x) {
  const double (&corner)[3][3] = triangle.corner;
  const double seenAlongX[3][2] = {
    {corner[0][1], corner[0][2]}, {corner[1][1], corner[1][2]}, {corner[2][1], corner[2][2]}};
  const int facing = detail::orientation(seenAlongX[0], seenAlongX[1], seenAlongX[2]);
  return firstTrue(x.begin, x.end, x.near(positionInPlane(triangle, y, z)), [&](std::int64_t c) {
    const double centre[3] = {x.centre(c), y, z};
    return facing * detail::orientation(corner[0], corner[1], corner[2], centre) <= 0;
  });
}

} // namespace

template <class ExecutionSpace>
void makeFromSurface(const Context<ExecutionSpace>& context,
  const TriangleSurface<typename ExecutionSpace::memory_space>& surface, const GridGeometry<3>& lattice,
  IntervalSetOn<3, ExecutionSpace>& out, const parallel::PlaneRange& planes) {
  const ExecutionSpace& space = context.space();

  using Memory = typename ExecutionSpace::memory_space;
  SPANWISE_REGION("Geometry::makeFromSurface");
  out.clear();
  detail::checkLattice(lattice);
  const auto numTriangles = static_cast<std::int64_t>(surface.triangles.extent(0));
  if (numTriangles == 0) {
    return;
  }
  const auto bounds = detail::checkedBounds(space, surface);
  const Triangles<Memory> triangles{surface};
  const LatticeAxis x = detail::axisWithin(lattice, 0, bounds);
  const LatticeAxis y = detail::axisWithin(lattice, 1, bounds);
  const LatticeAxis z = detail::axisWithin(lattice, 2, bounds).inPlanes(planes);
  context.progress().report(0.05);
  detail::checkClosed(context, surface);
  context.progress().report(0.4);

  typename Workspace<Memory>::Frame frame(context.workspace());
  std::int64_t* const stripsOf = frame.template array<std::int64_t>(numTriangles + 1).data();
  forEach(
    SPANWISE_KERNEL("count strips"), IndexRange<ExecutionSpace>(space, 0, numTriangles), KOKKOS_LAMBDA(std::int64_t t) {
      const detail::CellRange layers = layersOf(triangles.triangle(t), z);
      stripsOf[t] = layers.end - layers.begin;
    });
  const std::int64_t numStrips = exclusiveScan(space, SPANWISE_KERNEL("scan strips"), stripsOf, numTriangles);

  Strip* const strips = frame.template array<Strip>(numStrips).data();
  std::int64_t* const rowsOf = frame.template array<std::int64_t>(numStrips + 1).data();
  forEachPart(space, SPANWISE_KERNEL("place strips"), stripsOf, numTriangles, numStrips,
    PlaceStrip<Memory>{triangles, y, z, strips, rowsOf});
  const std::int64_t numToggles = exclusiveScan(space, SPANWISE_KERNEL("scan rows"), rowsOf, numStrips);
  context.progress().report(0.5);

  Cell<3>* const toggles = frame.template array<Cell<3>>(numToggles).data();
  Cell<3>* const scratch = frame.template array<Cell<3>>(numToggles).data();
  forEachPart(
    space, SPANWISE_KERNEL("place toggles"), rowsOf, numStrips, numToggles,
    KOKKOS_LAMBDA(std::int64_t s, std::int64_t k, std::int64_t place) {
      const Strip strip = strips[s];
      const auto row = static_cast<Coordinate>(strip.y + k);
      const std::int64_t first =
        firstCellBehind(triangles.triangle(strip.triangle), y.centre(row), z.centre(strip.z), x);
      toggles[place] = {{static_cast<Coordinate>(first), row, strip.z}};
    });
  detail::makeFromToggles(space, toggles, scratch, numToggles, out, context.progress().part(0.5, 1.0));
}

#define SPANWISE_MAKE_FROM_SURFACE(Space)                                                                              \
  template void makeFromSurface<Space>(const Context<Space>&, const TriangleSurface<Space::memory_space>&,             \
    const GridGeometry<3>&, IntervalSetOn<3, Space>&, const parallel::PlaneRange&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_MAKE_FROM_SURFACE)

} // namespace spanwise::geometry
