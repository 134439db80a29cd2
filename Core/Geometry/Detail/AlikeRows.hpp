#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Interval.hpp"

#include <algorithm>
#include <cstdint>

namespace spanwise::geometry::detail {

// Rows of moved copies of a set that lie on each other (MovedCopiesOnHost.hpp).

/// The next of some consecutive rows of a copy.
struct MovedRows {
  const Coordinate* endpoints;
  const std::int64_t* offset;
  std::int64_t beginMove;
  std::int64_t endMove;

  [[nodiscard]] std::int64_t numIntervals() const { return offset[1] - offset[0]; }
  [[nodiscard]] MovedRows after(std::int64_t numRows) const {
    return {endpoints + 2 * (offset[numRows] - offset[0]), offset + numRows, beginMove, endMove};
  }
};

/// The lowest and the highest begins and ends in some rows of all copies that lie on each other, where each row has
/// `numIntervals` intervals. Nothing may pass the limits of coordinates.
template <int numIntervals>
struct AlikeRows {
  static constexpr std::int64_t maxRows = 16;
  static constexpr std::int64_t perRow = 2 * numIntervals;
  Coordinate low[maxRows * perRow];
  Coordinate high[maxRows * perRow];

  AlikeRows(const MovedRows* copies, int numCopies, std::int64_t numRows) {
    std::fill_n(low, numRows * perRow, maxIntervalEnd);
    std::fill_n(high, numRows * perRow, minCoordinate);
    for (int k = 0; k < numCopies; ++k) {
      widen(copies[k].endpoints, static_cast<Coordinate>(copies[k].beginMove),
        static_cast<Coordinate>(copies[k].endMove), numRows * perRow, low, high);
    }
  }

  // side by side: the compiler makes vectors of it
  static void widen(const Coordinate* __restrict__ endpoints, Coordinate beginMove, Coordinate endMove,
    std::int64_t count, Coordinate* __restrict__ lowest, Coordinate* __restrict__ highest) {
    for (std::int64_t e = 0; e < count; e += 2) {
      const Coordinate begin = endpoints[e] + beginMove;
      const Coordinate end = endpoints[e + 1] + endMove;
      lowest[e] = std::min(lowest[e], begin);
      lowest[e + 1] = std::min(lowest[e + 1], end);
      highest[e] = std::max(highest[e], begin);
      highest[e + 1] = std::max(highest[e + 1], end);
    }
  }

  /// The union or intersection of the rows number r, if their i-th intervals meet each other (or, in intersections,
  /// may) and none else, as in smooth shapes; otherwise nullptr. Writes as many intervals as a row has at most.
  template <SetOperation operation>
  Coordinate* merged(std::int64_t r, Coordinate* out) const {
    constexpr bool isUnion = operation == SetOperation::Union;
    const Coordinate* const lowest = low + r * perRow;
    const Coordinate* const highest = high + r * perRow;
    bool alike = true;
    for (int e = 0; e < perRow; e += 2) {
      alike = alike && (e == 0 || highest[e - 1] < lowest[e]) && (!isUnion || highest[e] <= lowest[e + 1]);
      out[0] = isUnion ? lowest[e] : highest[e];
      out[1] = isUnion ? highest[e + 1] : lowest[e + 1];
      out += isUnion || out[0] < out[1] ? 2 : 0;
    }
    return alike ? out : nullptr;
  }
};

/// Writes a row with its begins and ends moved, cut off at the limits of coordinates; returns where it ends.
inline Coordinate* resizeInto(const MovedRows& moved, Coordinate* out) {
  const Coordinate* const first = out;
  for (std::int64_t e = 0; e < 2 * moved.numIntervals(); e += 2) {
    const auto within = [](std::int64_t at) {
      return static_cast<Coordinate>(std::clamp<std::int64_t>(at, minCoordinate, maxIntervalEnd));
    };
    const Coordinate begin = within(moved.endpoints[e] + moved.beginMove);
    const Coordinate end = within(moved.endpoints[e + 1] + moved.endMove);
    if (out > first && begin <= out[-1]) {
      out[-1] = end; // only where intervals grow
    } else if (begin < end) {
      out[0] = begin;
      out[1] = end;
      out += 2;
    }
  }
  return out;
}

} // namespace spanwise::geometry::detail
