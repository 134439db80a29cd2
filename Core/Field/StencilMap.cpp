#include "Core/Field/StencilMap.hpp"

#include "Core/Field/Detail/AbsentNeighbours.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

#include <string>

namespace spanwise::field {

namespace {

/// What the pieces of a set are cut into, and how many neighbours are too far apart.
struct MapTotals {
  std::int64_t segments = 0;
  std::int64_t cells = 0;
  std::int64_t beyond = 0;

  KOKKOS_FUNCTION MapTotals& operator+=(const MapTotals& other) {
    segments += other.segments;
    cells += other.cells;
    beyond += other.beyond;
    return *this;
  }
};

/// Cells side by side in one interval.
struct Stretch {
  std::int64_t row;
  std::int64_t x; ///< of the first
  std::int64_t cell;
  std::int64_t length;
};

/// The intervals of a set, or the runs of cells that it shares with a region.
template <int Dim>
struct Stretches {
  geometry::IntervalSetView<Dim> set;
  const geometry::CellRun* runs; ///< nullptr: the intervals

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t length(std::int64_t k) const {
    return runs != nullptr ? runs[k].count : set.cellOffsets[k + 1] - set.cellOffsets[k];
  }
  [[nodiscard]] KOKKOS_FUNCTION Stretch stretch(std::int64_t k) const {
    const std::int64_t interval = runs != nullptr ? set.intervalOfCell(runs[k].a) : k;
    const std::int64_t cell = runs != nullptr ? runs[k].a : set.cellOffsets[k];
    return {
      set.rowOfInterval(interval), set.intervals[interval].begin + (cell - set.cellOffsets[interval]), cell, length(k)};
  }
};

/// Finds the rows at a pattern's offsets from each row, -1 where there is none: rows[numRows][Pattern::numRows].
template <class Pattern, class Space, int Dim>
void findRows(
  const Space& space, const geometry::IntervalSetView<Dim>& set, const detail::Wrap<Dim>& wrap, std::int64_t* rows) {
  const auto find = KOKKOS_LAMBDA(std::int64_t r) {
    for (int k = 0; k < Pattern::numRows; ++k) {
      const std::int64_t y = wrap(1, static_cast<std::int64_t>(set.rowKeys[r].y) + Pattern::rowOffset(k, 1));
      std::int64_t z = set.rowKeys[r].zOr0();
      if constexpr (Dim == 3) {
        z = wrap(2, z + Pattern::rowOffset(k, 2));
      }
      const bool exists = geometry::isCellCoordinate(y) && geometry::isCellCoordinate(z);
      rows[r * Pattern::numRows + k] = exists
        ? set.findRow(
            geometry::RowKey<Dim>::fromYZ(static_cast<geometry::Coordinate>(y), static_cast<geometry::Coordinate>(z)))
        : -1;
    }
  };
  forEach(
    SPANWISE_KERNEL("find rows"), IndexRange<Space>(space, 0, set.numRows), find, Work{set.numRows * Pattern::numRows});
}

/// Cuts pieces of stretches into segments.
template <class Pattern>
struct CutPieces {
  static constexpr int Dim = Pattern::dimension;
  static constexpr int count = Pattern::count;
  using Segment = StencilSegment<count>;

  geometry::IntervalSetView<Dim> set;
  const std::int64_t* rows; ///< [numRows][Pattern::numRows]
  detail::Wrap<Dim> wrap;
  detail::Sides<Dim> sides;
  BoundaryPolicy policy;

