#include "SpanwiseIntervalGrid.h"

#include "SpanwiseLattices.h"

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/CellMask.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Range = IndexRange<HostExecutionSpace>;
using Table = Kokkos::View<std::int64_t*, Kokkos::HostSpace>;

std::string along(const char* what, int axis, double value) {
  return std::string("the ") + what + " along " + axisNames[static_cast<std::size_t>(axis)] + " is " +
    numberText(value);
}

void checkPlacement(const GridPlacement& placement) {
  for (int d = 0; d < 3; ++d) {
    if (!(placement.spacing[d] > 0.0) || !std::isfinite(placement.spacing[d])) {
      throw InvalidArgument(along("spacing", d, placement.spacing[d]) + "; it must be positive and finite");
    }
    if (!std::isfinite(placement.origin[d])) {
      throw InvalidArgument(along("origin", d, placement.origin[d]) + "; it must be finite");
    }
  }
  if (placement.level < 0 || placement.level > maxLevel) {
    throw InvalidArgument(
      "the level is " + std::to_string(placement.level) + "; it must be from 0 to " + std::to_string(maxLevel));
  }
}

template <int Dim>
void checkCorners(const GridPlacement& placement, const Box<Dim>& box) {
  for (int d = 0; d < Dim; ++d) {
    for (const std::int64_t c : {box.begin[d], box.end[d]}) {
      if (!std::isfinite(placement.position(d, c))) {
        throw InvalidArgument(along("spacing", d, placement.spacing[d]) + ", which puts the node " + std::to_string(c) +
          " beyond the range of double");
      }
    }
  }
}

Table makeTable(const std::string& label, std::int64_t size) {
  return Table(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), static_cast<std::size_t>(size));
}

// rows[i] = the row of interval i.
template <int Dim>
struct FillRows {
  IntervalSetView<Dim> set;
  std::int64_t* rows;

  void operator()(std::int64_t r) const { std::fill(rows + set.rowOffsets[r], rows + set.rowOffsets[r + 1], r); }
};

template <int Dim>
Table rowsOfIntervals(const IntervalSetView<Dim>& set) {
  const Table rows = makeTable(SPANWISE_LABEL("DataModel::rows of intervals"), set.numIntervals);
  forEach(SPANWISE_KERNEL("interval rows"), Range(HostExecutionSpace(), 0, set.numRows),
    FillRows<Dim>{set, rows.data()}, Work{set.numIntervals});
  return rows;
}

// Cells or nodes between two entries of a skip table: 2^6, and more where intervals are long.
constexpr int minSkipShift = 6;
constexpr std::int64_t skipsPerInterval = 8;

// skip[k] = the interval i with first(i) <= k step < first(i + 1).
template <class First>
struct FillSkip {
  First first;
  std::int64_t step;
  std::int64_t* skip;

  void operator()(std::int64_t i) const {
    const std::int64_t end = (first(i + 1) + step - 1) / step;
    for (std::int64_t k = (first(i) + step - 1) / step; k < end; ++k) {
      skip[k] = i;
    }
  }
};

// The minimum and the maximum squared length of the position vectors of nodes.
template <int Dim>
struct SquaredLengths {
  struct Range {
    double min = std::numeric_limits<double>::infinity();
    double max = 0.0;
  };

  IntervalSetView<Dim> nodeRows;
  const std::int64_t* rows;
  GridPlacement placement;
  std::int64_t nearestX; // the node next to x = 0

  void operator()(std::int64_t i, Range& range) const {
    const RowKey<Dim> key = nodeRows.rowKeys[rows[i]];
    const double y = placement.position(1, key.y);
    const double z = placement.position(2, key.zOr0());
    const std::int64_t begin = nodeRows.intervals[i].begin;
    const std::int64_t end = nodeRows.intervals[i].end; // a node too
    // x^2 falls towards zero and rises from there on; round-off may move that place by a node.
    for (const std::int64_t x : {begin, end, nearestX - 1, nearestX, nearestX + 1}) {
      const double position = placement.position(0, std::clamp(x, begin, end));
      const double squared = position * position + y * y + z * z;
      range.min = std::min(range.min, squared);
      range.max = std::max(range.max, squared);
    }
  }
  void init(Range& range) const { range = Range(); }
  void join(Range& range, const Range& other) const {
    range.min = std::min(range.min, other.min);
    range.max = std::max(range.max, other.max);
  }
};

