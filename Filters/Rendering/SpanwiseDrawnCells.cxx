#include "SpanwiseDrawnCells.h"

#include "SpanwiseLoops.h"

#include "Core/Geometry/Copy.hpp"

#include <vtkDataSetAttributes.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace spanwise {

namespace {

constexpr unsigned char notThere = vtkDataSetAttributes::HIDDENCELL;
constexpr unsigned char notDrawn = notThere | vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::REFINEDCELL;

// The cells of a set that lie in a region and whose flags are clear of a mask.
template <int Dim>
struct Choice {
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

// The chosen cells as a set; intervalOf[k] = the interval of choice.cells that holds interval k.
template <int Dim>
HostIntervalSet<Dim> chosenCells(
  const Choice<Dim>& choice, Kokkos::View<std::int64_t*, Kokkos::HostSpace>& intervalOf) {
  const std::int64_t firstRow = choice.firstRow();
  const std::int64_t numRows = std::max<std::int64_t>(0, choice.lastRow() - firstRow);
  std::vector<std::int64_t> pieces(static_cast<std::size_t>(numRows) + 1, 0);
  forEach(SPANWISE_LABEL("Rendering::count drawn intervals"), numRows, [&](std::int64_t r) {
    std::int64_t count = 0;
    choice.visitRow(firstRow + r, [&](std::int64_t, const Interval&) { ++count; });
    pieces[static_cast<std::size_t>(r)] = count;
  });
  std::vector<std::int64_t> rows(pieces.size(), 0);
  for (std::size_t r = 0; r + 1 < pieces.size(); ++r) {
    rows[r] = pieces[r] > 0 ? 1 : 0;
  }
  const std::int64_t numIntervals = sumUp(pieces);
  const std::int64_t numChosenRows = sumUp(rows);

  HostIntervalSet<Dim> set;
  const WritableIntervalSet<Dim> out = set.prepare(numChosenRows, numIntervals);
  intervalOf = Kokkos::View<std::int64_t*, Kokkos::HostSpace>(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Rendering::drawn intervals")),
    static_cast<std::size_t>(numIntervals));
  forEach(SPANWISE_LABEL("Rendering::fill drawn intervals"), numRows, [&](std::int64_t r) {
    std::int64_t k = pieces[static_cast<std::size_t>(r)];
    if (k == pieces[static_cast<std::size_t>(r) + 1]) {
      return;
    }
    const std::int64_t row = rows[static_cast<std::size_t>(r)];
    out.rowKeys[row] = choice.cells.rowKeys[firstRow + r];
    out.rowOffsets[row] = k;
    choice.visitRow(firstRow + r, [&](std::int64_t i, const Interval& piece) {
      out.intervals[k] = piece;
      intervalOf[static_cast<std::size_t>(k)] = i;
      ++k;
    });
  });
  finishSet<Dim>(out, numChosenRows, numIntervals, set);
  return set;
}

} // namespace

template <int Dim>
DrawnCells<Dim> drawnCells(const IntervalGridPointer<Dim>& grid, vtkUnsignedCharArray* ghosts, const Box<Dim>* region) {
  DrawnCells<Dim> drawn;
  drawn.grid = grid;
  drawn.set = grid->set();
  drawn.hiding = grid->set();
  const unsigned char* flags =
    ghosts != nullptr && ghosts->GetNumberOfTuples() == grid->set().numCells() && grid->set().numCells() > 0
    ? ghosts->GetPointer(0)
    : nullptr;
  if (flags != nullptr) {
    Kokkos::View<std::int64_t*, Kokkos::HostSpace> unused;
    drawn.hiding = chosenCells(Choice<Dim>{grid->cells(), nullptr, flags, notThere}, unused);
  }
  if (flags != nullptr || region != nullptr) {
    drawn.set = chosenCells(Choice<Dim>{grid->cells(), region, flags, notDrawn}, drawn.intervalOfGrid);
  }
  return drawn;
}

template DrawnCells<2> drawnCells<2>(const IntervalGridPointer<2>&, vtkUnsignedCharArray*, const Box<2>*);
template DrawnCells<3> drawnCells<3>(const IntervalGridPointer<3>&, vtkUnsignedCharArray*, const Box<3>*);

} // namespace spanwise
