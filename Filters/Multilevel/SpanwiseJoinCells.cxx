#include "SpanwiseJoinCells.h"

#include "SpanwiseValues.h"

#include "Core/Geometry/Builders/Runs.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkAbstractArray.h>
#include <vtkCellData.h>

#include <string>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

vtkAbstractArray* sameArray(vtkCellData* values, vtkAbstractArray* like) {
  const char* name = like->GetName();
  vtkAbstractArray* array = name != nullptr && *name != 0 ? values->GetAbstractArray(name) : nullptr;
  return array != nullptr && array->GetDataType() == like->GetDataType() &&
      array->GetNumberOfComponents() == like->GetNumberOfComponents()
    ? array
    : nullptr;
}

/// The intervals of a set, in order.
template <int Dim>
void appendRuns(const IntervalSetView<Dim>& set, std::vector<RowRun<Dim>>& runs) {
  for (std::int64_t r = 0; r < set.numRows; ++r) {
    Cell<Dim> first{};
    first.at[1] = set.rowKeys[r].y;
    if constexpr (Dim == 3) {
      first.at[2] = set.rowKeys[r].z;
    }
    for (std::int64_t i = set.rowOffsets[r]; i < set.rowOffsets[r + 1]; ++i) {
      first.at[0] = set.intervals[i].begin;
      runs.push_back({first, std::int64_t{set.intervals[i].end} - set.intervals[i].begin});
    }
  }
}

} // namespace

void keepArraysOf(vtkCellData* like, vtkCellData* values) {
  vtkNew<vtkCellData> kept;
  for (int k = 0; k < like->GetNumberOfArrays(); ++k) {
    if (vtkAbstractArray* array = sameArray(values, like->GetAbstractArray(k))) {
      const int index = kept->AddArray(array);
      if (const int attribute = like->IsArrayAnAttribute(k); attribute >= 0) {
        kept->SetActiveAttribute(index, attribute);
      }
    }
  }
  values->ShallowCopy(kept);
}

template <int Dim>
RankCells<Dim> joinCells(const std::vector<RankCells<Dim>>& parts) {
  std::vector<RankCells<Dim>> filled;
  for (const RankCells<Dim>& part : parts) {
    if (!part.set.empty()) {
      filled.push_back(part);
    }
  }
  if (filled.size() < 2) {
    return !filled.empty() ? filled.front() : !parts.empty() ? parts.front() : RankCells<Dim>();
  }
  vtkNew<vtkCellData> like;
  like->ShallowCopy(filled.front().values);
  std::vector<RowRun<Dim>> runs;
  for (const RankCells<Dim>& part : filled) {
    appendRuns(part.set.view(), runs);
    vtkNew<vtkCellData> common;
    common->ShallowCopy(part.values);
    keepArraysOf(like, common);
    keepArraysOf(common, like);
  }
  RankCells<Dim> all;
  std::vector<std::int64_t> places(runs.size());
  Workspace<Kokkos::HostSpace> workspace;
  try {
    makeFromRuns<Host, Dim>(Host(), Kokkos::View<const RowRun<Dim>*, Kokkos::HostSpace>(runs.data(), runs.size()),
      all.set, Kokkos::View<std::int64_t*, Kokkos::HostSpace>(places.data(), places.size()), workspace);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(std::string("the input's datasets have cells of one level twice: ") + error.what() +
      " (mark copies as duplicate in vtkGhostType)");
  }
  sliceValues(like, 0, 0, all.values);
  for (int k = 0; k < all.values->GetNumberOfArrays(); ++k) {
    all.values->GetAbstractArray(k)->SetNumberOfTuples(all.set.numCells());
  }
  std::vector<CellRun> moves;
  std::size_t run = 0;
  for (const RankCells<Dim>& part : filled) {
    moves.clear();
    for (std::int64_t i = 0; i < part.set.numIntervals(); ++i, ++run) {
      moves.push_back({places[run], part.set.view().cellOffsets[i], runs[run].count});
    }
    for (int k = 0; k < all.values->GetNumberOfArrays(); ++k) {
      vtkAbstractArray* array = all.values->GetAbstractArray(k);
      copyRuns(sameArray(part.values, array), moves.data(), static_cast<std::int64_t>(moves.size()), array);
    }
  }
  return all;
}

template RankCells<2> joinCells<2>(const std::vector<RankCells<2>>&);
template RankCells<3> joinCells<3>(const std::vector<RankCells<3>>&);

} // namespace spanwise
