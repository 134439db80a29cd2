#include "SpanwiseRankCells.h"

#include "SpanwiseBridge.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkMultiProcessController.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

constexpr int migrationTag = 0x5354;              // any number that others hardly use
constexpr std::int64_t mostPlaneCounts = 1 << 20; // 8 MB to add up over all ranks

template <int Dim>
PlaneRange planesOfAll(const std::vector<const HostIntervalSet<Dim>*>& sets) {
  PlaneRange all{0, 0};
  for (const HostIntervalSet<Dim>* set : sets) {
    const PlaneRange planes = planesOf<Host, Dim>(Host(), *set);
    if (!planes.empty()) {
      all = all.empty() ? planes : PlaneRange{std::min(all.begin, planes.begin), std::max(all.end, planes.end)};
    }
  }
  return all;
}

/// The ranges of all ranks. Collective.
std::vector<PlaneRange> gatherRanges(const Team& team, const PlaneRange& mine) {
  const std::vector<std::int64_t> ends = team.gather(std::vector<std::int64_t>{mine.begin, mine.end});
  std::vector<PlaneRange> ranges;
  for (std::size_t k = 0; k < ends.size(); k += 2) {
    ranges.push_back({ends[k], ends[k + 1]});
  }
  return ranges;
}

/// The planes of each rank. Collective.
template <int Dim>
std::vector<PlaneRange> gatherPlanes(const Team& team, const std::vector<const HostIntervalSet<Dim>*>& sets) {
  return gatherRanges(team, planesOfAll<Dim>(sets));
}

// What must be the same of an array that all ranks are to have.
struct ArrayKind {
  std::string name;
  int type;
  int components;
  friend bool operator==(const ArrayKind& a, const ArrayKind& b) {
    return a.name == b.name && a.type == b.type && a.components == b.components;
  }
};

std::vector<ArrayKind> kindsOf(vtkCellData* values) {
  std::vector<ArrayKind> kinds;
  for (int k = 0; k < values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* array = values->GetAbstractArray(k);
    if (array->GetName() != nullptr && *array->GetName() != 0) { // what has no name cannot be told from others
      kinds.push_back({array->GetName(), array->GetDataType(), array->GetNumberOfComponents()});
    }
  }
  return kinds;
}

/// The array kinds of every rank. Collective.
std::vector<std::vector<ArrayKind>> gatherKinds(const Team& team, vtkCellData* values) {
  const std::vector<ArrayKind> mine = kindsOf(values);
  std::vector<std::int64_t> numbers;
  std::string names;
  for (const ArrayKind& kind : mine) {
    numbers.insert(numbers.end(), {kind.type, kind.components, static_cast<std::int64_t>(kind.name.size())});
    names += kind.name;
  }
  std::vector<std::int64_t> counts;
  const std::vector<std::int64_t> allNumbers = team.gather(numbers, &counts);
  const std::string allNames = team.gather(names);
  std::vector<std::vector<ArrayKind>> kinds;
  std::size_t number = 0;
  std::size_t letter = 0;
  for (const std::int64_t count : counts) {
    kinds.emplace_back();
    for (std::int64_t k = 0; k < count; k += 3, number += 3) {
      const auto length = static_cast<std::size_t>(allNumbers[number + 2]);
      kinds.back().push_back({allNames.substr(letter, length), static_cast<int>(allNumbers[number]),
        static_cast<int>(allNumbers[number + 1])});
      letter += length;
    }
  }
  return kinds;
}

