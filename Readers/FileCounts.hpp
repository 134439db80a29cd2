#ifndef FileCounts_hpp
#define FileCounts_hpp

#include "spanwiseReadersModule.h"

#include <atomic>
#include <cstdint>

namespace spanwise::detail {

/// What all readers of this process did so far. For tests, which say how little that is.
struct FileCounts {
  std::atomic<std::int64_t> opened = 0; ///< descriptors taken
  std::atomic<std::int64_t> closed = 0; ///< and given back
  std::atomic<std::int64_t> parsed = 0; ///< times that an IcsrReader read what describes a file
};

SPANWISEREADERS_EXPORT FileCounts& fileCounts();

} // namespace spanwise::detail

#endif
