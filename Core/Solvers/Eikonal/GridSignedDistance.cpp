#include "Core/Solvers/Eikonal/GridSignedDistance.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace spanwise::eikonal {

namespace {

using detail::Range;

constexpr double infinite = Kokkos::Experimental::infinity_v<double>;

/// The squared distance along an axis to a cell so many cells away, in units of the spacing.
KOKKOS_FORCEINLINE_FUNCTION double squaredGap(std::int64_t cells) {
  const double gap = Kokkos::max(static_cast<double>(Kokkos::abs(cells)) - 0.5, 0.0);
  return gap * gap;
}

/// A set whose rows are asked for the nearest cell that is in it or not.
template <int Dim>
struct Rows {
  IntervalSetView<Dim> set;
  Periods<Dim> periods;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t wrapped(int axis, std::int64_t at) const {
    if (!periods.along[axis]) {
      return at;
    }
    const std::int64_t length = periods.box.extent(axis);
    const std::int64_t past = (at - periods.box.begin[axis]) % length;
    return periods.box.begin[axis] + (past < 0 ? past + length : past);
  }

  /// The row at (y, z), or -1.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t find(std::int64_t y, std::int64_t z) const {
    y = wrapped(1, y);
    if constexpr (Dim == 3) {
      z = wrapped(2, z);
    }
    return isCellCoordinate(y) && isCellCoordinate(z)
      ? set.findRow(RowKey<Dim>::fromYZ(static_cast<Coordinate>(y), static_cast<Coordinate>(z)))
      : -1;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lowerInterval(std::int64_t row, std::int64_t x) const {
    return row < 0 ? 0 : set.lowerInterval(row, static_cast<Coordinate>(x));
  }
  /// Whether x is in interval i of a row: the first that ends after x.
  [[nodiscard]] KOKKOS_FUNCTION bool isInside(std::int64_t row, std::int64_t i, std::int64_t x) const {
    return row >= 0 && i < set.rowOffsets[row + 1] && set.intervals[i].begin <= x;
  }

  /// How many cells it is from x to the nearest cell of a row that is in the set, or that is not; -1: there is none.
  /// x is in the period; i is the first interval that ends after it.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t cellsTo(
    bool inSet, std::int64_t row, std::int64_t i, std::int64_t x) const {
    const bool inside = isInside(row, i, x);
    if (inside == inSet) {
      return 0;
    }
    if (row < 0) {
      return -1; // no cell of the set
    }
    const std::int64_t first = set.rowOffsets[row];
    const std::int64_t end = set.rowOffsets[row + 1];
    const std::int64_t length = periods.along[0] ? periods.box.extent(0) : 0;
    std::int64_t below = -1;
    std::int64_t above = -1;
    if (inside) {
      const Interval in = set.intervals[i];
      below = x - in.begin + 1;
      above = in.end - x;
      if (length > 0) {
        const Interval lowest = set.intervals[first];
        const Interval highest = set.intervals[end - 1];
        if (lowest.begin == periods.box.begin[0] && highest.end == periods.box.end[0]) { // one across the seam
          if (in.begin == lowest.begin && in.end == highest.end) {
            return -1;
          }
          below += in.begin == lowest.begin ? highest.end - static_cast<std::int64_t>(highest.begin) : 0;
          above += in.end == highest.end ? lowest.end - static_cast<std::int64_t>(lowest.begin) : 0;
        }
      }
    } else {
      if (i > first) {
        below = x - set.intervals[i - 1].end + 1;
      } else if (length > 0) {
        below = x + length - set.intervals[end - 1].end + 1;
      }
      if (i < end) {
        above = set.intervals[i].begin - x;
      } else if (length > 0) {
        above = set.intervals[first].begin + length - x;
      }
    }
    return below < 0 || (above >= 0 && above < below) ? above : below;
  }
};

