#include "Core/Geometry/DescribeComponents.hpp"

#include "Core/Geometry/Detail/EulerAtCuts.hpp"
#include "Core/Geometry/Detail/JoinAcrossCuts.hpp"
#include "Core/Geometry/Detail/LabelIntervals.hpp"
#include "Core/Geometry/EulerNumber.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise::geometry {

template <class ExecutionSpace, int Dim>
ComponentDescription<ExecutionSpace, Dim> describeComponents(const Context<ExecutionSpace>& context,
  Connectivity connectivity, const IntervalSetOn<Dim, ExecutionSpace>& set, const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::describeComponents");
  ComponentDescription<ExecutionSpace, Dim> found;
  const bool hasEulerNumber = Dim == 2 || connectivity != Connectivity::Edge;
  parallel::agree(ranksOf(context, domain), [&] {
    found.labels = ComponentNumbers<ExecutionSpace>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::labels")),
      static_cast<std::size_t>(set.numIntervals()));
  });
  if (domain.alone()) {
    found.numbering = connectedComponents<ExecutionSpace, Dim>(context, connectivity, set, found.labels, domain);
    if (hasEulerNumber) {
      found.eulerNumber = eulerNumber<ExecutionSpace, Dim>(context, connectivity, set, domain);
    }
  } else {
    checkDomain<ExecutionSpace, Dim>(context, domain, set);
    std::int64_t count = 0;
    parallel::agree(ranksOf(context, domain), [&] {
      count =
        detail::labelIntervals<ExecutionSpace, Dim>(context, connectivity, set, found.labels, domain.periodsHere());
    });
    detail::PlanesAtCuts<ExecutionSpace, Dim> planes(context, domain, set);
    found.numbering =
      detail::joinAcrossCuts<ExecutionSpace, Dim>(context, connectivity, {set, found.labels, count}, domain, planes);
    if (hasEulerNumber) {
      found.eulerNumber =
        detail::eulerNumberByRanks<ExecutionSpace, Dim>(context, connectivity, set, domain, planes.held());
    }
  }
  parallel::agree(ranksOf(context, domain), [&] {
    found.measures = ComponentMeasuresOn<ExecutionSpace, Dim>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::measures")),
      static_cast<std::size_t>(found.numbering.numParts()));
  });
  measureComponents<ExecutionSpace, Dim>(context, set, found.labels, found.numbering, found.measures);
  return found;
}

#define SPANWISE_DESCRIBE_COMPONENTS(Space, Dim)                                                                       \
  template ComponentDescription<Space, Dim> describeComponents<Space, Dim>(                                            \
    const Context<Space>&, Connectivity, const IntervalSetOn<Dim, Space>&, const SetDomain<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_DESCRIBE_COMPONENTS)

} // namespace spanwise::geometry
