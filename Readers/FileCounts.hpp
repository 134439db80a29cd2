#ifndef FileCounts_hpp
#define FileCounts_hpp

#include "spanwiseReadersModule.h"

#include <atomic>
#include <cstdint>

namespace spanwise::detail {

/// What all readers of this process did so far: how many files they hold open, and for tests, which say how little else
/// that is.
struct FileCounts {
  std::atomic<std::int64_t> opened = 0; ///< descriptors taken
  std::atomic<std::int64_t> closed = 0; ///< and given back
  std::atomic<std::int64_t> parsed = 0; ///< times that an IcsrReader read what describes a file

  [[nodiscard]] std::int64_t numOpen() const { return opened - closed; }
};

SPANWISEREADERS_EXPORT FileCounts& fileCounts();

} // namespace spanwise::detail

#endif
