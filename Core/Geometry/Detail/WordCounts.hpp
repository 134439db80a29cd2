#pragma once

#include "Core/Geometry/SetTotals.hpp"

#include <cstdint>

namespace spanwise::geometry::detail {

// Counts of bits in rows of words on the host, by the processor's instruction for it. What any x86-64 has takes ten
// operations a word instead.

struct WordCounts {
  /// The intervals and cells of a row of words.
  SetTotals (*ofCells)(const std::uint64_t* words, std::int64_t numWords);

  /// The nodes on the line between rows of cells: those at either end of a cell of any row. One more word than the rows
  /// have is not needed.
  std::int64_t (*ofNodes)(const std::uint64_t* const* rows, int numRows, std::int64_t numWords);
};

/// For this processor.
const WordCounts& wordCounts();

} // namespace spanwise::geometry::detail
