#include "Core/Geometry/MaskSet.hpp"

#include "Core/Geometry/Combine.hpp"
#include "Core/Geometry/Detail/CombineByRows.hpp"
#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/Detail/WordInstructions.hpp"
#include "Core/Geometry/RowMarks.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Sharing.hpp"

namespace spanwise::geometry {

namespace {

using detail::cellsPerWord;

constexpr std::uint64_t allCells = ~std::uint64_t{0};

KOKKOS_FUNCTION Coordinate wordOf(std::int64_t x) {
  return static_cast<Coordinate>(x >> 6); // towards smaller coordinates, also of negative ones
}

// --- to masks ---

/// Calls startRun(word) and endRun(word behind) for each run of words that a row's intervals touch, and mark(word,
/// cells) for the cells of each interval in each word.
template <int Dim, class Sink>
KOKKOS_INLINE_FUNCTION void walkWords(const IntervalSetView<Dim>& set, std::int64_t r, Sink& sink) {
  Coordinate end = 0; // behind the last word
  for (std::int64_t i = set.rowOffsets[r]; i < set.rowOffsets[r + 1]; ++i) {
    const Interval interval = set.intervals[i];
    const Coordinate first = wordOf(interval.begin);
    const Coordinate last = wordOf(std::int64_t{interval.end} - 1);
    const bool isFirst = i == set.rowOffsets[r];
    if (isFirst || first > end) {
      if (!isFirst) {
        sink.endRun(end);
      }
      sink.startRun(first);
    }
    std::uint64_t cells = allCells << (interval.begin - first * cellsPerWord);
    for (Coordinate w = first; w < last; ++w) {
      sink.mark(w, cells);
      cells = allCells;
    }
    sink.mark(last, cells & allCells >> (cellsPerWord - (interval.end - last * cellsPerWord)));
    end = last + 1;
  }
  sink.endRun(end);
}

struct CountWords {
  SetTotals totals{1, 0, 0};
  Coordinate begin = 0;
  KOKKOS_FUNCTION void startRun(Coordinate word) { begin = word; }
  KOKKOS_FUNCTION void mark(Coordinate /*word*/, std::uint64_t /*cells*/) {}
  KOKKOS_FUNCTION void endRun(Coordinate end) {
    ++totals.intervals;
    totals.cells += static_cast<std::int64_t>(end) - begin;
  }
};

template <int Dim>
struct WriteWords {
  WritableIntervalSet<Dim> words;
  std::uint64_t* masks;
  SetTotals next;
  Coordinate begin = 0;
  Coordinate marked = 0; ///< behind the last word that has a mask

  KOKKOS_FUNCTION void startRun(Coordinate word) { begin = marked = word; }
  KOKKOS_FUNCTION void mark(Coordinate word, std::uint64_t cells) {
    std::uint64_t& mask = masks[next.cells + (static_cast<std::int64_t>(word) - begin)];
    mask = word < marked ? mask | cells : cells;
    marked = word + 1;
  }
  KOKKOS_FUNCTION void endRun(Coordinate end) {
    words.intervals[next.intervals] = {begin, end};
    words.cellOffsets[next.intervals] = next.cells;
    ++next.intervals;
    next.cells += static_cast<std::int64_t>(end) - begin;
  }
};

template <int Dim>
struct CountWordsOfRow {
  IntervalSetView<Dim> set;
  SetTotals* totals;
  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    CountWords count;
    walkWords(set, r, count);
    totals[r] = count.totals;
  }
};

template <int Dim>
struct WriteWordsOfRow {
  IntervalSetView<Dim> set;
  const SetTotals* before; ///< [rows + 1]
  WritableIntervalSet<Dim> words;
  std::uint64_t* masks;
  const detail::WordInstructions* instructions; ///< of the host, or nullptr
  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    words.rowKeys[r] = set.rowKeys[r];
    words.rowOffsets[r] = before[r].intervals;
    const SetTotals next = writeRow(r);
    if (r + 1 == set.numRows) {
      words.rowOffsets[r + 1] = next.intervals;
      words.cellOffsets[next.intervals] = next.cells;
    }
  }

private:
  KOKKOS_FUNCTION SetTotals writeRow(std::int64_t r) const {
    WriteWords<Dim> write{words, masks, before[r]};
    KOKKOS_IF_ON_HOST((if (instructions != nullptr) {
      const std::int64_t end = set.rowOffsets[r + 1];
      for (std::int64_t i = set.rowOffsets[r]; i < end;) { // run by run
        std::int64_t last = i;
        while (last + 1 < end && wordOf(set.intervals[last + 1].begin) <= wordOf(set.intervals[last].end - 1) + 1) {
          ++last;
        }
        const Coordinate begin = wordOf(set.intervals[i].begin);
        const Coordinate behind = wordOf(set.intervals[last].end - 1) + 1;
        instructions->wordsOfEndpoints(reinterpret_cast<const Coordinate*>(set.intervals + i), 2 * (last + 1 - i),
          begin * cellsPerWord, masks + write.next.cells, std::int64_t{behind} - begin);
        write.begin = begin;
        write.endRun(behind);
        i = last + 1;
      }
      return write.next;
    }))
    walkWords(set, r, write);
    return write.next;
  }
};

