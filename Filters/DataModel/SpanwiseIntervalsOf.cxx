#include "SpanwiseBridge.h"
#include "SpanwiseCellReader.h"
#include "SpanwiseImageBox.h"
#include "SpanwiseLattices.h"
#include "SpanwiseRebuild.h"
#include "SpanwiseVisibleCells.h"

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/SortedCells.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <vtkDataSet.h>
#include <vtkImageData.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

// The cells that count, ascending. None are listed if all count.
struct KeptCells {
  bool all = true;
  std::vector<std::int64_t> numbers;
};

// The numbers k of 0 ... count - 1 for which keep(k) is true, ascending. O(count), keep() is called twice.
template <class Keep>
std::vector<std::int64_t> numbersWhere(std::int64_t count, const Keep& keep) {
  const IndexRange<HostExecutionSpace> range(HostExecutionSpace(), 0, count);
  std::int64_t total = 0;
  reduce(
    SPANWISE_KERNEL("count kept"), range, [&](std::int64_t k, std::int64_t& sum) { sum += keep(k) ? 1 : 0; }, total);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(total));
  std::int64_t* const out = numbers.data();
  scan(
    SPANWISE_KERNEL("list kept"), range,
    [&](std::int64_t k, std::int64_t& before, bool last) {
      const bool kept = keep(k);
      if (last && kept) {
        out[before] = k;
      }
      before += kept ? 1 : 0;
    },
    total);
  return numbers;
}

template <class Keep>
KeptCells keptWhere(std::int64_t count, const Keep& keep) {
  KeptCells kept;
  kept.numbers = numbersWhere(count, keep);
  kept.all = static_cast<std::int64_t>(kept.numbers.size()) == count;
  if (kept.all) {
    kept.numbers = {};
  }
  return kept;
}

KeptCells keptCells(vtkDataSet* data) {
  const VisibleCells visible(data);
  return visible.all() ? KeptCells{} : keptWhere(numCellsOf(data), visible);
}

// The kept cells of a grid of intervals whose cells are in the dataset's order.
template <int Dim>
Intervals<Dim> restricted(IntervalGridPointer<Dim> grid, KeptCells kept) {
  Intervals<Dim> result;
  if (kept.all) {
    result.grid = std::move(grid);
    return result;
  }
  const std::int64_t* numbers = kept.numbers.data();
  HostIntervalSet<Dim> set;
  makeFromSortedCells(
    Context<HostExecutionSpace>(), static_cast<std::int64_t>(kept.numbers.size()),
    [&whole = grid->withCellTables(), numbers](std::int64_t k) { return whole.cellAt(numbers[k]); }, set);
  result.grid = IntervalGrid<Dim>::make(set, grid->placement(), grid->owned());
  result.sameCells = false;
  result.sourceCells = std::move(kept.numbers);
  return result;
}

template <int Dim>
Intervals<Dim> carried(IntervalGridPointer<Dim> grid, vtkDataSet* data) {
  Intervals<Dim> result = restricted<Dim>(std::move(grid), keptCells(data));
  result.found = result.sameCells;
  return result;
}

template <int Dim>
Intervals<Dim> imageIntervals(vtkImageData* image, const GridPlacement* like) {
  auto [box, placement] = boxOfImage<Dim>(image);
  const HostExecutionSpace space;
  HostIntervalSet<Dim> set;
  makeBox<HostExecutionSpace, Dim>(Context(space), box, set);
  if (like != nullptr) {
    const LatticeShift<Dim> shift = latticeShift<Dim>(*like, placement);
    if (shift.problem.empty()) {
      translate<HostExecutionSpace, Dim>(Context(space), set, shift.cells, set);
      placement = *like;
    }
  }
  return restricted<Dim>(IntervalGrid<Dim>::make(set, placement), keptCells(image));
}

template <int Dim>
Intervals<Dim> emptyIntervals(const GridPlacement* like) {
  Intervals<Dim> result;
  result.grid = IntervalGrid<Dim>::make(HostIntervalSet<Dim>(), like != nullptr ? *like : GridPlacement());
  return result;
}

AnyIntervals rebuildKept(vtkDataSet* data, KeptCells kept, const GridPlacement* like, const Progress& progress) {
  const std::int64_t first = kept.all || kept.numbers.empty() ? 0 : kept.numbers.front();
  if (dimensionOfCellType(data->GetCellType(first)) == 3) {
    return rebuild<3>(data, std::move(kept.numbers), kept.all, like, progress);
  }
  return rebuild<2>(data, std::move(kept.numbers), kept.all, like, progress);
}

template <int Dim>
std::vector<SizedCells> sortBySize(vtkDataSet* data, const KeptCells& kept, std::int64_t count) {
  CellReader<Dim> reader(data);
  std::map<int, SizedCells, std::greater<>> found; // by the power of two
  double firstSize = 0.0;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t c = kept.all ? k : kept.numbers[static_cast<std::size_t>(k)];
    const CornerBox box = reader.read(c, maxRebuildTolerance);
    const double size = box.fault == Fault::None ? box.high[0] - box.low[0] : firstSize;
    firstSize = firstSize > 0.0 ? firstSize : size;
    SizedCells& same =
      found[firstSize > 0.0 && size > 0.0 ? static_cast<int>(std::lround(std::log2(size / firstSize))) : 0];
    if (same.cells.empty()) {
      same.size = size;
    }
    same.cells.push_back(c);
  }
  std::vector<SizedCells> sizes;
  for (auto& [power, cells] : found) {
    sizes.push_back(std::move(cells));
  }
  return sizes;
}

} // namespace

AnyIntervals intervalsOf(vtkDataSet* data, const GridPlacement* like, const Progress& progress, int dimensionIfEmpty) {
  startRuntime();
  if (auto in2D = gridOf<2>(data)) {
    return carried<2>(in2D, data);
  }
  if (auto in3D = gridOf<3>(data)) {
    return carried<3>(in3D, data);
  }
  if (numCellsOf(data) == 0) {
    if (dimensionIfEmpty == 3) {
      return emptyIntervals<3>(like);
    }
    return emptyIntervals<2>(like);
  }
  if (auto* image = vtkImageData::SafeDownCast(data)) {
    if (dimensionOfImage(image) == 3) {
      return imageIntervals<3>(image, like);
    }
    return imageIntervals<2>(image, like);
  }
  return rebuildKept(data, keptCells(data), like, progress);
}

AnyIntervals intervalsOf(
  vtkDataSet* data, std::vector<std::int64_t> cells, const GridPlacement* like, const Progress& progress) {
  startRuntime();
  return rebuildKept(data, {false, std::move(cells)}, like, progress);
}

std::vector<SizedCells> cellsBySize(vtkDataSet* data) {
  startRuntime();
  const KeptCells kept = keptCells(data);
  const auto count = kept.all ? numCellsOf(data) : static_cast<std::int64_t>(kept.numbers.size());
  if (count == 0) {
    return {};
  }
  const std::int64_t first = kept.all ? 0 : kept.numbers.front();
  return dimensionOfCellType(data->GetCellType(first)) == 3 ? sortBySize<3>(data, kept, count)
                                                            : sortBySize<2>(data, kept, count);
}

} // namespace spanwise
