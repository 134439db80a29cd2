#include "SpanwiseCoarsening.h"

#include "SpanwiseMirroredArray.h"

#include "Core/Multilevel/BlockMeans.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Runtime/TuplesView.hpp"

#include <vtkArrayDispatch.h>
#include <vtkDataArray.h>
#include <vtkDataArrayAccessor.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

// Gives the nodes at one corner of blocks that have none yet the node at that corner of the blocks' chosen cells. No
// two blocks have the same node at the same corner. By interval of blocks on the host, by block on a device.
template <int Dim, bool byInterval, class NodeOfCell>
struct TakeNodes {
  CellsAndNodes<Dim> blocks;
  const std::int64_t* cells; // chosen of each block
  NodeOfCell nodeOfCell;
  int corner;
  std::int64_t* nodes;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t* const offsets = blocks.cells.cellOffsets;
    const std::int64_t i = byInterval ? item : blocks.cells.intervalOfCell(item);
    const std::int64_t base = blocks.nodeBase(i, corner >> 1) + (corner & 1) - offsets[i];
    const std::int64_t end = byInterval ? offsets[i + 1] : item + 1;
    for (std::int64_t block = byInterval ? offsets[i] : item; block < end; ++block) {
      std::int64_t& node = nodes[base + block];
      if (node < 0) {
        node = nodeOfCell(cells[block], corner);
      }
    }
  }
};

// On the device, where there are no tables that find intervals.
template <int Dim>
struct SearchedNode {
  CellsAndNodes<Dim> grid;

  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t cell, int corner) const {
    const std::int64_t i = grid.cells.intervalOfCell(cell);
    return grid.nodeBase(i, corner >> 1) + (cell - grid.cells.cellOffsets[i]) + (corner & 1);
  }
};

template <int Dim>
struct TabledNode {
  const IntervalGrid<Dim>* grid;

  std::int64_t operator()(std::int64_t cell, int corner) const { return grid->nodeOfCell(cell, corner); }
};

template <int Dim, ComputeSide side>
auto nodeFinder(const IntervalGrid<Dim>& grid) {
  if constexpr (side == ComputeSide::Host) {
    return TabledNode<Dim>{&grid.withCellTables().withNodeTables()};
  } else {
    return SearchedNode<Dim>{grid.template cellsAndNodesOn<side>()};
  }
}

template <int Dim, class T>
struct MeanWorker {
  const SideContext<ComputeSide::Host>& context;
  const Coarsening<Dim, ComputeSide::Host>& coarsening;
  FieldView<T> means;

  template <class Array>
  void operator()(Array* values) const {
    const vtkDataArrayAccessor<Array> accessor(values);
    multilevel::meansOverBlocks<Host, Dim>(
      context, coarsening.cellsInBlocks(context),
      [accessor](std::int64_t cell, int component) { return accessor.Get(cell, component); }, means);
  }
};

template <int Dim, class T>
void fillMeans(const SideContext<ComputeSide::Host>& context, const Coarsening<Dim, ComputeSide::Host>& coarsening,
  vtkDataArray* values, vtkDataArray* out) {
  T* const tuples = vtkAOSDataArrayTemplate<T>::FastDownCast(out)->GetPointer(0);
  const auto means = tuplesView(tuples, out->GetNumberOfTuples(), out->GetNumberOfComponents());
  const MeanWorker<Dim, T> worker{context, coarsening, means};
  if (!vtkArrayDispatch::DispatchByValueType<vtkArrayDispatch::Reals>::Execute(values, worker)) {
    worker(values);
  }
}

template <int Dim>
vtkSmartPointer<vtkDataArray> meansHere(const SideContext<ComputeSide::Host>& context,
  const Coarsening<Dim, ComputeSide::Host>& coarsening, vtkDataArray* array) {
  const auto here = onHost(array); // kernels read it
  auto* const values = vtkDataArray::SafeDownCast(here);
  const auto out = vtk::TakeSmartPointer(vtkDataArray::CreateDataArray(values->GetDataType()));
  out->SetNumberOfComponents(values->GetNumberOfComponents());
  out->SetNumberOfTuples(coarsening.grid->numCells());
  if (out->GetDataType() == VTK_FLOAT) {
    fillMeans<Dim, float>(context, coarsening, values, out);
  } else {
    fillMeans<Dim, double>(context, coarsening, values, out);
  }
  return out;
}

