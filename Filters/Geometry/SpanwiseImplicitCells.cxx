#include "SpanwiseImplicitCells.h"

#include "SpanwiseHostView.h"
#include "SpanwiseLattice.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Mask.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"

#include <vtkDoubleArray.h>
#include <vtkImplicitFunction.h>
#include <vtkNew.h>

#include <limits>
#include <vector>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

constexpr std::int64_t cellsOfBlock = 1 << 18; // 8 MB of positions and values

/// Cuts a box into blocks of at most cellsOfBlock cells, across the slowest axis first.
template <int Dim>
void cutIntoBlocks(const Box<Dim>& box, std::vector<Box<Dim>>& blocks, int axis = Dim - 1) {
  std::int64_t perPlane = 1; // may be too small for a huge plane, which is then cut by the next axis
  for (int d = 0; d < axis; ++d) {
    perPlane = std::min(perPlane * box.extent(d), cellsOfBlock);
  }
  const std::int64_t planes = std::max<std::int64_t>(cellsOfBlock / perPlane, 1);
  for (std::int64_t begin = box.begin[axis]; begin < box.end[axis]; begin += planes) {
    Box<Dim> block = box;
    block.begin[axis] = static_cast<Coordinate>(begin);
    block.end[axis] = static_cast<Coordinate>(std::min<std::int64_t>(begin + planes, box.end[axis]));
    if (perPlane >= cellsOfBlock && axis > 0) {
      cutIntoBlocks(block, blocks, axis - 1);
    } else {
      blocks.push_back(block);
    }
  }
}

template <int Dim>
struct FillCentres {
  GridGeometry<Dim> lattice;
  double plane;
  Box<Dim> box;
  double* positions;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const RowKey<Dim> key = box.row(r);
    const double y = lattice.centre(1, key.y);
    const double z = Dim == 3 ? lattice.centre(Dim - 1, key.zOr0()) : plane;
    double* out = positions + 3 * r * box.extent(0);
    for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x) {
      *out++ = lattice.centre(0, x);
      *out++ = y;
      *out++ = z;
    }
  }
};

// Below zero, or not below zero. The bounds of a ValueRange belong to it.
ValueRange rangeOf(FunctionSide side) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return side == FunctionSide::Inside ? ValueRange{-infinity, -std::numeric_limits<double>::denorm_min()}
                                      : ValueRange{0.0, infinity};
}

} // namespace

template <int Dim>
HostIntervalSet<Dim> implicitCells(vtkImplicitFunction* function, FunctionSide side, const Box<Dim>& box,
  const GridPlacement& placement, const Progress& progress) {
  HostIntervalSet<Dim> all;
  if (box.empty()) {
    return all;
  }
  std::vector<Box<Dim>> blocks;
  cutIntoBlocks(box, blocks);
  std::vector<HostIntervalSet<Dim>> parts;
  const Context<Host> context;
  vtkNew<vtkDoubleArray> positions;
  vtkNew<vtkDoubleArray> values;
  positions->SetNumberOfComponents(3);
  for (const Box<Dim>& block : blocks) {
    const std::int64_t numCells = block.numRows() * block.extent(0);
    positions->SetNumberOfTuples(numCells);
    values->SetNumberOfTuples(numCells);
    forEach(SPANWISE_KERNEL("cell centres"), IndexRange<Host>(Host(), 0, block.numRows()),
      FillCentres<Dim>{latticeOf<Dim>(placement), placement.origin[2], block, positions->GetPointer(0)},
      Work{numCells});
    Host().fence(SPANWISE_LABEL("Geometry::cell centres"));
    function->FunctionValue(positions, values);
    parts.emplace_back();
    makeFromMask<double, Host, Dim>(
      context, hostValues<double>(values->GetPointer(0), numCells), block, rangeOf(side), parts.back());
    progress.report(0.9 * static_cast<double>(parts.size()) / static_cast<double>(blocks.size()));
  }
  combine<Host, Dim>(context.with(progress.part(0.9, 1.0)), SetOperation::Union, parts, all);
  return all;
}

template HostIntervalSet<2> implicitCells<2>(
  vtkImplicitFunction*, FunctionSide, const Box<2>&, const GridPlacement&, const Progress&);
template HostIntervalSet<3> implicitCells<3>(
  vtkImplicitFunction*, FunctionSide, const Box<3>&, const GridPlacement&, const Progress&);

} // namespace spanwise