  /// Calls visit(segment, length, beyond) for the segments of a piece in order, where `beyond` says whether a distance
  /// was too large.
  template <class Visit>
  KOKKOS_FUNCTION void forSegments(const Stretch& piece, const Visit& visit) const {
    const std::int64_t* const rowsOfPiece = rows + piece.row * Pattern::numRows;
    const bool periodic = wrap.period.extent(0) > 0;
    const geometry::RowKey<Dim> key = set.rowKeys[piece.row];
    std::int64_t at[count]; // the interval of each neighbour, or the next one in its row
    std::int64_t last[count];
    for (int n = 0; n < count; ++n) {
      const std::int64_t row = rowsOfPiece[Pattern::rowOf(n)];
      at[n] = row < 0 ? 0 : lowerInterval(row, piece.x + Pattern::offset(n, 0));
      last[n] = row < 0 ? 0 : set.rowOffsets[row + 1];
    }
    const std::int64_t end = piece.x + piece.length;
    for (std::int64_t x = piece.x; x < end;) {
      Segment segment;
      segment.cell = piece.cell + (x - piece.x);
      std::int64_t next = end;
      bool beyond = false;
      bool complete = true;
      for (int n = 0; n < count; ++n) {
        std::int64_t atX = x + Pattern::offset(n, 0);
        if (periodic) {
          atX = wrap(0, atX);
          next = Kokkos::min(next, x + (wrap.period.end[0] - atX));
          at[n] = last[n] == 0 ? 0 : lowerInterval(rowsOfPiece[Pattern::rowOf(n)], atX);
        } else {
          while (at[n] < last[n] && set.intervals[at[n]].end <= atX) {
            ++at[n];
          }
        }
        segment.distance[n] = Segment::absent;
        if (at[n] < last[n]) {
          const geometry::Interval interval = set.intervals[at[n]];
          if (interval.begin <= atX) {
            const std::int64_t distance = set.cellOffsets[at[n]] + (atX - interval.begin) - segment.cell;
            beyond = beyond || distance > maxDistance || distance < -maxDistance;
            segment.distance[n] = static_cast<std::int32_t>(distance);
            next = Kokkos::min(next, x + (interval.end - atX));
          } else {
            next = Kokkos::min(next, x + (interval.begin - atX));
          }
        }
        if (segment.distance[n] == Segment::absent) {
          complete = false;
          segment.distance[n] += sidesOfRow(key, n) | sides(0, atX);
          const std::int64_t change = sides.nextChange(0, atX);
          next = change - atX < next - x ? x + (change - atX) : next;
        }
      }
      if (policy == BoundaryPolicy::Mirror || policy == BoundaryPolicy::Periodic) {
        if (!complete) {
          detail::mirror<Pattern>(segment);
        }
        complete = true;
      }
      if (complete || policy == BoundaryPolicy::Value) {
        visit(segment, next - x, beyond);
      }
      x = next;
    }
  }

private:
  // Of either sign: below are those that say that a neighbour is absent.
  static constexpr std::int64_t maxDistance = -(std::int64_t{Segment::maxAbsent} + 1);

  [[nodiscard]] KOKKOS_FUNCTION int sidesOfRow(const geometry::RowKey<Dim>& key, int n) const {
    int beyond = sides(1, wrap(1, static_cast<std::int64_t>(key.y) + Pattern::offset(n, 1)));
    if constexpr (Dim == 3) {
      beyond |= sides(2, wrap(2, static_cast<std::int64_t>(key.z) + Pattern::offset(n, 2)));
    }
    return beyond;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lowerInterval(std::int64_t row, std::int64_t x) const {
    if (x > geometry::maxRowKey) {
      return set.rowOffsets[row + 1];
    }
    return set.lowerInterval(
      row, static_cast<geometry::Coordinate>(Kokkos::max<std::int64_t>(x, geometry::minCoordinate)));
  }
};

template <int Dim>
KOKKOS_FUNCTION Stretch pieceOf(const Stretch& stretch, std::int64_t k, std::int64_t longest) {
  const std::int64_t first = k * longest;
  return {stretch.row, stretch.x + first, stretch.cell + first, Kokkos::min(longest, stretch.length - first)};
}

template <class Pattern>
struct CountSegments {
  Stretches<Pattern::dimension> stretches;
  CutPieces<Pattern> cut;
  std::int64_t longest;
  MapTotals* totals; ///< of each piece

  KOKKOS_FUNCTION void operator()(std::int64_t stretch, std::int64_t k, std::int64_t p) const {
    MapTotals sum;
    cut.forSegments(pieceOf<Pattern::dimension>(stretches.stretch(stretch), k, longest),
      [&](const auto& /*segment*/, std::int64_t length, bool beyond) {
        sum += {1, length, static_cast<std::int64_t>(beyond)};
      });
    totals[p] = sum;
  }
};

template <class Pattern>
struct FillSegments {
  Stretches<Pattern::dimension> stretches;
  CutPieces<Pattern> cut;
  std::int64_t longest;
  std::int64_t numPieces;
  const MapTotals* before; ///< the totals of the pieces before each
  StencilSegment<Pattern::count>* segments;
  std::int64_t* offsets;

