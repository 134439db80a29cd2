#pragma once

#include <cstdint>

namespace spanwise::detail {

/// Asks for `count` values that a loop on the host will read soon. Addresses need not be valid.
template <class T>
inline void prefetch([[maybe_unused]] const T* values, [[maybe_unused]] std::int64_t count) {
#if defined(__GNUC__)
  for (std::int64_t k = 0; k < count; k += 64 / static_cast<std::int64_t>(sizeof(T))) {
    __builtin_prefetch(values + k);
  }
#endif
}

/// The same for values that it will write.
template <class T>
inline void prefetchToWrite([[maybe_unused]] const T* values, [[maybe_unused]] std::int64_t count) {
#if defined(__GNUC__)
  for (std::int64_t k = 0; k < count; k += 64 / static_cast<std::int64_t>(sizeof(T))) {
    __builtin_prefetch(values + k, 1);
  }
#endif
}

} // namespace spanwise::detail
