#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/MaskImage.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spanwise::geometry {

/// A set of cells as a bit mask of a box, in words of 64 cells along x, on the host. Noise, whose runs are a few cells
/// long, takes less time and memory so than as intervals; isNoise() says what is worth it.
///
/// Copies share the words, as copies of an IntervalSet share their arrays, and a function that writes a mask uses its
/// memory again as it does there.
template <int Dim>
class CellMask {
public:
  /// Those of the set: rows and intervals as it would have them as intervals.
  [[nodiscard]] const SetTotals& totals() const { return totals_; }
  [[nodiscard]] bool empty() const { return totals_.cells == 0; }
  /// The smallest box that holds every cell; an empty box (all zero) for an empty set. The mask's may be larger.
  [[nodiscard]] const Box<Dim>& boundingBox() const { return bounds_; }
  [[nodiscard]] std::size_t bytes() const { return words_.span() * sizeof(std::uint64_t); }

  /// The words, for kernels.
  [[nodiscard]] detail::MaskImage<Dim> image() const { return {box_, wordsPerRow_, words_.data()}; }

  /// Makes room for the cells of a box, and empties the set. The words are undefined until finish().
  detail::MaskImage<Dim> prepare(const Box<Dim>& box) {
    finish({}, {});
    box_ = detail::inWholeWords(box);
    wordsPerRow_ = box.empty() ? 0 : detail::maskWordsPerRow(box);
    reserve(words_, box_.numRows() * wordsPerRow_, SPANWISE_LABEL("CellMask::words"));
    return image();
  }
  /// Declares the words of prepare() to hold a set with these counts in these bounds.
  void finish(const SetTotals& totals, const Box<Dim>& bounds) {
    totals_ = totals;
    bounds_ = bounds;
  }

private:
  Kokkos::View<std::uint64_t*, Kokkos::HostSpace> words_;
  Box<Dim> box_{};
  std::int64_t wordsPerRow_ = 0;
  SetTotals totals_;
  Box<Dim> bounds_{};
};

/// Whether a set with so many intervals in a box is worth a mask of the box: where there is one, on average, in two
/// words. There an operation on two sets and the count of its nodes take half the time even if both masks are drawn for
/// it and intervals made of the result; where masks stay, a fifth, and a twentieth with three intervals a word.
template <int Dim>
bool isNoise(std::int64_t numIntervals, const Box<Dim>& box);

/// out = the mask of a set whose bounding box this is. O(words + intervals). A repeated call allocates nothing.
template <int Dim>
void maskOf(const Context<HostExecutionSpace>& context, const HostIntervalSet<Dim>& set, const Box<Dim>& bounds,
  CellMask<Dim>& out);

/// out = the intervals of a mask. O(words + intervals). A repeated call allocates nothing.
template <int Dim>
void intervalsOf(const Context<HostExecutionSpace>& context, const CellMask<Dim>& mask, HostIntervalSet<Dim>& out);

/// The box of an operation's result: the one around all bounding boxes (Union, SymmetricDifference), what they all have
/// in common (Intersection), or the first one (Difference).
template <int Dim>
Box<Dim> boxOfCombined(SetOperation operation, const std::vector<const CellMask<Dim>*>& masks);

/// out = the operation over a list of masks at once: combine() of Algebra.hpp. O(sets times words of boxOfCombined()).
/// `out` must share its words with none of the list. A repeated call allocates nothing. Does not depend on the number
/// of threads.
template <int Dim>
void combine(const Context<HostExecutionSpace>& context, SetOperation operation,
  const std::vector<const CellMask<Dim>*>& masks, CellMask<Dim>& out);

/// How many nodes the cells of a mask have: countNodes() of NodeRows.hpp. O(words).
template <int Dim>
std::int64_t countNodes(const Context<HostExecutionSpace>& context, const CellMask<Dim>& mask);

} // namespace spanwise::geometry
