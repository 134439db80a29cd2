#include "Readers/IcsrAttributes.hpp"
#include "Readers/IcsrNames.hpp"
#include "Readers/IcsrReaderImpl.hpp"

#include "Core/Geometry/Validation.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <algorithm>
#include <limits>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

template <int Dim>
RowKey<Dim> keyAt(const hdf5::Dataset& keys, std::int64_t row) {
  const auto r = static_cast<std::uint64_t>(row);
  return RowKey<Dim>::fromYZ(keys.at<Coordinate>(r, 0), Dim == 3 ? keys.at<Coordinate>(r, Dim - 2) : 0);
}

std::vector<std::int64_t> readNumbers(
  const hdf5::Dataset& dataset, std::int64_t first, std::int64_t count, const Progress& progress) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  dataset.read(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count), numbers.data(), progress);
  return numbers;
}

// Offsets of the rows from `firstRow` on become those of a part that begins with 0. What would wrap around or lead out
// of the file is refused here; the rest is left to validation.
void rebase(
  std::vector<std::int64_t>& offsets, std::int64_t firstRow, bool atEnd, std::int64_t limit, const std::string& what) {
  const std::int64_t base = offsets.front();
  const std::int64_t last = offsets.back();
  if (base < 0 || last < base || last > limit || (firstRow == 0 && base != 0) || (atEnd && last != limit)) {
    throw FileError(what + " lead from " + std::to_string(base) + " to " + std::to_string(last) +
      "; all of them together must ascend from 0 to " + std::to_string(limit));
  }
  for (std::size_t r = 0; r < offsets.size(); ++r) {
    if (offsets[r] < base || offsets[r] > last) {
      throw FileError(what + " has the value " + std::to_string(offsets[r]) + " at " +
        std::to_string(firstRow + static_cast<std::int64_t>(r)) + ", which is not within its first and last, " +
        std::to_string(base) + " and " + std::to_string(last));
    }
    offsets[r] -= base;
  }
}

// Fills in the cell offsets of valid intervals and returns their sum. Throws FileError if there are more than 2^63 - 1
// cells.
template <int Dim>
std::int64_t sumCells(const WritableIntervalSet<Dim>& set, std::int64_t numIntervals, const std::string& what) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < numIntervals; ++i) {
    set.cellOffsets[i] = sum;
    const std::int64_t length = static_cast<std::int64_t>(set.intervals[i].end) - set.intervals[i].begin;
    if (sum > std::numeric_limits<std::int64_t>::max() - length) {
      throw FileError(what + " have more than 2^63 - 1 cells");
    }
    sum += length;
  }
  set.cellOffsets[numIntervals] = sum;
  return sum;
}

} // namespace

IcsrReader::Impl::Geometry IcsrReader::Impl::geometry(const hdf5::Object& level, const std::string& levelName) const {
  Geometry result{dataset(level, icsr::rowKeys, levelName), dataset(level, icsr::rowOffsets, levelName),
    dataset(level, icsr::rowCells, levelName), dataset(level, icsr::intervals, levelName),
    icsr::integers(level, icsr::numberOfCells, 1, levelName)[0]};
  const std::uint64_t rows = result.rowKeys.rows();
  result.rowKeys.expect(icsr::int32Type, {rows, static_cast<std::uint64_t>(dimension - 1)});
  result.rowOffsets.expect(icsr::int64Type, {rows + 1});
  result.rowCells.expect(icsr::int64Type, {rows + 1});
  result.intervals.expect(icsr::int32Type, {result.intervals.rows(), 2});
  if (result.numCells < result.numIntervals() || result.numIntervals() < result.numRows() ||
    (result.numRows() == 0 && result.numCells != 0)) {
    throw FileError(levelName + " has " + std::to_string(result.numRows()) + " rows, " +
      std::to_string(result.numIntervals()) + " intervals and " + std::to_string(result.numCells) +
      " cells; there must be no fewer intervals than rows, no fewer cells than intervals, and no cells without rows");
  }
  return result;
}

