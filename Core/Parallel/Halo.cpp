#include "Core/Parallel/Halo.hpp"

#include "Core/Geometry/Interval.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace spanwise::parallel {

namespace {

std::int64_t floorOfQuotient(std::int64_t a, std::int64_t b) { return a / b - static_cast<std::int64_t>(a % b < 0); }

} // namespace

std::vector<HeldPlanes> heldPlanes(const PlaneRange& owned, const Halo& halo) {
  if (halo.planes < 0) {
    throw InvalidArgument("the halo has " + std::to_string(halo.planes) + " planes; it must have 0 or more");
  }
  if (!halo.periodic()) {
    return owned.empty() ? std::vector<HeldPlanes>() : std::vector<HeldPlanes>{{owned.widened(halo.planes), 0}};
  }
  const PlaneRange own = ownPlanes(owned, halo);
  if (own.empty()) {
    return {};
  }
  const PlaneRange all = own.widened(halo.planes);
  if (!geometry::isCellCoordinate(all.begin) || !geometry::isCellCoordinate(all.end - 1)) {
    throw CoordinateOverflow("the planes " + toString(own) + " with a halo of " + std::to_string(halo.planes) +
      " planes of a periodic axis are " + toString(all) + "; they must lie in [-2^31, 2^31 - 1)");
  }
  const std::int64_t length = halo.periodLength();
  const std::int64_t last = floorOfQuotient(all.end - 1 - halo.period.begin, length);
  std::vector<HeldPlanes> held;
  for (std::int64_t k = floorOfQuotient(all.begin - halo.period.begin, length); k <= last; ++k) {
    held.push_back({all.moved(-k * length).within(halo.period), k * length});
  }
  return held;
}

PlaneRange ownPlanes(const PlaneRange& owned, const Halo& halo) {
  return halo.periodic() ? owned.within(halo.period) : owned;
}

std::vector<std::vector<HeldPlanes>> heldByRanks(const RowCut& cut, const Halo& halo, int ranks) {
  if (cut.numParts() != ranks || !std::is_sorted(cut.bounds.begin(), cut.bounds.end())) {
    throw InvalidArgument("a cut of " + std::to_string(cut.numParts()) + " parts for " + std::to_string(ranks) +
      " ranks; there must be one for each, and its bounds must ascend");
  }
  std::vector<std::vector<HeldPlanes>> held;
  held.reserve(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) {
    held.push_back(heldPlanes(cut.part(r), halo));
  }
  return held;
}

RowCut cutOf(const std::vector<PlaneRange>& parts) {
  RowCut cut;
  cut.bounds.assign(parts.size() + 1, PlaneRange().end);
  cut.bounds.front() = PlaneRange().begin;
  const PlaneRange* above = nullptr; // the lowest part of those looked at that has planes
  for (std::size_t r = parts.size(); r-- > 0;) {
    if (!parts[r].empty()) {
      if (above != nullptr && parts[r].end > above->begin) {
        throw InvalidArgument("part " + std::to_string(r) + " owns the planes " + toString(parts[r]) +
          " and a later one " + toString(*above) + "; parts must be in order, and no plane may lie in two of them");
      }
      above = &parts[r];
    }
    // Up to the first part with planes nobody owns anything.
    const bool first = std::all_of(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(r),
      [](const PlaneRange& part) { return part.empty(); });
    if (r > 0) {
      cut.bounds[r] = first ? PlaneRange().begin : above == nullptr ? PlaneRange().end : above->begin;
    }
  }
  return cut;
}

} // namespace spanwise::parallel
