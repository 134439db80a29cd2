#include "SpanwiseCoarsening.h"

#include "SpanwiseLoops.h"

#include "Core/Runtime/SetAll.hpp"

#include <vtkArrayDispatch.h>
#include <vtkDataArray.h>
#include <vtkDataArrayRange.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace spanwise {

namespace {

template <int Dim>
using Numbers = typename Coarsening<Dim>::Numbers;

template <int Dim>
Numbers<Dim> makeNumbers(const std::string& label, std::int64_t count) {
  return Numbers<Dim>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), static_cast<std::size_t>(count));
}

template <int Dim>
RowKey<Dim> shifted(const RowKey<Dim>& key, int shift) {
  return RowKey<Dim>::fromYZ(key.y >> shift, key.zOr0() >> shift);
}

Interval shifted(const Interval& interval, int shift) {
  return {interval.begin >> shift, static_cast<Coordinate>(((interval.end - 1) >> shift) + 1)};
}

// Fills rowsOfBlocks and blockRowOffsets.
template <int Dim>
void sortRows(Coarsening<Dim>& out) {
  const IntervalSetView<Dim> set = out.fine.set.view();
  out.rowsOfBlocks = makeNumbers<Dim>(SPANWISE_LABEL("Rendering::rows of blocks"), set.numRows);
  std::int64_t* const rows = out.rowsOfBlocks.data();
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
    forEach(SPANWISE_LABEL("Rendering::sort rows"), static_cast<std::int64_t>(slabs.size()) - 1, [&](std::int64_t s) {
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
  out.blockRowOffsets =
    makeNumbers<Dim>(SPANWISE_LABEL("Rendering::block row offsets"), static_cast<std::int64_t>(offsets.size()));
  std::copy(offsets.begin(), offsets.end(), out.blockRowOffsets.data());
}

// visit(interval) for each fine interval in row b of blocks.
template <int Dim, class Visit>
void visitBlockRow(const Coarsening<Dim>& coarsening, std::int64_t b, const Visit& visit) {
  const IntervalSetView<Dim> set = coarsening.fine.set.view();
  const auto index = static_cast<std::size_t>(b);
  for (std::int64_t k = coarsening.blockRowOffsets[index]; k < coarsening.blockRowOffsets[index + 1]; ++k) {
    const std::int64_t r = coarsening.rowsOfBlocks[static_cast<std::size_t>(k)];
    for (std::int64_t i = set.rowOffsets[r]; i < set.rowOffsets[r + 1]; ++i) {
      visit(i, set.rowKeys[r]);
    }
  }
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
HostIntervalSet<Dim> blockSet(const Coarsening<Dim>& coarsening) {
  const IntervalSetView<Dim> set = coarsening.fine.set.view();
  const auto numRows = static_cast<std::int64_t>(coarsening.blockRowOffsets.extent(0)) - 1;
  // Each row of blocks joins its intervals in its own part of one array.
  std::vector<std::int64_t> parts(static_cast<std::size_t>(numRows) + 1, 0);
  forEach(SPANWISE_LABEL("Rendering::count block intervals"), numRows, [&](std::int64_t b) {
    std::int64_t count = 0;
    visitBlockRow(coarsening, b, [&](std::int64_t, const RowKey<Dim>&) { ++count; });
    parts[static_cast<std::size_t>(b)] = count;
  });
  sumUp(parts);
  const Kokkos::View<Interval*, Kokkos::HostSpace> joinedParts(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Rendering::block intervals")),
    static_cast<std::size_t>(set.numIntervals));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(numRows) + 1, 0);
  forEach(SPANWISE_LABEL("Rendering::join block intervals"), numRows, [&](std::int64_t b) {
    Interval* const begin = joinedParts.data() + parts[static_cast<std::size_t>(b)];
    Interval* end = begin;
    visitBlockRow(
      coarsening, b, [&](std::int64_t i, const RowKey<Dim>&) { *end++ = shifted(set.intervals[i], coarsening.shift); });
    counts[static_cast<std::size_t>(b)] = joined(begin, end) - begin;
  });
  const std::int64_t numIntervals = sumUp(counts);

  HostIntervalSet<Dim> blocks;
  const WritableIntervalSet<Dim> out = blocks.prepare(numRows, numIntervals);
  forEach(SPANWISE_LABEL("Rendering::copy block intervals"), numRows, [&](std::int64_t b) {
    const std::int64_t first = counts[static_cast<std::size_t>(b)];
    const std::int64_t count = counts[static_cast<std::size_t>(b) + 1] - first;
    const auto row = static_cast<std::size_t>(coarsening.blockRowOffsets[static_cast<std::size_t>(b)]);
    out.rowKeys[b] = shifted(set.rowKeys[coarsening.rowsOfBlocks[row]], coarsening.shift);
    out.rowOffsets[b] = first;
    std::copy_n(joinedParts.data() + parts[static_cast<std::size_t>(b)], count, out.intervals + first);
  });
  finishSet<Dim>(out, numRows, numIntervals, blocks);
  return blocks;
}

// Fills firstBlock and cells.
template <int Dim>
void chooseCells(Coarsening<Dim>& out) {
  const IntervalSetView<Dim> set = out.fine.set.view();
  const IntervalSetView<Dim>& blocks = out.grid->cells();
  out.firstBlock = makeNumbers<Dim>(SPANWISE_LABEL("Rendering::first blocks"), set.numIntervals);
  out.cells = makeNumbers<Dim>(SPANWISE_LABEL("Rendering::cells of blocks"), blocks.numCells);
  setAll(HostExecutionSpace(), out.cells, -1);
  const Coordinate middle = out.shift > 0 ? Coordinate{1} << (out.shift - 1) : 0;
  const Coordinate mask = static_cast<Coordinate>((std::int64_t{1} << out.shift) - 1);
  forEach(SPANWISE_LABEL("Rendering::choose cells"), blocks.numRows, [&](std::int64_t b) {
    visitBlockRow(out, b, [&](std::int64_t i, const RowKey<Dim>& key) {
      const Interval& interval = set.intervals[i];
      out.firstBlock[static_cast<std::size_t>(i)] = blocks.findCellInRow(b, interval.begin >> out.shift);
      const std::int64_t base = out.fine.cellBase(i);
      const bool middleRow = (key.y & mask) == middle && (Dim == 2 || (key.zOr0() & mask) == middle);
      for (std::int64_t x = interval.begin; x < interval.end;) {
        const std::int64_t blockBegin = x & ~static_cast<std::int64_t>(mask);
        const std::int64_t end = std::min<std::int64_t>(interval.end, blockBegin + mask + 1);
        std::int64_t& chosen = out.cells[static_cast<std::size_t>(out.blockOf(i, static_cast<Coordinate>(x)))];
        const std::int64_t nearest = std::clamp<std::int64_t>(blockBegin + middle, x, end - 1);
        if (chosen < 0 || (middleRow && nearest == blockBegin + middle)) {
          chosen = base + nearest;
        }
        x = end;
      }
    });
  });
}

// Adds up the values of a block's cells, and how many there are.
template <class Array>
struct BlockSums {
  Array* values;
  int components;
  std::vector<double> sums;
  std::vector<std::int64_t> counts;

  BlockSums(Array* array, std::int64_t blocks)
    : values(array), components(array->GetNumberOfComponents()),
      sums(static_cast<std::size_t>(blocks * components), 0.0), counts(sums.size(), 0) {}

  void add(std::int64_t block, std::int64_t first, std::int64_t count) {
    const auto range = vtk::DataArrayValueRange(values, first * components, (first + count) * components);
    const std::size_t out = static_cast<std::size_t>(block * components);
    if (components == 1) {
      double sum = 0.0;
      std::int64_t numbers = 0;
      for (const auto value : range) {
        const auto v = static_cast<double>(value);
        const bool number = v == v;
        sum += number ? v : 0.0;
        numbers += number ? 1 : 0;
      }
      sums[out] += sum;
      counts[out] += numbers;
      return;
    }
    std::size_t component = 0;
    for (const auto value : range) {
      const auto v = static_cast<double>(value);
      if (v == v) {
        sums[out + component] += v;
        ++counts[out + component];
      }
      component = component + 1 == static_cast<std::size_t>(components) ? 0 : component + 1;
    }
  }
};

template <int Dim>
struct MeanWorker {
  const Coarsening<Dim>& coarsening;
  vtkDataArray* out;

  template <class Array>
  void operator()(Array* values) const {
    const IntervalSetView<Dim> set = coarsening.fine.set.view();
    const std::int64_t numBlocks = coarsening.grid->set().numCells();
    const std::int64_t width = std::int64_t{1} << coarsening.shift;
    BlockSums<Array> sums(values, numBlocks);
    forEach(SPANWISE_LABEL("Rendering::sums of blocks"), coarsening.grid->cells().numRows, [&](std::int64_t b) {
      visitBlockRow(coarsening, b, [&](std::int64_t i, const RowKey<Dim>&) {
        const Interval& interval = set.intervals[i];
        const std::int64_t base = coarsening.fine.cellBase(i);
        std::int64_t block = coarsening.firstBlock[static_cast<std::size_t>(i)];
        for (std::int64_t x = interval.begin; x < interval.end; ++block) {
          const std::int64_t end = std::min<std::int64_t>(interval.end, (x & ~(width - 1)) + width);
          sums.add(block, base + x, end - x);
          x = end;
        }
      });
    });
    const int components = sums.components;
    forEach(SPANWISE_LABEL("Rendering::means of blocks"), numBlocks, [&](std::int64_t block) {
      for (int c = 0; c < components; ++c) {
        const auto k = static_cast<std::size_t>(block * components + c);
        out->SetComponent(block, c,
          sums.counts[k] > 0 ? sums.sums[k] / static_cast<double>(sums.counts[k])
                             : std::numeric_limits<double>::quiet_NaN());
      }
    });
  }
};

} // namespace

template <int Dim>
Coarsening<Dim> coarsen(const DrawnCells<Dim>& drawn, int shift) {
  Coarsening<Dim> out;
  out.shift = shift;
  out.fine = drawn;
  sortRows(out);
  GridPlacement placement = drawn.grid->placement();
  for (double& spacing : placement.spacing) {
    spacing = std::ldexp(spacing, shift);
  }
  placement.level = std::max(0, placement.level - shift);
  out.grid = IntervalGrid<Dim>::make(blockSet(out), placement);
  chooseCells(out);
  return out;
}

template <int Dim>
typename Coarsening<Dim>::Numbers nodesOfBlocks(const Coarsening<Dim>& coarsening) {
  const IntervalGrid<Dim>& blocks = *coarsening.grid;
  const auto nodes = makeNumbers<Dim>(SPANWISE_LABEL("Rendering::nodes of blocks"), blocks.numNodes());
  setAll(HostExecutionSpace(), nodes, -1);
  // Blocks that share a node write to it from several rows: this loop is serial.
  const IntervalSetView<Dim>& cells = blocks.cells();
  for (std::int64_t i = 0; i < cells.numIntervals; ++i) {
    for (int corner = 0; corner < IntervalGrid<Dim>::nodesPerCell; ++corner) {
      const std::int64_t node = blocks.nodeBase(i, corner >> 1) + (corner & 1);
      for (std::int64_t c = cells.cellOffsets[i]; c < cells.cellOffsets[i + 1]; ++c) {
        std::int64_t& chosen = nodes[static_cast<std::size_t>(node + c - cells.cellOffsets[i])];
        if (chosen < 0) {
          chosen = coarsening.fine.grid->nodeOfCell(coarsening.cells[static_cast<std::size_t>(c)], corner);
        }
      }
    }
  }
  return nodes;
}

template <int Dim>
vtkSmartPointer<vtkDataArray> meansOverBlocks(const Coarsening<Dim>& coarsening, vtkDataArray* values) {
  const auto out = vtk::TakeSmartPointer(vtkDataArray::CreateDataArray(values->GetDataType()));
  out->SetNumberOfComponents(values->GetNumberOfComponents());
  out->SetNumberOfTuples(coarsening.grid->set().numCells());
  const MeanWorker<Dim> worker{coarsening, out};
  if (!vtkArrayDispatch::DispatchByValueType<vtkArrayDispatch::Reals>::Execute(values, worker)) {
    worker(values);
  }
  return out;
}

#define SPANWISE_COARSENING(Dim)                                                                                       \
  template Coarsening<Dim> coarsen<Dim>(const DrawnCells<Dim>&, int);                                                  \
  template Coarsening<Dim>::Numbers nodesOfBlocks<Dim>(const Coarsening<Dim>&);                                        \
  template vtkSmartPointer<vtkDataArray> meansOverBlocks<Dim>(const Coarsening<Dim>&, vtkDataArray*);
SPANWISE_COARSENING(2)
SPANWISE_COARSENING(3)

} // namespace spanwise
