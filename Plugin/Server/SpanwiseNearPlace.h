#ifndef SpanwiseNearPlace_h
#define SpanwiseNearPlace_h

// A place in a cell of a data set near one that is suggested. Not wrapped.

#include <limits>

class vtkDataObject;

namespace spanwise {

struct NearPlace {
  double at[3] = {0.0, 0.0, 0.0};
  double squaredDistance = std::numeric_limits<double>::infinity(); ///< infinite: there is none
};

/// Makes `best` a place in a cell of `data`, if there is one nearer to `wanted` than it. Of grids of intervals and of
/// images that is `wanted` itself where it is in a cell that is not hidden, else the centre of the nearest one; of
/// meshes the nearest point of the cells of the highest dimension, which are what fronts go through. Of several blocks
/// the nearest place of all. `data` may be null. O(cells), of grids of intervals O(intervals).
void findNearPlace(vtkDataObject* data, const double wanted[3], NearPlace& best);

} // namespace spanwise

#endif
