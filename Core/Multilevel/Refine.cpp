#include "Core/Multilevel/Refine.hpp"

#include "Core/Geometry/Measures.hpp"
#include "Core/Multilevel/Detail/Coarsen.hpp"
#include "Core/Multilevel/Detail/ParentsOfFamilies.hpp"
#include "Core/Multilevel/Detail/RefineRows.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Sharing.hpp"

namespace spanwise::multilevel {

template <class ExecutionSpace, int Dim>
void refine(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::refine");
  const bool inPlace = &out == &set;
  const auto kept = sharing(set);
  const geometry::Box<Dim> box = boundingBox<ExecutionSpace, Dim>(context, kept);
  for (int d = 0; d < Dim && !kept.empty(); ++d) {
    if (!geometry::isCellCoordinate(2 * std::int64_t{box.begin[d]}) ||
      !geometry::isCellCoordinate(2 * std::int64_t{box.end[d]} - 1)) {
      out.clear();
      throw CoordinateOverflow("refining the cells " + toString(box) + " takes their children beyond the coordinate " +
        "limits [-2^31, 2^31 - 2] along axis " + std::to_string(d) + "; cells must lie within [-2^30, 2^30 - 2]");
    }
  }
  const geometry::IntervalSetView<Dim> from = kept.view();
  const geometry::WritableIntervalSet<Dim> target =
    out.prepare(childRows<Dim> * from.numRows, childRows<Dim> * from.numIntervals);
  out.finish(detail::refineInto<ExecutionSpace, Dim>(context, from, target));
  if (inPlace) {
    context.space().fence(SPANWISE_LABEL("Multilevel::refine")); // `kept` may hold the last reference
  }
}

template <class ExecutionSpace, int Dim>
void coarsen(const Context<ExecutionSpace>& context, Coarsening which,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Multilevel::coarsen");
  const bool inPlace = &out == &set;
  const auto kept = sharing(set);
  out.clear();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const detail::CoarseReach reach = which == Coarsening::Inside ? detail::insideReach : detail::CoarseReach{};
  const geometry::SetTotals totals = detail::coarsenInto<ExecutionSpace, Dim>(space, kept.view(), reach, frame,
    [&](std::int64_t rows, std::int64_t intervals) { return out.prepare(rows, intervals); });
  out.finish(totals);
  if (inPlace) {
    space.fence(SPANWISE_LABEL("Multilevel::coarsen"));
  }
}

template <class ExecutionSpace, int Dim>
void parentsOf(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& siblings,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::parentsOf");
  const geometry::IntervalSetView<Dim> from = siblings.view();
  const geometry::WritableIntervalSet<Dim> target =
    out.prepare(from.numRows / childRows<Dim>, from.numIntervals / childRows<Dim>);
  out.finish(detail::parentsOfFamilies<ExecutionSpace, Dim>(context.space(), from, target));
}

#define SPANWISE_REFINE(Space, Dim)                                                                                    \
  template void refine<Space, Dim>(                                                                                    \
    const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&, geometry::IntervalSetOn<Dim, Space>&);          \
  template void coarsen<Space, Dim>(const Context<Space>&, Coarsening, const geometry::IntervalSetOn<Dim, Space>&,     \
    geometry::IntervalSetOn<Dim, Space>&);                                                                             \
  template void parentsOf<Space, Dim>(                                                                                 \
    const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&, geometry::IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_REFINE)

} // namespace spanwise::multilevel
