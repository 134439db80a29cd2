#include "Readers/Samurai/SamuraiCells.hpp"

#include "Readers/Hdf5/Utf8.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ProcessMemory.hpp"

#include <algorithm>
#include <cstring>
#include <format>
#include <functional>
#include <numeric>

using namespace spanwise::geometry;
using spanwise::parallel::PlaneRange;

namespace spanwise::samurai {

namespace {

/// An interval of an axis as the file has it.
struct Stored {
  Coordinate begin;
  Coordinate end;
  std::int64_t index;
};

/// Where the numbers of an interval stand in its compound.
class IntervalType {
public:
  IntervalType(const hdf5::Datatype& type, const std::string& what) {
    start_ = member(type, "start", what);
    end_ = member(type, "end", what);
    step_ = member(type, "step", what);
    index_ = member(type, "index", what);
  }

  [[nodiscard]] Stored read(const std::byte* bytes, const std::string& what, std::uint64_t number) const {
    const std::int64_t begin = start_.of(bytes);
    const std::int64_t end = end_.of(bytes);
    const std::int64_t step = step_.of(bytes);
    const std::int64_t index = index_.of(bytes);
    constexpr std::int64_t mostIndex = std::int64_t{1} << 62; // so that a coordinate can be added
    if (begin >= end || begin < minCoordinate || end > maxIntervalEnd || step != 1 || index < -mostIndex ||
      index > mostIndex) {
      throw FileError(std::format("{}: interval {} is [{}, {}) with the step {} and the index {}; it must have cells, "
                                  "ends that an int32 holds and the step 1",
        what, number, begin, end, step, index));
    }
    return {static_cast<Coordinate>(begin), static_cast<Coordinate>(end), index};
  }

private:
  struct Place {
    std::uint32_t offset = 0;
    bool isWide = false;

    [[nodiscard]] std::int64_t of(const std::byte* bytes) const {
      std::int64_t wide = 0;
      std::int32_t narrow = 0;
      if (isWide) {
        std::memcpy(&wide, bytes + offset, sizeof(wide));
        return wide;
      }
      std::memcpy(&narrow, bytes + offset, sizeof(narrow));
      return narrow;
    }
  };

  static Place member(const hdf5::Datatype& type, const std::string& name, const std::string& what) {
    const auto found = std::find_if(
      type.members.begin(), type.members.end(), [&](const hdf5::Datatype::Member& m) { return m.name == name; });
    if (found == type.members.end() || found->kind != hdf5::Datatype::Kind::Signed ||
      (found->bytes != 4 && found->bytes != 8)) {
      throw FileError(
        what + " is " + toString(type) + "; it must be a compound with the int32 or int64 '" + name + "'");
    }
    return {found->offset, found->bytes == 8};
  }

  Place start_;
  Place end_;
  Place step_;
  Place index_;
};

/// The intervals of a process along an axis.
std::vector<Stored> readIntervals(const Partitioned& array, std::size_t process) {
  std::vector<Stored> result;
  const std::uint64_t count = array.count(process);
  if (count == 0) {
    return result;
  }
  const hdf5::Dataset& data = array.data.value();
  const IntervalType type(data.type(), data.what());
  result.reserve(static_cast<std::size_t>(count));
  constexpr std::uint64_t batch = 1 << 16;
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(batch, count) * data.rowBytes()));
  for (std::uint64_t done = 0; done < count; done += batch) {
    const std::uint64_t size = std::min(batch, count - done);
    const std::uint64_t first = array.begin(process) + done;
    data.read(first, size, bytes.data());
    for (std::uint64_t k = 0; k < size; ++k) {
      result.push_back(type.read(bytes.data() + k * data.rowBytes(), data.what(), first + k));
    }
  }
  return result;
}

std::vector<std::int64_t> readOffsets(const Partitioned& array, std::size_t process) {
  return array.data.has_value()
    ? readCounts(*array.data, array.begin(process), array.count(process), array.data->what())
    : std::vector<std::int64_t>();
}

/// What all processes wrote of an axis of a level that has one below it.
struct AxisArrays {
  AxisArrays(const SamuraiFile& file, int level, int axis)
    : what(std::format("level {}, axis {}", level, axis)), intervals(file.intervals(level, axis)),
      offsets(file.offsets(level, axis)) {}

  std::string what;
  Partitioned intervals;
  Partitioned offsets;
};

/// An axis of a process: its intervals, and for each of their coordinates the intervals of the axis below.
class Axis {
public:
  Axis(const AxisArrays& arrays, std::size_t process, std::size_t numBelow)
    : what_(arrays.what), numBelow_(numBelow), intervals_(readIntervals(arrays.intervals, process)),
      offsets_(readOffsets(arrays.offsets, process)) {}

