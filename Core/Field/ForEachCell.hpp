#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Search.hpp"

namespace spanwise::field {

namespace detail {

template <int Dim, class Body>
struct VisitCells {
  geometry::IntervalSetView<Dim> set;
  Body body;

  SPANWISE_WIDE_VECTORS KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    const Body call = body; // of its own, so that nothing that is written can change it
    std::int64_t i = firstAbove(set.cellOffsets, 0, set.numIntervals + 1, first) - 1;
    std::int64_t row = firstAbove(set.rowOffsets, 0, set.numRows + 1, i) - 1;
    for (std::int64_t number = first; number < last; ++i) {
      row += i == set.rowOffsets[row + 1] ? 1 : 0;
      geometry::Cell<Dim> cell{};
      cell.at[1] = set.rowKeys[row].y;
      if constexpr (Dim == 3) {
        cell.at[2] = set.rowKeys[row].z;
      }
      const std::int64_t x = set.intervals[i].begin - set.cellOffsets[i];
      const std::int64_t end = Kokkos::min(set.cellOffsets[i + 1], last);
      SPANWISE_INDEPENDENT
      for (std::int64_t k = number; k < end; ++k) {
        geometry::Cell<Dim> at = cell;
        at.at[0] = static_cast<geometry::Coordinate>(x + k);
        call(k, at);
      }
      number = end;
    }
  }
};

} // namespace detail

/// Calls body(number, cell) for each cell of a set: its number, which is its place in fields, and its coordinates
/// (Cell<Dim>), in any order and side by side. For values that depend on where a cell is, as those at the start of a
/// simulation. Does not wait.
/// O(cells) on the host, O(cells log intervals) on a device.
template <class ExecutionSpace, int Dim, class Body>
void forEachCell(const ExecutionSpace& space, const char* label,
  const geometry::IntervalSet<Dim, typename ExecutionSpace::memory_space>& set, const Body& body) {
  forCells(space, label, set.numCells(), detail::VisitCells<Dim, Body>{set.view(), body});
}

} // namespace spanwise::field
