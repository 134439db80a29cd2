#include "Core/Geometry/Detail/RowPieces.hpp"
#include "Core/Geometry/NodeRows.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/NotInlined.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Search.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>

namespace spanwise::geometry {

namespace {

/// The rows of cells at a row of nodes, up to four, are merged. The first of them in the order of rows counts for it.
template <int Dim>
struct CountNodes {
  IntervalSetView<Dim> cells;
  detail::RowPieces pieces;

  KOKKOS_FUNCTION void operator()(std::int64_t piece, std::int64_t& count) const {
    std::int64_t behind = pieces.begin(piece); // the first row of the plane z - 1 at y - 1 or above
    std::int64_t before = behind;              // of z + 1
    for (std::int64_t r = pieces.begin(piece); r < pieces.end(piece); ++r) {
      const RowKey<Dim> key = cells.rowKeys[r];
      const std::int64_t lower = is(r - 1, key, -1, 0) ? r - 1 : -1;
      const std::int64_t upper = is(r + 1, key, 1, 0) ? r + 1 : -1;
      if constexpr (Dim == 2) {
        count += nodesOf(r, upper);
        count += lower < 0 ? nodesOf(r) : 0;
      } else {
        std::int64_t last[3];
        std::int64_t next[3];
        findThree(key, -1, behind, last);
        findThree(key, 1, before, next);
        KOKKOS_IF_ON_HOST((if (lower >= 0 && last[1] >= 0 && next[1] >= 0 && r + rowsAtOnce <= pieces.end(piece)) {
          if (const std::int64_t nodes = nodesOfRun(last[1], r, next[1]); nodes >= 0) {
            count += nodes;
            r += rowsAtOnce - 1;
            continue;
          }
        }))
        // the nodes of each corner of (y, z), unless a row before this one has them
        count += nodesOf(r, upper, next[1], next[2]);
        count += lower < 0 ? nodesOf(r, next[0], next[1]) : 0;
        count += last[1] < 0 && last[2] < 0 ? nodesOf(r, upper) : 0;
        count += lower < 0 && last[0] < 0 && last[1] < 0 ? nodesOf(r) : 0;
      }
    }
  }

private:
  static constexpr std::int64_t fewIntervals = 4; ///< of a row
  static constexpr int rowsAtOnce = 8;

  /// Whether row `r` exists and lies so far from the row with this key.
  [[nodiscard]] KOKKOS_FUNCTION bool is(std::int64_t r, const RowKey<Dim>& key, int dy, int dz) const {
    if (r < 0 || r >= cells.numRows) {
      return false;
    }
    const RowKey<Dim> found = cells.rowKeys[r];
    return std::int64_t{found.y} == std::int64_t{key.y} + dy &&
      std::int64_t{found.zOr0()} == std::int64_t{key.zOr0()} + dz;
  }

  /// The rows y - 1, y and y + 1 of the plane z + dz; -1 for those that do not exist.
  KOKKOS_FUNCTION void findThree(const RowKey<Dim>& key, int dz, std::int64_t& guess, std::int64_t (&rows)[3]) const {
    const std::int64_t y = std::int64_t{key.y} - 1;
    const std::int64_t z = std::int64_t{key.zOr0()} + dz;
    guess = firstTrue(0, cells.numRows, guess, [&](std::int64_t r) {
      const RowKey<Dim> at = cells.rowKeys[r];
      return at.zOr0() > z || (at.zOr0() == z && at.y >= y);
    });
    std::int64_t r = guess;
    for (int n = 0; n < 3; ++n) {
      rows[n] = is(r, key, n - 1, dz) ? r++ : -1;
    }
  }

