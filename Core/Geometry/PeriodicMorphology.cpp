#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Runtime/Context.hpp"

#include <algorithm>

namespace spanwise::geometry {

template <int Dim>
MorphologyReach<Dim> reachOf(MorphologyOperation operation, const StructuringElement<Dim>& element) {
  using enum MorphologyOperation;
  MorphologyReach<Dim> reach;
  for (int d = 0; d < Dim; ++d) {
    const std::int64_t first = element.first().at[d]; // -first may be more than a coordinate
    const auto before = static_cast<Coordinate>(std::clamp<std::int64_t>(-first, 0, maxIntervalEnd));
    const Coordinate behind = std::max(element.last().at[d], 0);
    if (operation == Erode || operation == InnerGradient) {
      reach.below.at[d] = before;
      reach.above.at[d] = behind;
    } else if (operation == Dilate || operation == OuterGradient) { // a + b = c for an a from c - last to c - first
      reach.below.at[d] = behind;
      reach.above.at[d] = before;
    } else {
      const auto both = std::int64_t{before} + behind;
      reach.below.at[d] = reach.above.at[d] = static_cast<Coordinate>(std::min<std::int64_t>(both, maxIntervalEnd));
    }
  }
  return reach;
}

template <class ExecutionSpace, int Dim>
void morph(const Context<ExecutionSpace>& context, MorphologyOperation operation,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const StructuringElement<Dim>& element, const Periods<Dim>& periods,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  const MorphologyReach<Dim> reach = reachOf(operation, element);
  IntervalSetOn<Dim, ExecutionSpace> around;
  unwrap<ExecutionSpace, Dim>(context, set, periods, reach.below, reach.above, around);
  morph<ExecutionSpace, Dim>(context, operation, around, element, out);
  if (periods.any()) {
    crop<ExecutionSpace, Dim>(context, out, onePeriod(periods), out);
  }
}

template MorphologyReach<2> reachOf<2>(MorphologyOperation, const StructuringElement<2>&);
template MorphologyReach<3> reachOf<3>(MorphologyOperation, const StructuringElement<3>&);

#define SPANWISE_PERIODIC_MORPHOLOGY(Space, Dim)                                                                       \
  template void morph<Space, Dim>(const Context<Space>&, MorphologyOperation, const IntervalSetOn<Dim, Space>&,        \
    const StructuringElement<Dim>&, const Periods<Dim>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_PERIODIC_MORPHOLOGY)

} // namespace spanwise::geometry
