#include "Core/Geometry/CommonCells.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::geometry {

namespace {

/// Runs, and the cells in them.
struct RunTotals {
  std::int64_t runs = 0;
  std::int64_t cells = 0;

  KOKKOS_FUNCTION RunTotals& operator+=(const RunTotals& other) {
    runs += other.runs;
    cells += other.cells;
    return *this;
  }
};

/// So many intervals of the set that has more of them are done together, whatever rows they are in: rows may be few and
/// long.
template <class ExecutionSpace>
constexpr std::int64_t intervalsPerPart = runsOnHost<ExecutionSpace> ? 256 : 4;

/// Two sets of which the first has at least as many intervals. Where they were swapped, so are the runs.
template <int Dim>
struct SetPair {
  IntervalSetView<Dim> a;
  IntervalSetView<Dim> b;
  bool swapped;

  /// Calls visit(run) for the runs of the intervals [first, last) of `a` in order.
  template <class Visit>
  KOKKOS_FUNCTION void forRuns(std::int64_t first, std::int64_t last, const Visit& visit) const {
    for (std::int64_t row = first < last ? a.rowOfInterval(first) : a.numRows; first < last; ++row) {
      const std::int64_t end = Kokkos::min(a.rowOffsets[row + 1], last);
      const std::int64_t other = b.findRow(a.rowKeys[row]);
      if (other >= 0) {
        forRunsOfRows(first, end, other, visit);
      }
      first = end;
    }
  }

  template <class Visit>
  KOKKOS_FUNCTION void forRunsOfRows(std::int64_t i, std::int64_t last, std::int64_t rowOfB, const Visit& visit) const {
    std::int64_t j = b.lowerInterval(rowOfB, a.intervals[i].begin);
    while (i < last && j < b.rowOffsets[rowOfB + 1]) {
      const Interval p = a.intervals[i];
      const Interval q = b.intervals[j];
      const std::int64_t begin = Kokkos::max(p.begin, q.begin);
      const std::int64_t end = Kokkos::min(p.end, q.end);
      if (begin < end) {
        const std::int64_t inA = a.cellOffsets[i] + (begin - p.begin);
        const std::int64_t inB = b.cellOffsets[j] + (begin - q.begin);
        visit(swapped ? CellRun{inB, inA, end - begin} : CellRun{inA, inB, end - begin});
      }
      i += static_cast<std::int64_t>(p.end <= q.end);
      j += static_cast<std::int64_t>(q.end <= p.end);
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void commonCells(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& a,
  const IntervalSetOn<Dim, ExecutionSpace>& b, CommonCells<typename ExecutionSpace::memory_space>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::commonCells");
  constexpr std::int64_t perPart = intervalsPerPart<ExecutionSpace>;
  const bool swapped = a.numIntervals() < b.numIntervals();
  const SetPair<Dim> sets{swapped ? b.view() : a.view(), swapped ? a.view() : b.view(), swapped};
  const std::int64_t numParts = (sets.a.numIntervals + perPart - 1) / perPart;
  const IndexRange<ExecutionSpace> overParts(space, 0, numParts);
  const Work work{sets.a.numIntervals};
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  RunTotals* const totals = frame.template array<RunTotals>(numParts + 1).data();
  const auto countRuns = KOKKOS_LAMBDA(std::int64_t part) {
    RunTotals sum;
    sets.forRuns(part * perPart, Kokkos::min((part + 1) * perPart, sets.a.numIntervals),
      [&](const CellRun& run) { sum += {1, run.count}; });
    totals[part] = sum;
  };
  forEach(SPANWISE_KERNEL("count runs"), overParts, countRuns, work);
  const RunTotals sum = exclusiveScan(space, SPANWISE_KERNEL("scan runs"), totals, numParts);
  const auto arrays = out.prepare(sum.runs);
  CellRun* const runs = arrays.first;
  std::int64_t* const offsets = arrays.second;
  const auto fillRuns = KOKKOS_LAMBDA(std::int64_t part) {
    RunTotals at = totals[part];
    sets.forRuns(part * perPart, Kokkos::min((part + 1) * perPart, sets.a.numIntervals), [&](const CellRun& run) {
      runs[at.runs] = run;
      offsets[at.runs] = at.cells;
      at += {1, run.count};
    });
    if (part + 1 == numParts) {
      offsets[at.runs] = at.cells;
    }
  };
  forEach(SPANWISE_KERNEL("fill runs"), overParts, fillRuns, work);
  out.finish(space, sum.runs, sum.cells, a.numCells(), b.numCells());
}

template <class ExecutionSpace, int Dim>
Kokkos::View<CellRun*, typename ExecutionSpace::memory_space> commonCells(const Context<ExecutionSpace>& context,
  const IntervalSetOn<Dim, ExecutionSpace>& a, const IntervalSetOn<Dim, ExecutionSpace>& b) {
  CommonCells<typename ExecutionSpace::memory_space> common;
  commonCells<ExecutionSpace, Dim>(context, a, b, common);
  context.space().fence(SPANWISE_LABEL("Geometry::commonCells"));
  return common.runs();
}

#define SPANWISE_COMMON_CELLS(Space, Dim)                                                                              \
  template void commonCells<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                       \
    const IntervalSetOn<Dim, Space>&, CommonCells<Space::memory_space>&);                                              \
  template Kokkos::View<CellRun*, Space::memory_space> commonCells<Space, Dim>(                                        \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, const IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COMMON_CELLS)

} // namespace spanwise::geometry
