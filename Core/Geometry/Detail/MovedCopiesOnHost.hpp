#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/HostParts.hpp"
#include "Core/Geometry/Detail/MergeRowsOnHost.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>
#include <limits>

namespace spanwise::detail {

// The union or intersection of moved copies of one set, in one pass: as many row numbers walk through the set as there
// are copies, and all rows that come to lie on each other are combined while they are in the cache.

/// A copy of a set: begins and ends of its intervals are moved, and then its rows.
struct MovedCopy {
  std::int64_t y;
  std::int64_t z;
  std::int64_t beginMove;
  std::int64_t endMove;

  template <int Dim>
  [[nodiscard]] std::int64_t rankMove() const {
    return Dim == 2 ? y : z * (std::int64_t{1} << 32) + y;
  }
};

/// A row of a copy. Begins and ends are not cut off at the limits of coordinates.
struct MovedRow {
  IntervalRow row;
  std::int64_t beginMove;
  std::int64_t endMove;

  [[nodiscard]] std::int64_t begin(std::int64_t i) const { return row.endpoint(2 * i) + beginMove; }
  [[nodiscard]] std::int64_t end(std::int64_t i) const { return row.endpoint(2 * i + 1) + endMove; }
};

/// The union or intersection of rows with as many intervals each, the k-th of which meet each other (or, in
/// intersections, may) and none else, as in smooth shapes. Returns nullptr if they are not such rows. Writes as many
/// intervals as a row has at most.
template <SetOperation operation>
Coordinate* mergeManyAlike(const MovedRow* rows, int numRows, Coordinate* out) {
  constexpr bool isUnion = operation == SetOperation::Union;
  constexpr std::int64_t fewEndpoints = 8;
  const std::int64_t size = rows[0].row.size();
  bool alike = size <= fewEndpoints;
  for (int k = 1; k < numRows; ++k) {
    alike &= rows[k].row.size() == size;
  }
  std::int64_t before = std::int64_t{minCoordinate} - 1; // the end of what has been merged
  for (std::int64_t i = 0; i < size / 2 && alike; ++i) {
    std::int64_t firstBegin = rows[0].begin(i);
    std::int64_t lastBegin = firstBegin;
    std::int64_t firstEnd = rows[0].end(i);
    std::int64_t lastEnd = firstEnd;
    for (int k = 1; k < numRows; ++k) {
      const std::int64_t begin = rows[k].begin(i);
      const std::int64_t end = rows[k].end(i);
      firstBegin = std::min(firstBegin, begin);
      lastBegin = std::max(lastBegin, begin);
      firstEnd = std::min(firstEnd, end);
      lastEnd = std::max(lastEnd, end);
    }
    alike = firstBegin > before && (!isUnion || lastBegin <= firstEnd);
    before = lastEnd;
    out[0] = static_cast<Coordinate>(isUnion ? firstBegin : lastBegin);
    out[1] = static_cast<Coordinate>(isUnion ? lastEnd : firstEnd);
    out += isUnion || lastBegin < firstEnd ? 2 : 0;
  }
  return alike ? out : nullptr;
}

/// Writes the row with its begins and ends moved, cut off at the limits of coordinates; returns where it ends.
inline Coordinate* resizeInto(const MovedRow& moved, Coordinate* out) {
  const Coordinate* const first = out;
  for (std::int64_t i = 0; i < moved.row.size() / 2; ++i) {
    const auto begin = static_cast<Coordinate>(std::clamp<std::int64_t>(moved.begin(i), minCoordinate, maxIntervalEnd));
    const auto end = static_cast<Coordinate>(std::clamp<std::int64_t>(moved.end(i), minCoordinate, maxIntervalEnd));
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

template <int Dim>
struct MovedCopies {
  IntervalSetView<Dim> set;
  const MovedCopy* copies;
  int numCopies;
};

/// Room for what one part makes, and what it makes it of.
template <int Dim>
struct MovedPart {
  std::int64_t firstRow; ///< keys from that of this row
  std::int64_t endRow;   ///< up to that of this one
  std::int64_t* rows;    ///< [numCopies] the next row of each copy
  std::int64_t* ranks;   ///< [numCopies] its rank when moved
  MovedRow* chosen;      ///< [numCopies]
  Interval* resized;     ///< [longest row]
  Interval* merged;      ///< [numCopies times longest row]
  WritableIntervalSet<Dim> out;
  std::int64_t maxRows; ///< of `out`
  std::int64_t maxIntervals;
};

/// Makes what one part holds. Writes while there is room, and counts on when there is none.
template <SetOperation operation, int Dim>
class MovedCopiesMerger {
  static constexpr std::int64_t noRank = std::numeric_limits<std::int64_t>::max(); // no key has it

public:
  MovedCopiesMerger(const MovedCopies<Dim>& plan, const MovedPart<Dim>& part) : plan_(plan), part_(part) {}

  SetTotals run() {
    if (part_.firstRow >= part_.endRow) {
      return {};
    }
    if constexpr (operation == SetOperation::Union) {
      unite();
    } else {
      intersect();
    }
    return done_;
  }

private:
  [[nodiscard]] std::int64_t movedRank(int k, std::int64_t row) const {
    return row < plan_.set.numRows ? plan_.set.rowKeys[row].rank() + plan_.copies[k].template rankMove<Dim>() : noRank;
  }

  /// The rows of all copies in the order of their keys. No key passes the limits.
  void unite() {
    const std::int64_t end = part_.endRow == plan_.set.numRows ? noRank : plan_.set.rowKeys[part_.endRow].rank();
    for (int k = 0; k < plan_.numCopies; ++k) {
      part_.rows[k] = part_.firstRow == 0 ? 0 : firstRowFrom(k, plan_.set.rowKeys[part_.firstRow].rank());
      part_.ranks[k] = movedRank(k, part_.rows[k]);
    }
    while (true) {
      std::int64_t next = noRank;
      for (int k = 0; k < plan_.numCopies; ++k) {
        next = std::min(next, part_.ranks[k]);
      }
      if (next >= end) {
        return;
      }
      int count = 0;
      RowKey<Dim> key{};
      for (int k = 0; k < plan_.numCopies; ++k) {
        if (part_.ranks[k] == next) {
          const std::int64_t row = part_.rows[k]++;
          choose(count++, k, row);
          key = movedKey(plan_.set.rowKeys[row], plan_.copies[k], 1);
          part_.ranks[k] = movedRank(k, row + 1);
        }
      }
      put(key, count);
    }
  }

  std::int64_t firstRowFrom(int k, std::int64_t rank) const {
    std::int64_t low = 0;
    std::int64_t high = plan_.set.numRows;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (movedRank(k, middle) < rank) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The rows of the first copy that lie on a row of each other one. Copies are moved back by their offsets.
  void intersect() {
    const Limits limits = limitsOfResult();
    bool started = false;
    for (std::int64_t row = part_.firstRow; row < part_.endRow; ++row) {
      const RowKey<Dim> source = plan_.set.rowKeys[row];
      if (!limits.hold(source, plan_.copies[0])) {
        continue;
      }
      const RowKey<Dim> key = movedKey(source, plan_.copies[0], -1);
      if (!started) {
        for (int k = 1; k < plan_.numCopies; ++k) {
          part_.rows[k] = plan_.set.lowerRow(movedKey(key, plan_.copies[k], 1));
        }
        started = true;
      }
      choose(0, 0, row);
      bool all = true;
      for (int k = 1; k < plan_.numCopies && all; ++k) {
        const std::int64_t wanted = key.rank() + plan_.copies[k].template rankMove<Dim>();
        std::int64_t other = part_.rows[k];
        while (other < plan_.set.numRows && plan_.set.rowKeys[other].rank() < wanted) {
          ++other;
        }
        part_.rows[k] = other;
        if (other == plan_.set.numRows) {
          return; // and none behind
        }
        all = plan_.set.rowKeys[other].rank() == wanted;
        choose(k, k, other);
      }
      if (all) {
        put(key, plan_.numCopies);
      }
    }
  }

  /// The keys of which no copy passes the limits of coordinates.
  struct Limits {
    std::int64_t lowY = minCoordinate;
    std::int64_t highY = maxRowKey;
    std::int64_t lowZ = minCoordinate;
    std::int64_t highZ = maxRowKey;

    [[nodiscard]] bool hold(const RowKey<Dim>& source, const MovedCopy& by) const {
      const std::int64_t y = source.y - by.y;
      const std::int64_t z = source.zOr0() - by.z;
      return y >= lowY && y <= highY && z >= lowZ && z <= highZ;
    }
  };
  [[nodiscard]] Limits limitsOfResult() const {
    Limits limits;
    for (int k = 0; k < plan_.numCopies; ++k) {
      limits.lowY = std::max(limits.lowY, minCoordinate - plan_.copies[k].y);
      limits.highY = std::min(limits.highY, maxRowKey - plan_.copies[k].y);
      limits.lowZ = std::max(limits.lowZ, minCoordinate - plan_.copies[k].z);
      limits.highZ = std::min(limits.highZ, maxRowKey - plan_.copies[k].z);
    }
    return limits;
  }

  static RowKey<Dim> movedKey(const RowKey<Dim>& key, const MovedCopy& by, int sign) {
    return RowKey<Dim>::fromYZ(
      static_cast<Coordinate>(key.y + sign * by.y), static_cast<Coordinate>(key.zOr0() + sign * by.z));
  }

  void choose(int place, int k, std::int64_t row) {
    part_.chosen[place] = {plan_.set.row(row), plan_.copies[k].beginMove, plan_.copies[k].endMove};
  }

  /// Writes the union or intersection of the first `count` chosen rows.
  void put(const RowKey<Dim>& key, int count) {
    std::int64_t endpoints = 0;
    for (int k = 0; k < count; ++k) {
      endpoints += part_.chosen[k].row.size();
    }
    lacksRoom_ = lacksRoom_ || done_.rows == part_.maxRows || done_.intervals + endpoints / 2 > part_.maxIntervals;
    if (lacksRoom_) {
      done_ += {1, endpoints / 2, 0};
      return;
    }
    const WritableIntervalSet<Dim>& out = part_.out;
    auto* const begin = reinterpret_cast<Coordinate*>(out.intervals + done_.intervals);
    Coordinate* end = mergeManyAlike<operation>(part_.chosen, count, begin);
    if (end == nullptr) {
      end = mergeOneByOne(count, begin);
    }
    const std::int64_t last = done_.intervals + (end - begin) / 2;
    if (last > done_.intervals) {
      out.rowKeys[done_.rows] = key;
      out.rowOffsets[done_.rows] = done_.intervals;
      ++done_.rows;
      for (std::int64_t i = done_.intervals; i < last; ++i) {
        out.cellOffsets[i] = done_.cells;
        done_.cells += static_cast<std::int64_t>(out.intervals[i].end) - out.intervals[i].begin;
      }
      done_.intervals = last;
    }
  }

  Coordinate* mergeOneByOne(int count, Coordinate* out) {
    auto* const spare = reinterpret_cast<Coordinate*>(part_.merged);
    // each merge takes what lies in one of the two and writes the other; the last one writes `out`
    Coordinate* to = count % 2 == 1 ? out : spare;
    Coordinate* from = nullptr;
    Coordinate* end = resizeInto(part_.chosen[0], to);
    for (int k = 1; k < count; ++k) {
      from = to;
      to = from == out ? spare : out;
      const IntervalRow before(reinterpret_cast<const Interval*>(from), (end - from) / 2);
      if (operation == SetOperation::Intersection && before.size() == 0) {
        return out;
      }
      end = mergeInto<operation>(before, resized(part_.chosen[k]), to);
    }
    return end;
  }

  IntervalRow resized(const MovedRow& moved) {
    if (moved.beginMove == 0 && moved.endMove == 0) {
      return moved.row;
    }
    auto* const begin = reinterpret_cast<Coordinate*>(part_.resized);
    return {part_.resized, (resizeInto(moved, begin) - begin) / 2};
  }

  const MovedCopies<Dim>& plan_;
  const MovedPart<Dim>& part_;
  SetTotals done_;
  bool lacksRoom_ = false;
};

template <SetOperation operation, int Dim>
struct MergeMovedParts {
  MovedCopies<Dim> plan;
  const MovedPart<Dim>* parts;
  SetTotals* counts;

  void operator()(int p) const { counts[p] = MovedCopiesMerger<operation, Dim>(plan, parts[p]).run(); }
};

/// The union of copies of the set that are moved by their offsets, or the intersection of copies that are moved back by
/// them. Scratch memory and, in makeTarget, the result's may come from `frame`. Calls makeTarget(rows, intervals) for
/// arrays with that much room, and a second time only if the result may have more than twice the rows or intervals of
/// the input. O(rows + intervals) times the number of copies.
template <SetOperation operation, class Space, int Dim, class MakeTarget>
SetTotals mergeMovedCopiesOnHost(const Space& space, const MovedCopies<Dim>& plan,
  typename Workspace<typename Space::memory_space>::Frame& frame, const MakeTarget& makeTarget) {
  const IntervalSetView<Dim>& set = plan.set;
  const int numParts = set.numRows == 0 ? 1 : partsOnHost(space, set.numIntervals);
  const auto parts = frame.template array<MovedPart<Dim>>(numParts);
  const auto counts = frame.template array<SetTotals>(numParts);
  std::int64_t longest = 0;
  for (std::int64_t r = 0; r < set.numRows; ++r) {
    longest = std::max(longest, set.rowOffsets[r + 1] - set.rowOffsets[r]);
  }
  for (int p = 0; p < numParts; ++p) {
    MovedPart<Dim>& part = parts(p);
    part = {};
    part.firstRow = partBegin(set, p, numParts);
    part.endRow = partBegin(set, p + 1, numParts);
    if (part.firstRow >= part.endRow) {
      continue;
    }
    part.rows = frame.template array<std::int64_t>(plan.numCopies).data();
    part.ranks = frame.template array<std::int64_t>(plan.numCopies).data();
    part.chosen = frame.template array<MovedRow>(plan.numCopies).data();
    part.resized = frame.template array<Interval>(longest + 1).data();
    part.merged = frame.template array<Interval>(plan.numCopies * longest + 1).data();
    part.maxRows = 2 * (part.endRow - part.firstRow) + plan.numCopies;
    part.maxIntervals = 2 * (set.rowOffsets[part.endRow] - set.rowOffsets[part.firstRow]) + plan.numCopies * longest;
  }
  return placeParts<Dim>(space, SPANWISE_KERNEL("merge copies"), parts.data(), counts.data(), numParts,
    MergeMovedParts<operation, Dim>{plan, parts.data(), counts.data()}, frame, makeTarget);
}

} // namespace spanwise::detail
