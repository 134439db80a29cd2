#include "Core/Geometry/Builders/TouchedCells.hpp"

#include "Core/Geometry/Builders/Cells.hpp"
#include "Core/Geometry/CellSpan.hpp"
#include "Core/Geometry/PointBounds.hpp"
#include "Core/Geometry/SurfaceIndices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

namespace spanwise::geometry {

namespace {

/// How much larger cells are taken than they are, on each side: more than rounding moves a triangle in cells near the
/// end of coordinates.
constexpr double loose = 2e-6;
/// More than a product of two lengths is off by rounding, as a share of it.
constexpr double rounding = 1e-15;

/// What of an axis [low, high] is left.
struct Stretch {
  double low;
  double high;

  /// Leaves what has slope * x + offset >= 0.
  KOKKOS_INLINE_FUNCTION void cut(double slope, double offset) {
    if (slope > 0.0) {
      low = Kokkos::max(low, -offset / slope);
    } else if (slope < 0.0) {
      high = Kokkos::min(high, -offset / slope);
    } else if (offset < 0.0) {
      high = low - 1.0;
    }
  }
};

/// A triangle in units of cells, seen from the lower corner of its first cell, so that numbers stay small.
struct TriangleInCells {
  std::int64_t base[3];
  double corner[3][3];
  double low[3];
  double high[3];

  /// The cells that its bounds reach into along an axis.
  [[nodiscard]] KOKKOS_FUNCTION CellSpan span(int axis) const {
    return {base[axis] + static_cast<std::int64_t>(Kokkos::floor(low[axis] - loose)),
      base[axis] + static_cast<std::int64_t>(Kokkos::floor(high[axis] + loose))};
  }

  /// The cells of a row that it touches: of all separating axes along which it may be apart from a cell of the row each
  /// leaves a stretch of the row.
  [[nodiscard]] KOKKOS_FUNCTION CellSpan touched(std::int64_t y, std::int64_t z) const {
    const double cell[3] = {0.0, static_cast<double>(y - base[1]) - loose, static_cast<double>(z - base[2]) - loose};
    constexpr double size = 1.0 + 2.0 * loose;
    Stretch along{low[0], high[0]};
    double normal[3];
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3;
      const int f = (d + 2) % 3;
      normal[d] = (corner[1][e] - corner[0][e]) * (corner[2][f] - corner[0][f]) -
        (corner[1][f] - corner[0][f]) * (corner[2][e] - corner[0][e]);
    }
    // Its plane: |normal . (x - corner)| is not more than a half of the row's width seen along the normal.
    const double half = 0.5 * size * (Kokkos::abs(normal[1]) + Kokkos::abs(normal[2]));
    const double middle = normal[1] * (cell[1] + 0.5 * size - corner[0][1]) +
      normal[2] * (cell[2] + 0.5 * size - corner[0][2]) - normal[0] * corner[0][0];
    const double length = 1.0 + (high[0] - low[0]) + (high[1] - low[1]) + (high[2] - low[2]);
    const double roundedPlane = rounding * length * length * length; // the plane of a needle may have any direction
    along.cut(normal[0], middle + half + roundedPlane);
    along.cut(-normal[0], half - middle + roundedPlane);
    // Its edges as they are seen along each axis: the triangle lies between an edge and the third corner, whose side is
    // not told by the normal, as rounding may turn that where the triangle is seen from its edge.
    for (int seen = 0; seen < 3; ++seen) {
      const int axes[2] = {(seen + 1) % 3, (seen + 2) % 3};
      for (int k = 0; k < 3; ++k) {
        const double* const from = corner[k];
        const double* const to = corner[(k + 1) % 3];
        const double* const third = corner[(k + 2) % 3];
        const double across[2] = {from[axes[1]] - to[axes[1]], to[axes[0]] - from[axes[0]]};
        const double side = across[0] * (third[axes[0]] - from[axes[0]]) + across[1] * (third[axes[1]] - from[axes[1]]);
        const double loosely = rounding * length * (Kokkos::abs(across[0]) + Kokkos::abs(across[1]));
        double slope = 0.0;
        double least = -loosely; // of the distance from the edge, times its length, without what x gives
        double most = loosely;
        for (int i = 0; i < 2; ++i) {
          const double start = -across[i] * from[axes[i]];
          if (axes[i] == 0) {
            slope = across[i];
            least += start;
            most += start;
          } else {
            const double first = across[i] * cell[axes[i]];
            const double last = across[i] * (cell[axes[i]] + size);
            least += start + Kokkos::min(first, last);
            most += start + Kokkos::max(first, last);
          }
        }
        along.cut(slope, most - Kokkos::min(side, 0.0));
        along.cut(-slope, Kokkos::max(side, 0.0) - least);
      }
    }
    if (along.high < along.low) {
      return {0, -1};
    }
    return {base[0] + static_cast<std::int64_t>(Kokkos::floor(along.low - loose)),
      base[0] + static_cast<std::int64_t>(Kokkos::floor(along.high + loose))};
  }
};

template <class MemorySpace>
struct TrianglesInCells {
  TriangleSurface<MemorySpace> surface;
  GridGeometry<3> lattice;
  std::int64_t firstPlane;
  std::int64_t lastPlane;

