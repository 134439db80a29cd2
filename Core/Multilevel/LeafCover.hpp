#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::multilevel {

/// Leaves, the leaf cells of each level, need not be those of a MultilevelSet: siblings may be missing, roots are not
/// listed, and there may be levels without leaves. What is done with hierarchies that come from elsewhere, or go there,
/// takes them so. The functions ask that no place is covered twice, which checkLeaves() checks.
template <int Dim, class ExecutionSpace>
using LeavesOn = std::vector<geometry::IntervalSetOn<Dim, ExecutionSpace>>;

/// What leaves cover on each level. Keeps its memory.
template <int Dim, class MemorySpace>
struct LeafCover {
  std::vector<geometry::IntervalSet<Dim, MemorySpace>> refined; ///< cells with leaves of finer levels in them
  std::vector<geometry::IntervalSet<Dim, MemorySpace>> covered; ///< those and the leaves
};

template <int Dim, class ExecutionSpace>
using LeafCoverOn = LeafCover<Dim, typename ExecutionSpace::memory_space>;

/// out = what leaves cover, level by level. O(rows + intervals) of all levels. A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void coverOfLeaves(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  LeafCoverOn<Dim, ExecutionSpace>& out);

/// Throws InvalidArgument if a place is covered twice: if a leaf has finer leaves in it; with the first such leaf.
/// O(rows log rows + intervals) of all levels. Allocates nothing.
template <class ExecutionSpace, int Dim>
void checkLeaves(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover);

/// Adds to the refined cells of a cover, where axes repeat, the copies of those on the other side that touch the
/// period: a mesh over the leaves (makeConformingMesh()) then meets itself there. `periods` is in cells of level 0.
/// O(rows + intervals) of all levels; allocates. Throws InvalidArgument where leaves are outside of the period, and
/// CoordinateOverflow where a level has no such cells.
template <class ExecutionSpace, int Dim>
void wrapCover(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const geometry::Periods<Dim>& periods, LeafCoverOn<Dim, ExecutionSpace>& cover);

/// What is at a cell of a level: a leaf, a cell with finer leaves in it, or nothing.
class Covering {
public:
  Covering() = default;
  [[nodiscard]] KOKKOS_FUNCTION static Covering leaf(std::int64_t number) { return Covering(number); }
  [[nodiscard]] KOKKOS_FUNCTION static Covering refined(std::int64_t number) { return Covering(-2 - number); }

  [[nodiscard]] KOKKOS_FUNCTION bool isLeaf() const { return code_ >= 0; }
  [[nodiscard]] KOKKOS_FUNCTION bool isRefined() const { return code_ < -1; }
  [[nodiscard]] KOKKOS_FUNCTION bool isNothing() const { return code_ == -1; }
  /// The number of the cell among the leaves, or among the refined cells, of its level.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t number() const { return code_ >= 0 ? code_ : -2 - code_; }

private:
  KOKKOS_FUNCTION explicit Covering(std::int64_t code) : code_(code) {}
  std::int64_t code_ = -1;
};

/// The leaves and the refined cells of a level, for kernels.
template <int Dim>
struct LevelCoverView {
  geometry::IntervalSetView<Dim> leaves;
  geometry::IntervalSetView<Dim> refined;

  /// Calls visit(x, covering) for cells of a row that are covered, in no order. O(log rows + log intervals + cells).
  template <class Visit>
  KOKKOS_FUNCTION void forCoveredOf(
    const geometry::RowKey<Dim>& key, std::int64_t begin, std::int64_t end, const Visit& visit) const {
    forCellsOf(leaves, key, begin, end, [&](std::int64_t x, std::int64_t number) { visit(x, Covering::leaf(number)); });
    forCellsOf(
      refined, key, begin, end, [&](std::int64_t x, std::int64_t number) { visit(x, Covering::refined(number)); });
  }

private:
  template <class Visit>
  KOKKOS_FUNCTION static void forCellsOf(const geometry::IntervalSetView<Dim>& set, const geometry::RowKey<Dim>& key,
    std::int64_t begin, std::int64_t end, const Visit& visit) {
    const std::int64_t row = set.findRow(key);
    if (row < 0) {
      return;
    }
    for (std::int64_t i = set.lowerInterval(row, static_cast<geometry::Coordinate>(begin));
      i < set.rowOffsets[row + 1] && set.intervals[i].begin < end; ++i) {
      const geometry::Interval interval = set.intervals[i];
      for (std::int64_t x = Kokkos::max<std::int64_t>(begin, interval.begin);
        x < Kokkos::min<std::int64_t>(end, interval.end); ++x) {
        visit(x, set.cellOffsets[i] + (x - interval.begin));
      }
    }
  }
};

} // namespace spanwise::multilevel
