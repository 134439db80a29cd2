#include "SpanwiseImageCells.h"

#include "SpanwiseBridge.h"
#include "SpanwiseComponentValues.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>

#include <cstring>

using namespace spanwise::geometry;

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

template <class T, int Dim>
HostIntervalSet<Dim> cellsInRange(vtkDataArray* array, int component, const Box<Dim>& box, const ValueRange& range) {
  vtkSmartPointer<vtkDataArray> copy;
  const HostValues<T> values = componentValues<T>(array, component, copy);
  HostIntervalSet<Dim> set;
  const Context<Host> context;
  makeFromMask<T, Host, Dim>(context, values, box, range, set);
  return set;
}

template <int Dim>
HostIntervalSet<Dim> cellsInRangeOfAnyType(
  vtkDataArray* array, int component, const Box<Dim>& box, const ValueRange& range) {
  switch (typeOfComponent(array, component)) {
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
  const Context<Host> context;
  makeFromMask<unsigned char, Host, Dim>(
    context, hostValues<unsigned char>(marked.data(), static_cast<std::int64_t>(marked.size())), box, {0.0, 0.0}, set);
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
  checkComponent(array, component);
  const Box<Dim> box = boxOf<Dim>(image, where);
  RankCells<Dim> cells;
  cells.set = cellsInRangeOfAnyType<Dim>(array, component, box, range);
  if (hasMarks(image, where)) {
    HostIntervalSet<Dim> unmarked;
    combine<Host, Dim>(
      Context<Host>(), SetOperation::Intersection, cells.set.host(), unmarkedCells<Dim>(image, where, box), unmarked);
    cells.set = unmarked;
  }
  HostIntervalSet<Dim> all; // its cells are numbered as the image's
  makeBox<Host, Dim>(Context<Host>(), box, all);
  const auto runs = commonCells<Host, Dim>(Context<Host>(), cells.set.host(), all);
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
