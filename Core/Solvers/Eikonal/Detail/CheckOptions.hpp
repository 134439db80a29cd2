#pragma once

#include "Core/Parallel/Alike.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"

#include <bit>
#include <cstdint>
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

/// Throws InvalidArgument unless an order of differences is one that there is, of a grid with such a halo.
inline void checkOrder(int order, int most = 2) {
  if (order != 1 && order != 2) {
    throw InvalidArgument("order " + std::to_string(order) + " is asked for: differences have order 1 or 2");
  }
  if (order > most) {
    throw InvalidArgument(
      "order " + std::to_string(order) + " is asked for, of a grid whose halo is made for " + std::to_string(most));
  }
}

/// Collective. Throws on all ranks where their options differ in any bit.
inline void checkAlike(const Communicator& communicator, const IterationOptions& options, std::int64_t order = 1) {
  const std::int64_t words[5] = {std::bit_cast<std::int64_t>(options.stopTime),
    std::bit_cast<std::int64_t>(options.tolerance), options.maxIterations, std::bit_cast<std::int64_t>(options.window),
    order};
  if (!parallel::areAlike(communicator, words)) {
    throw InvalidArgument("ranks iterate with other options than each other: all must have the same");
  }
}

} // namespace spanwise::eikonal
