#pragma once

// What tests of Eikonal Arrival Time on grids share: grids and images of the unit square and cube, and what their cells
// have.

#include "Testing/Core/Solvers/Eikonal/UpwindErrors.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseEikonalArrivalTime.h"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace spanwise::testing {

using Filter = vtkSpanwiseEikonalArrivalTime;
using Place = std::array<double, 3>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline double distance(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

inline Place centreOf(vtkDataSet* data, vtkIdType cell) {
  double bounds[6];
  data->GetCellBounds(cell, bounds);
  return {0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), 0.5 * (bounds[4] + bounds[5])};
}

inline double valueAt(vtkDataSet* data, vtkIdType cell, const char* name = "Arrival Time", int component = 0) {
  return data->GetCellData()->GetArray(name)->GetComponent(cell, component);
}

inline double fieldValue(vtkDataSet* data, const char* name) {
  return data->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

inline std::vector<double> timesOf(vtkDataSet* data) {
  std::vector<double> times;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    times.push_back(valueAt(data, c));
  }
  return times;
}

/// The largest difference of times from those that `exact` gives at the centres of cells.
template <class Exact>
double largestError(vtkDataSet* data, const Exact& exact) {
  double largest = 0.0;
  EXPECT_GT(data->GetNumberOfCells(), 0);
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    const double error = std::abs(valueAt(data, c) - exact(centreOf(data, c)));
    largest = std::isnan(error) ? infinity : std::max(largest, error);
  }
  return largest;
}

/// The unit square or cube in n cells along each axis, a 2D one in the plane z = 0.
template <int Dim>
GridPlacement unitPlacement(int n) {
  GridPlacement placement;
  std::fill_n(placement.spacing, 3, 1.0 / n);
  return placement;
}

template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> unitGrid(int n) {
  return gridOfCells<Dim>(allCells<Dim>(0, n), unitPlacement<Dim>(n));
}

template <int Dim>
vtkSmartPointer<vtkImageData> unitImage(int n) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetExtent(0, n, 0, n, 0, Dim == 3 ? n : 0);
  image->SetSpacing(1.0 / n, 1.0 / n, 1.0 / n);
  return image;
}

/// An array with a tuple for each cell that a function of its centre gives.
template <class Give>
vtkSmartPointer<vtkDoubleArray> onCells(vtkDataSet* data, const char* name, const Give& give) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    const std::vector<double> tuple = give(centreOf(data, c));
    array->SetNumberOfComponents(static_cast<int>(tuple.size()));
    array->InsertNextTuple(tuple.data());
  }
  data->GetCellData()->AddArray(array);
  return array;
}

inline void setArray(Filter* filter, int index, const char* name, bool onPoints = false) {
  filter->SetInputArrayToProcess(
    index, 0, 0, onPoints ? vtkDataObject::FIELD_ASSOCIATION_POINTS : vtkDataObject::FIELD_ASSOCIATION_CELLS, name);
}

/// Errors of the times of cells beside what the exact times say that they may be, of all or those for which
/// isMeasured(place). Those for which isStart(place) are given. Times are in the order of the cells.
template <int Dim, class Exact, class IsStart, class IsMeasured>
eikonal::testing::BoundedErrors errorsBesideBounds(const std::vector<double>& times, const CellList<Dim>& cells,
  double spacing, const eikonal::testing::UpwindScheme<Dim>& scheme, const Exact& exact, const IsStart& isStart,
  const IsMeasured& isMeasured) {
  eikonal::testing::GridProblem<HostExecutionSpace, Dim> problem(cells, eikonal::testing::latticeOf<Dim>(spacing));
  problem.times = times;
  for (const Cell<Dim>& cell : cells) {
    problem.starts.push_back(isStart(eikonal::testing::centreOf(problem.lattice, cell)) ? 0.0 : infinity);
  }
  return eikonal::testing::boundedErrorsOf(problem, scheme, exact, isMeasured);
}
template <int Dim, class Exact, class IsStart>
eikonal::testing::BoundedErrors errorsBesideBounds(const std::vector<double>& times, const CellList<Dim>& cells,
  double spacing, const eikonal::testing::UpwindScheme<Dim>& scheme, const Exact& exact, const IsStart& isStart) {
  return errorsBesideBounds<Dim>(times, cells, spacing, scheme, exact, isStart, [](const auto&) { return true; });
}

/// All kinds of data sets whose cells are a lattice.
inline std::vector<vtkSmartPointer<vtkDataSet>> lattices(int n2, int n3) {
  return {unitGrid<2>(n2), unitGrid<3>(n3), unitImage<2>(n2), unitImage<3>(n3)};
}

/// A fine triangulation of a sphere.
inline vtkSmartPointer<vtkPolyData> sphere(const Place& centre, double radius) {
  vtkNew<vtkSphereSource> source;
  source->SetCenter(centre.data());
  source->SetRadius(radius);
  source->SetThetaResolution(256);
  source->SetPhiResolution(256);
  source->Update();
  return source->GetOutput();
}

} // namespace spanwise::testing
