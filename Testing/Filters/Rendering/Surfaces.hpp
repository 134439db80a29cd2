#pragma once

#include "SpanwiseBridge.h"
#include "SpanwiseSurface.h"

#include <vtkCellData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

namespace spanwise::testing {

/// The surface of a grid of intervals, without the cells that vtkGhostType marks.
inline vtkSmartPointer<vtkPolyData> drawnSurface(vtkUnstructuredGrid* grid, const SurfaceOptions& options) {
  vtkDataArray* const ghosts = grid->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName());
  auto surface = vtkSmartPointer<vtkPolyData>::New();
  if (const auto plane = gridOf<2>(grid)) {
    makeSurface(grid, drawnCells(plane, ghosts), options, surface.Get());
  } else {
    makeSurface(grid, drawnCells(gridOf<3>(grid), ghosts), options, surface.Get());
  }
  return surface;
}

} // namespace spanwise::testing
