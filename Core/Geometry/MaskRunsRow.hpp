#pragma once

#include "Core/Geometry/Interval.hpp"

#include <cstdint>

namespace spanwise::geometry {

/// A cursor over the changes of a row of a MaskSet: runs of words, and a mask for each word. Word w has the cells 64 w
/// to 64 w + 63.
class MaskRunsCursor {
public:
  /// `runs` are intervals of words, firstWord[i] is the number of the first mask of run i.
  KOKKOS_FUNCTION MaskRunsCursor(
    const Interval* runs, const std::int64_t* firstWord, std::int64_t numRuns, const std::uint64_t* masks)
    : runs_(runs), firstWord_(firstWord), masks_(masks), numRuns_(numRuns) {
    seek();
  }

  [[nodiscard]] KOKKOS_FUNCTION bool done() const { return changes_ == 0; }
  [[nodiscard]] KOKKOS_FUNCTION Coordinate position() const {
    return static_cast<Coordinate>(origin_ + Kokkos::countr_zero(changes_));
  }
  [[nodiscard]] KOKKOS_FUNCTION unsigned inside() const { return inside_; }
  KOKKOS_FUNCTION void advanceIf(bool condition) {
    if (condition) {
      inside_ ^= 1U;
      changes_ &= changes_ - 1;
      if (changes_ == 0) {
        seek();
      }
    }
  }

private:
  // Goes to the next word with a change. A run that ends inside changes behind its last word: no other begins there.
  KOKKOS_FUNCTION void seek() {
    while (changes_ == 0 && run_ < numRuns_) {
      const std::int64_t begin = runs_[run_].begin;
      const std::int64_t end = runs_[run_].end;
      origin_ = (begin + word_) * 64;
      if (begin + word_ < end) {
        const std::uint64_t mask = masks_[firstWord_[run_] + word_];
        changes_ = mask ^ (mask << 1U | before_);
        before_ = mask >> 63U;
        ++word_;
      } else {
        changes_ = before_;
        before_ = 0;
        word_ = 0;
        ++run_;
      }
    }
  }

  const Interval* runs_;
  const std::int64_t* firstWord_;
  const std::uint64_t* masks_;
  std::int64_t numRuns_;
  std::int64_t run_ = 0;
  std::int64_t word_ = 0;     ///< of the run, the next one
  std::int64_t origin_ = 0;   ///< of changes_
  std::uint64_t changes_ = 0; ///< that are left in a word
  std::uint64_t before_ = 0;  ///< the last cell of the word before
  unsigned inside_ = 0;
};

/// A row of a MaskSet.
class MaskRunsRow {
public:
  KOKKOS_FUNCTION MaskRunsRow() = default;
  KOKKOS_FUNCTION MaskRunsRow(
    const Interval* runs, const std::int64_t* firstWord, std::int64_t numRuns, const std::uint64_t* masks)
    : runs_(runs), firstWord_(firstWord), masks_(masks), numRuns_(numRuns) {}

  /// Counts: O(words).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t size() const {
    std::int64_t begins = 0;
    for (std::int64_t i = 0; i < numRuns_; ++i) {
      std::uint64_t before = 0;
      for (std::int64_t w = firstWord_[i]; w < firstWord_[i] + (runs_[i].end - runs_[i].begin); ++w) {
        begins += Kokkos::popcount(masks_[w] & ~(masks_[w] << 1U | before));
        before = masks_[w] >> 63U;
      }
    }
    return 2 * begins;
  }
  [[nodiscard]] KOKKOS_FUNCTION MaskRunsCursor cursor() const { return {runs_, firstWord_, numRuns_, masks_}; }

private:
  const Interval* runs_ = nullptr;
  const std::int64_t* firstWord_ = nullptr;
  const std::uint64_t* masks_ = nullptr;
  std::int64_t numRuns_ = 0;
};

} // namespace spanwise::geometry