/// Component names, units and attributes of the arrays, from the rank that has them. Collective; `values` has them
/// already on that rank.
void shareDescriptions(const Team& team, int from, vtkCellData* values) {
  vtkNew<vtkTable> descriptions;
  std::vector<double> attributes;
  if (team.rank() == from) {
    for (int k = 0; k < values->GetNumberOfArrays(); ++k) {
      const auto described = arrayLike(values->GetAbstractArray(k), 1);
      if (auto* numbers = vtkDataArray::SafeDownCast(described)) {
        numbers->Fill(0.0);
      }
      descriptions->AddColumn(described);
      attributes.push_back(values->IsArrayAnAttribute(k));
    }
  }
  team.broadcast(descriptions, from);
  team.broadcast(attributes, from);
  for (int k = 0; team.rank() != from && k < values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* array = values->GetAbstractArray(k);
    vtkAbstractArray* described = descriptions->GetColumnByName(array->GetName());
    if (described != nullptr && array->GetNumberOfTuples() == 0) {
      array->CopyComponentNames(described);
      if (described->HasInformation()) {
        array->CopyInformation(described->GetInformation());
      }
    }
    if (attributes[static_cast<std::size_t>(k)] >= 0.0) {
      values->SetActiveAttribute(k, static_cast<int>(attributes[static_cast<std::size_t>(k)]));
    }
  }
}

bool isPlain(vtkAbstractArray* array) {
  return vtkDataArray::SafeDownCast(array) != nullptr && array->GetDataType() != VTK_BIT;
}

/// Rows, intervals and values between two ranks. Arrays of plain numbers go as they lie in memory, all others as a
/// table.
template <int Dim>
class CellsPost {
public:
  CellsPost(vtkMultiProcessController* controller, int other)
    : communicator_(controller->GetCommunicator()), other_(other) {}

  void send(const RankCells<Dim>& cells) {
    const IntervalSetView<Dim> view = cells.set.view();
    std::int64_t counts[2] = {view.numRows, view.numIntervals};
    sendMemory(counts, 2, VTK_LONG_LONG);
    sendMemory(view.rowKeys, (Dim - 1) * view.numRows, VTK_INT);
    sendMemory(view.rowOffsets, view.numRows + 1, VTK_LONG_LONG);
    sendMemory(view.intervals, 2 * view.numIntervals, VTK_INT);
    vtkNew<vtkTable> others;
    for (int k = 0; k < cells.values->GetNumberOfArrays(); ++k) {
      vtkAbstractArray* array = cells.values->GetAbstractArray(k);
      if (isPlain(array)) {
        sendMemory(array->GetVoidPointer(0), array->GetNumberOfValues(), array->GetDataType());
      } else {
        others->AddColumn(array);
      }
    }
    if (others->GetNumberOfColumns() > 0) {
      communicator_->Send(others, other_, migrationTag);
    }
  }

  /// `like` has the arrays that will come.
  RankCells<Dim> receive(vtkCellData* like) {
    std::int64_t counts[2] = {0, 0};
    receiveMemory(counts, 2, VTK_LONG_LONG);
    RankCells<Dim> cells;
    const WritableIntervalSet<Dim> set = cells.set.prepare(counts[0], counts[1]);
    receiveMemory(set.rowKeys, (Dim - 1) * counts[0], VTK_INT);
    receiveMemory(set.rowOffsets, counts[0] + 1, VTK_LONG_LONG);
    receiveMemory(set.intervals, 2 * counts[1], VTK_INT);
    std::int64_t numCells = 0;
    for (std::int64_t i = 0; i < counts[1]; ++i) {
      set.cellOffsets[i] = numCells;
      numCells += static_cast<std::int64_t>(set.intervals[i].end) - set.intervals[i].begin;
    }
    set.cellOffsets[counts[1]] = numCells;
    cells.set.finish(counts[0], counts[1], numCells);
    int numOthers = 0;
    for (int k = 0; k < like->GetNumberOfArrays(); ++k) {
      const auto array = arrayLike(like->GetAbstractArray(k), numCells);
      if (isPlain(array)) {
        receiveMemory(array->GetVoidPointer(0), array->GetNumberOfValues(), array->GetDataType());
      } else {
        ++numOthers;
      }
      cells.values->AddArray(array);
    }
    if (numOthers > 0) {
      receiveOthers(cells.values);
    }
    return cells;
  }

private:
  void receiveOthers(vtkCellData* values) {
    vtkNew<vtkTable> others;
    communicator_->Receive(others, other_, migrationTag);
    for (int k = 0; k < values->GetNumberOfArrays(); ++k) {
      vtkAbstractArray* array = values->GetAbstractArray(k);
      vtkAbstractArray* came = isPlain(array) ? nullptr : others->GetColumnByName(array->GetName());
      if (came != nullptr) {
        array->InsertTuples(0, came->GetNumberOfTuples(), 0, came);
      }
    }
  }
  void sendMemory(const void* data, std::int64_t length, int type) {
    communicator_->SendVoidArray(data, length, type, other_, migrationTag);
  }
  void receiveMemory(void* data, std::int64_t length, int type) {
    communicator_->ReceiveVoidArray(data, length, type, other_, migrationTag);
  }