// --- to intervals ---

template <int Dim>
struct CountIntervalsOfRow {
  IntervalSetView<Dim> words;
  const std::uint64_t* masks;
  SetTotals* totals;
  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const std::int64_t first = words.cellOffsets[words.rowOffsets[r]];
    const std::int64_t end = words.cellOffsets[words.rowOffsets[r + 1]];
    std::int64_t cells = 0;
    for (std::int64_t w = first; w < end; ++w) {
      cells += Kokkos::popcount(masks[w]);
    }
    const std::int64_t intervals = MaskSetView<Dim>{words, masks, words.rowKeys, words.numRows}.row(r).size() / 2;
    totals[r] = {static_cast<std::int64_t>(intervals > 0), intervals, cells};
  }
};

template <int Dim>
struct WriteIntervalsOfRow {
  IntervalSetView<Dim> words;
  const std::uint64_t* masks;
  const SetTotals* before;                      ///< [rows + 1]
  const detail::WordInstructions* instructions; ///< of the host, or nullptr
  WritableIntervalSet<Dim> out;
  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const SetTotals& start = before[r];
    const SetTotals& end = before[r + 1];
    if (end.rows > start.rows) {
      out.rowKeys[start.rows] = words.rowKeys[r];
      out.rowOffsets[start.rows] = start.intervals;
      writeEndpoints(r, reinterpret_cast<Coordinate*>(out.intervals + start.intervals));
      std::int64_t cells = start.cells;
      for (std::int64_t i = start.intervals; i < end.intervals; ++i) {
        out.cellOffsets[i] = cells;
        cells += static_cast<std::int64_t>(out.intervals[i].end) - out.intervals[i].begin;
      }
    }
    if (r + 1 == words.numRows) {
      out.rowOffsets[end.rows] = end.intervals;
      out.cellOffsets[end.intervals] = end.cells;
    }
  }

private:
  KOKKOS_FUNCTION void writeEndpoints(std::int64_t r, Coordinate* to) const {
    KOKKOS_IF_ON_HOST((if (instructions != nullptr) {
      for (std::int64_t i = words.rowOffsets[r]; i < words.rowOffsets[r + 1]; ++i) {
        const Interval run = words.intervals[i];
        const std::int64_t begin = run.begin * cellsPerWord;
        const std::int64_t last = run.end * cellsPerWord; // the last word may end behind all coordinates, but no cell
        to = instructions->endpointsOfWords(masks + words.cellOffsets[i], std::int64_t{run.end} - run.begin, begin,
          static_cast<Coordinate>(Kokkos::min<std::int64_t>(last, maxIntervalEnd)), to);
      }
      return;
    }))
    for (MaskRunsCursor cursor = MaskSetView<Dim>{words, masks, words.rowKeys, words.numRows}.row(r).cursor();
      !cursor.done(); cursor.advanceIf(true)) {
      *to++ = cursor.position();
    }
  }
};

