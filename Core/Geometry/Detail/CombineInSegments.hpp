#pragma once

#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Geometry/Detail/Search.hpp"
#include "Core/Geometry/Detail/SetTotals.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise::detail {

// Set algebra for devices: count, scan, fill over segments of equal length of the merged endpoints, so that a few long
// rows keep as many threads busy as many short ones. Where a segment begins in A and in B is found by a binary search
// along a diagonal of the merge (Odeh, Green, Mwassi, Shmueli, Birk: Merge Path, IPDPS Workshops 2012); whether the
// segment begins inside A or B is the parity of the endpoints before it.

inline constexpr std::int64_t endpointsPerSegment = 16;

/// A row of the merge: the row of A and of B with one key, or -1 for none.
struct RowPair {
  std::int64_t a;
  std::int64_t b;
};

template <int Dim>
struct MergePlan {
  IntervalSetView<Dim> a;
  IntervalSetView<Dim> b;
  unsigned truthTable;
  std::int64_t maxPairs; ///< rows of A and B: pairs beyond the real ones are {-1, -1}
  std::int64_t maxSegments;
  std::int64_t* lowerInB;      ///< [rows of A] the first row of B with a key not less
  std::int64_t* matchesBefore; ///< [rows of A + 1] how many rows of A before have a partner in B
  RowPair* pairs;              ///< [maxPairs]
  std::int64_t* firstSegment;  ///< [maxPairs + 1]
  std::int64_t* firstEndpoint; ///< [maxSegments + 1] of each segment, in the output
  std::int64_t* totals;        ///< rows, intervals, cells of the output
  WritableIntervalSet<Dim> out;

  KOKKOS_FUNCTION IntervalRow rowA(std::int64_t pair) const {
    return pairs[pair].a < 0 ? IntervalRow(nullptr, 0) : a.row(pairs[pair].a);
  }
  KOKKOS_FUNCTION IntervalRow rowB(std::int64_t pair) const {
    return pairs[pair].b < 0 ? IntervalRow(nullptr, 0) : b.row(pairs[pair].b);
  }
};

template <int Dim>
struct CountMatches {
  MergePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t& sum, bool final) const {
    const std::int64_t lower = plan.b.lowerRow(plan.a.rowKeys[r]);
    const bool match = lower < plan.b.numRows && plan.b.rowKeys[lower] == plan.a.rowKeys[r];
    if (final) {
      plan.lowerInB[r] = lower;
      plan.matchesBefore[r] = sum;
    }
    sum += static_cast<std::int64_t>(match);
    if (final && r == plan.a.numRows - 1) {
      plan.matchesBefore[r + 1] = sum;
    }
  }
};

template <int Dim>
struct ClearPairs {
  MergePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    plan.pairs[p] = {-1, -1};
    if (p == 0 && plan.a.numRows == 0) {
      plan.matchesBefore[0] = 0;
    }
  }
};

/// Index r < rows of A: a row of A; the others: rows of B. The place of a key is the number of smaller keys in both.
template <int Dim>
struct PairRows {
  MergePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    if (index < plan.a.numRows) {
      const std::int64_t place = index + plan.lowerInB[index] - plan.matchesBefore[index];
      plan.pairs[place].a = index;
    } else {
      const std::int64_t row = index - plan.a.numRows;
      const std::int64_t lower = plan.a.lowerRow(plan.b.rowKeys[row]);
      plan.pairs[row + lower - plan.matchesBefore[lower]].b = row;
    }
  }
};

template <int Dim>
struct CountSegments {
  MergePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t p, std::int64_t& sum, bool final) const {
    if (final) {
      plan.firstSegment[p] = sum;
    }
    const std::int64_t endpoints = plan.rowA(p).size() + plan.rowB(p).size();
    sum += (endpoints + endpointsPerSegment - 1) / endpointsPerSegment;
    if (final && p == plan.maxPairs - 1) {
      plan.firstSegment[p + 1] = sum;
    }
  }
};

