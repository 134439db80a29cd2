#include "Core/Parallel/CellMove.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Sharing.hpp"

#include <algorithm>
#include <string>

namespace spanwise::parallel {

namespace {

/// Rows that have come as they were on another rank: moved to their plane, and their intervals counted here.
template <int Dim>
struct CompleteRows {
  geometry::RowKey<Dim>* rowKeys;
  std::int64_t* rowOffsets;
  std::int64_t shift;
  std::int64_t firstInterval; ///< here less there

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const geometry::RowKey<Dim> key = rowKeys[r];
    const auto plane = static_cast<geometry::Coordinate>(planeOf(key) + shift);
    rowKeys[r] = geometry::RowKey<Dim>::fromYZ(Dim == 2 ? plane : key.y, plane);
    rowOffsets[r] += firstInterval;
  }
};

/// The cell offsets of intervals, and the ends of both arrays of offsets.
template <int Dim>
struct CountCells {
  using value_type = std::int64_t;
  geometry::WritableIntervalSet<Dim> set;
  std::int64_t numRows;
  std::int64_t numIntervals;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& cells, bool final) const {
    if (final) {
      set.cellOffsets[i] = cells;
    }
    cells += static_cast<std::int64_t>(set.intervals[i].end) - set.intervals[i].begin;
    if (final && i == numIntervals - 1) {
      set.cellOffsets[numIntervals] = cells;
      set.rowOffsets[numRows] = numIntervals;
    }
  }
};

template <class ExecutionSpace, int Dim>
void countCells(
  const ExecutionSpace& space, const geometry::WritableIntervalSet<Dim>& set, const geometry::SetTotals& totals) {
  scan(SPANWISE_KERNEL("count cells"), IndexRange<ExecutionSpace>(space, 0, totals.intervals),
    CountCells<Dim>{set, totals.rows, totals.intervals});
}

/// Cells of runs from one array to another, each as so many words.
template <class Word, class ExecutionSpace, class Runs>
void copyRunsOfCells(
  const ExecutionSpace& space, const Runs& runs, const void* from, void* to, std::int64_t bytesPerCell) {
  const geometry::CellRun* const runsOfCells = runs.data();
  const auto* const source = static_cast<const Word*>(from);
  auto* const target = static_cast<Word*>(to);
  const std::int64_t wordsPerCell = bytesPerCell / static_cast<std::int64_t>(sizeof(Word));
  forEach(
    SPANWISE_KERNEL("copy runs"), IndexRange<ExecutionSpace>(space, 0, runs.extent(0)), KOKKOS_LAMBDA(std::int64_t k) {
      const geometry::CellRun run = runsOfCells[k];
      for (std::int64_t w = 0; w < run.count * wordsPerCell; ++w) {
        target[run.a * wordsPerCell + w] = source[run.b * wordsPerCell + w];
      }
    });
}

bool isMultiple(const MovedColumn& column, const void* from, std::size_t bytes) {
  return static_cast<std::size_t>(column.bytesPerCell) % bytes == 0 &&
    reinterpret_cast<std::uintptr_t>(from) % bytes == 0 && reinterpret_cast<std::uintptr_t>(column.to) % bytes == 0;
}

} // namespace

template <class ExecutionSpace, int Dim>
struct CellMove<ExecutionSpace, Dim>::Record {
  geometry::SetTotals totals;
  std::int64_t firstInterval = 0; // on the rank that sends
  PlaneRange planes{0, 0};
};

template <class ExecutionSpace, int Dim>
struct CellMove<ExecutionSpace, Dim>::Part {
  int rank;
  std::int64_t shift;
  Record record;
  std::int64_t firstRow = 0; // in the set to which it belongs
  std::int64_t firstInterval = 0;

  [[nodiscard]] PlaneRange place() const { return record.planes.moved(shift); }
};

// Who sends how much to whom: a rank tells each other one about the planes that this one is to hold.
template <class ExecutionSpace, int Dim>
void CellMove<ExecutionSpace, Dim>::exchangeRecords(const std::vector<std::vector<HeldPlanes>>& held,
  const std::vector<Record>& mine, const std::vector<std::size_t>& firstOf, std::vector<Record>& theirs) {
  const auto ranks = static_cast<std::size_t>(communicator().size());
  const auto me = static_cast<std::size_t>(communicator().rank());
  theirs.resize(ranks * held[me].size());
  std::vector<OutgoingMessage> sends;
  std::vector<IncomingMessage> receives;
  for (std::size_t r = 0; r < ranks; ++r) {
    Record* const from = theirs.data() + r * held[me].size();
    if (r == me) {
      std::copy_n(mine.data() + firstOf[r], held[me].size(), from);
      continue;
    }
    if (!held[r].empty()) {
      sends.push_back({static_cast<int>(r), mine.data() + firstOf[r], held[r].size() * sizeof(Record)});
    }
    if (!held[me].empty()) {
      receives.push_back({static_cast<int>(r), from, held[me].size() * sizeof(Record)});
    }
  }
  records_->start(sends, receives);
  records_->finish();
}