  /// The nodes on a line that any of these rows has.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nodesOf(
    std::int64_t a, std::int64_t b, std::int64_t c = -1, std::int64_t d = -1) const {
    const std::int64_t rows[4] = {a, b, c, d};
    const std::int64_t ofAlike = nodesOfAlike(rows);
    if (ofAlike >= 0) {
      return ofAlike;
    }
    KOKKOS_IF_ON_HOST((if (const std::int64_t count = nodesInWords(rows); count >= 0) { return count; }))
    constexpr Coordinate none = maxIntervalEnd; // no interval begins there
    const Interval* at[4];
    const Interval* end[4];
    Coordinate begins[4];
    for (int n = 0; n < 4; ++n) {
      at[n] = cells.intervals + (rows[n] < 0 ? 0 : cells.rowOffsets[rows[n]]);
      end[n] = cells.intervals + (rows[n] < 0 ? 0 : cells.rowOffsets[rows[n] + 1]);
      begins[n] = at[n] < end[n] ? at[n]->begin : none;
    }
    std::int64_t sum = 0;
    std::int64_t counted = std::numeric_limits<std::int64_t>::min(); // nodes below are
    while (true) {
      const int one = begins[1] < begins[0] ? 1 : 0; // by moves, not by jumps that nobody foresees
      const int other = begins[3] < begins[2] ? 3 : 2;
      const int first = begins[other] < begins[one] ? other : one;
      const std::int64_t begin = begins[first];
      if (begin == none) {
        return sum;
      }
      const std::int64_t from = Kokkos::max(counted, begin);
      const std::int64_t past = Kokkos::max(from, std::int64_t{at[first]->end} + 1);
      sum += past - from;
      counted = past;
      ++at[first];
      begins[first] = at[first] < end[first] ? at[first]->begin : none;
    }
  }

  /// The nodes above rows r to r + rowsAtOnce - 1, towards the next plane, where no other row has them: of rows one
  /// after the other with as many intervals each, as the rows `next` that lie on them have, all of which meet just one
  /// of each row around. -1 if they are others. The compiler makes vectors of it: a fourth of the time of
  /// nodesOfAlike() for each (shells).
  [[nodiscard]] std::int64_t nodesOfRun(std::int64_t last, std::int64_t r, std::int64_t next) const {
    const RowKey<Dim> key = cells.rowKeys[r];
    const std::int64_t size = cells.rowOffsets[r + 1] - cells.rowOffsets[r];
    if (size > fewIntervals || !is(last + rowsAtOnce - 1, key, rowsAtOnce - 1, -1) || !areAlike(r, key, 0, size) ||
      !areAlike(next, key, 1, size)) {
      return -1;
    }
    const Interval* const here[4] = {cells.intervals + cells.rowOffsets[r], cells.intervals + cells.rowOffsets[r + 1],
      cells.intervals + cells.rowOffsets[next], cells.intervals + cells.rowOffsets[next + 1]};
    Coordinate low[rowsAtOnce * fewIntervals] = {};
    Coordinate high[rowsAtOnce * fewIntervals] = {};
    std::int64_t sum = 0;
    bool meet = true;
    for (std::int64_t i = 0; i < rowsAtOnce * size; ++i) {
      const auto least = [](Coordinate a, Coordinate b) { return a < b ? a : b; };
      const auto most = [](Coordinate a, Coordinate b) { return a < b ? b : a; };
      const auto begin = [&](int n) { return here[n][i].begin; };
      const auto end = [&](int n) { return here[n][i].end; };
      low[i] = least(least(begin(0), begin(1)), least(begin(2), begin(3)));
      high[i] = most(most(end(0), end(1)), most(end(2), end(3)));
      meet &=
        most(most(begin(0), begin(1)), most(begin(2), begin(3))) <= least(least(end(0), end(1)), least(end(2), end(3)));
      sum += std::int64_t{high[i]} - low[i] + 1;
    }
    for (std::int64_t i = 0; i < rowsAtOnce * size; i += size) {
      for (std::int64_t k = 1; k < size; ++k) {
        meet &= high[i + k - 1] < low[i + k];
      }
    }
    return meet ? sum : -1;
  }

  /// Whether rowsAtOnce + 1 rows from row `r` on are one after the other along y, of the plane z + dz of the key, and
  /// have as many intervals each.
  [[nodiscard]] bool areAlike(std::int64_t r, const RowKey<Dim>& key, int dz, std::int64_t size) const {
    if (!is(r + rowsAtOnce, key, rowsAtOnce, dz)) {
      return false;
    }
    bool alike = true;
    for (std::int64_t n = 1; n <= rowsAtOnce + 1; ++n) {
      alike &= cells.rowOffsets[r + n] == cells.rowOffsets[r] + n * size;
    }
    return alike;
  }