/// Cells of a box or of a part of it: x is contiguous, then y, then z.
struct Extents {
  std::int64_t begin[3]; ///< coordinates
  std::int64_t count[3];

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numCells() const { return count[0] * count[1] * count[2]; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t stride(int axis) const {
    return axis == 0 ? 1 : (axis == 1 ? count[0] : count[0] * count[1]);
  }
};

/// The first pass: signed squared distances along x.
template <int Dim>
struct AlongX {
  static constexpr std::int64_t perItem = 256;
  Rows<Dim> rows;
  Extents extents;
  double spacing;
  double* out;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t itemsPerRow() const { return (extents.count[0] + perItem - 1) / perItem; }

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t r = item / itemsPerRow();
    const std::int64_t first = item % itemsPerRow() * perItem;
    const std::int64_t last = Kokkos::min(first + perItem, extents.count[0]);
    const std::int64_t row =
      rows.find(extents.begin[1] + r % extents.count[1], extents.begin[2] + r / extents.count[1]);
    const std::int64_t end = row < 0 ? 0 : rows.set.rowOffsets[row + 1];
    std::int64_t i = rows.lowerInterval(row, extents.begin[0] + first);
    for (std::int64_t k = first; k < last; ++k) {
      const std::int64_t x = extents.begin[0] + k;
      while (i < end && rows.set.intervals[i].end <= x) {
        ++i;
      }
      const bool inside = rows.isInside(row, i, x);
      const std::int64_t cells = rows.cellsTo(!inside, row, i, x);
      const double distance = cells < 0 ? infinite : squaredGap(cells) * spacing * spacing;
      out[r * extents.count[0] + k] = inside ? -distance : distance;
    }
  }
};

/// A further pass: each line along an axis. Cells in the set have negative values.
struct AlongLines {
  Extents from;
  Extents to; ///< the same but along the axis
  int axis;   ///< 1 or 2
  bool periodic;
  bool isLast;
  double squaredSpacing;
  const double* in;
  double* out;
  std::int32_t* sites;  ///< [lines][stackLength()] whose distances make the envelope,
  std::int32_t* starts; ///< from which place on

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numLines() const { return from.numCells() / from.count[axis]; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t stackLength() const {
    return periodic ? 2 * from.count[axis] + 2 : from.count[axis];
  }

  KOKKOS_FUNCTION void operator()(std::int64_t line) const {
    const int along = axis == 1 ? 1 : 2; // lines lie side by side along x, then along the other of the two
    const int other = 3 - along;
    const std::int64_t i = line % from.count[0];
    const std::int64_t j = line / from.count[0];
    Line ofKind{in + i + j * from.stride(other), from.stride(along), from.count[along], 1.0};
    double* const write = out + i + j * to.stride(other);
    envelope(line, ofKind, write);
    ofKind.sign = -1.0;
    envelope(line, ofKind, write);
  }

private:
  /// Squared distances to the cells of a kind.
  struct Line {
    const double* values;
    std::int64_t stride;
    std::int64_t count;
    double sign; ///< 1: of cells outside to the set, -1: of cells inside to the others

    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double value(std::int64_t k) const {
      return sign * values[(k < 0 ? k + count : (k >= count ? k - count : k)) * stride];
    }
    /// 0 where the place is in a cell of the kind.
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double operator()(std::int64_t k) const {
      return Kokkos::max(value(k), 0.0);
    }
  };

  KOKKOS_FUNCTION void envelope(std::int64_t line, const Line& distance, double* write) const {
    std::int32_t* const site = sites + line * stackLength();
    std::int32_t* const start = starts + line * stackLength();
    const std::int64_t count = from.count[axis];
    const std::int64_t around = periodic ? (count + 1) / 2 : 0;
    std::int64_t top = -1;
    for (std::int64_t u = -around; u < count + around; ++u) {
      const double value = distance(u);
      if (!(value < infinite)) {
        continue;
      }
      while (top >= 0 && at(distance, start[top], site[top]) >= value + squaredGap(start[top] - u) * squaredSpacing) {
        --top;
      }
      std::int64_t first = 0;
      if (top >= 0) {
        first = firstBehind(site[top], u, (value - distance(site[top])) / squaredSpacing);
        first = Kokkos::max(first, static_cast<std::int64_t>(start[top]) + 1); // by rounding it may be there
      }
      if (first < count) {
        ++top;
        site[top] = static_cast<std::int32_t>(u);
        start[top] = static_cast<std::int32_t>(first);
      }
    }
    const std::int64_t shift = to.begin[axis] - from.begin[axis];
    for (std::int64_t k = count - 1; k >= shift; --k) {
      if (k < shift + to.count[axis] && distance.value(k) > 0.0) {
        const double squared = top < 0 ? infinite : at(distance, k, site[top]);
        write[(k - shift) * to.stride(axis)] = distance.sign * (isLast ? Kokkos::sqrt(squared) : squared);
      }
      if (top >= 0 && start[top] == k) {
        --top;
      }
    }
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double at(const Line& distance, std::int64_t k, std::int64_t s) const {
    return distance(s) + squaredGap(k - s) * squaredSpacing;
  }

  /// The first place that is nearer to site u than to site i, which comes before it. `ahead`: how much less the
  /// distance at i is, in units of the spacing squared.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstBehind(std::int64_t i, std::int64_t u, double ahead) const {
    const auto width = static_cast<double>(u - i);
    const auto sum = static_cast<double>(u + i);
    double first;
    if (squaredGap(u - i) < ahead) { // behind u
      first = Kokkos::max(Kokkos::ceil(0.5 * (sum + 1.0 + ahead / width)), static_cast<double>(u) + 1.0);
    } else if (-squaredGap(u - i) < ahead) { // between them, or u
      first = width > 1.0 ? Kokkos::ceil(0.5 * (sum + ahead / (width - 1.0))) : static_cast<double>(u);
      first = Kokkos::min(Kokkos::max(first, static_cast<double>(i) + 1.0), static_cast<double>(u));
    } else { // i, or before it
      first = Kokkos::min(Kokkos::ceil(0.5 * (sum - 1.0 + ahead / width)), static_cast<double>(i));
    }
    const auto count = static_cast<double>(from.count[axis]);
    return static_cast<std::int64_t>(Kokkos::min(Kokkos::max(first, 0.0), count));
  }
};

/// Searches the rows around cells, so many cells side by side at once.
template <int Dim>
struct SearchAround {
  static constexpr int perItem = 32;