template <int Dim, class T>
vtkSmartPointer<vtkDataArray> meansThere(const SideContext<ComputeSide::Device>& context,
  const Coarsening<Dim, ComputeSide::Device>& coarsening, vtkDataArray* array) {
  const typename MirroredValues<T>::Field values = deviceField<T>(array);
  typename MirroredValues<T>::Field means(values.name(), coarsening.grid->numCells(), values.numComponents());
  multilevel::meansOfField<SpaceOf<ComputeSide::Device>, Dim, T>(
    context, coarsening.cellsInBlocks(context), values.view(), means.view());
  return mirroredArray<T>(means);
}

} // namespace

template <int Dim, ComputeSide side>
Coarsening<Dim, side> coarsen(const SideContext<side>& context, const DrawnCells<Dim>& drawn, int shift) {
  GridPlacement placement = drawn.grid().placement();
  for (double& spacing : placement.spacing) {
    spacing = std::ldexp(spacing, shift);
  }
  placement.level = std::max(0, placement.level - shift);
  IntervalSetOn<Dim, SpaceOf<side>> blocks;
  multilevel::makeBlocks<SpaceOf<side>, Dim>(context, drawn.on(context).set, shift, blocks);
  return {drawn, IntervalGrid<Dim>::make(MirroredSet<Dim>::template of<side>(blocks), placement), shift};
}

template <int Dim, ComputeSide side>
ViewOnSide<side, std::int64_t> cellsOfBlocks(
  const SideContext<side>& context, const Coarsening<Dim, side>& coarsening) {
  const ViewOnSide<side, std::int64_t> cells = newArray<side, std::int64_t>(coarsening.grid->numCells());
  multilevel::cellsOfBlocks<SpaceOf<side>, Dim>(context, coarsening.cellsInBlocks(context), cells);
  return cells;
}

template <int Dim, ComputeSide side>
ViewOnSide<side, std::int64_t> nodesOfBlocks(const SideContext<side>& context, const Coarsening<Dim, side>& coarsening,
  const ViewOnSide<side, std::int64_t>& cells) {
  using Space = SpaceOf<side>;
  const IntervalGrid<Dim>& blocks = *coarsening.grid;
  const ViewOnSide<side, std::int64_t> nodes = newArray<side, std::int64_t>(blocks.numNodes());
  setAll(context.space(), nodes, -1);
  const auto nodeOfCell = nodeFinder<Dim, side>(coarsening.fine.grid());
  constexpr bool byInterval = runsOnHost<Space>;
  using Take = TakeNodes<Dim, byInterval, std::remove_const_t<decltype(nodeOfCell)>>;
  for (int corner = 0; corner < IntervalGrid<Dim>::nodesPerCell; ++corner) {
    forEachUneven(context.space(), SPANWISE_LABEL("Rendering::nodes of blocks"),
      byInterval ? blocks.mirrored().numIntervals() : blocks.numCells(),
      Take{blocks.template cellsAndNodesOn<side>(), cells.data(), nodeOfCell, corner, nodes.data()});
  }
  context.space().fence(SPANWISE_LABEL("Rendering::nodes of blocks"));
  return nodes;
}

template <int Dim, ComputeSide side>
vtkSmartPointer<vtkDataArray> meansOverBlocks(
  const SideContext<side>& context, const Coarsening<Dim, side>& coarsening, vtkDataArray* array) {
  if constexpr (side == ComputeSide::Host) {
    return meansHere<Dim>(context, coarsening, array);
  } else if (array->GetDataType() == VTK_FLOAT) {
    return meansThere<Dim, float>(context, coarsening, array);
  } else {
    return meansThere<Dim, double>(context, coarsening, array);
  }
}

#define SPANWISE_COARSENING_ON(Dim, side)                                                                              \
  template Coarsening<Dim, side> coarsen<Dim, side>(const SideContext<side>&, const DrawnCells<Dim>&, int);            \
  template ViewOnSide<side, std::int64_t> cellsOfBlocks<Dim, side>(                                                    \
    const SideContext<side>&, const Coarsening<Dim, side>&);                                                           \
  template ViewOnSide<side, std::int64_t> nodesOfBlocks<Dim, side>(                                                    \
    const SideContext<side>&, const Coarsening<Dim, side>&, const ViewOnSide<side, std::int64_t>&);                    \
  template vtkSmartPointer<vtkDataArray> meansOverBlocks<Dim, side>(                                                   \
    const SideContext<side>&, const Coarsening<Dim, side>&, vtkDataArray*);
#define SPANWISE_COARSENING(Dim)                                                                                       \
  SPANWISE_COARSENING_ON(Dim, ComputeSide::Host)                                                                       \
  SPANWISE_COARSENING_ON(Dim, ComputeSide::Device)
SPANWISE_COARSENING(2)
SPANWISE_COARSENING(3)

} // namespace spanwise
