#pragma once

#include "Core/Geometry/Detail/RowPoints.hpp"
#include "Core/Geometry/Surface/SurfaceCells.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace spanwise::geometry::detail {

/// What is left of a row's endpoints.
struct RowEndpoints {
  const Coordinate* next;
  const Coordinate* end;
};

/// The vertices of a RunSurface: on each line of nodes along x, every place where an interval of an adjacent row begins
/// or ends. Pointers to an interval's begin walk over ends too: an interval is two coordinates and nothing else.
template <int Dim>
class RunVertices {
public:
  RunVertices(const HostExecutionSpace& space, const SurfaceCells<Dim>& cells)
    : lines_(cells.grid.nodeRows), offsets_(static_cast<std::size_t>(lines_.numRows) + 1, 0) {
    forEachUneven(space, SPANWISE_LABEL("Geometry::count vertices"), lines_.numRows, [&](std::int64_t line) {
      std::int64_t count = 0;
      visitLine(cells, line, [&](Coordinate) { ++count; });
      offsets_[static_cast<std::size_t>(line)] = count;
    });
    exclusiveScan(space, SPANWISE_KERNEL("vertex offsets"), offsets_.data(), lines_.numRows);
    x_ = Kokkos::View<Coordinate*, Kokkos::HostSpace>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::vertices")),
      static_cast<std::size_t>(count()));
    forEachUneven(space, SPANWISE_LABEL("Geometry::fill vertices"), lines_.numRows, [&](std::int64_t line) {
      Coordinate* out = x_.data() + offsets_[static_cast<std::size_t>(line)];
      visitLine(cells, line, [&](Coordinate x) { *out++ = x; });
    });
  }

  [[nodiscard]] std::int64_t count() const { return offsets_.back(); }
  [[nodiscard]] Coordinate x(std::int64_t vertex) const { return x_[static_cast<std::size_t>(vertex)]; }

  /// The line through a corner of the cells of a row.
  [[nodiscard]] std::int64_t lineAt(const RowKey<Dim>& row, int corner) const {
    RowKey<Dim> key = row;
    key.y += (corner >> 1) & 1;
    if constexpr (Dim == 3) {
      key.z += corner >> 2;
    }
    return lines_.findRow(key);
  }

  /// The vertex at x on a line, which must be there. O(log vertices of the line).
  [[nodiscard]] std::int64_t vertexAt(std::int64_t line, Coordinate at) const {
    const Coordinate* const begin = x_.data() + offsets_[static_cast<std::size_t>(line)];
    const Coordinate* const end = x_.data() + offsets_[static_cast<std::size_t>(line) + 1];
    return std::lower_bound(begin, end, at) - x_.data();
  }

  /// The positions of all vertices, three numbers each.
  template <class Real>
  void fillPoints(const HostExecutionSpace& space, const GridGeometry<3>& lattice, Real* points) const {
    forEachUneven(space, SPANWISE_LABEL("Geometry::points"), lines_.numRows, [&](std::int64_t line) {
      const RowPoints<Real> row(lattice, lines_.rowKeys[line].y, lines_.rowKeys[line].zOr0(), points);
      const std::int64_t end = offsets_[static_cast<std::size_t>(line) + 1];
      for (std::int64_t v = offsets_[static_cast<std::size_t>(line)]; v < end; ++v) {
        row.set(v, x(v));
      }
    });
  }

private:
  // visit(x) once for each endpoint of the rows beside a line, in order, where cells of the surface are. Others that
  // hide faces cut the runs too.
  template <class Visit>
  void visitLine(const SurfaceCells<Dim>& cells, std::int64_t line, const Visit& visit) const {
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
        range.begin = std::min(range.begin, set.intervals[set.rowOffsets[r]].begin);
        range.end = std::max(range.end, set.intervals[set.rowOffsets[r + 1] - 1].end);
      }
    }
    const IntervalSetView<Dim>& hiding = cells.hiding;
    for (int k = 0; k < numKeys && range.begin < range.end && hiding.intervals != set.intervals; ++k) {
      const std::int64_t r = hiding.findRow(keys[k]);
      if (r >= 0) {
        const Coordinate* const begin = &hiding.intervals[hiding.rowOffsets[r]].begin;
        const Coordinate* const end = &hiding.intervals[hiding.rowOffsets[r + 1]].begin;
        const RowEndpoints inside{std::lower_bound(begin, end, range.begin), std::upper_bound(begin, end, range.end)};
        if (inside.next != inside.end) {
          rows[numRows++] = inside;
        }
      }
    }
    merge(rows, numRows, visit);
  }

  // The keys of the rows of cells on both sides of a line. Returns how many can exist.
  int rowsBeside(std::int64_t line, RowKey<Dim>* keys) const {
    int count = 0;
    const RowKey<Dim> here = lines_.rowKeys[line];
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
  static void merge(RowEndpoints* rows, int numRows, const Visit& visit) {
    while (numRows > 0) {
      Coordinate least = *rows[0].next;
      for (int k = 1; k < numRows; ++k) {
        least = std::min(least, *rows[k].next);
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

  IntervalSetView<Dim> lines_;
  std::vector<std::int64_t> offsets_;
  Kokkos::View<Coordinate*, Kokkos::HostSpace> x_;
};

} // namespace spanwise::geometry::detail