struct CountCells {
  const std::uint64_t* masks;
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& sum) const { sum += Kokkos::popcount(masks[w]); }
};

// --- algebra ---

/// The words of one of the inputs, from word to word of a row.
template <int Dim>
class WordCursor {
public:
  KOKKOS_FUNCTION WordCursor(const IntervalSetView<Dim>& words, const std::uint64_t* masks, std::int64_t row)
    : words_(words), masks_(masks), next_(row < 0 ? 0 : words.rowOffsets[row]),
      last_(row < 0 ? 0 : words.rowOffsets[row + 1]) {}

  /// Goes to a word not before the last one asked for. Afterwards masks() are those from this word on, or nullptr where
  /// there are none, up to the word end(limit).
  KOKKOS_FUNCTION void seek(Coordinate word) {
    while (next_ < last_ && words_.intervals[next_].end <= word) {
      ++next_;
    }
    isInside_ = next_ < last_ && words_.intervals[next_].begin <= word;
    word_ = word;
  }
  [[nodiscard]] KOKKOS_FUNCTION const std::uint64_t* masks() const {
    return isInside_
      ? masks_ + words_.cellOffsets[next_] + (static_cast<std::int64_t>(word_) - words_.intervals[next_].begin)
      : nullptr;
  }
  [[nodiscard]] KOKKOS_FUNCTION Coordinate end(Coordinate limit) const {
    return next_ == last_ ? limit
                          : Kokkos::min(limit, isInside_ ? words_.intervals[next_].end : words_.intervals[next_].begin);
  }

private:
  const IntervalSetView<Dim>& words_;
  const std::uint64_t* masks_;
  std::int64_t next_;
  std::int64_t last_;
  Coordinate word_ = 0;
  bool isInside_ = false;
};

template <int Dim>
struct CombineWords {
  IntervalSetView<Dim> a;
  const std::uint64_t* masksA;
  IntervalSetView<Dim> b;
  const std::uint64_t* masksB;
  std::uint64_t onlyA; ///< all bits where the cells of A alone are in the result
  std::uint64_t onlyB;
  std::uint64_t both;
  std::int64_t rowsPerBlock;
  IntervalSetView<Dim> out;
  std::uint64_t* masks;

  /// A block of rows, so that they are searched once for it.
  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    const std::int64_t first = block * rowsPerBlock;
    const std::int64_t last = Kokkos::min(first + rowsPerBlock, out.numRows);
    std::int64_t rowA = a.lowerRow(out.rowKeys[first]);
    std::int64_t rowB = b.lowerRow(out.rowKeys[first]);
    for (std::int64_t r = first; r < last; ++r) {
      combineRow(r, rowOf(a, rowA, out.rowKeys[r]), rowOf(b, rowB, out.rowKeys[r]));
    }
  }

