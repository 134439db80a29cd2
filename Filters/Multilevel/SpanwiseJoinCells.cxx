#include "SpanwiseJoinCells.h"

#include "SpanwiseArrayList.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkAbstractArray.h>
#include <vtkCellData.h>
#include <vtkDataSetAttributes.h>

#include <string>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

vtkAbstractArray* sameArray(const ArraysByName& values, vtkAbstractArray* like) {
  vtkAbstractArray* array = values.find(like->GetName());
  return array != nullptr && array->GetDataType() == like->GetDataType() &&
      array->GetNumberOfComponents() == like->GetNumberOfComponents()
    ? array
    : nullptr;
}

template <int Dim>
Cell<Dim> cellAt(const RowKey<Dim>& row, Coordinate x) {
  Cell<Dim> cell{};
  cell.at[0] = x;
  cell.at[1] = row.y;
  if constexpr (Dim == 3) {
    cell.at[2] = row.z;
  }
  return cell;
}

} // namespace

void keepArraysOf(vtkCellData* like, vtkCellData* values) {
  const ArraysByName byName(values);
  ArrayList kept;
  for (int k = 0; k < like->GetNumberOfArrays(); ++k) {
    if (vtkAbstractArray* array = sameArray(byName, like->GetAbstractArray(k))) {
      kept.add(array, like->IsArrayAnAttribute(k));
    }
  }
  kept.giveTo(values);
}

template <int Dim>
void CellsToJoin<Dim>::addDataset(vtkCellData* values) {
  current_ = values;
}

template <int Dim>
void CellsToJoin<Dim>::addRun(const Cell<Dim>& first, std::int64_t count, std::int64_t source) {
  if (datasets_.empty() || datasets_.back().values != current_) { // those without cells do not count
    datasets_.push_back({current_, runs_.size()});
  }
  runs_.push_back({first, count});
  sources_.push_back(source);
}

template <int Dim>
vtkSmartPointer<vtkCellData> CellsToJoin<Dim>::commonArrays() const {
  auto common = vtkSmartPointer<vtkCellData>::New();
  common->ShallowCopy(datasets_.front().values);
  common->RemoveArray(vtkDataSetAttributes::GhostArrayName());
  for (const Dataset& dataset : datasets_) {
    const ArraysByName byName(dataset.values);
    for (int k = common->GetNumberOfArrays(); k-- > 0;) {
      if (sameArray(byName, common->GetAbstractArray(k)) == nullptr) {
        common->RemoveArray(k);
      }
    }
  }
  return common;
}

template <int Dim>
RankCells<Dim> CellsToJoin<Dim>::joined() const {
  RankCells<Dim> all;
  if (datasets_.empty()) {
    return all;
  }
  std::vector<std::int64_t> places(runs_.size());
  HostIntervalSet<Dim> joined;
  const Context<Host> context;
  try {
    makeFromRuns<Host, Dim>(context, Kokkos::View<const RowRun<Dim>*, Kokkos::HostSpace>(runs_.data(), runs_.size()),
      joined, Kokkos::View<std::int64_t*, Kokkos::HostSpace>(places.data(), places.size()));
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(std::string("the input's datasets have cells of one level twice: ") + error.what() +
      " (mark copies as duplicate in vtkGhostType)");
  }
  all.set = joined;
  sliceValues(commonArrays(), 0, 0, all.values);
  for (int k = 0; k < all.values->GetNumberOfArrays(); ++k) {
    all.values->GetAbstractArray(k)->SetNumberOfTuples(all.set.numCells());
  }
  std::vector<CellRun> moves;
  for (std::size_t d = 0; d < datasets_.size(); ++d) {
    const std::size_t end = d + 1 < datasets_.size() ? datasets_[d + 1].firstRun : runs_.size();
    moves.clear();
    for (std::size_t run = datasets_[d].firstRun; run < end; ++run) {
      moves.push_back({places[run], sources_[run], runs_[run].count});
    }
    const ArraysByName byName(datasets_[d].values);
    for (int k = 0; k < all.values->GetNumberOfArrays(); ++k) {
      vtkAbstractArray* array = all.values->GetAbstractArray(k);
      copyRuns(sameArray(byName, array), moves.data(), static_cast<std::int64_t>(moves.size()), array);
    }
  }
  return all;
}

template <int Dim>
RankCells<Dim> joinCells(const std::vector<RankCells<Dim>>& parts) {
  std::vector<const RankCells<Dim>*> filled;
  for (const RankCells<Dim>& part : parts) {
    if (!part.set.empty()) {
      filled.push_back(&part);
    }
  }
  if (filled.size() < 2) {
    return !filled.empty() ? *filled.front() : !parts.empty() ? parts.front() : RankCells<Dim>();
  }
  CellsToJoin<Dim> all;
  for (const RankCells<Dim>* part : filled) {
    all.addDataset(part->values);
    const IntervalSetView<Dim> set = part->set.host().view();
    for (std::int64_t r = 0; r < set.numRows; ++r) {
      for (std::int64_t i = set.rowOffsets[r]; i < set.rowOffsets[r + 1]; ++i) {
        const Interval interval = set.intervals[i];
        all.addRun(
          cellAt(set.rowKeys[r], interval.begin), std::int64_t{interval.end} - interval.begin, set.cellOffsets[i]);
      }
    }
  }
  return all.joined();
}

#define SPANWISE_JOIN_CELLS(Dim)                                                                                       \
  template class CellsToJoin<Dim>;                                                                                     \
  template RankCells<Dim> joinCells<Dim>(const std::vector<RankCells<Dim>>&);
SPANWISE_JOIN_CELLS(2)
SPANWISE_JOIN_CELLS(3)

} // namespace spanwise
