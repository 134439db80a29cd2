#pragma once

#include "Core/Parallel/Alike.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"

#include <bit>
#include <cstdint>

namespace spanwise::eikonal {

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
