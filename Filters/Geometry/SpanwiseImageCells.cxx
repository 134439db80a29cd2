#include "SpanwiseImageCells.h"

#include "SpanwiseBridge.h"
#include "SpanwiseHostView.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkArrayDispatch.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataArrayRange.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkPointData.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>
#include <cstring>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// The cells that the piece of the image has.
template <int Dim>
Box<Dim> boxOf(vtkImageData* image, ImageValues where) {
  int extent[6];
  image->GetExtent(extent);
  Box<Dim> box{};
  for (int d = 0; d < Dim; ++d) {
    box.begin[d] = extent[2 * d];
    box.end[d] = where == ImageValues::AtPoints ? extent[2 * d + 1] + 1 : extent[2 * d + 1];
  }
  return box;
}

bool isMagnitude(vtkDataArray* array, int component) { return component == array->GetNumberOfComponents(); }

struct ComputeMagnitude {
  template <class Array>
  void operator()(Array* array, vtkDoubleArray* magnitude) const {
    const auto tuples = vtk::DataArrayTupleRange(array);
    for (vtkIdType t = 0; t < tuples.size(); ++t) {
      double square = 0.0;
      for (const auto value : tuples[t]) {
        square += static_cast<double>(value) * static_cast<double>(value);
      }
      magnitude->SetValue(t, std::sqrt(square));
    }
  }
};

/// One component as an array of its own.
vtkSmartPointer<vtkDataArray> separated(vtkDataArray* array, int component) {
  if (isMagnitude(array, component)) {
    const auto magnitude = vtkSmartPointer<vtkDoubleArray>::New();
    magnitude->SetNumberOfValues(array->GetNumberOfTuples());
    if (!vtkArrayDispatch::Dispatch::Execute(array, ComputeMagnitude(), magnitude.Get())) {
      ComputeMagnitude()(array, magnitude.Get());
    }
    return magnitude;
  }
  const int type = array->GetDataType() == VTK_BIT ? VTK_UNSIGNED_CHAR : array->GetDataType();
  auto copy = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  copy->SetNumberOfTuples(array->GetNumberOfTuples());
  copy->CopyComponent(0, array, component);
  return copy;
}

/// The values of a component where they lie, if they lie one after the other; otherwise null.
template <class T>
const T* inPlace(vtkDataArray* array, int component) {
  if (isMagnitude(array, component)) {
    return nullptr;
  }
  auto* parts = vtkSOADataArrayTemplate<T>::FastDownCast(array);
  if (parts != nullptr && parts->GetStorageType() == vtkSOADataArrayTemplate<T>::SOA) {
    return parts->GetComponentArrayPointer(component);
  }
  auto* usual = vtkAOSDataArrayTemplate<T>::FastDownCast(array);
  return usual != nullptr && array->GetNumberOfComponents() == 1 ? usual->GetPointer(0) : nullptr;
}

template <class T, int Dim>
HostIntervalSet<Dim> cellsInRange(vtkDataArray* array, int component, const Box<Dim>& box, const ValueRange& range) {
  vtkSmartPointer<vtkDataArray> copy;
  const T* values = inPlace<T>(array, component);
  if (values == nullptr) {
    copy = separated(array, component);
    values = static_cast<const T*>(copy->GetVoidPointer(0));
  }
  HostIntervalSet<Dim> set;
  Workspace<Kokkos::HostSpace> workspace;
  makeFromMask<T, Host, Dim>(Host(), hostValues(values, array->GetNumberOfTuples()), box, range, set, workspace);
  return set;
}

template <int Dim>
HostIntervalSet<Dim> cellsInRangeOfAnyType(
  vtkDataArray* array, int component, const Box<Dim>& box, const ValueRange& range) {
  const int type = isMagnitude(array, component) ? VTK_DOUBLE : array->GetDataType();
  switch (type == VTK_BIT ? VTK_UNSIGNED_CHAR : type) {
    vtkTemplateMacro(return (cellsInRange<VTK_TT, Dim>(array, component, box, range)));
  default:
    throw InvalidArgument(std::string("values of type ") + array->GetDataTypeAsString() + " cannot be compared");
  }
}

