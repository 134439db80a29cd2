#pragma once

#include "Core/Geometry/HostParts.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Multilevel/Detail/SiblingRows.hpp"
#include "Core/Runtime/Search.hpp"

#include <algorithm>
#include <limits>

namespace spanwise::multilevel::detail {

// Coarsening on the host, one axis after the other. A pass along y merges the rows of each line that have one parent,
// and halves their intervals on the way; a pass along z merges planes, row by row. Parts (HostParts.hpp) are cut
// between planes of the result.

/// A range of planes of the result, what they are made of, and where they go.
template <int Dim>
struct CoarsenPart {
  std::int64_t firstPlane;
  std::int64_t endPlane;
  std::int64_t firstRow; ///< of the input
  std::int64_t endRow;
  geometry::WritableIntervalSet<Dim> out;
};

/// Writes rows one after the other. Row offsets and cell offsets start at 0.
template <int Dim>
class RowsWriter {
public:
  explicit RowsWriter(const geometry::WritableIntervalSet<Dim>& out) : out_(out) {}

  KOKKOS_FUNCTION void put(const geometry::Interval& interval) {
    out_.intervals[done_.intervals] = interval;
    out_.cellOffsets[done_.intervals] = done_.cells;
    done_.cells += std::int64_t{interval.end} - interval.begin;
    ++done_.intervals;
  }
  /// What was put since the last call is the row with this key, if anything.
  void endRow(const geometry::RowKey<Dim>& key) {
    if (done_.intervals > firstOfRow_) {
      out_.rowKeys[done_.rows] = key;
      out_.rowOffsets[done_.rows] = firstOfRow_;
      ++done_.rows;
      firstOfRow_ = done_.intervals;
    }
  }
  [[nodiscard]] const geometry::SetTotals& done() const { return done_; }

private:
  const geometry::WritableIntervalSet<Dim>& out_;
  geometry::SetTotals done_;
  std::int64_t firstOfRow_ = 0;
};

/// What is merged into row or plane c lies in [2c - low, 2c + 1 + low], with low = 0 or 1.
inline constexpr int maxSiblings = 4;

template <int Dim>
struct CoarsenAlongY {
  static constexpr int axis = 1;

  geometry::IntervalSetView<Dim> from;
  CoarseReach reach;
  const CoarsenPart<Dim>* parts;
  geometry::SetTotals* counts;

  void operator()(int p) const {
    const CoarsenPart<Dim>& part = parts[p];
    RowsWriter<Dim> writer(part.out);
    if constexpr (Dim == 2) {
      coarsenLine(part.firstRow, part.endRow, part.firstPlane, part.endPlane, writer);
    } else {
      for (std::int64_t row = part.firstRow; row < part.endRow;) {
        const geometry::Coordinate z = from.rowKeys[row].z;
        std::int64_t end = row + 1;
        while (end < part.endRow && from.rowKeys[end].z == z) {
          ++end;
        }
        coarsenLine(
          row, end, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), writer);
        row = end;
      }
    }
    counts[p] = writer.done();
  }

  /// Coarse rows firstY <= y < endY of the line of the rows [row, end).
  void coarsenLine(
    std::int64_t row, std::int64_t end, std::int64_t firstY, std::int64_t endY, RowsWriter<Dim>& writer) const {
    const int low = std::max(reach.at[1], 0);
    const bool intersects = reach.isInside();
    while (row < end) {
      const geometry::RowKey<Dim> key = from.rowKeys[row];
      // the first coarse row that holds this one and was not made yet
      const std::int64_t y = std::max<std::int64_t>(firstCoarse(key.y, low), firstY);
      if (y >= endY) {
        return;
      }
      RowSpan rows[maxSiblings];
      int count = 0;
      for (std::int64_t r = row; r < end && from.rowKeys[r].y <= 2 * y + 1 + low; ++r) {
        rows[count++] = {from.intervals + from.rowOffsets[r], from.intervals + from.rowOffsets[r + 1]};
      }
      if (intersects ? count == 2 : count > 0) {
        joinRows<maxSiblings>(intersects, rows, count, CoarserX(reach.at[0]), writer);
        writer.endRow(geometry::RowKey<Dim>::fromYZ(static_cast<geometry::Coordinate>(y), key.zOr0()));
      }
      firstY = y + 1;
      while (row < end && from.rowKeys[row].y < 2 * firstY - low) {
        ++row;
      }
    }
  }
};

