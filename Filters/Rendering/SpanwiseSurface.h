#ifndef SpanwiseSurface_h
#define SpanwiseSurface_h

// The surface of a grid that carries intervals, as polygons with arrays. Not wrapped.

#include "SpanwiseArrays.h"
#include "SpanwiseDrawnCells.h"
#include "spanwiseRenderingModule.h"

#include <limits>

class vtkPolyData;
class vtkUnstructuredGrid;

namespace spanwise {

/// What a surface is to show.
enum class SurfaceKind {
  Cells, ///< every cell can be told: a quad for each exposed face
  Runs   ///< merged runs, without cell and point arrays
};

/// How light falls on a surface in 3D.
enum class Shading {
  Faces, ///< on each face as it is
  Smooth ///< as on the smooth surface that the cells stand for: points have normals. Of runs there are none.
};

struct SurfaceOptions {
  SurfaceKind kind = SurfaceKind::Cells;
  int shift = 0; ///< blocks of 2^shift cells along each axis are drawn in place of cells
  /// Larger blocks are drawn if there would be more polygons than this.
  std::int64_t maxPolygons = std::numeric_limits<std::int64_t>::max();
  bool cellIds = false;  ///< add vtkOriginalCellIds; of a block, one of its cells
  bool pointIds = false; ///< add vtkOriginalPointIds
  Shading shading = Shading::Faces;
  ArrayChoice cellArrays = {}; ///< blocks have the mean of floating-point values, and one cell's value of all others
  ArrayChoice pointArrays = {};

  [[nodiscard]] bool isLimited() const { return maxPolygons < std::numeric_limits<std::int64_t>::max(); }
};

/// How many polygons the surface of drawn cells has, not of blocks. If there are more than `enough`, the number may be
/// less, but more than `enough`. O(rows + intervals).
template <int Dim>
SPANWISERENDERING_EXPORT std::int64_t countPolygons(
  const DrawnCells<Dim>& drawn, SurfaceKind kind, std::int64_t enough = std::numeric_limits<std::int64_t>::max());

/// What a surface takes. It is made where the values are that blocks average, otherwise where the set is, or values
/// that are gathered.
template <int Dim>
SPANWISERENDERING_EXPORT SideWork workOfSurface(
  vtkUnstructuredGrid* input, const DrawnCells<Dim>& drawn, const SurfaceOptions& options);

/// output = the surface of drawn cells of `input`, which carries drawn.grid. Returns the shift of the blocks that are
/// drawn: options.shift, or more if that was needed to stay within options.maxPolygons.
template <int Dim>
SPANWISERENDERING_EXPORT int makeSurface(
  vtkUnstructuredGrid* input, const DrawnCells<Dim>& drawn, const SurfaceOptions& options, vtkPolyData* output);

} // namespace spanwise

#endif
