#include "SpanwiseCoarsening.h"

#include "SpanwiseMirroredArray.h"

#include "Core/Multilevel/BlockMeans.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/SetAll.hpp"

#include <vtkArrayDispatch.h>
#include <vtkDataArray.h>
#include <vtkDataArrayAccessor.h>

#include <algorithm>
#include <cmath>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Numbers = Kokkos::View<std::int64_t*, Kokkos::HostSpace>;

Numbers makeNumbers(const std::string& label, std::int64_t count) {
  return Numbers(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), static_cast<std::size_t>(count));
}

template <int Dim, class T>
struct MeanWorker {
  const Coarsening<Dim>& coarsening;
  FieldView<T> means;

  template <class Array>
  void operator()(Array* values) const {
    const vtkDataArrayAccessor<Array> accessor(values);
    multilevel::meansOverBlocks<HostExecutionSpace, Dim>(
      Context<HostExecutionSpace>(), coarsening.cellsInBlocks(),
      [accessor](std::int64_t cell, int component) { return accessor.Get(cell, component); }, means);
  }
};

template <int Dim, class T>
void fillMeans(const Coarsening<Dim>& coarsening, vtkDataArray* values, vtkDataArray* out) {
  auto* const tuples = vtkAOSDataArrayTemplate<T>::FastDownCast(out);
  FieldView<T> means;
  means.values = tuples->GetPointer(0);
  means.componentStride = 1;
  means.cellStride = out->GetNumberOfComponents();
  means.numCells = out->GetNumberOfTuples();
  means.numComponents = out->GetNumberOfComponents();
  const MeanWorker<Dim, T> worker{coarsening, means};
  if (!vtkArrayDispatch::DispatchByValueType<vtkArrayDispatch::Reals>::Execute(values, worker)) {
    worker(values);
  }
}

} // namespace

template <int Dim>
Coarsening<Dim> coarsen(const DrawnCells<Dim>& drawn, int shift) {
  GridPlacement placement = drawn.grid->placement();
  for (double& spacing : placement.spacing) {
    spacing = std::ldexp(spacing, shift);
  }
  placement.level = std::max(0, placement.level - shift);
  const Context<HostExecutionSpace> context;
  HostIntervalSet<Dim> blocks;
  multilevel::makeBlocks<HostExecutionSpace, Dim>(context, drawn.set, shift, blocks);
  Coarsening<Dim> coarsening{drawn, IntervalGrid<Dim>::make(blocks, placement), shift,
    makeNumbers(SPANWISE_LABEL("Rendering::cells of blocks"), blocks.numCells())};
  multilevel::cellsOfBlocks<HostExecutionSpace, Dim>(context, coarsening.cellsInBlocks(), coarsening.cells);
  return coarsening;
}

template <int Dim>
Numbers nodesOfBlocks(const Coarsening<Dim>& coarsening) {
  const IntervalGrid<Dim>& blocks = *coarsening.grid;
  const Numbers nodes = makeNumbers(SPANWISE_LABEL("Rendering::nodes of blocks"), blocks.numNodes());
  setAll(HostExecutionSpace(), nodes, -1);
  // Blocks that share a node write to it from several rows: this loop is serial.
  const IntervalSetView<Dim>& cells = blocks.cells();
  for (std::int64_t i = 0; i < cells.numIntervals; ++i) {
    for (int corner = 0; corner < IntervalGrid<Dim>::nodesPerCell; ++corner) {
      const std::int64_t node = blocks.nodeBase(i, corner >> 1) + (corner & 1);
      for (std::int64_t c = cells.cellOffsets[i]; c < cells.cellOffsets[i + 1]; ++c) {
        std::int64_t& chosen = nodes[static_cast<std::size_t>(node + c - cells.cellOffsets[i])];
        if (chosen < 0) {
          chosen = coarsening.fine.grid->nodeOfCell(coarsening.cells[static_cast<std::size_t>(c)], corner);
        }
      }
    }
  }
  return nodes;
}

template <int Dim>
vtkSmartPointer<vtkDataArray> meansOverBlocks(const Coarsening<Dim>& coarsening, vtkDataArray* array) {
  const auto here = onHost(array); // kernels read it
  auto* const values = vtkDataArray::SafeDownCast(here);
  const auto out = vtk::TakeSmartPointer(vtkDataArray::CreateDataArray(values->GetDataType()));
  out->SetNumberOfComponents(values->GetNumberOfComponents());
  out->SetNumberOfTuples(coarsening.grid->numCells());
  if (out->GetDataType() == VTK_FLOAT) {
    fillMeans<Dim, float>(coarsening, values, out);
  } else {
    fillMeans<Dim, double>(coarsening, values, out);
  }
  return out;
}

#define SPANWISE_COARSENING(Dim)                                                                                       \
  template Coarsening<Dim> coarsen<Dim>(const DrawnCells<Dim>&, int);                                                  \
  template Numbers nodesOfBlocks<Dim>(const Coarsening<Dim>&);                                                         \
  template vtkSmartPointer<vtkDataArray> meansOverBlocks<Dim>(const Coarsening<Dim>&, vtkDataArray*);
SPANWISE_COARSENING(2)
SPANWISE_COARSENING(3)

} // namespace spanwise
