#pragma once

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <type_traits>

namespace spanwise::geometry::detail {

// The cells of a box that pass a test, cell by cell. A vector of lanes walks a row in steps of one word of 64 cells:
// each lane tests cells side by side, so that what the test reads is read in one piece. A first walk counts each row's
// intervals and cells; after a scan over rows a second walk writes those of the rows that have some.
//
// A test is given as `Rows`: rows.row(r) is what tests the cells of row r of the box, as a functor of the cell's number
// in the row, or with a function word(first) that gives the marks of 64 cells at once.

// On the host a thread has all lanes, and the range of a team's rows.

inline constexpr std::int64_t cellsPerWord = 64;
inline constexpr std::int64_t rowsPerTeam = 64;

/// In the place of a team's member on the host.
struct HostMember {
  std::int64_t rank;
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t league_rank() const { return rank; }
};

template <class Member>
inline constexpr bool isHostMember = std::is_same_v<Member, HostMember>;

/// Calls body(r) for the rows of a team, which its threads share.
template <class Member, class Body>
KOKKOS_INLINE_FUNCTION void forRowsOfTeam(const Member& team, std::int64_t numRows, const Body& body) {
  const std::int64_t first = team.league_rank() * rowsPerTeam;
  const std::int64_t last = Kokkos::min(first + rowsPerTeam, numRows);
  if constexpr (isHostMember<Member>) {
    for (std::int64_t r = first; r < last; ++r) {
      body(r);
    }
  } else {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), body);
  }
}

/// Calls body() on one lane.
template <class Member, class Body>
KOKKOS_INLINE_FUNCTION void onOneLane([[maybe_unused]] const Member& team, const Body& body) {
  if constexpr (isHostMember<Member>) {
    body();
  } else {
    Kokkos::single(Kokkos::PerThread(team), body);
  }
}

/// The marks of up to 64 cells of a row, bit b for the cell first + b. Every lane gets them.
template <class Member, class Row>
KOKKOS_INLINE_FUNCTION std::uint64_t marksOf(
  const Member& team, const Row& row, std::int64_t first, std::int64_t count) {
  if constexpr (requires { row.word(first); }) {
    return row.word(first);
  } else {
    std::uint64_t marks = 0;
    const auto mark = [&](std::int64_t bit, std::uint64_t& part) {
      part |= static_cast<std::uint64_t>(row(first + bit)) << bit;
    };
    if constexpr (isHostMember<Member>) {
      for (std::int64_t bit = 0; bit < count; ++bit) {
        mark(bit, marks);
      }
    } else {
      Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, count), mark, marks);
    }
    return marks;
  }
}

/// Calls visit(first, marks, changes) for each word of a row: bit b of `changes` tells that the cell first + b differs
/// from the one on its left. Outside the row no cell is marked, so an interval that reaches the row's end has its last
/// change at the row's length.
template <class Member, class Row, class Visit>
KOKKOS_INLINE_FUNCTION void forEachWord(const Member& team, const Row& row, std::int64_t length, const Visit& visit) {
  std::uint64_t before = 0; // the last cell of the word before
  for (std::int64_t first = 0; first < length; first += cellsPerWord) {
    const std::uint64_t marks = marksOf(team, row, first, Kokkos::min(std::int64_t{cellsPerWord}, length - first));
    visit(first, marks, marks ^ (marks << 1U | before));
    before = marks >> 63U;
  }
  if (before != 0) {
    visit(length, std::uint64_t{0}, before);
  }
}

template <class Member, class Rows>
struct CountMarks {
  Rows rows;
  std::int64_t numRows;
  std::int64_t length;
  SetTotals* totals; ///< [numRows]

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    forRowsOfTeam(team, numRows, [&](std::int64_t r) {
      std::int64_t endpoints = 0;
      std::int64_t cells = 0;
      forEachWord(team, rows.row(r), length, [&](std::int64_t /*first*/, std::uint64_t marks, std::uint64_t changes) {
        endpoints += Kokkos::popcount(changes);
        cells += Kokkos::popcount(marks);
      });
      onOneLane(team, [&]() { totals[r] = {static_cast<std::int64_t>(endpoints > 0), endpoints / 2, cells}; });
    });
  }
};

