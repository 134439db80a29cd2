#include "SpanwiseGeometry.h"

#include "Core/Geometry/Surface/CellSurface.hpp"
#include "Core/Geometry/Surface/RunSurface.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

/// Calls fill(positions) with an array of three floats or doubles a point to be filled.
template <class Fill>
vtkSmartPointer<vtkPoints> makePoints(bool asDouble, std::int64_t count, const Fill& fill) {
  const auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataType(asDouble ? VTK_DOUBLE : VTK_FLOAT);
  points->SetNumberOfPoints(count);
  if (asDouble) {
    fill(vtkDoubleArray::SafeDownCast(points->GetData())->GetPointer(0));
  } else {
    fill(vtkFloatArray::SafeDownCast(points->GetData())->GetPointer(0));
  }
  return points;
}

/// Calls fill(ids) with an array of count * cornersPerPolygon ids to be filled, of 32 bits if numPoints lets it, and
/// returns polygons that all have that many corners. No offsets are stored.
template <class Fill>
vtkSmartPointer<vtkCellArray> makePolygons(
  std::int64_t count, int cornersPerPolygon, std::int64_t numPoints, const Fill& fill) {
  const auto polygons = vtkSmartPointer<vtkCellArray>::New();
  const auto build = [&](auto* ids) {
    ids->SetNumberOfValues(count * cornersPerPolygon);
    fill(ids->GetPointer(0));
    polygons->SetData(static_cast<vtkIdType>(cornersPerPolygon), ids);
  };
  if (numPoints <= std::numeric_limits<vtkTypeInt32>::max()) {
    build(vtkNew<vtkCellArray::AOSArray32>().Get());
  } else {
    build(vtkNew<vtkCellArray::AOSArray64>().Get());
  }
  return polygons;
}

} // namespace

template <int Dim>
bool needsDoublePoints(const IntervalGrid<Dim>& grid) {
  constexpr double limit = 1 << 17; // float has 24 bits: half a unit in the last place is 2^-8 of a cell here
  double bounds[6];
  grid.bounds(bounds);
  const GridPlacement& placement = grid.placement();
  for (int d = 0; d < Dim; ++d) {
    if (std::max(std::abs(bounds[2 * d]), std::abs(bounds[2 * d + 1])) > limit * placement.spacing[d]) {
      return true;
    }
  }
  return false;
}

template <ComputeSide side, int Dim>
SurfaceGeometry<side> cellSurface(const SideContext<side>& context, const DrawnCells<Dim>& drawn) {
  const CellSurface<SpaceOf<side>, Dim> made(context.space(), drawn.cells(context));
  const GridGeometry<3> lattice = latticeOf<3>(drawn.grid().placement());
  SurfaceGeometry<side> surface;
  surface.sameCells = surface.sameNodes = made.keepsNumbers();
  if (!surface.sameNodes) {
    surface.nodes = IdsOnSide<side>(made.numPoints());
  }
  surface.points = makePoints(needsDoublePoints(drawn.grid()), made.numPoints(), [&]<class Real>(Real* positions) {
    fillOnSide(context, 3 * made.numPoints(), positions,
      [&](Real* there) { made.fillPoints(lattice, there, surface.nodes.data()); });
  });
  surface.polygons = makePolygons(made.numQuads(), 4, made.numPoints(), [&]<class Id>(Id* corners) {
    fillOnSide(context, 4 * made.numQuads(), corners, [&](Id* there) { made.fillQuads(there); });
  });
  if (!surface.sameCells) {
    surface.cells = IdsOnSide<side>(made.numQuads());
    made.fillCells(surface.cells.data());
  }
  context.space().fence(SPANWISE_LABEL("Rendering::cell surface")); // kernels may still read what was made
  return surface;
}

template <ComputeSide side, int Dim>
SurfaceGeometry<side> runSurface(const SideContext<side>& context, const DrawnCells<Dim>& drawn) {
  const RunSurface<SpaceOf<side>, Dim> made(context.space(), drawn.cells(context));
  const GridGeometry<3> lattice = latticeOf<3>(drawn.grid().placement());
  SurfaceGeometry<side> surface;
  surface.points = makePoints(needsDoublePoints(drawn.grid()), made.numPoints(), [&]<class Real>(Real* positions) {
    fillOnSide(context, 3 * made.numPoints(), positions, [&](Real* there) { made.fillPoints(lattice, there); });
  });
  surface.polygons = makePolygons(made.numTriangles(), 3, made.numPoints(), [&]<class Id>(Id* corners) {
    fillOnSide(context, 3 * made.numTriangles(), corners, [&](Id* there) { made.fillTriangles(there); });
  });
  return surface;
}

#define SPANWISE_GEOMETRY_ON(Dim, side)                                                                                \
  template SurfaceGeometry<side> cellSurface<side, Dim>(const SideContext<side>&, const DrawnCells<Dim>&);             \
  template SurfaceGeometry<side> runSurface<side, Dim>(const SideContext<side>&, const DrawnCells<Dim>&);
#define SPANWISE_GEOMETRY(Dim)                                                                                         \
  template bool needsDoublePoints<Dim>(const IntervalGrid<Dim>&);                                                      \
  SPANWISE_GEOMETRY_ON(Dim, ComputeSide::Host)                                                                         \
  SPANWISE_GEOMETRY_ON(Dim, ComputeSide::Device)
SPANWISE_GEOMETRY(2)
SPANWISE_GEOMETRY(3)

} // namespace spanwise
