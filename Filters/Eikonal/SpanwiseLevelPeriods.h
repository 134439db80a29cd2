#ifndef SpanwiseLevelPeriods_h
#define SpanwiseLevelPeriods_h

// Axes of levels that repeat, and what fronts and ways have of them. Not wrapped and not installed.

#include "SpanwiseArrivalSettings.h"
#include "SpanwiseHierarchy.h"

#include "Core/Geometry/Periods.hpp"

#include <vector>

namespace spanwise {

/// Collective. The periods of levels in cells of level 0: those of level 0 whose centres are in given bounds, or the
/// bounding box of all leaves. Throws InvalidArgument, on all ranks, where that is no whole number of cells of level 0,
/// or leaves lie outside.
template <int Dim>
geometry::Periods<Dim> periodsOfLevels(
  const RankGroup& group, const PeriodChoice& choice, const Hierarchy<Dim>& levels);

/// Periods in space.
struct PeriodsInSpace {
  double begin[3] = {};
  double length[3] = {};    ///< 0: the axis does not repeat
  bool hasFewCells = false; ///< of level 0 along an axis: fewer than 3

  template <int Dim>
  static PeriodsInSpace of(const geometry::Periods<Dim>& periods, const GridPlacement& root) {
    PeriodsInSpace result;
    for (int axis = 0; axis < Dim; ++axis) {
      if (periods.along[axis]) {
        result.begin[axis] = root.position(axis, periods.box.begin[axis]);
        result.length[axis] = static_cast<double>(periods.box.extent(axis)) * root.spacing[axis];
        result.hasFewCells = result.hasFewCells || periods.box.extent(axis) < 3;
      }
    }
    return result;
  }

  [[nodiscard]] bool any() const { return length[0] > 0.0 || length[1] > 0.0 || length[2] > 0.0; }
};

/// Brings points, 3 numbers each, into the period.
void bringIntoPeriod(const PeriodsInSpace& periods, std::vector<double>& points);

/// Puts in the place of each triangle of a surface all its copies that reach into the period. They keep its number.
void copySurface(const PeriodsInSpace& periods, FrontSources& sources);

} // namespace spanwise

#endif
