#pragma once

#include "Core/Geometry/Detail/Masks.hpp"
#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/Measures.hpp"

#include <algorithm>
#include <vector>

namespace spanwise::detail {

// Several operations on sets of noise: the sets are drawn as masks, the operations done on words, and only the result
// is made intervals again.

/// From so many operations on, as to draw two sets and to make intervals of the result takes as long as one operation
/// on intervals does.
inline constexpr std::size_t leastOperationsOnMasks = 2;

template <int Dim>
Box<Dim> boxAround(const Box<Dim>& a, const Box<Dim>& b) {
  if (a.empty() || b.empty()) {
    return a.empty() ? b : a;
  }
  Box<Dim> box = a;
  for (int d = 0; d < Dim; ++d) {
    box.begin[d] = std::min(a.begin[d], b.begin[d]);
    box.end[d] = std::max(a.end[d], b.end[d]);
  }
  return box;
}

/// Whether sets are noise: on average they have no fewer intervals than the box around all of them has words of 64
/// cells. The rule of morph(). Afterwards `box` is that box.
template <class Space, int Dim>
bool areNoise(const Space& space, const std::vector<IntervalSetOn<Dim, Space>>& sets, Box<Dim>& box) {
  std::int64_t intervals = 0;
  std::int64_t rows = 0;
  for (const IntervalSetOn<Dim, Space>& set : sets) {
    intervals += set.numIntervals();
    rows += set.numRows();
  }
  if (intervals == 0 || intervals < rows) { // each row has a word at least: no need to look closer
    return false;
  }
  box = {};
  for (const IntervalSetOn<Dim, Space>& set : sets) {
    box = boxAround(box, boundingBox<Space, Dim>(space, set));
  }
  const std::int64_t mostRows = intervals / std::ssize(sets) / maskWordsPerRow(box);
  return box.extent(1) <= mostRows && (Dim == 2 || box.extent(Dim - 1) <= mostRows / box.extent(1));
}

struct CombineImages {
  std::uint64_t* a;
  const std::uint64_t* b;
  std::uint64_t onlyA; ///< all bits where the cells of A alone are in the result
  std::uint64_t onlyB;
  std::uint64_t both;

  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    a[w] = (a[w] & ~b[w] & onlyA) | (b[w] & ~a[w] & onlyB) | (a[w] & b[w] & both);
  }
};

/// Masks of sets within a box. `Frame` gives their memory, which is used again.
template <class Space, int Dim, class Frame>
class SetsOnMasks {
public:
  SetsOnMasks(const Space& space, const Box<Dim>& box, Frame& frame)
    : space_(space), frame_(frame), box_(inWholeWords(box)), wordsPerRow_(maskWordsPerRow(box)) {}

  /// The masks of a set.
  std::uint64_t* drawn(const IntervalSetView<Dim>& set) {
    std::uint64_t* const words = taken();
    const MaskImage<Dim> image{box_, wordsPerRow_, words};
    forEach(SPANWISE_KERNEL("clear masks"), Range<Space>(space_, 0, numWords()), ClearMasks<Dim>{image});
    forEach(SPANWISE_KERNEL("draw intervals"), Range<Space>(space_, 0, set.numRows), DrawIntervals<Dim>{set, image});
    return words;
  }

  /// a = A op B. The memory of `b` is used again.
  void combine(unsigned truthTable, std::uint64_t* a, std::uint64_t* b) {
    const auto all = [](unsigned bit) { return bit != 0 ? ~std::uint64_t{0} : 0; };
    forEach(SPANWISE_KERNEL("combine images"), Range<Space>(space_, 0, numWords()),
      CombineImages{a, b, all(holds(truthTable, 1, 0)), all(holds(truthTable, 0, 1)), all(holds(truthTable, 1, 1))});
    if (numSpare_ < mostSpare) {
      spare_[numSpare_++] = b;
    }
  }

  /// The set of masks. `likely` is about how many intervals it has.
  void place(std::uint64_t* words, std::int64_t likely, IntervalSetOn<Dim, Space>& out) {
    out.clear();
    const MaskImage<Dim> image{box_, wordsPerRow_, words};
    const auto makeTarget = [&](std::int64_t rows, std::int64_t intervals) { return out.prepare(rows, intervals); };
    SetTotals totals;
    if constexpr (runsOnHost<Space>) {
      totals = placeMasksOnHost<Space, Dim>(space_, image, likely, frame_, makeTarget);
    } else {
      totals = placeMarks<Space, Dim>(space_, box_, image, frame_, makeTarget);
    }
    out.finish(totals.rows, totals.intervals, totals.cells);
  }

private:
  static constexpr int mostSpare = 32;

  [[nodiscard]] std::int64_t numWords() const { return box_.numRows() * wordsPerRow_; }
  [[nodiscard]] std::uint64_t* taken() {
    return numSpare_ > 0 ? spare_[--numSpare_] : frame_.template array<std::uint64_t>(numWords()).data();
  }

  const Space& space_;
  Frame& frame_;
  Box<Dim> box_;
  std::int64_t wordsPerRow_;
  std::uint64_t* spare_[mostSpare];
  int numSpare_ = 0;
};

} // namespace spanwise::detail