  /// The same of rows with as many intervals each, the k-th of which have a node in common and none with others, as of
  /// neighbours in smooth shapes; -1 if they are others. A third of the time of a merge on the host (shells of 10^7
  /// cells, three thick).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nodesOfAlike(const std::int64_t (&rows)[4]) const {
    const Interval* at[4];
    int numRows = 0;
    std::int64_t size = 0;
    for (const std::int64_t r : rows) {
      if (r < 0) {
        continue;
      }
      const std::int64_t first = cells.rowOffsets[r];
      const std::int64_t count = cells.rowOffsets[r + 1] - first;
      if (count > fewIntervals || (numRows > 0 && count != size)) {
        return -1;
      }
      size = count;
      at[numRows++] = cells.intervals + first;
    }
    std::int64_t sum = 0;
    std::int64_t counted = std::numeric_limits<std::int64_t>::min(); // nodes up to this one are
    for (std::int64_t k = 0; k < size; ++k) {
      Coordinate low = at[0][k].begin;
      Coordinate high = at[0][k].end;
      Coordinate begin = low; // of the nodes in common
      Coordinate end = high;
      for (int n = 1; n < numRows; ++n) {
        const Interval interval = at[n][k];
        low = Kokkos::min(low, interval.begin);
        high = Kokkos::max(high, interval.end);
        begin = Kokkos::max(begin, interval.begin);
        end = Kokkos::min(end, interval.end);
      }
      if (begin > end || low <= counted) {
        return -1;
      }
      sum += std::int64_t{high} - low + 1;
      counted = high;
    }
    return sum;
  }

  /// The same of short rows with many intervals, a bit a node: 1.7 times as fast on the host as a merge, whose
  /// comparisons nobody foresees (noise of 256^3 cells). -1 if they are others.
  [[nodiscard]] SPANWISE_NOT_INLINED std::int64_t nodesInWords(const std::int64_t (&rows)[4]) const {
    constexpr std::int64_t mostWords = 64;
    std::int64_t low = maxIntervalEnd;
    std::int64_t high = minCoordinate;
    std::int64_t numIntervals = 0;
    for (const std::int64_t r : rows) {
      if (r >= 0) {
        low = std::min(low, std::int64_t{cells.intervals[cells.rowOffsets[r]].begin});
        high = std::max(high, std::int64_t{cells.intervals[cells.rowOffsets[r + 1] - 1].end});
        numIntervals += cells.rowOffsets[r + 1] - cells.rowOffsets[r];
      }
    }
    const std::int64_t numWords = (high - low) / 64 + 1;
    if (numWords > std::min(mostWords, numIntervals)) {
      return -1;
    }
    std::uint64_t words[mostWords];
    std::fill_n(words, numWords, 0);
    for (const std::int64_t r : rows) {
      const std::int64_t end = r < 0 ? 0 : cells.rowOffsets[r + 1];
      for (std::int64_t i = r < 0 ? 0 : cells.rowOffsets[r]; i < end; ++i) {
        const std::int64_t first = cells.intervals[i].begin - low;
        const std::int64_t last = cells.intervals[i].end - low;
        const std::uint64_t from = ~std::uint64_t{0} << (first % 64);
        const std::uint64_t to = ~std::uint64_t{0} >> (63 - last % 64);
        const std::int64_t lastWord = last / 64;
        std::int64_t word = first / 64;
        if (word == lastWord) {
          words[word] |= from & to;
          continue;
        }
        words[word] |= from;
        while (++word < lastWord) {
          words[word] = ~std::uint64_t{0};
        }
        words[lastWord] |= to;
      }
    }
    return std::transform_reduce(words, words + numWords, std::int64_t{0}, std::plus<>(),
      [](std::uint64_t word) { return static_cast<std::int64_t>(std::popcount(word)); });
  }

  /// The same of one row: its intervals have no node in common.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nodesOf(std::int64_t r) const {
    const std::int64_t begin = cells.rowOffsets[r];
    const std::int64_t end = cells.rowOffsets[r + 1];
    return cells.cellOffsets[end] - cells.cellOffsets[begin] + (end - begin);
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t countNodes(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set) {
  SPANWISE_REGION("Geometry::countNodes");
  const detail::RowPieces pieces = detail::RowPieces::of(context.space(), set.numRows());
  std::int64_t count = 0;
  reduce(SPANWISE_KERNEL("count nodes"), IndexRange<ExecutionSpace>(context.space(), 0, pieces.count()),
    CountNodes<Dim>{set.view(), pieces}, count, Work{nodeRowsPerRow<Dim> * set.numIntervals()});
  return count;
}

#define SPANWISE_COUNT_NODES(Space, Dim)                                                                               \
  template std::int64_t countNodes<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COUNT_NODES)

} // namespace spanwise::geometry
