#include "FileCounts.hpp"

namespace spanwise::detail {

FileCounts& fileCounts() {
  static FileCounts counts;
  return counts;
}

} // namespace spanwise::detail
