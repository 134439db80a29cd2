#ifndef SpanwiseCellImage_h
#define SpanwiseCellImage_h

// Cells as an image. Not wrapped and not installed.

#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"

class vtkImageData;

namespace spanwise {

/// How an image of cells is made.
struct CellImageOptions {
  double fillValue = 0.0; ///< of the arrays, where there is no cell
  bool blank = false;     ///< hide what is not in the set
  double maxBytes = 0.0;  ///< the limit of the arrays' memory
};

/// The extent of the image of a box of cells, in points.
template <int Dim>
void extentOf(const geometry::Box<Dim>& box, int extent[6]);

/// `image` = the cells of `box`, with a mask and all values. Throws InvalidArgument if that would need more memory than
/// is allowed.
template <int Dim>
void makeImage(const RankCells<Dim>& cells, const geometry::Box<Dim>& box, const GridPlacement& placement,
  const CellImageOptions& options, vtkImageData* image);

} // namespace spanwise

#endif
