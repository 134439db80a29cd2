#include "SpanwiseCellSurface.h"

#include "SpanwiseFaceRuns.h"
#include "SpanwiseUsedNodes.h"

#include <numeric>

namespace spanwise {

namespace {

// offsets[r] = the number of the first face of row r; the last entry is the number of all faces.
template <int Dim>
std::vector<std::int64_t> faceOffsets(const FaceRuns<Dim>& runs) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(runs.numRows()) + 1, 0);
  forEach(SPANWISE_LABEL("Rendering::count faces"), runs.numRows(), [&](std::int64_t r) {
    std::int64_t count = 0;
    runs.visitRow(r, [&](std::int64_t, int, std::int64_t begin, std::int64_t end) { count += end - begin; });
    offsets[static_cast<std::size_t>(r)] = count;
  });
  sumUp(offsets);
  return offsets;
}

// visit(first node, last node, node number - x, row key) for each interval of node row r.
template <int Dim, class Visit>
void visitNodeRow(const IntervalSetView<Dim>& nodeRows, std::int64_t r, const Visit& visit) {
  for (std::int64_t i = nodeRows.rowOffsets[r]; i < nodeRows.rowOffsets[r + 1]; ++i) {
    const std::int64_t first = firstNode(nodeRows, i);
    const std::int64_t base = first - nodeRows.intervals[i].begin;
    visit(first, base + nodeRows.intervals[i].end, base, nodeRows.rowKeys[r]);
  }
}

// All nodes of the grid as points, in their order.
template <int Dim>
void useAllNodes(const IntervalGrid<Dim>& grid, SurfaceGeometry& surface) {
  const PointWriter points(needsDoublePoints(grid), grid.numNodes());
  forEach(SPANWISE_LABEL("Rendering::points"), grid.nodeRows().numRows, [&](std::int64_t r) {
    visitNodeRow(
      grid.nodeRows(), r, [&](std::int64_t first, std::int64_t last, std::int64_t base, const RowKey<Dim>& key) {
        for (std::int64_t node = first; node <= last; ++node) {
          points.set<Dim>(node, grid.placement(), node - base, key.y, key.zOr0());
        }
      });
  });
  surface.points = points.points();
  surface.sameNodes = true;
}

template <int Dim>
UsedNodes usedNodes(const DrawnCells<Dim>& drawn, const FaceRuns<Dim>& runs) {
  UsedNodes used(drawn.grid->numNodes());
  forEach(SPANWISE_LABEL("Rendering::mark nodes"), runs.numRows(), [&](std::int64_t r) {
    runs.visitRow(r, [&](std::int64_t i, int face, std::int64_t begin, std::int64_t end) {
      for (const int corner : Faces<Dim>::corners[face]) {
        const std::int64_t base = drawn.nodeBase(i, corner);
        used.mark(base + begin, base + end - 1);
      }
    });
  });
  return used;
}

// The nodes that are used as points, in their order.
template <int Dim>
void useMarkedNodes(const IntervalGrid<Dim>& grid, UsedNodes& used, SurfaceGeometry& surface) {
  const std::int64_t numPoints = used.count();
  const PointWriter points(needsDoublePoints(grid), numPoints);
  surface.nodes = vtkSmartPointer<vtkIdTypeArray>::New();
  surface.nodes->SetNumberOfValues(numPoints);
  vtkIdType* const nodes = surface.nodes->GetPointer(0);
  forEach(SPANWISE_LABEL("Rendering::points"), grid.nodeRows().numRows, [&](std::int64_t r) {
    visitNodeRow(
      grid.nodeRows(), r, [&](std::int64_t first, std::int64_t last, std::int64_t base, const RowKey<Dim>& key) {
        used.visitMarked(first, last, [&](std::int64_t node, std::int64_t number) {
          points.set<Dim>(number, grid.placement(), node - base, key.y, key.zOr0());
          nodes[number] = node;
        });
      });
  });
  surface.points = points.points();
}

// ids[4 f ...] = the corners of face f. `number` gives the point of a node; nodes in a row are points in a row.
template <int Dim, class Id, class Number>
void fillCorners(const DrawnCells<Dim>& drawn, const FaceRuns<Dim>& runs, const std::vector<std::int64_t>& offsets,
  const Number& number, Id* ids) {
  forEach(SPANWISE_LABEL("Rendering::faces"), runs.numRows(), [&](std::int64_t r) {
    Id* out = ids + 4 * offsets[static_cast<std::size_t>(r)];
    runs.visitRow(r, [&](std::int64_t i, int face, std::int64_t begin, std::int64_t end) {
      std::int64_t first[4];
      for (int k = 0; k < 4; ++k) {
        first[k] = number(drawn.nodeBase(i, Faces<Dim>::corners[face][k]) + begin);
      }
      for (std::int64_t d = 0; d < end - begin; ++d) {
        for (int k = 0; k < 4; ++k) {
          *out++ = static_cast<Id>(first[k] + d);
        }
      }
    });
  });
}

template <int Dim>
vtkSmartPointer<vtkIdTypeArray> cellsOfFaces(
  const DrawnCells<Dim>& drawn, const FaceRuns<Dim>& runs, const std::vector<std::int64_t>& offsets) {
  const auto cells = vtkSmartPointer<vtkIdTypeArray>::New();
  cells->SetNumberOfValues(offsets.back());
  forEach(SPANWISE_LABEL("Rendering::cells of faces"), runs.numRows(), [&](std::int64_t r) {
    vtkIdType* out = cells->GetPointer(offsets[static_cast<std::size_t>(r)]);
    runs.visitRow(r, [&](std::int64_t i, int, std::int64_t begin, std::int64_t end) {
      std::iota(out, out + (end - begin), drawn.cellBase(i) + begin);
      out += end - begin;
    });
  });
  return cells;
}

} // namespace

template <int Dim>
std::int64_t countFaces(const DrawnCells<Dim>& drawn) {
  return Dim == 2 ? drawn.set.numCells() : faceOffsets(FaceRuns<Dim>(drawn)).back();
}

template <int Dim>
SurfaceGeometry cellSurface(const DrawnCells<Dim>& drawn) {
  SurfaceGeometry surface;
  const FaceRuns<Dim> runs(drawn);
  const std::vector<std::int64_t> offsets = faceOffsets(runs);
  if (Dim == 2 && drawn.all()) {
    useAllNodes(*drawn.grid, surface);
    surface.sameCells = true;
    surface.polygons = makePolygons(offsets.back(), 4, drawn.grid->numNodes(),
      [&](auto* ids) { fillCorners(drawn, runs, offsets, [](std::int64_t node) { return node; }, ids); });
    return surface;
  }
  UsedNodes used = usedNodes(drawn, runs);
  useMarkedNodes(*drawn.grid, used, surface);
  surface.polygons = makePolygons(offsets.back(), 4, surface.points->GetNumberOfPoints(),
    [&](auto* ids) { fillCorners(drawn, runs, offsets, [&](std::int64_t node) { return used.number(node); }, ids); });
  surface.cells = cellsOfFaces(drawn, runs, offsets);
  return surface;
}

#define SPANWISE_CELL_SURFACE(Dim)                                                                                     \
  template std::int64_t countFaces<Dim>(const DrawnCells<Dim>&);                                                       \
  template SurfaceGeometry cellSurface<Dim>(const DrawnCells<Dim>&);
SPANWISE_CELL_SURFACE(2)
SPANWISE_CELL_SURFACE(3)

} // namespace spanwise
