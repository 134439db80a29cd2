#include "Core/Geometry/LargestComponent.hpp"

#include "Core/Geometry/Components.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise {

template <class ExecutionSpace, int Dim>
void largestComponent(const ExecutionSpace& space, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Geometry::largestComponent");
  out.clear();
  if (set.empty()) {
    return;
  }
  using Numbers = ComponentNumbers<ExecutionSpace>;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  const auto scratch = [&](std::int64_t count) {
    return Numbers(frame.template array<std::int64_t>(count).data(), static_cast<std::size_t>(count));
  };
  const Numbers labels = scratch(set.numIntervals());
  const std::int64_t count = connectedComponents<ExecutionSpace, Dim>(space, connectivity, set, labels, workspace);
  const Numbers sizes = scratch(count);
  componentSizes<ExecutionSpace, Dim>(space, set, labels, sizes);
  const std::int64_t largest = largestComponent(space, sizes);
  selectLabels<ExecutionSpace, Dim>(space, set, labels, largest, largest, out, workspace);
}

#define SPANWISE_LARGEST_COMPONENT(Space, Dim)                                                                         \
  template void largestComponent<Space, Dim>(const Space&, Connectivity, const IntervalSetOn<Dim, Space>&,             \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LARGEST_COMPONENT)

} // namespace spanwise
