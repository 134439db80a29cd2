#include "SpanwiseGridMemory.h"

#include "SpanwiseIntervalGrid.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ProcessMemory.hpp"

#include <algorithm>
#include <format>

namespace spanwise {

template <int Dim>
void GridMemory::take(const IcsrLevel& level, const IcsrRows& rows) {
  const double share =
    static_cast<double>(rows.end - rows.begin) / static_cast<double>(std::max<std::int64_t>(level.numRows, 1));
  bytes_ += share * IntervalGrid<Dim>::minBytes(level.numRows, level.numIntervals, level.numCells);
  intervals_ += level.numIntervals;
  if (const double memory = processMemory(); bytes_ > memory) {
    throw FileError(std::format("grids of {} intervals need {:.3g} GB of memory or more; there are {:.3g} GB",
      intervals_, bytes_ / 1e9, memory / 1e9));
  }
}

template void GridMemory::take<2>(const IcsrLevel&, const IcsrRows&);
template void GridMemory::take<3>(const IcsrLevel&, const IcsrRows&);

} // namespace spanwise
