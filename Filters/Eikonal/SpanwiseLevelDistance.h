#ifndef SpanwiseLevelDistance_h
#define SpanwiseLevelDistance_h

// Signed distances to the cells that leaves of levels make. Not wrapped and not installed.

#include "SpanwiseHierarchy.h"
#include "SpanwisePeriodicAxes.h"
#include "SpanwiseRankGroup.h"

#include "Core/Geometry/Periods.hpp"
#include "Core/Solvers/Eikonal/LevelSignedDistance.hpp"

#include <vtkSmartPointer.h>

#include <string>

class vtkDoubleArray;

namespace spanwise {

/// The leaves of all ranks, on each of them: 16 bytes for each of their intervals and rows, on every coarser level too.
template <int Dim>
class LevelDistance {
public:
  /// Collective. Leaves are those that distributeLevels() leaves on a rank; one process has all. A period is a whole
  /// number of cells of level 0.
  LevelDistance(const RankGroup& group, const Hierarchy<Dim>& levels, const PeriodChoice& periods);

  /// The distances at the centres of cells, as an array with this name. A centre takes O(levels log rows) where the
  /// boundary is near beside the leaves around it.
  [[nodiscard]] vtkSmartPointer<vtkDoubleArray> atCentres(
    const geometry::HostIntervalSet<Dim>& cells, const GridPlacement& placement, const std::string& name) const;

  /// The periods on the lattice of a level.
  [[nodiscard]] geometry::Periods<Dim> periodsOn(int level) const;

private:
  GridPlacement root_;
  eikonal::LevelBlocks<Dim, Kokkos::HostSpace> blocks_;
  geometry::Periods<Dim> periods_;
};

/// The cells of all levels together, on the lattice of the finest one; without values.
template <int Dim>
RankCells<Dim> cellsOfLevels(const Hierarchy<Dim>& levels);

} // namespace spanwise

#endif
