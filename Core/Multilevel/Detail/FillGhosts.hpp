#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Multilevel/Boundary.hpp"
#include "Core/Runtime/Label.hpp"

#include <cstdint>

namespace spanwise::multilevel::detail {

/// The ghost cells of a level outside of the domain. Keeps its memory.
template <class MemorySpace>
struct OutsideCells {
  geometry::CommonCells<MemorySpace> cells; ///< in the extended set (a), and as they are numbered (b)
  Kokkos::View<OutsideCell*, MemorySpace> sources;
};

template <class T, class Boundary>
struct FillOutside {
  geometry::SegmentsView cells;
  const geometry::CellRun* runs;
  const OutsideCell* sources;
  Boundary boundary;
  FieldView<T> values;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        fill(runs[s].a + k, sources[runs[s].b + k]);
      }
    });
  }

  KOKKOS_FUNCTION void fill(std::int64_t cell, const OutsideCell& from) const {
    const GhostState<T> state(values, cell, from);
    for (int axis = 0; axis < 3; ++axis) {
      const bool above = (from.above >> axis & 1) != 0;
      if (above || (from.below >> axis & 1) != 0) {
        boundary(state, BoundaryFace{axis, above, (from.obstacle >> axis & 1) != 0});
      }
    }
  }
};

template <class ExecutionSpace, class T, class Boundary>
void fillOutside(const ExecutionSpace& space, const OutsideCells<typename ExecutionSpace::memory_space>& outside,
  const Boundary& boundary, const FieldView<T>& values) {
  field::forCells(space, SPANWISE_KERNEL("fill outside"), outside.cells.numCells(),
    FillOutside<T, Boundary>{
      outside.cells.segments(), outside.cells.runs().data(), outside.sources.data(), boundary, values});
}

template <class T>
struct InterpolateInTime {
  FieldView<const T> before;
  FieldView<const T> after;
  T weight;
  FieldView<T> out;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    for (int c = 0; c < out.numComponents; ++c) {
      for (std::int64_t cell = first; cell < last; ++cell) {
        out(cell, c) = (T{1} - weight) * before(cell, c) + weight * after(cell, c);
      }
    }
  }
};

} // namespace spanwise::multilevel::detail