/// The set with nothing reserved.
template <int Dim>
MirroredSet<Dim> compactedSet(const MirroredSet<Dim>& set) {
  return set.visit([&]<ComputeSide side>(const SideContext<side>& /*context*/, const auto& where) {
    const auto compact = compacted(where);
    return compact.bytes() == where.bytes() ? set : MirroredSet<Dim>::template of<side>(compact);
  });
}

} // namespace

template <int Dim>
IntervalGrid<Dim>::~IntervalGrid() = default;

template <int Dim>
std::shared_ptr<const IntervalGrid<Dim>> IntervalGrid<Dim>::make(
  const MirroredSet<Dim>& set, const GridPlacement& placement, const parallel::PlaneRange& owned) {
  SPANWISE_REGION("DataModel::IntervalGrid");
  checkPlacement(placement);
  const std::shared_ptr<IntervalGrid> grid(new IntervalGrid);
  grid->placement_ = placement;
  grid->owned_ = owned;
  grid->set_ = set.hasIntervals() ? compactedSet<Dim>(set) : set;
  if (const CellMask<Dim>* const mask = grid->set_.mask()) {
    grid->box_ = mask->boundingBox();
    checkCorners(placement, grid->box_);
    grid->numNodes_ = countNodes<Dim>(Context<HostExecutionSpace>(), *mask);
    return grid;
  }
  grid->set_.visit([&]<ComputeSide side>(const SideContext<side>& context, const auto& where) {
    using Space = SpaceOf<side>;
    grid->box_ = boundingBox<Space, Dim>(context, where);
    checkCorners(placement, grid->box_);
    grid->numNodes_ = countNodes<Space, Dim>(context, where);
  });
  return grid;
}

template <int Dim>
double IntervalGrid<Dim>::minBytes(std::int64_t numRows, std::int64_t numIntervals, std::int64_t numCells) {
  constexpr double ofRow = sizeof(RowKey<Dim>) + sizeof(std::int64_t);
  constexpr double ofInterval = sizeof(Interval) + sizeof(std::int64_t);
  constexpr double ofTables = (nodeRowsPerRow<Dim> + 1) * sizeof(std::int64_t);
  const auto intervals = static_cast<double>(numIntervals);
  const double skips =
    std::min(std::ldexp(static_cast<double>(numCells), -minSkipShift), skipsPerInterval * intervals / 2);
  return 2 * ofRow * static_cast<double>(numRows) + (ofInterval + ofTables) * intervals + sizeof(std::int64_t) * skips;
}

template <int Dim>
template <class First>
typename IntervalGrid<Dim>::SkipTable IntervalGrid<Dim>::makeSkipTable(
  std::int64_t count, std::int64_t numIntervals, const First& first) {
  SkipTable table;
  table.shift = minSkipShift;
  while (count >> table.shift > skipsPerInterval * numIntervals) {
    ++table.shift;
  }
  const std::int64_t step = std::int64_t{1} << table.shift;
  const std::int64_t size = (count + step - 1) / step;
  table.intervals = makeTable(SPANWISE_LABEL("DataModel::skip table"), size + 1);
  forEach(SPANWISE_KERNEL("skip table"), Range(HostExecutionSpace(), 0, numIntervals),
    FillSkip<First>{first, step, table.intervals.data()});
  table.intervals[static_cast<std::size_t>(size)] = std::max<std::int64_t>(numIntervals - 1, 0);
  return table;
}

template <int Dim>
typename IntervalGrid<Dim>::CellTables IntervalGrid<Dim>::makeCellTables() const {
  SPANWISE_REGION("DataModel::cell tables");
  CellTables tables;
  tables.cells = cells();
  tables.rows = rowsOfIntervals(tables.cells);
  tables.skip = makeSkipTable(tables.cells.numCells, tables.cells.numIntervals,
    [offsets = tables.cells.cellOffsets](std::int64_t i) { return offsets[i]; });
  HostExecutionSpace().fence(SPANWISE_LABEL("DataModel::cell tables"));
  return tables;
}