  Rows<Dim> rows;
  IntervalSetView<Dim> where;
  double squaredSpacing[3];
  std::int64_t first[3]; ///< along each axis, where the last cell is that may be the nearest of its kind
  std::int64_t last[3];
  double squaredMost;
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t end = Kokkos::min((item + 1) * perItem, where.numCells);
    std::int64_t interval = where.intervalOfCell(item * perItem);
    for (std::int64_t cell = item * perItem; cell < end; ++interval) {
      const std::int64_t endHere = Kokkos::min(where.cellOffsets[interval + 1], end);
      const RowKey<Dim> key = where.rowKeys[where.rowOfInterval(interval)];
      const std::int64_t x = where.intervals[interval].begin + (cell - where.cellOffsets[interval]);
      search(x, static_cast<int>(endHere - cell), key.y, key.zOr0(), out + cell);
      cell = endHere;
    }
  }

private:
  KOKKOS_FUNCTION void search(std::int64_t x, int count, std::int64_t y, std::int64_t z, double* to) const {
    double best[perItem];
    bool inside[perItem];
    forRow(rows.find(y, z), x, count, [&](int k, std::int64_t row, std::int64_t i, std::int64_t at) {
      inside[k] = rows.isInside(row, i, at);
      best[k] = infinite;
    });
    double farthestBest = infinite; // of these cells
    const std::int64_t mostZ = Dim == 3 ? farthest(2, z) : 0;
    const std::int64_t mostY = farthest(1, y);
    for (std::int64_t dz = 0; dz <= mostZ; ++dz) {
      const double fromZ = squaredGap(dz) * squaredSpacing[2];
      if (!(fromZ <= Kokkos::min(farthestBest, squaredMost))) {
        break;
      }
      for (std::int64_t dy = 0; dy <= mostY; ++dy) {
        const double fromRow = fromZ + squaredGap(dy) * squaredSpacing[1];
        if (!(fromRow <= Kokkos::min(farthestBest, squaredMost))) {
          break;
        }
        for (int side = 0; side < 4; ++side) {
          if ((dy == 0 && side % 2 == 1) || (dz == 0 && side >= 2)) {
            continue;
          }
          const std::int64_t found = rows.find(side % 2 == 0 ? y + dy : y - dy, side < 2 ? z + dz : z - dz);
          farthestBest = 0.0;
          forRow(found, x, count, [&](int k, std::int64_t row, std::int64_t i, std::int64_t at) {
            const std::int64_t cells = rows.cellsTo(!inside[k], row, i, at);
            if (cells >= 0) {
              best[k] = Kokkos::min(best[k], fromRow + squaredGap(cells) * squaredSpacing[0]);
            }
            farthestBest = Kokkos::max(farthestBest, best[k]);
          });
        }
      }
    }
    for (int k = 0; k < count; ++k) {
      const double distance = best[k] <= squaredMost ? Kokkos::sqrt(best[k]) : infinite;
      to[k] = inside[k] ? -distance : distance;
    }
  }

