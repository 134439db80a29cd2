#include "SpanwiseBridge.h"

#include "SpanwiseImplicitArrays.h"
#include "SpanwiseLattices.h"
#include "vtkSpanwiseCellLocator.h"

#include "Core/Runtime/Error.hpp"

#include <vtkAlgorithm.h>
#include <vtkCellArray.h>
#include <vtkConstantArray.h>
#include <vtkDataObject.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>

using namespace spanwise::geometry;

namespace spanwise {

template <int Dim>
void setGrid(vtkUnstructuredGrid* output, const IntervalGridPointer<Dim>& grid) {
  constexpr vtkIdType nodesPerCell = IntervalGrid<Dim>::nodesPerCell;
  output->Initialize();

  vtkNew<NodeArray<Dim>> positions;
  positions->SetBackend(std::make_shared<NodeBackend<Dim>>(grid));
  positions->SetName("Points");
  positions->SetNumberOfComponents(3);
  positions->SetNumberOfTuples(grid->numNodes());
  vtkNew<vtkPoints> points;
  points->SetData(positions);
  output->SetPoints(points);

  vtkNew<ConnectivityArray<Dim>> connectivity;
  connectivity->SetBackend(std::make_shared<ConnectivityBackend<Dim>>(grid));
  connectivity->SetNumberOfValues(nodesPerCell * grid->numCells());
  vtkNew<OffsetsArray<Dim>> offsets;
  offsets->SetBackend(std::make_shared<OffsetsBackend<Dim>>(grid->numCells()));
  offsets->SetNumberOfValues(grid->numCells() + 1);
  vtkNew<vtkCellArray> cells;
  cells->SetData(offsets, connectivity);
  // SetCells() would look at the type of every cell for a polyhedron.
  vtkNew<vtkConstantArray<unsigned char>> types;
  types->ConstructBackend(static_cast<unsigned char>(cellType<Dim>));
  types->SetNumberOfValues(grid->numCells());
  output->SetPolyhedralCells(types, cells, nullptr, nullptr);

  vtkNew<vtkSpanwiseCellLocator> locator;
  output->SetCellLocator(locator);
  locator->SetDataSet(output);
}

template <int Dim>
IntervalGridPointer<Dim> gridOf(vtkDataObject* data) {
  auto* dataset = vtkUnstructuredGrid::SafeDownCast(data);
  if (dataset == nullptr || dataset->GetPoints() == nullptr || dataset->GetCells() == nullptr) {
    return nullptr;
  }
  auto* positions = dynamic_cast<NodeArray<Dim>*>(dataset->GetPoints()->GetData());
  auto* connectivity = dynamic_cast<ConnectivityArray<Dim>*>(dataset->GetCells()->GetConnectivityArray());
  if (positions == nullptr || connectivity == nullptr || !positions->GetBackend() || !connectivity->GetBackend()) {
    return nullptr;
  }
  const IntervalGridPointer<Dim>& grid = connectivity->GetBackend()->grid();
  const vtkIdType numCells = grid->numCells();
  const bool whole = positions->GetBackend()->grid() == grid && positions->GetNumberOfTuples() == grid->numNodes() &&
    connectivity->GetNumberOfValues() == IntervalGrid<Dim>::nodesPerCell * numCells &&
    dataset->GetNumberOfCells() == numCells;
  return whole ? grid : nullptr;
}

std::int64_t numCellsOf(vtkDataSet* data) {
  return data == nullptr ? 0 : std::max<std::int64_t>(data->GetNumberOfCells(), 0);
}

template <int Dim>
Cell<Dim> shiftBetween(const GridPlacement& a, const GridPlacement& b) {
  const LatticeShift<Dim> shift = latticeShift<Dim>(a, b);
  if (!shift.problem.empty()) {
    throw InvalidArgument(shift.problem);
  }
  return shift.cells;
}

Progress progressOf(vtkAlgorithm* algorithm) {
  return Progress([algorithm](double fraction) {
    algorithm->UpdateProgress(fraction);
    return !algorithm->CheckAbort();
  });
}

#define SPANWISE_BRIDGE(Dim)                                                                                           \
  template void setGrid<Dim>(vtkUnstructuredGrid*, const IntervalGridPointer<Dim>&);                                   \
  template IntervalGridPointer<Dim> gridOf<Dim>(vtkDataObject*);                                                       \
  template Cell<Dim> shiftBetween<Dim>(const GridPlacement&, const GridPlacement&);
SPANWISE_BRIDGE(2)
SPANWISE_BRIDGE(3)

} // namespace spanwise