template <int Dim>
IcsrPart<Dim> IcsrReader::Impl::cells(int s, int l, const IcsrRows& rows, const Progress& progress) const {
  if (Dim != dimension) {
    throw FileError(
      "its cells are " + std::to_string(dimension) + "D; " + std::to_string(Dim) + "D ones were asked for");
  }
  startRuntime();
  const std::string name = levelName(s, l);
  const Geometry stored = geometry(s, l);
  if (rows.begin < 0 || rows.end < rows.begin || rows.end > stored.numRows()) {
    throw FileError(name + " has no rows [" + std::to_string(rows.begin) + ", " + std::to_string(rows.end) + ") of " +
      std::to_string(stored.numRows()));
  }
  const std::int64_t numRows = rows.end - rows.begin;
  const bool atBegin = rows.begin == 0;
  const bool atEnd = rows.end == stored.numRows();

  IcsrPart<Dim> part;
  auto offsets = readNumbers(stored.rowOffsets, rows.begin, numRows + 1, progress.part(0.0, 0.1));
  part.firstInterval = offsets.front();
  rebase(offsets, rows.begin, atEnd, stored.numIntervals(), stored.rowOffsets.what());
  auto rowCells = readNumbers(stored.rowCells, rows.begin, numRows + 1, progress.part(0.1, 0.2));
  part.firstCell = rowCells.front();
  rebase(rowCells, rows.begin, atEnd, stored.numCells, stored.rowCells.what());

  const std::int64_t numIntervals = offsets.back();
  const auto set = part.set.prepare(numRows, numIntervals);
  std::copy(offsets.begin(), offsets.end(), set.rowOffsets);
  stored.rowKeys.read(
    static_cast<std::uint64_t>(rows.begin), static_cast<std::uint64_t>(numRows), set.rowKeys, progress.part(0.2, 0.4));
  stored.intervals.read(static_cast<std::uint64_t>(part.firstInterval), static_cast<std::uint64_t>(numIntervals),
    set.intervals, progress.part(0.4, 0.9));
  const std::string wrong = validateArrays<HostExecutionSpace, Dim>(
    Context<HostExecutionSpace>(), {set.rowKeys, numRows, set.rowOffsets, numRows + 1, set.intervals, numIntervals});
  if (!wrong.empty()) {
    throw FileError(name + (atBegin ? "" : ", counted from row " + std::to_string(rows.begin)) + ": " + wrong);
  }
  if (!atBegin && numRows > 0 && !(keyAt<Dim>(stored.rowKeys, rows.begin - 1) < set.rowKeys[0])) {
    throw FileError(stored.rowKeys.what() + ": row " + std::to_string(rows.begin) + " (" + toString(set.rowKeys[0]) +
      ") is not after the row before it");
  }
  const std::int64_t numCells = sumCells(set, numIntervals, stored.intervals.what());
  for (std::int64_t r = 0; r <= numRows; ++r) {
    if (rowCells[static_cast<std::size_t>(r)] != set.cellOffsets[set.rowOffsets[r]]) {
      throw FileError(stored.rowCells.what() + " at " + std::to_string(rows.begin + r) +
        " is not the sum of the lengths of the intervals before that row");
    }
  }
  part.set.finish({numRows, numIntervals, numCells});
  return part;
}

template IcsrPart<2> IcsrReader::Impl::cells<2>(int, int, const IcsrRows&, const Progress&) const;
template IcsrPart<3> IcsrReader::Impl::cells<3>(int, int, const IcsrRows&, const Progress&) const;

void IcsrReader::Impl::checkPart(int index, int parts) {
  if (parts < 1 || index < 0 || index >= parts) {
    throw FileError("there is no part " + std::to_string(index) + " of " + std::to_string(parts));
  }
}

IcsrRows IcsrReader::Impl::part(int s, int l, int part, int parts) const {
  checkPart(part, parts);
  const Geometry stored = geometry(s, l);
  const icsr::RowTable table = rowTable(stored);
  const std::int64_t numCells = stored.numCells;
  const auto border = [&](int index) -> std::int64_t {
    if (index == 0 || index == parts) {
      return index == 0 ? 0 : static_cast<std::int64_t>(table.numRows());
    }
    return static_cast<std::int64_t>(table.border(numCells / parts * index + numCells % parts * index / parts));
  };
  const IcsrRows rows{border(part), border(part + 1)};
  if (rows.end < rows.begin) {
    throw FileError(levelName(s, l) + ": the rows cannot be cut, because RowKeys or RowCells do not ascend");
  }
  return rows;
}

