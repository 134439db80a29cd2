#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/AlikeRows.hpp"
#include "Core/Geometry/Detail/MergeRowsOnHost.hpp"
#include "Core/Geometry/HostParts.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>
#include <limits>

namespace spanwise::geometry::detail {

// The union or intersection of moved copies of one set, in one pass: as many row numbers walk through the set as there
// are copies, and all rows that come to lie on each other are combined while they are in the cache. Rows with
// consecutive y are found together, so that keys are compared for each such run and not for each row.

/// A copy of a set: begins and ends of its intervals are moved, and then its rows.
struct MovedCopy {
  std::int64_t y;
  std::int64_t z;
  std::int64_t beginMove;
  std::int64_t endMove;
  std::int64_t rankMove; ///< what is added to keys' ranks

  template <int Dim>
  static MovedCopy of(std::int64_t y, std::int64_t z, std::int64_t beginMove, std::int64_t endMove) {
    return {y, z, beginMove, endMove, Dim == 2 ? y : z * (std::int64_t{1} << 32) + y};
  }
};

template <int Dim>
struct MovedCopies {
  IntervalSetView<Dim> set;
  const MovedCopy* copies;
  int numCopies;
  bool farFromLimits;     ///< no moved begin or end passes the limits of coordinates
  std::int64_t maxPerRow; ///< no row of the result, nor of a part of the copies, has more intervals
};

/// Room for what one part makes, and what it makes it of: what begins with the keys of some rows.
template <int Dim>
struct MovedPart {
  std::int64_t firstRow;
  std::int64_t endRow;
  std::int64_t* rows;    ///< [numCopies] the next row of each copy
  std::int64_t* ranks;   ///< [numCopies] its rank when moved
  std::int64_t* runEnds; ///< [numCopies] up to where the y of rows are known to be consecutive from the next row on
  MovedRows* chosen;     ///< [numCopies]
  Interval* resized;     ///< [longest row]
  Interval* merged;      ///< [longest row of the result]
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
    if (part_.firstRow < part_.endRow) {
      if constexpr (operation == SetOperation::Union) {
        unite();
      } else {
        intersect();
      }
    }
    return done_;
  }

private:
  [[nodiscard]] std::int64_t rank(std::int64_t row) const { return plan_.set.rowKeys[row].rank(); }

  /// The difference of two ranks, or `most` if it is more.
  [[nodiscard]] static std::int64_t upTo(std::int64_t low, std::int64_t high, std::int64_t most) {
    const std::uint64_t difference = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return static_cast<std::int64_t>(std::min(difference, static_cast<std::uint64_t>(most)));
  }

  /// How many rows of copy k from the next one on have consecutive y, of at most `most`.
  [[nodiscard]] std::int64_t runLength(int k, std::int64_t most) const {
    const std::int64_t row = part_.rows[k];
    if (part_.runEnds[k] <= row) {
      part_.runEnds[k] = runEnd(row);
    }
    return std::min(most, part_.runEnds[k] - row);
  }

  [[nodiscard]] std::int64_t runEnd(std::int64_t row) const {
    const std::int64_t most = plan_.set.numRows - row;
    // ranks grow by one at least, so they are consecutive if they are so at the end
    const auto consecutive = [&](std::int64_t length) {
      return length <= most && upTo(rank(row), rank(row + length - 1), length) == length - 1;
    };
    std::int64_t length = 1;
    std::int64_t step = 1;
    for (; consecutive(length + step); step *= 2) {
      length += step;
    }
    for (; step > 0; step /= 2) {
      length += consecutive(length + step) ? step : 0;
    }
    return row + length;
  }