  /// Calls visit(k, row, interval, x) for cells side by side in a row, which may not exist; `interval` is the first
  /// that ends after x.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void forRow(std::int64_t row, std::int64_t x, int count, const Visit& visit) const {
    std::int64_t at = rows.wrapped(0, x);
    std::int64_t i = rows.lowerInterval(row, at);
    const std::int64_t end = row < 0 ? 0 : rows.set.rowOffsets[row + 1];
    for (int k = 0; k < count; ++k, ++at) {
      while (i < end && rows.set.intervals[i].end <= at) {
        ++i;
      }
      visit(k, row, i, at);
    }
  }

  /// Nothing is nearer than what is within so many rows.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t farthest(int axis, std::int64_t at) const {
    if (rows.periods.along[axis]) {
      return rows.periods.box.extent(axis) / 2 + 1;
    }
    return Kokkos::max(Kokkos::abs(at - first[axis]), Kokkos::abs(last[axis] - at));
  }
};

template <int Dim>
void checkSpacing(const Lattice<Dim>& lattice) {
  for (const double spacing : lattice.spacing) {
    if (!(spacing > 0.0 && std::isfinite(spacing))) {
      throw InvalidArgument(
        "the spacing of cells is " + std::to_string(spacing) + ": it must be positive and finite along every axis");
    }
  }
}

void checkLength(std::size_t numDistances, std::int64_t numCells) {
  if (static_cast<std::int64_t>(numDistances) != numCells) {
    throw InvalidArgument("there are " + std::to_string(numDistances) + " distances and " + std::to_string(numCells) +
      " cells: each cell has one distance");
  }
}

template <int Dim>
void checkBox(const Box<Dim>& box, const Periods<Dim>& periods) {
  for (int axis = 0; axis < Dim; ++axis) {
    if (periods.along[axis] && (box.begin[axis] < periods.box.begin[axis] || box.end[axis] > periods.box.end[axis])) {
      throw InvalidArgument("the box " + toString(box) + " is not in the period " + toString(periods.box) +
        " along axis " + std::to_string(axis));
    }
  }
}

/// The box and, along all axes but x, what else decides about distances in it: the cells of the set and one more on
/// each side, or the period.
template <int Dim>
Extents extendedBox(const Box<Dim>& box, const Box<Dim>& ofSet, bool empty, const Periods<Dim>& periods) {
  Extents extents{{box.begin[0], box.begin[1], 0}, {box.extent(0), box.extent(1), 1}};
  for (int axis = 1; axis < Dim; ++axis) {
    std::int64_t begin = box.begin[axis];
    std::int64_t end = box.end[axis];
    if (periods.along[axis]) {
      begin = periods.box.begin[axis];
      end = periods.box.end[axis];
    } else if (!empty) {
      begin = std::min(begin, static_cast<std::int64_t>(ofSet.begin[axis]) - 1);
      end = std::max(end, static_cast<std::int64_t>(ofSet.end[axis]) + 1);
    }
    extents.begin[axis] = begin;
    extents.count[axis] = end - begin;
  }
  return extents;
}

} // namespace

