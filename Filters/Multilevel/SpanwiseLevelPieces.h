#ifndef SpanwiseLevelPieces_h
#define SpanwiseLevelPieces_h

// The cells of a data object, sorted by level as far as it tells. Internal to this library.

#include "SpanwiseBridge.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

class vtkDataObject;
class vtkDataSetAttributes;
class vtkHyperTreeGrid;
class vtkImageData;

namespace spanwise {

/// What the cells of a hierarchy are counted from.
struct LevelRoot {
  GridPlacement placement; ///< of level 0
  int dimension = 2;
};

/// Cells of one size and the values on them.
struct LevelPiece {
  std::optional<LevelRoot> root; ///< if the data object says where level 0 lies
  int level = 0;                 ///< if it does
  double size = 0.0;             ///< along x, if it does not
  std::int64_t numCells = 0;     ///< about; 0 only if there are none
  vtkCellData* values = nullptr;
  std::int64_t numValues = 0; ///< tuples that arrays must have
  /// The cells; `like` is where those of the level lie.
  std::function<AnyIntervals(const GridPlacement* like)> intervals;
  std::vector<vtkImageData*> blocks; ///< of a level of an AMR hierarchy, instead of `values` and `intervals`
};

/// The pieces of a data object. Those without cells are listed if they say a level. Throws InvalidArgument for a
/// vtkHyperTreeGrid whose trees are not refined by 2 or whose roots are not equal, and what is no data of cells.
std::vector<LevelPiece> levelPiecesOf(vtkDataObject* data);

/// The pieces of a vtkHyperTreeGrid: its leaves, one for each level.
std::vector<LevelPiece> treePiecesOf(vtkHyperTreeGrid* trees);

} // namespace spanwise

#endif