template <class Member, class Rows, int Dim>
struct FillMarks {
  Rows rows;
  Box<Dim> box;
  std::int64_t numRows;
  const SetTotals* before; ///< [numRows + 1] the totals of the rows before
  WritableIntervalSet<Dim> out;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    forRowsOfTeam(team, numRows, [&](std::int64_t r) {
      if (before[r + 1].rows > before[r].rows) {
        fillRow(team, r);
      }
    });
  }

  KOKKOS_FUNCTION void fillRow(const Member& team, std::int64_t r) const {
    const SetTotals start = before[r];
    std::int64_t endpoints = 0;
    std::int64_t cells = start.cells;
    forEachWord(team, rows.row(r), box.extent(0), [&](std::int64_t first, std::uint64_t marks, std::uint64_t changes) {
      onOneLane(team, [&]() {
        std::int64_t endpoint = endpoints;
        for (std::uint64_t left = changes; left != 0; left &= left - 1) {
          const int bit = Kokkos::countr_zero(left);
          const auto x = static_cast<Coordinate>(box.begin[0] + first + bit);
          const std::int64_t i = start.intervals + endpoint / 2;
          if (endpoint % 2 == 0) {
            out.intervals[i].begin = x;
            out.cellOffsets[i] = cells + Kokkos::popcount(marks & ((std::uint64_t{1} << bit) - 1));
          } else {
            out.intervals[i].end = x;
          }
          ++endpoint;
        }
      });
      endpoints += Kokkos::popcount(changes);
      cells += Kokkos::popcount(marks);
    });
    onOneLane(team, [&]() {
      out.rowKeys[start.rows] = box.row(r);
      out.rowOffsets[start.rows] = start.intervals;
      const SetTotals& end = before[numRows];
      if (start.rows + 1 == end.rows) {
        out.rowOffsets[end.rows] = end.intervals;
        out.cellOffsets[end.intervals] = end.cells;
      }
    });
  }
};

/// Launches kernels over the rows of a box.
template <class ExecutionSpace>
class MarksLauncher {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;

public:
  using Member = std::conditional_t<runsOnHost<ExecutionSpace>, HostMember, typename Policy::member_type>;

  template <int Dim>
  MarksLauncher(const ExecutionSpace& space, const Box<Dim>& box)
    : space_(space), numTeams_((box.numRows() + rowsPerTeam - 1) / rowsPerTeam), work_{numCells(box)} {}

  template <class Kernel>
  void launch(const char* label, const Kernel& kernel) const {
    if constexpr (runsOnHost<ExecutionSpace>) {
      const auto onHostThread = [kernel](std::int64_t team) { kernel(HostMember{team}); };
      forEach(label, IndexRange<ExecutionSpace>(space_, 0, numTeams_), onHostThread, work_);
    } else {
      Policy overRows(space_, static_cast<int>(numTeams_), 8, 32);
      // Kokkos allocates the scratch memory of teams anew at each launch as long as none needs any.
      overRows.set_scratch_size(1, Kokkos::PerTeam(16));
      Kokkos::parallel_for(label, overRows, kernel);
    }
  }

private:
  const ExecutionSpace& space_;
  std::int64_t numTeams_;
  Work work_;
};

/// Writes the cells of `box` that pass the test into the arrays that makeTarget(rows, intervals) gives, unless there
/// are none. Scratch memory and the target may come from `frame`. O(cells); each cell is tested once, and once more in
/// rows that have one.
template <class ExecutionSpace, int Dim, class Rows, class Frame, class MakeTarget>
SetTotals placeMarks(
  const ExecutionSpace& space, const Box<Dim>& box, const Rows& rows, Frame& frame, const MakeTarget& makeTarget) {
  using Member = typename MarksLauncher<ExecutionSpace>::Member;
  const std::int64_t numRows = box.numRows();
  SetTotals* const totals = frame.template array<SetTotals>(numRows + 1).data();
  const MarksLauncher<ExecutionSpace> launcher(space, box);
  launcher.launch(SPANWISE_KERNEL("count marks"), CountMarks<Member, Rows>{rows, numRows, box.extent(0), totals});
  const SetTotals sum = exclusiveScan(space, SPANWISE_KERNEL("scan rows"), totals, numRows);
  if (sum.rows > 0) {
    const WritableIntervalSet<Dim> arrays = makeTarget(sum.rows, sum.intervals);
    launcher.launch(SPANWISE_KERNEL("fill marks"), FillMarks<Member, Rows, Dim>{rows, box, numRows, totals, arrays});
  }
  return sum;
}

/// out = the cells of `box` that pass the test.
template <class ExecutionSpace, int Dim, class Rows>
void makeFromMarks(const Context<ExecutionSpace>& context, const Box<Dim>& box, const Rows& rows,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  out.clear();
  if (numCells(box) == 0) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const SetTotals sum = placeMarks<ExecutionSpace, Dim>(context.space(), box, rows, frame,
    [&](std::int64_t numRows, std::int64_t numIntervals) { return out.prepare(numRows, numIntervals); });
  out.finish(sum);
}

} // namespace spanwise::geometry::detail
