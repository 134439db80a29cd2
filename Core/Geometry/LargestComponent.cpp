#include "Core/Geometry/LargestComponent.hpp"

#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"

namespace spanwise {

namespace {

using detail::Range;

struct SizedComponent {
  std::int64_t size;
  std::int64_t number;
};

/// The largest size, and the lowest number that has it.
struct FindLargest {
  using value_type = SizedComponent;
  const std::int64_t* sizes;

  KOKKOS_FUNCTION void init(SizedComponent& best) const { best = {-1, 0}; }
  KOKKOS_FUNCTION void join(SizedComponent& best, const SizedComponent& other) const {
    if (other.size > best.size || (other.size == best.size && other.number < best.number)) {
      best = other;
    }
  }
  KOKKOS_FUNCTION void operator()(std::int64_t c, SizedComponent& best) const { join(best, {sizes[c], c}); }
};

/// Gives one component a number that no size is.
struct MarkOne {
  std::int64_t* sizes;
  KOKKOS_FUNCTION void operator()(std::int64_t c) const { sizes[c] = -1; }
};

} // namespace

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
  SizedComponent largest{};
  reduce(SPANWISE_KERNEL("find largest"), Range<ExecutionSpace>(space, 0, count), FindLargest{sizes.data()}, largest);
  // equal sizes are told apart
  Kokkos::parallel_for(SPANWISE_KERNEL("mark largest"),
    Range<ExecutionSpace>(space, largest.number, largest.number + 1), MarkOne{sizes.data()});
  selectComponents<ExecutionSpace, Dim>(space, set, labels, sizes, -1, -1, out, workspace);
}

#define SPANWISE_LARGEST_COMPONENT(Space, Dim)                                                                         \
  template void largestComponent<Space, Dim>(const Space&, Connectivity, const IntervalSetOn<Dim, Space>&,             \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LARGEST_COMPONENT)

} // namespace spanwise
