#ifndef SpanwiseDistanceChoices_h
#define SpanwiseDistanceChoices_h

// What the filters of signed distances are asked for. Not wrapped and not installed.

#include "SpanwiseDistanceSign.h"
#include "SpanwisePropertyChecks.h"

#include "Core/Geometry/Interval.hpp"
#include "Core/Runtime/Error.hpp"

#include <format>
#include <string>

namespace spanwise {

// Checks throw InvalidArgument for a value that is not allowed.

inline void checkNotNegative(const char* what, double value) {
  checkNumber(what, value, value >= 0.0, " and not negative");
}

inline void checkMemoryLimit(int limit) {
  if (limit < 0) {
    throw InvalidArgument(std::format("the memory limit is {} MiB; it must not be negative", limit));
  }
}

inline void checkArrayName(const std::string& name) {
  if (name.empty()) {
    throw InvalidArgument("the array of distances has no name; give it one");
  }
}

/// How many cells a box has; there may be more than integers count.
template <int Dim>
double cellsOfBox(const geometry::Box<Dim>& box) {
  double cells = box.empty() ? 0.0 : 1.0;
  for (int axis = 0; axis < Dim; ++axis) {
    cells *= static_cast<double>(box.extent(axis));
  }
  return cells;
}

/// 0: negative inside, 1: positive inside, 2: unsigned.
inline DistanceSign signOf(int choice) {
  return choice == 1 ? DistanceSign::PositiveInside
    : choice == 2    ? DistanceSign::Unsigned
                     : DistanceSign::NegativeInside;
}

} // namespace spanwise

#endif
