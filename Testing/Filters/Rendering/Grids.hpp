#pragma once

// Grids for the tests of this folder: random ones, and their twins made by stock VTK alone.

#include "SpanwiseBridge.h"
#include "Testing/Core/Geometry/Surface/Shapes.hpp"
#include "Testing/Rooms.hpp"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkThreshold.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <functional>

namespace spanwise::testing {

inline GridPlacement oddPlacement() {
  GridPlacement placement;
  placement.origin[0] = 0.5;
  placement.origin[1] = -1.25;
  placement.origin[2] = 3.0;
  placement.spacing[0] = 0.5;
  placement.spacing[1] = 0.25;
  placement.spacing[2] = 2.0;
  return placement;
}

/// A value that tells cells apart, by coordinates.
inline double cellValue(std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<double>(x) + 1000.0 * static_cast<double>(y) + 1000000.0 * static_cast<double>(z);
}

template <class Array, class Value>
vtkSmartPointer<Array> makeArray(const char* name, std::int64_t count, const Value& value) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfTuples(count);
  for (std::int64_t k = 0; k < count; ++k) {
    array->SetValue(k, value(k));
  }
  return array;
}

/// A grid that carries intervals, with the cell array "value" (cellValue) and the point array "height" (x + 10 y + 100
/// z).
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> makeGrid(const CellList<Dim>& cells, const GridPlacement& placement) {
  auto output = vtkSmartPointer<vtkUnstructuredGrid>::New();
  const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>(cells), placement);
  setGrid<Dim>(output, grid);
  output->GetCellData()->SetScalars(makeArray<vtkDoubleArray>("value", grid->set().numCells(), [&](std::int64_t c) {
    const Cell<Dim> cell = grid->cellAt(c);
    return cellValue(cell.at[0], cell.at[1], Dim == 3 ? cell.at[Dim - 1] : 0);
  }));
  output->GetPointData()->AddArray(makeArray<vtkDoubleArray>("height", grid->numNodes(), [&](std::int64_t n) {
    double p[3];
    grid->nodePosition(n, p);
    return p[0] + 10.0 * p[1] + 100.0 * p[2];
  }));
  return output;
}

/// The same cells, made by vtkImageData and vtkThreshold. ghost(x, y, z), if given, are their vtkGhostType flags.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> makeTwin(const CellList<Dim>& cells, const GridPlacement& placement,
  Coordinate extent, const std::function<unsigned char(const Cell<Dim>&)>& ghost = {}) {
  vtkNew<vtkImageData> image;
  image->SetExtent(-extent, extent, -extent, extent, Dim == 3 ? -extent : 0, Dim == 3 ? extent : 0);
  image->SetOrigin(placement.origin);
  image->SetSpacing(placement.spacing);
  const auto coordinates = [&](std::int64_t c) {
    const std::int64_t n = 2 * static_cast<std::int64_t>(extent);
    Cell<Dim> cell{};
    cell.at[0] = static_cast<Coordinate>(c % n - extent);
    cell.at[1] = static_cast<Coordinate>(c / n % n - extent);
    if constexpr (Dim == 3) {
      cell.at[2] = static_cast<Coordinate>(c / n / n - extent);
    }
    return cell;
  };
  const std::int64_t numCells = image->GetNumberOfCells();
  image->GetCellData()->AddArray(makeArray<vtkDoubleArray>(
    "inside", numCells, [&](std::int64_t c) { return cells.count(coordinates(c)) > 0 ? 1.0 : 0.0; }));
  image->GetCellData()->SetScalars(makeArray<vtkDoubleArray>("value", numCells, [&](std::int64_t c) {
    const Cell<Dim> cell = coordinates(c);
    return cellValue(cell.at[0], cell.at[1], Dim == 3 ? cell.at[Dim - 1] : 0);
  }));
  if (ghost) {
    // Under another name, so that vtkThreshold takes the marked cells along.
    image->GetCellData()->AddArray(
      makeArray<vtkUnsignedCharArray>("flags", numCells, [&](std::int64_t c) { return ghost(coordinates(c)); }));
  }
  image->GetPointData()->AddArray(makeArray<vtkDoubleArray>("height", image->GetNumberOfPoints(), [&](std::int64_t n) {
    double p[3];
    image->GetPoint(n, p);
    return p[0] + 10.0 * p[1] + 100.0 * p[2];
  }));
  vtkNew<vtkThreshold> threshold;
  threshold->SetInputData(image);
  threshold->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "inside");
  threshold->SetUpperThreshold(0.5);
  threshold->SetThresholdFunction(vtkThreshold::THRESHOLD_UPPER);
  threshold->Update();
  vtkSmartPointer<vtkUnstructuredGrid> twin = threshold->GetOutput();
  twin->GetCellData()->RemoveArray("inside");
  if (ghost && twin->GetCellData()->HasArray("flags")) {
    const vtkSmartPointer<vtkDataArray> flags = twin->GetCellData()->GetArray("flags");
    twin->GetCellData()->RemoveArray("flags");
    flags->SetName(vtkDataSetAttributes::GhostArrayName());
    twin->GetCellData()->AddArray(flags);
  }
  return twin;
}

} // namespace spanwise::testing