  vtkCommunicator* communicator_;
  int other_;
};

template <int Dim>
RankCells<Dim> sliceOf(const RankCells<Dim>& cells, const PlaneRange& planes) {
  const Slab slab = slabOf<Host, Dim>(Host(), cells.set, planes);
  RankCells<Dim> slice;
  restrictRows<Host, Dim>(Host(), cells.set, planes, slice.set);
  sliceValues(cells.values, slab.firstCell, slab.numCells(), slice.values);
  return slice;
}

/// The cells of all parts, with the values of the first part that has them.
template <int Dim>
RankCells<Dim> merged(const std::vector<RankCells<Dim>>& parts, vtkCellData* like) {
  RankCells<Dim> all;
  std::vector<HostIntervalSet<Dim>> sets;
  for (const RankCells<Dim>& part : parts) {
    sets.push_back(part.set);
  }
  Workspace<Kokkos::HostSpace> workspace;
  combine<Host, Dim>(Host(), SetOperation::Union, sets, all.set, workspace);
  sliceValues(like, 0, 0, all.values);
  for (int k = 0; k < all.values->GetNumberOfArrays(); ++k) {
    all.values->GetAbstractArray(k)->SetNumberOfTuples(all.set.numCells());
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->set.empty()) {
      continue;
    }
    const auto runs = commonCells<Host, Dim>(Host(), all.set, part->set);
    for (int k = 0; k < all.values->GetNumberOfArrays(); ++k) {
      copyRuns(part->values->GetAbstractArray(k), runs.data(), static_cast<std::int64_t>(runs.extent(0)),
        all.values->GetAbstractArray(k));
    }
  }
  return all;
}

/// Moves a set along the slowest axis. Its cells must have coordinates there.
template <int Dim>
void movePlanes(HostIntervalSet<Dim>& set, std::int64_t shift) {
  // A shift from one end of the axis to the other is no coordinate itself; half of it is.
  for (const std::int64_t part : {shift / 2, shift - shift / 2}) {
    Cell<Dim> offset{};
    offset.at[Dim - 1] = static_cast<Coordinate>(part);
    translate<Host, Dim>(Host(), set, offset, set);
  }
}

