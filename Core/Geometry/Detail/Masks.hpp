#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Geometry/Detail/RowMarks.hpp"
#include "Core/Geometry/IntervalSet.hpp"

#include <algorithm>
#include <utility>

namespace spanwise::detail {

// Unions and intersections of moved rows on bit masks, for noise: where runs are short, a word of 64 cells is combined
// in less time than one of the many intervals that it holds.

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

template <int Dim>
struct ClearMasks {
  MaskImage<Dim> image;
  KOKKOS_FUNCTION void operator()(std::int64_t word) const { image.words[word] = 0; }
};

/// What lies beyond the box along x is left out; no row does along other axes.
template <int Dim>
struct DrawIntervals {
  IntervalSetView<Dim> set;
  MaskImage<Dim> image;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    std::uint64_t* const words = image.words + image.indexOf(set.rowKeys[r]) * image.wordsPerRow;
    for (std::int64_t i = set.rowOffsets[r]; i < set.rowOffsets[r + 1]; ++i) {
      const std::int64_t origin = image.box.begin[0];
      const std::int64_t begin = Kokkos::max<std::int64_t>(set.intervals[i].begin - origin, 0);
      const std::int64_t last = Kokkos::min(set.intervals[i].end - origin, image.box.extent(0)) - 1;
      if (last < begin) {
        continue;
      }
      const std::int64_t lastWord = last / cellsPerWord;
      std::uint64_t marks = ~std::uint64_t{0} << (begin % cellsPerWord);
      for (std::int64_t w = begin / cellsPerWord; w < lastWord; ++w) {
        words[w] |= marks;
        marks = ~std::uint64_t{0};
      }
      words[lastWord] |= marks & (~std::uint64_t{0} >> (cellsPerWord - 1 - last % cellsPerWord));
    }
  }
};

/// Each row becomes the union or intersection of those within the radius along an axis. Outside of the box all is
/// empty.
template <int Dim>
struct CombineMasks {
  MaskImage<Dim> from;
  std::uint64_t* to;
  int axis;
  std::int64_t radius;
  bool isUnion;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const std::int64_t numY = from.box.extent(1);
    const std::int64_t stride = axis == 1 ? 1 : numY;
    const std::int64_t place = axis == 1 ? r % numY : r / numY;
    const std::int64_t count = axis == 1 ? numY : from.box.extent(Dim - 1);
    const std::int64_t first = Kokkos::max<std::int64_t>(place - radius, 0);
    const std::int64_t last = Kokkos::min(place + radius, count - 1);
    const std::int64_t n = from.wordsPerRow;
    std::uint64_t* const out = to + r * n;
    const std::uint64_t* in = from.words + (r + (first - place) * stride) * n;
    const bool outside = !isUnion && last - first < 2 * radius;
    for (std::int64_t w = 0; w < n; ++w) {
      out[w] = outside ? 0 : in[w];
    }
    for (std::int64_t k = first + 1; k <= last && !outside; ++k) {
      in += stride * n;
      if (isUnion) {
        for (std::int64_t w = 0; w < n; ++w) {
          out[w] |= in[w];
        }
      } else {
        for (std::int64_t w = 0; w < n; ++w) {
          out[w] &= in[w];
        }
      }
    }
  }
};

/// sum = sum op rows moved by an offset. Outside of the box all is empty.
template <int Dim>
struct AddMasks {
  MaskImage<Dim> from;
  std::uint64_t* sum;
  std::int64_t offsetY;
  std::int64_t offsetZ;
  bool isUnion;
  bool isFirst; ///< sum = the moved rows

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const std::int64_t numY = from.box.extent(1);
    const std::int64_t numZ = Dim == 2 ? 1 : from.box.extent(Dim - 1);
    const std::int64_t y = r % numY - offsetY;
    const std::int64_t z = r / numY - offsetZ;
    const bool inside = y >= 0 && y < numY && z >= 0 && z < numZ;
    const std::int64_t n = from.wordsPerRow;
    const std::uint64_t* const in = from.words + (inside ? y + z * numY : 0) * n;
    const std::uint64_t mask = inside ? ~std::uint64_t{0} : 0;
    std::uint64_t* const out = sum + r * n;
    for (std::int64_t w = 0; w < n; ++w) {
      const std::uint64_t word = in[w] & mask;
      out[w] = isFirst ? word : isUnion ? out[w] | word : out[w] & word;
    }
  }
};

/// Masks of a set on the way to a result. `Frame` gives their memory.
template <class Space, int Dim, class Frame>
class Masks {
public:
  /// `box` holds the rows of all sets that are drawn, and the result.
  Masks(const Space& space, const Box<Dim>& box, Frame& frame)
    : space_(space), frame_(frame), image_{inWholeWords(box), maskWordsPerRow(box), nullptr} {
    image_.words = frame.template array<std::uint64_t>(numWords()).data();
    spare_ = frame.template array<std::uint64_t>(numWords()).data();
  }

  /// Takes another set. O(words + rows + intervals).
  void draw(const IntervalSetView<Dim>& set) {
    Kokkos::parallel_for(SPANWISE_KERNEL("clear masks"), Range<Space>(space_, 0, numWords()), ClearMasks<Dim>{image_});
    Kokkos::parallel_for(
      SPANWISE_KERNEL("draw intervals"), Range<Space>(space_, 0, set.numRows), DrawIntervals<Dim>{set, image_});
  }

  /// Each row becomes the union or intersection of those within the radius along an axis. O(words times radius).
  void combineWindows(SetOperation operation, int axis, std::int64_t radius) {
    Kokkos::parallel_for(SPANWISE_KERNEL("combine masks"), overRows(),
      CombineMasks<Dim>{image_, spare_, axis, radius, operation == SetOperation::Union});
    takeSum();
  }

  /// Adds the set, with its rows moved, to a sum. O(words).
  void add(SetOperation operation, std::int64_t offsetY, std::int64_t offsetZ, bool isFirst) {
    Kokkos::parallel_for(SPANWISE_KERNEL("add masks"), overRows(),
      AddMasks<Dim>{image_, spare_, offsetY, offsetZ, operation == SetOperation::Union, isFirst});
  }

  /// Goes on with the sum.
  void takeSum() { std::swap(image_.words, spare_); }

  /// placeMarks().
  template <class MakeTarget>
  SetTotals place(const MakeTarget& makeTarget) const {
    return placeMarks<Space, Dim>(space_, image_.box, image_, frame_, makeTarget);
  }

private:
  [[nodiscard]] std::int64_t numWords() const { return image_.box.numRows() * image_.wordsPerRow; }
  [[nodiscard]] Range<Space> overRows() const { return Range<Space>(space_, 0, image_.box.numRows()); }

  const Space& space_;
  Frame& frame_;
  MaskImage<Dim> image_;
  std::uint64_t* spare_;
};

} // namespace spanwise::detail
