#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/RowMarks.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Sharing.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise::field {

namespace detail {

// The cells of a set that pass a test. Each interval is cut into words of at most 64 cells, and a mask of the cells
// that pass is made of each: by a thread on the host, by a vector of lanes on a device, which reads values side by
// side. All else follows from the masks: where a run of marked cells begins a word has a start, where it ends an end.

template <int Dim>
struct CountWords {
  geometry::IntervalSetView<Dim> set;
  std::int64_t* offsets;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    offsets[i] = (set.cellOffsets[i + 1] - set.cellOffsets[i] + geometry::detail::cellsPerWord - 1) /
      geometry::detail::cellsPerWord;
  }
};

/// How many words there are in all. offsets[interval] becomes how many are in the intervals before.
template <class Space, int Dim>
std::int64_t countWords(const Space& space, const geometry::IntervalSetView<Dim>& set, std::int64_t* offsets) {
  forEach(SPANWISE_KERNEL("count words"), IndexRange<Space>(space, 0, set.numIntervals), CountWords<Dim>{set, offsets});
  return exclusiveScan(space, SPANWISE_KERNEL("scan words"), offsets, set.numIntervals);
}

/// The words of the intervals of a set.
template <int Dim>
struct WordsOfSet {
  geometry::IntervalSetView<Dim> set;
  const std::int64_t* offsets; ///< [numIntervals + 1]
  std::uint64_t* marks;        ///< [offsets[numIntervals]]

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstCell(std::int64_t interval, std::int64_t k) const {
    return set.cellOffsets[interval] + k * geometry::detail::cellsPerWord;
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numCells(std::int64_t interval, std::int64_t k) const {
    return Kokkos::min(
      std::int64_t{geometry::detail::cellsPerWord}, set.cellOffsets[interval + 1] - firstCell(interval, k));
  }
  /// The marked cells of word p, the k-th of its interval, whose left neighbour is not marked.
  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t starts(std::int64_t k, std::int64_t p) const {
    const std::uint64_t before = k > 0 ? marks[p - 1] >> (geometry::detail::cellsPerWord - 1) : 0;
    return marks[p] & ~(marks[p] << 1U | before);
  }
  /// Those whose right neighbour is not marked.
  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t ends(std::int64_t interval, std::int64_t p) const {
    const std::uint64_t after =
      p + 1 < offsets[interval + 1] ? marks[p + 1] << (geometry::detail::cellsPerWord - 1) : 0;
    return marks[p] & ~(marks[p] >> 1U | after);
  }
};

template <int Dim, class Predicate>
struct MarkWord {
  WordsOfSet<Dim> words;
  Predicate predicate;

  KOKKOS_FUNCTION void operator()(std::int64_t interval, std::int64_t k, std::int64_t p) const {
    const std::int64_t first = words.firstCell(interval, k);
    const std::int64_t count = words.numCells(interval, k);
    std::uint64_t marks = 0;
    for (std::int64_t bit = 0; bit < count; ++bit) {
      marks |= static_cast<std::uint64_t>(static_cast<bool>(predicate(first + bit))) << bit;
    }
    words.marks[p] = marks;
  }
};

inline constexpr std::int64_t wordsPerTeam = 64;

template <class Member, int Dim, class Predicate>
struct MarkWordsInLanes {
  WordsOfSet<Dim> words;
  std::int64_t numWords;
  Predicate predicate;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::int64_t first = team.league_rank() * wordsPerTeam;
    const std::int64_t last = Kokkos::min(first + wordsPerTeam, numWords);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t p) {
      const std::int64_t interval = firstAbove(words.offsets, 0, words.set.numIntervals + 1, p) - 1;
      const std::int64_t k = p - words.offsets[interval];
      const std::int64_t cell = words.firstCell(interval, k);
      const std::int64_t count = words.numCells(interval, k);
      std::uint64_t marks = 0;
      Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, count),
        [&](std::int64_t bit, std::uint64_t& part) {
          part |= static_cast<std::uint64_t>(static_cast<bool>(predicate(cell + bit))) << bit;
        },
        marks);
      Kokkos::single(Kokkos::PerThread(team), [&]() { words.marks[p] = marks; });
    });
  }
};

template <int Dim>
struct CountRunsOfWord {
  WordsOfSet<Dim> words;
  geometry::SetTotals* totals;

  KOKKOS_FUNCTION void operator()(std::int64_t /*interval*/, std::int64_t k, std::int64_t p) const {
    totals[p] = {0, Kokkos::popcount(words.starts(k, p)), Kokkos::popcount(words.marks[p])};
  }
};

/// The words of a row.
template <int Dim>
struct RunsOfRow {
  WordsOfSet<Dim> words;
  const geometry::SetTotals* before; ///< the totals of the words before each

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t first(std::int64_t row) const {
    return before[words.offsets[words.set.rowOffsets[row]]].intervals;
  }
  [[nodiscard]] KOKKOS_FUNCTION bool any(std::int64_t row) const { return first(row + 1) > first(row); }
};

template <int Dim>
struct FillRunsOfWord {
  WordsOfSet<Dim> words;
  const geometry::SetTotals* before;
  geometry::WritableIntervalSet<Dim> out;

