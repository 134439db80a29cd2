#include "Core/Geometry/Surface/RunSurface.hpp"

#include "Core/Geometry/Surface/IdTypes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"

namespace spanwise::geometry {

namespace {

// Triangles of the exposed faces of one row, counted or written.
template <int Dim>
class RowTriangles {
public:
  RowTriangles(const FaceRuns<Dim>& runs, const detail::RunVertices<Dim>& vertices)
    : runs_(runs), vertices_(vertices) {}

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
    const RowKey<Dim> key = runs_.rowKey(r);
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

  const FaceRuns<Dim>& runs_;
  const detail::RunVertices<Dim>& vertices_;
};

// What is counted in each row, count(r), summed up: the last entry is the sum of all.
template <class Count>
std::vector<std::int64_t> offsetsOf(
  const HostExecutionSpace& space, const std::string& label, std::int64_t numRows, const Count& count) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(numRows) + 1, 0);
  forEachUneven(space, label, numRows, [&](std::int64_t r) { offsets[static_cast<std::size_t>(r)] = count(r); });
  exclusiveScan(space, SPANWISE_KERNEL("row offsets"), offsets.data(), numRows);
  return offsets;
}

template <int Dim>
std::vector<std::int64_t> triangleOffsets(
  const HostExecutionSpace& space, const FaceRuns<Dim>& runs, const detail::RunVertices<Dim>& vertices) {
  const RowTriangles<Dim> triangles(runs, vertices);
  return offsetsOf(space, SPANWISE_LABEL("Geometry::count triangles"), runs.numRows(),
    [&](std::int64_t r) { return triangles.count(r); });
}

// Each run has two triangles at least.
template <int Dim>
std::int64_t countRuns(const HostExecutionSpace& space, const FaceRuns<Dim>& runs) {
  const auto runsOfRow = [&](std::int64_t r) {
    std::int64_t count = 0;
    runs.visitRow(r, [&](std::int64_t, int, Coordinate, Coordinate) { ++count; });
    return count;
  };
  return offsetsOf(space, SPANWISE_LABEL("Geometry::count runs"), runs.numRows(), runsOfRow).back();
}

} // namespace

template <int Dim>
std::int64_t countRunTriangles(
  const Context<HostExecutionSpace>& context, const SurfaceCells<Dim>& cells, std::int64_t enough) {
  const HostExecutionSpace& space = context.space();

  const FaceRuns<Dim> runs(cells);
  const std::int64_t atLeast = 2 * countRuns(space, runs);
  return atLeast > enough ? atLeast : triangleOffsets(space, runs, detail::RunVertices<Dim>(space, cells)).back();
}

template <int Dim>
RunSurface<Dim>::RunSurface(const HostExecutionSpace& space, const SurfaceCells<Dim>& cells)
  : space_(space), runs_(cells), vertices_(space, cells), triangleOffsets_(triangleOffsets(space, runs_, vertices_)) {}

template <int Dim>
template <class Real>
void RunSurface<Dim>::fillPoints(const GridGeometry<3>& lattice, Real* points) const {
  vertices_.fillPoints(space_, lattice, points);
}

template <int Dim>
template <class Id>
void RunSurface<Dim>::fillTriangles(Id* corners) const {
  const RowTriangles<Dim> triangles(runs_, vertices_);
  forEachUneven(space_, SPANWISE_LABEL("Geometry::triangles"), runs_.numRows(),
    [&](std::int64_t r) { triangles.fill(r, corners + 3 * triangleOffsets_[static_cast<std::size_t>(r)]); });
}

#define SPANWISE_RUN_SURFACE(Dim)                                                                                      \
  template std::int64_t countRunTriangles<Dim>(                                                                        \
    const Context<HostExecutionSpace>&, const SurfaceCells<Dim>&, std::int64_t);                                       \
  template class RunSurface<Dim>;                                                                                      \
  template void RunSurface<Dim>::fillPoints<float>(const GridGeometry<3>&, float*) const;                              \
  template void RunSurface<Dim>::fillPoints<double>(const GridGeometry<3>&, double*) const;                            \
  SPANWISE_FOR_EACH_ID_TYPE(SPANWISE_RUN_SURFACE_IDS, Dim)
#define SPANWISE_RUN_SURFACE_IDS(Id, Dim) template void RunSurface<Dim>::fillTriangles<Id>(Id*) const;
SPANWISE_RUN_SURFACE(2)
SPANWISE_RUN_SURFACE(3)

} // namespace spanwise::geometry