/// How many endpoints of A are among the first `diagonal` merged endpoints. Endpoints of A go before equal ones of B;
/// an equal pair is never parted, so one endpoint more of B may belong to them: the second number.
KOKKOS_INLINE_FUNCTION RowPair splitMerge(const IntervalRow& a, const IntervalRow& b, std::int64_t diagonal) {
  std::int64_t low = Kokkos::max<std::int64_t>(0, diagonal - b.size());
  std::int64_t high = Kokkos::min(diagonal, a.size());
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (a.endpoint(middle) <= b.endpoint(diagonal - middle - 1)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  std::int64_t fromB = diagonal - low;
  if (low > 0 && fromB < b.size() && b.endpoint(fromB) == a.endpoint(low - 1)) {
    ++fromB;
  }
  return {low, fromB};
}

/// Where endpoints of a segment go; unlike EndpointWriter it does not write past its own.
class EndpointPlacer {
public:
  KOKKOS_FUNCTION explicit EndpointPlacer(Coordinate* out) : out_(out) {}
  KOKKOS_FUNCTION void put(Coordinate position, unsigned changes) {
    if (changes != 0) {
      *out_++ = position;
    }
  }

private:
  Coordinate* out_;
};

template <int Dim, class Sink>
KOKKOS_INLINE_FUNCTION void mergeSegment(const MergePlan<Dim>& plan, std::int64_t segment, Sink& sink) {
  const std::int64_t pair = firstAbove(plan.firstSegment, 1, plan.maxPairs, segment) - 1;
  const IntervalRow a = plan.rowA(pair);
  const IntervalRow b = plan.rowB(pair);
  const std::int64_t begin = (segment - plan.firstSegment[pair]) * endpointsPerSegment;
  const std::int64_t end = Kokkos::min(begin + endpointsPerSegment, a.size() + b.size());
  const RowPair first = splitMerge(a, b, begin);
  const RowPair last = splitMerge(a, b, end);
  mergeRows(plan.truthTable, a.cursor(first.a, last.a), b.cursor(first.b, last.b), sink);
}

template <int Dim>
struct CountEndpoints {
  MergePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t segment) const {
    EndpointCounter counter;
    if (segment < plan.firstSegment[plan.maxPairs]) {
      mergeSegment(plan, segment, counter);
    }
    plan.firstEndpoint[segment] = counter.count();
  }
};

/// Turns the counts into the first endpoint of each segment.
template <int Dim>
struct ScanEndpoints {
  MergePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t segment, std::int64_t& sum, bool final) const {
    const std::int64_t count = plan.firstEndpoint[segment];
    if (final) {
      plan.firstEndpoint[segment] = sum;
    }
    sum += count;
    if (final && segment == plan.maxSegments - 1) {
      plan.firstEndpoint[plan.maxSegments] = sum;
      plan.totals[1] = sum / 2;
    }
  }
};

template <int Dim>
struct PlaceEndpoints {
  MergePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t segment) const {
    if (segment < plan.firstSegment[plan.maxPairs]) {
      EndpointPlacer placer(reinterpret_cast<Coordinate*>(plan.out.intervals) + plan.firstEndpoint[segment]);
      mergeSegment(plan, segment, placer);
    }
  }
};

template <int Dim>
struct PlaceRows {
  MergePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t p, std::int64_t& row, bool final) const {
    const std::int64_t begin = plan.firstEndpoint[plan.firstSegment[p]] / 2;
    const std::int64_t end = plan.firstEndpoint[plan.firstSegment[p + 1]] / 2;
    if (end > begin) {
      if (final) {
        const RowPair pair = plan.pairs[p];
        plan.out.rowKeys[row] = pair.a >= 0 ? plan.a.rowKeys[pair.a] : plan.b.rowKeys[pair.b];
        plan.out.rowOffsets[row] = begin;
      }
      ++row;
    }
    if (final && p == plan.maxPairs - 1) {
      plan.out.rowOffsets[row] = end;
      plan.totals[0] = row;
    }
  }
};

