#include "Core/Geometry/Detail/WordLoops.hpp"

#include <bit>

namespace spanwise::geometry::detail {

namespace {

#ifdef __GNUC__
#define SPANWISE_INLINED_INTO __attribute__((always_inline)) inline
#else
#define SPANWISE_INLINED_INTO inline
#endif

SPANWISE_INLINED_INTO std::int64_t numBits(std::uint64_t word) { return std::popcount(word); }

SPANWISE_INLINED_INTO void combineWords(
  SetOperation operation, const std::uint64_t* from, std::int64_t numWords, std::uint64_t* to) {
  const auto each = [&](const auto& combined) __attribute__((always_inline)) {
    for (std::int64_t w = 0; w < numWords; ++w) {
      to[w] = combined(to[w], from[w]);
    }
  };
  switch (operation) {
  case SetOperation::Union:
    return each([](std::uint64_t a, std::uint64_t b) { return a | b; });
  case SetOperation::Intersection:
    return each([](std::uint64_t a, std::uint64_t b) { return a & b; });
  case SetOperation::Difference:
    return each([](std::uint64_t a, std::uint64_t b) { return a & ~b; });
  case SetOperation::SymmetricDifference:
    return each([](std::uint64_t a, std::uint64_t b) { return a ^ b; });
  }
}

SPANWISE_INLINED_INTO SetTotals countCellsOf(const std::uint64_t* words, std::int64_t numWords) {
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

/// The cells of any row lie at cellsAt(w).
template <class CellsAt>
SPANWISE_INLINED_INTO std::int64_t countNodesOf(std::int64_t numWords, const CellsAt& cellsAt) {
  std::int64_t count = numBits(cellsAt(0) | cellsAt(0) << 1U);
  for (std::int64_t w = 1; w < numWords; ++w) {
    count += numBits(cellsAt(w) | cellsAt(w) << 1U | cellsAt(w - 1) >> 63U);
  }
  return count + static_cast<std::int64_t>(cellsAt(numWords - 1) >> 63U); // right of the last cell of all
}

SPANWISE_INLINED_INTO std::int64_t countNodesOfRows(
  const std::uint64_t* const* rows, int numRows, std::int64_t numWords) {
  const std::uint64_t* const a = rows[0];
  const std::uint64_t* const b = rows[numRows > 1 ? 1 : 0];
  if (numRows <= 2) {
    return countNodesOf(numWords, [=](std::int64_t w) { return a[w] | b[w]; });
  }
  const std::uint64_t* const c = rows[2];
  const std::uint64_t* const d = rows[numRows > 3 ? 3 : 2];
  return countNodesOf(numWords, [=](std::int64_t w) { return a[w] | b[w] | c[w] | d[w]; });
}

// The same code for processors with more.
#define SPANWISE_WORD_LOOPS(name, attributes)                                                                          \
  attributes void name##Combine(                                                                                       \
    SetOperation operation, const std::uint64_t* from, std::int64_t numWords, std::uint64_t* to) {                     \
    combineWords(operation, from, numWords, to);                                                                       \
  }                                                                                                                    \
  attributes SetTotals name##Cells(const std::uint64_t* words, std::int64_t numWords) {                                \
    return countCellsOf(words, numWords);                                                                              \
  }                                                                                                                    \
  attributes std::int64_t name##Nodes(const std::uint64_t* const* rows, int numRows, std::int64_t numWords) {          \
    return countNodesOfRows(rows, numRows, numWords);                                                                  \
  }                                                                                                                    \
  constexpr WordLoops name##Loops{name##Combine, name##Cells, name##Nodes};

SPANWISE_WORD_LOOPS(any, )

#if defined(__x86_64__) && defined(__GNUC__)
#define SPANWISE_HAS_INSTRUCTION_SETS
SPANWISE_WORD_LOOPS(popcnt, __attribute__((target("popcnt"))))
SPANWISE_WORD_LOOPS(vectors, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,popcnt"))))
#endif

} // namespace

const WordLoops& plainWordLoops() { return anyLoops; }

const WordLoops& wordLoops() {
#ifdef SPANWISE_HAS_INSTRUCTION_SETS
  static const WordLoops& loops = __builtin_cpu_supports("avx512vpopcntdq") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0
    ? vectorsLoops
    : __builtin_cpu_supports("popcnt") != 0 ? popcntLoops
                                            : anyLoops;
  return loops;
#else
  return anyLoops;
#endif
}

} // namespace spanwise::geometry::detail
