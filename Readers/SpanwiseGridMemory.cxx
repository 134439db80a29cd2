#include "SpanwiseGridMemory.h"

#include "SpanwiseIntervalGrid.h"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <format>

#include <sys/resource.h>
#include <unistd.h>

namespace spanwise {

namespace {

double memoryOfProcess() {
  rlimit limit = {};
  const double physical = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  const bool isLimited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return isLimited ? std::min(physical, static_cast<double>(limit.rlim_cur)) : physical;
}

} // namespace

template <int Dim>
void GridMemory::take(const IcsrLevel& level, const IcsrRows& rows) {
  const double share =
    static_cast<double>(rows.end - rows.begin) / static_cast<double>(std::max<std::int64_t>(level.numRows, 1));
  bytes_ += share * IntervalGrid<Dim>::minBytes(level.numRows, level.numIntervals, level.numCells);
  intervals_ += level.numIntervals;
  if (const double memory = memoryOfProcess(); bytes_ > memory) {
    throw FileError(std::format("grids of {} intervals need {:.3g} GB of memory or more; there are {:.3g} GB",
      intervals_, bytes_ / 1e9, memory / 1e9));
  }
}

template void GridMemory::take<2>(const IcsrLevel&, const IcsrRows&);
template void GridMemory::take<3>(const IcsrLevel&, const IcsrRows&);

} // namespace spanwise
