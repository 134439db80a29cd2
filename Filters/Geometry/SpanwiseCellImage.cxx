#include "SpanwiseCellImage.h"

#include "SpanwiseValues.h"

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <limits>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

constexpr double mebibyte = 1024.0 * 1024.0;

template <int Dim>
void checkSize(const RankCells<Dim>& cells, const Box<Dim>& box, const CellImageOptions& options) {
  double count = 1.0;
  std::string size;
  for (int d = 0; d < Dim; ++d) {
    count *= static_cast<double>(box.extent(d));
    size += (d == 0 ? "" : " x ") + std::to_string(box.extent(d));
    if (box.extent(d) >= std::numeric_limits<int>::max()) {
      throw InvalidArgument("the image would have " + std::to_string(box.extent(d)) + " cells along axis " +
        std::to_string(d) + "; VTK's images have less than 2^31 - 1");
    }
  }
  double bytesPerCell = options.blank ? 2.0 : 1.0;
  for (int k = 0; k < cells.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* array = cells.values->GetAbstractArray(k);
    bytesPerCell += static_cast<double>(array->GetDataTypeSize()) * array->GetNumberOfComponents();
  }
  if (count * bytesPerCell > options.maxBytes) {
    throw InvalidArgument("the image would have " + size + " cells of " + std::to_string(std::int64_t(bytesPerCell)) +
      " bytes, " + std::to_string(std::int64_t(count * bytesPerCell / mebibyte)) + " MiB; the memory limit is " +
      std::to_string(std::int64_t(options.maxBytes / mebibyte)) + " MiB");
  }
}

/// A byte a cell of the image: `inside` in the cells of the runs, `outside` elsewhere.
template <class Runs>
vtkSmartPointer<vtkUnsignedCharArray> marks(
  const char* name, std::int64_t count, const Runs& runs, unsigned char inside, unsigned char outside) {
  auto array = vtkSmartPointer<vtkUnsignedCharArray>::New();
  array->SetName(name);
  array->SetNumberOfValues(count);
  const auto numRuns = static_cast<std::int64_t>(runs.extent(0));
  fillBesideRuns(array, outside, runs.data(), numRuns);
  forEach(
    SPANWISE_KERNEL("mark runs"), IndexRange<Host>(Host(), 0, numRuns),
    [values = array->GetPointer(0), runs, inside](
      std::int64_t k) { std::fill_n(values + runs(k).a, runs(k).count, inside); },
    Work{count / 64});
  return array;
}

} // namespace

template <int Dim>
void extentOf(const Box<Dim>& box, int extent[6]) {
  for (int d = 0; d < 3; ++d) {
    extent[2 * d] = d < Dim && !box.empty() ? box.begin[d < Dim ? d : 0] : 0;
    extent[2 * d + 1] = d < Dim && !box.empty() ? box.end[d < Dim ? d : 0] : 0;
    if (box.empty()) {
      extent[2 * d + 1] = -1;
    }
  }
}

template <int Dim>
void makeImage(const RankCells<Dim>& cells, const Box<Dim>& box, const GridPlacement& placement,
  const CellImageOptions& options, vtkImageData* image) {
  checkSize(cells, box, options);
  int extent[6];
  extentOf<Dim>(box, extent);
  image->SetExtent(extent);
  image->SetOrigin(placement.origin);
  image->SetSpacing(placement.spacing);

  HostIntervalSet<Dim> all; // its cells are numbered as the image's
  makeBox<Host, Dim>(Context<Host>(), box, all);
  const auto runs = commonCells<Host, Dim>(Context<Host>(), all, cells.set.host());
  vtkCellData* values = image->GetCellData();
  values->SetActiveAttribute(
    values->AddArray(marks("Mask", all.numCells(), runs, 1, 0)), vtkDataSetAttributes::SCALARS);
  if (options.blank) {
    values->AddArray(
      marks(vtkDataSetAttributes::GhostArrayName(), all.numCells(), runs, 0, vtkDataSetAttributes::HIDDENCELL));
  }
  for (int k = 0; k < cells.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* source = cells.values->GetAbstractArray(k);
    const auto array = arrayLike(source, all.numCells());
    const auto numRuns = static_cast<std::int64_t>(runs.extent(0));
    fillBesideRuns(array, options.fillValue, runs.data(), numRuns);
    copyRuns(source, runs.data(), numRuns, array);
    const int index = values->AddArray(array);
    if (cells.values->IsArrayAnAttribute(k) >= 0) {
      values->SetActiveAttribute(index, cells.values->IsArrayAnAttribute(k));
    }
  }
}

#define SPANWISE_CELL_IMAGE(Dim)                                                                                       \
  template void extentOf<Dim>(const Box<Dim>&, int[6]);                                                                \
  template void makeImage<Dim>(                                                                                        \
    const RankCells<Dim>&, const Box<Dim>&, const GridPlacement&, const CellImageOptions&, vtkImageData*);
SPANWISE_CELL_IMAGE(2)
SPANWISE_CELL_IMAGE(3)

} // namespace spanwise
