#include "Core/Geometry/Surface/CellSurface.hpp"

#include "Core/Geometry/Detail/RowPoints.hpp"
#include "Core/Geometry/Surface/IdTypes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::geometry {

namespace {

template <int Dim>
struct CountFaces {
  FaceRuns<Dim> runs;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    std::int64_t count = 0;
    runs.visitRow(r, [&](std::int64_t, int, std::int64_t begin, std::int64_t end) { count += end - begin; });
    counts[r] = count;
  }
};

// offsets[r] = the number of the first face of row r; the last entry is the number of all faces, which is returned.
template <class ExecutionSpace, int Dim>
std::int64_t countFaces(const ExecutionSpace& space, const FaceRuns<Dim>& runs, std::int64_t* offsets) {
  forEachUneven(space, SPANWISE_LABEL("Geometry::count faces"), runs.numRows(), CountFaces<Dim>{runs, offsets});
  return exclusiveScan(space, SPANWISE_KERNEL("face offsets"), offsets, runs.numRows());
}

template <int Dim>
struct MarkNodes {
  SurfaceCells<Dim> cells;
  FaceRuns<Dim> runs;
  UsedNodesView used;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    runs.visitRow(r, [&](std::int64_t i, int face, std::int64_t begin, std::int64_t end) {
      for (int k = 0; k < 4; ++k) {
        const std::int64_t base = cells.nodeBase(i, Faces<Dim>::corner(face, k));
        used.mark(base + begin, base + end - 1);
      }
    });
  }
};

// The points of the rows of nodes: those of used nodes, or of all.
template <int Dim, class Real, class Id>
struct FillPoints {
  IntervalSetView<Dim> lines;
  GridGeometry<3> lattice;
  bool all;
  UsedNodesView used;
  Real* points;
  Id* nodes;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const detail::RowPoints<Real> row(lattice, lines.rowKeys[r].y, lines.rowKeys[r].zOr0(), points);
    for (std::int64_t i = lines.rowOffsets[r]; i < lines.rowOffsets[r + 1]; ++i) {
      const std::int64_t first = firstNode(lines, i);
      const std::int64_t base = first - lines.intervals[i].begin; // the node of x is base + x
      const std::int64_t last = base + lines.intervals[i].end;
      const auto fill = [&](std::int64_t node, std::int64_t number) {
        row.set(number, node - base);
        if (nodes != nullptr) {
          nodes[number] = static_cast<Id>(node);
        }
      };
      if (!all) {
        used.visitMarked(first, last, fill);
        continue;
      }
      for (std::int64_t node = first; node <= last; ++node) {
        fill(node, node);
      }
    }
  }
};

template <int Dim, class Id>
struct FillQuads {
  SurfaceCells<Dim> cells;
  FaceRuns<Dim> runs;
  bool sameNodes;
  UsedNodesView used;
  const std::int64_t* offsets;
  Id* corners;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    Id* out = corners + 4 * offsets[r];
    runs.visitRow(r, [&](std::int64_t i, int face, std::int64_t begin, std::int64_t end) {
      std::int64_t first[4]; // nodes in a row are points in a row
      for (int k = 0; k < 4; ++k) {
        const std::int64_t node = cells.nodeBase(i, Faces<Dim>::corner(face, k)) + begin;
        first[k] = sameNodes ? node : used.number(node);
      }
      for (std::int64_t d = 0; d < end - begin; ++d) {
        for (const std::int64_t corner : first) {
          const std::int64_t point = corner + d;
          *out++ = static_cast<Id>(point);
        }
      }
    });
  }
};

template <int Dim, class Id>
struct FillCells {
  SurfaceCells<Dim> cells;
  FaceRuns<Dim> runs;
  const std::int64_t* offsets;
  Id* numbers;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    Id* out = numbers + offsets[r];
    runs.visitRow(r, [&](std::int64_t i, int, std::int64_t begin, std::int64_t end) {
      const std::int64_t first = cells.cellBase(i) + begin;
      for (std::int64_t d = 0; d < end - begin; ++d) {
        const std::int64_t cell = first + d;
        out[d] = static_cast<Id>(cell);
      }
      out += end - begin;
    });
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t countQuads(const Context<ExecutionSpace>& context, const SurfaceCells<Dim>& cells) {
  if constexpr (Dim == 2) {
    return cells.set.numCells;
  } else {
    typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
    const FaceRuns<Dim> runs(cells);
    return countFaces(context.space(), runs, frame.template array<std::int64_t>(runs.numRows() + 1).data());
  }
}

template <class ExecutionSpace, int Dim>
CellSurface<ExecutionSpace, Dim>::CellSurface(const ExecutionSpace& space, const SurfaceCells<Dim>& cells)
  : space_(space), cells_(cells), runs_(cells), numPoints_(numNodes(cells.grid.nodeRows)) {
  reserve(quadOffsets_, runs_.numRows() + 1, SPANWISE_LABEL("Geometry::face offsets"));
  numQuads_ = countFaces(space, runs_, quadOffsets_.data());
  if (!keepsNumbers()) {
    used_ = UsedNodes<MemorySpace>(numPoints_);
    forEachUneven(
      space, SPANWISE_LABEL("Geometry::mark nodes"), runs_.numRows(), MarkNodes<Dim>{cells_, runs_, used_.view()});
    numPoints_ = used_.count(space);
  }
}

template <class ExecutionSpace, int Dim>
template <class Real, class Id>
void CellSurface<ExecutionSpace, Dim>::fillPoints(const GridGeometry<3>& lattice, Real* points, Id* nodes) const {
  const IntervalSetView<Dim>& lines = cells_.grid.nodeRows;
  forEachUneven(space_, SPANWISE_LABEL("Geometry::points"), lines.numRows,
    FillPoints<Dim, Real, Id>{lines, lattice, keepsNumbers(), used_.view(), points, nodes});
}

template <class ExecutionSpace, int Dim>
template <class Id>
void CellSurface<ExecutionSpace, Dim>::fillQuads(Id* corners) const {
  forEachUneven(space_, SPANWISE_LABEL("Geometry::faces"), runs_.numRows(),
    FillQuads<Dim, Id>{cells_, runs_, keepsNumbers(), used_.view(), quadOffsets_.data(), corners});
}

template <class ExecutionSpace, int Dim>
template <class Id>
void CellSurface<ExecutionSpace, Dim>::fillCells(Id* cells) const {
  forEachUneven(space_, SPANWISE_LABEL("Geometry::cells of faces"), runs_.numRows(),
    FillCells<Dim, Id>{cells_, runs_, quadOffsets_.data(), cells});
}

#define SPANWISE_CELL_SURFACE(Space, Dim)                                                                              \
  template std::int64_t countQuads<Space, Dim>(const Context<Space>&, const SurfaceCells<Dim>&);                       \
  template class CellSurface<Space, Dim>;                                                                              \
  SPANWISE_FOR_EACH_ID_TYPE(SPANWISE_CELL_SURFACE_IDS, Space, Dim)
#define SPANWISE_CELL_SURFACE_IDS(Id, Space, Dim)                                                                      \
  template void CellSurface<Space, Dim>::fillPoints<float, Id>(const GridGeometry<3>&, float*, Id*) const;             \
  template void CellSurface<Space, Dim>::fillPoints<double, Id>(const GridGeometry<3>&, double*, Id*) const;           \
  template void CellSurface<Space, Dim>::fillQuads<Id>(Id*) const;                                                     \
  template void CellSurface<Space, Dim>::fillCells<Id>(Id*) const;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_CELL_SURFACE)

} // namespace spanwise::geometry
