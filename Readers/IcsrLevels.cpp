#include "Readers/IcsrReaderImpl.hpp"

#include <algorithm>

using namespace spanwise::parallel;

namespace spanwise {

namespace {

// The rows of one level, and how often its planes divide those of level 0.
struct LevelTable {
  icsr::RowTable rows;
  int level;

  [[nodiscard]] std::int64_t rootPlane(std::uint64_t row) const { return std::int64_t{rows.slowest(row)} >> level; }
  // The cells below a plane of level 0.
  [[nodiscard]] std::int64_t cellsBelow(std::int64_t plane) const {
    const std::uint64_t row =
      icsr::RowTable::firstRow(0, rows.numRows(), [&](std::uint64_t r) { return rootPlane(r) >= plane; });
    return rows.cells.at<std::int64_t>(row);
  }
};

} // namespace

PlaneRange IcsrReader::Impl::rootPlanes(int s, int index, int parts) const {
  checkPart(index, parts);
  std::vector<LevelTable> tables;
  double total = 0.0;
  PlaneRange all{0, 0};
  static_cast<void>(step(s)); // throws if there is none
  for (int l = 0; l < static_cast<int>(levels[static_cast<std::size_t>(s)].size()); ++l) {
    const Geometry stored = geometry(s, l);
    const int level = placement(s, l).level;
    if (stored.numRows() == 0) {
      continue;
    }
    tables.push_back({rowTable(stored), level});
    total += static_cast<double>(stored.numCells);
    const LevelTable& table = tables.back();
    const PlaneRange planes{table.rootPlane(0), table.rootPlane(table.rows.numRows() - 1) + 1};
    all = all.empty() ? planes : PlaneRange{std::min(all.begin, planes.begin), std::max(all.end, planes.end)};
  }
  const auto below = [&](std::int64_t plane) { // as doubles: in a damaged file these may be anything
    double cells = 0.0;
    for (const LevelTable& table : tables) {
      cells += static_cast<double>(table.cellsBelow(plane));
    }
    return cells;
  };
  const auto border = [&](int k) {
    const double target = total / parts * k;
    std::int64_t low = all.begin;
    std::int64_t high = all.end;
    while (low < high) { // the first plane with no fewer cells below it
      const std::int64_t middle = low + (high - low) / 2;
      if (below(middle) >= target) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low > all.begin && target - below(low - 1) <= below(low) - target ? low - 1 : low;
  };
  const std::int64_t begin = index == 0 ? PlaneRange().begin : border(index);
  const std::int64_t end = index == parts - 1 ? PlaneRange().end : border(index + 1);
  return {begin, std::max(begin, end)};
}

IcsrRows IcsrReader::Impl::rowsIn(int s, int l, const PlaneRange& planes) const {
  const Geometry stored = geometry(s, l);
  const icsr::RowTable table = rowTable(stored);
  const auto border = [&](std::int64_t plane) -> std::int64_t {
    return static_cast<std::int64_t>(
      icsr::RowTable::firstRow(0, table.numRows(), [&](std::uint64_t r) { return table.slowest(r) >= plane; }));
  };
  const std::int64_t begin = planes.begin == PlaneRange().begin ? 0 : border(planes.begin);
  const std::int64_t end = planes.end == PlaneRange().end ? stored.numRows() : border(planes.end);
  return {begin, std::max(begin, end)}; // rows that do not ascend are found where they are read
}

} // namespace spanwise
