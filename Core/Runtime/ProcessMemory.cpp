#include "Core/Runtime/ProcessMemory.hpp"

#include <algorithm>

#include <sys/resource.h>
#include <unistd.h>

namespace spanwise {

double processMemory() {
  rlimit limit = {};
  const double physical = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  const bool isLimited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return isLimited ? std::min(physical, static_cast<double>(limit.rlim_cur)) : physical;
}

} // namespace spanwise
