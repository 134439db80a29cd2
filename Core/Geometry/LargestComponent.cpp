#include "Core/Geometry/LargestComponent.hpp"

#include "Core/Geometry/Components.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise {

template <class ExecutionSpace, int Dim>
void largestComponent(const ExecutionSpace& space, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::largestComponent");
  const Communicator& communicator = domain.communicator();
  using Numbers = ComponentNumbers<ExecutionSpace>;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  const auto scratch = [&](std::int64_t count) {
    return Numbers(frame.template array<std::int64_t>(count).data(), static_cast<std::size_t>(count));
  };
  out.clear();
  Numbers labels;
  agree(communicator, [&] { labels = scratch(set.numIntervals()); });
  const ComponentNumbering numbering =
    connectedComponents<ExecutionSpace, Dim>(space, connectivity, set, labels, workspace, domain);
  Numbers sizes;
  Numbers numbers;
  agree(communicator, [&] {
    sizes = scratch(numbering.numParts());
    numbers = scratch(numbering.numParts());
    componentNumbers(space, numbering, numbers);
  });
  componentSizes<ExecutionSpace, Dim>(space, set, labels, numbering, sizes);
  const std::int64_t largest = largestComponent(space, sizes, numbering);
  agree(communicator,
    [&] { selectComponents<ExecutionSpace, Dim>(space, set, labels, {largest, largest, numbers}, out, workspace); });
}

#define SPANWISE_LARGEST_COMPONENT(Space, Dim)                                                                         \
  template void largestComponent<Space, Dim>(const Space&, Connectivity, const IntervalSetOn<Dim, Space>&,             \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&, const SetDomain<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LARGEST_COMPONENT)

} // namespace spanwise
