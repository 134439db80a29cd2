#pragma once

#include "Core/Runtime/Error.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace spanwise {

/// The length of an array of `count` elements, as memory is asked for. Throws Error where its bytes would overflow: an
/// allocation would then succeed and be far too small.
template <class T>
std::size_t arrayLength(std::int64_t count) {
  if (count < 0 || count > static_cast<std::int64_t>(std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T))) {
    throw Error("an array of " + std::to_string(count) + " elements of " + std::to_string(sizeof(T)) +
      " bytes is beyond what any memory holds");
  }
  return static_cast<std::size_t>(count);
}

} // namespace spanwise
