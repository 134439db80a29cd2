#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise::geometry::detail {

template <int Dim>
struct FillRowOfBox {
  Box<Dim> box;
  std::int64_t rows;
  WritableIntervalSet<Dim> out;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    out.rowOffsets[r] = r;
    out.cellOffsets[r] = r * box.extent(0);
    if (r < rows) {
      out.rowKeys[r] = box.row(r);
      out.intervals[r] = {box.begin[0], box.end[0]};
    }
  }
};

/// Writes all cells of a box that is not empty. `out` has room for box.numRows() rows with an interval each. O(rows);
/// does not wait.
template <class ExecutionSpace, int Dim>
void fillBox(const ExecutionSpace& space, const Box<Dim>& box, const WritableIntervalSet<Dim>& out) {
  const std::int64_t rows = box.numRows(); // one index more closes the offsets
  forEach(
    SPANWISE_KERNEL("fill box"), IndexRange<ExecutionSpace>(space, 0, rows + 1), FillRowOfBox<Dim>{box, rows, out});
}

} // namespace spanwise::geometry::detail
