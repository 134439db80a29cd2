#include "SpanwiseRankCells.h"

#include "SpanwiseArrayList.h"
#include "SpanwiseBridge.h"
#include "SpanwiseBringPlanes.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/BoundingBox.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkCharArray.h>
#include <vtkCommunicator.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

// What must be the same of an array that all ranks are to have.
struct ArrayKind {
  std::string name;
  int type;
  int components;
  friend auto operator<=>(const ArrayKind&, const ArrayKind&) = default;
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
std::vector<std::vector<ArrayKind>> gatherKinds(const RankGroup& group, vtkCellData* values) {
  const std::vector<ArrayKind> mine = kindsOf(values);
  std::vector<std::int64_t> numbers;
  std::string names;
  for (const ArrayKind& kind : mine) {
    numbers.insert(numbers.end(), {kind.type, kind.components, static_cast<std::int64_t>(kind.name.size())});
    names += kind.name;
  }
  std::vector<std::int64_t> counts;
  const std::vector<std::int64_t> allNumbers = group.gather(numbers, &counts);
  const std::string allNames = group.gather(names);
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
void shareDescriptions(const RankGroup& group, int from, vtkCellData* values) {
  vtkNew<vtkTable> descriptions;
  ArrayList columns;
  std::vector<double> attributes;
  if (group.rank() == from) {
    for (int k = 0; k < values->GetNumberOfArrays(); ++k) {
      const auto described = arrayLike(values->GetAbstractArray(k), 1);
      if (auto* numbers = vtkDataArray::SafeDownCast(described)) {
        numbers->Fill(0.0);
      }
      columns.add(described);
      attributes.push_back(values->IsArrayAnAttribute(k));
    }
    columns.giveTo(descriptions->GetRowData());
  }
  group.broadcast(descriptions, from);
  group.broadcast(attributes, from);
  const ArraysByName byName(descriptions->GetRowData());
  for (int k = 0; group.rank() != from && k < values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* array = values->GetAbstractArray(k);
    vtkAbstractArray* described = byName.find(array->GetName());
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

template <int Dim>
RankCells<Dim> sliceOf(const RankCells<Dim>& cells, const PlaneRange& planes) {
  RankCells<Dim> slice;
  cells.set.visit([&]<ComputeSide side>(const SideContext<side>& context, const auto& set) {
    using Space = SpaceOf<side>;
    const Slab slab = slabOf<Space, Dim>(context, set, planes);
    IntervalSetOn<Dim, Space> part;
    restrictRows<Space, Dim>(context, set, planes, part);
    slice.set = MirroredSet<Dim>::template of<side>(part);
    sliceValues(cells.values, slab.firstCell, slab.numCells(), slice.values);
  });
  return slice;
}

/// The array's values one after the other in memory: its own, or a copy.
vtkSmartPointer<vtkAbstractArray> inMemory(vtkAbstractArray* array) {
  if (array->HasStandardMemoryLayout()) {
    return array;
  }
  auto copy = arrayLike(array, array->GetNumberOfTuples());
  copy->InsertTuples(0, array->GetNumberOfTuples(), 0, array);
  return copy;
}

using Arrays = std::vector<vtkSmartPointer<vtkAbstractArray>>;

vtkSmartPointer<vtkCharArray> packed(const Arrays& arrays, const CellSlab& slab) {
  vtkNew<vtkTable> table;
  ArrayList columns;
  for (vtkAbstractArray* array : arrays) {
    const auto column = arrayLike(array, slab.numCells);
    column->InsertTuples(0, slab.numCells, slab.firstCell, array);
    columns.add(column);
  }
  columns.giveTo(table->GetRowData());
  auto bytes = vtkSmartPointer<vtkCharArray>::New();
  vtkCommunicator::MarshalDataObject(table, bytes);
  return bytes;
}

void unpack(vtkCharArray* bytes, const CellSlab& slab, const Arrays& arrays) {
  vtkNew<vtkTable> table;
  vtkCommunicator::UnMarshalDataObject(bytes, table);
  const ArraysByName columns(table->GetRowData());
  for (vtkAbstractArray* array : arrays) {
    array->InsertTuples(slab.firstCell, slab.numCells, 0, columns.find(array->GetName()));
  }
}

/// The bytes that come for each slab, for those that go. Collective.
std::vector<vtkSmartPointer<vtkCharArray>> exchanged(const Communicator& communicator,
  const std::vector<CellSlab>& outgoing, const std::vector<vtkSmartPointer<vtkCharArray>>& sent,
  const std::vector<CellSlab>& incoming) {
  Messenger<Host> messenger(communicator);
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> lengthsToCome(incoming.size());
  for (std::size_t k = 0; k < outgoing.size(); ++k) {
    lengths.push_back(sent[k]->GetNumberOfValues());
  }
  for (std::size_t k = 0; k < outgoing.size(); ++k) {
    messenger.send(outgoing[k].rank, &lengths[k], 1);
  }
  for (std::size_t k = 0; k < incoming.size(); ++k) {
    messenger.receive(incoming[k].rank, &lengthsToCome[k], 1);
  }
  messenger.start(Host());
  messenger.finish(Host());
  std::vector<vtkSmartPointer<vtkCharArray>> received;
  agree(communicator, [&] {
    for (const std::int64_t length : lengthsToCome) {
      received.push_back(vtkSmartPointer<vtkCharArray>::New());
      received.back()->SetNumberOfValues(length);
    }
  });
  for (std::size_t k = 0; k < outgoing.size(); ++k) {
    messenger.send(outgoing[k].rank, sent[k]->GetPointer(0), lengths[k]);
  }
  for (std::size_t k = 0; k < incoming.size(); ++k) {
    messenger.receive(incoming[k].rank, received[k]->GetPointer(0), lengthsToCome[k]);
  }
  messenger.start(Host());
  messenger.finish(Host());
  return received;
}

/// to[k] = the values of from[k] on the cells that have come: values that are not plain memory, names for instance, go
/// as tables. Collective.
template <int Dim>
void moveTables(
  const Communicator& communicator, const CellMove<Host, Dim>& move, const Arrays& from, const Arrays& to) {
  std::vector<vtkSmartPointer<vtkCharArray>> sent;
  agree(communicator, [&] {
    for (const CellSlab& slab : move.outgoing()) {
      sent.push_back(packed(from, slab));
    }
  });
  const auto received = exchanged(communicator, move.outgoing(), sent, move.incoming());
  agree(communicator, [&] {
    for (std::size_t p = received.size(); p-- > 0;) { // the first rank has the last word
      const CellSlab& slab = move.incoming()[p];
      if (!move.merges()) {
        unpack(received[p], slab, to);
        continue;
      }
      Arrays arrived;
      for (vtkAbstractArray* array : to) {
        arrived.push_back(arrayLike(array, slab.numCells));
      }
      unpack(received[p], {slab.rank, 0, slab.numCells}, arrived);
      for (std::size_t k = 0; k < to.size(); ++k) {
        const auto& runs = move.runs()[p];
        copyRuns(arrived[k], runs.data(), static_cast<std::int64_t>(runs.extent(0)), to[k]);
      }
    }
  });
}

template <int Dim>
PlaneRange planesOf(const MirroredSet<Dim>& cells) {
  return cells.visit([]<ComputeSide side>(const SideContext<side>& context, const auto& set) {
    using Space = SpaceOf<side>;
    return planesOf<Space, Dim>(context, set);
  });
}

/// Whether what is held is the whole set, where it is.
template <int Dim>
bool holdsAll(const MirroredSet<Dim>& cells, const std::vector<HeldPlanes>& held) {
  const PlaneRange planes = planesOf<Dim>(cells);
  return held.size() == 1 && held.front().shift == 0 && planes.within(held.front().planes) == planes;
}

/// Gives each rank the cells, and the values on them, of all that the ranks have in the planes held[rank]. Where ranks
/// have the same cell, the value of the first one counts. Collective.
template <int Dim>
void collect(const RankGroup& group, const std::vector<std::vector<HeldPlanes>>& held, RankCells<Dim>& cells) {
  if (group.alone() && holdsAll(cells.set, held.front())) {
    return; // wherever the set lies
  }
  const Communicator& communicator = group.communicator();
  CellMove<Host, Dim> move(communicator);
  const Context<Host> context;
  group.agree([&] { static_cast<void>(cells.set.host()); });
  HostIntervalSet<Dim> moved;
  move.moveSet(context, held, cells.set.host(), moved);
  if (!move.moves()) {
    return;
  }
  cells.set = moved;
  ArrayList values;
  Arrays tablesFrom;
  Arrays tablesTo;
  for (int k = 0; k < cells.values->GetNumberOfArrays(); ++k) {
    vtkSmartPointer<vtkAbstractArray> from = cells.values->GetAbstractArray(k);
    vtkSmartPointer<vtkAbstractArray> to;
    group.agree([&] {
      checkLength(from, move.numCellsBefore());
      to = arrayLike(from, move.numCells());
      from = isPlain(from) ? inMemory(onHost(from)) : from;
    });
    if (isPlain(from)) {
      const MovedColumn column{from->GetVoidPointer(0), to->GetVoidPointer(0),
        static_cast<std::int64_t>(from->GetDataTypeSize()) * from->GetNumberOfComponents()};
      move.moveValues(Host(), std::span<const MovedColumn>(&column, 1));
    } else {
      tablesFrom.push_back(from);
      tablesTo.push_back(to);
    }
    values.add(to, cells.values->IsArrayAnAttribute(k));
  }
  if (!tablesTo.empty()) {
    moveTables(communicator, move, tablesFrom, tablesTo);
  }
  cells.values = vtkSmartPointer<vtkCellData>::New();
  values.giveTo(cells.values);
}

} // namespace

template <int Dim>
void unifyArrays(const RankGroup& group, RankCells<Dim>& cells) {
  if (group.alone()) {
    return;
  }
  const bool hasCells = !cells.set.empty();
  vtkCellData* values = cells.values;
  const std::vector<std::int64_t> have = group.gather(std::vector<std::int64_t>{static_cast<std::int64_t>(hasCells)});
  const auto first = std::find(have.begin(), have.end(), 1);
  if (first == have.end()) {
    return;
  }
  const std::vector<std::vector<ArrayKind>> kinds = gatherKinds(group, values);
  const auto from = static_cast<std::size_t>(first - have.begin());
  const std::int64_t ranksWithCells = std::count(have.begin(), have.end(), 1);
  std::map<ArrayKind, std::int64_t> ranksWith;
  for (std::size_t r = 0; r < kinds.size(); ++r) {
    for (const ArrayKind& kind : std::set<ArrayKind>(kinds[r].begin(), kinds[r].end())) {
      ranksWith[kind] += have[r];
    }
  }
  const ArraysByName mine(values);
  std::map<vtkAbstractArray*, int> attributes;
  for (int k = 0; k < values->GetNumberOfArrays() && hasCells; ++k) {
    if (const int attribute = values->IsArrayAnAttribute(k); attribute >= 0) {
      attributes[values->GetAbstractArray(k)] = attribute;
    }
  }
  ArrayList unified;
  for (const ArrayKind& kind : kinds[from]) {
    if (std::exchange(ranksWith[kind], 0) < ranksWithCells) { // each once
      continue;
    }
    vtkSmartPointer<vtkAbstractArray> array = hasCells ? mine.find(kind.name.c_str()) : nullptr;
    if (array == nullptr) {
      array = vtkSmartPointer<vtkAbstractArray>::Take(vtkAbstractArray::CreateArray(kind.type));
      array->SetName(kind.name.c_str());
      array->SetNumberOfComponents(kind.components);
    }
    const auto active = attributes.find(array);
    unified.add(array, active != attributes.end() ? active->second : -1);
  }
  cells.values = vtkSmartPointer<vtkCellData>::New();
  unified.giveTo(cells.values);
  shareDescriptions(group, static_cast<int>(from), cells.values);
}

template <int Dim>
bool findCut(const RankGroup& group, const std::vector<const MirroredSet<Dim>*>& sets, RowCut& cut) {
  return whereTheyLie<Dim>(sets, [&]<ComputeSide side>(const SideContext<side>& context, const auto& there) {
    using Space = SpaceOf<side>;
    return parallel::findCut<Space, Dim>(context.with(group.communicator()), there, cut);
  });
}

template <int Dim>
RowCut evenCut(const RankGroup& group, const std::vector<const MirroredSet<Dim>*>& sets) {
  return whereTheyLie<Dim>(sets, [&]<ComputeSide side>(const SideContext<side>& context, const auto& there) {
    using Space = SpaceOf<side>;
    return parallel::evenCut<Space, Dim>(context.with(group.communicator()), group.pieces(), there);
  });
}

template <int Dim>
Box<Dim> boundingBoxOfAll(const RankGroup& group, const std::vector<const MirroredSet<Dim>*>& sets) {
  return whereTheyLie<Dim>(sets, [&]<ComputeSide side>(const SideContext<side>& context, const auto& there) {
    using Space = SpaceOf<side>;
    return parallel::boundingBoxOfAll<Space, Dim>(context.with(group.communicator()), there);
  });
}

template <int Dim>
void migrate(const RankGroup& group, const RowCut& cut, RankCells<Dim>& cells) {
  if (!group.alone()) {
    collect(group, heldByRanks(cut, 0, group.size()), cells);
  }
}

template <int Dim>
PlaneRange addHalo(const RankGroup& group, const PlaneRange& owned, RankCells<Dim>& cells, const Halo& halo) {
  RowCut cut{{owned.begin, owned.end}};
  if (!group.alone()) { // a process that is alone has everything
    cut = cutOf(gatherRanges(group.communicator(), owned));
    restrictCells(cells, cut.part(group.rank()));
  }
  const auto held = heldByRanks(cut, halo, group.size());
  group.agree([&] {
    const PlaneRange planes = planesOf<Dim>(cells.set);
    if (halo.periodic() && !(planes.within(halo.period) == planes)) {
      throw InvalidArgument("there are cells in the planes " + toString(planes) + "; on an axis with the period " +
        toString(halo.period) + " they must lie within it");
    }
  });
  collect(group, held, cells);
  const std::vector<HeldPlanes>& mine = held[static_cast<std::size_t>(group.rank())];
  return mine.empty()
    ? PlaneRange{0, 0}
    : PlaneRange{mine.front().planes.begin + mine.front().shift, mine.back().planes.end + mine.back().shift};
}

template <int Dim>
PlaneRange distribute(const RankGroup& group, RankCells<Dim>& cells, const Halo& halo) {
  PlaneRange mine;
  if (!group.alone()) {
    bool stays = false;
    const RowCut cut =
      whereTheyLie<Dim>({&cells.set}, [&]<ComputeSide side>(const SideContext<side>& context, const auto& sets) {
        return balancedCutOf<SpaceOf<side>, Dim>(context.with(group.communicator()), *sets[0], stays);
      });
    if (!stays) {
      migrate(group, cut, cells);
    }
    mine = cut.part(group.rank());
  } else if (group.pieces() > 1) {
    mine = evenCut<Dim>(group, {&cells.set}).part(group.piece());
  }
  const bool isWhole = group.alone() && group.pieces() == 1 && halo.planes == 0 && !halo.periodic();
  if (!isWhole && (group.alone() || halo.planes != 0)) {
    addHalo(group, mine, cells, halo);
  }
  return mine;
}

template <int Dim>
void bringPlanes(const RankGroup& group, const PlaneRange& wanted, RankCells<Dim>& cells) {
  if (group.alone()) {
    restrictCells(cells, wanted);
    return;
  }
  std::vector<std::vector<HeldPlanes>> held;
  for (const PlaneRange& planes : gatherRanges(group.communicator(), wanted)) {
    held.emplace_back();
    if (planes.begin < planes.end) {
      held.back().push_back({planes, 0});
    }
  }
  collect(group, held, cells);
}

template <int Dim>
void restrictCells(RankCells<Dim>& cells, const PlaneRange& planes) {
  const std::int64_t kept = cells.set.visit([&]<ComputeSide side>(const SideContext<side>& context, const auto& set) {
    using Space = SpaceOf<side>;
    return slabOf<Space, Dim>(context, set, planes).numCells();
  });
  if (kept < cells.set.numCells()) {
    cells = sliceOf(cells, planes);
  }
}

template <int Dim>
void setCells(
  vtkUnstructuredGrid* output, const RankCells<Dim>& cells, const GridPlacement& placement, const PlaneRange& owned) {
  setGrid<Dim>(output, IntervalGrid<Dim>::make(cells.set, placement, {owned.begin, owned.end}));
  output->GetCellData()->ShallowCopy(cells.values);
}

#define SPANWISE_RANK_CELLS(Dim)                                                                                       \
  template void unifyArrays<Dim>(const RankGroup&, RankCells<Dim>&);                                                   \
  template bool findCut<Dim>(const RankGroup&, const std::vector<const MirroredSet<Dim>*>&, RowCut&);                  \
  template RowCut evenCut<Dim>(const RankGroup&, const std::vector<const MirroredSet<Dim>*>&);                         \
  template Box<Dim> boundingBoxOfAll<Dim>(const RankGroup&, const std::vector<const MirroredSet<Dim>*>&);              \
  template void migrate<Dim>(const RankGroup&, const RowCut&, RankCells<Dim>&);                                        \
  template PlaneRange distribute<Dim>(const RankGroup&, RankCells<Dim>&, const Halo&);                                 \
  template PlaneRange addHalo<Dim>(const RankGroup&, const PlaneRange&, RankCells<Dim>&, const Halo&);                 \
  template void bringPlanes<Dim>(const RankGroup&, const PlaneRange&, RankCells<Dim>&);                                \
  template void restrictCells<Dim>(RankCells<Dim>&, const PlaneRange&);                                                \
  template void setCells<Dim>(vtkUnstructuredGrid*, const RankCells<Dim>&, const GridPlacement&, const PlaneRange&);
SPANWISE_RANK_CELLS(2)
SPANWISE_RANK_CELLS(3)

} // namespace spanwise
