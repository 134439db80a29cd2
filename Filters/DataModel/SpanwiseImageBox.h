#ifndef SpanwiseImageBox_h
#define SpanwiseImageBox_h

// An image as a box of cells. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "spanwiseDataModelModule.h"

class vtkImageData;

namespace spanwise {

/// The cells of an image, and where the cell 0 lies.
template <int Dim>
struct ImageBox {
  geometry::Box<Dim> box{};
  GridPlacement placement;
};

/// 3, or 2 for an image that is flat along z. Throws InvalidArgument if its axes are not those of space, or if there
/// are fewer than two points along x or y.
SPANWISEDATAMODEL_EXPORT int dimensionOfImage(vtkImageData* image);

/// The extent of an image becomes the coordinates of its cells.
template <int Dim>
SPANWISEDATAMODEL_EXPORT ImageBox<Dim> boxOfImage(vtkImageData* image);

} // namespace spanwise

#endif
