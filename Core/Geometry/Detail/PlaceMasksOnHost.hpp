#pragma once

#include "Core/Geometry/Detail/MaskImage.hpp"
#include "Core/Geometry/Detail/WordInstructions.hpp"
#include "Core/Geometry/HostParts.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace spanwise::geometry::detail {

// Masks become intervals in one pass on the host, over as many parts as there are threads.

/// Writes the ends of the intervals of a row of words, of which the first begins at the cell `begin` and the last ends
/// at `end` at most; returns where they end.
inline Coordinate* endpointsOfWords(
  const std::uint64_t* words, std::int64_t numWords, std::int64_t begin, Coordinate end, Coordinate* out) {
  std::uint64_t before = 0; // the last cell of the word before
  for (std::int64_t w = 0; w < numWords; ++w) {
    const std::uint64_t marks = words[w];
    const std::int64_t first = begin + cellsPerWord * w;
    for (std::uint64_t changes = marks ^ (marks << 1U | before); changes != 0; changes &= changes - 1) {
      *out++ = static_cast<Coordinate>(first + std::countr_zero(changes));
    }
    before = marks >> 63U;
  }
  if (before != 0) {
    *out++ = end;
  }
  return out;
}

/// The way back: the cells between the endpoints of intervals, which lie in so many words from the cell `begin` on.
inline void wordsOfEndpoints(const Coordinate* endpoints, std::int64_t numEndpoints, std::int64_t begin,
  std::uint64_t* words, std::int64_t numWords) {
  std::fill_n(words, numWords, 0);
  for (std::int64_t k = 0; k < numEndpoints; k += 2) {
    const std::int64_t first = endpoints[k] - begin;
    const std::int64_t last = endpoints[k + 1] - begin - 1;
    const std::int64_t lastWord = last / cellsPerWord;
    std::uint64_t marks = ~std::uint64_t{0} << (first % cellsPerWord);
    for (std::int64_t w = first / cellsPerWord; w < lastWord; ++w) {
      words[w] |= marks;
      marks = ~std::uint64_t{0};
    }
    words[lastWord] |= marks & (~std::uint64_t{0} >> (cellsPerWord - 1 - last % cellsPerWord));
  }
}

inline std::int64_t countIntervalsOfWords(const std::uint64_t* words, std::int64_t numWords) {
  std::int64_t count = 0;
  std::uint64_t before = 0;
  for (std::int64_t w = 0; w < numWords; ++w) {
    count += std::popcount(words[w] & ~(words[w] << 1U | before));
    before = words[w] >> 63U;
  }
  return count;
}

/// Rows of a mask image, and room for their intervals.
template <int Dim>
struct MaskPart {
  std::int64_t firstRow;
  std::int64_t endRow;
  WritableIntervalSet<Dim> out;
  std::int64_t maxRows; ///< of `out`
  std::int64_t maxIntervals;
};

/// Makes the intervals of a part: writes while there is room, and counts on when there is none.
template <int Dim>
SetTotals placeMaskPart(const MaskImage<Dim>& image, const MaskPart<Dim>& part) {
  const WritableIntervalSet<Dim>& out = part.out;
  const WordInstructions* const instructions = wordInstructions();
  const auto endpointsOf = instructions != nullptr ? instructions->endpointsOfWords : endpointsOfWords;
  SetTotals done;
  bool lacksRoom = false;
  for (std::int64_t r = part.firstRow; r < part.endRow; ++r) {
    const std::uint64_t* const words = image.words + r * image.wordsPerRow;
    const std::int64_t most = image.wordsPerRow * (cellsPerWord / 2) + 1;
    if (lacksRoom || done.rows == part.maxRows || done.intervals + most > part.maxIntervals) {
      const std::int64_t count = countIntervalsOfWords(words, image.wordsPerRow);
      lacksRoom = lacksRoom || done.rows == part.maxRows || done.intervals + count > part.maxIntervals;
      if (lacksRoom) {
        done += {1, count, 0};
        continue;
      }
    }
    auto* const begin = reinterpret_cast<Coordinate*>(out.intervals + done.intervals);
    const Coordinate* const end = endpointsOf(words, image.wordsPerRow, image.box.begin[0], image.box.end[0], begin);
    if (end > begin) {
      out.rowKeys[done.rows] = image.box.row(r);
      out.rowOffsets[done.rows] = done.intervals;
      ++done.rows;
      const std::int64_t last = done.intervals + (end - begin) / 2;
      for (; done.intervals < last; ++done.intervals) {
        const Interval interval = out.intervals[done.intervals];
        out.cellOffsets[done.intervals] = done.cells;
        done.cells += static_cast<std::int64_t>(interval.end) - interval.begin;
      }
    }
  }
  return done;
}

/// placeMarks() of a mask image on the host. `likely` is about how many intervals there are: where there are more, the
/// pass is made twice.
template <class Space, int Dim, class Frame, class MakeTarget>
SetTotals placeMasksOnHost(
  const Space& space, const MaskImage<Dim>& image, std::int64_t likely, Frame& frame, const MakeTarget& makeTarget) {
  const std::int64_t numRows = image.box.numRows();
  const int numParts = partsOnHost(space, numRows * image.wordsPerRow);
  const auto parts = frame.template array<MaskPart<Dim>>(numParts);
  for (int p = 0; p < numParts; ++p) {
    parts(p) = {};
    parts(p).firstRow = numRows * p / numParts;
    parts(p).endRow = numRows * (p + 1) / numParts;
    parts(p).maxRows = parts(p).endRow - parts(p).firstRow;
    parts(p).maxIntervals = likely / numParts + likely / (8 * numParts) + 1;
  }
  return placeParts<Dim>(
    space, SPANWISE_KERNEL("place masks"), parts, [&](const MaskPart<Dim>& part) { return placeMaskPart(image, part); },
    frame, makeTarget);
}

} // namespace spanwise::geometry::detail
