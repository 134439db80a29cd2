#include "Core/Geometry/Components.hpp"

#include "Core/Geometry/Detail/JoinAcrossCuts.hpp"
#include "Core/Geometry/Detail/JoinedParts.hpp"
#include "Core/Geometry/Detail/LabelIntervals.hpp"
#include "Core/Geometry/Detail/Labels.hpp"
#include "Core/Geometry/ResizeIntervals.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/SetAll.hpp"

#include <limits>

namespace spanwise::geometry {

namespace {

/// Adds the cells of each interval to its part.
template <class ExecutionSpace, int Dim>
void addSizes(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbers<ExecutionSpace>& sizes) {
  const IntervalSetView<Dim> view = set.view();
  setAll(space, sizes, 0);
  forEach(
    SPANWISE_KERNEL("add sizes"), IndexRange<ExecutionSpace>(space, 0, set.numIntervals()),
    KOKKOS_LAMBDA(
      std::int64_t i) { Kokkos::atomic_add(&sizes(labels(i)), view.cellOffsets[i + 1] - view.cellOffsets[i]); });
}

/// A part, and how many cells it has.
struct Largest {
  std::int64_t part;
  std::int64_t size;
};

/// The first of the largest parts; -1 if there is none.
struct FindLargest {
  using value_type = Largest;
  const std::int64_t* sizes;

  KOKKOS_FUNCTION void init(Largest& largest) const { largest = {-1, -1}; }
  KOKKOS_FUNCTION void join(Largest& largest, const Largest& other) const {
    if (other.size > largest.size || (other.size == largest.size && other.part < largest.part)) {
      largest = other;
    }
  }
  KOKKOS_FUNCTION void operator()(std::int64_t p, Largest& largest) const { join(largest, {p, sizes[p]}); }
};

/// A reduction over one index, which gives the one result to the host.
template <int Dim>
struct FindComponent {
  using value_type = std::int64_t;
  IntervalSetView<Dim> set;
  const std::int64_t* labels;
  Cell<Dim> cell;

