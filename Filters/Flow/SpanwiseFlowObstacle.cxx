#include "SpanwiseFlowObstacle.h"

#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

/// Whether the centre of a cell of one lattice is in a cell of a set on another.
template <int Dim>
struct CentreIsIn {
  GridGeometry<Dim> lattice;
  GridGeometry<Dim> of;
  IntervalSetView<Dim> set;

  KOKKOS_FUNCTION bool operator()(const Cell<Dim>& cell) const {
    Cell<Dim> at{};
    for (int d = 0; d < Dim; ++d) {
      const double position = (lattice.centre(d, cell.at[d]) - of.origin[d]) / of.spacing[d];
      at.at[d] = static_cast<Coordinate>(Kokkos::floor(position));
    }
    return set.findCell(at) >= 0;
  }
};

} // namespace

Bounds boundsOfAll(const RankGroup& group, const InputCells& cells) {
  return std::visit(
    [&]<int Dim>(const RankCells<Dim>& of) {
      const Box<Dim> box = boundingBoxOfAll<Dim>(group, {&of.set});
      if (box.empty()) {
        throw InvalidArgument("the obstacle has no cells; it must have one");
      }
      Bounds bounds;
      for (int d = 0; d < 3; ++d) {
        const auto axis = static_cast<std::size_t>(d);
        bounds[2 * axis] = d < Dim ? cells.placement.position(d, box.begin[d]) : cells.placement.origin[d];
        bounds[2 * axis + 1] = d < Dim ? cells.placement.position(d, box.end[d]) : cells.placement.origin[d];
      }
      return bounds;
    },
    cells.cells);
}

template <int Dim>
HostIntervalSet<Dim> sampledOn(const GridGeometry<Dim>& lattice, const Box<Dim>& box, const HostIntervalSet<Dim>& cells,
  const GridPlacement& placement) {
  const Context<HostExecutionSpace> context;
  const Box<Dim> around = boundingBox<HostExecutionSpace, Dim>(context, cells);
  HostIntervalSet<Dim> set;
  if (around.empty()) {
    return set;
  }
  const GridGeometry<Dim> of = latticeOf<Dim>(placement);
  Box<Dim> within{};
  for (int d = 0; d < Dim; ++d) {
    const auto toLattice = [&](Coordinate c) { // beyond the box it does not matter where
      return std::clamp((of.face(d, c) - lattice.origin[d]) / lattice.spacing[d], box.begin[d] - 1.0, box.end[d] + 1.0);
    };
    within.begin[d] = std::max(box.begin[d], static_cast<Coordinate>(std::floor(toLattice(around.begin[d]))));
    within.end[d] = std::min(box.end[d], static_cast<Coordinate>(std::ceil(toLattice(around.end[d]))));
  }
  if (!within.empty()) {
    makeFromPredicate<HostExecutionSpace, Dim>(context, within, CentreIsIn<Dim>{lattice, of, cells.view()}, set);
  }
  return set;
}

#define SPANWISE_FLOW_OBSTACLE(Dim)                                                                                    \
  template HostIntervalSet<Dim> sampledOn<Dim>(                                                                        \
    const GridGeometry<Dim>&, const Box<Dim>&, const HostIntervalSet<Dim>&, const GridPlacement&);
SPANWISE_FLOW_OBSTACLE(2)
SPANWISE_FLOW_OBSTACLE(3)

} // namespace spanwise
