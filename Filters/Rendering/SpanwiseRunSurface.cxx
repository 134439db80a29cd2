#include "SpanwiseRunSurface.h"

#include "SpanwiseFaceRuns.h"
#include "SpanwiseLoops.h"

#include <algorithm>

namespace spanwise {

namespace {

using Offsets = std::vector<std::int64_t>;

// What is left of a row's endpoints.
struct Endpoints {
  const Coordinate* next;
  const Coordinate* end;
};

// The vertices of a run surface: on each line of nodes along x, every place where an interval of an adjacent row begins
// or ends. Pointers to an interval's begin walk over ends too: an interval is two coordinates and nothing else.
template <int Dim>
class Vertices {
public:
  explicit Vertices(const DrawnCells<Dim>& drawn)
    : lines_(drawn.grid->nodeRows()), offsets_(static_cast<std::size_t>(lines_.numRows) + 1, 0) {
    forEach(SPANWISE_LABEL("Rendering::count vertices"), lines_.numRows, [&](std::int64_t line) {
      std::int64_t count = 0;
      visitLine(drawn, line, [&](Coordinate) { ++count; });
      offsets_[static_cast<std::size_t>(line)] = count;
    });
    x_ = Kokkos::View<Coordinate*, Kokkos::HostSpace>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Rendering::vertices")),
      static_cast<std::size_t>(sumUp(offsets_)));
    forEach(SPANWISE_LABEL("Rendering::fill vertices"), lines_.numRows, [&](std::int64_t line) {
      Coordinate* out = x_.data() + offsets_[static_cast<std::size_t>(line)];
      visitLine(drawn, line, [&](Coordinate x) { *out++ = x; });
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

  [[nodiscard]] vtkSmartPointer<vtkPoints> points(const IntervalGrid<Dim>& grid) const {
    const PointWriter writer(needsDoublePoints(grid), count());
    forEach(SPANWISE_LABEL("Rendering::points"), lines_.numRows, [&](std::int64_t line) {
      const RowKey<Dim> key = lines_.rowKeys[line];
      for (std::int64_t v = offsets_[static_cast<std::size_t>(line)]; v < offsets_[static_cast<std::size_t>(line) + 1];
        ++v) {
        writer.set<Dim>(v, grid.placement(), x(v), key.y, key.zOr0());
      }
    });
    return writer.points();
  }

private:
  // visit(x) once for each endpoint of the rows beside a line, in order, where drawn cells are. Cells that are not
  // drawn but hide faces cut the runs too.
  template <class Visit>
  void visitLine(const DrawnCells<Dim>& drawn, std::int64_t line, const Visit& visit) const {
    RowKey<Dim> keys[nodeRowsPerRow<Dim>];
    const int numKeys = rowsBeside(line, keys);
    Endpoints rows[2 * nodeRowsPerRow<Dim>];
    int numRows = 0;
    const IntervalSetView<Dim> set = drawn.set.view();
    Interval range{maxIntervalEnd, minCoordinate};
    for (int k = 0; k < numKeys; ++k) {
      const std::int64_t r = set.findRow(keys[k]);
      if (r >= 0) {
        rows[numRows++] = {&set.intervals[set.rowOffsets[r]].begin, &set.intervals[set.rowOffsets[r + 1]].begin};
        range.begin = std::min(range.begin, set.intervals[set.rowOffsets[r]].begin);
        range.end = std::max(range.end, set.intervals[set.rowOffsets[r + 1] - 1].end);
      }
    }
    const IntervalSetView<Dim> hiding = drawn.hiding.view();
    for (int k = 0; k < numKeys && range.begin < range.end && hiding.intervals != set.intervals; ++k) {
      const std::int64_t r = hiding.findRow(keys[k]);
      if (r >= 0) {
        const Coordinate* const begin = &hiding.intervals[hiding.rowOffsets[r]].begin;
        const Coordinate* const end = &hiding.intervals[hiding.rowOffsets[r + 1]].begin;
        const Endpoints inside{std::lower_bound(begin, end, range.begin), std::upper_bound(begin, end, range.end)};
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
  static void merge(Endpoints* rows, int numRows, const Visit& visit) {
    while (numRows > 0) {
      Coordinate least = *rows[0].next;
      for (int k = 1; k < numRows; ++k) {
        least = std::min(least, *rows[k].next);
      }
      visit(least);
      for (int k = 0; k < numRows;) {
        if (*rows[k].next == least && ++rows[k].next == rows[k].end) {
          rows[k] = rows[--numRows];
        } else {
          ++k;
        }
      }
    }
  }

  IntervalSetView<Dim> lines_;
  Offsets offsets_;
  Kokkos::View<Coordinate*, Kokkos::HostSpace> x_;
};

// Triangles of the exposed faces of one row, counted or written.
template <int Dim>
class RowTriangles {
public:
  RowTriangles(const DrawnCells<Dim>& drawn, const FaceRuns<Dim>& runs, const Vertices<Dim>& vertices)
    : drawn_(drawn), runs_(runs), vertices_(vertices) {}

  [[nodiscard]] std::int64_t count(std::int64_t r) const {
    std::int64_t triangles = 0;
    visitRow(
      r, [&](const Strip& strip) { triangles += strip.last[0] - strip.first[0] + strip.last[1] - strip.first[1]; },
      [&](const std::int64_t*) { triangles += 2; });
    return triangles;
  }

  template <class Id>
  void fill(std::int64_t r, Id* out) const {
    const auto triangle = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
      *out++ = static_cast<Id>(a);
      *out++ = static_cast<Id>(b);
      *out++ = static_cast<Id>(c);
    };
    visitRow(
      r,
      [&](const Strip& strip) {
        std::int64_t a = strip.first[0];
        std::int64_t b = strip.first[1];
        while (a < strip.last[0] || b < strip.last[1]) {
          const bool advanceFirst =
            b == strip.last[1] || (a < strip.last[0] && vertices_.x(a + 1) <= vertices_.x(b + 1));
          if (advanceFirst) {
            triangle(a, a + 1, b);
            ++a;
          } else {
            triangle(a, b + 1, b);
            ++b;
          }
        }
      },
      [&](const std::int64_t* quad) {
        triangle(quad[0], quad[1], quad[2]);
        triangle(quad[0], quad[2], quad[3]);
      });
  }

private:
  // A run between two lines: its first and last vertex on each.
  struct Strip {
    std::int64_t first[2];
    std::int64_t last[2];
  };

  template <class VisitStrip, class VisitQuad>
  void visitRow(std::int64_t r, const VisitStrip& visitStrip, const VisitQuad& visitQuad) const {
    const RowKey<Dim> key = drawn_.set.view().rowKeys[r];
    std::int64_t lines[nodeRowsPerRow<Dim>];
    for (int k = 0; k < nodeRowsPerRow<Dim>; ++k) {
      lines[k] = vertices_.lineAt(key, 2 * k);
    }
    runs_.visitRow(r, [&](std::int64_t, int face, Coordinate begin, Coordinate end) {
      if (Dim == 3 && face < 2) {
        std::int64_t quad[4];
        for (int k = 0; k < 4; ++k) {
          const int corner = Faces<Dim>::corners[face][k];
          quad[k] = vertices_.vertexAt(lines[corner >> 1], (corner & 1) != 0 ? end : begin);
        }
        visitQuad(quad);
        return;
      }
      Strip strip;
      for (int k = 0; k < 2; ++k) {
        const std::int64_t line = lines[Faces<Dim>::lines[face][k] >> 1];
        strip.first[k] = vertices_.vertexAt(line, begin);
        strip.last[k] = vertices_.vertexAt(line, end);
      }
      visitStrip(strip);
    });
  }

  const DrawnCells<Dim>& drawn_;
  const FaceRuns<Dim>& runs_;
  const Vertices<Dim>& vertices_;
};

template <int Dim>
Offsets triangleOffsets(const RowTriangles<Dim>& triangles, std::int64_t numRows) {
  Offsets offsets(static_cast<std::size_t>(numRows) + 1, 0);
  forEach(SPANWISE_LABEL("Rendering::count triangles"), numRows,
    [&](std::int64_t r) { offsets[static_cast<std::size_t>(r)] = triangles.count(r); });
  sumUp(offsets);
  return offsets;
}

// Each run has two triangles at least.
template <int Dim>
std::int64_t countRuns(const FaceRuns<Dim>& runs) {
  Offsets counts(static_cast<std::size_t>(runs.numRows()) + 1, 0);
  forEach(SPANWISE_LABEL("Rendering::count runs"), runs.numRows(), [&](std::int64_t r) {
    std::int64_t count = 0;
    runs.visitRow(r, [&](std::int64_t, int, Coordinate, Coordinate) { ++count; });
    counts[static_cast<std::size_t>(r)] = count;
  });
  return sumUp(counts);
}

} // namespace

template <int Dim>
std::int64_t countRunTriangles(const DrawnCells<Dim>& drawn, std::int64_t enough) {
  const FaceRuns<Dim> runs(drawn);
  const std::int64_t atLeast = 2 * countRuns(runs);
  if (atLeast > enough) {
    return atLeast;
  }
  const Vertices<Dim> vertices(drawn);
  return triangleOffsets(RowTriangles<Dim>(drawn, runs, vertices), runs.numRows()).back();
}

template <int Dim>
SurfaceGeometry runSurface(const DrawnCells<Dim>& drawn) {
  const FaceRuns<Dim> runs(drawn);
  const Vertices<Dim> vertices(drawn);
  const RowTriangles<Dim> triangles(drawn, runs, vertices);
  const Offsets offsets = triangleOffsets(triangles, runs.numRows());
  SurfaceGeometry surface;
  surface.points = vertices.points(*drawn.grid);
  surface.polygons = makePolygons(offsets.back(), 3, vertices.count(), [&](auto* ids) {
    forEach(SPANWISE_LABEL("Rendering::triangles"), runs.numRows(),
      [&](std::int64_t r) { triangles.fill(r, ids + 3 * offsets[static_cast<std::size_t>(r)]); });
  });
  return surface;
}

#define SPANWISE_RUN_SURFACE(Dim)                                                                                      \
  template std::int64_t countRunTriangles<Dim>(const DrawnCells<Dim>&, std::int64_t);                                  \
  template SurfaceGeometry runSurface<Dim>(const DrawnCells<Dim>&);
SPANWISE_RUN_SURFACE(2)
SPANWISE_RUN_SURFACE(3)

} // namespace spanwise
