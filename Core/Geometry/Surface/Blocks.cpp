#include "Core/Geometry/Surface/Blocks.hpp"

#include "Core/Geometry/Detail/FinishSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/SetAll.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace spanwise::geometry {

namespace {

BlockMap::Numbers makeNumbers(const std::string& label, std::int64_t count) {
  return BlockMap::Numbers(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), static_cast<std::size_t>(count));
}

template <int Dim>
RowKey<Dim> shifted(const RowKey<Dim>& key, int shift) {
  return RowKey<Dim>::fromYZ(key.y >> shift, key.zOr0() >> shift);
}

Interval shifted(const Interval& interval, int shift) {
  return {interval.begin >> shift, static_cast<Coordinate>(((interval.end - 1) >> shift) + 1)};
}

// Fills rows and rowOffsets.
template <int Dim>
void sortRows(const HostExecutionSpace& space, const IntervalSetView<Dim>& set, BlockMap& out) {
  out.rows = makeNumbers(SPANWISE_LABEL("Geometry::rows of blocks"), set.numRows);
  std::int64_t* const rows = out.rows.data();
  std::iota(rows, rows + set.numRows, std::int64_t{0});
  const auto block = [&](std::int64_t r) { return shifted(set.rowKeys[r], out.shift); };
  if (Dim == 3 && out.shift > 0) {
    // Rows are in order along z already: sort each slab of blocks by itself.
    std::vector<std::int64_t> slabs;
    for (std::int64_t r = 0; r < set.numRows; ++r) {
      if (r == 0 || block(r).zOr0() != block(r - 1).zOr0()) {
        slabs.push_back(r);
      }
    }
    slabs.push_back(set.numRows);
    forEachUneven(
      space, SPANWISE_LABEL("Geometry::sort rows"), static_cast<std::int64_t>(slabs.size()) - 1, [&](std::int64_t s) {
        std::stable_sort(rows + slabs[static_cast<std::size_t>(s)], rows + slabs[static_cast<std::size_t>(s) + 1],
          [&](std::int64_t a, std::int64_t b) { return block(a) < block(b); });
      });
  }
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = 0; k < set.numRows; ++k) {
    if (k == 0 || !(block(rows[k]) == block(rows[k - 1]))) {
      offsets.push_back(k);
    }
  }
  offsets.push_back(set.numRows);
  out.rowOffsets =
    makeNumbers(SPANWISE_LABEL("Geometry::block row offsets"), static_cast<std::int64_t>(offsets.size()));
  std::copy(offsets.begin(), offsets.end(), out.rowOffsets.data());
}