  [[nodiscard]] KOKKOS_FUNCTION TriangleInCells operator()(std::int64_t t) const {
    TriangleInCells result{};
    for (int axis = 0; axis < 3; ++axis) {
      double at[3];
      for (int c = 0; c < 3; ++c) {
        at[c] = (surface.points(surface.triangles(t, c), axis) - lattice.origin[axis]) / lattice.spacing[axis];
      }
      const double base = Kokkos::floor(Kokkos::min(at[0], Kokkos::min(at[1], at[2])));
      result.base[axis] = static_cast<std::int64_t>(base);
      for (int c = 0; c < 3; ++c) {
        result.corner[c][axis] = at[c] - base;
      }
      result.low[axis] =
        Kokkos::min(result.corner[0][axis], Kokkos::min(result.corner[1][axis], result.corner[2][axis]));
      result.high[axis] =
        Kokkos::max(result.corner[0][axis], Kokkos::max(result.corner[1][axis], result.corner[2][axis]));
    }
    return result;
  }
  [[nodiscard]] KOKKOS_FUNCTION CellSpan planes(const TriangleInCells& triangle) const {
    const CellSpan all = triangle.span(2);
    return {Kokkos::max(all.first, firstPlane), Kokkos::min(all.last, lastPlane)};
  }
};

} // namespace

template <class ExecutionSpace>
void makeTouchedCells(const Context<ExecutionSpace>& context,
  const TriangleSurface<typename ExecutionSpace::memory_space>& surface, const GridGeometry<3>& lattice,
  IntervalSetOn<3, ExecutionSpace>& out, const parallel::PlaneRange& planes) {
  SPANWISE_REGION("Geometry::makeTouchedCells");
  using Memory = typename ExecutionSpace::memory_space;
  const ExecutionSpace& space = context.space();
  out.clear();
  detail::checkLattice(lattice);
  const auto numTriangles = static_cast<std::int64_t>(surface.triangles.extent(0));
  if (numTriangles == 0) {
    return;
  }
  const auto bounds = detail::checkedBounds(space, surface);
  for (int axis = 0; axis < 3; ++axis) {
    detail::axisWithin(lattice, axis, bounds);
  }
  const parallel::PlaneRange made = parallel::PlaneRange{minCoordinate, maxIntervalEnd}.within(planes);
  const TrianglesInCells<Memory> triangles{surface, lattice, made.begin, made.end - 1};

  typename Workspace<Memory>::Frame frame(context.workspace());
  std::int64_t* const rowsOf = frame.template array<std::int64_t>(numTriangles + 1).data();
  forEach(
    SPANWISE_KERNEL("count rows"), IndexRange<ExecutionSpace>(space, 0, numTriangles), KOKKOS_LAMBDA(std::int64_t t) {
      const TriangleInCells triangle = triangles(t);
      rowsOf[t] = triangle.span(1).count() * triangles.planes(triangle).count();
    });
  const std::int64_t numRows = exclusiveScan(space, SPANWISE_KERNEL("scan rows"), rowsOf, numTriangles);

  Cell<3>* const firsts = frame.template array<Cell<3>>(numRows).data(); // of the touched cells of a row
  std::int64_t* const cellsOf = frame.template array<std::int64_t>(numRows + 1).data();
  forEachPart(
    space, SPANWISE_KERNEL("touched rows"), rowsOf, numTriangles, numRows,
    KOKKOS_LAMBDA(std::int64_t t, std::int64_t k, std::int64_t row) {
      const TriangleInCells triangle = triangles(t);
      const CellSpan rows = triangle.span(1);
      const std::int64_t y = rows.first + k % rows.count();
      const std::int64_t z = triangles.planes(triangle).first + k / rows.count();
      const CellSpan cells = triangle.touched(y, z);
      firsts[row] = {{static_cast<Coordinate>(cells.first), static_cast<Coordinate>(y), static_cast<Coordinate>(z)}};
      cellsOf[row] = cells.count();
    });
  const std::int64_t numCells = exclusiveScan(space, SPANWISE_KERNEL("scan cells"), cellsOf, numRows);

  const auto cells = frame.template array<Cell<3>>(numCells);
  Cell<3>* const list = cells.data();
  forEachPart(
    space, SPANWISE_KERNEL("place cells"), cellsOf, numRows, numCells,
    KOKKOS_LAMBDA(std::int64_t row, std::int64_t k, std::int64_t place) {
      list[place] = firsts[row];
      list[place].at[0] += static_cast<Coordinate>(k);
    });
  makeFromCells<ExecutionSpace, 3>(context, cells, out);
}

#define SPANWISE_MAKE_TOUCHED_CELLS(Space)                                                                             \
  template void makeTouchedCells<Space>(const Context<Space>&, const TriangleSurface<Space::memory_space>&,            \
    const GridGeometry<3>&, IntervalSetOn<3, Space>&, const parallel::PlaneRange&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_MAKE_TOUCHED_CELLS)

} // namespace spanwise::geometry