template <class ExecutionSpace, int Dim>
void signedDistanceInBox(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Lattice<Dim>& lattice, const Periods<Dim>& periods, const Box<Dim>& box,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::signedDistanceInBox");
  checkSpacing(lattice);
  checkPeriods<ExecutionSpace, Dim>(space, set, periods);
  checkBox(box, periods);
  checkLength(distances.extent(0), box.empty() ? 0 : box.numRows() * box.extent(0));
  if (box.empty()) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  Extents from = extendedBox(box, boundingBox<ExecutionSpace, Dim>(space, set), set.empty(), periods);
  double* values = frame.template array<double>(from.numCells()).data();
  const AlongX<Dim> alongX{{set.view(), periods}, from, lattice.spacing[0], values};
  Kokkos::parallel_for(SPANWISE_KERNEL("along x"),
    Range<ExecutionSpace>(space, 0, alongX.itemsPerRow() * from.count[1] * from.count[2]), alongX);
  for (int axis = 1; axis < Dim; ++axis) {
    Extents to = from;
    to.begin[axis] = box.begin[axis];
    to.count[axis] = box.extent(axis);
    AlongLines lines{from, to, axis, periods.along[axis], axis == Dim - 1,
      lattice.spacing[axis] * lattice.spacing[axis], values, nullptr, nullptr, nullptr};
    lines.out = lines.isLast ? distances.data() : frame.template array<double>(to.numCells()).data();
    lines.sites = frame.template array<std::int32_t>(lines.numLines() * lines.stackLength()).data();
    lines.starts = frame.template array<std::int32_t>(lines.numLines() * lines.stackLength()).data();
    Kokkos::parallel_for(SPANWISE_KERNEL("along lines"), Range<ExecutionSpace>(space, 0, lines.numLines()), lines);
    values = lines.out;
    from = to;
  }
}

template <class ExecutionSpace, int Dim>
void signedDistanceOnCells(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Lattice<Dim>& lattice, const Periods<Dim>& periods, const IntervalSetOn<Dim, ExecutionSpace>& where,
  double most, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances) {
  SPANWISE_REGION("Eikonal::signedDistanceOnCells");
  checkSpacing(lattice);
  checkPeriods<ExecutionSpace, Dim>(space, set, periods);
  checkPeriods<ExecutionSpace, Dim>(space, where, periods);
  checkLength(distances.extent(0), where.numCells());
  if (!(most >= 0.0)) {
    throw InvalidArgument("the greatest distance is " + std::to_string(most) + ": it must not be negative");
  }
  SearchAround<Dim> search{{set.view(), periods}, where.view(), {}, {}, {}, most * most, distances.data()};
  const Box<Dim> box = boundingBox<ExecutionSpace, Dim>(space, set);
  for (int axis = 0; axis < Dim; ++axis) {
    search.squaredSpacing[axis] = lattice.spacing[axis] * lattice.spacing[axis];
    search.first[axis] = static_cast<std::int64_t>(box.begin[axis]) - 1;
    search.last[axis] = box.end[axis];
  }
  Kokkos::parallel_for(SPANWISE_KERNEL("search around"), Range<ExecutionSpace>(space, 0, where.numCells()), search);
}

#define SPANWISE_SIGNED_DISTANCE(Space, Dim)                                                                           \
  template void signedDistanceInBox<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, const Lattice<Dim>&,   \
    const Periods<Dim>&, const Box<Dim>&, const Kokkos::View<double*, Space::memory_space>&,                           \
    Workspace<Space::memory_space>&);                                                                                  \
  template void signedDistanceOnCells<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, const Lattice<Dim>&, \
    const Periods<Dim>&, const IntervalSetOn<Dim, Space>&, double, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SIGNED_DISTANCE)

} // namespace spanwise::eikonal
