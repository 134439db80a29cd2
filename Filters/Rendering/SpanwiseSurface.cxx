#include "SpanwiseSurface.h"

#include "SpanwiseCoarsening.h"
#include "SpanwiseGeometry.h"
#include "SpanwiseMirroredArray.h"

#include "Core/Geometry/Surface/CellSurface.hpp"
#include "Core/Geometry/Surface/RunSurface.hpp"
#include "Core/Geometry/Surface/SmoothNormals.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <span>

namespace spanwise {

namespace {

constexpr int maxShift = 30; // a block of more cells is larger than every coordinate

void addIds(vtkDataSetAttributes* to, vtkIdTypeArray* ids, const char* name) {
  ids->SetName(name);
  to->AddArray(ids);
}

// The arrays of one kind of attributes: `ids` says which tuples of `from`, none that they are the same.
template <ComputeSide side>
void passArrays(const SideContext<side>& context, vtkDataSetAttributes* from, const ArrayChoice& choice,
  IdsOnSide<side> ids, vtkIdType count, vtkDataSetAttributes* to, const char* idsName) {
  if (ids) {
    gatherArrays(context, from, choice, ids, to);
  } else {
    shareArrays(from, choice, to);
  }
  if (idsName != nullptr) {
    addIds(to, ids ? ids.onHost() : IdsOnSide<side>::identity(context, count).onHost(), idsName);
  }
}

// Whether blocks have the mean of an array's values.
bool hasMeans(vtkAbstractArray* array) {
  return array->GetDataType() == VTK_FLOAT || array->GetDataType() == VTK_DOUBLE;
}

// The arrays of the blocks themselves: means where a mean makes sense, otherwise the value of one cell.
template <int Dim, ComputeSide side>
void passBlockArrays(const SideContext<side>& context, const Coarsening<Dim, side>& coarsening,
  const ViewOnSide<side, std::int64_t>& cells, vtkCellData* from, const ArrayChoice& choice, vtkCellData* to) {
  IdsOnSide<side> chosen = IdsOnSide<side>::identity(context, coarsening.grid->numCells());
  chosen.lookUp(context, cells);
  addArrays(from, choice, to, [&](vtkAbstractArray* array) -> vtkSmartPointer<vtkAbstractArray> {
    if (!hasMeans(array)) {
      return gathered(context, array, chosen);
    }
    const vtkSmartPointer<vtkDataArray> means = meansOverBlocks(context, coarsening, vtkDataArray::SafeDownCast(array));
    means->SetName(array->GetName());
    means->CopyComponentNames(array);
    means->SetLookupTable(vtkDataArray::SafeDownCast(array)->GetLookupTable());
    return means;
  });
}

template <ComputeSide side>
vtkSmartPointer<vtkFloatArray> smoothNormalsOf(
  const SideContext<side>& context, const DrawnCells<3>& drawn, const IdsOnSide<side>& nodes) {
  auto normals = vtkSmartPointer<vtkFloatArray>::New();
  normals->SetName("Smooth Normals");
  normals->SetNumberOfComponents(3);
  normals->SetNumberOfTuples(nodes.count());
  const std::span<const vtkIdType> ofPoints(nodes.data(), static_cast<std::size_t>(nodes.count()));
  fillOnSide(context, 3 * nodes.count(), normals->GetPointer(0), [&](float* there) {
    smoothNormals<SpaceOf<side>>(
      context, drawn.cells(context), latticeOf<3>(drawn.grid().placement()), ofPoints, there);
  });
  return normals;
}

template <int Dim, ComputeSide side>
void addNormals(const SideContext<side>& context, const DrawnCells<Dim>& drawn, const SurfaceGeometry<side>& surface,
  const SurfaceOptions& options, vtkPolyData* output) {
  if constexpr (Dim == 3) {
    if (options.shading == Shading::Smooth) {
      output->GetPointData()->SetNormals(smoothNormalsOf(context, drawn, surface.nodes));
    }
  }
}

const char* nameIf(bool wanted, const char* name) { return wanted ? name : nullptr; }

template <int Dim, ComputeSide side>
void makeCellSurface(const SideContext<side>& context, vtkUnstructuredGrid* input, const DrawnCells<Dim>& drawn,
  const SurfaceOptions& options, vtkPolyData* output) {
  const SurfaceGeometry<side> surface = cellSurface(context, drawn);
  output->SetPoints(surface.points);
  output->SetPolys(surface.polygons);
  passArrays(context, input->GetCellData(), options.cellArrays, surface.cells, surface.polygons->GetNumberOfCells(),
    output->GetCellData(), nameIf(options.cellIds, "vtkOriginalCellIds"));
  passArrays(context, input->GetPointData(), options.pointArrays, surface.nodes, surface.points->GetNumberOfPoints(),
    output->GetPointData(), nameIf(options.pointIds, "vtkOriginalPointIds"));
  addNormals(context, drawn, surface, options, output);
}

template <int Dim, ComputeSide side>
void makeBlockSurface(const SideContext<side>& context, vtkUnstructuredGrid* input, const Coarsening<Dim, side>& blocks,
  const SurfaceOptions& options, vtkPolyData* output) {
  const DrawnCells<Dim> drawn = drawnBlocks(blocks);
  const SurfaceGeometry<side> surface = cellSurface(context, drawn);
  const vtkIdType numPolygons = surface.polygons->GetNumberOfCells();
  const vtkIdType numPoints = surface.points->GetNumberOfPoints();
  output->SetPoints(surface.points);
  output->SetPolys(surface.polygons);
  addNormals(context, drawn, surface, options, output); // before nodes are looked up
  const ViewOnSide<side, std::int64_t> cellOf = cellsOfBlocks(context, blocks);
  if (!options.pointArrays.none || options.pointIds) {
    const IdsOnSide<side> nodes = surface.sameNodes ? IdsOnSide<side>::identity(context, numPoints) : surface.nodes;
    nodes.lookUp(context, nodesOfBlocks(context, blocks, cellOf));
    passArrays(context, input->GetPointData(), options.pointArrays, nodes, numPoints, output->GetPointData(),
      nameIf(options.pointIds, "vtkOriginalPointIds"));
  }
  vtkNew<vtkCellData> ofBlocks;
  passBlockArrays(context, blocks, cellOf, input->GetCellData(), options.cellArrays, ofBlocks);
  passArrays(context, ofBlocks, {}, surface.cells, numPolygons, output->GetCellData(), nullptr);
  if (options.cellIds) {
    IdsOnSide<side> cells = IdsOnSide<side>::identity(context, numPolygons);
    if (surface.cells) {
      cells = surface.cells;
    }
    cells.lookUp(context, cellOf);
    addIds(output->GetCellData(), cells.onHost(), "vtkOriginalCellIds");
  }
}

template <int Dim, ComputeSide side>
void makeRunSurface(const SideContext<side>& context, const DrawnCells<Dim>& drawn, vtkPolyData* output) {
  const SurfaceGeometry<side> surface = runSurface(context, drawn);
  output->SetPoints(surface.points);
  output->SetPolys(surface.polygons);
}

template <int Dim, ComputeSide side>
std::int64_t countOn(
  const SideContext<side>& context, const DrawnCells<Dim>& drawn, SurfaceKind kind, std::int64_t enough) {
  using Space = SpaceOf<side>;
  return kind == SurfaceKind::Cells ? countQuads<Space, Dim>(context, drawn.cells(context))
                                    : countRunTriangles<Space, Dim>(context, drawn.cells(context), enough);
}

// A shift, not less than options.shift, with which the surface of blocks stays within options.maxPolygons. `polygons`
// is the number of the surface without blocks; 0 if it does not matter.
template <int Dim, ComputeSide side>
int fittingShift(const SideContext<side>& context, const DrawnCells<Dim>& drawn, const SurfaceOptions& options,
  std::int64_t polygons) {
  // Doubling the blocks leaves about a quarter of the polygons, in 2D as on a surface in 3D; of runs often more.
  const auto furtherShift = [&](std::int64_t count) {
    int shift = 0;
    for (; count > options.maxPolygons; count /= 4) {
      ++shift;
    }
    return shift;
  };
  int shift = std::min(maxShift, options.shift + furtherShift(polygons));
  DrawnCells<Dim> blocks = drawnBlocks(coarsen(context, drawn, shift));
  while (shift < maxShift) {
    const int further =
      std::min(maxShift - shift, furtherShift(countOn(context, blocks, options.kind, options.maxPolygons)));
    if (further == 0) {
      break;
    }
    blocks = drawnBlocks(coarsen(context, blocks, further)); // blocks of blocks: there are fewer
    shift += further;
  }
  return shift;
}

template <int Dim, ComputeSide side>
int makeSurfaceOn(const SideContext<side>& context, vtkUnstructuredGrid* input, const DrawnCells<Dim>& drawn,
  const SurfaceOptions& options, vtkPolyData* output) {
  output->Initialize();
  output->GetFieldData()->PassData(input->GetFieldData());
  const std::int64_t polygons =
    options.shift == 0 && options.isLimited() ? countOn(context, drawn, options.kind, options.maxPolygons) : 0;
  if (options.shift == 0 && polygons <= options.maxPolygons) {
    if (options.kind == SurfaceKind::Cells) {
      makeCellSurface(context, input, drawn, options, output);
    } else {
      makeRunSurface(context, drawn, output);
    }
    return 0;
  }
  const int shift = options.isLimited() ? fittingShift(context, drawn, options, polygons) : options.shift;
  const Coarsening<Dim, side> blocks = coarsen(context, drawn, shift);
  if (options.kind == SurfaceKind::Cells) {
    makeBlockSurface(context, input, blocks, options, output);
  } else {
    makeRunSurface(context, drawnBlocks(blocks), output);
  }
  return shift;
}

} // namespace

template <int Dim>
std::int64_t countPolygons(const DrawnCells<Dim>& drawn, SurfaceKind kind, std::int64_t enough) {
  return drawOnSide("Polygons of surfaces", drawn.work(),
    [&]<ComputeSide side>(const SideContext<side>& context) { return countOn(context, drawn, kind, enough); });
}

template <int Dim>
SideWork workOfSurface(vtkUnstructuredGrid* input, const DrawnCells<Dim>& drawn, const SurfaceOptions& options) {
  const bool blocks = options.shift > 0 || options.isLimited();
  bool gathersThere = false;
  bool averagesHere = false;
  bool averagesThere = false;
  const auto look = [&](vtkDataSetAttributes* arrays, const ArrayChoice& choice, bool ofCells) {
    for (int a = 0; a < arrays->GetNumberOfArrays() && options.kind == SurfaceKind::Cells; ++a) {
      vtkAbstractArray* const array = arrays->GetAbstractArray(a);
      if (choice.contains(array->GetName())) {
        const bool there = isOnDevice(array);
        const bool averaged = blocks && ofCells && hasMeans(array);
        gathersThere = gathersThere || there;
        averagesThere = averagesThere || (averaged && there);
        averagesHere = averagesHere || (averaged && !there);
      }
    }
  };
  look(input->GetCellData(), options.cellArrays, true);
  look(input->GetPointData(), options.pointArrays, false);
  SideWork work = drawn.work();
  work.numCells = gathersThere ? drawn.grid().numCells() : work.numCells;
  work.onDevice = work.onDevice || gathersThere;
  work.onHost = !work.onDevice || (averagesHere && !averagesThere);
  return work;
}

template <int Dim>
int makeSurface(
  vtkUnstructuredGrid* input, const DrawnCells<Dim>& drawn, const SurfaceOptions& options, vtkPolyData* output) {
  return drawOnSide(
    "Surface", workOfSurface(input, drawn, options), [&]<ComputeSide side>(const SideContext<side>& context) {
      return makeSurfaceOn(context, input, drawn, options, output);
    });
}

#define SPANWISE_SURFACE(Dim)                                                                                          \
  template SideWork workOfSurface<Dim>(vtkUnstructuredGrid*, const DrawnCells<Dim>&, const SurfaceOptions&);           \
  template std::int64_t countPolygons<Dim>(const DrawnCells<Dim>&, SurfaceKind, std::int64_t);                         \
  template int makeSurface<Dim>(vtkUnstructuredGrid*, const DrawnCells<Dim>&, const SurfaceOptions&, vtkPolyData*);
SPANWISE_SURFACE(2)
SPANWISE_SURFACE(3)

} // namespace spanwise
