#pragma once

#include "Core/Geometry/IntervalSet.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::lattice {

/// A link from a cell with fluid to an obstacle. Places count values from the beginning of the field of populations.
struct WallLink {
  std::int64_t cell;       ///< among this rank's cells with fluid
  std::int64_t place;      ///< where the population that goes into the wall waits to come back
  std::int64_t near;       ///< the one that comes back, as the last collision left it
  std::int64_t far;        ///< the one that goes into the wall, of the next cell away from it
  float fraction;          ///< of the link, from the cell to the wall; 1/2 where nothing more is known
  bool isAlone;            ///< whether there is no next cell
  std::int8_t velocity[3]; ///< of what comes back
};

/// What the fluid does to an obstacle in a step.
template <int Dim>
struct WallForce {
  double force[Dim] = {};
  double torque[3] = {}; ///< in 2D only the last, about the third axis

  KOKKOS_FUNCTION WallForce& operator+=(const WallForce& other) {
    for (int d = 0; d < Dim; ++d) {
      force[d] += other.force[d];
    }
    for (int d = 0; d < 3; ++d) {
      torque[d] += other.torque[d];
    }
    return *this;
  }
};

/// The coordinates of a cell of a set. O(log intervals).
template <int Dim>
KOKKOS_FUNCTION geometry::Cell<Dim> cellOf(const geometry::IntervalSetView<Dim>& set, std::int64_t number) {
  const std::int64_t interval = set.intervalOfCell(number);
  const geometry::RowKey<Dim>& row = set.rowKeys[set.rowOfInterval(interval)];
  geometry::Cell<Dim> cell{};
  cell.at[0] = static_cast<geometry::Coordinate>(set.intervals[interval].begin + (number - set.cellOffsets[interval]));
  cell.at[1] = row.y;
  if constexpr (Dim == 3) {
    cell.at[2] = row.z;
  }
  return cell;
}

/// What comes back from a wall, by linear interpolation along the link (Bouzidi, Firdaouss and Lallemand 2001): second
/// order wherever the wall cuts the link. `pushed`: whether the last step has left populations at the next cell.
template <class T, class Value>
KOKKOS_FORCEINLINE_FUNCTION T comesBack(const WallLink& link, const Value* values, bool pushed) {
  const auto at = [&](std::int64_t place) { return static_cast<T>(values[place]); };
  const T into = at(link.place);
  const T fraction = static_cast<T>(link.fraction);
  if (link.isAlone || fraction == T(0.5)) {
    return into;
  }
  if (fraction < T(0.5)) {
    const T next = at(pushed ? link.near : link.far);
    return T(2) * fraction * into + (T(1) - T(2) * fraction) * next;
  }
  const T back = at(pushed ? link.far : link.near);
  const T part = T(1) / (T(2) * fraction);
  return part * into + (T(1) - part) * back;
}

} // namespace spanwise::lattice
