#pragma once

#include "Core/Geometry/Interval.hpp"

#include <cstdint>

namespace spanwise::geometry::detail {

/// Bit (inA + 2 inB) of the truth table of a Boolean operation.
KOKKOS_FORCEINLINE_FUNCTION unsigned holds(unsigned truthTable, unsigned inA, unsigned inB) {
  return (truthTable >> (inA | (inB << 1))) & 1U;
}

/// Writes the endpoints of a result one after the other. It always writes and steps on only where the result changes,
/// so the loop has no branch, and one element past the result is written.
class EndpointWriter {
public:
  KOKKOS_FUNCTION explicit EndpointWriter(Coordinate* out) : out_(out) {}
  KOKKOS_FORCEINLINE_FUNCTION void put(Coordinate position, unsigned changes) {
    *out_ = position;
    out_ += changes;
  }
  [[nodiscard]] KOKKOS_FUNCTION Coordinate* end() const { return out_; }

private:
  Coordinate* out_;
};

/// Merges the endpoints of two rows and hands each position at which the result of the operation may change to `sink`,
/// with 1 where it does change. Endpoints of A and B at the same position are one change, so that touching intervals
/// join and equal ones cancel. Any two kinds of cursor do (RowCursor.hpp). O(endpoints of both).
template <class CursorA, class CursorB, class Sink>
KOKKOS_INLINE_FUNCTION void mergeRows(unsigned truthTable, CursorA a, CursorB b, Sink& sink) {
  unsigned state = holds(truthTable, a.inside(), b.inside());
  const auto step = [&](Coordinate position) {
    const unsigned next = holds(truthTable, a.inside(), b.inside());
    sink.put(position, next ^ state);
    state = next;
  };
  while (!a.done() && !b.done()) {
    const Coordinate positionA = a.position();
    const Coordinate positionB = b.position();
    a.advanceIf(positionA <= positionB);
    b.advanceIf(positionB <= positionA);
    step(positionA < positionB ? positionA : positionB);
  }
  while (!a.done()) {
    const Coordinate position = a.position();
    a.advanceIf(true);
    step(position);
  }
  while (!b.done()) {
    const Coordinate position = b.position();
    b.advanceIf(true);
    step(position);
  }
}

} // namespace spanwise::geometry::detail