  KOKKOS_FUNCTION void init(std::int64_t& component) const { component = -1; }
  KOKKOS_FUNCTION void join(std::int64_t& component, const std::int64_t& other) const {
    component = Kokkos::max(component, other);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t /*one*/, std::int64_t& component) const {
    const std::int64_t number = set.findCell(cell);
    component = number < 0 ? -1 : labels[set.intervalOfCell(number)];
  }
};

template <class ExecutionSpace, int Dim>
std::int64_t partOf(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const Cell<Dim>& cell) {
  detail::checkLabels(labels, set.numIntervals());
  std::int64_t part = -1;
  if (!set.empty()) {
    reduce(SPANWISE_KERNEL("find component"), IndexRange<ExecutionSpace>(space, 0, 1),
      FindComponent<Dim>{set.view(), labels.data(), cell}, part);
  }
  return part;
}

/// Over the ranks of a numbering; with one process the value itself.
template <class T>
T reducedOver(const ComponentNumbering& numbering, ReduceBy operation, T value) {
  return numbering.communicator() == nullptr ? value : numbering.communicator()->reduced(operation, value);
}

} // namespace

template <class ExecutionSpace, int Dim>
ComponentNumbering connectedComponents(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const ComponentNumbers<ExecutionSpace>& labels,
  const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::connectedComponents");
  checkDomain<ExecutionSpace, Dim>(context, domain, set);
  std::int64_t count = 0;
  parallel::agree(ranksOf(context, domain), [&] {
    count = detail::labelIntervals<ExecutionSpace, Dim>(context, connectivity, set, labels, domain.periodsHere());
  });
  if (domain.alone()) {
    return ComponentNumbering(count);
  }
  detail::PlanesAtCuts<ExecutionSpace, Dim> planes(context, domain, set);
  return detail::joinAcrossCuts<ExecutionSpace, Dim>(context, connectivity, {set, labels, count}, domain, planes);
}

template <class ExecutionSpace>
void componentNumbers(const Context<ExecutionSpace>& context, const ComponentNumbering& numbering,
  const ComponentNumbers<ExecutionSpace>& numbers) {
  const auto joined = detail::joinedPartsOn<ExecutionSpace>(numbering);
  const std::int64_t first = numbering.first();
  const auto numJoined = static_cast<std::int64_t>(joined.extent(0));
  forEach(
    SPANWISE_KERNEL("number parts"), IndexRange<ExecutionSpace>(context.space(), 0, numbering.numParts()),
    KOKKOS_LAMBDA(std::int64_t p) { numbers(p) = ComponentNumbering::numberOf(first, joined.data(), numJoined, p); });
}

template <class ExecutionSpace, int Dim>
void componentSizes(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbering& numbering,
  const ComponentNumbers<ExecutionSpace>& sizes) {
  const ExecutionSpace& space = context.space();

  detail::agreeOnLabels(numbering, labels, set.numIntervals());
  addSizes<ExecutionSpace, Dim>(space, set, labels, sizes);
  detail::addUpJoined(space, numbering, sizes, [](std::int64_t& sum, std::int64_t size) { sum += size; });
}

template <class ExecutionSpace, int Dim>
void selectComponents(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentRange<ExecutionSpace>& range,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  detail::checkLabels(labels, set.numIntervals());
  out.clear();
  if (set.empty()) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  detail::ResizePlan<Dim> plan{};
  plan.from = set.view();
  plan.begun = frame.template array<std::int64_t>(set.numIntervals() + 1).data();
  plan.out = out.prepare(set.numRows(), set.numIntervals());
  std::int64_t* const marks = plan.begun;
  const std::int64_t* const numbers = range.of.data();
  const std::int64_t lowest = range.lowest;
  const std::int64_t highest = range.highest;
  forEach(
    SPANWISE_KERNEL("mark selected"), IndexRange<ExecutionSpace>(space, 0, set.numIntervals()),
    KOKKOS_LAMBDA(std::int64_t i) {
      const std::int64_t number = numbers == nullptr ? labels(i) : numbers[labels(i)];
      marks[i] = static_cast<std::int64_t>(number >= lowest && number <= highest);
    });
  out.finish(detail::placeBegun(space, plan));
}

template <class ExecutionSpace>
std::int64_t largestComponent(const Context<ExecutionSpace>& context, const ComponentNumbers<ExecutionSpace>& sizes,
  const ComponentNumbering& numbering) {
  Largest mine{-1, -1};
  reduce(SPANWISE_KERNEL("find largest"), IndexRange<ExecutionSpace>(context.space(), 0, numbering.numParts()),
    FindLargest{sizes.data()}, mine);
  const std::int64_t size = reducedOver(numbering, ReduceBy::Maximum, mine.size);
  // The part with the first cell of the right component comes before all others of its size on its rank; what other
  // ranks find first is no less.
  const bool isLargest = size >= 0 && mine.size == size;
  const std::int64_t number = reducedOver(
    numbering, ReduceBy::Minimum, isLargest ? numbering.number(mine.part) : std::numeric_limits<std::int64_t>::max());
  return size < 0 ? -1 : number;
}

template <class ExecutionSpace, int Dim>
std::int64_t componentOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbering& numbering, const Cell<Dim>& cell) {
  detail::agreeOnLabels(numbering, labels, set.numIntervals());
  const std::int64_t part = partOf<ExecutionSpace, Dim>(context.space(), set, labels, cell);
  return reducedOver(numbering, ReduceBy::Maximum, part < 0 ? -1 : numbering.number(part));
}

#define SPANWISE_COMPONENTS(Space, Dim)                                                                                \
  template ComponentNumbering connectedComponents<Space, Dim>(const Context<Space>&, Connectivity,                     \
    const IntervalSetOn<Dim, Space>&, const ComponentNumbers<Space>&, const SetDomain<Dim>&);                          \
  template void componentSizes<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                    \
    const ComponentNumbers<Space>&, const ComponentNumbering&, const ComponentNumbers<Space>&);                        \
  template void selectComponents<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                  \
    const ComponentNumbers<Space>&, const ComponentRange<Space>&, IntervalSetOn<Dim, Space>&);                         \
  template std::int64_t componentOf<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,               \
    const ComponentNumbers<Space>&, const ComponentNumbering&, const Cell<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COMPONENTS)

#define SPANWISE_OF_COMPONENTS(Space)                                                                                  \
  template void componentNumbers<Space>(                                                                               \
    const Context<Space>&, const ComponentNumbering&, const ComponentNumbers<Space>&);                                 \
  template std::int64_t largestComponent<Space>(                                                                       \
    const Context<Space>&, const ComponentNumbers<Space>&, const ComponentNumbering&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_OF_COMPONENTS)

} // namespace spanwise::geometry
