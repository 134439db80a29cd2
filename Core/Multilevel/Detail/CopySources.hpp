#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Label.hpp"

#include <cstdint>

namespace spanwise::multilevel {

/// Cells of a set, and for each of them the cell of the same set whose value it gets. Keeps its memory.
template <class MemorySpace>
struct CellSources {
  geometry::CommonCells<MemorySpace> cells; ///< in the set (a), and as they are numbered (b)
  Kokkos::View<std::int64_t*, MemorySpace> sources;
};

namespace detail {

template <class T>
struct CopySources {
  geometry::SegmentsView cells;
  const geometry::CellRun* runs;
  const std::int64_t* sources;
  FieldView<T> values;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (int c = 0; c < values.numComponents; ++c) {
        for (std::int64_t k = begin; k < end; ++k) {
          values(runs[s].a + k, c) = values(sources[runs[s].b + k], c);
        }
      }
    });
  }
};

/// Gives the cells their values. No source is one of the cells.
template <class T, class ExecutionSpace>
void copySources(const ExecutionSpace& space, const CellSources<typename ExecutionSpace::memory_space>& from,
  const FieldView<T>& values) {
  field::forCells(space, SPANWISE_KERNEL("copy sources"), from.cells.numCells(),
    CopySources<T>{from.cells.segments(), from.cells.runs().data(), from.sources.data(), values});
}

} // namespace detail

} // namespace spanwise::multilevel
