#pragma once

#include "Core/Geometry/Interval.hpp"
#include "Core/Geometry/RowMarks.hpp"

#include <algorithm>
#include <cstdint>

namespace spanwise::geometry::detail {

/// The rows of a box as masks of equal length. Bit b of word w of a row is the cell box.begin[0] + 64 w + b.
template <int Dim>
struct MaskImage {
  Box<Dim> box; ///< box.begin[0] is a multiple of 64
  std::int64_t wordsPerRow;
  std::uint64_t* words; ///< [box.numRows()][wordsPerRow]

  struct Row {
    const std::uint64_t* words;
    [[nodiscard]] KOKKOS_FUNCTION std::uint64_t word(std::int64_t first) const { return words[first / cellsPerWord]; }
  };
  [[nodiscard]] KOKKOS_FUNCTION Row row(std::int64_t r) const { return {words + r * wordsPerRow}; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t indexOf(const RowKey<Dim>& key) const {
    const std::int64_t y = static_cast<std::int64_t>(key.y) - box.begin[1];
    return Dim == 2 ? y : y + (static_cast<std::int64_t>(key.zOr0()) - box.begin[Dim - 1]) * box.extent(1);
  }
};

/// The box with its cells along x widened to whole words, as far as coordinates reach.
template <int Dim>
Box<Dim> inWholeWords(Box<Dim> box) {
  const std::int64_t begin = box.begin[0];
  const std::int64_t end = box.end[0];
  const std::int64_t past = (begin % cellsPerWord + cellsPerWord) % cellsPerWord;
  const std::int64_t left = (cellsPerWord - (end % cellsPerWord + cellsPerWord) % cellsPerWord) % cellsPerWord;
  box.begin[0] = static_cast<Coordinate>(begin - past);
  box.end[0] = static_cast<Coordinate>(std::min<std::int64_t>(end + left, maxIntervalEnd));
  return box;
}

template <int Dim>
std::int64_t maskWordsPerRow(const Box<Dim>& box) {
  return (inWholeWords(box).extent(0) + cellsPerWord - 1) / cellsPerWord;
}

/// Whether a box that is not empty has at most so many rows; their number itself might not fit.
template <int Dim>
bool hasAtMostRows(const Box<Dim>& box, std::int64_t most) {
  return box.extent(1) <= most && (Dim == 2 || box.extent(Dim - 1) <= most / box.extent(1));
}

/// Whether its mask has at most so many words.
template <int Dim>
bool maskHasAtMost(const Box<Dim>& box, std::int64_t words) {
  return hasAtMostRows(box, words / maskWordsPerRow(box));
}

} // namespace spanwise::geometry::detail
