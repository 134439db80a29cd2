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

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    std::int64_t i = firstAbove(set.cellOffsets, 0, set.numIntervals + 1, first) - 1;
    std::int64_t row = firstAbove(set.rowOffsets, 0, set.numRows + 1, i) - 1;
    for (std::int64_t number = first; number < last; ++i) {
      row += i == set.rowOffsets[row + 1] ? 1 : 0;
      geometry::Cell<Dim> cell{};
      cell.at[1] = set.rowKeys[row].y;
      if constexpr (Dim == 3) {
        cell.at[2] = set.rowKeys[row].z;
      }
      const std::int64_t begin = set.cellOffsets[i];
      for (const std::int64_t end = Kokkos::min(set.cellOffsets[i + 1], last); number < end; ++number) {
        cell.at[0] = static_cast<geometry::Coordinate>(set.intervals[i].begin + (number - begin));
        body(number, cell);
      }
    }
  }
};

} // namespace detail

/// Calls body(number, cell) for each cell of a set: its number, which is its place in fields, and its coordinates
/// (Cell<Dim>). For values that depend on where a cell is, as those at the start of a simulation. Does not wait.
/// O(cells) on the host, O(cells log intervals) on a device.
template <class ExecutionSpace, int Dim, class Body>
void forEachCell(const ExecutionSpace& space, const char* label,
  const geometry::IntervalSet<Dim, typename ExecutionSpace::memory_space>& set, const Body& body) {
  forCells(space, label, set.numCells(), detail::VisitCells<Dim, Body>{set.view(), body});
}

} // namespace spanwise::field
