#include "SpanwiseGridSummary.h"

#include "SpanwiseBridge.h"

#include <vtkCellData.h>
#include <vtkCompositeDataSet.h>
#include <vtkCompositeDataSetRange.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkMultiProcessController.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <set>
#include <tuple>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

auto place(const RowSample& row) { return std::tie(row.level, row.z, row.y); }

// Keeps the rows in order and drops those beyond the request: each level has its share of it, so that the first one
// does not hide the others. A process knows no more levels than all of them do, and so drops no row that should be
// shown.
void sortRows(GridSummary& summary, const SampleRequest& request) {
  std::vector<RowSample>& rows = summary.rows;
  std::sort(rows.begin(), rows.end(), [](const RowSample& a, const RowSample& b) { return place(a) < place(b); });
  if (rows.size() <= static_cast<std::size_t>(request.maxRows)) {
    return;
  }
  const auto numLevels = std::count_if(
    summary.levels.begin(), summary.levels.end(), [](const LevelSummary& level) { return level.numRows > 0; });
  const std::ptrdiff_t share = request.maxRows / std::max<std::ptrdiff_t>(numLevels, 1);
  std::vector<RowSample> kept;
  for (const LevelSummary& level : summary.levels) {
    const auto first = std::lower_bound(
      rows.begin(), rows.end(), level.level, [](const RowSample& row, int number) { return row.level < number; });
    for (auto row = first; row != rows.end() && row->level == level.level && row - first < share; ++row) {
      kept.push_back(std::move(*row));
    }
  }
  rows = std::move(kept);
}

// The summary of a level, a new one if there is none yet.
LevelSummary& levelOf(GridSummary& summary, int number) {
  const auto at = std::lower_bound(summary.levels.begin(), summary.levels.end(), number,
    [](const LevelSummary& level, int wanted) { return level.level < wanted; });
  if (at != summary.levels.end() && at->level == number) {
    return *at;
  }
  return *summary.levels.insert(at, LevelSummary{.level = number});
}

void add(LevelSummary& level, const LevelSummary& other) {
  for (int d = 0; d < 3 && other.numCells > 0; ++d) {
    const bool isFirst = level.numCells == 0;
    double* const bounds = level.bounds + 2 * d;
    bounds[0] = isFirst ? other.bounds[2 * d] : std::min(bounds[0], other.bounds[2 * d]);
    bounds[1] = isFirst ? other.bounds[2 * d + 1] : std::max(bounds[1], other.bounds[2 * d + 1]);
    level.spacing[d] = other.spacing[d];
  }
  level.numRows += other.numRows;
  level.numIntervals += other.numIntervals;
  level.numCells += other.numCells;
  level.geometryBytes += other.geometryBytes;
}

template <int Dim>
RowSample emptySample(const IntervalGrid<Dim>& grid, std::int64_t row) {
  const IntervalSetView<Dim>& set = grid.cells();
  RowSample sample;
  sample.level = grid.placement().level;
  sample.y = set.rowKeys[row].y;
  if constexpr (Dim == 3) {
    sample.z = set.rowKeys[row].z;
  }
  sample.numIntervals = set.rowOffsets[row + 1] - set.rowOffsets[row];
  return sample;
}

void addInterval(RowSample& sample, const Interval& interval) {
  sample.ends.push_back(interval.begin);
  sample.ends.push_back(interval.end);
}

template <int Dim>
void sampleFirstRows(const IntervalGrid<Dim>& grid, const SampleRequest& request, std::vector<RowSample>& rows) {
  const IntervalSetView<Dim>& set = grid.cells();
  for (std::int64_t row = 0; row < std::min<std::int64_t>(set.numRows, request.maxRows); ++row) {
    RowSample sample = emptySample(grid, row);
    const std::int64_t first = set.rowOffsets[row];
    for (std::int64_t i = 0; i < std::min<std::int64_t>(sample.numIntervals, request.maxIntervals); ++i) {
      addInterval(sample, set.intervals[first + i]);
    }
    rows.push_back(std::move(sample));
  }
}

template <int Dim>
void sampleCells(const IntervalGrid<Dim>& grid, const std::vector<std::int64_t>& cells, const SampleRequest& request,
  std::vector<RowSample>& rows) {
  std::int64_t lastRow = -1;
  std::int64_t lastInterval = -1;
  for (const std::int64_t cell : cells) {
    const std::int64_t interval = grid.intervalOfCell(cell);
    const std::int64_t row = grid.rowOfInterval(interval);
    if (row != lastRow) {
      rows.push_back(emptySample(grid, row));
    }
    if (interval != lastInterval && rows.back().ends.size() < 2 * static_cast<std::size_t>(request.maxIntervals)) {
      addInterval(rows.back(), grid.cells().intervals[interval]);
    }
    lastRow = row;
    lastInterval = interval;
  }
}