template <int Dim>
typename IntervalGrid<Dim>::NodeTables IntervalGrid<Dim>::makeNodeTables() const {
  SPANWISE_REGION("DataModel::node tables");
  const HostExecutionSpace space;
  const Context context(space);
  NodeTables tables;
  nodeRowsOf<HostExecutionSpace, Dim>(context, set(), tables.rows);
  tables.view = tables.rows.view();
  tables.bases = makeTable(SPANWISE_LABEL("DataModel::node bases"), nodeRowsPerRow<Dim> * set_.numIntervals());
  nodeBases<HostExecutionSpace, Dim>(context, set(), tables.rows, tables.bases);
  tables.intervalRows = rowsOfIntervals(tables.view);
  tables.skip = makeSkipTable(
    numNodes_, tables.view.numIntervals, [nodeRows = tables.view](std::int64_t i) { return firstNode(nodeRows, i); });
  space.fence(SPANWISE_LABEL("DataModel::node tables"));
  return tables;
}

template <int Dim>
typename IntervalGrid<Dim>::NodesThere IntervalGrid<Dim>::makeNodesThere() const {
  SPANWISE_REGION("DataModel::nodes on the device");
  using Device = SpaceOf<ComputeSide::Device>;
  const Context<Device> context;
  const IntervalSetOn<Dim, Device>& cells = set_.template on<ComputeSide::Device>();
  NodesThere nodes;
  nodeRowsOf<Device, Dim>(context, cells, nodes.rows);
  nodes.bases = Kokkos::View<std::int64_t*, Device::memory_space>(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("DataModel::node bases")),
    static_cast<std::size_t>(nodeRowsPerRow<Dim> * cells.numIntervals()));
  nodeBases<Device, Dim>(context, cells, nodes.rows, nodes.bases);
  context.space().fence(SPANWISE_LABEL("DataModel::nodes on the device"));
  return nodes;
}

template <int Dim>
void IntervalGrid<Dim>::releaseMemory() {
  cellTables_.reset();
  nodeTables_.reset();
  nodesThere_.reset();
}

template <int Dim>
std::size_t IntervalGrid<Dim>::bytes() const {
  std::size_t sum = sizeof(*this) + set_.bytes();
  const auto add = [&](const Table& table) { sum += table.span() * sizeof(std::int64_t); };
  if (const CellTables* tables = cellTables_.ifMade()) {
    add(tables->rows);
    add(tables->skip.intervals);
  }
  if (const NodeTables* tables = nodeTables_.ifMade()) {
    sum += tables->rows.bytes();
    add(tables->bases);
    add(tables->intervalRows);
    add(tables->skip.intervals);
  }
  if (const NodesThere* there = nodesThere_.ifMade()) {
    sum += there->rows.bytes() + there->bases.span() * sizeof(std::int64_t);
  }
  return sum;
}

template <int Dim>
Cell<Dim> IntervalGrid<Dim>::cellAt(std::int64_t c) const {
  const IntervalSetView<Dim>& set = cellTables().cells;
  const std::int64_t i = intervalOfCell(c);
  const auto x = static_cast<Coordinate>(set.intervals[i].begin + (c - set.cellOffsets[i]));
  return cellOf(set.rowKeys[rowOfInterval(i)], x);
}

template <int Dim>
void IntervalGrid<Dim>::nodeCoordinates(std::int64_t n, std::int64_t coordinates[3]) const {
  const NodeTables& tables = nodes();
  const std::int64_t i = tables.intervalOf(n);
  const RowKey<Dim> key = tables.view.rowKeys[tables.intervalRows[i]];
  coordinates[0] = tables.view.intervals[i].begin + (n - firstNode(tables.view, i));
  coordinates[1] = key.y;
  coordinates[2] = key.zOr0();
}

template <int Dim>
void IntervalGrid<Dim>::nodePosition(std::int64_t n, double position[3]) const {
  std::int64_t coordinates[3];
  nodeCoordinates(n, coordinates);
  for (int d = 0; d < 3; ++d) {
    position[d] = placement_.position(d, coordinates[d]);
  }
}