  [[nodiscard]] std::size_t size() const { return intervals_.size(); }

  /// Calls visit(coordinate, begin, end) for the coordinates of some intervals, with those of the axis below.
  template <class Visit>
  void walk(std::size_t begin, std::size_t end, const Visit& visit) {
    for (std::size_t i = begin; i < end; ++i) {
      const Stored& interval = intervals_[i];
      if (i > begin && intervals_[i - 1].end > interval.begin) {
        throw FileError(
          std::format("{}: the interval [{}, {}) follows [{}, {}); they must ascend and not lie over each "
                      "other",
            what_, interval.begin, interval.end, intervals_[i - 1].begin, intervals_[i - 1].end));
      }
      for (Coordinate c = interval.begin; c < interval.end; ++c) {
        const std::int64_t place = interval.index + c;
        if (place < 0 || place + 1 >= static_cast<std::int64_t>(offsets_.size())) {
          throw FileError(
            std::format("{}: the coordinate {} has the offset number {} of {}", what_, c, place, offsets_.size()));
        }
        const std::int64_t first = offsets_[static_cast<std::size_t>(place)];
        const std::int64_t last = offsets_[static_cast<std::size_t>(place) + 1];
        if (first != next_ || last <= first || last > static_cast<std::int64_t>(numBelow_)) {
          throw FileError(
            std::format("{}: the coordinate {} has the intervals [{}, {}) of {} below it; it must have one "
                        "or more, from {} on",
              what_, c, first, last, numBelow_, next_));
        }
        next_ = last;
        visit(c, static_cast<std::size_t>(first), static_cast<std::size_t>(last));
      }
    }
  }

  /// Throws FileError unless all intervals below were visited.
  void finish() const {
    if (next_ != static_cast<std::int64_t>(numBelow_)) {
      throw FileError(std::format("{}: {} of the {} intervals below it belong to no coordinate", what_,
        static_cast<std::int64_t>(numBelow_) - next_, numBelow_));
    }
  }

private:
  std::string what_;
  std::size_t numBelow_;
  std::int64_t next_ = 0;
  std::vector<Stored> intervals_;
  std::vector<std::int64_t> offsets_;
};

template <int Dim>
Coordinate slowest(const RowKey<Dim>& row) {
  if constexpr (Dim == 2) {
    return row.y;
  } else {
    return row.z;
  }
}

} // namespace

template <int Dim>
SamuraiCells<Dim>::SamuraiCells(const SamuraiFile& file, const Progress& progress) : file_(file) {
  const int count = file.maxLevel() - file.minLevel() + 1;
  double bytes = 0.0;
  for (int l = 0; l < count; ++l) {
    bytes += static_cast<double>(file.intervals(file.minLevel() + l, 0).size()) *
      (sizeof(Run<Dim>) + sizeof(std::size_t) + sizeof(Stored));
  }
  if (const double memory = processMemory(); bytes > memory) {
    throw FileError(
      std::format("its intervals need {:.3g} GB of memory; there are {:.3g} GB", bytes / 1e9, memory / 1e9));
  }
  for (int l = 0; l < count; ++l) {
    progress.report(static_cast<double>(l) / count);
    readLevel(file.minLevel() + l);
  }
  numberValues();
  for (int l = 0; l < count; ++l) {
    arrange(file.minLevel() + l);
  }
  checkLengths();
}

// The intervals of all processes, each with the values of its level's first cell at 0.
template <int Dim>
void SamuraiCells<Dim>::readLevel(int level) {
  Level& into = levels_.emplace_back();
  const Partitioned x = file_.intervals(level, 0);
  std::vector<AxisArrays> above;
  for (int axis = 1; axis < Dim; ++axis) {
    above.emplace_back(file_, level, axis);
  }
  into.runs.reserve(static_cast<std::size_t>(x.size()));
  into.firstRun.push_back(0);
  for (std::size_t process = 0; process < file_.numProcesses(); ++process) {
    std::int64_t cells = 0;
    if (x.count(process) > 0) {
      const std::vector<Stored> intervals = readIntervals(x, process);
      const auto add = [&](const RowKey<Dim>& row, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Stored& run = intervals[i];
          if (i > begin && intervals[i - 1].end > run.begin) {
            throw FileError(
              std::format("level {}: the interval [{}, {}) follows [{}, {}) in the row {}; they must ascend "
                          "and not lie over each other",
                level, run.begin, run.end, intervals[i - 1].begin, intervals[i - 1].end, toString(row)));
          }
          into.runs.push_back({row, {run.begin, run.end}, cells, 0});
          cells += std::int64_t{run.end} - run.begin;
        }
      };
      Axis y(above[0], process, intervals.size());
      if constexpr (Dim == 2) {
        y.walk(0, y.size(), [&](Coordinate c, std::size_t begin, std::size_t end) { add({c}, begin, end); });
      } else {
        Axis z(above[1], process, y.size());
        z.walk(0, z.size(), [&](Coordinate atZ, std::size_t from, std::size_t to) {
          y.walk(from, to, [&](Coordinate atY, std::size_t begin, std::size_t end) { add({atY, atZ}, begin, end); });
        });
        z.finish();
      }
      y.finish();
    }
    into.firstRun.push_back(into.runs.size());
    into.cellsOf.push_back(cells);
  }
}

