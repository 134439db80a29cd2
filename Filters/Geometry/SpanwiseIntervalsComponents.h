#ifndef SpanwiseIntervalsComponents_h
#define SpanwiseIntervalsComponents_h

// The components that the intervals of a set are in, on the side where they were found. Not wrapped and not installed.

#include "SpanwiseMirroredNumbers.h"
#include "SpanwiseSide.h"

#include "Core/Geometry/DescribeComponents.hpp"
#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// Component numbers and sizes, one for each interval.
struct IntervalsComponents {
  MirroredNumbers ids;
  MirroredNumbers sizes;
};

/// 1 for intervals in parts that are kept, 0 for others.
struct MarkKept {
  const std::int64_t* labels;
  const std::int64_t* keep; ///< of parts: 0 or 1
  std::int64_t* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t interval) const { marks[interval] = keep[labels[interval]]; }
};

template <int Dim>
struct WriteIntervalsComponents {
  const std::int64_t* labels;
  const std::int64_t* places; ///< [intervals + 1] where each that is kept is written; null: all are
  const std::int64_t* numbers;
  const geometry::ComponentMeasures<Dim>* measures;
  std::int64_t* ids;
  std::int64_t* sizes;

  KOKKOS_FUNCTION void operator()(std::int64_t interval) const {
    const std::int64_t at = places != nullptr ? places[interval] : interval;
    if (places != nullptr && places[interval + 1] == at) {
      return;
    }
    const std::int64_t part = labels[interval];
    ids[at] = numbers[part];
    sizes[at] = measures[part].size;
  }
};

/// Of the intervals in parts with keep[part] = 1, in their order, as selectComponents() leaves them; of all where
/// `keep` is null. numbers[part] is the number of the component. O(intervals). Waits for their number.
template <ComputeSide side, int Dim>
IntervalsComponents componentsOfKept(const SideContext<side>& context,
  const geometry::ComponentDescription<SpaceOf<side>, Dim>& found,
  const geometry::ComponentNumbers<SpaceOf<side>>& numbers, const std::int64_t* keep) {
  using Space = SpaceOf<side>;
  using Numbers = Kokkos::View<std::int64_t*, typename Space::memory_space>;
  const auto room = [](std::int64_t count) {
    return Numbers(Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::of intervals")),
      arrayLength<std::int64_t>(count));
  };
  const auto count = static_cast<std::int64_t>(found.labels.extent(0));
  const IndexRange<Space> all(context.space(), 0, count);
  std::int64_t numKept = count;
  Numbers places;
  if (keep != nullptr) {
    places = room(count + 1);
    forEach(SPANWISE_KERNEL("mark kept"), all, MarkKept{found.labels.data(), keep, places.data()});
    numKept = exclusiveScan(context.space(), SPANWISE_KERNEL("scan kept"), places.data(), count);
  }
  const Numbers ids = room(numKept);
  const Numbers sizes = room(numKept);
  forEach(SPANWISE_KERNEL("of intervals"), all,
    WriteIntervalsComponents<Dim>{
      found.labels.data(), places.data(), numbers.data(), found.measures.data(), ids.data(), sizes.data()});
  context.space().fence(SPANWISE_LABEL("Geometry::of intervals"));
  return {MirroredNumbers::of<side>(ids), MirroredNumbers::of<side>(sizes)};
}

} // namespace spanwise

#endif
