#include "Core/Geometry/Detail/WordCounts.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace spanwise::geometry::detail {

namespace {

#ifdef __GNUC__
#define SPANWISE_INLINED_INTO __attribute__((always_inline)) inline
#else
#define SPANWISE_INLINED_INTO inline
#endif

SPANWISE_INLINED_INTO std::int64_t numBits(std::uint64_t word) { return std::popcount(word); }

SPANWISE_INLINED_INTO SetTotals countCells(const std::uint64_t* words, std::int64_t numWords) {
  if (numWords == 0) {
    return {};
  }
  std::int64_t cells = numBits(words[0]);
  std::int64_t intervals = numBits(words[0] & ~(words[0] << 1U));
  for (std::int64_t w = 1; w < numWords; ++w) {
    cells += numBits(words[w]);
    intervals += numBits(words[w] & ~(words[w] << 1U | words[w - 1] >> 63U));
  }
  return {intervals > 0 ? 1 : 0, intervals, cells};
}

SPANWISE_INLINED_INTO std::int64_t countNodes(const std::uint64_t* const* rows, int numRows, std::int64_t numWords) {
  constexpr std::int64_t wordsAtOnce = 128;
  std::array<std::uint64_t, wordsAtOnce + 1> cells; // of any row, after the word before them
  cells[0] = 0;
  std::int64_t count = 0;
  for (std::int64_t first = 0; first < numWords; first += wordsAtOnce) {
    const std::int64_t size = std::min(wordsAtOnce, numWords - first);
    std::copy_n(rows[0] + first, size, &cells[1]);
    for (int k = 1; k < numRows; ++k) {
      const std::uint64_t* const row = rows[k] + first;
      for (std::int64_t w = 0; w < size; ++w) {
        cells[1 + w] |= row[w];
      }
    }
    for (std::int64_t w = 1; w <= size; ++w) {
      count += numBits(cells[w] | cells[w] << 1U | cells[w - 1] >> 63U);
    }
    cells[0] = cells[size];
  }
  return count + static_cast<std::int64_t>(cells[0] >> 63U); // right of the last cell of all
}

// The same code for processors with more.
#define SPANWISE_WORD_COUNTS(name, attributes)                                                                         \
  attributes SetTotals name##Cells(const std::uint64_t* words, std::int64_t numWords) {                                \
    return countCells(words, numWords);                                                                                \
  }                                                                                                                    \
  attributes std::int64_t name##Nodes(const std::uint64_t* const* rows, int numRows, std::int64_t numWords) {          \
    return countNodes(rows, numRows, numWords);                                                                        \
  }                                                                                                                    \
  constexpr WordCounts name##Counts{name##Cells, name##Nodes};

SPANWISE_WORD_COUNTS(any, )

#if defined(__x86_64__) && defined(__GNUC__)
#define SPANWISE_HAS_INSTRUCTION_SETS
SPANWISE_WORD_COUNTS(popcnt, __attribute__((target("popcnt"))))
SPANWISE_WORD_COUNTS(vectors, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,popcnt"))))
#endif

} // namespace

const WordCounts& wordCounts() {
#ifdef SPANWISE_HAS_INSTRUCTION_SETS
  static const WordCounts& counts = __builtin_cpu_supports("avx512vpopcntdq") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0
    ? vectorsCounts
    : __builtin_cpu_supports("popcnt") != 0 ? popcntCounts
                                            : anyCounts;
  return counts;
#else
  return anyCounts;
#endif
}

} // namespace spanwise::geometry::detail