// The values of a process stand together, those of a level in it too.
template <int Dim>
void SamuraiCells<Dim>::numberValues() {
  std::int64_t before = 0;
  for (std::size_t process = 0; process < file_.numProcesses(); ++process) {
    for (Level& level : levels_) {
      for (std::size_t r = level.firstRun[process]; r < level.firstRun[process + 1]; ++r) {
        level.runs[r].firstValue += before;
      }
      before += level.cellsOf[process];
    }
  }
}

// Puts the runs in the order of the level's cells.
template <int Dim>
void SamuraiCells<Dim>::arrange(int level) {
  Level& all = levels_[static_cast<std::size_t>(level - file_.minLevel())];
  all.order.resize(all.runs.size());
  std::iota(all.order.begin(), all.order.end(), std::size_t{0});
  const auto isBefore = [&](std::size_t a, std::size_t b) {
    const Run<Dim>& first = all.runs[a];
    const Run<Dim>& second = all.runs[b];
    return first.row < second.row || (first.row == second.row && first.cells.begin < second.cells.begin);
  };
  if (!std::is_sorted(all.order.begin(), all.order.end(), isBefore)) {
    std::sort(all.order.begin(), all.order.end(), isBefore);
  }
  std::int64_t cells = 0;
  for (std::size_t k = 0; k < all.order.size(); ++k) {
    Run<Dim>& run = all.runs[all.order[k]];
    if (k > 0) {
      const Run<Dim>& before = all.runs[all.order[k - 1]];
      if (before.row == run.row && before.cells.end > run.cells.begin) {
        throw FileError(std::format(
          "level {}: two processes have the cell {} of the row {}", level, run.cells.begin, toString(run.row)));
      }
    }
    run.firstCell = cells;
    cells += std::int64_t{run.cells.end} - run.cells.begin;
  }
}

// Every process has as many values of each field as it has cells.
template <int Dim>
void SamuraiCells<Dim>::checkLengths() const {
  std::vector<std::int64_t> cells(file_.numProcesses(), 0);
  for (const Level& level : levels_) {
    std::transform(cells.begin(), cells.end(), level.cellsOf.begin(), cells.begin(), std::plus<>());
  }
  for (const IcsrArray& field : file_.fields()) {
    const Partitioned values = file_.values(field);
    for (std::size_t process = 0; process < cells.size(); ++process) {
      const auto count = static_cast<std::int64_t>(values.count(process));
      if (count / field.numComponents != cells[process] || count % field.numComponents != 0) {
        throw FileError(std::format("the field {} has {} values of process {}, which has {} cells of {} components",
          hdf5::quotedName(field.name), count, process, cells[process], field.numComponents));
      }
    }
  }
}

template <int Dim>
const typename SamuraiCells<Dim>::Level& SamuraiCells<Dim>::levelAt(int level) const {
  return levels_[static_cast<std::size_t>(level - file_.minLevel())];
}

template <int Dim>
PlaneRange SamuraiCells<Dim>::planes(int part, int parts) const {
  std::int64_t low = PlaneRange().end;
  std::int64_t high = PlaneRange().begin;
  const auto forEachRun = [&](const auto& visit) {
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      for (const Run<Dim>& run : levels_[l].runs) {
        visit(std::int64_t{slowest<Dim>(run.row)} >> l, std::int64_t{run.cells.end} - run.cells.begin);
      }
    }
  };
  forEachRun([&](std::int64_t plane, std::int64_t /*cells*/) {
    low = std::min(low, plane);
    high = std::max(high, plane + 1);
  });
  parallel::PlaneCounts counts;
  if (low < high) {
    constexpr std::int64_t maxBins = 1 << 20; // planes far apart are counted several at a time
    counts.first = low;
    counts.width = (high - low - 1) / maxBins + 1;
    counts.cells.resize(static_cast<std::size_t>((high - low - 1) / counts.width + 1));
    forEachRun([&](std::int64_t plane, std::int64_t cells) {
      counts.cells[static_cast<std::size_t>((plane - low) / counts.width)] += cells;
    });
  }
  return parallel::balancedCut(counts, parts).part(part);
}