template <int Dim>
struct SumCells {
  MergePlan<Dim> plan;
  std::int64_t maxIntervals;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool final) const {
    const std::int64_t numIntervals = plan.totals[1];
    if (final && i <= numIntervals) {
      plan.out.cellOffsets[i] = sum;
    }
    if (i < numIntervals) {
      sum += static_cast<std::int64_t>(plan.out.intervals[i].end) - plan.out.intervals[i].begin;
    }
    if (final && i == maxIntervals) {
      plan.totals[2] = sum;
    }
  }
};

/// As combineOnHost(), on any space.
template <class Space, int Dim>
SetTotals combineInSegments(const Space& space, unsigned truthTable, const IntervalSetView<Dim>& a,
  const IntervalSetView<Dim>& b, const WritableIntervalSet<Dim>& target,
  Workspace<typename Space::memory_space>& workspace) {
  const std::int64_t maxIntervals = a.numIntervals + b.numIntervals;
  if (maxIntervals == 0) {
    return {};
  }
  MergePlan<Dim> plan{};
  plan.out = target;
  using Memory = typename Space::memory_space;
  typename Workspace<Memory>::Frame frame(workspace);
  plan.a = a;
  plan.b = b;
  plan.truthTable = truthTable;
  plan.maxPairs = a.numRows + b.numRows;
  plan.maxSegments = 2 * maxIntervals / endpointsPerSegment + plan.maxPairs;
  plan.lowerInB = frame.template array<std::int64_t>(a.numRows).data();
  plan.matchesBefore = frame.template array<std::int64_t>(a.numRows + 1).data();
  plan.pairs = frame.template array<RowPair>(plan.maxPairs).data();
  plan.firstSegment = frame.template array<std::int64_t>(plan.maxPairs + 1).data();
  plan.firstEndpoint = frame.template array<std::int64_t>(plan.maxSegments + 1).data();
  const auto totals = frame.template array<std::int64_t>(3);
  plan.totals = totals.data();

  const Range<Space> overPairs(space, 0, plan.maxPairs);
  const Range<Space> overSegments(space, 0, plan.maxSegments);
  Kokkos::parallel_for(SPANWISE_KERNEL("clear pairs"), overPairs, ClearPairs<Dim>{plan});
  Kokkos::parallel_scan(SPANWISE_KERNEL("match rows"), Range<Space>(space, 0, a.numRows), CountMatches<Dim>{plan});
  Kokkos::parallel_for(SPANWISE_KERNEL("pair rows"), overPairs, PairRows<Dim>{plan});
  Kokkos::parallel_scan(SPANWISE_KERNEL("cut segments"), overPairs, CountSegments<Dim>{plan});
  Kokkos::parallel_for(SPANWISE_KERNEL("count ends"), overSegments, CountEndpoints<Dim>{plan});
  Kokkos::parallel_scan(SPANWISE_KERNEL("scan ends"), overSegments, ScanEndpoints<Dim>{plan});
  Kokkos::parallel_for(SPANWISE_KERNEL("place ends"), overSegments, PlaceEndpoints<Dim>{plan});
  Kokkos::parallel_scan(SPANWISE_KERNEL("place rows"), overPairs, PlaceRows<Dim>{plan});
  Kokkos::parallel_scan(
    SPANWISE_KERNEL("sum cells"), Range<Space>(space, 0, maxIntervals + 1), SumCells<Dim>{plan, maxIntervals});

  std::int64_t counts[3] = {0, 0, 0};
  const Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> onHost(counts, 3);
  Kokkos::deep_copy(space, onHost, totals);
  space.fence(SPANWISE_LABEL("Geometry::combine counts"));
  return {counts[0], counts[1], counts[2]};
}

} // namespace spanwise::detail
