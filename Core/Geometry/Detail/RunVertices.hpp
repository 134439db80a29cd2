#pragma once

#include "Core/Geometry/Detail/RowPoints.hpp"
#include "Core/Geometry/Surface/SurfaceCells.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Scan.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::geometry::detail {

/// The first of sorted coordinates that is not less than `at`; `end` if there is none. On the host by the standard's
/// function, of which GCC makes branches; of the loop it makes moves, which take a third longer on short lines.
KOKKOS_INLINE_FUNCTION const Coordinate* firstNotBelow(const Coordinate* begin, const Coordinate* end, Coordinate at) {
  KOKKOS_IF_ON_HOST((return std::lower_bound(begin, end, at);))
  KOKKOS_IF_ON_DEVICE((for (std::int64_t count = end - begin; count > 0;) {
    const std::int64_t half = count / 2;
    if (begin[half] < at) {
      begin += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  } return begin;))
}

/// What is left of a row's endpoints.
struct RowEndpoints {
  const Coordinate* next;
  const Coordinate* end;
};

/// Walks the vertices of lines of nodes. Pointers to an interval's begin walk over ends too: an interval is two
/// coordinates and nothing else.
template <int Dim>
struct LineEndpoints {
  SurfaceCells<Dim> cells;

  /// visit(x) once for each endpoint of the rows beside a line, in order, where cells of the surface are. Others that
  /// hide faces cut the runs too.
  template <class Visit>
  KOKKOS_FUNCTION void visitLine(std::int64_t line, const Visit& visit) const {
    RowKey<Dim> keys[nodeRowsPerRow<Dim>];
    const int numKeys = rowsBeside(line, keys);
    RowEndpoints rows[2 * nodeRowsPerRow<Dim>];
    int numRows = 0;
    const IntervalSetView<Dim>& set = cells.set;
    Interval range{maxIntervalEnd, minCoordinate};
    for (int k = 0; k < numKeys; ++k) {
      const std::int64_t r = set.findRow(keys[k]);
      if (r >= 0) {
        rows[numRows++] = {&set.intervals[set.rowOffsets[r]].begin, &set.intervals[set.rowOffsets[r + 1]].begin};
        range.begin = Kokkos::min(range.begin, set.intervals[set.rowOffsets[r]].begin);
        range.end = Kokkos::max(range.end, set.intervals[set.rowOffsets[r + 1] - 1].end);
      }
    }
    const IntervalSetView<Dim>& hiding = cells.hiding;
    for (int k = 0; k < numKeys && range.begin < range.end && hiding.intervals != set.intervals; ++k) {
      const std::int64_t r = hiding.findRow(keys[k]);
      if (r >= 0) {
        const Coordinate* const begin = &hiding.intervals[hiding.rowOffsets[r]].begin;
        const Coordinate* const end = &hiding.intervals[hiding.rowOffsets[r + 1]].begin;
        RowEndpoints inside{firstNotBelow(begin, end, range.begin), firstNotBelow(begin, end, range.end)};
        inside.end += inside.end != end && *inside.end == range.end ? 1 : 0; // endpoints of a row differ
        if (inside.next != inside.end) {
          rows[numRows++] = inside;
        }
      }
    }
    merge(rows, numRows, visit);
  }

private:
  // The keys of the rows of cells on both sides of a line. Returns how many can exist.
  KOKKOS_FUNCTION int rowsBeside(std::int64_t line, RowKey<Dim>* keys) const {
    int count = 0;
    const RowKey<Dim> here = cells.grid.nodeRows.rowKeys[line];
    for (int k = 0; k < nodeRowsPerRow<Dim>; ++k) {
      const std::int64_t y = static_cast<std::int64_t>(here.y) - (k & 1);
      const std::int64_t z = static_cast<std::int64_t>(here.zOr0()) - (k >> 1);
      if (isCellCoordinate(y) && isCellCoordinate(z)) {
        keys[count++] = RowKey<Dim>::fromYZ(static_cast<Coordinate>(y), static_cast<Coordinate>(z));
      }
    }
    return count;
  }

  template <class Visit>
  KOKKOS_FUNCTION static void merge(RowEndpoints* rows, int numRows, const Visit& visit) {
    while (numRows > 0) {
      Coordinate least = *rows[0].next;
      for (int k = 1; k < numRows; ++k) {
        least = Kokkos::min(least, *rows[k].next);
      }
      visit(least);
      for (int k = 0; k < numRows;) {
        if (*rows[k].next == least) {
          ++rows[k].next;
        }
        if (rows[k].next == rows[k].end) {
          rows[k] = rows[--numRows];
        } else {
          ++k;
        }
      }
    }
  }
};

template <int Dim>
struct CountVertices {
  LineEndpoints<Dim> endpoints;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t line) const {
    std::int64_t count = 0;
    endpoints.visitLine(line, [&](Coordinate) { ++count; });
    counts[line] = count;
  }
};

