#pragma once

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"

#include <string>

namespace spanwise::eikonal {

/// Throws InvalidArgument where an option is out of range.
inline void checkOptions(const IterationOptions& options) {
  if (!(options.tolerance >= 0.0 && options.tolerance < 1.0)) {
    throw InvalidArgument("the tolerance is " + numberText(options.tolerance) + ": it must be at least 0 and below 1");
  }
  if (!(options.window >= 0.0)) {
    throw InvalidArgument("the window is " + numberText(options.window) + ": it must not be negative");
  }
  if (options.maxIterations < 0) {
    throw InvalidArgument("at most " + std::to_string(options.maxIterations) +
      " iterations are asked for: the number must not be negative");
  }
}

} // namespace spanwise::eikonal