template <class ExecutionSpace, int Dim>
void CellMove<ExecutionSpace, Dim>::receivePart(const Part& part, const geometry::WritableIntervalSet<Dim>& to) {
  messenger_.receive(part.rank, to.rowKeys + part.firstRow, part.record.totals.rows);
  messenger_.receive(part.rank, to.rowOffsets + part.firstRow, part.record.totals.rows);
  messenger_.receive(part.rank, to.intervals + part.firstInterval, part.record.totals.intervals);
}

template <class ExecutionSpace, int Dim>
void CellMove<ExecutionSpace, Dim>::completeRows(
  const ExecutionSpace& space, const Part& part, const geometry::WritableIntervalSet<Dim>& to) {
  forEach(SPANWISE_KERNEL("complete rows"), IndexRange<ExecutionSpace>(space, 0, part.record.totals.rows),
    CompleteRows<Dim>{to.rowKeys + part.firstRow, to.rowOffsets + part.firstRow, part.shift,
      part.firstInterval - part.record.firstInterval});
}

template <class ExecutionSpace, int Dim>
void CellMove<ExecutionSpace, Dim>::moveSet(
  const Context<ExecutionSpace>& context, const std::vector<std::vector<HeldPlanes>>& held, const Set& set, Set& out) {
  if (!moveChanges(context, held, set, out)) {
    out = set;
  }
}

