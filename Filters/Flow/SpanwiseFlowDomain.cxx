#include "SpanwiseFlowDomain.h"

#include "SpanwisePropertyChecks.h"

#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Multilevel/MultilevelSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <variant>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

/// This rank's share of the cells of a disc or ball, of a lattice of cubes.
template <int Dim>
HostIntervalSet<Dim> ballOn(
  const RankGroup& group, const GridGeometry<Dim>& lattice, const std::array<double, 3>& centre, double radius) {
  Ball<Dim> ball{};
  for (int d = 0; d < Dim; ++d) {
    ball.centre[d] = (centre[static_cast<std::size_t>(d)] - lattice.origin[d]) / lattice.spacing[d];
  }
  ball.radius = radius / lattice.spacing[0];
  const double slowest = ball.centre[Dim - 1];
  const parallel::PlaneRange planes{std::llround(slowest - ball.radius) - 1, std::llround(slowest + ball.radius) + 1};
  HostIntervalSet<Dim> set;
  makeBall<HostExecutionSpace, Dim>(
    Context<HostExecutionSpace>(), ball, set, parallel::equalShare(planes, group.rank(), group.size()));
  return set;
}

} // namespace

void checkDomain(const FlowDomain& domain) {
  if (domain.dimension != 2 && domain.dimension != 3) {
    throw InvalidArgument(std::format("the dimension is {}; it must be 2 or 3", domain.dimension));
  }
  checkFinite("centre", domain.centre);
  checkPositive("radius", domain.radius);
  checkFinite("corner", domain.corner);
  for (const double length : domain.lengths) {
    checkPositive("length of the box", length);
  }
  if (domain.cellsAlongX < 1) {
    throw InvalidArgument(std::format("the number of cells along x is {}; it must be at least 1", domain.cellsAlongX));
  }
}

FlowPlace placeOf(const RankGroup& group, const FlowDomain& domain, const InputCells& obstacle) {
  const auto dim = static_cast<std::size_t>(domain.dimension);
  FlowPlace place{};
  Bounds around{};
  if (domain.around == FlowAround::Set) {
    around = boundsOfAll(group, obstacle);
  } else {
    for (std::size_t d = 0; d < 3; ++d) {
      const double radius = d < dim ? domain.radius : 0.0;
      around[2 * d] = domain.centre[d] - radius;
      around[2 * d + 1] = domain.centre[d] + radius;
    }
  }
  for (std::size_t d = 0; d < dim && domain.around != FlowAround::Nothing; ++d) {
    place.diameter = std::max(place.diameter, around[2 * d + 1] - around[2 * d]);
  }
  const bool isGiven = domain.isGiven || domain.around == FlowAround::Nothing;
  for (std::size_t d = 0; d < 3; ++d) {
    if (isGiven) {
      place.box[2 * d] = domain.corner[d];
      place.box[2 * d + 1] = domain.corner[d] + domain.lengths[d];
    } else {
      const double wide = d < dim ? place.diameter : 0.0;
      place.box[2 * d] = around[2 * d] - (d == 0 ? domain.upstream : domain.beside) * wide;
      place.box[2 * d + 1] = around[2 * d + 1] + (d == 0 ? domain.downstream : domain.beside) * wide;
    }
  }
  return place;
}

template <int Dim>
void layCells(const FlowDomain& domain, const FlowPlace& place, Box<Dim>& box, GridGeometry<Dim>& lattice) {
  const double size = (place.box[1] - place.box[0]) / domain.cellsAlongX;
  double numCells = 1.0;
  const double most = std::ldexp(1.0, 31 - std::clamp(domain.numLevels - 1, 0, multilevel::maxNumLevels));
  for (int d = 0; d < Dim; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    const double lower = place.box[2 * axis];
    const double count = std::max(1.0, std::round((place.box[2 * axis + 1] - lower) / size));
    numCells *= count;
    if (!(count < most && numCells < 2147483648.0)) {
      throw InvalidArgument(
        std::format("the box has {:g} cells along axis {} and {:g} up to there, on level 0; with {} "
                    "levels it must have less than {:g} along an axis, and less than 2^31 in all",
          count, d, numCells, domain.numLevels, most));
    }
    box.end[d] = static_cast<Coordinate>(count);
    lattice.origin[d] = lower;
    lattice.spacing[d] = size;
  }
}

template <int Dim>
HostIntervalSet<Dim> obstacleOn(const RankGroup& group, const FlowDomain& domain, const InputCells& obstacle,
  const GridGeometry<Dim>& lattice, const Box<Dim>& box) {
  if (domain.around == FlowAround::Ball) {
    return ballOn<Dim>(group, lattice, domain.centre, domain.radius);
  }
  if (domain.around == FlowAround::Set) {
    return sampledOn<Dim>(lattice, box, std::get<RankCells<Dim>>(obstacle.cells).set.host(), obstacle.placement);
  }
  return {};
}

double planeOf(const FlowDomain& domain, const InputCells& obstacle) {
  return domain.around == FlowAround::Set ? obstacle.placement.origin[2]
    : domain.around == FlowAround::Ball   ? domain.centre[2]
                                          : domain.corner[2];
}

#define SPANWISE_FLOW_DOMAIN(Dim)                                                                                      \
  template void layCells<Dim>(const FlowDomain&, const FlowPlace&, Box<Dim>&, GridGeometry<Dim>&);                     \
  template HostIntervalSet<Dim> obstacleOn<Dim>(                                                                       \
    const RankGroup&, const FlowDomain&, const InputCells&, const GridGeometry<Dim>&, const Box<Dim>&);
SPANWISE_FLOW_DOMAIN(2)
SPANWISE_FLOW_DOMAIN(3)

} // namespace spanwise
