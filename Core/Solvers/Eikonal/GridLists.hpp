#pragma once

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Geometry/Detail/Search.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::eikonal {

// Lists of cells that kernels append to and others go through. On a device an item of work is a place of a list. On the
// host it is a share of the list, and what it appends to another list comes before what later shares do: so a thread
// goes on with the cells that it made itself, and those of two threads are not mixed in every cache line. In which
// order cells stand in a list depends on the number of threads, which cells are in it does not.

/// Cells that a share of a list appended at once.
struct CellPortion {
  std::int32_t begin;
  std::int32_t count;
  std::int32_t share;
};

/// What kernels see of a list.
template <bool inShares>
struct CellListView {
  std::int32_t* cells = nullptr;
  std::int64_t* length = nullptr; ///< in the memory of the kernels
  // Of lists in shares:
  CellPortion* portions = nullptr; ///< in the order of their shares when the list is read
  std::int64_t* numPortions = nullptr;
  const std::int64_t* starts = nullptr; ///< [portions + 1] the cells before each portion
  std::int64_t numShares = 0;

  /// Calls visit(cell, place) for the cells of an item of work.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void forCells(std::int64_t item, const Visit& visit) const {
    if constexpr (inShares) {
      std::int64_t first = *length * item / numShares;
      const std::int64_t last = *length * (item + 1) / numShares;
      if (first == last) {
        return;
      }
      for (std::int64_t p = detail::firstAbove(starts, 0, *numPortions + 1, first) - 1; first < last; ++p) {
        const std::int64_t end = Kokkos::min(starts[p + 1], last);
        const std::int64_t shift = portions[p].begin - starts[p];
        for (; first < end; ++first) {
          visit(cells[first + shift], first + shift);
        }
      }
    } else if (item < *length) {
      visit(cells[item], item);
    }
  }
};

/// Appends to a list that is long enough, by portions on the host.
template <bool inShares>
class CellAppender {
public:
  KOKKOS_FUNCTION CellAppender(const CellListView<inShares>& list, std::int64_t share)
    : list_(list), share_(static_cast<std::int32_t>(share)) {}
  CellAppender(const CellAppender&) = delete;
  CellAppender& operator=(const CellAppender&) = delete;
  KOKKOS_FUNCTION ~CellAppender() { flush(); }

  KOKKOS_FORCEINLINE_FUNCTION void add(std::int32_t cell) {
    if constexpr (inShares) {
      if (count_ == capacity) {
        flush();
      }
      waiting_[count_++] = cell;
    } else {
      list_.cells[Kokkos::atomic_fetch_add(list_.length, std::int64_t{1})] = cell;
    }
  }

private:
  static constexpr int capacity = inShares ? 64 : 1;

  KOKKOS_FUNCTION void flush() {
    if (count_ > 0) {
      const std::int64_t begin = Kokkos::atomic_fetch_add(list_.length, static_cast<std::int64_t>(count_));
      list_.portions[Kokkos::atomic_fetch_add(list_.numPortions, std::int64_t{1})] = {
        static_cast<std::int32_t>(begin), count_, share_};
      for (int k = 0; k < count_; ++k) {
        list_.cells[begin + k] = waiting_[k];
      }
      count_ = 0;
    }
  }

  const CellListView<inShares>& list_;
  std::int32_t share_;
  std::int32_t count_ = 0;
  std::int32_t waiting_[capacity];
};

/// A list on the caller's side.
template <class ExecutionSpace>
class CellList {
public:
  static constexpr bool inShares = runsOnHost<ExecutionSpace>;
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;

  /// Room for `most` cells. The list's length is counts[slot], in the memory of the kernels.
  CellList(const ExecutionSpace& space, std::int64_t most, std::int64_t* counts, int slot, Frame& frame)
    : slot_(slot), mostShares_(std::max<std::int64_t>(64, 2 * static_cast<std::int64_t>(space.concurrency()))) {
    view_.cells = frame.template array<std::int32_t>(most).data();
    view_.length = counts + slot;
    if constexpr (inShares) {
      // What fits, partly filled portions of all shares for a while, and those of one more kernel.
      mostPortions_ = most / 32 + 8 * mostShares_;
      view_.portions = frame.template array<CellPortion>(mostPortions_).data();
      sorted_ = frame.template array<CellPortion>(mostPortions_).data();
      starts_ = frame.template array<std::int64_t>(std::max(mostPortions_, mostShares_) + 1).data();
      view_.numPortions = frame.template array<std::int64_t>(1).data();
      *view_.numPortions = 0;
    }
  }

  /// For appending to it.
  [[nodiscard]] const CellListView<inShares>& view() const { return view_; }

  [[nodiscard]] int slot() const { return slot_; }
  [[nodiscard]] std::int64_t mostShares() const { return mostShares_; }

  /// Forgets the portions; the caller sets the length to 0.
  void clear() {
    if constexpr (inShares) {
      *view_.numPortions = 0;
    }
  }

  /// For going through it in as many items as follow: `mostCells` on a device, which may be more than there are.
  [[nodiscard]] CellListView<inShares> ordered(std::int64_t mostCells, std::int64_t& numItems) {
    if constexpr (inShares) {
      sortPortions();
      view_.starts = starts_;
      view_.numShares = *view_.length <= detail::fewItems ? 1 : mostShares_;
      numItems = *view_.length > 0 ? view_.numShares : 0;
    } else {
      numItems = mostCells;
    }
    return view_;
  }

  /// On the host, for a list that is appended to again and again: joins its portions if these may become too many.
  /// `spare` has room for the cells of this list, and loses its own.
  void joinPortions(CellList& spare) {
    if constexpr (inShares) {
      if (*view_.numPortions + *view_.length / 64 + 2 * mostShares_ < mostPortions_ / 2) {
        return;
      }
      sortPortions();
      std::int64_t to = 0;
      std::int64_t numJoined = 0;
      for (std::int64_t p = 0; p < *view_.numPortions; ++p) {
        const CellPortion from = view_.portions[p];
        std::copy_n(view_.cells + from.begin, from.count, spare.view_.cells + to);
        if (numJoined > 0 && spare.view_.portions[numJoined - 1].share == from.share) {
          spare.view_.portions[numJoined - 1].count += from.count;
        } else {
          spare.view_.portions[numJoined++] = {static_cast<std::int32_t>(to), from.count, from.share};
        }
        to += from.count;
      }
      *view_.numPortions = numJoined;
      std::swap(view_.cells, spare.view_.cells);
      std::swap(view_.portions, spare.view_.portions);
    }
  }

private:
  /// Counting, stable: those of a share stay in the order in which they came.
  void sortPortions() {
    const std::int64_t count = *view_.numPortions;
    std::fill_n(starts_, mostShares_ + 1, 0);
    for (std::int64_t p = 0; p < count; ++p) {
      ++starts_[view_.portions[p].share + 1];
    }
    for (std::int64_t s = 0; s < mostShares_; ++s) {
      starts_[s + 1] += starts_[s];
    }
    for (std::int64_t p = 0; p < count; ++p) {
      sorted_[starts_[view_.portions[p].share]++] = view_.portions[p];
    }
    std::swap(view_.portions, sorted_);
    starts_[0] = 0;
    for (std::int64_t p = 0; p < count; ++p) {
      starts_[p + 1] = starts_[p] + view_.portions[p].count;
    }
  }

  CellListView<inShares> view_;
  int slot_;
  CellPortion* sorted_ = nullptr;
  std::int64_t* starts_ = nullptr;
  std::int64_t mostShares_;
  std::int64_t mostPortions_ = 0;
};

} // namespace spanwise::eikonal
