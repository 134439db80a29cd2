#include "SpanwiseBridge.h"
#include "SpanwiseImplicitArrays.h"

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Range = IndexRange<HostExecutionSpace>;

// The positions of all nodes, one interval of node rows after the other.
template <int Dim>
struct FillPositions {
  const IntervalGrid<Dim>& grid;
  double* positions;

  void operator()(std::int64_t r) const {
    const IntervalSetView<Dim>& rows = grid.nodeRows();
    const GridPlacement& placement = grid.placement();
    const double y = placement.position(1, rows.rowKeys[r].y);
    const double z = placement.position(2, rows.rowKeys[r].zOr0());
    for (std::int64_t i = rows.rowOffsets[r]; i < rows.rowOffsets[r + 1]; ++i) {
      const Interval here = rows.intervals[i];
      double* out = positions + 3 * firstNode(rows, i);
      for (std::int64_t x = here.begin; x <= here.end; ++x) {
        *out++ = placement.position(0, x);
        *out++ = y;
        *out++ = z;
      }
    }
  }
};

template <int Dim>
struct FillConnectivity {
  const IntervalGrid<Dim>& grid;
  std::int64_t* nodes;

  void operator()(std::int64_t i) const {
    constexpr int size = IntervalGrid<Dim>::nodesPerCell;
    std::int64_t first[size]; // the nodes of the first cell, in VTK's order
    for (int k = 0; k < size; ++k) {
      const int corner = IntervalGrid<Dim>::cornerOfPoint(k);
      first[k] = grid.nodeBase(i, corner >> 1) + (corner & 1);
    }
    const std::int64_t length = grid.cells().cellOffsets[i + 1] - grid.cells().cellOffsets[i];
    std::int64_t* out = nodes + size * grid.cells().cellOffsets[i];
    for (std::int64_t c = 0; c < length; ++c) {
      for (int k = 0; k < size; ++k) {
        *out++ = first[k] + c;
      }
    }
  }
};

template <int Dim>
bool explodePoints(vtkUnstructuredGrid* output) {
  auto* implicit =
    output->GetPoints() == nullptr ? nullptr : dynamic_cast<NodeArray<Dim>*>(output->GetPoints()->GetData());
  if (implicit == nullptr || !implicit->GetBackend()) {
    return false;
  }
  const IntervalGrid<Dim>& grid = implicit->GetBackend()->grid()->withNodeTables();
  vtkNew<vtkDoubleArray> positions;
  positions->SetName("Points");
  positions->SetNumberOfComponents(3);
  positions->SetNumberOfTuples(grid.numNodes());
  forEach(SPANWISE_KERNEL("explode points"), Range(HostExecutionSpace(), 0, grid.nodeRows().numRows),
    FillPositions<Dim>{grid, positions->GetPointer(0)}, Work{grid.numNodes()});
  vtkNew<vtkPoints> points;
  points->SetData(positions);
  output->SetPoints(points);
  return true;
}

template <int Dim>
bool explodeCells(vtkUnstructuredGrid* output) {
  auto* implicit = output->GetCells() == nullptr
    ? nullptr
    : dynamic_cast<ConnectivityArray<Dim>*>(output->GetCells()->GetConnectivityArray());
  if (implicit == nullptr || !implicit->GetBackend()) {
    return false;
  }
  const IntervalGrid<Dim>& grid = implicit->GetBackend()->grid()->withNodeTables();
  const std::int64_t numCells = grid.cells().numCells;
  constexpr int size = IntervalGrid<Dim>::nodesPerCell;
  vtkNew<vtkTypeInt64Array> connectivity;
  connectivity->SetNumberOfValues(size * numCells);
  auto* nodes = reinterpret_cast<std::int64_t*>(connectivity->GetPointer(0));
  forEach(SPANWISE_KERNEL("explode cells"), Range(HostExecutionSpace(), 0, grid.cells().numIntervals),
    FillConnectivity<Dim>{grid, nodes}, Work{numCells});
  vtkNew<vtkTypeInt64Array> offsets;
  offsets->SetNumberOfValues(numCells + 1);
  auto* begins = offsets->GetPointer(0);
  forEach(SPANWISE_KERNEL("explode offsets"), Range(HostExecutionSpace(), 0, numCells + 1),
    [=](std::int64_t c) { begins[c] = size * c; });
  const int type = cellType<Dim>;
  vtkNew<vtkCellArray> cells;
  cells->SetData(offsets, connectivity);
  output->SetCells(type, cells);
  return true;
}

} // namespace

void explode(vtkUnstructuredGrid* input, vtkUnstructuredGrid* output) {
  SPANWISE_REGION("DataModel::explode");
  output->ShallowCopy(input);
  explodePoints<2>(output) || explodePoints<3>(output);
  explodeCells<2>(output) || explodeCells<3>(output);
}

} // namespace spanwise
