#include "Core/Multilevel/TouchingLeaves.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"

#include <algorithm>
#include <cstddef>

namespace spanwise::multilevel {

template <class ExecutionSpace, int Dim>
void touchingLeaves(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover, const LeavesOn<Dim, ExecutionSpace>& some,
  LeavesOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::touching");
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using geometry::SetOperation;
  const Context<ExecutionSpace> silent = context.with(Progress());
  geometry::Cell<Dim> ones{};
  std::fill_n(ones.at, Dim, 1);
  const auto box = geometry::StructuringElement<Dim>::box(ones);
  const auto dilated = [&](const Set& set) {
    Set result;
    morph<ExecutionSpace, Dim>(silent, geometry::MorphologyOperation::Dilate, set, box, result);
    return result;
  };
  const auto combined = [&](SetOperation operation, const Set& a, const Set& b) {
    Set result;
    combine<ExecutionSpace, Dim>(silent, operation, a, b, result);
    return result;
  };

  // cells that touch, or have in them what touches, leaves of their level or finer ones
  out.assign(leaves.size(), Set());
  for (std::size_t l = leaves.size(); l-- > 0;) {
    if (l + 1 < leaves.size()) {
      coarsen<ExecutionSpace, Dim>(silent, Coarsening::Outside, out[l + 1], out[l]);
    }
    if (l < some.size() && !some[l].empty()) {
      out[l] = combined(SetOperation::Union, out[l], dilated(some[l]));
    }
  }
  // and those that touch coarser ones: `coarser` is what these have of a level, as far as it lies beside finer leaves
  Set coarser;
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    if (!coarser.empty()) {
      out[l] = combined(SetOperation::Union, out[l], dilated(coarser));
    }
    out[l] = combined(SetOperation::Intersection, out[l], leaves[l]);
    if (l + 1 < leaves.size()) {
      const Set here = l < some.size() ? combined(SetOperation::Union, coarser, some[l]) : coarser;
      coarser = combined(SetOperation::Intersection, here, dilated(cover.refined[l]));
      refine<ExecutionSpace, Dim>(silent, coarser, coarser);
    }
  }
}

#define SPANWISE_TOUCHING_LEAVES(Space, Dim)                                                                           \
  template void touchingLeaves<Space, Dim>(const Context<Space>&, const LeavesOn<Dim, Space>&,                         \
    const LeafCoverOn<Dim, Space>&, const LeavesOn<Dim, Space>&, LeavesOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TOUCHING_LEAVES)

} // namespace spanwise::multilevel
