#ifndef SpanwiseOwnPoints_h
#define SpanwiseOwnPoints_h

// Which points and cells of a piece of a data set are this rank's own, so that each counts once. Not wrapped.

#include "SpanwiseRankGroup.h"
#include "spanwiseParallelModule.h"

#include <array>
#include <cstdint>
#include <vector>

class vtkDataSet;

namespace spanwise {

/// What a point or a cell of a piece is.
inline constexpr std::uint8_t isOwn = 0;       ///< the piece's own
inline constexpr std::uint8_t isElsewhere = 1; ///< another piece has it
inline constexpr std::uint8_t isNobodys = 2;   ///< it is hidden

/// For each point or cell of a piece what it is; empty: all of them are its own.
using NotOwn = std::vector<std::uint8_t>;

/// A point that another piece has, and where it lies there, to the last bit.
struct StandIn {
  std::int64_t point;
  std::array<double, 3> place;
};

/// Collective. Which points are not a piece's own: those that vtkGhostType marks as duplicate or hidden, and those that
/// a piece before it has too, on this rank or on one before it. Pieces of a mesh, an image or a structured grid have
/// the points at the cut in common, which nothing marks where no ghost cells were asked for.
///
/// Points of two pieces are the same
/// - of images and structured grids that are cut out of one extent: if their indices are;
/// - else, where all pieces have global ids that are different within each: if these are;
/// - else if they have the same place but for rounding (1e-12 of the longest edge around all, 1e-6 where coordinates
///   are floats) and belong to a line, a face or a solid. Points of no cell, and of vertices alone, are particles of
///   their own.
/// Points in one place of one piece, as at the seam of a surface that is closed, are never the same: of those that
/// pieces have there, as many count as the piece that has the most.
///
/// `pieces` are this rank's of one data set, in the same order in each call; ranks may have any number, and null stands
/// for an empty one. `standIns` receives for each piece the points that another has, but those that vtkGhostType marks:
/// pieces that compute a place anew differ by rounding. Throws InvalidArgument, on all ranks, where marks are not as
/// many as points. Alone with one piece O(points); else O(points + n log n) for n points in the bounding boxes, or the
/// extents, of other pieces.
SPANWISEPARALLEL_EXPORT std::vector<NotOwn> notOwnPoints(const RankGroup& group, const std::vector<vtkDataSet*>& pieces,
  std::vector<std::vector<StandIn>>* standIns = nullptr);
SPANWISEPARALLEL_EXPORT NotOwn notOwnPoints(const RankGroup& group, vtkDataSet* piece);

/// Which cells vtkGhostType marks as duplicate, hidden, or refined by others (which hides them). `piece` may be null.
/// Throws InvalidArgument where marks are not as many as cells.
SPANWISEPARALLEL_EXPORT NotOwn notOwnCells(vtkDataSet* piece);

} // namespace spanwise

#endif
