#include "SpanwiseSurface.h"

#include "SpanwiseCoarsening.h"
#include "SpanwiseGeometry.h"

#include "Core/Geometry/Surface/CellSurface.hpp"
#include "Core/Geometry/Surface/RunSurface.hpp"
#include "Core/Geometry/Surface/SmoothNormals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace spanwise {

namespace {

constexpr int maxShift = 30; // a block of more cells is larger than every coordinate

vtkSmartPointer<vtkIdTypeArray> identity(vtkIdType count) {
  const auto ids = vtkSmartPointer<vtkIdTypeArray>::New();
  ids->SetNumberOfValues(count);
  std::iota(ids->GetPointer(0), ids->GetPointer(0) + count, vtkIdType{0});
  return ids;
}

void addIds(vtkDataSetAttributes* to, vtkIdTypeArray* ids, const char* name) {
  ids->SetName(name);
  to->AddArray(ids);
}

// ids[k] = table[ids[k]]
void lookUp(vtkIdTypeArray* ids, const Kokkos::View<std::int64_t*, Kokkos::HostSpace>& table) {
  vtkIdType* const values = ids->GetPointer(0);
  forEachUneven(HostExecutionSpace(), SPANWISE_LABEL("Rendering::look up"), ids->GetNumberOfValues(),
    [&](std::int64_t k) { values[k] = table[static_cast<std::size_t>(values[k])]; });
}

// The arrays of one kind of attributes: `ids` says which tuples of `from`, null that they are the same.
void passArrays(vtkDataSetAttributes* from, const ArrayChoice& choice, vtkIdTypeArray* ids, vtkIdType count,
  vtkDataSetAttributes* to, const char* idsName) {
  if (ids == nullptr) {
    shareArrays(from, choice, to);
    if (idsName != nullptr) {
      addIds(to, identity(count), idsName);
    }
    return;
  }
  gatherArrays(from, choice, ids->GetPointer(0), count, to);
  if (idsName != nullptr) {
    addIds(to, ids, idsName);
  }
}

// The arrays of the blocks themselves: means where a mean makes sense, otherwise the value of one cell.
template <int Dim>
void passBlockArrays(const Coarsening<Dim>& coarsening, vtkCellData* from, const ArrayChoice& choice, vtkCellData* to) {
  const auto numBlocks = static_cast<vtkIdType>(coarsening.grid->numCells());
  const auto cells = vtkSmartPointer<vtkIdTypeArray>::New();
  cells->SetNumberOfValues(numBlocks);
  std::copy_n(coarsening.cells.data(), numBlocks, cells->GetPointer(0));
  addArrays(from, choice, to, [&](vtkAbstractArray* array) -> vtkSmartPointer<vtkAbstractArray> {
    if (array->GetDataType() != VTK_FLOAT && array->GetDataType() != VTK_DOUBLE) {
      return gathered(array, cells->GetPointer(0), numBlocks);
    }
    const vtkSmartPointer<vtkDataArray> means = meansOverBlocks(coarsening, vtkDataArray::SafeDownCast(array));
    means->SetName(array->GetName());
    means->CopyComponentNames(array);
    means->SetLookupTable(vtkDataArray::SafeDownCast(array)->GetLookupTable());
    return means;
  });
}

vtkSmartPointer<vtkFloatArray> smoothNormalsOf(const DrawnCells<3>& drawn, vtkIdTypeArray* nodes) {
  auto normals = vtkSmartPointer<vtkFloatArray>::New();
  normals->SetName("Smooth Normals");
  normals->SetNumberOfComponents(3);
  normals->SetNumberOfTuples(nodes->GetNumberOfValues());
  const std::span<const vtkIdType> ofPoints(nodes->GetPointer(0), static_cast<std::size_t>(nodes->GetNumberOfValues()));
  smoothNormals<HostExecutionSpace>(Context<HostExecutionSpace>(), drawn.cells(), latticeOf<3>(drawn.grid->placement()),
    ofPoints, normals->GetPointer(0));
  return normals;
}

template <int Dim>
void addNormals(
  const DrawnCells<Dim>& drawn, const SurfaceGeometry& surface, const SurfaceOptions& options, vtkPolyData* output) {
  if constexpr (Dim == 3) {
    if (options.shading == Shading::Smooth) {
      output->GetPointData()->SetNormals(smoothNormalsOf(drawn, surface.nodes));
    }
  }
}

const char* nameIf(bool wanted, const char* name) { return wanted ? name : nullptr; }

template <int Dim>
void makeCellSurface(
  vtkUnstructuredGrid* input, const DrawnCells<Dim>& drawn, const SurfaceOptions& options, vtkPolyData* output) {
  SurfaceGeometry surface = cellSurface(drawn);
  output->SetPoints(surface.points);
  output->SetPolys(surface.polygons);
  passArrays(input->GetCellData(), options.cellArrays, surface.cells, surface.polygons->GetNumberOfCells(),
    output->GetCellData(), nameIf(options.cellIds, "vtkOriginalCellIds"));
  passArrays(input->GetPointData(), options.pointArrays, surface.nodes, surface.points->GetNumberOfPoints(),
    output->GetPointData(), nameIf(options.pointIds, "vtkOriginalPointIds"));
  addNormals(drawn, surface, options, output);
}

template <int Dim>
void makeBlockSurface(
  vtkUnstructuredGrid* input, const Coarsening<Dim>& blocks, const SurfaceOptions& options, vtkPolyData* output) {
  const DrawnCells<Dim> drawn = drawnBlocks(blocks);
  SurfaceGeometry surface = cellSurface(drawn);
  const vtkIdType numPolygons = surface.polygons->GetNumberOfCells();
  const vtkIdType numPoints = surface.points->GetNumberOfPoints();
  output->SetPoints(surface.points);
  output->SetPolys(surface.polygons);
  addNormals(drawn, surface, options, output); // before nodes are looked up
  if (!options.pointArrays.none || options.pointIds) {
    const vtkSmartPointer<vtkIdTypeArray> nodes = surface.sameNodes ? identity(numPoints) : surface.nodes;
    lookUp(nodes, nodesOfBlocks(blocks));
    passArrays(input->GetPointData(), options.pointArrays, nodes, numPoints, output->GetPointData(),
      nameIf(options.pointIds, "vtkOriginalPointIds"));
  }
  vtkNew<vtkCellData> ofBlocks;
  passBlockArrays(blocks, input->GetCellData(), options.cellArrays, ofBlocks);
  passArrays(ofBlocks, {}, surface.cells, numPolygons, output->GetCellData(), nullptr);
  if (options.cellIds) {
    const vtkSmartPointer<vtkIdTypeArray> cells = surface.sameCells ? identity(numPolygons) : surface.cells;
    lookUp(cells, blocks.cells);
    addIds(output->GetCellData(), cells, "vtkOriginalCellIds");
  }
}

template <int Dim>
void makeRunSurface(const DrawnCells<Dim>& drawn, vtkPolyData* output) {
  const SurfaceGeometry surface = runSurface(drawn);
  output->SetPoints(surface.points);
  output->SetPolys(surface.polygons);
}

} // namespace