/// The cells that vtkGhostType does not mark.
template <int Dim>
HostIntervalSet<Dim> unmarkedCells(vtkImageData* image, ImageValues where, const Box<Dim>& box) {
  if (where == ImageValues::OnCells) {
    return std::get<Intervals<Dim>>(intervalsOf(image)).grid->set();
  }
  constexpr unsigned char marks = vtkDataSetAttributes::DUPLICATEPOINT | vtkDataSetAttributes::HIDDENPOINT;
  vtkUnsignedCharArray* ghosts = image->GetPointGhostArray();
  std::vector<unsigned char> marked(static_cast<std::size_t>(ghosts->GetNumberOfTuples()));
  for (std::size_t k = 0; k < marked.size(); ++k) {
    marked[k] = ghosts->GetValue(static_cast<vtkIdType>(k)) & marks;
  }
  HostIntervalSet<Dim> set;
  Workspace<Kokkos::HostSpace> workspace;
  makeFromMask<unsigned char, Host, Dim>(Host(),
    hostValues<unsigned char>(marked.data(), static_cast<std::int64_t>(marked.size())), box, {0.0, 0.0}, set,
    workspace);
  return set;
}

bool hasMarks(vtkImageData* image, ImageValues where) {
  return image->GetPointGhostArray() != nullptr ||
    (where == ImageValues::OnCells && image->GetCellGhostArray() != nullptr);
}

} // namespace

GridPlacement placementOf(vtkImageData* image, ImageValues where, int dimension) {
  if (!image->GetDirectionMatrix()->IsIdentity()) {
    throw InvalidArgument("the image is rotated by its direction matrix; its axes must be those of space");
  }
  int dimensions[3];
  image->GetDimensions(dimensions);
  if (where == ImageValues::OnCells && (dimensions[0] < 2 || dimensions[1] < 2)) {
    throw InvalidArgument("the image has " + std::to_string(dimensions[0]) + " x " + std::to_string(dimensions[1]) +
      " x " + std::to_string(dimensions[2]) + " points; to have cells it must have at least two along x and along y");
  }
  GridPlacement placement;
  for (int d = 0; d < 3; ++d) {
    placement.origin[d] = image->GetOrigin()[d];
    placement.spacing[d] = image->GetSpacing()[d];
    if (d < dimension && where == ImageValues::AtPoints) {
      placement.origin[d] -= 0.5 * placement.spacing[d];
    }
  }
  if (dimension == 2) { // a flat image may have any spacing along z
    placement.origin[2] += image->GetExtent()[4] * placement.spacing[2];
    placement.spacing[2] = placement.spacing[2] > 0.0 ? placement.spacing[2] : placement.spacing[0];
  }
  return placement;
}

template <int Dim>
RankCells<Dim> imageCells(vtkImageData* image, ImageValues where, vtkDataArray* array, int component,
  const ValueRange& range, const CarriedArrays& carried) {
  if (component < 0 || component > array->GetNumberOfComponents()) {
    throw InvalidArgument("the component is " + std::to_string(component) + "; the array has " +
      std::to_string(array->GetNumberOfComponents()) +
      ": it must be one of them from 0, or their number for the magnitude");
  }
  const Box<Dim> box = boxOf<Dim>(image, where);
  RankCells<Dim> cells;
  cells.set = cellsInRangeOfAnyType<Dim>(array, component, box, range);
  if (hasMarks(image, where)) {
    const HostIntervalSet<Dim> inRange = cells.set;
    cells.set = HostIntervalSet<Dim>();
    Workspace<Kokkos::HostSpace> workspace;
    combine<Host, Dim>(
      Host(), SetOperation::Intersection, inRange, unmarkedCells<Dim>(image, where, box), cells.set, workspace);
  }
  HostIntervalSet<Dim> all; // its cells are numbered as the image's
  makeBox<Host, Dim>(Host(), box, all);
  const auto runs = commonCells<Host, Dim>(Host(), cells.set, all);
  vtkDataSetAttributes* from = image->GetCellData();
  if (where == ImageValues::AtPoints) {
    from = image->GetPointData();
  }
  for (int k = 0; k < from->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* source = from->GetAbstractArray(k);
    if (!carried.contains(source->GetName()) ||
      std::strcmp(source->GetName(), vtkDataSetAttributes::GhostArrayName()) == 0) {
      continue;
    }
    checkLength(source, all.numCells());
    const auto kept = arrayLike(source, cells.set.numCells());
    copyRuns(source, runs.data(), static_cast<std::int64_t>(runs.extent(0)), kept);
    const int index = cells.values->AddArray(kept);
    if (from->IsArrayAnAttribute(k) >= 0) {
      cells.values->SetActiveAttribute(index, from->IsArrayAnAttribute(k));
    }
  }
  return cells;
}

template RankCells<2> imageCells<2>(
  vtkImageData*, ImageValues, vtkDataArray*, int, const ValueRange&, const CarriedArrays&);
template RankCells<3> imageCells<3>(
  vtkImageData*, ImageValues, vtkDataArray*, int, const ValueRange&, const CarriedArrays&);

} // namespace spanwise