  /// The rows of all copies in the order of their keys. No key passes the limits.
  void unite() {
    const std::int64_t end = part_.endRow == plan_.set.numRows ? noRank : rank(part_.endRow);
    for (int k = 0; k < plan_.numCopies; ++k) {
      part_.rows[k] = part_.firstRow == 0 ? 0 : firstRowFrom(k, rank(part_.firstRow));
      part_.ranks[k] = movedRank(k, part_.rows[k]);
      part_.runEnds[k] = 0;
    }
    while (true) {
      // the first key, and the first behind it at which a copy begins or ends to have rows
      const std::int64_t next = *std::min_element(part_.ranks, part_.ranks + plan_.numCopies);
      if (next >= end) {
        return;
      }
      std::int64_t length = upTo(next, end, plan_.set.numRows);
      for (int k = 0; k < plan_.numCopies; ++k) {
        if (part_.ranks[k] != next) {
          length = upTo(next, part_.ranks[k], length);
        }
      }
      for (int k = 0; k < plan_.numCopies; ++k) {
        if (part_.ranks[k] == next) {
          length = runLength(k, length);
        }
      }
      int count = 0;
      RowKey<Dim> key{};
      for (int k = 0; k < plan_.numCopies; ++k) {
        if (part_.ranks[k] == next) {
          key = movedKey(plan_.set.rowKeys[part_.rows[k]], plan_.copies[k], 1);
          choose(count++, k, part_.rows[k]);
          part_.rows[k] += length;
          part_.ranks[k] = movedRank(k, part_.rows[k]);
        }
      }
      put(key, count, length);
    }
  }

  [[nodiscard]] std::int64_t movedRank(int k, std::int64_t row) const {
    return row < plan_.set.numRows ? rank(row) + plan_.copies[k].rankMove : noRank;
  }

