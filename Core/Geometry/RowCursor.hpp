#pragma once

#include "Core/Geometry/Interval.hpp"

#include <cstdint>

namespace spanwise::geometry {

// A row, however it is stored, is an increasing sequence of endpoints: begin, end, begin, end ... Algorithms walk it
// with a cursor and know nothing else of it:
//
//   done()        no endpoint is left
//   position()    the coordinate of the next endpoint
//   inside()      whether the cells just left of the next endpoint are in the set
//   advanceIf(c)  steps over the next endpoint if c, without a branch where the storage allows
//
// A row offers size() (its number of endpoints), endpoint(i), and cursor() or cursor(i, j) over the endpoints [i, j).

/// A cursor over endpoints stored as intervals.
class IntervalRowCursor {
public:
  KOKKOS_FUNCTION IntervalRowCursor(const Coordinate* endpoints, std::int64_t next, std::int64_t last)
    : endpoints_(endpoints), next_(next), last_(last) {}

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool done() const { return next_ == last_; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Coordinate position() const { return endpoints_[next_]; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION unsigned inside() const { return static_cast<unsigned>(next_) & 1U; }
  KOKKOS_FORCEINLINE_FUNCTION void advanceIf(bool condition) { next_ += static_cast<std::int64_t>(condition); }

private:
  const Coordinate* endpoints_;
  std::int64_t next_;
  std::int64_t last_;
};

/// A row stored as intervals.
class IntervalRow {
public:
  KOKKOS_FUNCTION IntervalRow(const Interval* intervals, std::int64_t count)
    : endpoints_(reinterpret_cast<const Coordinate*>(intervals)), size_(2 * count) {}

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t size() const { return size_; }
  [[nodiscard]] KOKKOS_FUNCTION Coordinate endpoint(std::int64_t i) const { return endpoints_[i]; }
  [[nodiscard]] KOKKOS_FUNCTION IntervalRowCursor cursor() const { return {endpoints_, 0, size_}; }
  [[nodiscard]] KOKKOS_FUNCTION IntervalRowCursor cursor(std::int64_t first, std::int64_t last) const {
    return {endpoints_, first, last};
  }

private:
  const Coordinate* endpoints_;
  std::int64_t size_;
};

/// A cursor over the changes of a bit mask. Bit b of word w stands for the cell origin + 64 w + b.
class MaskRowCursor {
public:
  KOKKOS_FUNCTION MaskRowCursor(Coordinate origin, const std::uint64_t* words, std::int64_t numWords)
    : words_(words), numWords_(numWords), origin_(origin) {
    seek();
  }

  [[nodiscard]] KOKKOS_FUNCTION bool done() const { return done_; }
  [[nodiscard]] KOKKOS_FUNCTION Coordinate position() const {
    return static_cast<Coordinate>(static_cast<std::int64_t>(origin_) + position_);
  }
  [[nodiscard]] KOKKOS_FUNCTION unsigned inside() const { return inside_; }
  KOKKOS_FUNCTION void advanceIf(bool condition) {
    if (condition) {
      inside_ ^= 1U;
      seek();
    }
  }

private:
  // Moves position_ to the first bit at or after it that differs from inside_. Past the last word all bits are 0.
  KOKKOS_FUNCTION void seek() {
    for (std::int64_t w = position_ / 64; w < numWords_; ++w) {
      const std::uint64_t differing = (inside_ != 0 ? ~words_[w] : words_[w]) & (~std::uint64_t{0} << (position_ % 64));
      if (differing != 0) {
        position_ = 64 * w + Kokkos::countr_zero(differing);
        return;
      }
      position_ = 64 * (w + 1);
    }
    done_ = inside_ == 0;
  }

  const std::uint64_t* words_;
  std::int64_t numWords_;
  std::int64_t position_ = 0;
  Coordinate origin_;
  unsigned inside_ = 0;
  bool done_ = false;
};

/// A row stored as a bit mask.
class MaskRow {
public:
  KOKKOS_FUNCTION MaskRow(Coordinate origin, const std::uint64_t* words, std::int64_t numWords)
    : words_(words), numWords_(numWords), origin_(origin) {}

  [[nodiscard]] KOKKOS_FUNCTION MaskRowCursor cursor() const { return {origin_, words_, numWords_}; }

private:
  const std::uint64_t* words_;
  std::int64_t numWords_;
  Coordinate origin_;
};

} // namespace spanwise::geometry
