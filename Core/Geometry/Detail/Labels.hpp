#pragma once

#include "Core/Geometry/ComponentNumbering.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"

#include <cstdint>
#include <string>

namespace spanwise::geometry::detail {

/// Throws InvalidArgument unless there is one label for each interval.
template <class Labels>
void checkLabels(const Labels& labels, std::int64_t numIntervals) {
  if (static_cast<std::int64_t>(labels.extent(0)) != numIntervals) {
    throw InvalidArgument("there are " + std::to_string(labels.extent(0)) + " labels for the " +
      std::to_string(numIntervals) + " intervals of the set; there must be one an interval");
  }
}

/// Collective. The same, on all ranks where it is so on one.
template <class Labels>
void agreeOnLabels(const ComponentNumbering& numbering, const Labels& labels, std::int64_t numIntervals) {
  if (numbering.communicator() == nullptr) {
    checkLabels(labels, numIntervals);
  } else {
    parallel::agree(*numbering.communicator(), [&] { checkLabels(labels, numIntervals); });
  }
}

} // namespace spanwise::geometry::detail
