#pragma once

#include "Core/Parallel/RowCut.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::parallel {

/// What a rank holds beside its own planes, because the cells there decide about its own: so many planes of the slowest
/// axis on both sides.
struct Halo {
  std::int64_t planes = 0;
  /// Where the axis closes on itself: the plane `period.end` is the plane `period.begin` again. Empty where it does
  /// not.
  PlaneRange period{0, 0};

  // Of a number of planes too: most axes are not periodic.
  Halo(std::int64_t numPlanes = 0, const PlaneRange& axisPeriod = {0, 0}) // NOLINT(google-explicit-constructor)
    : planes(numPlanes), period(axisPeriod) {}

  [[nodiscard]] bool periodic() const { return !period.empty(); }
  [[nodiscard]] std::int64_t periodLength() const { return period.end - period.begin; }
};

/// Planes of the whole set, and by how many they are moved where they are held: a multiple of the period's length.
struct HeldPlanes {
  PlaneRange planes;
  std::int64_t shift;
};

/// What a rank that owns `owned` holds: its planes and its halo, in their order. One range that is not moved, and one
/// for each of the periods around it that the halo reaches. Nothing for a rank that owns no planes. Throws
/// InvalidArgument for a negative halo, and CoordinateOverflow where a plane beyond the period has no coordinate.
std::vector<HeldPlanes> heldPlanes(const PlaneRange& owned, const Halo& halo);

/// The planes of a part that cells may be in: on a periodic axis those within the period.
PlaneRange ownPlanes(const PlaneRange& owned, const Halo& halo);

/// What each of so many ranks holds: heldPlanes() of its part of the cut. Throws InvalidArgument unless the cut has as
/// many parts, in ascending order.
std::vector<std::vector<HeldPlanes>> heldByRanks(const RowCut& cut, const Halo& halo, int ranks);

/// The cut in which each part owns these planes. Parts without planes get none; planes that lie in no part go to the
/// part below them, or to the first. Throws InvalidArgument if a plane lies in two parts, or parts are not in order.
RowCut cutOf(const std::vector<PlaneRange>& parts);

} // namespace spanwise::parallel