  KOKKOS_FUNCTION void operator()(std::int64_t interval, std::int64_t k, std::int64_t p) const {
    const std::int64_t x = words.set.intervals[interval].begin + k * geometry::detail::cellsPerWord;
    const std::uint64_t marks = words.marks[p];
    const std::uint64_t starts = words.starts(k, p);
    std::int64_t run = before[p].intervals;
    for (std::uint64_t left = starts; left != 0; left &= left - 1) {
      const int bit = Kokkos::countr_zero(left);
      out.intervals[run].begin = static_cast<geometry::Coordinate>(x + bit);
      out.cellOffsets[run] = before[p].cells + Kokkos::popcount(marks & ((std::uint64_t{1} << bit) - 1));
      ++run;
    }
    for (std::uint64_t left = words.ends(interval, p); left != 0; left &= left - 1) {
      const int bit = Kokkos::countr_zero(left);
      const std::uint64_t upToHere = ~std::uint64_t{0} >> (geometry::detail::cellsPerWord - 1 - bit);
      run = before[p].intervals + Kokkos::popcount(starts & upToHere) - 1; // it may have begun in a word before
      out.intervals[run].end = static_cast<geometry::Coordinate>(x + bit + 1);
    }
  }
};

template <int Dim>
struct CountKeptRow {
  RunsOfRow<Dim> runs;
  std::int64_t* rows;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const { rows[row] = static_cast<std::int64_t>(runs.any(row)); }
};

template <int Dim>
struct FillKeptRow {
  RunsOfRow<Dim> runs;
  const std::int64_t* rows; ///< how many rows before each are kept
  geometry::SetTotals sum;
  geometry::WritableIntervalSet<Dim> out;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    if (runs.any(row)) {
      out.rowKeys[rows[row]] = runs.words.set.rowKeys[row];
      out.rowOffsets[rows[row]] = runs.first(row);
    }
    if (row + 1 == runs.words.set.numRows) {
      out.rowOffsets[sum.rows] = sum.intervals;
      out.cellOffsets[sum.intervals] = sum.cells;
    }
  }
};

/// Writes the marked cells into the arrays of `out`.
template <class Space, int Dim, class Frame>
geometry::SetTotals placeMarked(const Space& space, const WordsOfSet<Dim>& words, std::int64_t numWords, Frame& frame,
  geometry::IntervalSetOn<Dim, Space>& out) {
  const geometry::IntervalSetView<Dim>& set = words.set;
  geometry::SetTotals* const totals = frame.template array<geometry::SetTotals>(numWords + 1).data();
  forEachPart(space, SPANWISE_KERNEL("count runs"), words.offsets, set.numIntervals, numWords,
    CountRunsOfWord<Dim>{words, totals});
  KernelResult<Space, geometry::SetTotals> sumOfRuns;
  exclusiveScan(space, SPANWISE_KERNEL("scan runs"), totals, numWords, sumOfRuns.data());
  const IndexRange<Space> overRows(space, 0, set.numRows);
  const RunsOfRow<Dim> runs{words, totals};
  std::int64_t* const rows = frame.template array<std::int64_t>(set.numRows + 1).data();
  forEach(SPANWISE_KERNEL("count rows"), overRows, CountKeptRow<Dim>{runs, rows}, Work{numWords});
  const std::int64_t numRows = exclusiveScan(space, SPANWISE_KERNEL("scan rows"), rows, set.numRows); // waits for both
  const geometry::SetTotals sum{numRows, sumOfRuns.value().intervals, sumOfRuns.value().cells};
  if (sum.cells == 0) {
    return sum;
  }
  const geometry::WritableIntervalSet<Dim> target = out.prepare(sum.rows, sum.intervals);
  forEach(SPANWISE_KERNEL("fill rows"), overRows, FillKeptRow<Dim>{runs, rows, sum, target}, Work{numWords});
  forEachPart(space, SPANWISE_KERNEL("fill runs"), words.offsets, set.numIntervals, numWords,
    FillRunsOfWord<Dim>{words, totals, target});
  return sum;
}

} // namespace detail

/// out = the cells of `set` for whose number `predicate(cell)` is true. `Predicate` is a functor that a kernel of
/// `ExecutionSpace` can call: bool operator()(std::int64_t) const; it is called once for each cell. `out` may be `set`;
/// otherwise a repeated call allocates nothing. O(cells + intervals log intervals / 16).
template <class ExecutionSpace, int Dim, class Predicate>
void selectCells(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Predicate& predicate, geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Field::selectCells");
  const auto kept = sharing(set);
  out.clear();
  if (kept.empty()) {
    return;
  }
  const geometry::IntervalSetView<Dim> from = kept.view();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  std::int64_t* const offsets = frame.template array<std::int64_t>(from.numIntervals + 1).data();
  const std::int64_t numWords = detail::countWords(space, from, offsets);
  const detail::WordsOfSet<Dim> words{from, offsets, frame.template array<std::uint64_t>(numWords).data()};
  if constexpr (runsOnHost<ExecutionSpace>) {
    forEachPart(space, SPANWISE_KERNEL("mark words"), offsets, from.numIntervals, PartCount(numWords, {16 * numWords}),
      detail::MarkWord<Dim, Predicate>{words, predicate});
  } else {
    using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
    const auto numTeams = static_cast<int>((numWords + detail::wordsPerTeam - 1) / detail::wordsPerTeam);
    Kokkos::parallel_for(SPANWISE_KERNEL("mark words"), Policy(space, numTeams, 8, 32),
      detail::MarkWordsInLanes<typename Policy::member_type, Dim, Predicate>{words, numWords, predicate});
  }

  const geometry::SetTotals sum = detail::placeMarked(space, words, numWords, frame, out);
  if (sum.cells > 0) {
    space.fence(SPANWISE_LABEL("Field::selectCells")); // `kept` may hold the last reference
  }
  out.finish(sum);
}

} // namespace spanwise::field
