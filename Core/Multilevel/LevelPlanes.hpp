#pragma once

#include "Core/Geometry/Periods.hpp"
#include "Core/Parallel/RowCut.hpp"

#include <cstdint>

namespace spanwise::multilevel {

/// The planes of a level that lie in planes of the root. What reaches to the end of all numbers stays there.
inline parallel::PlaneRange planesOfLevel(const parallel::PlaneRange& rootPlanes, int level) {
  const auto scaled = [level](std::int64_t bound) {
    const parallel::PlaneRange everything;
    return bound == everything.begin || bound == everything.end ? bound : bound * (std::int64_t{1} << level);
  };
  return {scaled(rootPlanes.begin), scaled(rootPlanes.end)};
}

/// The cut of a level where the planes of the root are cut so: all levels above a plane of the root are in one part.
inline parallel::RowCut cutOfLevel(const parallel::RowCut& rootCut, int level) {
  parallel::RowCut cut = rootCut;
  for (std::int64_t& bound : cut.bounds) {
    bound = planesOfLevel({bound, bound}, level).begin;
  }
  return cut;
}

/// The periods of a level, from those of the root. Throws CoordinateOverflow where the level has no such cells.
template <int Dim>
geometry::Periods<Dim> periodsOfLevel(const geometry::Periods<Dim>& ofRoot, int level);

} // namespace spanwise::multilevel