template <class ExecutionSpace, int Dim>
bool CellMove<ExecutionSpace, Dim>::moveChanges(
  const Context<ExecutionSpace>& context, const std::vector<std::vector<HeldPlanes>>& held, const Set& set, Set& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Parallel::moveSet");
  const Set before = sharing(set);
  const geometry::IntervalSetView<Dim> from = before.view();
  const int me = communicator().rank();
  const std::vector<HeldPlanes>& heldHere = held[static_cast<std::size_t>(me)];

  // What this rank has of what the others are to hold.
  const PlaneRange here = planesOf<ExecutionSpace, Dim>(context, before);
  std::vector<Record> mine;
  std::vector<geometry::Slab> slabs;
  std::vector<std::size_t> firstOf;
  std::int64_t kept = 0;
  for (std::size_t to = 0; to < held.size(); ++to) {
    firstOf.push_back(mine.size());
    for (const HeldPlanes& planes : held[to]) {
      const PlaneRange common = here.within(planes.planes);
      const geometry::Slab slab =
        common.empty() ? geometry::Slab() : slabOf<ExecutionSpace, Dim>(context, before, common);
      Record record{{slab.endRow - slab.firstRow, slab.endInterval - slab.firstInterval, slab.numCells()},
        slab.firstInterval, {0, 0}};
      if (record.totals.rows > 0) {
        record.planes = {
          planeOf(fetch(space, from.rowKeys, slab.firstRow)), planeOf(fetch(space, from.rowKeys, slab.endRow - 1)) + 1};
      }
      kept += static_cast<int>(to) == me && planes.shift == 0 ? record.totals.cells : 0;
      mine.push_back(record);
      slabs.push_back(slab);
    }
  }
  std::vector<Record> theirs;
  exchangeRecords(held, mine, firstOf, theirs);

  // What comes, and where it belongs.
  std::vector<Part> parts;
  std::int64_t changes = before.numCells() - kept;
  numCellsBefore_ = before.numCells();
  for (int r = 0; r < communicator().size(); ++r) {
    for (std::size_t k = 0; k < heldHere.size(); ++k) {
      const Record& record = theirs[static_cast<std::size_t>(r) * heldHere.size() + k];
      if (record.totals.rows > 0) {
        parts.push_back({r, heldHere[k].shift, record});
        changes += r != me || heldHere[k].shift != 0 ? record.totals.cells : 0;
      }
    }
  }
  std::vector<Part> inOrder = parts;
  std::sort(
    inOrder.begin(), inOrder.end(), [](const Part& a, const Part& b) { return a.place().begin < b.place().begin; });
  merges_ = std::adjacent_find(inOrder.begin(), inOrder.end(),
              [](const Part& a, const Part& b) { return a.place().end > b.place().begin; }) != inOrder.end();
  if (!merges_) {
    parts = std::move(inOrder);
  }
  outgoing_.clear();
  for (std::size_t to = 0; to < held.size(); ++to) {
    for (std::size_t k = 0; k < held[to].size(); ++k) {
      const geometry::Slab& slab = slabs[firstOf[to] + k];
      if (slab.numCells() > 0) {
        outgoing_.push_back({static_cast<int>(to), slab.firstCell, slab.numCells()});
      }
    }
  }
  incoming_.clear();
  geometry::SetTotals totals;
  for (Part& part : parts) {
    incoming_.push_back({part.rank, totals.cells, part.record.totals.cells});
    if (!merges_) {
      part.firstRow = totals.rows;
      part.firstInterval = totals.intervals;
    }
    totals += part.record.totals;
  }
  runs_.clear();
  numCells_ = totals.cells;
  moves_ = communicator().reduced(ReduceBy::Maximum, changes) > 0;
  if (!moves_) {
    return false;
  }

  geometry::WritableIntervalSet<Dim> whole{};
  std::vector<Set> sets;
  std::vector<geometry::WritableIntervalSet<Dim>> setArrays;
  agree(communicator(), [&] {
    if (merges_) {
      for (const Part& part : parts) {
        setArrays.push_back(sets.emplace_back().prepare(part.record.totals.rows, part.record.totals.intervals));
      }
    } else {
      whole = out.prepare(totals.rows, totals.intervals);
    }
  });
  for (std::size_t to = 0; to < held.size(); ++to) {
    for (std::size_t k = 0; k < held[to].size(); ++k) {
      const geometry::Slab& slab = slabs[firstOf[to] + k];
      const int rank = static_cast<int>(to);
      messenger_.send(rank, from.rowKeys + slab.firstRow, slab.endRow - slab.firstRow);
      messenger_.send(rank, from.rowOffsets + slab.firstRow, slab.endRow - slab.firstRow);
      messenger_.send(rank, from.intervals + slab.firstInterval, slab.endInterval - slab.firstInterval);
    }
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    receivePart(parts[k], merges_ ? setArrays[k] : whole);
  }
  messenger_.start(space);
  messenger_.finish(space);
  agree(communicator(), [&] {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      completeRows(space, parts[k], merges_ ? setArrays[k] : whole);
      if (merges_) {
        const geometry::SetTotals& ofPart = parts[k].record.totals;
        countCells<ExecutionSpace, Dim>(space, setArrays[k], ofPart);
        sets[k].finish(ofPart);
      }
    }
    if (!merges_) {
      countCells<ExecutionSpace, Dim>(space, whole, totals);
      out.finish(totals);
    } else {
      combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Union, sets, out);
      for (const Set& part : sets) {
        runs_.push_back(commonCells<ExecutionSpace, Dim>(context, out, part));
      }
      numCells_ = out.numCells();
    }
  });
  space.fence(SPANWISE_LABEL("Parallel::moveSet")); // `before` may hold the last reference
  return true;
}

template <class ExecutionSpace, int Dim>
void CellMove<ExecutionSpace, Dim>::moveValues(const ExecutionSpace& space, std::span<const MovedColumn> columns) {
  SPANWISE_REGION("Parallel::moveValues");
  if (merges_) {
    // Cells that several ranks have come several times: first all, then one of each.
    const std::int64_t all = incoming_.empty() ? 0 : incoming_.back().firstCell + incoming_.back().numCells;
    agree(communicator(), [&] {
      arrived_.resize(columns.size());
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::size_t bytes = arrayLength<char>(all * columns[k].bytesPerCell);
        if (arrived_[k].extent(0) < bytes) {
          arrived_[k] = {};
          arrived_[k] = Kokkos::View<char*, Memory>(
            Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Parallel::arrived")), bytes);
        }
      }
    });
  } else {
    agree(communicator(), [] {});
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const MovedColumn& column = columns[k];
    const auto* const from = static_cast<const char*>(column.from);
    char* const to = merges_ ? arrived_[k].data() : static_cast<char*>(column.to);
    for (const CellSlab& slab : outgoing_) {
      messenger_.send(slab.rank, from + slab.firstCell * column.bytesPerCell, slab.numCells * column.bytesPerCell);
    }
    for (const CellSlab& slab : incoming_) {
      messenger_.receive(slab.rank, to + slab.firstCell * column.bytesPerCell, slab.numCells * column.bytesPerCell);
    }
  }
  messenger_.start(space);
  messenger_.finish(space);
  for (std::size_t k = 0; k < columns.size() && merges_; ++k) {
    const MovedColumn& column = columns[k];
    for (std::size_t p = incoming_.size(); p-- > 0;) { // the first rank has the last word
      const char* const from = arrived_[k].data() + incoming_[p].firstCell * column.bytesPerCell;
      if (isMultiple(column, from, sizeof(std::uint64_t))) {
        copyRunsOfCells<std::uint64_t>(space, runs_[p], from, column.to, column.bytesPerCell);
      } else if (isMultiple(column, from, sizeof(std::uint32_t))) {
        copyRunsOfCells<std::uint32_t>(space, runs_[p], from, column.to, column.bytesPerCell);
      } else {
        copyRunsOfCells<char>(space, runs_[p], from, column.to, column.bytesPerCell);
      }
    }
  }
  space.fence(SPANWISE_LABEL("Parallel::moveValues"));
}

