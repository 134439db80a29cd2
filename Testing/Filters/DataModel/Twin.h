#pragma once

// A grid of intervals and its twin: the same cells, made by stock VTK alone from an image and a threshold.

#include "SpanwiseBridge.h"

#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkIdList.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkThreshold.h>
#include <vtkUnstructuredGrid.h>

#include <array>
#include <cmath>
#include <random>
#include <utility>

namespace spanwise::testing {

/// Where the twins lie: nothing is round or positive.
inline const GridPlacement twinPlacement{{0.3, -1.7, 2.5}, {0.5, 0.25, 0.75}, 0};

/// Smooth functions of the position.
inline double scalarAt(const double x[3]) { return std::sin(0.7 * x[0]) + 0.3 * x[1] * x[1] - 0.2 * x[0] * x[2]; }
inline std::array<double, 3> vectorAt(const double x[3]) {
  return {0.1 * x[1], 0.2 * std::cos(x[0]), 0.05 * x[0] * x[1]};
}

/// Fills a scalar and a vector array of `count` tuples at the positions positionOf(k, x).
template <class PositionOf>
void addFields(vtkDataSetAttributes* data, const char* scalarName, const char* vectorName, vtkIdType count,
  const PositionOf& positionOf) {
  vtkNew<vtkDoubleArray> scalars;
  scalars->SetName(scalarName);
  scalars->SetNumberOfTuples(count);
  vtkNew<vtkDoubleArray> vectors;
  vectors->SetName(vectorName);
  vectors->SetNumberOfComponents(3);
  vectors->SetNumberOfTuples(count);
  for (vtkIdType k = 0; k < count; ++k) {
    double x[3];
    positionOf(k, x);
    scalars->SetValue(k, scalarAt(x));
    vectors->SetTuple(k, vectorAt(x).data());
  }
  data->SetScalars(scalars);
  data->SetVectors(vectors);
}

template <int Dim>
struct Twin {
  vtkSmartPointer<vtkUnstructuredGrid> ours;
  vtkSmartPointer<vtkUnstructuredGrid> stock; ///< VTK_PIXEL or VTK_VOXEL
  IntervalGridPointer<Dim> grid;
};

/// An ellipse or ellipsoid with holes at random.
template <int Dim>
CellList<Dim> holedBall(Coordinate radius, double holes) {
  std::mt19937 random(seed());
  CellList<Dim> cells = randomCells<Dim>(random, radius, 1.0 - holes);
  std::erase_if(cells, [&](const Cell<Dim>& cell) {
    double sum = 0.0;
    for (int d = 0; d < Dim; ++d) {
      const double t = (cell.at[d] + 0.5) / radius;
      sum += t * t;
    }
    return sum > 1.0;
  });
  return cells;
}

/// The grid of intervals of some cells, with cell arrays "cell", "cellVector" and point arrays "point", "pointVector".
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> makeOurs(const IntervalGridPointer<Dim>& grid) {
  auto ours = vtkSmartPointer<vtkUnstructuredGrid>::New();
  setGrid<Dim>(ours, grid);
  const GridPlacement& placement = grid->placement();
  addFields(ours->GetCellData(), "cell", "cellVector", ours->GetNumberOfCells(), [&](vtkIdType c, double x[3]) {
    const Cell<Dim> cell = grid->cellAt(c);
    x[2] = placement.origin[2];
    for (int d = 0; d < Dim; ++d) {
      x[d] = placement.origin[d] + (cell.at[d] + 0.5) * placement.spacing[d];
    }
  });
  addFields(ours->GetPointData(), "point", "pointVector", ours->GetNumberOfPoints(),
    [&](vtkIdType n, double x[3]) { ours->GetPoint(n, x); });
  return ours;
}

/// The same by an image over [-extent, extent) and a threshold on a mask.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> makeStock(
  const CellList<Dim>& cells, const GridPlacement& placement, Coordinate extent) {
  vtkNew<vtkImageData> image;
  image->SetOrigin(placement.origin);
  image->SetSpacing(placement.spacing);
  image->SetExtent(-extent, extent, -extent, extent, Dim == 3 ? -extent : 0, Dim == 3 ? extent : 0);
  addFields(image->GetCellData(), "cell", "cellVector", image->GetNumberOfCells(), [&](vtkIdType c, double x[3]) {
    double bounds[6];
    image->GetCellBounds(c, bounds);
    for (int d = 0; d < 3; ++d) {
      x[d] = 0.5 * (bounds[2 * d] + bounds[2 * d + 1]);
    }
  });
  addFields(image->GetPointData(), "point", "pointVector", image->GetNumberOfPoints(),
    [&](vtkIdType n, double x[3]) { image->GetPoint(n, x); });
  vtkNew<vtkDoubleArray> mask;
  mask->SetName("mask");
  mask->SetNumberOfTuples(image->GetNumberOfCells());
  mask->FillValue(0.0);
  for (const Cell<Dim>& cell : cells) {
    const vtkIdType across = 2 * extent;
    vtkIdType index = 0;
    for (int d = Dim - 1; d >= 0; --d) {
      index = index * across + cell.at[d] + extent;
    }
    mask->SetValue(index, 1.0);
  }
  image->GetCellData()->AddArray(mask);
  vtkNew<vtkThreshold> threshold;
  threshold->SetInputData(image);
  threshold->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "mask");
  threshold->SetThresholdFunction(vtkThreshold::THRESHOLD_UPPER);
  threshold->SetUpperThreshold(0.5);
  threshold->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  threshold->Update();
  vtkSmartPointer<vtkUnstructuredGrid> stock = threshold->GetOutput();
  stock->GetCellData()->RemoveArray("mask");
  return stock;
}

/// VTK_PIXEL and VTK_VOXEL cells as VTK_QUAD and VTK_HEXAHEDRON with their points reordered, for filters that cut them
/// into different pieces.
inline vtkSmartPointer<vtkUnstructuredGrid> aroundFaces(vtkUnstructuredGrid* alongAxes) {
  auto result = vtkSmartPointer<vtkUnstructuredGrid>::New();
  result->ShallowCopy(alongAxes);
  vtkNew<vtkCellArray> cells;
  vtkNew<vtkIdList> points;
  for (vtkIdType c = 0; c < alongAxes->GetNumberOfCells(); ++c) {
    alongAxes->GetCellPoints(c, points);
    for (vtkIdType k = 2; k < points->GetNumberOfIds(); k += 4) {
      std::swap(points->begin()[k], points->begin()[k + 1]);
    }
    cells->InsertNextCell(points);
  }
  result->SetCells(alongAxes->GetCellType(0) == VTK_VOXEL ? VTK_HEXAHEDRON : VTK_QUAD, cells);
  return result;
}

template <int Dim>
Twin<Dim> makeTwin(Coordinate radius = Dim == 2 ? 20 : 7, double holes = 0.2) {
  const CellList<Dim> cells = holedBall<Dim>(radius, holes);
  Twin<Dim> twin;
  twin.grid = IntervalGrid<Dim>::make(toHostSet<Dim>(cells), twinPlacement);
  twin.ours = makeOurs<Dim>(twin.grid);
  twin.stock = makeStock<Dim>(cells, twinPlacement, radius);
  return twin;
}

} // namespace spanwise::testing