PlaneRange IcsrReader::Impl::planes(int s, int l, int index, int parts) const {
  const IcsrRows rows = part(s, l, index, parts);
  const Geometry stored = geometry(s, l);
  const icsr::RowTable table = rowTable(stored);
  const auto bound = [&](std::int64_t row) {
    return row < stored.numRows() ? std::int64_t{table.slowest(static_cast<std::uint64_t>(row))} : PlaneRange().end;
  };
  return {index == 0 ? PlaneRange().begin : bound(rows.begin), index == parts - 1 ? PlaneRange().end : bound(rows.end)};
}

template <int Dim>
IcsrPointNumbers IcsrReader::Impl::pointNumbers(int s, int l, const IcsrRows& rows, const IcsrPart<Dim>& part) const {
  if (part.set.empty()) {
    return {};
  }
  const Geometry stored = geometry(s, l);
  const icsr::RowTable table = rowTable(stored);
  const auto begin = static_cast<std::uint64_t>(rows.begin);
  const auto end = static_cast<std::uint64_t>(rows.end);
  const std::int64_t lowest = table.slowest(begin) - std::int64_t{1};
  const std::int64_t highest = table.slowest(end - 1) + std::int64_t{1};
  const IcsrRows around{
    static_cast<std::int64_t>(icsr::RowTable::firstRow(0, begin, [&](auto r) { return table.slowest(r) >= lowest; })),
    static_cast<std::int64_t>(
      icsr::RowTable::firstRow(end, table.numRows(), [&](auto r) { return table.slowest(r) > highest; }))};
  const bool alone = around.begin == rows.begin && around.end == rows.end;
  const IcsrPart<Dim> neighbourhood = alone ? part : cells<Dim>(s, l, around, {});
  const bool isLast = end == table.numRows();
  const RowKey<Dim> next = isLast ? RowKey<Dim>() : keyAt<Dim>(stored.rowKeys, rows.end);
  IcsrPointNumbers numbers = numberPoints<Dim>(part.set, neighbourhood.set, isLast ? nullptr : &next);
  numbers.rows = rows;
  return numbers;
}

template IcsrPointNumbers IcsrReader::Impl::pointNumbers(int, int, const IcsrRows&, const IcsrPart<2>&) const;
template IcsrPointNumbers IcsrReader::Impl::pointNumbers(int, int, const IcsrRows&, const IcsrPart<3>&) const;

std::int64_t IcsrReader::Impl::firstPoint(const hdf5::Object& level, const std::string& levelName,
  const IcsrPointNumbers& numbers, std::int64_t numPoints) const {
  const IcsrRows& rows = numbers.rows;
  if (rows.end - rows.begin != static_cast<std::int64_t>(numbers.rowFirst.size())) {
    throw FileError(levelName + ": the numbers of points are of " + std::to_string(numbers.rowFirst.size()) +
      " rows, which are none of the file's");
  }
  const hdf5::Dataset rowPoints = dataset(level, icsr::rowPoints, levelName);
  const auto numRows = static_cast<std::int64_t>(dataset(level, icsr::rowKeys, levelName).rows());
  rowPoints.expect(icsr::int64Type, {static_cast<std::uint64_t>(numRows)});
  const auto inFile = readNumbers(rowPoints, rows.begin, rows.end - rows.begin, {});
  const std::int64_t origin = inFile.front();
  const std::int64_t next =
    rows.end == numRows ? numPoints : rowPoints.at<std::int64_t>(static_cast<std::uint64_t>(rows.end));
  bool right = origin >= 0 && origin <= numPoints && numbers.untilNext <= numPoints - origin &&
    next == origin + numbers.untilNext && (rows.begin > 0 || origin == 0);
  for (std::size_t r = 0; right && r < inFile.size(); ++r) {
    right = inFile[r] == origin + numbers.rowFirst[r];
  }
  if (!right) {
    throw FileError(rowPoints.what() + " does not number the " + std::to_string(numPoints) +
      " points as the cells of rows [" + std::to_string(rows.begin) + ", " + std::to_string(rows.end) + ") demand");
  }
  return origin;
}

} // namespace spanwise
