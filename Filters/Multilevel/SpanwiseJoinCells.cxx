#include "SpanwiseJoinCells.h"

#include "SpanwiseValues.h"

#include "Core/Geometry/Algebra.hpp"
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
  std::vector<HostIntervalSet<Dim>> sets;
  std::int64_t count = 0;
  vtkNew<vtkCellData> like;
  like->ShallowCopy(filled.front().values);
  for (const RankCells<Dim>& part : filled) {
    sets.push_back(part.set);
    count += part.set.numCells();
    vtkNew<vtkCellData> common;
    common->ShallowCopy(part.values);
    keepArraysOf(like, common);
    keepArraysOf(common, like);
  }
  RankCells<Dim> all;
  Workspace<Kokkos::HostSpace> workspace;
  combine<Host, Dim>(Host(), SetOperation::Union, sets, all.set, workspace);
  if (all.set.numCells() != count) {
    throw InvalidArgument("the input's datasets have " + std::to_string(count - all.set.numCells()) +
      " cells of one level twice; every cell may be there once (mark copies as duplicate in vtkGhostType)");
  }
  sliceValues(like, 0, 0, all.values);
  for (int k = 0; k < all.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* array = all.values->GetAbstractArray(k);
    array->SetNumberOfTuples(count);
    for (const RankCells<Dim>& part : filled) {
      const auto runs = commonCells<Host, Dim>(Host(), all.set, part.set);
      copyRuns(sameArray(part.values, array), runs.data(), static_cast<std::int64_t>(runs.extent(0)), array);
    }
  }
  return all;
}

template RankCells<2> joinCells<2>(const std::vector<RankCells<2>>&);
template RankCells<3> joinCells<3>(const std::vector<RankCells<3>>&);

} // namespace spanwise
