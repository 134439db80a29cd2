#include "Core/Geometry/ComponentMeasures.hpp"

#include "Core/Geometry/Detail/JoinedParts.hpp"
#include "Core/Geometry/Detail/Labels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"

namespace spanwise::geometry {

namespace {

/// Adds each interval to its component.
template <class ExecutionSpace, int Dim>
void addMeasures(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentMeasuresOn<ExecutionSpace, Dim>& measures) {
  const IntervalSetView<Dim> view = set.view();
  forEach(
    SPANWISE_KERNEL("clear measures"),
    IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(measures.extent(0))),
    KOKKOS_LAMBDA(std::int64_t p) { measures(p) = ComponentMeasures<Dim>::none(); });
  forEach(
    SPANWISE_KERNEL("add measures"), IndexRange<ExecutionSpace>(space, 0, set.numIntervals()),
    KOKKOS_LAMBDA(std::int64_t i) {
      const Interval interval = view.intervals[i];
      const RowKey<Dim> key = view.rowKeys[view.rowOfInterval(i)];
      const Coordinate first[3] = {interval.begin, key.y, key.zOr0()};
      const std::uint64_t length = static_cast<std::uint64_t>(static_cast<std::int64_t>(interval.end) - interval.begin);
      ComponentMeasures<Dim>& sum = measures(labels(i));
      Kokkos::atomic_add(&sum.size, static_cast<std::int64_t>(length));
      for (int d = 0; d < Dim; ++d) {
        const auto from = static_cast<std::uint64_t>(static_cast<std::int64_t>(first[d]) - minCoordinate);
        std::uint64_t moment = from * length;
        if (d == 0) { // from, from + 1, ...: one of the two factors is even
          const std::uint64_t ends = 2 * from + length - 1;
          moment = length % 2 == 0 ? length / 2 * ends : ends / 2 * length;
        }
        Kokkos::atomic_add(&sum.momentLow[d], moment & 0xffffffffU);
        Kokkos::atomic_add(&sum.momentHigh[d], moment >> 32);
        Kokkos::atomic_min(&sum.box.begin[d], first[d]);
        Kokkos::atomic_max(&sum.box.end[d], d == 0 ? interval.end : first[d] + 1);
      }
    });
}

} // namespace

template <class ExecutionSpace, int Dim>
void measureComponents(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbering& numbering,
  const ComponentMeasuresOn<ExecutionSpace, Dim>& measures) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::measureComponents");
  detail::agreeOnLabels(numbering, labels, set.numIntervals());
  addMeasures<ExecutionSpace, Dim>(space, set, labels, measures);
  detail::addUpJoined(
    space, numbering, measures, [](ComponentMeasures<Dim>& sum, const ComponentMeasures<Dim>& part) { sum.add(part); });
}

#define SPANWISE_COMPONENT_MEASURES(Space, Dim)                                                                        \
  template void measureComponents<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                 \
    const ComponentNumbers<Space>&, const ComponentNumbering&, const ComponentMeasuresOn<Space, Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COMPONENT_MEASURES)

} // namespace spanwise::geometry
