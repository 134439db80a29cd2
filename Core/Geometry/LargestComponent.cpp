#include "Core/Geometry/LargestComponent.hpp"

#include "Core/Geometry/Components.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise::geometry {

template <class ExecutionSpace, int Dim>
void largestComponent(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out,
  const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::largestComponent");
  const Communicator& communicator = ranksOf(context, domain);
  using Numbers = ComponentNumbers<ExecutionSpace>;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto scratch = [&](std::int64_t count) {
    return Numbers(frame.template array<std::int64_t>(count).data(), static_cast<std::size_t>(count));
  };
  out.clear();
  Numbers labels;
  parallel::agree(communicator, [&] { labels = scratch(set.numIntervals()); });
  const ComponentNumbering numbering =
    connectedComponents<ExecutionSpace, Dim>(context, connectivity, set, labels, domain);
  Numbers sizes;
  Numbers numbers;
  parallel::agree(communicator, [&] {
    sizes = scratch(numbering.numParts());
    numbers = scratch(numbering.numParts());
    componentNumbers(context, numbering, numbers);
  });
  componentSizes<ExecutionSpace, Dim>(context, set, labels, numbering, sizes);
  const std::int64_t largest = largestComponent(context, sizes, numbering);
  parallel::agree(communicator,
    [&] { selectComponents<ExecutionSpace, Dim>(context, set, labels, {largest, largest, numbers}, out); });
}

#define SPANWISE_LARGEST_COMPONENT(Space, Dim)                                                                         \
  template void largestComponent<Space, Dim>(const Context<Space>&, Connectivity, const IntervalSetOn<Dim, Space>&,    \
    IntervalSetOn<Dim, Space>&, const SetDomain<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LARGEST_COMPONENT)

} // namespace spanwise::geometry
