#include "SpanwiseCoarsening.h"

#include "SpanwiseMirroredArray.h"

#include "Core/Geometry/Surface/BlockMeans.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/SetAll.hpp"

#include <vtkArrayDispatch.h>
#include <vtkDataArray.h>
#include <vtkDataArrayRange.h>

#include <algorithm>
#include <cmath>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

template <int Dim>
struct MeanWorker {
  const Coarsening<Dim>& coarsening;
  vtkDataArray* out;

  template <class Array>
  void operator()(Array* values) const {
    const int components = values->GetNumberOfComponents();
    meansOverBlocks<Dim>(
      Context<HostExecutionSpace>(), coarsening.fine.cells(), coarsening.map, components,
      [=](std::int64_t cell, std::int64_t count) {
        return vtk::DataArrayValueRange(values, cell * components, (cell + count) * components);
      },
      [this](std::int64_t block, int component, double mean) { out->SetComponent(block, component, mean); });
  }
};

} // namespace

template <int Dim>
Coarsening<Dim> coarsen(const DrawnCells<Dim>& drawn, int shift) {
  GridPlacement placement = drawn.grid->placement();
  for (double& spacing : placement.spacing) {
    spacing = std::ldexp(spacing, shift);
  }
  placement.level = std::max(0, placement.level - shift);
  HostIntervalSet<Dim> blocks;
  const BlockMap map = makeBlocks<Dim>(Context<HostExecutionSpace>(), drawn.cells(), shift, blocks);
  return {drawn, IntervalGrid<Dim>::make(blocks, placement), map};
}

template <int Dim>
BlockMap::Numbers nodesOfBlocks(const Coarsening<Dim>& coarsening) {
  const IntervalGrid<Dim>& blocks = *coarsening.grid;
  const BlockMap::Numbers nodes(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Rendering::nodes of blocks")),
    static_cast<std::size_t>(blocks.numNodes()));
  setAll(HostExecutionSpace(), nodes, -1);
  // Blocks that share a node write to it from several rows: this loop is serial.
  const IntervalSetView<Dim>& cells = blocks.cells();
  for (std::int64_t i = 0; i < cells.numIntervals; ++i) {
    for (int corner = 0; corner < IntervalGrid<Dim>::nodesPerCell; ++corner) {
      const std::int64_t node = blocks.nodeBase(i, corner >> 1) + (corner & 1);
      for (std::int64_t c = cells.cellOffsets[i]; c < cells.cellOffsets[i + 1]; ++c) {
        std::int64_t& chosen = nodes[static_cast<std::size_t>(node + c - cells.cellOffsets[i])];
        if (chosen < 0) {
          chosen = coarsening.fine.grid->nodeOfCell(coarsening.map.cells[static_cast<std::size_t>(c)], corner);
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
  out->SetNumberOfTuples(coarsening.map.numBlocks());
  const MeanWorker<Dim> worker{coarsening, out};
  if (!vtkArrayDispatch::DispatchByValueType<vtkArrayDispatch::Reals>::Execute(values, worker)) {
    worker(values);
  }
  return out;
}

#define SPANWISE_COARSENING(Dim)                                                                                       \
  template Coarsening<Dim> coarsen<Dim>(const DrawnCells<Dim>&, int);                                                  \
  template BlockMap::Numbers nodesOfBlocks<Dim>(const Coarsening<Dim>&);                                               \
  template vtkSmartPointer<vtkDataArray> meansOverBlocks<Dim>(const Coarsening<Dim>&, vtkDataArray*);
SPANWISE_COARSENING(2)
SPANWISE_COARSENING(3)

} // namespace spanwise