// The cells of the request that this process holds, in order.
std::vector<std::int64_t> cellsHere(const SampleRequest& request, std::int64_t numCells) {
  vtkMultiProcessController* controller = vtkMultiProcessController::GetGlobalController();
  const int rank = controller == nullptr ? 0 : controller->GetLocalProcessId();
  std::vector<std::int64_t> cells;
  for (const auto& [owner, cell] : request.cells) {
    if ((owner < 0 || owner == rank) && cell >= 0 && cell < numCells) {
      cells.push_back(cell);
    }
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

std::int64_t countGhosts(vtkDataSet* data) {
  const vtkUnsignedCharArray* ghosts = data->GetCellData()->GetGhostArray();
  if (ghosts == nullptr) {
    return 0;
  }
  const unsigned char* first = const_cast<vtkUnsignedCharArray*>(ghosts)->GetPointer(0);
  return std::count_if(first, first + ghosts->GetNumberOfValues(),
    [](unsigned char ghost) { return (ghost & vtkDataSetAttributes::DUPLICATECELL) != 0; });
}

// Whether there are cells, points, rows of a table or the like.
bool hasElements(vtkDataObject* data) {
  for (int type = 0; type < vtkDataObject::NUMBER_OF_ATTRIBUTE_TYPES; ++type) {
    if (type != vtkDataObject::FIELD && data->GetNumberOfElements(type) > 0) {
      return true;
    }
  }
  return false;
}

class Summarizer {
public:
  explicit Summarizer(const SampleRequest& request) : request_(request) {}

  void add(vtkDataObject* data) {
    auto* const dataset = vtkDataSet::SafeDownCast(data);
    const bool isGrid = dataset != nullptr && (addGrid<2>(dataset) || addGrid<3>(dataset));
    if (!isGrid && hasElements(data)) {
      ++summary_.numOthers;
    }
  }

  GridSummary finish() {
    sortRows(summary_, request_);
    return std::move(summary_);
  }

private:
  template <int Dim>
  bool addGrid(vtkDataSet* data) {
    const IntervalGridPointer<Dim> grid = gridOf<Dim>(data);
    if (grid == nullptr) {
      return false;
    }
    const int level = grid->placement().level;
    summary_.minLevel = summary_.numGrids == 0 ? level : std::min(summary_.minLevel, level);
    summary_.maxLevel = std::max(summary_.maxLevel, level);
    ++summary_.numGrids;
    (Dim == 2 ? summary_.has2D : summary_.has3D) = true;
    const IntervalSetView<Dim>& set = grid->cells();
    summary_.numRows += set.numRows;
    summary_.numIntervals += set.numIntervals;
    summary_.numCells += set.numCells;
    summary_.numGhostCells += countGhosts(data);
    const std::uint64_t bytes = counted_.insert(grid.get()).second ? grid->bytes() : 0;
    summary_.geometryBytes += bytes;
    LevelSummary here{level, set.numRows, set.numIntervals, set.numCells, bytes};
    grid->bounds(here.bounds);
    std::copy_n(grid->placement().spacing, 3, here.spacing);
    spanwise::add(levelOf(summary_, level), here);
    summary_.arrayBytes += 1024 *
      static_cast<std::uint64_t>(
        data->GetCellData()->GetActualMemorySize() + data->GetPointData()->GetActualMemorySize());
    if (request_.cells.empty()) {
      sampleFirstRows(*grid, request_, summary_.rows);
    } else {
      sampleCells(*grid, cellsHere(request_, set.numCells), request_, summary_.rows);
    }
    return true;
  }

  const SampleRequest& request_;
  GridSummary summary_;
  std::set<const void*> counted_;
};

} // namespace

GridSummary summarize(vtkDataObject* data, const SampleRequest& request) {
  Summarizer summarizer(request);
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(data)) {
    for (vtkDataObject* leaf : vtk::Range(composite, vtk::CompositeDataSetOptions::SkipEmptyNodes)) {
      summarizer.add(leaf);
    }
  } else if (data != nullptr) {
    summarizer.add(data);
  }
  return summarizer.finish();
}

void merge(GridSummary& summary, const GridSummary& other, const SampleRequest& request) {
  if (other.numGrids > 0) {
    summary.minLevel = summary.numGrids == 0 ? other.minLevel : std::min(summary.minLevel, other.minLevel);
    summary.maxLevel = summary.numGrids == 0 ? other.maxLevel : std::max(summary.maxLevel, other.maxLevel);
  }
  summary.numGrids += other.numGrids;
  summary.numOthers += other.numOthers;
  summary.has2D = summary.has2D || other.has2D;
  summary.has3D = summary.has3D || other.has3D;
  summary.numRows += other.numRows;
  summary.numIntervals += other.numIntervals;
  summary.numCells += other.numCells;
  summary.numGhostCells += other.numGhostCells;
  summary.geometryBytes += other.geometryBytes;
  summary.arrayBytes += other.arrayBytes;
  for (const LevelSummary& level : other.levels) {
    add(levelOf(summary, level.level), level);
  }
  summary.rows.insert(summary.rows.end(), other.rows.begin(), other.rows.end());
  sortRows(summary, request);
}

} // namespace spanwise