/// Gives each rank the cells, of all that the ranks have, in the planes held[rank]. Where two ranks have the same cell,
/// the value of the first one counts. Collective.
template <int Dim>
void collect(const Team& team, const std::vector<std::vector<HeldPlanes>>& held, RankCells<Dim>& cells) {
  const auto ranks = static_cast<std::size_t>(team.size());
  const auto me = static_cast<std::size_t>(team.rank());
  std::vector<std::int64_t> outgoing; // cells for each entry of `held`
  std::vector<std::size_t> firstEntry{0};
  for (const std::vector<HeldPlanes>& entries : held) {
    for (const HeldPlanes& entry : entries) {
      outgoing.push_back(slabOf<Host, Dim>(Host(), cells.set, entry.planes).numCells());
    }
    firstEntry.push_back(outgoing.size());
  }
  const std::vector<std::int64_t> moving = team.gather(outgoing); // [from * entries + entry]
  const auto moves = [&](std::size_t from, std::size_t to, std::size_t k) {
    return moving[from * outgoing.size() + firstEntry[to] + k] > 0;
  };
  bool anyMoves = false;
  for (std::size_t to = 0; to < ranks; ++to) {
    for (std::size_t k = 0; k < held[to].size(); ++k) {
      for (std::size_t from = 0; from < ranks; ++from) {
        anyMoves = anyMoves || ((from != to || held[to][k].shift != 0) && moves(from, to, k));
      }
    }
  }
  if (!anyMoves) {
    const auto own = std::find_if(held[me].begin(), held[me].end(), [](const HeldPlanes& h) { return h.shift == 0; });
    restrictCells(cells, own == held[me].end() ? PlaneRange{0, 0} : own->planes);
    return;
  }
  std::vector<std::vector<RankCells<Dim>>> partsOf(ranks); // by the rank that they come from
  const auto take = [&](std::size_t from, std::size_t k, RankCells<Dim> part) {
    movePlanes<Dim>(part.set, held[me][k].shift);
    partsOf[from].push_back(std::move(part));
  };
  for (std::size_t k = 0; k < held[me].size(); ++k) {
    if (moves(me, me, k)) {
      take(me, k, sliceOf(cells, held[me][k].planes));
    }
  }
  // Pairs of ranks meet in one order that is the same for all, so nobody waits in a circle.
  for (std::size_t other = 0; other < ranks; ++other) {
    if (other == me) {
      continue;
    }
    CellsPost<Dim> post(team.controller(), static_cast<int>(other));
    for (const bool sending : {me<other, me> other}) {
      for (std::size_t k = 0; k < held[sending ? other : me].size(); ++k) {
        if (sending && moves(me, other, k)) {
          post.send(sliceOf(cells, held[other][k].planes));
        } else if (!sending && moves(other, me, k)) {
          take(other, k, post.receive(cells.values));
        }
      }
    }
  }
  team.agree([&] {
    vtkNew<vtkCellData> like;
    sliceValues(cells.values, 0, 0, like);
    cells = {}; // gives memory back before the parts become one
    std::vector<RankCells<Dim>> parts;
    for (std::vector<RankCells<Dim>>& some : partsOf) {
      std::move(some.begin(), some.end(), std::back_inserter(parts));
    }
    cells = merged(parts, like);
  });
}

} // namespace

template <int Dim>
void unifyArrays(const Team& team, RankCells<Dim>& cells) {
  if (team.alone()) {
    return;
  }
  const bool hasCells = !cells.set.empty();
  vtkCellData* values = cells.values;
  const std::vector<std::int64_t> have = team.gather(std::vector<std::int64_t>{static_cast<std::int64_t>(hasCells)});
  const auto first = std::find(have.begin(), have.end(), 1);
  if (first == have.end()) {
    return;
  }
  const std::vector<std::vector<ArrayKind>> kinds = gatherKinds(team, values);
  const auto from = static_cast<std::size_t>(first - have.begin());
  vtkNew<vtkCellData> unified;
  for (const ArrayKind& kind : kinds[from]) {
    bool everywhere = true;
    for (std::size_t r = 0; r < kinds.size(); ++r) {
      everywhere = everywhere && (have[r] == 0 || std::find(kinds[r].begin(), kinds[r].end(), kind) != kinds[r].end());
    }
    if (!everywhere) {
      continue;
    }
    vtkSmartPointer<vtkAbstractArray> array = hasCells ? values->GetAbstractArray(kind.name.c_str()) : nullptr;
    if (array == nullptr) {
      array = vtkSmartPointer<vtkAbstractArray>::Take(vtkAbstractArray::CreateArray(kind.type));
      array->SetName(kind.name.c_str());
      array->SetNumberOfComponents(kind.components);
    }
    const int index = unified->AddArray(array);
    for (int k = 0; k < values->GetNumberOfArrays() && hasCells; ++k) {
      if (values->GetAbstractArray(k) == array && values->IsArrayAnAttribute(k) >= 0) {
        unified->SetActiveAttribute(index, values->IsArrayAnAttribute(k));
      }
    }
  }
  shareDescriptions(team, static_cast<int>(from), unified);
  cells.values = unified;
}