  [[nodiscard]] std::int64_t firstRowFrom(int k, std::int64_t wanted) const {
    std::int64_t low = 0;
    std::int64_t high = plan_.set.numRows;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (movedRank(k, middle) < wanted) {
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
    std::fill_n(part_.runEnds, plan_.numCopies, 0);
    part_.rows[0] = part_.firstRow;
    for (std::int64_t& row = part_.rows[0]; row < part_.endRow;) {
      const RowKey<Dim> source = plan_.set.rowKeys[row];
      if (!limits.hold(source, plan_.copies[0])) {
        ++row;
        continue;
      }
      const RowKey<Dim> key = movedKey(source, plan_.copies[0], -1);
      if (!started) {
        for (int k = 1; k < plan_.numCopies; ++k) {
          part_.rows[k] = plan_.set.lowerRow(movedKey(key, plan_.copies[k], 1));
        }
        started = true;
      }
      bool all = true;
      for (int k = 1; k < plan_.numCopies && all; ++k) {
        const std::int64_t wanted = key.rank() + plan_.copies[k].rankMove;
        std::int64_t other = part_.rows[k];
        while (other < plan_.set.numRows && rank(other) < wanted) {
          ++other;
        }
        part_.rows[k] = other;
        if (other == plan_.set.numRows) {
          return; // and none behind
        }
        all = rank(other) == wanted;
      }
      if (!all) {
        ++row;
        continue;
      }
      std::int64_t length = part_.endRow - row;
      for (int k = 0; k < plan_.numCopies; ++k) {
        length = runLength(k, length);
      }
      for (int k = 0; k < plan_.numCopies; ++k) {
        choose(k, k, part_.rows[k]);
        part_.rows[k] += length;
      }
      put(key, plan_.numCopies, length);
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
    part_.chosen[place] = {reinterpret_cast<const Coordinate*>(plan_.set.intervals + plan_.set.rowOffsets[row]),
      plan_.set.rowOffsets + row, plan_.copies[k].beginMove, plan_.copies[k].endMove};
  }

  /// Writes the unions or intersections of the first `count` chosen rows and of the length - 1 that follow each.
  void put(RowKey<Dim> key, int count, std::int64_t length) {
    while (length > 0) {
      const std::int64_t numIntervals = part_.chosen[0].numIntervals();
      std::int64_t done = 0;
      if (plan_.farFromLimits && numIntervals == 1) {
        done = putAlike<1>(key, count, length);
      } else if (plan_.farFromLimits && numIntervals == 2) {
        done = putAlike<2>(key, count, length);
      }
      if (done == 0) {
        putRow(key, count, 0);
        done = 1;
      }
      for (int k = 0; k < count; ++k) {
        part_.chosen[k] = part_.chosen[k].after(done);
      }
      length -= done;
      if (length > 0) { // otherwise there may be no key behind
        key.y = static_cast<Coordinate>(key.y + done);
      }
    }
  }

  /// The same for the rows from the chosen ones on in which each copy has so many intervals; returns how many these
  /// are.
  template <int numIntervals>
  std::int64_t putAlike(RowKey<Dim> key, int count, std::int64_t length) {
    using Alike = AlikeRows<numIntervals>;
    std::int64_t numRows = std::min(length, Alike::maxRows);
    for (int k = 0; k < count; ++k) {
      const std::int64_t* const offset = part_.chosen[k].offset;
      std::int64_t r = 0;
      while (r < numRows && offset[r + 1] - offset[r] == numIntervals) {
        ++r;
      }
      numRows = r;
    }
    if (numRows == 0) {
      return 0;
    }
    const Alike alike(part_.chosen, count, numRows);
    for (std::int64_t r = 0; r < numRows; ++r, ++key.y) { // up to the limit of coordinates at most
      Coordinate* const end = hasRoom(numIntervals) ? alike.template merged<operation>(r, next()) : nullptr;
      if (end != nullptr) {
        endRow(key, end, part_.out, done_);
      } else {
        putRow(key, count, r);
      }
    }
    return numRows;
  }

  /// The same for the rows number r alone, whatever they are.
  void putRow(const RowKey<Dim>& key, int count, std::int64_t r) {
    std::int64_t numIntervals = 0;
    for (int k = 0; k < count; ++k) {
      numIntervals += part_.chosen[k].offset[r + 1] - part_.chosen[k].offset[r];
    }
    numIntervals = std::min(numIntervals, plan_.maxPerRow);
    if (hasRoom(numIntervals)) {
      endRow(key, mergeOneByOne(count, r), part_.out, done_);
    } else {
      lacksRoom_ = true;
      done_ += {1, numIntervals, 0};
    }
  }

  [[nodiscard]] Coordinate* next() const {
    return reinterpret_cast<Coordinate*>(part_.out.intervals + done_.intervals);
  }

  [[nodiscard]] bool hasRoom(std::int64_t intervals) const {
    return !lacksRoom_ && done_.rows < part_.maxRows && done_.intervals + intervals <= part_.maxIntervals;
  }

  [[nodiscard]] Coordinate* mergeOneByOne(int count, std::int64_t r) const {
    Coordinate* const out = next();
    auto* const spare = reinterpret_cast<Coordinate*>(part_.merged);
    // each merge takes what lies in one of the two and writes the other; the last one writes `out`
    Coordinate* to = count % 2 == 1 ? out : spare;
    Coordinate* end = resizeInto(part_.chosen[0].after(r), to);
    for (int k = 1; k < count; ++k) {
      const IntervalRow before(reinterpret_cast<const Interval*>(to), (end - to) / 2);
      if (operation == SetOperation::Intersection && before.size() == 0) {
        return out;
      }
      to = to == out ? spare : out;
      end = mergeInto<operation>(before, resized(part_.chosen[k].after(r)), to);
    }
    return end;
  }

  [[nodiscard]] IntervalRow resized(const MovedRows& moved) const {
    if (moved.beginMove == 0 && moved.endMove == 0) {
      return {reinterpret_cast<const Interval*>(moved.endpoints), moved.numIntervals()};
    }
    auto* const begin = reinterpret_cast<Coordinate*>(part_.resized);
    return {part_.resized, (resizeInto(moved, begin) - begin) / 2};
  }

  const MovedCopies<Dim>& plan_;
  const MovedPart<Dim>& part_;
  SetTotals done_;
  bool lacksRoom_ = false;
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
  std::int64_t longest = 0;
  for (std::int64_t r = 0; r < set.numRows; ++r) {
    longest = std::max(longest, set.rowOffsets[r + 1] - set.rowOffsets[r]);
  }
  const std::int64_t longestResult = std::min(plan.numCopies * longest, plan.maxPerRow);
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
    part.runEnds = frame.template array<std::int64_t>(plan.numCopies).data();
    part.chosen = frame.template array<MovedRows>(plan.numCopies).data();
    part.resized = frame.template array<Interval>(longest + 1).data();
    part.merged = frame.template array<Interval>(longestResult + 1).data();
    part.maxRows = 2 * (part.endRow - part.firstRow) + plan.numCopies;
    part.maxIntervals = 2 * (set.rowOffsets[part.endRow] - set.rowOffsets[part.firstRow]) + longestResult;
  }
  return placeParts<Dim>(
    space, SPANWISE_KERNEL("merge copies"), parts,
    [&](const MovedPart<Dim>& part) { return MovedCopiesMerger<operation, Dim>(plan, part).run(); }, frame, makeTarget);
}

} // namespace spanwise::geometry::detail