// Joins intervals that overlap or touch; [begin, end) need not be in order. Returns the end of what is left.
Interval* joined(Interval* begin, Interval* end) {
  std::sort(begin, end, [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  Interval* out = begin;
  for (Interval* next = begin; next != end; ++next) {
    if (out != begin && next->begin <= (out - 1)->end) {
      (out - 1)->end = std::max((out - 1)->end, next->end);
    } else {
      *out++ = *next;
    }
  }
  return out;
}

// The blocks as a set.
template <int Dim>
void makeBlockSet(
  const HostExecutionSpace& space, const IntervalSetView<Dim>& set, const BlockMap& map, HostIntervalSet<Dim>& blocks) {
  const std::int64_t numRows = map.numRows();
  // Each row of blocks joins its intervals in its own part of one array.
  std::vector<std::int64_t> parts(static_cast<std::size_t>(numRows) + 1, 0);
  forEachUneven(space, SPANWISE_LABEL("Geometry::count block intervals"), numRows, [&](std::int64_t b) {
    std::int64_t count = 0;
    visitBlockRow(set, map, b, [&](std::int64_t, const RowKey<Dim>&) { ++count; });
    parts[static_cast<std::size_t>(b)] = count;
  });
  exclusiveScan(space, SPANWISE_KERNEL("block parts"), parts.data(), numRows);
  const Kokkos::View<Interval*, Kokkos::HostSpace> joinedParts(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::block intervals")),
    static_cast<std::size_t>(set.numIntervals));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(numRows) + 1, 0);
  forEachUneven(space, SPANWISE_LABEL("Geometry::join block intervals"), numRows, [&](std::int64_t b) {
    Interval* const begin = joinedParts.data() + parts[static_cast<std::size_t>(b)];
    Interval* end = begin;
    visitBlockRow(
      set, map, b, [&](std::int64_t i, const RowKey<Dim>&) { *end++ = shifted(set.intervals[i], map.shift); });
    counts[static_cast<std::size_t>(b)] = joined(begin, end) - begin;
  });
  const std::int64_t numIntervals = exclusiveScan(space, SPANWISE_KERNEL("block offsets"), counts.data(), numRows);

  const WritableIntervalSet<Dim> out = blocks.prepare(numRows, numIntervals);
  forEachUneven(space, SPANWISE_LABEL("Geometry::copy block intervals"), numRows, [&](std::int64_t b) {
    const std::int64_t first = counts[static_cast<std::size_t>(b)];
    const std::int64_t count = counts[static_cast<std::size_t>(b) + 1] - first;
    const auto row = static_cast<std::size_t>(map.rowOffsets[static_cast<std::size_t>(b)]);
    out.rowKeys[b] = shifted(set.rowKeys[map.rows[row]], map.shift);
    out.rowOffsets[b] = first;
    std::copy_n(joinedParts.data() + parts[static_cast<std::size_t>(b)], count, out.intervals + first);
  });
  detail::finishSet<Dim>(out, numRows, numIntervals, blocks);
}

// Fills firstBlock and cells.
template <int Dim>
void mapCells(
  const HostExecutionSpace& space, const SurfaceCells<Dim>& cells, const IntervalSetView<Dim>& blocks, BlockMap& out) {
  const IntervalSetView<Dim> set = cells.set;
  out.firstBlock = makeNumbers(SPANWISE_LABEL("Geometry::first blocks"), set.numIntervals);
  out.cells = makeNumbers(SPANWISE_LABEL("Geometry::cells of blocks"), blocks.numCells);
  setAll(space, out.cells, -1);
  const Coordinate middle = out.shift > 0 ? Coordinate{1} << (out.shift - 1) : 0;
  const Coordinate mask = static_cast<Coordinate>((std::int64_t{1} << out.shift) - 1);
  forEachUneven(space, SPANWISE_LABEL("Geometry::choose cells"), blocks.numRows, [&](std::int64_t b) {
    visitBlockRow(set, out, b, [&](std::int64_t i, const RowKey<Dim>& key) {
      const Interval& interval = set.intervals[i];
      const std::int64_t firstBlock = blocks.findCellInRow(b, interval.begin >> out.shift);
      out.firstBlock[static_cast<std::size_t>(i)] = firstBlock;
      const std::int64_t base = cells.cellBase(i);
      const bool middleRow = (key.y & mask) == middle && (Dim == 2 || (key.zOr0() & mask) == middle);
      for (std::int64_t x = interval.begin; x < interval.end;) {
        const std::int64_t blockBegin = x & ~static_cast<std::int64_t>(mask);
        const std::int64_t end = std::min<std::int64_t>(interval.end, blockBegin + mask + 1);
        const std::int64_t block = firstBlock + (x >> out.shift) - (interval.begin >> out.shift);
        std::int64_t& chosen = out.cells[static_cast<std::size_t>(block)];
        const std::int64_t nearest = std::clamp<std::int64_t>(blockBegin + middle, x, end - 1);
        if (chosen < 0 || (middleRow && nearest == blockBegin + middle)) {
          chosen = base + nearest;
        }
        x = end;
      }
    });
  });
}

} // namespace

template <int Dim>
BlockMap makeBlocks(
  const Context<HostExecutionSpace>& context, const SurfaceCells<Dim>& cells, int shift, HostIntervalSet<Dim>& blocks) {
  const HostExecutionSpace& space = context.space();

  BlockMap map;
  map.shift = shift;
  sortRows(space, cells.set, map);
  makeBlockSet(space, cells.set, map, blocks);
  mapCells(space, cells, blocks.view(), map);
  return map;
}

template BlockMap makeBlocks<2>(const Context<HostExecutionSpace>&, const SurfaceCells<2>&, int, HostIntervalSet<2>&);
template BlockMap makeBlocks<3>(const Context<HostExecutionSpace>&, const SurfaceCells<3>&, int, HostIntervalSet<3>&);

} // namespace spanwise::geometry