template <int Dim>
bool findCut(const Team& team, const std::vector<const HostIntervalSet<Dim>*>& sets, RowCut& cut) {
  const std::vector<PlaneRange> planes = gatherPlanes<Dim>(team, sets);
  cut.bounds.assign(planes.size() + 1, PlaneRange().end);
  cut.bounds.front() = PlaneRange().begin;
  std::int64_t next = PlaneRange().end; // the first plane of the ranks above
  for (std::size_t r = planes.size(); r-- > 0;) {
    if (!planes[r].empty()) {
      if (planes[r].end > next) {
        return false;
      }
      next = planes[r].begin;
    }
    if (r > 0) {
      cut.bounds[r] = next;
    }
  }
  return true;
}

template <int Dim>
RowCut evenCut(const Team& team, const std::vector<const HostIntervalSet<Dim>*>& sets) {
  PlaneRange all{0, 0};
  for (const PlaneRange& planes : gatherPlanes<Dim>(team, sets)) {
    if (!planes.empty()) {
      all = all.empty() ? planes : PlaneRange{std::min(all.begin, planes.begin), std::max(all.end, planes.end)};
    }
  }
  PlaneCounts counts;
  counts.first = all.begin;
  counts.width = (all.end - all.begin) / mostPlaneCounts + 1;
  counts.cells.resize(static_cast<std::size_t>((all.end - all.begin + counts.width - 1) / counts.width));
  for (const HostIntervalSet<Dim>* set : sets) {
    countPlanes<Host, Dim>(Host(), *set, counts);
  }
  team.sum(counts.cells);
  return balancedCut(counts, team.pieces());
}

template <int Dim>
Box<Dim> boundingBoxOfAll(const Team& team, const std::vector<const HostIntervalSet<Dim>*>& sets) {
  std::vector<double> low(Dim, std::numeric_limits<double>::max());
  std::vector<double> high(Dim, std::numeric_limits<double>::lowest());
  for (const HostIntervalSet<Dim>* set : sets) {
    const Box<Dim> box = boundingBox<Host, Dim>(Host(), *set);
    for (std::size_t d = 0; d < Dim && !box.empty(); ++d) {
      low[d] = std::min<double>(low[d], box.begin[d]);
      high[d] = std::max<double>(high[d], box.end[d]);
    }
  }
  team.minimum(low);
  team.maximum(high);
  Box<Dim> box{};
  for (std::size_t d = 0; d < Dim && low[d] < high[d]; ++d) {
    box.begin[d] = static_cast<Coordinate>(low[d]);
    box.end[d] = static_cast<Coordinate>(high[d]);
  }
  return box;
}

template <int Dim>
void migrate(const Team& team, const RowCut& cut, RankCells<Dim>& cells) {
  if (team.alone()) {
    return;
  }
  std::vector<std::vector<HeldPlanes>> held;
  for (int r = 0; r < team.size(); ++r) {
    held.push_back({{cut.part(r), 0}});
  }
  collect(team, held, cells);
}

