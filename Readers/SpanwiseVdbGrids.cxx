#include "SpanwiseVdbGrids.h"

#include "IcsrTypes.hpp"
#include "SpanwiseFileArrays.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseRankCells.h"

#include "Readers/Hdf5/Utf8.hpp"

#include "Core/Runtime/Error.hpp"

#include <vtkAMRDataObject.h>
#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkInformation.h>
#include <vtkPartitionedDataSet.h>
#include <vtkPartitionedDataSetCollection.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

// A dataset of the input: this rank's part of it, or null.
struct NamedDataSet {
  std::string name; ///< empty where it has none
  vtkDataSet* data = nullptr;
};

// The name that the first rank which knows one has.
std::string sharedName(const RankGroup& group, const std::string& mine) {
  const std::int64_t knows = mine.empty() ? 0 : group.size() - group.rank();
  return group.gather(group.maximum(knows) == knows && knows > 0 ? mine : "");
}

std::vector<NamedDataSet> dataSetsOf(const RankGroup& group, vtkDataObject* data) {
  auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(data);
  group.agree([&] {
    if (data != nullptr && vtkDataSet::SafeDownCast(data) == nullptr &&
      (collection == nullptr || vtkAMRDataObject::SafeDownCast(data) != nullptr)) {
      throw InvalidArgument(std::string("the input is a ") + data->GetClassName() +
        "; a .vdb file takes datasets and collections of them: use Spanwise Grid To Levels before");
    }
  });
  if (group.maximum(static_cast<std::int64_t>(collection != nullptr)) == 0) {
    return {{"", vtkDataSet::SafeDownCast(data)}};
  }
  std::vector<NamedDataSet> result;
  const auto count = static_cast<unsigned int>(
    group.maximum(collection != nullptr ? std::int64_t{collection->GetNumberOfPartitionedDataSets()} : 0));
  for (unsigned int k = 0; k < count; ++k) {
    const bool has = collection != nullptr && k < collection->GetNumberOfPartitionedDataSets();
    vtkPartitionedDataSet* parts = has ? collection->GetPartitionedDataSet(k) : nullptr;
    std::string name;
    if (has && collection->HasMetaData(k) != 0 && collection->GetMetaData(k)->Has(vtkCompositeDataSet::NAME())) {
      name = collection->GetMetaData(k)->Get(vtkCompositeDataSet::NAME());
    }
    name = sharedName(group, name);
    const auto numParts =
      static_cast<unsigned int>(group.maximum(parts != nullptr ? std::int64_t{parts->GetNumberOfPartitions()} : 0));
    for (unsigned int p = 0; p < numParts; ++p) {
      const bool hasPart = parts != nullptr && p < parts->GetNumberOfPartitions();
      result.push_back({name, hasPart ? parts->GetPartition(p) : nullptr});
    }
  }
  return result;
}

/// A 2D set as one layer of voxels: those at z = 0.
HostIntervalSet<3> voxelsOf(const HostIntervalSet<2>& set) {
  HostIntervalSet<3> result;
  if (set.empty()) {
    return result;
  }
  const auto from = set.view();
  const auto to = result.prepare(from.numRows, from.numIntervals);
  std::transform(
    from.rowKeys, from.rowKeys + from.numRows, to.rowKeys, [](const RowKey<2>& key) { return RowKey<3>{key.y, 0}; });
  std::copy_n(from.rowOffsets, from.numRows + 1, to.rowOffsets);
  std::copy_n(from.intervals, from.numIntervals, to.intervals);
  std::copy_n(from.cellOffsets, from.numIntervals + 1, to.cellOffsets);
  result.finish({from.numRows, from.numIntervals, from.numCells});
  return result;
}
const HostIntervalSet<3>& voxelsOf(const HostIntervalSet<3>& set) { return set; }

bool hasZeroAndOneAlone(vtkDataArray* array) {
  double range[2];
  array->GetRange(range, 0);
  return array->GetNumberOfTuples() > 0 && range[0] >= 0.0 && range[1] <= 1.0;
}

/// What a grid has of an array's numbers; nothing where no grid takes them.
std::optional<vdb::ValueKind> kindOf(vtkDataArray* array) {
  const bool vector = array->GetNumberOfComponents() == 3;
  if (!vector && array->GetNumberOfComponents() != 1) {
    return std::nullopt;
  }
  const auto info = describeForFile(array);
  if (!info.has_value()) {
    return std::nullopt;
  }
  switch (info->type) {
  case ValueType::Float32:
    return vector ? vdb::ValueKind::Vec3s : vdb::ValueKind::Float;
  case ValueType::Float64:
    return vector ? vdb::ValueKind::Vec3d : vdb::ValueKind::Double;
  case ValueType::Int8:
  case ValueType::UInt8:
    if (!vector && hasZeroAndOneAlone(array)) {
      return vdb::ValueKind::Bool;
    }
    [[fallthrough]];
  case ValueType::Int16:
  case ValueType::UInt16:
  case ValueType::Int32:
    return vector ? vdb::ValueKind::Vec3i : vdb::ValueKind::Int32;
  case ValueType::UInt32:
  case ValueType::Int64:
    return vector ? std::nullopt : std::optional(vdb::ValueKind::Int64);
  case ValueType::UInt64: {
    double range[2];
    array->GetRange(range, 0);
    return vector || range[1] >= 0x1p63 ? std::nullopt : std::optional(vdb::ValueKind::Int64);
  }
  default:
    return std::nullopt;
  }
}

