#ifndef SpanwiseOwnPoints_h
#define SpanwiseOwnPoints_h

// Which points and cells of a piece of a data set are this rank's own, so that each counts once. Not wrapped.

#include "SpanwiseTeam.h"
#include "spanwiseParallelModule.h"

#include <cstdint>
#include <vector>

class vtkDataSet;

namespace spanwise {

/// For each point or cell of a piece 1 where it is not the piece's own, else 0; empty: all of them are.
using NotOwn = std::vector<std::uint8_t>;

/// Collective. Which points are not a piece's own: those that vtkGhostType marks as duplicate or hidden, and those that
/// a piece before it has too, on this rank or on one before it. Pieces of a mesh, an image or a structured grid have
/// the points at the cut in common, which nothing marks where no ghost cells were asked for.
///
/// Points of two pieces are the same if their global ids are, where all pieces have ids that are different within each;
/// else if they have the same place but for rounding (1e-12 of the longest edge around all, 1e-6 where coordinates are
/// floats), belong to a line, a face or a solid, and no other of their piece is in that place. Points of no cell, and
/// of vertices alone, are particles of their own.
///
/// `pieces` are this rank's of one data set, in the same order in each call; ranks may have any number, and null stands
/// for an empty one. Throws InvalidArgument, on all ranks, where marks are not as many as points. Alone with one piece
/// O(points); else O(points + n log n) for n points in the bounding boxes of other pieces.
SPANWISEPARALLEL_EXPORT std::vector<NotOwn> notOwnPoints(const Team& team, const std::vector<vtkDataSet*>& pieces);
SPANWISEPARALLEL_EXPORT NotOwn notOwnPoints(const Team& team, vtkDataSet* piece);

/// Which cells vtkGhostType marks as duplicate, hidden, or refined by others. `piece` may be null. Throws
/// InvalidArgument where marks are not as many as cells.
SPANWISEPARALLEL_EXPORT NotOwn notOwnCells(vtkDataSet* piece);

} // namespace spanwise

#endif