template <int Dim>
int IntervalGrid<Dim>::cellsOfNode(std::int64_t n, std::int64_t cells[8]) const {
  std::int64_t node[3];
  nodeCoordinates(n, node);
  const IntervalSetView<Dim> set = this->cells();
  int count = 0;
  for (int corner = nodesPerCell - 1; corner >= 0; --corner) { // in the order of cells
    Cell<Dim> cell{};
    bool exists = true;
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t c = node[d] - ((corner >> d) & 1);
      exists = exists && isCellCoordinate(c);
      cell.at[d] = static_cast<Coordinate>(c);
    }
    const std::int64_t found = exists ? set.findCell(cell) : -1;
    if (found >= 0) {
      cells[count++] = found;
    }
  }
  return count;
}

template <int Dim>
std::int64_t IntervalGrid<Dim>::findCell(const double position[3], double local[Dim]) const {
  // Along each axis the cell that the arithmetic gives, and the one across the face if the point is that close to it.
  struct Candidate {
    std::int64_t cell;
    double local;
  };
  Candidate candidates[Dim][2];
  int numCandidates[Dim];
  for (int d = 0; d < Dim; ++d) {
    const double t = (position[d] - placement_.origin[d]) / placement_.spacing[d];
    if (!(t > -4.0e9 && t < 4.0e9)) { // beyond every coordinate, or not a number
      return -1;
    }
    const double roundOff = 4.0 * std::numeric_limits<double>::epsilon() *
      (1.0 + (std::abs(position[d]) + std::abs(placement_.origin[d])) / placement_.spacing[d]);
    const double nearest = std::round(t);
    const auto c = static_cast<std::int64_t>(std::floor(t));
    if (std::abs(t - nearest) <= roundOff) {
      const auto face = static_cast<std::int64_t>(nearest);
      candidates[d][0] = {face, 0.0};
      candidates[d][1] = {face - 1, 1.0};
      numCandidates[d] = 2;
    } else {
      candidates[d][0] = {c, t - static_cast<double>(c)};
      numCandidates[d] = 1;
    }
  }
  const IntervalSetView<Dim> set = cells();
  for (int choice = 0; choice < (1 << Dim); ++choice) {
    Cell<Dim> cell{};
    bool exists = true;
    for (int d = 0; d < Dim; ++d) {
      const int k = (choice >> d) & 1;
      exists = exists && k < numCandidates[d] && isCellCoordinate(candidates[d][k].cell);
      cell.at[d] = exists ? static_cast<Coordinate>(candidates[d][k].cell) : 0;
    }
    const std::int64_t found = exists ? set.findCell(cell) : -1;
    if (found >= 0) {
      for (int d = 0; d < Dim; ++d) {
        local[d] = candidates[d][(choice >> d) & 1].local;
      }
      return found;
    }
  }
  return -1;
}

template <int Dim>
void IntervalGrid<Dim>::bounds(double bounds[6]) const {
  for (int d = 0; d < 3; ++d) {
    const bool flat = d >= Dim;
    bounds[2 * d] = set_.empty() ? 1.0 : placement_.position(d, flat ? 0 : box_.begin[d]);
    bounds[2 * d + 1] = set_.empty() ? -1.0 : placement_.position(d, flat ? 0 : box_.end[d]);
  }
}

template <int Dim>
bool IntervalGrid<Dim>::positionLengths(double range[2]) const {
  const double nearestX = std::round(-placement_.origin[0] / placement_.spacing[0]);
  const NodeTables& tables = nodes();
  const SquaredLengths<Dim> lengths{tables.view, tables.intervalRows.data(), placement_,
    static_cast<std::int64_t>(std::clamp(nearestX, -4.0e9, 4.0e9))};
  typename SquaredLengths<Dim>::Range squared;
  reduce(SPANWISE_KERNEL("node lengths"), Range(HostExecutionSpace(), 0, tables.view.numIntervals), lengths, squared);
  range[0] = std::sqrt(squared.min);
  range[1] = std::sqrt(squared.max);
  return numNodes() > 0;
}

template class IntervalGrid<2>;
template class IntervalGrid<3>;

} // namespace spanwise
