#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace spanwise {

template <int Dim>
MorphologyReach<Dim> reachOf(MorphologyOperation operation, const StructuringElement<Dim>& element) {
  using enum MorphologyOperation;
  MorphologyReach<Dim> reach;
  for (int d = 0; d < Dim; ++d) {
    const std::int64_t before = std::max<std::int64_t>(-std::int64_t{element.first().at[d]}, 0);
    const std::int64_t behind = std::max<std::int64_t>(element.last().at[d], 0);
    const bool isTwo = operation == Open || operation == Close;
    const std::int64_t most = isTwo ? before + behind : std::max(before, behind);
    if (most > std::numeric_limits<Coordinate>::max()) {
      throw CoordinateOverflow("the element reaches from " + std::to_string(element.first().at[d]) + " to " +
        std::to_string(element.last().at[d]) + " along axis " + std::to_string(d) +
        (isTwo ? ", and both ways where a set is opened or closed" : "") + ": that is " + std::to_string(most) +
        " cells; at most 2^31 - 1 are possible");
    }
    if (operation == Erode || operation == InnerGradient) {
      reach.below.at[d] = static_cast<Coordinate>(before);
      reach.above.at[d] = static_cast<Coordinate>(behind);
    } else if (operation == Dilate || operation == OuterGradient) { // a + b = c for an a from c - last to c - first
      reach.below.at[d] = static_cast<Coordinate>(behind);
      reach.above.at[d] = static_cast<Coordinate>(before);
    } else {
      reach.below.at[d] = reach.above.at[d] = static_cast<Coordinate>(most);
    }
  }
  return reach;
}

template <class ExecutionSpace, int Dim>
void morph(const ExecutionSpace& space, MorphologyOperation operation, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const StructuringElement<Dim>& element, const Periods<Dim>& periods, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  const MorphologyReach<Dim> reach = reachOf(operation, element);
  IntervalSetOn<Dim, ExecutionSpace> around;
  unwrap<ExecutionSpace, Dim>(space, set, periods, reach.below, reach.above, around, workspace);
  morph<ExecutionSpace, Dim>(space, operation, around, element, out, workspace);
  if (periods.any()) {
    crop<ExecutionSpace, Dim>(space, out, onePeriod(periods), out, workspace);
  }
}

template MorphologyReach<2> reachOf<2>(MorphologyOperation, const StructuringElement<2>&);
template MorphologyReach<3> reachOf<3>(MorphologyOperation, const StructuringElement<3>&);

#define SPANWISE_PERIODIC_MORPHOLOGY(Space, Dim)                                                                       \
  template void morph<Space, Dim>(const Space&, MorphologyOperation, const IntervalSetOn<Dim, Space>&,                 \
    const StructuringElement<Dim>&, const Periods<Dim>&, IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_PERIODIC_MORPHOLOGY)

} // namespace spanwise