template <class ExecutionSpace, int Dim>
void CellMove<ExecutionSpace, Dim>::checkCounts(
  std::int64_t cellsBefore, std::int64_t cells, int componentsBefore, int components) const {
  if (cellsBefore != numCellsBefore_ || cells != numCells_ || componentsBefore != components) {
    throw InvalidArgument("a field of " + std::to_string(cellsBefore) + " cells and " +
      countText(componentsBefore, "component") + " is to move to one of " + std::to_string(cells) + " and " +
      std::to_string(components) + "; the sets have " + std::to_string(numCellsBefore_) + " and " +
      std::to_string(numCells_) + " cells, and both fields must have as many components");
  }
}

template <class ExecutionSpace, int Dim>
void CellMove<ExecutionSpace, Dim>::checkKeepsLayout(bool isInGroups) const {
  if (isInGroups) {
    throw InvalidArgument("a field in groups is to move between ranks in its own layout; it needs the groups of the "
                          "cells that there are then (FieldLayout)");
  }
}

template <class ExecutionSpace, int Dim>
void CellMove<ExecutionSpace, Dim>::moveBytes(
  const ExecutionSpace& space, const FieldBytes& from, const FieldBytes& to) {
  const int components = from.values.numComponents;
  const int bytes = from.bytesPerValue;
  const auto areTuples = [&](const FieldView<char>& values) { // the same on all ranks, with cells or without
    return components > 1 && values.runs == nullptr && values.cellStride == components && values.componentStride == 1;
  };
  const auto whole = [&](const FieldBytes& field) { return FieldBlock{0, field.values.numCells, 0, components}; };
  const auto inColumns = [&](const FieldBytes& field) {
    return field.values.runs == nullptr && field.values.cellStride == 1;
  };
  const bool asTuples = areTuples(from.values) && areTuples(to.values);
  agree(communicator(), [&] {
    checkCounts(from.values.numCells, to.values.numCells, components, to.values.numComponents);
    if (!asTuples && !inColumns(from)) {
      reserve(packed_, whole(from).numValues() * bytes, SPANWISE_LABEL("Parallel::packedValues"));
    }
    if (!asTuples && !inColumns(to)) {
      reserve(toUnpack_, whole(to).numValues() * bytes, SPANWISE_LABEL("Parallel::valuesToUnpack"));
    }
  });
  columns_.clear();
  if (asTuples) {
    columns_.push_back({from.address(0, 0), to.address(0, 0), std::int64_t{components} * bytes});
  }
  if (!asTuples && !inColumns(from)) {
    messenger_.countStaged(packValues(space, from, whole(from), packed_.data()));
  }
  const auto column = [&](const FieldBytes& field, char* buffer, int c) {
    return inColumns(field) ? field.address(0, c) : buffer + c * field.values.numCells * bytes;
  };
  for (int c = 0; c < components && !asTuples; ++c) {
    columns_.push_back({column(from, packed_.data(), c), column(to, toUnpack_.data(), c), bytes});
  }
  moveValues(space, columns_);
  if (!asTuples && !inColumns(to)) {
    messenger_.countStaged(unpackValues(space, to, whole(to), toUnpack_.data()));
    space.fence(SPANWISE_LABEL("Parallel::moveValues"));
  }
}

#define SPANWISE_CELL_MOVE(Space, Dim) template class CellMove<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_CELL_MOVE)

} // namespace spanwise::parallel
