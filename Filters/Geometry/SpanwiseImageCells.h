#ifndef SpanwiseImageCells_h
#define SpanwiseImageCells_h

// The cells of a piece of an image whose values lie in a range. Not wrapped and not installed.

#include "SpanwiseCarriedArrays.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"

#include "Core/Geometry/Builders/Mask.hpp"

class vtkDataArray;
class vtkImageData;

namespace spanwise {

/// Where the values of an image stand.
enum class ImageValues { AtPoints, OnCells };

/// Where the cells of an image lie; for values at points, the cells around the points. Throws InvalidArgument for an
/// image that is rotated or has cells that are not in 2D or 3D.
GridPlacement placementOf(vtkImageData* image, ImageValues where, int dimension);

/// The cells of `image` whose component of `array` is in `range`, with the arrays that are carried. The number of
/// components stands for the magnitude.
template <int Dim>
RankCells<Dim> imageCells(vtkImageData* image, ImageValues where, vtkDataArray* array, int component,
  const geometry::ValueRange& range, const CarriedArrays& carried);

extern template RankCells<2> imageCells<2>(
  vtkImageData*, ImageValues, vtkDataArray*, int, const geometry::ValueRange&, const CarriedArrays&);
extern template RankCells<3> imageCells<3>(
  vtkImageData*, ImageValues, vtkDataArray*, int, const geometry::ValueRange&, const CarriedArrays&);

} // namespace spanwise

#endif