template <int Dim>
std::int64_t countPolygons(const DrawnCells<Dim>& drawn, SurfaceKind kind, std::int64_t enough) {
  const HostExecutionSpace space;
  return kind == SurfaceKind::Cells ? countQuads<HostExecutionSpace, Dim>(Context(space), drawn.cells())
                                    : countRunTriangles<HostExecutionSpace, Dim>(Context(space), drawn.cells(), enough);
}

namespace {

// A shift, not less than options.shift, with which the surface of blocks stays within options.maxPolygons. `polygons`
// is the number of the surface without blocks; 0 if it does not matter.
template <int Dim>
int fittingShift(const DrawnCells<Dim>& drawn, const SurfaceOptions& options, std::int64_t polygons) {
  // Doubling the blocks leaves about a quarter of the polygons, in 2D as on a surface in 3D; of runs often more.
  const auto furtherShift = [&](std::int64_t count) {
    int shift = 0;
    for (; count > options.maxPolygons; count /= 4) {
      ++shift;
    }
    return shift;
  };
  int shift = std::min(maxShift, options.shift + furtherShift(polygons));
  DrawnCells<Dim> blocks = drawnBlocks(coarsen(drawn, shift));
  while (shift < maxShift) {
    const int further =
      std::min(maxShift - shift, furtherShift(countPolygons(blocks, options.kind, options.maxPolygons)));
    if (further == 0) {
      break;
    }
    blocks = drawnBlocks(coarsen(blocks, further)); // blocks of blocks: there are fewer
    shift += further;
  }
  return shift;
}

} // namespace

template <int Dim>
int makeSurface(
  vtkUnstructuredGrid* input, const DrawnCells<Dim>& drawn, const SurfaceOptions& options, vtkPolyData* output) {
  output->Initialize();
  output->GetFieldData()->PassData(input->GetFieldData());
  const bool limited = options.maxPolygons < std::numeric_limits<std::int64_t>::max();
  const std::int64_t polygons =
    options.shift == 0 && limited ? countPolygons(drawn, options.kind, options.maxPolygons) : 0;
  if (options.shift == 0 && polygons <= options.maxPolygons) {
    if (options.kind == SurfaceKind::Cells) {
      makeCellSurface(input, drawn, options, output);
    } else {
      makeRunSurface(drawn, output);
    }
    return 0;
  }
  const int shift = limited ? fittingShift(drawn, options, polygons) : options.shift;
  const Coarsening<Dim> blocks = coarsen(drawn, shift);
  if (options.kind == SurfaceKind::Cells) {
    makeBlockSurface(input, blocks, options, output);
  } else {
    makeRunSurface(drawnBlocks(blocks), output);
  }
  return shift;
}

#define SPANWISE_SURFACE(Dim)                                                                                          \
  template std::int64_t countPolygons<Dim>(const DrawnCells<Dim>&, SurfaceKind, std::int64_t);                         \
  template int makeSurface<Dim>(vtkUnstructuredGrid*, const DrawnCells<Dim>&, const SurfaceOptions&, vtkPolyData*);
SPANWISE_SURFACE(2)
SPANWISE_SURFACE(3)

} // namespace spanwise