template <int Dim>
typename SamuraiCells<Dim>::Range SamuraiCells<Dim>::orderIn(const Level& level, const PlaneRange& planes) const {
  const auto border = [&](std::int64_t plane) {
    return static_cast<std::size_t>(std::partition_point(level.order.begin(), level.order.end(),
                                      [&](std::size_t r) { return slowest<Dim>(level.runs[r].row) < plane; }) -
      level.order.begin());
  };
  const std::size_t begin = border(planes.begin);
  return {begin, std::max(begin, border(planes.end))};
}

template <int Dim>
SetTotals SamuraiCells<Dim>::totals(int level, const PlaneRange& planes) const {
  const Level& all = levelAt(level);
  const Range range = orderIn(all, planes);
  SetTotals sum{};
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Run<Dim>& run = all.runs[all.order[k]];
    const bool sameRow = k > range.begin && all.runs[all.order[k - 1]].row == run.row;
    const bool touches = sameRow && all.runs[all.order[k - 1]].cells.end == run.cells.begin;
    sum += {sameRow ? 0 : 1, touches ? 0 : 1, std::int64_t{run.cells.end} - run.cells.begin};
  }
  return sum;
}

template <int Dim>
HostIntervalSet<Dim> SamuraiCells<Dim>::set(int level, const PlaneRange& planes) const {
  HostIntervalSet<Dim> set;
  const SetTotals sum = totals(level, planes);
  if (sum.cells == 0) {
    return set;
  }
  const Level& all = levelAt(level);
  const Range range = orderIn(all, planes);
  const auto out = set.prepare(sum.rows, sum.intervals);
  SetTotals done{};
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Run<Dim>& run = all.runs[all.order[k]];
    const bool sameRow = k > range.begin && out.rowKeys[done.rows - 1] == run.row;
    if (sameRow && out.intervals[done.intervals - 1].end == run.cells.begin) {
      out.intervals[done.intervals - 1].end = run.cells.end;
    } else {
      if (!sameRow) {
        out.rowKeys[done.rows] = run.row;
        out.rowOffsets[done.rows++] = done.intervals;
      }
      out.intervals[done.intervals] = run.cells;
      out.cellOffsets[done.intervals++] = done.cells;
    }
    done.cells += std::int64_t{run.cells.end} - run.cells.begin;
  }
  out.rowOffsets[done.rows] = done.intervals;
  out.cellOffsets[done.intervals] = done.cells;
  set.finish(sum);
  return set;
}

template <int Dim>
void SamuraiCells<Dim>::values(
  int level, const PlaneRange& planes, const IcsrArray& field, std::byte* to, const Progress& progress) const {
  const Level& all = levelAt(level);
  const Range range = orderIn(all, planes);
  if (range.begin == range.end) {
    return;
  }
  const Partitioned array = file_.values(field);
  const std::int64_t cellBytes = field.numComponents * bytesOf(field);
  const std::int64_t firstCell = all.runs[all.order[range.begin]].firstCell;
  std::vector<std::byte> buffer;
  for (std::size_t process = 0; process < file_.numProcesses(); ++process) {
    const auto first = all.runs.begin() + static_cast<std::ptrdiff_t>(all.firstRun[process]);
    const auto last = all.runs.begin() + static_cast<std::ptrdiff_t>(all.firstRun[process + 1]);
    const auto border = [&](std::int64_t plane) {
      return std::partition_point(first, last, [&](const Run<Dim>& run) { return slowest<Dim>(run.row) < plane; });
    };
    const auto begin = border(planes.begin);
    const auto end = border(planes.end);
    if (begin >= end) {
      continue;
    }
    const Run<Dim>& tail = *(end - 1);
    const std::int64_t cells = tail.firstValue + tail.cells.end - tail.cells.begin - begin->firstValue;
    // One process has its cells in order: they need no place of their own.
    const bool direct = file_.numProcesses() == 1;
    buffer.resize(direct ? 0 : static_cast<std::size_t>(cells * cellBytes));
    std::byte* const read = direct ? to : buffer.data();
    const auto part = static_cast<double>(file_.numProcesses());
    array.data->read(static_cast<std::uint64_t>(begin->firstValue * field.numComponents),
      static_cast<std::uint64_t>(cells * field.numComponents), read,
      progress.part(static_cast<double>(process) / part, static_cast<double>(process + 1) / part));
    for (auto run = begin; run != end && !direct; ++run) {
      std::memcpy(to + (run->firstCell - firstCell) * cellBytes,
        read + (run->firstValue - begin->firstValue) * cellBytes,
        static_cast<std::size_t>((std::int64_t{run->cells.end} - run->cells.begin) * cellBytes));
    }
  }
}

template class SamuraiCells<2>;
template class SamuraiCells<3>;

} // namespace spanwise::samurai
