#include "SpanwiseLattice.h"

#include "Core/Geometry/PointBounds.hpp"

#include <format>

using namespace spanwise::geometry;

namespace spanwise {

template <int Dim>
Box<Dim> cellsWithin(const GridPlacement& placement, const double bounds[6]) {
  geometry::detail::PointBounds<Dim> ends{};
  for (int d = 0; d < Dim; ++d) {
    ends.low[d] = bounds[2 * d];
    ends.high[d] = bounds[2 * d + 1];
    if (!geometry::detail::isUsable(ends.low[d]) || !geometry::detail::isUsable(ends.high[d])) {
      throw InvalidArgument(std::format(
        "the bounds along axis {} are [{}, {}]; they must be finite and within 1e70", d, ends.low[d], ends.high[d]));
    }
  }
  const GridGeometry<Dim> lattice = latticeOf<Dim>(placement);
  geometry::detail::checkLattice(lattice);
  Box<Dim> box{};
  for (int d = 0; d < Dim; ++d) {
    const geometry::detail::LatticeAxis axis = geometry::detail::axisWithin(lattice, d, ends);
    box.begin[d] = static_cast<Coordinate>(axis.begin);
    box.end[d] = static_cast<Coordinate>(std::max(axis.begin, axis.end));
  }
  return box;
}

template Box<2> cellsWithin<2>(const GridPlacement&, const double[6]);
template Box<3> cellsWithin<3>(const GridPlacement&, const double[6]);

} // namespace spanwise
