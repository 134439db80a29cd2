#pragma once

#include "Core/Geometry/List.hpp"

#include <cstdint>

namespace spanwise::eikonal {

/// Ways back as polylines, from where they begin to a source. Keeps its memory.
template <class PlaceOfPath, class MemorySpace>
struct TracedPaths {
  using Place = PlaceOfPath;                         ///< what is known of a point of a path
  geometry::List<std::int64_t, MemorySpace> offsets; ///< [paths + 1] the first point of each path
  geometry::List<Place, MemorySpace> points;         ///< [points of all paths]
  geometry::List<std::int32_t, MemorySpace> ends;    ///< [paths] what each path ends at; -1: nothing
};

} // namespace spanwise::eikonal
