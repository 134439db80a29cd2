#include "Core/Geometry/Morphology.hpp"

#include "Core/Geometry/Detail/MorphInSteps.hpp"
#include "Core/Runtime/Context.hpp"

#include <algorithm>

namespace spanwise::geometry {

template <class ExecutionSpace, int Dim>
void morph(const Context<ExecutionSpace>& context, MorphologyOperation operation,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const StructuringElement<Dim>& element,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::morph");
  constexpr bool onDevice = !runsOnHost<ExecutionSpace>;
  detail::MorphInSteps<ExecutionSpace, Dim, onDevice>(context, set, element).run(operation, out);
}

template <class ExecutionSpace, int Dim>
void boundary(const Context<ExecutionSpace>& context, BoundarySide side, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out) {
  // made once, as a repeated call allocates nothing
  static const auto face = StructuringElement<Dim>::neighbourhood(Connectivity::Face, 1);
  static const auto edge = StructuringElement<Dim>::neighbourhood(Connectivity::Edge, 1);
  static const auto vertex = StructuringElement<Dim>::neighbourhood(Connectivity::Vertex, 1);
  const auto& element = connectivity == Connectivity::Face ? face : connectivity == Connectivity::Edge ? edge : vertex;
  const auto operation =
    side == BoundarySide::Inner ? MorphologyOperation::InnerGradient : MorphologyOperation::OuterGradient;
  morph<ExecutionSpace, Dim>(context, operation, set, element, out);
}

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

template MorphologyReach<2> reachOf<2>(MorphologyOperation, const StructuringElement<2>&);
template MorphologyReach<3> reachOf<3>(MorphologyOperation, const StructuringElement<3>&);

#define SPANWISE_MORPHOLOGY(Space, Dim)                                                                                \
  template void morph<Space, Dim>(const Context<Space>&, MorphologyOperation, const IntervalSetOn<Dim, Space>&,        \
    const StructuringElement<Dim>&, IntervalSetOn<Dim, Space>&);                                                       \
  template void boundary<Space, Dim>(                                                                                  \
    const Context<Space>&, BoundarySide, Connectivity, const IntervalSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MORPHOLOGY)

} // namespace spanwise::geometry