template <int Dim>
struct CoarsenAlongZ {
  static constexpr int axis = 2;

  geometry::IntervalSetView<Dim> from;
  CoarseReach reach;
  const CoarsenPart<Dim>* parts;
  geometry::SetTotals* counts;

  struct Plane {
    std::int64_t next; ///< row
    std::int64_t end;
  };

  void operator()(int p) const {
    const CoarsenPart<Dim>& part = parts[p];
    RowsWriter<Dim> writer(part.out);
    const int low = std::max(reach.at[2], 0);
    std::int64_t firstZ = part.firstPlane;
    for (std::int64_t row = part.firstRow; row < part.endRow;) {
      const std::int64_t z = std::max<std::int64_t>(firstCoarse(from.rowKeys[row].zOr0(), low), firstZ);
      if (z >= part.endPlane) {
        break;
      }
      Plane planes[maxSiblings];
      int count = 0;
      for (std::int64_t r = row; r < part.endRow && from.rowKeys[r].zOr0() <= 2 * z + 1 + low;) {
        const std::int64_t end = planeEnd(r, part.endRow);
        planes[count++] = {r, end};
        r = end;
      }
      mergePlanes(planes, count, static_cast<geometry::Coordinate>(z), writer);
      firstZ = z + 1;
      for (int k = 0; k < count && from.rowKeys[row].zOr0() < 2 * firstZ - low; ++k) {
        row = planes[k].end;
        if (row == part.endRow) {
          break;
        }
      }
    }
    counts[p] = writer.done();
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t planeEnd(std::int64_t row, std::int64_t end) const {
    const geometry::Coordinate z = from.rowKeys[row].zOr0();
    return firstTrue(row + 1, end, row + 1, [&](std::int64_t r) { return from.rowKeys[r].zOr0() > z; });
  }

  void mergePlanes(Plane* planes, int numPlanes, geometry::Coordinate z, RowsWriter<Dim>& writer) const {
    const bool intersects = reach.isInside();
    if (intersects && numPlanes < 2) {
      return;
    }
    for (;;) {
      geometry::Coordinate y = std::numeric_limits<geometry::Coordinate>::max(); // no row has it
      for (int k = 0; k < numPlanes; ++k) {
        if (planes[k].next < planes[k].end) {
          y = std::min(y, from.rowKeys[planes[k].next].y);
        } else if (intersects) {
          return;
        }
      }
      RowSpan rows[maxSiblings];
      int count = 0;
      for (int k = 0; k < numPlanes; ++k) {
        const std::int64_t r = planes[k].next;
        if (r < planes[k].end && from.rowKeys[r].y == y) {
          rows[count++] = {from.intervals + from.rowOffsets[r], from.intervals + from.rowOffsets[r + 1]};
          ++planes[k].next;
        }
      }
      if (count == 0) {
        return;
      }
      if (!intersects || count == 2) {
        joinRows<maxSiblings>(intersects, rows, count, SameX(), writer);
        writer.endRow(geometry::RowKey<Dim>::fromYZ(y, z));
      }
    }
  }
};

/// One pass, over planes of the result.
template <template <int> class Pass, class Space, int Dim, class MakeTarget>
geometry::SetTotals coarsenPassOnHost(const Space& space, const geometry::IntervalSetView<Dim>& from,
  const CoarseReach& reach, typename Workspace<typename Space::memory_space>::Frame& frame,
  const MakeTarget& makeTarget) {
  constexpr bool halvesPlanes = Pass<Dim>::axis == Dim - 1;
  const int copies = reach.at[Pass<Dim>::axis] > 0 ? 2 : 1; // an input row goes into at most so many rows
  const int numParts = from.numRows == 0 ? 1 : geometry::detail::partsOnHost(space, from.numIntervals);
  const auto parts = frame.template array<CoarsenPart<Dim>>(numParts);
  const auto outputs = frame.template array<geometry::WritableIntervalSet<Dim>>(numParts);
  const auto counts = frame.template array<geometry::SetTotals>(numParts);
  const int low = std::max(reach.at[Dim - 1], 0);
  const auto rowsBefore = [&](std::int64_t plane) {
    const auto c =
      static_cast<geometry::Coordinate>(std::clamp<std::int64_t>(plane, geometry::minCoordinate, geometry::maxRowKey));
    return from.lowerRow(
      Dim == 2 ? geometry::RowKey<Dim>::fromYZ(c, 0) : geometry::RowKey<Dim>::fromYZ(geometry::minCoordinate, c));
  };
  std::int64_t plane = std::numeric_limits<std::int64_t>::min() / 4;
  for (int p = 0; p < numParts; ++p) {
    CoarsenPart<Dim>& part = parts(p);
    part.firstPlane = plane;
    part.endPlane = std::numeric_limits<std::int64_t>::max() / 4;
    part.firstRow = p == 0 ? 0 : rowsBefore(halvesPlanes ? 2 * plane - low : plane);
    part.endRow = from.numRows;
    if (p + 1 < numParts) {
      const std::int64_t row = std::min(geometry::detail::partBegin(from, p + 1, numParts), from.numRows - 1);
      const std::int64_t next = planeOf(from.rowKeys[row]);
      part.endPlane = std::max(part.firstPlane, halvesPlanes ? next >> 1 : next);
      part.endRow = rowsBefore(halvesPlanes ? 2 * part.endPlane + low : part.endPlane);
    }
    part.endRow = std::max(part.endRow, part.firstRow);
    plane = part.endPlane;
  }
  for (int p = 0; p < numParts; ++p) {
    const CoarsenPart<Dim>& part = parts(p);
    const std::int64_t rows = copies * (part.endRow - part.firstRow);
    const std::int64_t intervals =
      part.firstRow < part.endRow ? copies * (from.rowOffsets[part.endRow] - from.rowOffsets[part.firstRow]) : 0;
    // the first part is written in place, the others are moved behind it
    outputs(p) = p == 0 ? makeTarget(copies * from.numRows, copies * from.numIntervals)
                        : geometry::detail::scratchSet<Dim>(frame, rows, intervals);
    parts(p).out = outputs(p);
  }
  geometry::detail::doPartsOnHost(
    space, SPANWISE_KERNEL("coarsen parts"), numParts, Pass<Dim>{from, reach, parts.data(), counts.data()});
  return geometry::detail::joinParts(space, outputs.data(), counts.data(), numParts, outputs(0), frame);
}

/// Calls makeTarget(rows, intervals) once, for arrays with room for that many, and writes the coarser set into them.
template <class Space, int Dim, class MakeTarget>
geometry::SetTotals coarsenOnHost(const Space& space, const geometry::IntervalSetView<Dim>& from,
  const CoarseReach& reach, typename Workspace<typename Space::memory_space>::Frame& frame,
  const MakeTarget& makeTarget) {
  if constexpr (Dim == 2) {
    return coarsenPassOnHost<CoarsenAlongY, Space, Dim>(space, from, reach, frame, makeTarget);
  } else {
    const int copiesY = reach.at[1] > 0 ? 2 : 1;
    const geometry::WritableIntervalSet<Dim> lines =
      geometry::detail::scratchSet<Dim>(frame, copiesY * from.numRows, copiesY * from.numIntervals);
    const geometry::SetTotals totals = coarsenPassOnHost<CoarsenAlongY, Space, Dim>(
      space, from, reach, frame, [&](std::int64_t /*rows*/, std::int64_t /*intervals*/) { return lines; });
    return coarsenPassOnHost<CoarsenAlongZ, Space, Dim>(space, lines.view(totals), reach, frame, makeTarget);
  }
}

} // namespace spanwise::multilevel::detail
