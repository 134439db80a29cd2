#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/MaskRunsRow.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::geometry {

/// What kernels see of a MaskSet. Its rows have cursors like those of an IntervalSetView (RowCursor.hpp), so what is
/// written against cursors takes both.
template <int Dim>
struct MaskSetView {
  IntervalSetView<Dim> words;           ///< of which a cell is a word of 64 cells
  const std::uint64_t* masks = nullptr; ///< [words.numCells]
  const RowKey<Dim>* rowKeys = nullptr; ///< [numRows] sorted, unique
  std::int64_t numRows = 0;             ///< a row may have no cell

  [[nodiscard]] KOKKOS_FUNCTION MaskRunsRow row(std::int64_t r) const {
    const std::int64_t first = words.rowOffsets[r];
    return {words.intervals + first, words.cellOffsets + first, words.rowOffsets[r + 1] - first, masks};
  }
  /// The first row whose key is not less than `key`; numRows if there is none. O(log rows).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lowerRow(const RowKey<Dim>& key) const { return words.lowerRow(key); }

  /// Whether the cell is in the set. O(log rows + log runs of the row).
  [[nodiscard]] KOKKOS_FUNCTION bool contains(Cell<Dim> cell) const {
    const Coordinate x = cell.x();
    cell.at[0] = static_cast<Coordinate>(x >> 6); // towards smaller coordinates, also of negative ones
    const std::int64_t word = words.findCell(cell);
    return word >= 0 && (masks[word] >> (x & 63) & 1U) != 0;
  }
};

/// A set of cells as bit masks, for noise: where runs are a few cells long, a word of 64 cells is combined in less time
/// than one of the intervals in it.
///
/// A row is cut into words of 64 cells: word w has the cells 64 w to 64 w + 63. The words that a set has are an
/// interval set themselves, of the same rows, in which a cell is a word; and each has a mask, whose bit b is the cell
/// 64 w + b. So a set takes 8 bytes a word, and 16 for each run of words. A mask may be 0: combine() leaves words where
/// they are.
///
/// Copies share the arrays, and what writes a set uses its memory again, as for IntervalSet.
template <int Dim, class MemorySpace>
class MaskSet {
public:
  using memory_space = MemorySpace;
  static constexpr int dimension = Dim;

  /// Which words there are.
  [[nodiscard]] const IntervalSet<Dim, MemorySpace>& words() const { return words_; }
  [[nodiscard]] std::int64_t numWords() const { return words_.numCells(); }

  /// The masks of the words, in their order: [numWords].
  [[nodiscard]] Kokkos::View<const std::uint64_t*, MemorySpace> masks() const {
    return Kokkos::subview(masks_, Kokkos::pair<std::size_t, std::size_t>(0, static_cast<std::size_t>(numWords())));
  }

  [[nodiscard]] MaskSetView<Dim> view() const {
    const IntervalSetView<Dim> words = words_.view();
    return {words, masks_.data(), words.rowKeys, words.numRows};
  }

  /// Bytes of the arrays, used or reserved.
  [[nodiscard]] std::size_t bytes() const { return words_.bytes() + masks_.span() * sizeof(std::uint64_t); }

  /// The words, to be written before the masks.
  [[nodiscard]] IntervalSet<Dim, MemorySpace>& writableWords() { return words_; }

  /// Makes room for the masks of so many words. What is in them is undefined. Throws if there is no memory.
  std::uint64_t* prepareMasks(std::int64_t numWords) {
    const std::size_t needed = arrayLength<std::uint64_t>(numWords);
    if (masks_.extent(0) < needed || masks_.use_count() > 1) {
      masks_ = {}; // give back first: the peak is lower
      masks_ = Kokkos::View<std::uint64_t*, MemorySpace>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("MaskSet::masks")), needed);
    }
    return masks_.data();
  }

private:
  IntervalSet<Dim, MemorySpace> words_;
  Kokkos::View<std::uint64_t*, MemorySpace> masks_;
};

/// Masks in the memory of an execution space.
template <int Dim, class ExecutionSpace>
using MaskSetOn = MaskSet<Dim, typename ExecutionSpace::memory_space>;

/// out = the set as masks. O(rows + intervals + words). A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void toMasks(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  MaskSetOn<Dim, ExecutionSpace>& out);

/// out = the set as intervals. O(rows + intervals + words). A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void toIntervals(const Context<ExecutionSpace>& context, const MaskSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out);

/// out = A op B. O(rows + words) of both. The memory of `out` is used again and a repeated call allocates nothing,
/// unless `out` is one of the inputs: then it gets arrays of its own.
template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation, const MaskSetOn<Dim, ExecutionSpace>& a,
  const MaskSetOn<Dim, ExecutionSpace>& b, MaskSetOn<Dim, ExecutionSpace>& out);

/// out = A op B where one set is stored as intervals and the other as masks: rows are merged by their cursors, so none
/// is made anew in the other's storage. O(rows + intervals + words) of both. A thread of a device follows a row. The
/// memory of `out` is used again and a repeated call allocates nothing, unless `out` is an input.
template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation,
  const IntervalSetOn<Dim, ExecutionSpace>& a, const MaskSetOn<Dim, ExecutionSpace>& b,
  IntervalSetOn<Dim, ExecutionSpace>& out);
template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation, const MaskSetOn<Dim, ExecutionSpace>& a,
  const IntervalSetOn<Dim, ExecutionSpace>& b, IntervalSetOn<Dim, ExecutionSpace>& out);

/// The number of cells. O(words).
template <class ExecutionSpace, int Dim>
std::int64_t numCells(const Context<ExecutionSpace>& context, const MaskSetOn<Dim, ExecutionSpace>& set);

} // namespace spanwise::geometry
