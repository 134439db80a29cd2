#ifndef SpanwiseSharedExtents_h
#define SpanwiseSharedExtents_h

// Points that images and structured grids have in common because they are cut out of one extent. Not wrapped.

#include "SpanwiseOwnPoints.h"
#include "SpanwiseRankGroup.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class vtkDataSet;

namespace spanwise {

/// A point of a piece, and its number in the extent that holds those of all pieces.
struct PointAtCut {
  std::size_t piece;
  std::int64_t point;
  std::int64_t number;
};

/// Collective. The points of this rank's pieces that are not marked and in the extent of another piece, some of them
/// several times; nothing where pieces are not all structured, or have extents of their own: then two of them have
/// cells of the same indices (but marked ones). Pieces may be null. O(pieces of all ranks + points at cuts) for each
/// piece, and O(points) where points are marked.
std::optional<std::vector<PointAtCut>> pointsAtCuts(
  const RankGroup& group, const std::vector<vtkDataSet*>& pieces, const std::vector<NotOwn>& marks);

} // namespace spanwise

#endif
