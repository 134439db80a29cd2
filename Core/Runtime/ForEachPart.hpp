#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise {

namespace detail {

/// How many parts one thread does after it has looked up the item of the first. A device has threads enough to look up
/// each one.
template <class ExecutionSpace>
inline constexpr std::int64_t partsPerThread = runsOnHost<ExecutionSpace> ? 16 : 1;

template <std::int64_t partsPerThread, class Part>
struct DoParts {
  const std::int64_t* offsets;
  std::int64_t numItems;
  std::int64_t numParts;
  Part part;

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    const std::int64_t last = Kokkos::min((block + 1) * partsPerThread, numParts);
    std::int64_t item = -1;
    std::int64_t end = 0; // of the item's parts
    for (std::int64_t p = block * partsPerThread; p < last; ++p) {
      if (item < 0 || p >= end) {
        item = firstAbove(offsets, item + 1, numItems + 1, p) - 1;
        end = offsets[item + 1];
      }
      part(item, p - offsets[item], p);
    }
  }
};

} // namespace detail

/// How many parts there are, and what all of them take: each is a small item unless it is said.
struct PartCount {
  std::int64_t count;
  Work work;

  PartCount(std::int64_t numParts) : PartCount(numParts, {numParts}) {} // NOLINT(google-explicit-constructor): a number
  PartCount(std::int64_t numParts, const Work& workOfAll) : count(numParts), work(workOfAll) {}
};

/// Work that is spread over items unevenly, in equal pieces: calls part(item, k, p) for the k-th part of each item,
/// where p numbers the parts of all items; item i has the parts offsets[i] <= p < offsets[i + 1]. `offsets` has
/// numItems + 1 entries from 0 to numParts. O(numParts log numItems).
template <class ExecutionSpace, class Part>
void forEachPart(const ExecutionSpace& space, const char* label, const std::int64_t* offsets, std::int64_t numItems,
  const PartCount& numParts, const Part& part) {
  constexpr std::int64_t most = detail::partsPerThread<ExecutionSpace>;
  forEach(label, IndexRange<ExecutionSpace>(space, 0, (numParts.count + most - 1) / most),
    detail::DoParts<most, Part>{offsets, numItems, numParts.count, part}, numParts.work);
}

} // namespace spanwise