template <int Dim>
struct FillVertices {
  LineEndpoints<Dim> endpoints;
  const std::int64_t* offsets;
  Coordinate* x;

  KOKKOS_FUNCTION void operator()(std::int64_t line) const {
    Coordinate* out = x + offsets[line];
    endpoints.visitLine(line, [&](Coordinate at) { *out++ = at; });
  }
};

/// What kernels see of RunVertices.
template <int Dim>
struct RunVerticesView {
  IntervalSetView<Dim> lines;
  const std::int64_t* offsets; ///< the first vertex of each line, and the number of all
  const Coordinate* x;         ///< of each vertex

  /// The line through a corner of the cells of a row.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lineAt(const RowKey<Dim>& row, int corner) const {
    RowKey<Dim> key = row;
    key.y += (corner >> 1) & 1;
    if constexpr (Dim == 3) {
      key.z += corner >> 2;
    }
    return lines.findRow(key);
  }

  /// The vertex at x on a line, which must be there. O(log vertices of the line).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t vertexAt(std::int64_t line, Coordinate at) const {
    return firstNotBelow(x + offsets[line], x + offsets[line + 1], at) - x;
  }
};

template <int Dim, class Real>
struct PlaceVertices {
  RunVerticesView<Dim> vertices;
  GridGeometry<3> lattice;
  Real* points;

  KOKKOS_FUNCTION void operator()(std::int64_t line) const {
    const RowKey<Dim> key = vertices.lines.rowKeys[line];
    const RowPoints<Real> row(lattice, key.y, key.zOr0(), points);
    for (std::int64_t v = vertices.offsets[line]; v < vertices.offsets[line + 1]; ++v) {
      row.set(v, vertices.x[v]);
    }
  }
};

/// The vertices of a RunSurface: on each line of nodes along x, every place where an interval of an adjacent row begins
/// or ends.
template <class ExecutionSpace, int Dim>
class RunVertices {
public:
  RunVertices(const ExecutionSpace& space, const SurfaceCells<Dim>& cells) : lines_(cells.grid.nodeRows) {
    reserve(offsets_, lines_.numRows + 1, SPANWISE_LABEL("Geometry::vertex offsets"));
    const LineEndpoints<Dim> endpoints{cells};
    forEachUneven(space, SPANWISE_LABEL("Geometry::count vertices"), lines_.numRows,
      CountVertices<Dim>{endpoints, offsets_.data()});
    count_ = exclusiveScan(space, SPANWISE_KERNEL("vertex offsets"), offsets_.data(), lines_.numRows);
    reserve(x_, count_, SPANWISE_LABEL("Geometry::vertices"));
    forEachUneven(space, SPANWISE_LABEL("Geometry::fill vertices"), lines_.numRows,
      FillVertices<Dim>{endpoints, offsets_.data(), x_.data()});
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] RunVerticesView<Dim> view() const { return {lines_, offsets_.data(), x_.data()}; }

  /// The positions of all vertices, three numbers each.
  template <class Real>
  void fillPoints(const ExecutionSpace& space, const GridGeometry<3>& lattice, Real* points) const {
    forEachUneven(
      space, SPANWISE_LABEL("Geometry::points"), lines_.numRows, PlaceVertices<Dim, Real>{view(), lattice, points});
  }

private:
  using MemorySpace = typename ExecutionSpace::memory_space;

  IntervalSetView<Dim> lines_;
  Kokkos::View<std::int64_t*, MemorySpace> offsets_;
  Kokkos::View<Coordinate*, MemorySpace> x_;
  std::int64_t count_ = 0;
};

} // namespace spanwise::geometry::detail
