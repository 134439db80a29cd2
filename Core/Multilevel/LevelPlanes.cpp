#include "Core/Multilevel/LevelPlanes.hpp"

#include "Core/Runtime/Error.hpp"

#include <string>

namespace spanwise::multilevel {

template <int Dim>
geometry::Periods<Dim> periodsOfLevel(const geometry::Periods<Dim>& ofRoot, int level) {
  geometry::Periods<Dim> periods = ofRoot;
  for (int d = 0; d < Dim; ++d) {
    const std::int64_t scale = std::int64_t{1} << level;
    const std::int64_t begin = periods.along[d] ? scale * ofRoot.box.begin[d] : 0;
    const std::int64_t end = periods.along[d] ? scale * ofRoot.box.end[d] : 1;
    if (!geometry::isCellCoordinate(begin) || !geometry::isCellCoordinate(end - 1)) {
      throw CoordinateOverflow("level " + std::to_string(level) + " of the period " + toString(ofRoot.box) +
        " passes the coordinate limits [-2^31, 2^31 - 2] along axis " + std::to_string(d));
    }
    periods.box.begin[d] = static_cast<geometry::Coordinate>(begin);
    periods.box.end[d] = static_cast<geometry::Coordinate>(end);
  }
  return periods;
}

template geometry::Periods<2> periodsOfLevel<2>(const geometry::Periods<2>&, int);
template geometry::Periods<3> periodsOfLevel<3>(const geometry::Periods<3>&, int);

} // namespace spanwise::multilevel
