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

} // namespace spanwise::geometry
