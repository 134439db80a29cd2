#include "SpanwiseImageBox.h"

#include "Core/Runtime/Error.hpp"

#include <vtkImageData.h>
#include <vtkMatrix3x3.h>

#include <string>

namespace spanwise {

int dimensionOfImage(vtkImageData* image) {
  int dimensions[3];
  image->GetDimensions(dimensions);
  if (!image->GetDirectionMatrix()->IsIdentity()) {
    throw InvalidArgument("the image is rotated by its direction matrix; its axes must be those of space");
  }
  if (dimensions[0] < 2 || dimensions[1] < 2) {
    throw InvalidArgument("the image has " + std::to_string(dimensions[0]) + " x " + std::to_string(dimensions[1]) +
      " x " + std::to_string(dimensions[2]) + " points; it must have at least two along x and along y");
  }
  return dimensions[2] > 1 ? 3 : 2;
}

template <int Dim>
ImageBox<Dim> boxOfImage(vtkImageData* image) {
  ImageBox<Dim> result;
  int extent[6];
  image->GetExtent(extent);
  GridPlacement& placement = result.placement;
  for (int d = 0; d < 3; ++d) {
    placement.origin[d] = image->GetOrigin()[d];
    placement.spacing[d] = image->GetSpacing()[d];
    if (d < Dim) {
      result.box.begin[d] = extent[2 * d];
      result.box.end[d] = extent[2 * d + 1];
    } else { // a flat image may have any spacing along z
      placement.origin[d] += extent[2 * d] * placement.spacing[d];
      placement.spacing[d] = placement.spacing[d] > 0.0 ? placement.spacing[d] : placement.spacing[0];
    }
  }
  return result;
}

template ImageBox<2> boxOfImage<2>(vtkImageData*);
template ImageBox<3> boxOfImage<3>(vtkImageData*);

} // namespace spanwise
