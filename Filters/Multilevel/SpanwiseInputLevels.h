#ifndef SpanwiseInputLevels_h
#define SpanwiseInputLevels_h

// An input as a hierarchy of levels, the same way on every rank, and how its cells move among ranks. Not wrapped.

#include "SpanwiseHierarchy.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseMultilevelModule.h"

#include "Core/Runtime/Progress.hpp"

class vtkDataObject;

namespace spanwise {

/// Collective. This rank's part of a hierarchy: all ranks agree on its dimension, its root, its number of levels and
/// its arrays, which are those that every level with cells has. `data` may be null or empty on some ranks.
///
/// - A collection of setLevels(), on which stock filters may have worked. Grids of intervals say their level
/// themselves;
///   nothing of them is copied.
/// - A single grid of intervals: a hierarchy with the leaves of its level.
/// - A vtkOverlappingAMR whose levels are refined by powers of two. What finer blocks cover is left out.
/// - A vtkHyperTreeGrid of branch factor 2 with roots of one size: its leaves that are not masked.
/// - Any dataset, or composite of datasets, of axis-aligned cells whose sizes differ by powers of two. Where nothing
///   says it, the largest cells are level 0.
///
/// Cells marked duplicate, hidden or refined in vtkGhostType are left out. Throws InvalidArgument where cells do not
/// fit the lattice of their level, where levels do not have spacings of root / 2^level and one origin, for more than
/// maxLevel levels, where a cell is there twice and where leaves of two levels overlap (on this rank: see
/// distributeLevels()).
SPANWISEMULTILEVEL_EXPORT AnyHierarchy readLevels(
  const RankGroup& group, vtkDataObject* data, InputValues values, const Progress& progress = {});

/// Collective. As distributeLevels(), for levels that may still overlap.
template <int Dim>
parallel::PlaneRange bringToRootCut(const RankGroup& group, Hierarchy<Dim>& hierarchy);

/// Collective. Brings a hierarchy to a cut of planes of level 0 along the slowest axis, such that all cells above a
/// plane of level 0 are on one rank, and returns this rank's planes of level 0. Cells stay where they are if they
/// follow such a cut and no rank has more than toleratedImbalance times the mean. One process that has to make a part
/// of the output keeps just that part. Throws InvalidArgument where leaves of two levels overlap.
template <int Dim>
SPANWISEMULTILEVEL_EXPORT parallel::PlaneRange distributeLevels(const RankGroup& group, Hierarchy<Dim>& hierarchy);

/// Collective. Adds the cells in the planes of level 0 beside this rank's, `mine`, which distributeLevels() returned. A
/// process that makes a part of the output on its own gives the whole hierarchy. `period`: the planes of level 0 after
/// which the slowest axis repeats; empty: it does not.
template <int Dim>
SPANWISEMULTILEVEL_EXPORT void addHaloOfLevels(const RankGroup& group, const parallel::PlaneRange& mine,
  Hierarchy<Dim>& hierarchy, const parallel::PlaneRange& period = {0, 0});

} // namespace spanwise

#endif
