#include "Core/Geometry/Surface/CellSurface.hpp"

#include "Core/Geometry/Detail/RowPoints.hpp"
#include "Core/Geometry/Surface/IdTypes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"

#include <numeric>

namespace spanwise::geometry {

namespace {

// offsets[r] = the number of the first face of row r; the last entry is the number of all faces.
template <int Dim>
std::vector<std::int64_t> faceOffsets(const HostExecutionSpace& space, const FaceRuns<Dim>& runs) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(runs.numRows()) + 1, 0);
  forEachUneven(space, SPANWISE_LABEL("Geometry::count faces"), runs.numRows(), [&](std::int64_t r) {
    std::int64_t count = 0;
    runs.visitRow(r, [&](std::int64_t, int, std::int64_t begin, std::int64_t end) { count += end - begin; });
    offsets[static_cast<std::size_t>(r)] = count;
  });
  exclusiveScan(space, SPANWISE_KERNEL("face offsets"), offsets.data(), runs.numRows());
  return offsets;
}

// visit(first node, last node, node number - x) for each interval of node row r.
template <int Dim, class Visit>
void visitNodeRow(const IntervalSetView<Dim>& nodeRows, std::int64_t r, const Visit& visit) {
  for (std::int64_t i = nodeRows.rowOffsets[r]; i < nodeRows.rowOffsets[r + 1]; ++i) {
    const std::int64_t first = firstNode(nodeRows, i);
    const std::int64_t base = first - nodeRows.intervals[i].begin;
    visit(first, base + nodeRows.intervals[i].end, base);
  }
}

template <int Dim>
void markNodes(
  const HostExecutionSpace& space, const SurfaceCells<Dim>& cells, const FaceRuns<Dim>& runs, const UsedNodes& used) {
  forEachUneven(space, SPANWISE_LABEL("Geometry::mark nodes"), runs.numRows(), [&](std::int64_t r) {
    runs.visitRow(r, [&](std::int64_t i, int face, std::int64_t begin, std::int64_t end) {
      for (const int corner : Faces<Dim>::corners[face]) {
        const std::int64_t base = cells.nodeBase(i, corner);
        used.mark(base + begin, base + end - 1);
      }
    });
  });
}

} // namespace

template <int Dim>
std::int64_t countQuads(const Context<HostExecutionSpace>& context, const SurfaceCells<Dim>& cells) {
  return Dim == 2 ? cells.set.numCells : faceOffsets(context.space(), FaceRuns<Dim>(cells)).back();
}

template <int Dim>
CellSurface<Dim>::CellSurface(const HostExecutionSpace& space, const SurfaceCells<Dim>& cells)
  : space_(space), cells_(cells), runs_(cells), quadOffsets_(faceOffsets(space, runs_)),
    used_(keepsNumbers() ? 0 : numNodes(cells.grid.nodeRows)), numPoints_(numNodes(cells.grid.nodeRows)) {
  if (!keepsNumbers()) {
    markNodes(space, cells, runs_, used_);
    numPoints_ = used_.count(space);
  }
}

template <int Dim>
template <class Real, class Id>
void CellSurface<Dim>::fillPoints(const GridGeometry<3>& lattice, Real* points, Id* nodes) const {
  const IntervalSetView<Dim>& lines = cells_.grid.nodeRows;
  forEachUneven(space_, SPANWISE_LABEL("Geometry::points"), lines.numRows, [&](std::int64_t r) {
    const detail::RowPoints<Real> row(lattice, lines.rowKeys[r].y, lines.rowKeys[r].zOr0(), points);
    visitNodeRow(lines, r, [&](std::int64_t first, std::int64_t last, std::int64_t base) {
      const auto fill = [&](std::int64_t node, std::int64_t number) {
        row.set(number, node - base);
        if (nodes != nullptr) {
          nodes[number] = static_cast<Id>(node);
        }
      };
      if (!keepsNumbers()) {
        used_.visitMarked(first, last, fill);
        return;
      }
      for (std::int64_t node = first; node <= last; ++node) {
        fill(node, node);
      }
    });
  });
}

template <int Dim>
template <class Id>
void CellSurface<Dim>::fillQuads(Id* corners) const {
  const bool sameNodes = keepsNumbers();
  forEachUneven(space_, SPANWISE_LABEL("Geometry::faces"), runs_.numRows(), [&](std::int64_t r) {
    Id* out = corners + 4 * quadOffsets_[static_cast<std::size_t>(r)];
    runs_.visitRow(r, [&](std::int64_t i, int face, std::int64_t begin, std::int64_t end) {
      std::int64_t first[4]; // nodes in a row are points in a row
      for (int k = 0; k < 4; ++k) {
        const std::int64_t node = cells_.nodeBase(i, Faces<Dim>::corners[face][k]) + begin;
        first[k] = sameNodes ? node : used_.number(node);
      }
      for (std::int64_t d = 0; d < end - begin; ++d) {
        for (const std::int64_t corner : first) {
          const std::int64_t point = corner + d;
          *out++ = static_cast<Id>(point);
        }
      }
    });
  });
}

template <int Dim>
template <class Id>
void CellSurface<Dim>::fillCells(Id* cells) const {
  forEachUneven(space_, SPANWISE_LABEL("Geometry::cells of faces"), runs_.numRows(), [&](std::int64_t r) {
    Id* out = cells + quadOffsets_[static_cast<std::size_t>(r)];
    runs_.visitRow(r, [&](std::int64_t i, int, std::int64_t begin, std::int64_t end) {
      const std::int64_t first = cells_.cellBase(i) + begin;
      std::iota(out, out + (end - begin), static_cast<Id>(first));
      out += end - begin;
    });
  });
}

#define SPANWISE_CELL_SURFACE(Dim)                                                                                     \
  template std::int64_t countQuads<Dim>(const Context<HostExecutionSpace>&, const SurfaceCells<Dim>&);                 \
  template class CellSurface<Dim>;                                                                                     \
  SPANWISE_FOR_EACH_ID_TYPE(SPANWISE_CELL_SURFACE_IDS, Dim)
#define SPANWISE_CELL_SURFACE_IDS(Id, Dim)                                                                             \
  template void CellSurface<Dim>::fillPoints<float, Id>(const GridGeometry<3>&, float*, Id*) const;                    \
  template void CellSurface<Dim>::fillPoints<double, Id>(const GridGeometry<3>&, double*, Id*) const;                  \
  template void CellSurface<Dim>::fillQuads<Id>(Id*) const;                                                            \
  template void CellSurface<Dim>::fillCells<Id>(Id*) const;
SPANWISE_CELL_SURFACE(2)
SPANWISE_CELL_SURFACE(3)

} // namespace spanwise::geometry
