#include "Core/Geometry/Surface/ChooseCells.hpp"

#include "Core/Geometry/Detail/FinishSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"

#include <algorithm>
#include <vector>

namespace spanwise::geometry {

namespace {

// Walks the chosen cells of a set, row by row.
template <int Dim>
struct ChosenPieces {
  IntervalSetView<Dim> cells;
  const Box<Dim>* region;
  const unsigned char* flags;
  unsigned char mask;

  // The rows outside [firstRow(), lastRow()) are not in the region.
  [[nodiscard]] std::int64_t firstRow() const {
    return region == nullptr ? 0 : cells.lowerRow(RowKey<Dim>::fromYZ(region->begin[1], region->begin[Dim - 1]));
  }
  [[nodiscard]] std::int64_t lastRow() const {
    return region == nullptr
      ? cells.numRows
      : cells.lowerRow(RowKey<Dim>::fromYZ(Dim == 2 ? region->end[1] : region->begin[1], region->end[Dim - 1]));
  }

  [[nodiscard]] bool hasRow(std::int64_t r) const {
    if (region == nullptr) {
      return true;
    }
    const RowKey<Dim> key = cells.rowKeys[r];
    return key.y >= region->begin[1] && key.y < region->end[1] &&
      (Dim == 2 || (key.zOr0() >= region->begin[Dim - 1] && key.zOr0() < region->end[Dim - 1]));
  }

  // visit(interval of cells, piece) for each chosen piece of row r.
  template <class Visit>
  void visitRow(std::int64_t r, const Visit& visit) const {
    if (!hasRow(r)) {
      return;
    }
    const std::int64_t end = cells.rowOffsets[r + 1];
    std::int64_t i = region != nullptr ? cells.lowerInterval(r, region->begin[0]) : cells.rowOffsets[r];
    for (; i < end; ++i) {
      Interval piece = cells.intervals[i];
      if (region != nullptr) {
        piece = {std::max(piece.begin, region->begin[0]), std::min(piece.end, region->end[0])};
        if (piece.begin >= piece.end) {
          return;
        }
      }
      visitPieces(i, piece, visit);
    }
  }

  template <class Visit>
  void visitPieces(std::int64_t i, const Interval& interval, const Visit& visit) const {
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

} // namespace

template <int Dim>
void chooseCells(const Context<HostExecutionSpace>& context, const IntervalSetView<Dim>& cells,
  const CellChoice<Dim>& choice, HostIntervalSet<Dim>& chosen,
  Kokkos::View<std::int64_t*, Kokkos::HostSpace>& intervalOf) {
  const HostExecutionSpace& space = context.space();

  const ChosenPieces<Dim> from{cells, choice.region, choice.flags, choice.mask};
  const std::int64_t firstRow = from.firstRow();
  const std::int64_t numRows = std::max<std::int64_t>(0, from.lastRow() - firstRow);
  std::vector<std::int64_t> pieces(static_cast<std::size_t>(numRows) + 1, 0);
  forEachUneven(space, SPANWISE_LABEL("Geometry::count chosen intervals"), numRows, [&](std::int64_t r) {
    std::int64_t count = 0;
    from.visitRow(firstRow + r, [&](std::int64_t, const Interval&) { ++count; });
    pieces[static_cast<std::size_t>(r)] = count;
  });
  std::vector<std::int64_t> rows(pieces.size(), 0);
  for (std::size_t r = 0; r + 1 < pieces.size(); ++r) {
    rows[r] = pieces[r] > 0 ? 1 : 0;
  }
  const std::int64_t numIntervals = exclusiveScan(space, SPANWISE_KERNEL("chosen pieces"), pieces.data(), numRows);
  const std::int64_t numChosenRows = exclusiveScan(space, SPANWISE_KERNEL("chosen rows"), rows.data(), numRows);

  const WritableIntervalSet<Dim> out = chosen.prepare(numChosenRows, numIntervals);
  intervalOf = Kokkos::View<std::int64_t*, Kokkos::HostSpace>(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::chosen intervals")),
    static_cast<std::size_t>(numIntervals));
  forEachUneven(space, SPANWISE_LABEL("Geometry::fill chosen intervals"), numRows, [&](std::int64_t r) {
    std::int64_t k = pieces[static_cast<std::size_t>(r)];
    if (k == pieces[static_cast<std::size_t>(r) + 1]) {
      return;
    }
    const std::int64_t row = rows[static_cast<std::size_t>(r)];
    out.rowKeys[row] = cells.rowKeys[firstRow + r];
    out.rowOffsets[row] = k;
    from.visitRow(firstRow + r, [&](std::int64_t i, const Interval& piece) {
      out.intervals[k] = piece;
      intervalOf[static_cast<std::size_t>(k)] = i;
      ++k;
    });
  });
  detail::finishSet<Dim>(out, numChosenRows, numIntervals, chosen);
}

#define SPANWISE_CHOOSE_CELLS(Dim)                                                                                     \
  template void chooseCells<Dim>(const Context<HostExecutionSpace>&, const IntervalSetView<Dim>&,                      \
    const CellChoice<Dim>&, HostIntervalSet<Dim>&, Kokkos::View<std::int64_t*, Kokkos::HostSpace>&);
SPANWISE_CHOOSE_CELLS(2)
SPANWISE_CHOOSE_CELLS(3)

} // namespace spanwise::geometry
