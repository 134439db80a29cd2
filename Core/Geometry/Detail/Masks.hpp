#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/MaskImage.hpp"
#include "Core/Geometry/Detail/PlaceMasksOnHost.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/ForEach.hpp"

#include <utility>

namespace spanwise::geometry::detail {

// Unions and intersections of moved rows on bit masks, for noise: where runs are short, a word of 64 cells is combined
// in less time than one of the many intervals that it holds.

template <int Dim>
struct ClearWord {
  MaskImage<Dim> image;

  KOKKOS_FUNCTION void operator()(std::int64_t word) const { image.words[word] = 0; }
};

template <int Dim>
struct DrawRow {
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

/// Draws a set on masks. What lies beyond the box along x is left out; no row does along other axes.
template <class Space, int Dim>
void drawIntervals(const Space& space, const IntervalSetView<Dim>& set, const MaskImage<Dim>& image) {
  const std::int64_t numWords = image.box.numRows() * image.wordsPerRow;
  forEach(SPANWISE_KERNEL("clear masks"), IndexRange<Space>(space, 0, numWords), ClearWord<Dim>{image});
  forEach(SPANWISE_KERNEL("draw intervals"), IndexRange<Space>(space, 0, set.numRows), DrawRow<Dim>{set, image},
    Work{set.numIntervals});
}

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

/// The widest window along x that is made on masks.
inline constexpr std::int64_t widestSpread = cellsPerWord;

/// Each cell x becomes the union or intersection of the cells x + first to x + first + window - 1 of its row. Outside
/// of the box all is empty.
template <int Dim>
struct SpreadMasks {
  MaskImage<Dim> from;
  std::uint64_t* to;
  std::int64_t first;
  std::int64_t window; ///< at most widestSpread: then what a word needs lies in 128 cells
  bool isUnion;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const std::int64_t n = from.wordsPerRow;
    const std::uint64_t* const in = from.words + r * n;
    std::uint64_t* const out = to + r * n;
    const std::int64_t shift = (first % cellsPerWord + cellsPerWord) % cellsPerWord;
    const std::int64_t firstWord = (first - shift) / cellsPerWord;
    const auto wordAt = [&](std::int64_t w) { return w >= 0 && w < n ? in[w] : 0; };
    std::uint64_t here = wordAt(firstWord);
    std::uint64_t next = wordAt(firstWord + 1);
    for (std::int64_t w = 0; w < n; ++w) {
      const std::uint64_t afterNext = wordAt(firstWord + w + 2);
      std::uint64_t low = moved(here, next, shift);
      std::uint64_t high = moved(next, afterNext, shift);
      for (std::int64_t size = 1; size < window;) {
        const std::int64_t step = Kokkos::min(size, window - size);
        const std::uint64_t movedLow = moved(low, high, step);
        low = isUnion ? low | movedLow : low & movedLow;
        high = isUnion ? high | high >> step : high & high >> step; // the last cells are of no use any more
        size += step;
      }
      out[w] = low;
      here = next;
      next = afterNext;
    }
  }

private:
  /// The 64 cells from bit `by` of `low` on; 0 <= by < 64.
  KOKKOS_FUNCTION static std::uint64_t moved(std::uint64_t low, std::uint64_t high, std::int64_t by) {
    return low >> by | high << 1U << (cellsPerWord - 1 - by);
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

/// Masks of a set on the way to a result. `Frame` gives their memory. On the host they may be placed `asOnDevice` too,
/// for tests.
template <class Space, int Dim, bool asOnDevice, class Frame>
class Masks {
public:
  /// `box` holds the rows of all sets that are drawn, and the result.
  Masks(const Space& space, const Box<Dim>& box, Frame& frame)
    : space_(space), frame_(frame), set_{inWholeWords(box), maskWordsPerRow(box), nullptr} {
    set_.words = newWords();
    spread_ = newWords();
    sum_ = newWords();
  }

  /// Takes a set. O(words + rows + intervals).
  void draw(const IntervalSetView<Dim>& set) { drawIntervals(space_, set, set_); }

  // A factor of an element is a spread, and then either windows or a sum of rows.

  /// Each cell x becomes the union or intersection of the cells x + first to x + last, at most widestSpread. O(words
  /// log(last - first)).
  void spread(SetOperation operation, std::int64_t first, std::int64_t last) {
    forEach(SPANWISE_KERNEL("spread masks"), overRows(),
      SpreadMasks<Dim>{set_, spread_, first, last - first + 1, operation == SetOperation::Union}, Work{numWords()});
  }

  /// Each row of what is spread becomes the union or intersection of those within the radius along an axis. O(words
  /// times radius).
  void combineWindows(SetOperation operation, int axis, std::int64_t radius) {
    if (radius > 0) {
      forEach(SPANWISE_KERNEL("combine masks"), overRows(),
        CombineMasks<Dim>{image(spread_), sum_, axis, radius, operation == SetOperation::Union},
        Work{numWords() * radius});
      takeSum();
    }
  }

  /// Adds what is spread, with its rows moved, to a sum. O(words).
  void add(SetOperation operation, std::int64_t offsetY, std::int64_t offsetZ, bool isFirst) {
    forEach(SPANWISE_KERNEL("add masks"), overRows(),
      AddMasks<Dim>{image(spread_), sum_, offsetY, offsetZ, operation == SetOperation::Union, isFirst},
      Work{numWords()});
  }
  void takeSum() { std::swap(spread_, sum_); }

  /// Goes on with what the factor has made.
  void endFactor() { std::swap(set_.words, spread_); }

  /// The result as a set, in arrays that makeTarget(rows, intervals) gives. `likely` is about how many intervals it
  /// has.
  template <class MakeTarget>
  SetTotals place([[maybe_unused]] std::int64_t likely, const MakeTarget& makeTarget) const {
    if constexpr (asOnDevice) {
      return placeMarks<Space, Dim>(space_, set_.box, set_, frame_, makeTarget);
    } else {
      return placeMasksOnHost<Space, Dim>(space_, set_, likely, frame_, makeTarget);
    }
  }

private:
  [[nodiscard]] std::int64_t numWords() const { return set_.box.numRows() * set_.wordsPerRow; }
  [[nodiscard]] std::uint64_t* newWords() { return frame_.template array<std::uint64_t>(numWords()).data(); }
  [[nodiscard]] MaskImage<Dim> image(std::uint64_t* words) const { return {set_.box, set_.wordsPerRow, words}; }
  [[nodiscard]] IndexRange<Space> overRows() const { return IndexRange<Space>(space_, 0, set_.box.numRows()); }

  const Space& space_;
  Frame& frame_;
  MaskImage<Dim> set_;
  std::uint64_t* spread_;
  std::uint64_t* sum_;
};

} // namespace spanwise::geometry::detail