private:
  /// The row with a key, or -1; `row` is the first one that may have it.
  KOKKOS_FUNCTION static std::int64_t rowOf(
    const IntervalSetView<Dim>& set, std::int64_t& row, const RowKey<Dim>& key) {
    while (row < set.numRows && set.rowKeys[row] < key) {
      ++row;
    }
    return row < set.numRows && set.rowKeys[row] == key ? row : -1;
  }

  KOKKOS_FUNCTION void combineRow(std::int64_t r, std::int64_t rowA, std::int64_t rowB) const {
    WordCursor<Dim> cursorA(a, masksA, rowA);
    WordCursor<Dim> cursorB(b, masksB, rowB);
    for (std::int64_t i = out.rowOffsets[r]; i < out.rowOffsets[r + 1]; ++i) {
      std::uint64_t* to = masks + out.cellOffsets[i];
      for (Coordinate word = out.intervals[i].begin; word < out.intervals[i].end;) {
        cursorA.seek(word);
        cursorB.seek(word);
        const Coordinate end = cursorB.end(cursorA.end(out.intervals[i].end));
        combineRun(cursorA.masks(), cursorB.masks(), end - word, to);
        to += end - word;
        word = end;
      }
    }
  }

  KOKKOS_FUNCTION void combineRun(
    const std::uint64_t* fromA, const std::uint64_t* fromB, std::int64_t count, std::uint64_t* to) const {
    if (fromA != nullptr && fromB != nullptr) {
      for (std::int64_t w = 0; w < count; ++w) {
        to[w] = (fromA[w] & ~fromB[w] & onlyA) | (fromB[w] & ~fromA[w] & onlyB) | (fromA[w] & fromB[w] & both);
      }
    } else {
      const std::uint64_t* const from = fromA != nullptr ? fromA : fromB; // a word of the result is in one of them
      const std::uint64_t kept = fromA != nullptr ? onlyA : onlyB;
      for (std::int64_t w = 0; w < count; ++w) {
        to[w] = from[w] & kept;
      }
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void toMasks(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  MaskSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::toMasks");
  out.writableWords().clear();
  if (set.empty()) {
    return;
  }
  const std::int64_t numRows = set.numRows();
  const IndexRange<ExecutionSpace> overRows(space, 0, numRows);
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  SetTotals* const before = frame.template array<SetTotals>(numRows + 1).data();
  forEach(SPANWISE_KERNEL("count words"), overRows, CountWordsOfRow<Dim>{set.view(), before}, Work{set.numIntervals()});
  const SetTotals sum = exclusiveScan(space, SPANWISE_KERNEL("scan words"), before, numRows);
  const WritableIntervalSet<Dim> words = out.writableWords().prepare(numRows, sum.intervals);
  std::uint64_t* const masks = out.prepareMasks(sum.cells);
  forEach(SPANWISE_KERNEL("write words"), overRows,
    WriteWordsOfRow<Dim>{
      set.view(), before, words, masks, runsOnHost<ExecutionSpace> ? detail::wordInstructions() : nullptr},
    Work{set.numIntervals()});
  out.writableWords().finish(numRows, sum.intervals, sum.cells);
}

template <class ExecutionSpace, int Dim>
void toIntervals(const Context<ExecutionSpace>& context, const MaskSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::toIntervals");
  out.clear();
  if (set.numWords() == 0) {
    return;
  }
  const IntervalSetView<Dim> words = set.words().view();
  const std::uint64_t* const masks = set.masks().data();
  const IndexRange<ExecutionSpace> overRows(space, 0, words.numRows);
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  SetTotals* const before = frame.template array<SetTotals>(words.numRows + 1).data();
  forEach(
    SPANWISE_KERNEL("count intervals"), overRows, CountIntervalsOfRow<Dim>{words, masks, before}, Work{set.numWords()});
  const SetTotals sum = exclusiveScan(space, SPANWISE_KERNEL("scan intervals"), before, words.numRows);
  if (sum.rows > 0) {
    const WritableIntervalSet<Dim> arrays = out.prepare(sum.rows, sum.intervals);
    forEach(SPANWISE_KERNEL("write intervals"), overRows,
      WriteIntervalsOfRow<Dim>{
        words, masks, before, runsOnHost<ExecutionSpace> ? detail::wordInstructions() : nullptr, arrays},
      Work{set.numWords()});
    out.finish(sum.rows, sum.intervals, sum.cells);
  }
}

template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation, const MaskSetOn<Dim, ExecutionSpace>& a,
  const MaskSetOn<Dim, ExecutionSpace>& b, MaskSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::combine masks");
  const auto keptA = sharing(a);
  const auto keptB = sharing(b);
  const auto truthTable = static_cast<unsigned>(operation);
  const bool onlyA = detail::holds(truthTable, 1, 0) != 0;
  const bool onlyB = detail::holds(truthTable, 0, 1) != 0;
  // The result has a word where it may have cells: where both have it, and where one has it whose own cells stay.
  const unsigned tableOfWords = 0b1000U | (onlyA ? 0b0010U : 0U) | (onlyB ? 0b0100U : 0U);
  const IntervalSetView<Dim> wordsA = keptA.words().view();
  const IntervalSetView<Dim> wordsB = keptB.words().view();
  IntervalSetOn<Dim, ExecutionSpace>& words = out.writableWords();
  const WritableIntervalSet<Dim> target =
    words.prepare(wordsA.numRows + wordsB.numRows, wordsA.numIntervals + wordsB.numIntervals);
  const SetTotals totals = detail::combineInto<ExecutionSpace, Dim>(context, tableOfWords, wordsA, wordsB, target);
  words.finish(totals.rows, totals.intervals, totals.cells);
  std::uint64_t* const masks = out.prepareMasks(totals.cells);
  const auto all = [](bool value) { return value ? allCells : 0; };
  const bool both = detail::holds(truthTable, 1, 1) != 0;
  constexpr std::int64_t rowsPerBlock = runsOnHost<ExecutionSpace> ? 64 : 1;
  forEach(SPANWISE_KERNEL("combine words"),
    IndexRange<ExecutionSpace>(context.space(), 0, (totals.rows + rowsPerBlock - 1) / rowsPerBlock),
    CombineWords<Dim>{wordsA, keptA.masks().data(), wordsB, keptB.masks().data(), all(onlyA), all(onlyB), all(both),
      rowsPerBlock, words.view(), masks},
    Work{totals.cells});
}

namespace {

template <class ExecutionSpace, int Dim, class SetA, class SetB>
void combineMixed(const Context<ExecutionSpace>& context, SetOperation operation, const SetA& a, const SetB& b,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  const void* const target = &out;
  const bool inPlace = target == &a || target == &b;
  const auto keptA = sharing(a);
  const auto keptB = sharing(b);
  out.clear();
  const SetTotals totals =
    detail::combineByRows<ExecutionSpace, Dim>(context, static_cast<unsigned>(operation), keptA.view(), keptB.view(),
      [&](std::int64_t rows, std::int64_t intervals) { return out.prepare(rows, intervals); });
  out.finish(totals.rows, totals.intervals, totals.cells);
  if (inPlace) {
    context.space().fence(SPANWISE_LABEL("Geometry::combine mixed")); // the copy may hold the last reference
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation,
  const IntervalSetOn<Dim, ExecutionSpace>& a, const MaskSetOn<Dim, ExecutionSpace>& b,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::combine mixed");
  combineMixed<ExecutionSpace, Dim>(context, operation, a, b, out);
}

template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation, const MaskSetOn<Dim, ExecutionSpace>& a,
  const IntervalSetOn<Dim, ExecutionSpace>& b, IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::combine mixed");
  combineMixed<ExecutionSpace, Dim>(context, operation, a, b, out);
}

template <class ExecutionSpace, int Dim>
std::int64_t numCells(const Context<ExecutionSpace>& context, const MaskSetOn<Dim, ExecutionSpace>& set) {
  std::int64_t cells = 0;
  reduce(SPANWISE_KERNEL("count cells"), IndexRange<ExecutionSpace>(context.space(), 0, set.numWords()),
    CountCells{set.masks().data()}, cells);
  return cells;
}

#define SPANWISE_MASK_SET(Space, Dim)                                                                                  \
  template void toMasks<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&, MaskSetOn<Dim, Space>&);  \
  template void toIntervals<Space, Dim>(                                                                               \
    const Context<Space>&, const MaskSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&);                                  \
  template void combine<Space, Dim>(const Context<Space>&, SetOperation, const MaskSetOn<Dim, Space>&,                 \
    const MaskSetOn<Dim, Space>&, MaskSetOn<Dim, Space>&);                                                             \
  template void combine<Space, Dim>(const Context<Space>&, SetOperation, const IntervalSetOn<Dim, Space>&,             \
    const MaskSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&);                                                         \
  template void combine<Space, Dim>(const Context<Space>&, SetOperation, const MaskSetOn<Dim, Space>&,                 \
    const IntervalSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&);                                                     \
  template std::int64_t numCells<Space, Dim>(const Context<Space>&, const MaskSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MASK_SET)

} // namespace spanwise::geometry
