#ifndef SpanwiseLevelDistance_h
#define SpanwiseLevelDistance_h

// Signed distances to the cells that leaves of levels make. Not wrapped and not installed.

#include "SpanwiseDistanceSign.h"
#include "SpanwiseHierarchy.h"
#include "SpanwisePeriodicAxes.h"
#include "SpanwiseRankGroup.h"

#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Progress.hpp"

#include <string>
#include <vector>

namespace spanwise {

/// Cells whose distance is asked for, and where they lie.
template <int Dim>
struct PlacedCells {
  GridPlacement placement;
  RankCells<Dim>* cells;
};

/// The leaves of all ranks, on each of them: 16 bytes for each of their intervals and rows, on every coarser level too.
template <int Dim>
class LevelDistance {
public:
  /// Collective. Leaves are those that distributeLevels() leaves on a rank; one process has all. A period is a whole
  /// number of cells of level 0.
  LevelDistance(const RankGroup& group, const Hierarchy<Dim>& levels, const PeriodChoice& periods);

  /// Collective. Gives cells the distances at their centres as the active array with this name, on the side where they
  /// are computed. A centre takes O(levels log rows) where the boundary is near beside the leaves around it.
  void addTo(const RankGroup& group, const std::vector<PlacedCells<Dim>>& asked, const std::string& name,
    DistanceSign sign, const Progress& progress) const;

  /// The periods on the lattice of a level.
  [[nodiscard]] geometry::Periods<Dim> periodsOn(int level) const;

private:
  GridPlacement root_;
  std::vector<MirroredSet<Dim>> leaves_;
  geometry::Periods<Dim> periods_;
};

/// The cells of all levels together, on the lattice of the finest one; without values.
template <int Dim>
RankCells<Dim> cellsOfLevels(const Hierarchy<Dim>& levels);

} // namespace spanwise

#endif
