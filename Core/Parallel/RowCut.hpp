#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace spanwise::parallel {

/// Planes of the slowest axis: rows in 2D, z-planes in 3D. All of them unless said otherwise.
struct PlaneRange {
  std::int64_t begin = std::numeric_limits<std::int64_t>::min();
  std::int64_t end = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] bool empty() const { return end <= begin; }
  [[nodiscard]] bool contains(std::int64_t plane) const { return begin <= plane && plane < end; }
  /// The planes that are in `other` too; an empty range within this one if there are none.
  [[nodiscard]] PlaneRange within(const PlaneRange& other) const {
    const std::int64_t first = std::clamp(other.begin, begin, std::max(begin, end));
    return {first, std::clamp(other.end, first, std::max(first, end))};
  }
  /// The range moved by `shift` planes. What reaches to the end of all numbers stays there.
  [[nodiscard]] PlaneRange moved(std::int64_t shift) const { return {sum(begin, shift), sum(end, shift)}; }
  /// The range with `planes` more on each side, as far as numbers reach.
  [[nodiscard]] PlaneRange widened(std::int64_t planes) const { return {sum(begin, -planes), sum(end, planes)}; }
  friend bool operator==(const PlaneRange& a, const PlaneRange& b) { return a.begin == b.begin && a.end == b.end; }

private:
  // The extreme numbers stand for infinity.
  static std::int64_t sum(std::int64_t plane, std::int64_t shift) {
    using Limits = std::numeric_limits<std::int64_t>;
    if (plane == Limits::min() || plane == Limits::max()) {
      return plane;
    }
    return shift < 0 ? std::max(plane, Limits::min() - shift) + shift : std::min(plane, Limits::max() - shift) + shift;
  }
};

/// "[0, 4)", for messages.
inline std::string toString(const PlaneRange& planes) {
  return "[" + std::to_string(planes.begin) + ", " + std::to_string(planes.end) + ")";
}

/// The slowest axis cut into one range of planes for each part, in the order of the parts. The first part begins and
/// the last one ends where the axis does, so every plane has an owner. A part may be empty.
struct RowCut {
  std::vector<std::int64_t> bounds; ///< [parts + 1] ascending

  [[nodiscard]] int numParts() const { return static_cast<int>(bounds.size()) - 1; }
  [[nodiscard]] PlaneRange part(int k) const {
    return {bounds[static_cast<std::size_t>(k)], bounds[static_cast<std::size_t>(k) + 1]};
  }
  /// The part that owns a plane. O(log parts).
  [[nodiscard]] int owner(std::int64_t plane) const {
    return static_cast<int>(std::upper_bound(bounds.begin() + 1, bounds.end() - 1, plane) - bounds.begin()) - 1;
  }
  friend bool operator==(const RowCut& a, const RowCut& b) { return a.bounds == b.bounds; }
};

/// Cells counted by plane: cells[k] lie in the planes [first + k width, first + (k + 1) width).
struct PlaneCounts {
  std::int64_t first = 0;
  std::int64_t width = 1;
  std::vector<std::int64_t> cells;
};

/// The cut with the most even parts that whole planes (groups of `width` planes) allow: each boundary lies where the
/// number of cells below it is nearest to its share, so every part is within one plane of the ideal. O(planes + parts).
inline RowCut balancedCut(const PlaneCounts& counts, int parts) {
  RowCut cut;
  cut.bounds.assign(static_cast<std::size_t>(parts) + 1, PlaneRange().begin);
  cut.bounds.back() = PlaneRange().end;
  std::int64_t total = 0;
  for (const std::int64_t cells : counts.cells) {
    total += cells;
  }
  std::size_t bin = 0;
  std::int64_t below = 0; // cells in the bins before `bin`
  for (int k = 1; k < parts; ++k) {
    const std::int64_t share = total / parts * k + total % parts * k / parts;
    while (bin < counts.cells.size() && below + counts.cells[bin] - share <= share - below) {
      below += counts.cells[bin];
      ++bin;
    }
    cut.bounds[static_cast<std::size_t>(k)] = counts.first + static_cast<std::int64_t>(bin) * counts.width;
  }
  return cut;
}

/// Planes [range.begin, range.end) dealt out evenly, whatever they hold: the planes that part `k` of `parts` looks at
/// first.
inline PlaneRange equalShare(const PlaneRange& range, int k, int parts) {
  const std::int64_t planes = std::max<std::int64_t>(range.end - range.begin, 0);
  const auto bound = [&](std::int64_t i) {
    return range.begin + planes / parts * i + std::min<std::int64_t>(planes % parts, i);
  };
  return {bound(k), bound(k + 1)};
}

/// The cut in which each of `parts` has an equal share of a range of planes.
inline RowCut equalCut(const PlaneRange& range, int parts) {
  RowCut cut;
  for (int k = 0; k < parts; ++k) {
    cut.bounds.push_back(k == 0 ? PlaneRange().begin : equalShare(range, k, parts).begin);
  }
  cut.bounds.push_back(PlaneRange().end);
  return cut;
}

} // namespace spanwise::parallel
