#pragma once

#include "Core/Geometry/ComponentNumbering.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace spanwise::geometry::detail {

/// numbering.joined() in the memory of an execution space.
template <class ExecutionSpace>
Kokkos::View<JoinedPart*, typename ExecutionSpace::memory_space> joinedPartsOn(const ComponentNumbering& numbering) {
  using Source = Kokkos::View<const JoinedPart*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const std::vector<JoinedPart>& joined = numbering.joined();
  Kokkos::View<JoinedPart*, typename ExecutionSpace::memory_space> parts;
  if (!joined.empty()) {
    parts = decltype(parts)(SPANWISE_LABEL("Geometry::joinedParts"), joined.size());
    Kokkos::deep_copy(parts, Source(joined.data(), joined.size()));
  }
  return parts;
}

template <class MemorySpace, class T>
struct GatherJoined {
  Kokkos::View<JoinedPart*, MemorySpace> parts;
  Kokkos::View<T*, MemorySpace> values;
  Kokkos::View<T*, MemorySpace> some;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { some(k) = values(parts(k).part); }
};

template <class MemorySpace, class T>
struct ScatterJoined {
  Kokkos::View<JoinedPart*, MemorySpace> parts;
  Kokkos::View<T*, MemorySpace> some;
  Kokkos::View<T*, MemorySpace> values;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { values(parts(k).part) = some(k); }
};

/// The values of the joined parts.
template <class ExecutionSpace, class T>
std::vector<T> valuesOfJoined(const ExecutionSpace& space, const ComponentNumbering& numbering,
  const Kokkos::View<T*, typename ExecutionSpace::memory_space>& values) {
  const auto parts = joinedPartsOn<ExecutionSpace>(numbering);
  const Kokkos::View<T*, typename ExecutionSpace::memory_space> some(
    SPANWISE_LABEL("Geometry::valuesOfJoined"), parts.extent(0));
  forEach(SPANWISE_KERNEL("gather joined"),
    IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(parts.extent(0))),
    GatherJoined<typename ExecutionSpace::memory_space, T>{parts, values, some});
  space.fence(SPANWISE_LABEL("Geometry::valuesOfJoined"));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), some);
  return {host.data(), host.data() + host.extent(0)};
}

/// Gives the joined parts these values.
template <class ExecutionSpace, class T>
void setJoined(const ExecutionSpace& space, const ComponentNumbering& numbering, const std::vector<T>& ofJoined,
  const Kokkos::View<T*, typename ExecutionSpace::memory_space>& values) {
  const auto parts = joinedPartsOn<ExecutionSpace>(numbering);
  const Kokkos::View<T*, typename ExecutionSpace::memory_space> some(
    SPANWISE_LABEL("Geometry::valuesOfJoined"), ofJoined.size());
  using Source = Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(some, Source(ofJoined.data(), ofJoined.size()));
  forEach(SPANWISE_KERNEL("scatter joined"),
    IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(parts.extent(0))),
    ScatterJoined<typename ExecutionSpace::memory_space, T>{parts, some, values});
  space.fence(SPANWISE_LABEL("Geometry::valuesOfJoined")); // the Views are gone after it
}

/// Collective. values[part] is what this rank has of a component; afterwards what all ranks have of it, added up with
/// add(sum, value) in the order of the ranks. Only values of parts that touch others travel, to all ranks.
template <class ExecutionSpace, class T, class Add>
void addUpJoined(const ExecutionSpace& space, const ComponentNumbering& numbering,
  const Kokkos::View<T*, typename ExecutionSpace::memory_space>& values, const Add& add) {
  if (numbering.communicator() == nullptr) {
    return;
  }
  struct OfComponent {
    std::int64_t number;
    T value;
  };
  const Communicator& communicator = *numbering.communicator();
  const std::vector<JoinedPart>& joined = numbering.joined();
  std::vector<OfComponent> mine;
  parallel::agree(communicator, [&] {
    const std::vector<T> some = valuesOfJoined(space, numbering, values);
    for (std::size_t k = 0; k < joined.size(); ++k) {
      mine.push_back({joined[k].number, some[k]});
    }
  });
  const std::vector<OfComponent> all = communicator.gather(std::span<const OfComponent>(mine));
  parallel::agree(communicator, [&] {
    std::map<std::int64_t, T> sums;
    for (const OfComponent& part : all) {
      const auto [sum, isNew] = sums.try_emplace(part.number, part.value);
      if (!isNew) {
        add(sum->second, part.value);
      }
    }
    std::vector<T> whole;
    whole.reserve(joined.size());
    for (const JoinedPart& part : joined) {
      whole.push_back(sums.at(part.number));
    }
    setJoined(space, numbering, whole, values);
  });
}

} // namespace spanwise::geometry::detail
