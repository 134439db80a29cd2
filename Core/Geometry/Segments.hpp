#pragma once

#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Search.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// Cells in a row of segments of any lengths, as kernels see them. The cells of all segments are numbered one after the
/// other: those of segment s from offsets[s] to offsets[s + 1].
struct SegmentsView {
  static constexpr int mostChunkBits = 8;

  const std::int64_t* offsets = nullptr; ///< [count + 1] ascending without repetition
  const std::int64_t* ofChunk = nullptr; ///< [chunks + 1] the segment of the first cell of each chunk, and the last one
  std::int64_t count = 0;
  std::int64_t numCells = 0;
  int chunkBits = mostChunkBits; ///< chunks have 2^chunkBits cells

  /// The segment that holds cell k. O(log segments of the cell's chunk): O(1) where segments are long.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t segmentOf(std::int64_t k) const {
    const std::int64_t* const chunk = ofChunk + (k >> chunkBits);
    return firstAbove(offsets, chunk[0] + 1, chunk[1] + 1, k) - 1;
  }

  /// Calls piece(s, begin, end) for each piece of a segment within the cells [first, last): the cells begin ... end - 1
  /// of segment s, counted from its first.
  template <class Piece>
  KOKKOS_FUNCTION void forPieces(std::int64_t first, std::int64_t last, const Piece& piece) const {
    if (first >= last) {
      return;
    }
    for (std::int64_t s = segmentOf(first); first < last; ++s) {
      const std::int64_t end = Kokkos::min(offsets[s + 1], last);
      piece(s, first - offsets[s], end - offsets[s]);
      first = end;
    }
  }
};

namespace detail {

struct FindSegmentOfChunk {
  SegmentsView segments;
  std::int64_t* ofChunk;

  KOKKOS_FUNCTION void operator()(std::int64_t chunk) const {
    const std::int64_t k = Kokkos::min(chunk << segments.chunkBits, segments.numCells - 1);
    ofChunk[chunk] = firstAbove(segments.offsets, 0, segments.count + 1, k) - 1;
  }
};

} // namespace detail

/// The lengths of segments, in a form in which a kernel finds the segment of a cell at once: work is spread evenly over
/// cells, whether segments are few and long or many and short. Keeps its memory; copies share it.
template <class MemorySpace>
class Segments {
public:
  [[nodiscard]] std::int64_t count() const { return view_.count; }
  [[nodiscard]] std::int64_t numCells() const { return view_.numCells; }
  [[nodiscard]] SegmentsView view() const { return view_; }
  [[nodiscard]] std::size_t bytes() const { return (offsets_.span() + ofChunk_.span()) * sizeof(std::int64_t); }

  /// Makes room for so many segments, and empties this. The caller writes offsets 0 ... count and calls finish().
  std::int64_t* prepare(std::int64_t count) {
    view_ = {};
    reserve(offsets_, count + 1, SPANWISE_LABEL("Geometry::segmentOffsets"));
    return offsets_.data();
  }

  /// Declares the offsets to be written. O(cells / 256 * log segments); on a device up to O(segments log segments).
  template <class ExecutionSpace>
  void finish(const ExecutionSpace& space, std::int64_t count, std::int64_t numCells) {
    if (numCells == 0) {
      return;
    }
    int chunkBits = SegmentsView::mostChunkBits;
    if constexpr (!runsOnHost<ExecutionSpace>) { // each thread looks for its segment, in places far apart
      while (chunkBits > leastChunkBits && numCells >> chunkBits < count) {
        --chunkBits;
      }
    }
    const std::int64_t chunks = ((numCells - 1) >> chunkBits) + 1;
    reserve(ofChunk_, chunks + 1, SPANWISE_LABEL("Geometry::segmentOfChunk"));
    view_ = {offsets_.data(), ofChunk_.data(), count, numCells, chunkBits};
    forEach(SPANWISE_KERNEL("segment chunks"), IndexRange<ExecutionSpace>(space, 0, chunks + 1),
      detail::FindSegmentOfChunk{view_, ofChunk_.data()});
  }

  /// Makes this no segments; keeps the memory.
  void clear() { view_ = {}; }

private:
  static constexpr int leastChunkBits = 3;

  Kokkos::View<std::int64_t*, MemorySpace> offsets_;
  Kokkos::View<std::int64_t*, MemorySpace> ofChunk_;
  SegmentsView view_;
};

} // namespace spanwise::geometry
