#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/SetTotals.hpp"

#include <cstdint>

namespace spanwise::geometry::detail {

/// Loops over rows of words on the host, by what the processor has: vectors, and an instruction that counts bits. What
/// any x86-64 has takes ten operations a word instead.
struct WordLoops {
  /// to = to op from.
  void (*combine)(SetOperation operation, const std::uint64_t* from, std::int64_t numWords, std::uint64_t* to);

  /// The intervals and cells of a row.
  SetTotals (*countCells)(const std::uint64_t* words, std::int64_t numWords);

  /// The nodes on the line between rows of cells: those at either end of a cell of any row.
  std::int64_t (*countNodes)(const std::uint64_t* const* rows, int numRows, std::int64_t numWords);
};

/// For this processor.
const WordLoops& wordLoops();
/// For any.
const WordLoops& plainWordLoops();

} // namespace spanwise::geometry::detail