  KOKKOS_FUNCTION void operator()(std::int64_t stretch, std::int64_t k, std::int64_t p) const {
    MapTotals at = before[p];
    cut.forSegments(pieceOf<Pattern::dimension>(stretches.stretch(stretch), k, longest),
      [&](const StencilSegment<Pattern::count>& segment, std::int64_t length, bool /*beyond*/) {
        segments[at.segments] = segment;
        offsets[at.segments] = at.cells;
        at += {1, length, 0};
      });
    if (p + 1 == numPieces) {
      offsets[at.segments] = at.cells;
    }
  }
};

} // namespace

template <class Pattern, class ExecutionSpace>
void buildStencilMap(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Pattern::dimension, ExecutionSpace>& set, const Boundary<Pattern::dimension>& boundary,
  StencilMapOn<Pattern, ExecutionSpace>& out, const Within<typename ExecutionSpace::memory_space>& within) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Field::buildStencilMap");
  constexpr int Dim = Pattern::dimension;
  constexpr std::int64_t longest = StencilMapOn<Pattern, ExecutionSpace>::maxLength;
  detail::checkPeriod(boundary, set.empty(), [&] { return boundingBox<ExecutionSpace, Dim>(context, set); });
  const auto* const cells = within.cells();
  if (cells != nullptr && cells->numCellsOfA() != set.numCells()) {
    throw InvalidArgument("the region is seen in a set of " + std::to_string(cells->numCellsOfA()) +
      " cells; the stencil's set has " + std::to_string(set.numCells()));
  }
  const geometry::IntervalSetView<Dim> view = set.view();
  const Stretches<Dim> stretches{view, cells != nullptr ? cells->runs().data() : nullptr};
  const std::int64_t numStretches = cells != nullptr ? cells->numRuns() : view.numIntervals;

  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  std::int64_t* const pieces = frame.template array<std::int64_t>(numStretches + 1).data();
  forEach(
    SPANWISE_KERNEL("count pieces"), IndexRange<ExecutionSpace>(space, 0, numStretches),
    KOKKOS_LAMBDA(std::int64_t k) { pieces[k] = (stretches.length(k) + longest - 1) / longest; });
  const std::int64_t numPieces = exclusiveScan(space, SPANWISE_KERNEL("scan pieces"), pieces, numStretches);

  const detail::Wrap<Dim> wrap{boundary.period};
  std::int64_t* const rows = frame.template array<std::int64_t>(view.numRows * Pattern::numRows).data();
  findRows<Pattern>(space, view, wrap, rows);

  const CutPieces<Pattern> cut{view, rows, wrap, {boundary.domain}, boundary.policy};
  MapTotals* const totals = frame.template array<MapTotals>(numPieces + 1).data();
  forEachPart(space, SPANWISE_KERNEL("count segments"), pieces, numStretches, numPieces,
    CountSegments<Pattern>{stretches, cut, longest, totals});
  const MapTotals sum = exclusiveScan(space, SPANWISE_KERNEL("scan segments"), totals, numPieces);
  if (sum.beyond > 0) {
    out.prepare(0);
    throw InvalidArgument("neighbours are more than 2^31 - 64 apart in the order of the set's " +
      std::to_string(set.numCells()) + " cells: a stencil needs the set in smaller parts");
  }
  const auto [segments, offsets] = out.prepare(sum.segments);
  forEachPart(space, SPANWISE_KERNEL("fill segments"), pieces, numStretches, numPieces,
    FillSegments<Pattern>{stretches, cut, longest, numPieces, totals, segments, offsets});
  out.finish(space, sum.segments, sum.cells, set.numCells());
}

#define SPANWISE_STENCIL_MAP(Space, Dim, ...)                                                                          \
  template void buildStencilMap<__VA_ARGS__, Space>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&, \
    const Boundary<Dim>&, StencilMapOn<__VA_ARGS__, Space>&, const Within<Space::memory_space>&);
#define SPANWISE_STENCIL_MAPS(Space, Dim)                                                                              \
  SPANWISE_STENCIL_MAP(Space, Dim, StarPattern<Dim, 1>)                                                                \
  SPANWISE_STENCIL_MAP(Space, Dim, StarPattern<Dim, 2>)                                                                \
  SPANWISE_STENCIL_MAP(Space, Dim, StarPattern<Dim, 3>)                                                                \
  SPANWISE_STENCIL_MAP(Space, Dim, StarPattern<Dim, 4>)                                                                \
  SPANWISE_STENCIL_MAP(Space, Dim, LowerFacePattern<Dim>)                                                              \
  SPANWISE_STENCIL_MAP(Space, Dim, BoxPattern<Dim>)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_STENCIL_MAPS)
#define SPANWISE_EDGE_STENCIL_MAP(Space) SPANWISE_STENCIL_MAP(Space, 3, EdgePattern)
SPANWISE_FOR_EACH_SPACE(SPANWISE_EDGE_STENCIL_MAP)

} // namespace spanwise::field
