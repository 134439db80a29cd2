#include "Core/Geometry/Builders/Cells.hpp"

#include "Core/Geometry/Detail/Fetch.hpp"
#include "Core/Geometry/Detail/MergeSort.hpp"
#include "Core/Geometry/Detail/SetTotals.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"

namespace spanwise {

namespace {

using detail::Range;
using detail::SetTotals;

/// Copies the cells and finds the first one beyond the limits.
template <int Dim, class Cells>
struct CopyCells {
  Cells cells;
  Cell<Dim>* copies;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& firstBeyond) const {
    const Cell<Dim> cell = cells(i);
    copies[i] = cell;
    for (int d = 0; d < Dim; ++d) {
      if (!isCellCoordinate(cell.at[d])) {
        firstBeyond = Kokkos::min(firstBeyond, i);
      }
    }
  }
};

/// Runs of sorted cells, in which a cell may stand several times.
template <int Dim>
struct RunsOfCells {
  using value_type = SetTotals;
  const Cell<Dim>* sorted;
  std::int64_t count;
  WritableIntervalSet<Dim> out;

  [[nodiscard]] KOKKOS_FUNCTION bool sameRow(std::int64_t i) const { return sorted[i - 1].row() == sorted[i].row(); }
  [[nodiscard]] KOKKOS_FUNCTION bool sameRun(std::int64_t i) const {
    return sameRow(i) && static_cast<std::int64_t>(sorted[i].x()) - sorted[i - 1].x() <= 1;
  }
  [[nodiscard]] KOKKOS_FUNCTION SetTotals beginAt(std::int64_t i) const {
    return {static_cast<std::int64_t>(i == 0 || !sameRow(i)), static_cast<std::int64_t>(i == 0 || !sameRun(i)),
      static_cast<std::int64_t>(i == 0 || !(sorted[i - 1] == sorted[i]))};
  }

  KOKKOS_FUNCTION void operator()(std::int64_t i, SetTotals& totals) const { totals += beginAt(i); }
  KOKKOS_FUNCTION void operator()(std::int64_t i, SetTotals& before, bool final) const {
    const SetTotals here = beginAt(i);
    if (final) {
      if (here.rows != 0) {
        out.rowKeys[before.rows] = sorted[i].row();
        out.rowOffsets[before.rows] = before.intervals;
      }
      if (here.intervals != 0) {
        out.intervals[before.intervals].begin = sorted[i].x();
        out.cellOffsets[before.intervals] = before.cells;
      }
    }
    before += here;
    if (final && (i + 1 == count || !sameRun(i + 1))) {
      out.intervals[before.intervals - 1].end = sorted[i].x() + 1;
    }
    if (final && i + 1 == count) {
      out.rowOffsets[before.rows] = before.intervals;
      out.cellOffsets[before.intervals] = before.cells;
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void makeFromCells(const ExecutionSpace& space,
  const Kokkos::View<const Cell<Dim>*, typename ExecutionSpace::memory_space>& cells,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  using Cells = Kokkos::View<const Cell<Dim>*, typename ExecutionSpace::memory_space>;
  SPANWISE_REGION("Geometry::makeFromCells");
  out.clear();
  const auto count = static_cast<std::int64_t>(cells.extent(0));
  if (count == 0) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  Cell<Dim>* const copies = frame.template array<Cell<Dim>>(count).data();
  Cell<Dim>* const scratch = frame.template array<Cell<Dim>>(count).data();
  const Range<ExecutionSpace> overCells(space, 0, count);

  std::int64_t firstBeyond = 0;
  reduceMin(SPANWISE_KERNEL("copy cells"), overCells, CopyCells<Dim, Cells>{cells, copies}, firstBeyond);
  if (firstBeyond < count) {
    const auto cell = detail::fetch(space, cells.data(), firstBeyond);
    throw InvalidArgument("cell " + std::to_string(firstBeyond) + " (x = " + std::to_string(cell.x()) + ", " +
      toString(cell.row()) + ") is beyond the coordinate limits [-2^31, 2^31 - 2]");
  }

  const Cell<Dim>* const sorted = detail::sortStably(space, copies, scratch, count, detail::Ascending());
  SetTotals totals;
  reduce(SPANWISE_KERNEL("count runs"), overCells, RunsOfCells<Dim>{sorted, count, {}}, totals);
  const WritableIntervalSet<Dim> arrays = out.prepare(totals.rows, totals.intervals);
  Kokkos::parallel_scan(SPANWISE_KERNEL("fill runs"), overCells, RunsOfCells<Dim>{sorted, count, arrays});
  out.finish(totals.rows, totals.intervals, totals.cells);
}

#define SPANWISE_MAKE_FROM_CELLS(Space, Dim)                                                                           \
  template void makeFromCells<Space, Dim>(const Space&, const Kokkos::View<const Cell<Dim>*, Space::memory_space>&,    \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_FROM_CELLS)

} // namespace spanwise
