#include "Core/Multilevel/LevelPlanes.hpp"

#include "Core/Runtime/Error.hpp"

#include <string>

namespace spanwise {

template <int Dim>
Periods<Dim> periodsOfLevel(const Periods<Dim>& ofRoot, int level) {
  Periods<Dim> periods = ofRoot;
  for (int d = 0; d < Dim; ++d) {
    const std::int64_t scale = std::int64_t{1} << level;
    const std::int64_t begin = periods.along[d] ? scale * ofRoot.box.begin[d] : 0;
    const std::int64_t end = periods.along[d] ? scale * ofRoot.box.end[d] : 1;
    if (!isCellCoordinate(begin) || !isCellCoordinate(end - 1)) {
      throw CoordinateOverflow("level " + std::to_string(level) + " of the period " + toString(ofRoot.box) +
        " passes the coordinate limits [-2^31, 2^31 - 2] along axis " + std::to_string(d));
    }
    periods.box.begin[d] = static_cast<Coordinate>(begin);
    periods.box.end[d] = static_cast<Coordinate>(end);
  }
  return periods;
}

template Periods<2> periodsOfLevel<2>(const Periods<2>&, int);
template Periods<3> periodsOfLevel<3>(const Periods<3>&, int);

} // namespace spanwise
