#pragma once

#include "Core/Geometry/RowCursor.hpp"

#include <algorithm>
#include <cstdint>

namespace spanwise::geometry::detail {

// Rows of noise on the host, by words of 64 cells: endpoints are toggled in words, of which the exclusive or of all
// bits below each makes cells; the operation is done on words, and the bits at which cells change are unpacked to
// endpoints. That takes a product without carry and the compression of a vector (AVX-512 VBMI2: Intel since Ice Lake,
// AMD since Zen 4), which are looked for when the program runs. Without them a merge of endpoints is as fast.

struct WordInstructions {
  /// Writes the endpoints of A op B for two rows that are not empty, and nothing behind them; returns where they end.
  Coordinate* (*mergeRows)(unsigned truthTable, const IntervalRow& a, const IntervalRow& b, Coordinate* out);

  /// The same for the cells of words, of which the first begins at the cell `begin` and the last ends at `end` at most.
  Coordinate* (*endpointsOfWords)(
    const std::uint64_t* words, std::int64_t numWords, std::int64_t begin, Coordinate end, Coordinate* out);

  /// The way back: the cells between the endpoints of intervals, which lie in so many words from the cell `begin` on.
  void (*wordsOfEndpoints)(const Coordinate* endpoints, std::int64_t numEndpoints, std::int64_t begin,
    std::uint64_t* words, std::int64_t numWords);
};

/// nullptr where this processor, or the compiler, does not have them.
const WordInstructions* wordInstructions();

/// Whether two rows that are not empty are merged faster by words: where they have at least two intervals each, on
/// average, in two words.
inline bool isNoise(const IntervalRow& a, const IntervalRow& b) {
  constexpr std::int64_t minEndpoints = 16;
  constexpr std::int64_t endpointsPerWord = 4;
  const std::int64_t size = a.size() + b.size();
  if (size < minEndpoints || a.size() == 0 || b.size() == 0) {
    return false;
  }
  const std::int64_t begin = std::min(a.endpoint(0), b.endpoint(0));
  const std::int64_t end = std::max(a.endpoint(a.size() - 1), b.endpoint(b.size() - 1));
  return size >= endpointsPerWord * ((end >> 6) - (begin >> 6) + 1);
}

} // namespace spanwise::geometry::detail
