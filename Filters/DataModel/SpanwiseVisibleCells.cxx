#include "SpanwiseVisibleCells.h"

#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace spanwise {

namespace {

// REFINEDCELL: finer cells of an AMR hierarchy are shown in its place.
constexpr unsigned char notInSet =
  vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL;

} // namespace

VisibleCells::VisibleCells(vtkDataSet* data) {
  vtkUnsignedCharArray* const ghosts = data->GetCellGhostArray();
  if (ghosts != nullptr && ghosts->GetNumberOfTuples() == data->GetNumberOfCells()) {
    cells_ = ghosts->GetPointer(0);
  }
  auto* const image = vtkImageData::SafeDownCast(data);
  vtkUnsignedCharArray* const ghostPoints = image != nullptr ? image->GetPointGhostArray() : nullptr;
  if (ghostPoints != nullptr && ghostPoints->GetNumberOfTuples() == image->GetNumberOfPoints() &&
    image->HasAnyBlankPoints()) {
    points_ = ghostPoints->GetPointer(0);
    int dimensions[3];
    image->GetDimensions(dimensions);
    std::copy_n(dimensions, 3, numPoints_);
  }
}

bool VisibleCells::operator()(std::int64_t cell) const {
  return (cells_ == nullptr || (cells_[cell] & notInSet) == 0) && (points_ == nullptr || atVisiblePoints(cell));
}

bool VisibleCells::atVisiblePoints(std::int64_t cell) const {
  const std::int64_t cellsAcross[2] = {numPoints_[0] - 1, numPoints_[1] - 1};
  const std::int64_t x = cell % cellsAcross[0];
  const std::int64_t y = cell / cellsAcross[0] % cellsAcross[1];
  const std::int64_t z = cell / cellsAcross[0] / cellsAcross[1];
  const int corners = numPoints_[2] > 1 ? 8 : 4;
  for (int corner = 0; corner < corners; ++corner) {
    const std::int64_t point =
      x + (corner & 1) + numPoints_[0] * (y + ((corner >> 1) & 1) + numPoints_[1] * (z + (corner >> 2)));
    if ((points_[point] & vtkDataSetAttributes::HIDDENPOINT) != 0) {
      return false;
    }
  }
  return true;
}

} // namespace spanwise
