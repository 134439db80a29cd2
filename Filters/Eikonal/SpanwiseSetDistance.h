#ifndef SpanwiseSetDistance_h
#define SpanwiseSetDistance_h

// Signed distances to a distributed set of cells. Not wrapped and not installed.

#include "SpanwiseDistanceSign.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"

#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Progress.hpp"

#include <string>

namespace spanwise {

/// The cells of all ranks whose distance is asked for, and where they lie.
template <int Dim>
struct SetDistance {
  const RankGroup& group;
  GridPlacement placement;
  geometry::Periods<Dim> periods;
  std::string name; ///< of the array
  DistanceSign sign;
  double memoryLimit; ///< of the distances in a box on a rank, in bytes
  Progress progress{};

  // All are collective, and give cells with the distance as an array, on the side where it is computed. Values that
  // cells have are kept. A process that makes a part of the output on its own gets all of it.

  /// To the set `cells`, in its own cells.
  void inSet(RankCells<Dim>& cells) const;
  /// In the cells whose centres are within `width` of the boundary, on both sides.
  void inBand(double width, RankCells<Dim>& cells) const;
  /// In all cells of the box around the set, and so far around it that `margin` is in it; along axes that repeat, of
  /// the period.
  void inBox(double margin, RankCells<Dim>& cells) const;
  /// In the cells `where`; they may be on any rank.
  void inCells(const RankCells<Dim>& cells, RankCells<Dim>& where) const;

private:
  struct Owned;
  Owned owned(RankCells<Dim>& cells) const;
  void addDistances(
    const Owned& mine, const MirroredSet<Dim>& set, const geometry::Box<Dim>& box, RankCells<Dim>& where) const;
};

} // namespace spanwise

#endif
