#pragma once

#include "Core/Runtime/AtomicAccess.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::eikonal {

// Sets of cells that kernels add to and others go through. On a device a set is a list, and an item of work a place of
// it. On the host it has a bit for each cell, and an item is a share of all cells: they are gone through in the order
// of their numbers, so that what is read of them and their neighbours is read along rows, and what a cell's own item
// adds for it goes to words that nobody else writes. A second array of bits says which words are not 0, so that nobody
// looks for the cells of a front where it is not. Which cells are in a set depends on no order.

/// What kernels see of a set.
template <bool inBits>
struct CellSetView {
  std::int64_t* length = nullptr; ///< in the memory of the kernels
  // A list:
  std::int32_t* cells = nullptr;
  std::int32_t* listed = nullptr; ///< [cells] 1: in the list; nullptr: nobody adds a cell that is there
  // Bits:
  std::uint64_t* words = nullptr;  ///< of 64 cells each
  std::uint64_t* filled = nullptr; ///< bits of 64 words each: 1 where the word is not 0
  std::int64_t numWords = 0;
  std::int64_t numItems = 0;

  /// Calls visit(cell, place) for the cells of an item of work. Places are different numbers below those of all cells.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void forCells(std::int64_t item, const Visit& visit) const {
    goThrough<false>(item, visit);
  }
  /// The same, and takes them out. The caller sets the length to 0.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void takeCells(std::int64_t item, const Visit& visit) const {
    goThrough<true>(item, visit);
  }

private:
  template <bool takeOut, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void goThrough(std::int64_t item, const Visit& visit) const {
    if constexpr (inBits) {
      const std::int64_t first = numWords * item / numItems;
      const std::int64_t end = numWords * (item + 1) / numItems;
      for (std::int64_t f = first / 64; f * 64 < end; ++f) {
        std::uint64_t busy = atomicLoad(filled + f); // others change other bits
        busy &= ~std::uint64_t{0} << Kokkos::max(first - f * 64, std::int64_t{0});
        busy &= ~std::uint64_t{0} >> Kokkos::max(f * 64 + 64 - end, std::int64_t{0});
        if (takeOut && busy != 0) {
          Kokkos::atomic_and(filled + f, ~busy);
        }
        for (; busy != 0; busy &= busy - 1) {
          const std::int64_t w = f * 64 + Kokkos::countr_zero(busy);
          std::uint64_t left = words[w];
          if (takeOut) {
            words[w] = 0;
          }
          for (; left != 0; left &= left - 1) {
            const std::int64_t cell = w * 64 + Kokkos::countr_zero(left);
            visit(static_cast<std::int32_t>(cell), cell);
          }
        }
      }
    } else if (item < *length) {
      const std::int32_t cell = cells[item];
      if (takeOut && listed != nullptr) {
        listed[cell] = 0;
      }
      visit(cell, item);
    }
  }
};

/// Adds cells to a set, each once. `alone`: on the host, nobody else adds a cell of the same 64, as where all cells are
/// of the item's share or there is one item.
template <bool inBits>
class CellAdder {
public:
  KOKKOS_FUNCTION CellAdder(const CellSetView<inBits>& set, bool alone) : set_(set), alone_(alone) {}
  CellAdder(const CellAdder&) = delete;
  CellAdder& operator=(const CellAdder&) = delete;
  KOKKOS_FUNCTION ~CellAdder() {
    if (inBits && count_ > 0) {
      Kokkos::atomic_add(set_.length, count_);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(std::int32_t cell) {
    if constexpr (inBits) {
      const std::int32_t w = cell / 64;
      const std::uint64_t bit = std::uint64_t{1} << (cell % 64);
      std::uint64_t before = alone_ ? set_.words[w] : atomicLoad(set_.words + w);
      if ((before & bit) != 0) {
        return;
      }
      if (alone_) {
        set_.words[w] = before | bit;
      } else {
        before = Kokkos::atomic_fetch_or(set_.words + w, bit);
      }
      count_ += (before & bit) == 0 ? 1 : 0;
      if (before == 0) {
        Kokkos::atomic_or(set_.filled + w / 64, std::uint64_t{1} << (w % 64));
      }
    } else if (set_.listed == nullptr ||
      (set_.listed[cell] == 0 && Kokkos::atomic_exchange(set_.listed + cell, 1) == 0)) {
      set_.cells[Kokkos::atomic_fetch_add(set_.length, std::int64_t{1})] = cell;
    }
  }

private:
  const CellSetView<inBits>& set_;
  bool alone_;
  std::int64_t count_ = 0;
};

/// What a cell takes that is computed, in small items.
inline constexpr std::int64_t workOfCell = 8;

/// A set on the caller's side.
template <class ExecutionSpace>
class CellSet {
public:
  static constexpr bool inBits = runsOnHost<ExecutionSpace>;
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;

  /// No cells, and room for `most`. The set's length is counts[slot], in the memory of the kernels. `once`: kernels may
  /// add a cell that is there.
  CellSet(const ExecutionSpace& space, std::int64_t most, std::int64_t* counts, int slot, bool once, Frame& frame)
    : slot_(slot), maxItems_(space.concurrency() == 1 ? 1 : std::max<std::int64_t>(64, 8 * space.concurrency())) {
    view_.length = counts + slot;
    const auto zeros = [&]<class T>(std::int64_t count, T zero) {
      const auto array = frame.template array<T>(count);
      setAll(space, array, zero);
      return array.data();
    };
    if constexpr (inBits) {
      view_.numWords = most / 64 + 1;
      view_.words = zeros(view_.numWords, std::uint64_t{0});
      view_.filled = zeros(view_.numWords / 64 + 1, std::uint64_t{0});
    } else {
      view_.cells = frame.template array<std::int32_t>(most).data();
      view_.listed = once ? zeros(most, std::int32_t{0}) : nullptr;
    }
  }

  /// For adding to it.
  [[nodiscard]] const CellSetView<inBits>& view() const { return view_; }
  [[nodiscard]] int slot() const { return slot_; }

  /// Whether the host's threads may share it: there is more than a little work.
  [[nodiscard]] bool isMuch() const {
    return inBits && maxItems_ > 1 && workOfCell * *view_.length > spanwise::detail::littleWork().smallItems;
  }

  /// For going through it, in view().numItems items of work: `maxCells` on a device, which may be more than there are;
  /// on the host one if threads are not to share it.
  [[nodiscard]] CellSetView<inBits> items(std::int64_t maxCells, bool share) const {
    CellSetView<inBits> view = view_;
    if constexpr (inBits) {
      view.numItems = *view_.length == 0 ? 0 : share && isMuch() ? maxItems_ : 1;
    } else {
      view.numItems = maxCells;
    }
    return view;
  }

private:
  CellSetView<inBits> view_;
  int slot_;
  std::int64_t maxItems_;
};

} // namespace spanwise::eikonal
