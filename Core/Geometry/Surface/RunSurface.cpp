#include "Core/Geometry/Surface/RunSurface.hpp"

#include "Core/Geometry/Surface/IdTypes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::geometry {

namespace {

// Triangles of the exposed faces of one row, counted or written.
template <int Dim>
class RowTriangles {
public:
  RowTriangles(const FaceRuns<Dim>& runs, const detail::RunVerticesView<Dim>& vertices)
    : runs_(runs), vertices_(vertices) {}

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t count(std::int64_t r) const {
    std::int64_t triangles = 0;
    visitRow(
      r, [&](const Strip& strip) { triangles += strip.last[0] - strip.first[0] + strip.last[1] - strip.first[1]; },
      [&](const std::int64_t*) { triangles += 2; });
    return triangles;
  }

  template <class Id>
  KOKKOS_FUNCTION void fill(std::int64_t r, Id* out) const {
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
            b == strip.last[1] || (a < strip.last[0] && vertices_.x[a + 1] <= vertices_.x[b + 1]);
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
  KOKKOS_FUNCTION void visitRow(std::int64_t r, const VisitStrip& visitStrip, const VisitQuad& visitQuad) const {
    const RowKey<Dim> key = runs_.rowKey(r);
    std::int64_t lines[nodeRowsPerRow<Dim>];
    for (int k = 0; k < nodeRowsPerRow<Dim>; ++k) {
      lines[k] = vertices_.lineAt(key, 2 * k);
    }
    runs_.visitRow(r, [&](std::int64_t, int face, Coordinate begin, Coordinate end) {
      if (Dim == 3 && face < 2) {
        std::int64_t quad[4];
        for (int k = 0; k < 4; ++k) {
          const int corner = Faces<Dim>::corner(face, k);
          quad[k] = vertices_.vertexAt(lines[corner >> 1], (corner & 1) != 0 ? end : begin);
        }
        visitQuad(quad);
        return;
      }
      Strip strip;
      for (int k = 0; k < 2; ++k) {
        const std::int64_t line = lines[Faces<Dim>::line(face, k) >> 1];
        strip.first[k] = vertices_.vertexAt(line, begin);
        strip.last[k] = vertices_.vertexAt(line, end);
      }
      visitStrip(strip);
    });
  }

  FaceRuns<Dim> runs_;
  detail::RunVerticesView<Dim> vertices_;
};

template <int Dim>
struct CountTriangles {
  RowTriangles<Dim> triangles;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const { counts[r] = triangles.count(r); }
};

template <int Dim, class Id>
struct FillTriangles {
  RowTriangles<Dim> triangles;
  const std::int64_t* offsets;
  Id* corners;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const { triangles.fill(r, corners + 3 * offsets[r]); }
};

template <int Dim>
struct CountRuns {
  FaceRuns<Dim> runs;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    std::int64_t count = 0;
    runs.visitRow(r, [&](std::int64_t, int, Coordinate, Coordinate) { ++count; });
    counts[r] = count;
  }
};

// offsets[r] = the first triangle of row r; the last entry is the number of all, which is returned.
template <class ExecutionSpace, int Dim>
std::int64_t countTriangles(const ExecutionSpace& space, const FaceRuns<Dim>& runs,
  const detail::RunVertices<ExecutionSpace, Dim>& vertices, std::int64_t* offsets) {
  forEachUneven(space, SPANWISE_LABEL("Geometry::count triangles"), runs.numRows(),
    CountTriangles<Dim>{RowTriangles<Dim>(runs, vertices.view()), offsets});
  return exclusiveScan(space, SPANWISE_KERNEL("row offsets"), offsets, runs.numRows());
}

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t countRunTriangles(
  const Context<ExecutionSpace>& context, const SurfaceCells<Dim>& cells, std::int64_t enough) {
  const ExecutionSpace& space = context.space();

  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const FaceRuns<Dim> runs(cells);
  std::int64_t* const offsets = frame.template array<std::int64_t>(runs.numRows() + 1).data();
  forEachUneven(space, SPANWISE_LABEL("Geometry::count runs"), runs.numRows(), CountRuns<Dim>{runs, offsets});
  // Each run has two triangles at least.
  const std::int64_t atLeast = 2 * exclusiveScan(space, SPANWISE_KERNEL("row offsets"), offsets, runs.numRows());
  return atLeast > enough
    ? atLeast
    : countTriangles(space, runs, detail::RunVertices<ExecutionSpace, Dim>(space, cells), offsets);
}

template <class ExecutionSpace, int Dim>
RunSurface<ExecutionSpace, Dim>::RunSurface(const ExecutionSpace& space, const SurfaceCells<Dim>& cells)
  : space_(space), runs_(cells), vertices_(space, cells) {
  reserve(triangleOffsets_, runs_.numRows() + 1, SPANWISE_LABEL("Geometry::triangle offsets"));
  numTriangles_ = countTriangles(space, runs_, vertices_, triangleOffsets_.data());
}

template <class ExecutionSpace, int Dim>
template <class Real>
void RunSurface<ExecutionSpace, Dim>::fillPoints(const GridGeometry<3>& lattice, Real* points) const {
  vertices_.fillPoints(space_, lattice, points);
}

template <class ExecutionSpace, int Dim>
template <class Id>
void RunSurface<ExecutionSpace, Dim>::fillTriangles(Id* corners) const {
  forEachUneven(space_, SPANWISE_LABEL("Geometry::triangles"), runs_.numRows(),
    FillTriangles<Dim, Id>{RowTriangles<Dim>(runs_, vertices_.view()), triangleOffsets_.data(), corners});
}

#define SPANWISE_RUN_SURFACE(Space, Dim)                                                                               \
  template std::int64_t countRunTriangles<Space, Dim>(const Context<Space>&, const SurfaceCells<Dim>&, std::int64_t);  \
  template class RunSurface<Space, Dim>;                                                                               \
  template void RunSurface<Space, Dim>::fillPoints<float>(const GridGeometry<3>&, float*) const;                       \
  template void RunSurface<Space, Dim>::fillPoints<double>(const GridGeometry<3>&, double*) const;                     \
  SPANWISE_FOR_EACH_ID_TYPE(SPANWISE_RUN_SURFACE_IDS, Space, Dim)
#define SPANWISE_RUN_SURFACE_IDS(Id, Space, Dim) template void RunSurface<Space, Dim>::fillTriangles<Id>(Id*) const;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_RUN_SURFACE)

} // namespace spanwise::geometry