template <int Dim>
PlaneRange addHalo(const Team& team, const PlaneRange& owned, RankCells<Dim>& cells, const Halo& halo) {
  RowCut cut{{owned.begin, owned.end}};
  if (!team.alone()) {
    cut = cutOf(gatherRanges(team, owned));
    restrictCells(cells, cut.part(team.rank()));
  }
  std::vector<std::vector<HeldPlanes>> held;
  for (int r = 0; r < team.size(); ++r) {
    held.push_back(heldPlanes(cut.part(r), halo));
  }
  team.agree([&] {
    if (halo.periodic() && !cells.set.empty()) {
      const PlaneRange planes = planesOf<Host, Dim>(Host(), cells.set);
      if (planes.begin < halo.period.begin || planes.end > halo.period.end) {
        throw InvalidArgument("there are cells in the planes " + toString(planes) + "; on an axis with the period " +
          toString(halo.period) + " they must lie within it");
      }
    }
  });
  collect(team, held, cells);
  const std::vector<HeldPlanes>& mine = held[static_cast<std::size_t>(team.rank())];
  return mine.empty()
    ? PlaneRange{0, 0}
    : PlaneRange{mine.front().planes.begin + mine.front().shift, mine.back().planes.end + mine.back().shift};
}

template <int Dim>
PlaneRange distribute(const Team& team, RankCells<Dim>& cells, const Halo& halo) {
  const std::vector<const HostIntervalSet<Dim>*> sets{&cells.set};
  if (team.alone()) {
    const PlaneRange mine = team.pieces() == 1 ? PlaneRange() : evenCut<Dim>(team, sets).part(team.piece());
    addHalo(team, mine, cells, halo);
    return mine;
  }
  const std::vector<std::int64_t> counts = team.gather(std::vector<std::int64_t>{cells.set.numCells()});
  const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  const auto most = *std::max_element(counts.begin(), counts.end());
  RowCut cut;
  const bool follow = findCut<Dim>(team, sets, cut);
  const bool even = static_cast<double>(most) * team.size() <= toleratedImbalance * static_cast<double>(total);
  if (!follow || !even) {
    cut = evenCut<Dim>(team, sets);
    migrate(team, cut, cells);
  }
  if (halo.planes != 0) {
    addHalo(team, cut.part(team.rank()), cells, halo);
  }
  return cut.part(team.rank());
}

template <int Dim>
void restrictCells(RankCells<Dim>& cells, const PlaneRange& planes) {
  if (slabOf<Host, Dim>(Host(), cells.set, planes).numCells() < cells.set.numCells()) {
    cells = sliceOf(cells, planes);
  }
}

template <int Dim>
void setCells(
  vtkUnstructuredGrid* output, const RankCells<Dim>& cells, const GridPlacement& placement, const PlaneRange& owned) {
  setGrid<Dim>(output, IntervalGrid<Dim>::make(compacted(cells.set), placement, {owned.begin, owned.end}));
  output->GetCellData()->ShallowCopy(cells.values);
}

#define SPANWISE_RANK_CELLS(Dim)                                                                                       \
  template void unifyArrays<Dim>(const Team&, RankCells<Dim>&);                                                        \
  template bool findCut<Dim>(const Team&, const std::vector<const HostIntervalSet<Dim>*>&, RowCut&);                   \
  template RowCut evenCut<Dim>(const Team&, const std::vector<const HostIntervalSet<Dim>*>&);                          \
  template Box<Dim> boundingBoxOfAll<Dim>(const Team&, const std::vector<const HostIntervalSet<Dim>*>&);               \
  template void migrate<Dim>(const Team&, const RowCut&, RankCells<Dim>&);                                             \
  template PlaneRange distribute<Dim>(const Team&, RankCells<Dim>&, const Halo&);                                      \
  template PlaneRange addHalo<Dim>(const Team&, const PlaneRange&, RankCells<Dim>&, const Halo&);                      \
  template void restrictCells<Dim>(RankCells<Dim>&, const PlaneRange&);                                                \
  template void setCells<Dim>(vtkUnstructuredGrid*, const RankCells<Dim>&, const GridPlacement&, const PlaneRange&);
SPANWISE_RANK_CELLS(2)
SPANWISE_RANK_CELLS(3)

} // namespace spanwise
