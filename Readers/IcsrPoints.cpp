#include "IcsrPoints.hpp"

#include "Core/Geometry/NodeRows.hpp"
#include "Core/Runtime/Context.hpp"

using namespace spanwise::geometry;

namespace spanwise {

namespace {

template <int Dim>
HostIntervalSet<Dim> nodeRows(const HostIntervalSet<Dim>& set) {
  const Context<HostExecutionSpace> context;
  HostIntervalSet<Dim> rows;
  nodeRowsOf(context, set, rows);
  return rows;
}

} // namespace

template <int Dim>
IcsrPointNumbers numberPoints(
  const HostIntervalSet<Dim>& set, const HostIntervalSet<Dim>& around, const RowKey<Dim>* next) {
  IcsrPointNumbers result;
  if (set.empty()) {
    return result;
  }
  const HostIntervalSet<Dim> ownRows = nodeRows(set);
  const bool alone = set.numCells() == around.numCells();
  const HostIntervalSet<Dim> allRows = alone ? ownRows : nodeRows(around);
  const IntervalSetView<Dim> cells = set.view();
  const IntervalSetView<Dim> own = ownRows.view();
  const IntervalSetView<Dim> all = allRows.view();
  const auto firstOfRow = [&](std::int64_t r) { return firstNode(all, all.rowOffsets[r]); };
  // All planes that hold the cells' nodes are whole in `around`, so that numbers differ from the level's by one
  // constant.
  const std::int64_t origin = firstOfRow(all.findRow(cells.rowKeys[0]));
  for (std::int64_t r = 0; r < own.numRows; ++r) {
    const std::int64_t row = all.findRow(own.rowKeys[r]);
    for (std::int64_t i = own.rowOffsets[r]; i < own.rowOffsets[r + 1]; ++i) {
      const std::int64_t first = findNodeInRow(all, row, own.intervals[i].begin) - origin;
      const std::int64_t count = static_cast<std::int64_t>(own.intervals[i].end) - own.intervals[i].begin + 1;
      if (!result.runs.empty() && result.runs.back().first + result.runs.back().count == first) {
        result.runs.back().count += count;
      } else {
        result.runs.push_back({first, count});
      }
      result.numPoints += count;
    }
  }
  for (std::int64_t r = 0; r < cells.numRows; ++r) {
    result.rowFirst.push_back(firstOfRow(all.findRow(cells.rowKeys[r])) - origin);
  }
  const std::int64_t nextRow = next == nullptr ? -1 : all.findRow(*next);
  // A next row that is not in `around` is so far away that all nodes of `around` come before it.
  result.untilNext = (nextRow >= 0 ? firstOfRow(nextRow) : numNodes(all)) - origin;
  return result;
}

template IcsrPointNumbers numberPoints(const HostIntervalSet<2>&, const HostIntervalSet<2>&, const RowKey<2>*);
template IcsrPointNumbers numberPoints(const HostIntervalSet<3>&, const HostIntervalSet<3>&, const RowKey<3>*);

} // namespace spanwise
