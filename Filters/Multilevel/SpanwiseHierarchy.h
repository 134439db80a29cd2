#ifndef SpanwiseHierarchy_h
#define SpanwiseHierarchy_h

// Hierarchies of levels, and how they become datasets. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"
#include "spanwiseMultilevelModule.h"

#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Multilevel/LevelPlanes.hpp"

#include <vtkSmartPointer.h>

#include <algorithm>
#include <variant>
#include <vector>

class vtkPartitionedDataSetCollection;
class vtkUnstructuredGrid;

namespace spanwise {

/// The leaf cells of each level, and the values on them. Level k has the cells of the root size / 2^k: the cell c of
/// level k covers the cells 2 c and 2 c + 1 (along each axis) of level k + 1. No place is covered twice. In between
/// may be levels without cells. Copies share sets and values.
template <int Dim>
struct Hierarchy {
  GridPlacement root;                 ///< where the cells of level 0 lie
  std::vector<RankCells<Dim>> leaves; ///< of level 0, 1 ...; all with the same arrays

  [[nodiscard]] int numLevels() const { return static_cast<int>(leaves.size()); }
  [[nodiscard]] std::int64_t numCells() const {
    std::int64_t cells = 0;
    for (const RankCells<Dim>& level : leaves) {
      cells += level.set.numCells();
    }
    return cells;
  }
};

/// 2D or 3D.
using AnyHierarchy = std::variant<Hierarchy<2>, Hierarchy<3>>;

/// Where the cells of a level lie, if those of level 0 lie at `root`.
SPANWISEMULTILEVEL_EXPORT GridPlacement placementOfLevel(const GridPlacement& root, int level);

/// Where the cells of level 0 lie, if those of level placement.level lie at `placement`.
SPANWISEMULTILEVEL_EXPORT GridPlacement rootOf(const GridPlacement& placement);

/// Makes `output` the collection of these grids, one a level from 0 on, as setLevels() does.
SPANWISEMULTILEVEL_EXPORT void arrangeLevels(
  vtkPartitionedDataSetCollection* output, const std::vector<vtkSmartPointer<vtkUnstructuredGrid>>& grids);

/// Makes `output` show a hierarchy: a partitioned dataset for each level from 0 on, called "Level0", "Level1" ... in
/// the assembly too, with one grid of intervals (setGrid()) of the leaf cells. So nothing is there twice: what stock
/// filters count or integrate over the collection is right. A level without cells is a grid without cells. This process
/// owns `rootPlanes` of the slowest axis.
template <int Dim>
SPANWISEMULTILEVEL_EXPORT void setLevels(vtkPartitionedDataSetCollection* output, const Hierarchy<Dim>& hierarchy,
  const parallel::PlaneRange& rootPlanes = {});

/// Throws InvalidArgument if a place is covered by cells of two levels, with the first such cell. O(rows log rows +
/// intervals) of all levels.
template <int Dim>
SPANWISEMULTILEVEL_EXPORT void checkNoOverlap(const Hierarchy<Dim>& hierarchy);

/// The leaves of each level on a side.
template <ComputeSide side, int Dim>
multilevel::LeavesOn<Dim, SpaceOf<side>> setsOf(const Hierarchy<Dim>& hierarchy) {
  multilevel::LeavesOn<Dim, SpaceOf<side>> sets;
  for (const RankCells<Dim>& level : hierarchy.leaves) {
    sets.push_back(level.set.template on<side>());
  }
  return sets;
}

/// body(context, sets) with the leaves of each level, where all of them lie: on the device if they do there and there
/// is memory for what the body does. Not for what is collective.
template <int Dim, class Body>
void visitLeaves(const Hierarchy<Dim>& hierarchy, const Body& body) {
  const auto visitOn = [&]<ComputeSide side>(
                         const SideContext<side>& context) { body(context, setsOf<side>(hierarchy)); };
  const auto onHost = [&] { visitOn(SideContext<ComputeSide::Host>()); };
  const bool canBeThere = std::all_of(hierarchy.leaves.begin(), hierarchy.leaves.end(),
    [](const RankCells<Dim>& level) { return level.set.canBeReadOnDevice(); });
  if (canBeThere) {
    orOnHost([&] { visitOn(SideContext<ComputeSide::Device>()); }, onHost);
  } else {
    onHost();
  }
}

} // namespace spanwise

#endif
