#include "SpanwiseBridge.h"
#include "SpanwiseCellReader.h"
#include "SpanwiseLattices.h"
#include "SpanwiseRebuild.h"

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/SortedCells.hpp"
#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace spanwise {

namespace {

// REFINEDCELL: finer cells of an AMR hierarchy are shown in its place.
constexpr unsigned char notInSet =
  vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL;

const unsigned char* cellGhosts(vtkDataSet* data) {
  vtkUnsignedCharArray* ghosts = data->GetCellGhostArray();
  return ghosts != nullptr && ghosts->GetNumberOfTuples() == data->GetNumberOfCells() ? ghosts->GetPointer(0) : nullptr;
}

// The cells that count, ascending. None are listed if all count.
struct KeptCells {
  bool all = true;
  std::vector<std::int64_t> numbers;
};

// The numbers k of 0 ... count - 1 for which keep(k) is true, ascending. O(count), keep() is called twice.
template <class Keep>
std::vector<std::int64_t> numbersWhere(std::int64_t count, const Keep& keep) {
  const detail::Range<HostExecutionSpace> range(HostExecutionSpace(), 0, count);
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
  const unsigned char* ghosts = cellGhosts(data);
  return ghosts == nullptr
    ? KeptCells{}
    : keptWhere(data->GetNumberOfCells(), [=](std::int64_t c) { return (ghosts[c] & notInSet) == 0; });
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
    HostExecutionSpace(), static_cast<std::int64_t>(kept.numbers.size()),
    [&whole = *grid, numbers](std::int64_t k) { return whole.cellAt(numbers[k]); }, set);
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

// Visible cells of an image: neither marked themselves nor at a hidden point.
KeptCells visibleCells(vtkImageData* image) {
  vtkUnsignedCharArray* pointGhosts = image->GetPointGhostArray();
  if (pointGhosts == nullptr || !image->HasAnyBlankPoints()) {
    return keptCells(image);
  }
  const unsigned char* cells = cellGhosts(image);
  const unsigned char* points = pointGhosts->GetPointer(0);
  int dimensions[3];
  image->GetDimensions(dimensions);
  const std::int64_t across[3] = {dimensions[0], dimensions[1], dimensions[2]};
  const std::int64_t cellsAcross[3] = {across[0] - 1, across[1] - 1, std::max<std::int64_t>(across[2] - 1, 1)};
  const int corners = across[2] > 1 ? 8 : 4;
  return keptWhere(image->GetNumberOfCells(), [=](std::int64_t c) {
    bool visible = cells == nullptr || (cells[c] & notInSet) == 0;
    const std::int64_t x = c % cellsAcross[0];
    const std::int64_t y = c / cellsAcross[0] % cellsAcross[1];
    const std::int64_t z = c / cellsAcross[0] / cellsAcross[1];
    for (int corner = 0; corner < corners; ++corner) {
      const std::int64_t point =
        x + (corner & 1) + across[0] * (y + ((corner >> 1) & 1) + across[1] * (z + (corner >> 2)));
      visible = visible && (points[point] & vtkDataSetAttributes::HIDDENPOINT) == 0;
    }
    return visible;
  });
}

template <int Dim>
Intervals<Dim> boxOf(vtkImageData* image, const GridPlacement* like) {
  int extent[6];
  image->GetExtent(extent);
  GridPlacement placement;
  Box<Dim> box{};
  for (int d = 0; d < 3; ++d) {
    placement.origin[d] = image->GetOrigin()[d];
    placement.spacing[d] = image->GetSpacing()[d];
    if (d < Dim) {
      box.begin[d] = extent[2 * d];
      box.end[d] = extent[2 * d + 1];
    } else { // a flat image may have any spacing along z
      placement.origin[d] += extent[2 * d] * placement.spacing[d];
      placement.spacing[d] = placement.spacing[d] > 0.0 ? placement.spacing[d] : placement.spacing[0];
    }
  }
  const HostExecutionSpace space;
  HostIntervalSet<Dim> set;
  makeBox<HostExecutionSpace, Dim>(space, box, set);
  if (like != nullptr) {
    const LatticeShift<Dim> shift = latticeShift<Dim>(*like, placement);
    if (shift.problem.empty()) {
      translate<HostExecutionSpace, Dim>(space, set, shift.cells, set);
      placement = *like;
    }
  }
  return restricted<Dim>(IntervalGrid<Dim>::make(set, placement), visibleCells(image));
}

AnyIntervals imageIntervals(vtkImageData* image, const GridPlacement* like) {
  int dimensions[3];
  image->GetDimensions(dimensions);
  if (!image->GetDirectionMatrix()->IsIdentity()) {
    throw InvalidArgument("the image is rotated by its direction matrix; its axes must be those of space");
  }
  if (dimensions[0] < 2 || dimensions[1] < 2) {
    throw InvalidArgument("the image has " + std::to_string(dimensions[0]) + " x " + std::to_string(dimensions[1]) +
      " x " + std::to_string(dimensions[2]) + " points; it must have at least two along x and along y");
  }
  if (dimensions[2] > 1) {
    return boxOf<3>(image, like);
  }
  return boxOf<2>(image, like);
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
  if (data == nullptr || data->GetNumberOfCells() == 0) {
    if (dimensionIfEmpty == 3) {
      return emptyIntervals<3>(like);
    }
    return emptyIntervals<2>(like);
  }
  if (auto* image = vtkImageData::SafeDownCast(data)) {
    return imageIntervals(image, like);
  }
  return rebuildKept(data, keptCells(data), like, progress);
}

AnyIntervals intervalsOf(
  vtkDataSet* data, std::vector<std::int64_t> cells, const GridPlacement* like, const Progress& progress) {
  startRuntime();
  return rebuildKept(data, {false, std::move(cells)}, like, progress);
}

std::vector<SizedCells> cellsBySize(vtkDataSet* data) {
  const KeptCells kept = keptCells(data);
  const auto count = kept.all ? data->GetNumberOfCells() : static_cast<vtkIdType>(kept.numbers.size());
  if (count == 0) {
    return {};
  }
  const std::int64_t first = kept.all ? 0 : kept.numbers.front();
  return dimensionOfCellType(data->GetCellType(first)) == 3 ? sortBySize<3>(data, kept, count)
                                                            : sortBySize<2>(data, kept, count);
}

} // namespace spanwise
