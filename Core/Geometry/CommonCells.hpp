#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Segments.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Reserve.hpp"

namespace spanwise::geometry {

/// Consecutive cells that two sets share: the cells a, a + 1, ... of one set are the cells b, b + 1, ... of the other.
struct CellRun {
  std::int64_t a;
  std::int64_t b;
  std::int64_t count;
};

/// The cells that two sets share, as runs in the order of the cells: how values follow their cells from one set to
/// another. The shared cells are numbered too, as the cells of the sets' intersection are. Keeps its memory.
template <class MemorySpace>
class CommonCells {
public:
  [[nodiscard]] std::int64_t numRuns() const { return segments_.count(); }
  [[nodiscard]] std::int64_t numCells() const { return segments_.numCells(); }
  /// How the shared cells are spread over the runs.
  [[nodiscard]] SegmentsView segments() const { return segments_.view(); }
  [[nodiscard]] Kokkos::View<CellRun*, MemorySpace> runs() const {
    return Kokkos::subview(runs_, Kokkos::pair<std::size_t, std::size_t>(0, static_cast<std::size_t>(numRuns())));
  }
  /// How many cells the two sets have.
  [[nodiscard]] std::int64_t numCellsOfA() const { return numCellsOfA_; }
  [[nodiscard]] std::int64_t numCellsOfB() const { return numCellsOfB_; }
  [[nodiscard]] std::size_t bytes() const { return segments_.bytes() + runs_.span() * sizeof(CellRun); }

  /// For commonCells(): makes room, and declares the runs to be written.
  std::pair<CellRun*, std::int64_t*> prepare(std::int64_t count) {
    reserve(runs_, count, SPANWISE_LABEL("Geometry::cellRuns"));
    return {runs_.data(), segments_.prepare(count)};
  }
  template <class ExecutionSpace>
  void finish(const ExecutionSpace& space, std::int64_t count, std::int64_t numCells, std::int64_t numCellsOfA,
    std::int64_t numCellsOfB) {
    segments_.finish(space, count, numCells);
    numCellsOfA_ = numCellsOfA;
    numCellsOfB_ = numCellsOfB;
  }

private:
  Kokkos::View<CellRun*, MemorySpace> runs_;
  Segments<MemorySpace> segments_;
  std::int64_t numCellsOfA_ = 0;
  std::int64_t numCellsOfB_ = 0;
};

/// out = the cells that are in both sets. O(intervals of both + log rows of one for some of the other's intervals). A
/// repeated call allocates nothing. Does not wait for the runs.
template <class ExecutionSpace, int Dim>
void commonCells(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& a,
  const IntervalSetOn<Dim, ExecutionSpace>& b, CommonCells<typename ExecutionSpace::memory_space>& out);

/// The runs alone, in an array of their own, for one use. Waits for them.
template <class ExecutionSpace, int Dim>
Kokkos::View<CellRun*, typename ExecutionSpace::memory_space> commonCells(const Context<ExecutionSpace>& context,
  const IntervalSetOn<Dim, ExecutionSpace>& a, const IntervalSetOn<Dim, ExecutionSpace>& b);

} // namespace spanwise::geometry
