#pragma once

#include "Core/Geometry/Interval.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::multilevel::detail {

/// How far a coarser set reaches beyond the parents of the finer cells, in finer cells along each axis: what is
/// coarsened is the set dilated by the box of these radii. -1 everywhere is for cells with all children in the set.
struct CoarseReach {
  int at[3] = {0, 0, 0};
  [[nodiscard]] KOKKOS_FUNCTION bool isInside() const { return at[0] < 0; }
};
inline constexpr CoarseReach insideReach{{-1, -1, -1}};

/// What the cells [begin, end) of a line are on the coarser one: those within `reach` of them, floor and ceil.
KOKKOS_FORCEINLINE_FUNCTION geometry::Interval coarser(const geometry::Interval& fine, int reach) {
  return {static_cast<geometry::Coordinate>((std::int64_t{fine.begin} - reach) >> 1),
    static_cast<geometry::Coordinate>((std::int64_t{fine.end} + reach + 1) >> 1)};
}

/// The coarse coordinates whose children are within `reach` (0 or 1) of c: `first` and, if `reach` is 1, the next one.
KOKKOS_FORCEINLINE_FUNCTION geometry::Coordinate firstCoarse(geometry::Coordinate c, int reach) {
  return static_cast<geometry::Coordinate>((std::int64_t{c} - Kokkos::max(reach, 0)) >> 1);
}

/// The intervals of a row that are still to be taken.
struct RowSpan {
  const geometry::Interval* next = nullptr;
  const geometry::Interval* end = nullptr;
};

/// Makes intervals of coarser cells.
class CoarserX {
public:
  KOKKOS_FUNCTION explicit CoarserX(int reach) : reach_(reach) {}
  KOKKOS_FORCEINLINE_FUNCTION geometry::Interval operator()(const geometry::Interval& fine) const {
    return coarser(fine, reach_);
  }

private:
  int reach_;
};

/// Leaves intervals as they are.
struct SameX {
  KOKKOS_FORCEINLINE_FUNCTION geometry::Interval operator()(const geometry::Interval& interval) const {
    return interval;
  }
};

/// Hands the union of up to `most` rows, each interval seen through `map`, to sink.put(interval), in order, not
/// touching. What `map` makes of a row need not be disjoint. Takes the rows apart. O(intervals * rows).
template <int most, class Map, class Sink>
KOKKOS_INLINE_FUNCTION void uniteRows(RowSpan* rows, int numRows, const Map& map, Sink& sink) {
  geometry::Interval open{0, 0};
  bool isOpen = false;
  const auto take = [&](const geometry::Interval& interval) {
    if (isOpen && interval.begin <= open.end) {
      open.end = Kokkos::max(open.end, interval.end);
    } else {
      if (isOpen) {
        sink.put(open);
      }
      open = interval;
      isOpen = true;
    }
  };
  geometry::Coordinate begins[most];
  for (int k = 0; k < numRows; ++k) {
    begins[k] = rows[k].next->begin;
  }
  while (numRows > 1) {
    int least = 0;
    for (int k = 1; k < numRows; ++k) {
      least = begins[k] < begins[least] ? k : least;
    }
    take(map(*rows[least].next));
    if (++rows[least].next == rows[least].end) {
      --numRows;
      rows[least] = rows[numRows];
      begins[least] = begins[numRows];
    } else {
      begins[least] = rows[least].next->begin;
    }
  }
  for (const geometry::Interval* i = rows[0].next; i != rows[0].end; ++i) {
    take(map(*i));
  }
  if (isOpen) {
    sink.put(open);
  }
}

/// Hands the intersection of rows, each of its intervals seen through `map`, to the sink. An interval that `map` makes
/// empty is left out. O(intervals * rows).
template <class Map, class Sink>
KOKKOS_INLINE_FUNCTION void intersectRows(RowSpan* rows, int numRows, const Map& map, Sink& sink) {
  for (;;) {
    geometry::Interval common = *rows[0].next;
    for (int k = 1; k < numRows; ++k) {
      common.begin = Kokkos::max(common.begin, rows[k].next->begin);
      common.end = Kokkos::min(common.end, rows[k].next->end);
    }
    if (common.begin < common.end) {
      const geometry::Interval mapped = map(common);
      if (mapped.begin < mapped.end) {
        sink.put(mapped);
      }
    }
    for (int k = 0; k < numRows; ++k) {
      if (rows[k].next->end == common.end) {
        ++rows[k].next;
        if (rows[k].next == rows[k].end) {
          return;
        }
      }
    }
  }
}

/// Either of them.
template <int most, class Map, class Sink>
KOKKOS_INLINE_FUNCTION void joinRows(bool intersects, RowSpan* rows, int numRows, const Map& map, Sink& sink) {
  if (intersects) {
    intersectRows(rows, numRows, map, sink);
  } else {
    uniteRows<most>(rows, numRows, map, sink);
  }
}

} // namespace spanwise::multilevel::detail
