#include "Core/Geometry/Surface/ChooseCells.hpp"

#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::geometry {

namespace {

// Walks the chosen cells of a set, row by row.
template <int Dim>
struct ChosenPieces {
  IntervalSetView<Dim> cells;
  Box<Dim> region;
  bool inRegion; // only those of the region
  const unsigned char* flags;
  unsigned char mask;

  [[nodiscard]] KOKKOS_FUNCTION bool hasRow(std::int64_t r) const {
    if (!inRegion) {
      return true;
    }
    const RowKey<Dim> key = cells.rowKeys[r];
    return key.y >= region.begin[1] && key.y < region.end[1] &&
      (Dim == 2 || (key.zOr0() >= region.begin[Dim - 1] && key.zOr0() < region.end[Dim - 1]));
  }

  // visit(interval of cells, piece) for each chosen piece of row r.
  template <class Visit>
  KOKKOS_FUNCTION void visitRow(std::int64_t r, const Visit& visit) const {
    if (!hasRow(r)) {
      return;
    }
    const std::int64_t end = cells.rowOffsets[r + 1];
    std::int64_t i = inRegion ? cells.lowerInterval(r, region.begin[0]) : cells.rowOffsets[r];
    for (; i < end; ++i) {
      Interval piece = cells.intervals[i];
      if (inRegion) {
        piece = {Kokkos::max(piece.begin, region.begin[0]), Kokkos::min(piece.end, region.end[0])};
        if (piece.begin >= piece.end) {
          return;
        }
      }
      visitPieces(i, piece, visit);
    }
  }

  template <class Visit>
  KOKKOS_FUNCTION void visitPieces(std::int64_t i, const Interval& interval, const Visit& visit) const {
    if (flags == nullptr) {
      visit(i, interval);
      return;
    }
    const std::int64_t base = cells.cellOffsets[i] - cells.intervals[i].begin;
    const auto chosen = [&](Coordinate x) { return (flags[base + x] & mask) == 0; };
    Coordinate x = interval.begin;
    while (x < interval.end) {
      while (x < interval.end && !chosen(x)) {
        ++x;
      }
      const Coordinate begin = x;
      while (x < interval.end && chosen(x)) {
        ++x;
      }
      if (begin < x) {
        visit(i, Interval{begin, x});
      }
    }
  }
};

// The rows that may be in a region.
struct RowRange {
  std::int64_t begin;
  std::int64_t end;
};

template <int Dim>
struct FindRows {
  IntervalSetView<Dim> cells;
  Box<Dim> region;
  RowRange* rows;

  KOKKOS_FUNCTION void operator()(std::int64_t /*only*/) const {
    const RowKey<Dim> begin = RowKey<Dim>::fromYZ(region.begin[1], region.begin[Dim - 1]);
    const RowKey<Dim> end = RowKey<Dim>::fromYZ(Dim == 2 ? region.end[1] : region.begin[1], region.end[Dim - 1]);
    rows->begin = cells.lowerRow(begin);
    rows->end = Kokkos::max(rows->begin, cells.lowerRow(end));
  }
};

template <class ExecutionSpace, int Dim>
RowRange rowsOf(const ExecutionSpace& space, const ChosenPieces<Dim>& from) {
  if (!from.inRegion) {
    return {0, from.cells.numRows};
  }
  KernelResult<ExecutionSpace, RowRange> rows;
  forEach(SPANWISE_KERNEL("rows of region"), IndexRange<ExecutionSpace>(space, 0, 1),
    FindRows<Dim>{from.cells, from.region, rows.data()});
  space.fence(SPANWISE_LABEL("Geometry::rows of region"));
  return rows.value();
}

// Counts the pieces of each row, and their cells.
template <int Dim>
struct CountPieces {
  ChosenPieces<Dim> from;
  std::int64_t firstRow;
  SetTotals* totals;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    SetTotals sum;
    from.visitRow(firstRow + r, [&](std::int64_t, const Interval& piece) {
      ++sum.intervals;
      sum.cells += static_cast<std::int64_t>(piece.end) - piece.begin;
    });
    sum.rows = sum.intervals > 0 ? 1 : 0;
    totals[r] = sum;
  }
};

template <int Dim>
struct FillPieces {
  ChosenPieces<Dim> from;
  std::int64_t firstRow;
  std::int64_t numRows;
  const SetTotals* before; // [numRows + 1] the totals of the rows before each
  WritableIntervalSet<Dim> out;
  std::int64_t* intervalOf;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    SetTotals at = before[r];
    if (r + 1 == numRows) {
      out.rowOffsets[before[numRows].rows] = before[numRows].intervals;
      out.cellOffsets[before[numRows].intervals] = before[numRows].cells;
    }
    if (at.rows == before[r + 1].rows) {
      return;
    }
    out.rowKeys[at.rows] = from.cells.rowKeys[firstRow + r];
    out.rowOffsets[at.rows] = at.intervals;
    from.visitRow(firstRow + r, [&](std::int64_t i, const Interval& piece) {
      out.intervals[at.intervals] = piece;
      out.cellOffsets[at.intervals] = at.cells;
      intervalOf[at.intervals] = i;
      ++at.intervals;
      at.cells += static_cast<std::int64_t>(piece.end) - piece.begin;
    });
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void chooseCells(const Context<ExecutionSpace>& context, const IntervalSetView<Dim>& cells,
  const CellChoice<Dim>& choice, IntervalSetOn<Dim, ExecutionSpace>& chosen,
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& intervalOf) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::chooseCells");
  const bool inRegion = choice.region != nullptr;
  const ChosenPieces<Dim> from{cells, inRegion ? *choice.region : Box<Dim>{}, inRegion, choice.flags, choice.mask};
  const RowRange rows = rowsOf(space, from);
  const std::int64_t numRows = rows.end - rows.begin;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  SetTotals* const totals = frame.template array<SetTotals>(numRows + 1).data();
  forEachUneven(
    space, SPANWISE_LABEL("Geometry::count chosen intervals"), numRows, CountPieces<Dim>{from, rows.begin, totals});
  const SetTotals sum = exclusiveScan(space, SPANWISE_KERNEL("chosen pieces"), totals, numRows);

  const WritableIntervalSet<Dim> out = chosen.prepare(sum.rows, sum.intervals);
  intervalOf = Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::chosen intervals")),
    static_cast<std::size_t>(sum.intervals));
  forEachUneven(space, SPANWISE_LABEL("Geometry::fill chosen intervals"), numRows,
    FillPieces<Dim>{from, rows.begin, numRows, totals, out, intervalOf.data()});
  chosen.finish(sum);
}

#define SPANWISE_CHOOSE_CELLS(Space, Dim)                                                                              \
  template void chooseCells<Space, Dim>(const Context<Space>&, const IntervalSetView<Dim>&, const CellChoice<Dim>&,    \
    IntervalSetOn<Dim, Space>&, Kokkos::View<std::int64_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_CHOOSE_CELLS)

} // namespace spanwise::geometry