ValueType fileTypeOf(vdb::ValueKind kind) {
  switch (vdb::elementOf(kind)) {
  case vdb::Element::Bool:
    return ValueType::UInt8;
  case vdb::Element::Int32:
    return ValueType::Int32;
  case vdb::Element::Int64:
    return ValueType::Int64;
  case vdb::Element::Float32:
    return ValueType::Float32;
  default:
    return ValueType::Float64;
  }
}

/// The numbers of an array side by side in memory, as a grid of that kind takes them.
vtkSmartPointer<vtkDataArray> valuesFor(vdb::ValueKind kind, vtkDataArray* array) {
  IcsrArray info;
  info.name = array->GetName();
  info.type = fileTypeOf(kind);
  info.numComponents = array->GetNumberOfComponents();
  auto values = makeArray(info, array->GetNumberOfTuples());
  if (array->GetDataType() == VTK_BIT) {
    for (vtkIdType t = 0; t < array->GetNumberOfTuples(); ++t) {
      values->SetTuple(t, array->GetTuple(t));
    }
  } else if (array->GetDataType() == values->GetDataType() && array->HasStandardMemoryLayout()) {
    values = array;
  } else {
    values->DeepCopy(array);
  }
  return values;
}

/// Whether an array has distances to a surface: numbers below and above 0.
bool hasBothSigns(vtkDataArray* array) {
  double range[2];
  array->GetRange(range, 0);
  return array->GetNumberOfComponents() == 1 && range[0] < 0.0 && range[1] > 0.0 && std::isfinite(range[0]) &&
    std::isfinite(range[1]);
}

/// Adds the grids of a dataset whose cells are all here.
template <int Dim>
void addGrids(const std::string& name, bool alone, const RankCells<Dim>& cells, const GridPlacement& placement,
  const std::string& levelSet, VdbGrids& out) {
  vdb::GridToWrite grid;
  grid.cells = voxelsOf(cells.set.host());
  std::copy_n(placement.origin, 3, grid.origin);
  std::copy_n(placement.spacing, 3, grid.spacing);
  if constexpr (Dim == 2) { // around the plane
    grid.origin[2] -= placement.spacing[2] / 2;
  }
  bool hasValues = false;
  std::string leftOut;
  for (int k = 0; k < cells.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* any = cells.values->GetAbstractArray(k);
    auto* const array = vtkDataArray::SafeDownCast(any);
    const std::string field = any->GetName() != nullptr ? any->GetName() : "";
    if (field == vtkDataSetAttributes::GhostArrayName()) {
      continue;
    }
    auto kind = array != nullptr ? kindOf(array) : std::nullopt;
    if (!kind.has_value()) {
      leftOut += (leftOut.empty() ? "" : ", ") + hdf5::quotedName(field);
      continue;
    }
    grid.levelSet = false;
    if (field == levelSet && !levelSet.empty() && array->GetNumberOfTuples() > 0) {
      grid.levelSet = hasBothSigns(array);
      if (grid.levelSet) {
        kind = vdb::ValueKind::Float;
      } else {
        out.remarks.push_back("the array " + hdf5::quotedName(field) +
          " is no level set: one component, finite and with both signs, is. It was written as other arrays are.");
      }
    }
    grid.name = alone || name.empty() || name == field ? field : name + "." + field;
    grid.kind = *kind;
    out.values.push_back(valuesFor(*kind, array));
    grid.values = out.values.back()->GetVoidPointer(0);
    out.grids.push_back(grid);
    hasValues = true;
  }
  if (!leftOut.empty()) {
    out.remarks.push_back("the cell arrays " + leftOut +
      " were left out: a grid has one number or vector of 3 in a cell, and integers up to 2^63 - 1.");
  }
  if (!hasValues) {
    grid.name = name.empty() ? "mask" : name;
    grid.kind = vdb::ValueKind::Mask;
    grid.values = nullptr;
    out.grids.push_back(grid);
  }
}

} // namespace

VdbGrids vdbGridsOf(
  const RankGroup& group, vtkDataObject* data, const std::string& levelSet, const Progress& progress) {
  VdbGrids result;
  const std::vector<NamedDataSet> dataSets = dataSetsOf(group, data);
  // All planes are those of rank 0.
  RowCut cut;
  cut.bounds.assign(static_cast<std::size_t>(group.size()) + 1, PlaneRange().end);
  cut.bounds.front() = PlaneRange().begin;
  for (const NamedDataSet& each : dataSets) {
    InputCells input = readCells(group, each.data, InputValues::All, progress);
    std::visit(
      [&](auto& cells) {
        unifyArrays(group, cells);
        migrate(group, cut, cells);
        group.agree([&] {
          if (group.rank() == 0) {
            addGrids(each.name, dataSets.size() == 1 && each.name.empty(), cells, input.placement, levelSet, result);
          }
        });
      },
      input.cells);
  }
  return result;
}

} // namespace spanwise
