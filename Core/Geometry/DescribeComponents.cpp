#include "Core/Geometry/DescribeComponents.hpp"

#include "Core/Geometry/Detail/EulerAtCuts.hpp"
#include "Core/Geometry/Detail/JoinAcrossCuts.hpp"
#include "Core/Geometry/Detail/LabelIntervals.hpp"
#include "Core/Geometry/EulerNumber.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise {

template <class ExecutionSpace, int Dim>
ComponentDescription<ExecutionSpace, Dim> describeComponents(const ExecutionSpace& space, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, Workspace<typename ExecutionSpace::memory_space>& workspace,
  const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::describeComponents");
  ComponentDescription<ExecutionSpace, Dim> found;
  const bool hasEulerNumber = Dim == 2 || connectivity != Connectivity::Edge;
  agree(domain.communicator(), [&] {
    found.labels = ComponentNumbers<ExecutionSpace>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::labels")),
      static_cast<std::size_t>(set.numIntervals()));
  });
  if (domain.alone()) {
    found.numbering =
      connectedComponents<ExecutionSpace, Dim>(space, connectivity, set, found.labels, workspace, domain);
    if (hasEulerNumber) {
      found.eulerNumber = eulerNumber<ExecutionSpace, Dim>(space, connectivity, set, workspace, domain);
    }
  } else {
    checkDomain<ExecutionSpace, Dim>(space, domain, set);
    std::int64_t count = 0;
    agree(domain.communicator(), [&] {
      count = detail::labelIntervals<ExecutionSpace, Dim>(
        space, connectivity, set, found.labels, workspace, domain.periodsHere());
    });
    detail::PlanesAtCuts<ExecutionSpace, Dim> planes(space, domain, set, workspace);
    found.numbering = detail::joinAcrossCuts<ExecutionSpace, Dim>(
      space, connectivity, {set, found.labels, count}, domain, planes, workspace);
    if (hasEulerNumber) {
      found.eulerNumber =
        detail::eulerNumberByRanks<ExecutionSpace, Dim>(space, connectivity, set, domain, planes.held(), workspace);
    }
  }
  agree(domain.communicator(), [&] {
    found.measures = ComponentMeasuresOn<ExecutionSpace, Dim>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::measures")),
      static_cast<std::size_t>(found.numbering.numParts()));
  });
  measureComponents<ExecutionSpace, Dim>(space, set, found.labels, found.numbering, found.measures);
  return found;
}

#define SPANWISE_DESCRIBE_COMPONENTS(Space, Dim)                                                                       \
  template ComponentDescription<Space, Dim> describeComponents<Space, Dim>(const Space&, Connectivity,                 \
    const IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&, const SetDomain<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_DESCRIBE_COMPONENTS)

} // namespace spanwise
