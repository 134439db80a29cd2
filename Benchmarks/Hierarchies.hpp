#pragma once

// Hierarchies refined by the rule of Shapes.hpp.

#include "Benchmarks/Shapes.hpp"
#include "Core/Field/SelectCells.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Segments.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>

namespace spanwise::benchmarks {

/// Marks the cells of a level that the rule refines.
template <int Dim>
struct MarkCrossed {
  IntervalSetView<Dim> set;
  double size;
  std::uint8_t* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    const RowKey<Dim> key = set.rowKeys[row];
    const Interval interval = set.intervals[i];
    std::uint8_t* const out = marks + set.cellOffsets[i] - interval.begin;
    for (Coordinate x = interval.begin; x < interval.end; ++x) {
      double centre[Dim];
      centre[0] = (x + 0.5) * size;
      centre[1] = (key.y + 0.5) * size;
      if constexpr (Dim == 3) {
        centre[2] = (key.z + 0.5) * size;
      }
      out[x] = static_cast<std::uint8_t>(isCrossed<Dim>(centre, size));
    }
  }
};

struct IsMarked {
  const std::uint8_t* marks;
  KOKKOS_FUNCTION bool operator()(std::int64_t cell) const { return marks[cell] != 0; }
};

/// What refineByRule() works with. Keeps its memory.
template <int Dim, class Memory>
struct RuleScratch {
  IntervalSet<Dim, Memory> chosen;
  Kokkos::View<std::uint8_t*, Memory> marks;
};

/// Refines from the first level to the finest.
template <class Space, int Dim>
void refineByRule(const Context<Space>& context, MultilevelSetOn<Dim, Space>& levels,
  RuleScratch<Dim, typename Space::memory_space>& scratch) {
  levels.setNumLevels(1);
  if (levels.empty()) {
    Box<Dim> box{};
    std::fill(box.end, box.end + Dim, 1 << firstLevel);
    makeBox<Space, Dim>(context, box, levels.level(0));
  }
  for (int l = 0; l + firstLevel < finestLevel<Dim>; ++l) {
    const IntervalSetView<Dim> view = levels.level(l).view();
    reserve(scratch.marks, view.numCells, "Benchmarks::marks");
    forEachPart(context.space(), SPANWISE_KERNEL("mark"), view.rowOffsets, view.numRows, view.numIntervals,
      MarkCrossed<Dim>{view, 1.0 / (1 << (l + firstLevel)), scratch.marks.data()});
    selectCells<Space, Dim>(context, levels.level(l), IsMarked{scratch.marks.data()}, scratch.chosen);
    levels.setNumLevels(l + 2);
    refine<Space, Dim>(context, scratch.chosen, levels.level(l + 1));
  }
}

} // namespace spanwise::benchmarks
