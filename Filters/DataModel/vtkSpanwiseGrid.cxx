#include "vtkSpanwiseGrid.h"

#include "SpanwiseBridge.h"
#include "SpanwiseSharedArrays.h"

#include "Core/Geometry/Builders/Cells.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkTable.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

using namespace spanwise::geometry;

using namespace spanwise;

namespace {

using Space = HostExecutionSpace;

// Calls query(grid) with the record that the data carries, 2D or 3D. Returns what it returns, or `nothing`.
template <class Result, class Query>
Result withGrid(vtkDataObject* data, Result nothing, const Query& query) {
  if (const auto in2D = gridOf<2>(data)) {
    return query(in2D);
  }
  if (const auto in3D = gridOf<3>(data)) {
    return query(in3D);
  }
  return nothing;
}

// Runs what fills the output; returns the message of its exception and leaves the output empty.
template <class Fill>
std::string attempt(vtkUnstructuredGrid* output, const Fill& fill) {
  output->Initialize();
  try {
    startRuntime();
    fill();
  } catch (const std::exception& error) {
    output->Initialize();
    return error.what();
  }
  return "";
}

// One value of an array as a whole number.
template <class Integer>
Integer integerAt(vtkDataArray* array, vtkIdType tuple, int component, const char* name) {
  const double value = array->GetComponent(tuple, component);
  constexpr double lowest = static_cast<double>(std::numeric_limits<Integer>::min());
  constexpr double highest = static_cast<double>(std::numeric_limits<Integer>::max());
  if (!(value >= lowest && value <= highest && std::floor(value) == value)) {
    const std::string place =
      "[" + std::to_string(tuple) + (array->GetNumberOfComponents() > 1 ? ", " + std::to_string(component) : "") + "]";
    throw InvalidArgument(std::string(name) + place + " is " + numberText(value) + "; it must be a whole number from " +
      std::to_string(std::numeric_limits<Integer>::min()) + " to " +
      std::to_string(std::numeric_limits<Integer>::max()));
  }
  return static_cast<Integer>(value);
}

int componentsOf(vtkDataArray* array, const char* name) {
  if (array == nullptr) {
    throw InvalidArgument(std::string("the array ") + name + " is missing");
  }
  return array->GetNumberOfComponents();
}

void checkComponents(vtkDataArray* array, const char* name, int components) {
  if (componentsOf(array, name) != components) {
    throw InvalidArgument(std::string("the array ") + name + " has " +
      countText(array->GetNumberOfComponents(), "component") + "; it must have " + std::to_string(components));
  }
}

// 2 or 3, by the components that an array has in 2D, and one more in 3D.
int dimensionOf(vtkDataArray* array, const char* name, int componentsIn2D) {
  const int components = componentsOf(array, name);
  if (components != componentsIn2D && components != componentsIn2D + 1) {
    throw InvalidArgument(std::string("the array ") + name + " has " + countText(components, "component") +
      "; it must have " + std::to_string(componentsIn2D) + " in 2D, " + std::to_string(componentsIn2D + 1) + " in 3D");
  }
  return components - componentsIn2D + 2;
}

GridPlacement placementOf(const double origin[3], const double spacing[3]) {
  GridPlacement placement;
  std::copy_n(origin, 3, placement.origin);
  std::copy_n(spacing, 3, placement.spacing);
  return placement;
}

template <int Dim>
HostIntervalSet<Dim> setOfArrays(vtkDataArray* rows, vtkDataArray* rowOffsets, vtkDataArray* intervals) {
  checkComponents(rowOffsets, "rowOffsets", 1);
  checkComponents(intervals, "intervals", 2);
  std::vector<RowKey<Dim>> keys(static_cast<std::size_t>(rows->GetNumberOfTuples()));
  for (std::size_t r = 0; r < keys.size(); ++r) {
    const auto tuple = static_cast<vtkIdType>(r);
    const auto y = integerAt<Coordinate>(rows, tuple, 0, "rows");
    keys[r] = RowKey<Dim>::fromYZ(y, Dim == 3 ? integerAt<Coordinate>(rows, tuple, Dim - 2, "rows") : 0);
  }
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(rowOffsets->GetNumberOfTuples()));
  for (std::size_t r = 0; r < offsets.size(); ++r) {
    offsets[r] = integerAt<std::int64_t>(rowOffsets, static_cast<vtkIdType>(r), 0, "rowOffsets");
  }
  std::vector<Interval> runs(static_cast<std::size_t>(intervals->GetNumberOfTuples()));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto tuple = static_cast<vtkIdType>(i);
    runs[i] = {
      integerAt<Coordinate>(intervals, tuple, 0, "intervals"), integerAt<Coordinate>(intervals, tuple, 1, "intervals")};
  }
  return fromArrays<Dim>(keys, offsets, runs);
}

template <int Dim>
void fillFromCells(
  vtkUnstructuredGrid* output, vtkDataArray* cells, const GridPlacement& placement, vtkIdTypeArray* numbers) {
  const vtkIdType count = cells->GetNumberOfTuples();
  const Kokkos::View<Cell<Dim>*, Kokkos::HostSpace> list(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("DataModel::listed cells")),
    static_cast<std::size_t>(count));
  for (vtkIdType k = 0; k < count; ++k) {
    for (int d = 0; d < Dim; ++d) {
      list[static_cast<std::size_t>(k)].at[d] = integerAt<Coordinate>(cells, k, d, "cells");
    }
  }
  HostIntervalSet<Dim> set;
  const Context<Space> context;
  makeFromCells<Space, Dim>(context, list, set);
  setGrid<Dim>(output, IntervalGrid<Dim>::make(set, placement));
  if (numbers != nullptr) {
    numbers->SetNumberOfComponents(1);
    numbers->SetNumberOfTuples(count);
    static_assert(sizeof(vtkIdType) == sizeof(std::int64_t));
    const Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> out(
      reinterpret_cast<std::int64_t*>(numbers->GetPointer(0)), static_cast<std::size_t>(count));
    findCells<Space, Dim>(context, set, list, out);
  }
}

template <int Dim>
void fillFrom(vtkUnstructuredGrid* output, const Intervals<Dim>& intervals, vtkDataSet* input) {
  setGrid<Dim>(output, intervals.grid);
  passCellData(intervals, input->GetCellData(), output->GetCellData());
  output->GetFieldData()->PassData(input->GetFieldData());
}

} // namespace

vtkStandardNewMacro(vtkSpanwiseGrid);

void vtkSpanwiseGrid::PrintSelf(ostream& os, vtkIndent indent) { this->Superclass::PrintSelf(os, indent); }

bool vtkSpanwiseGrid::HasIntervals(vtkDataObject* data) { return vtkSpanwiseGrid::GetDimension(data) != 0; }

int vtkSpanwiseGrid::GetDimension(vtkDataObject* data) {
  return withGrid(data, 0, []<int Dim>(const IntervalGridPointer<Dim>&) { return Dim; });
}

vtkIdType vtkSpanwiseGrid::GetNumberOfRows(vtkDataObject* data) {
  return withGrid(data, vtkIdType{0}, [](const auto& grid) -> vtkIdType { return grid->mirrored().numRows(); });
}

vtkIdType vtkSpanwiseGrid::GetNumberOfIntervals(vtkDataObject* data) {
  return withGrid(data, vtkIdType{0}, [](const auto& grid) -> vtkIdType { return grid->mirrored().numIntervals(); });
}

vtkIdType vtkSpanwiseGrid::GetIntervalMemory(vtkDataObject* data) {
  return withGrid(
    data, vtkIdType{0}, [](const auto& grid) -> vtkIdType { return static_cast<vtkIdType>(grid->bytes()); });
}

int vtkSpanwiseGrid::GetLevel(vtkDataObject* data) {
  return withGrid(data, 0, [](const auto& grid) { return grid->placement().level; });
}

void vtkSpanwiseGrid::GetOrigin(vtkDataObject* data, double origin[3]) {
  std::fill_n(origin, 3, 0.0);
  withGrid(data, origin, [=](const auto& grid) { return std::copy_n(grid->placement().origin, 3, origin); });
}

void vtkSpanwiseGrid::GetSpacing(vtkDataObject* data, double spacing[3]) {
  std::fill_n(spacing, 3, 0.0);
  withGrid(data, spacing, [=](const auto& grid) { return std::copy_n(grid->placement().spacing, 3, spacing); });
}

bool vtkSpanwiseGrid::GetArrays(vtkDataObject* data, vtkIntArray* rows, vtkTypeInt64Array* rowOffsets,
  vtkIntArray* intervals, vtkTypeInt64Array* cellOffsets) {
  for (vtkDataArray* array : std::initializer_list<vtkDataArray*>{rows, rowOffsets, intervals, cellOffsets}) {
    if (array != nullptr) {
      array->Initialize();
    }
  }
  const auto shareOffsets = [](vtkTypeInt64Array* array, const std::int64_t* offsets, std::int64_t count,
                              const std::shared_ptr<const void>& owner) {
    if (array != nullptr && count > 0) {
      share(array, offsets, count + 1, 1, owner);
    } else if (array != nullptr) { // the empty set has no arrays
      array->InsertNextValue(0);
    }
  };
  return withGrid(data, false, [&]<int Dim>(const IntervalGridPointer<Dim>& grid) {
    const IntervalSetView<Dim> set = grid->cells();
    if (rows != nullptr) {
      share(rows, reinterpret_cast<const Coordinate*>(set.rowKeys), set.numRows, Dim - 1, grid);
    }
    if (intervals != nullptr) {
      share(intervals, reinterpret_cast<const Coordinate*>(set.intervals), set.numIntervals, 2, grid);
    }
    shareOffsets(rowOffsets, set.rowOffsets, set.numRows, grid);
    shareOffsets(cellOffsets, set.cellOffsets, set.numIntervals, grid);
    return true;
  });
}

bool vtkSpanwiseGrid::GetTable(vtkDataObject* data, vtkTable* table) {
  table->Initialize();
  return withGrid(data, false, [&]<int Dim>(const IntervalGridPointer<Dim>& grid) {
    const IntervalSetView<Dim> set = grid->cells();
    const auto addColumn = [&](auto column, const char* name, const auto& valueOf) {
      column->SetName(name);
      column->SetNumberOfValues(set.numIntervals);
      for (std::int64_t i = 0; i < set.numIntervals; ++i) {
        column->SetValue(i, valueOf(i));
      }
      table->AddColumn(column.Get());
    };
    const auto integers = [] { return vtkSmartPointer<vtkIntArray>::New(); };
    addColumn(integers(), "y", [&](std::int64_t i) { return set.rowKeys[grid->rowOfInterval(i)].y; });
    if (Dim == 3) {
      addColumn(integers(), "z", [&](std::int64_t i) { return set.rowKeys[grid->rowOfInterval(i)].zOr0(); });
    }
    addColumn(integers(), "begin", [&](std::int64_t i) { return set.intervals[i].begin; });
    addColumn(integers(), "end", [&](std::int64_t i) { return set.intervals[i].end; });
    addColumn(vtkSmartPointer<vtkIdTypeArray>::New(), "first cell", [&](std::int64_t i) { return set.cellOffsets[i]; });
    return true;
  });
}

std::string vtkSpanwiseGrid::SetLevel(vtkUnstructuredGrid* grid, int level) {
  try {
    return withGrid(
      grid, std::string("the data carries no intervals"), [&]<int Dim>(const IntervalGridPointer<Dim>& from) {
        GridPlacement placement = from->placement();
        placement.level = level;
        const auto to = IntervalGrid<Dim>::make(from->mirrored(), placement, from->owned());
        vtkNew<vtkUnstructuredGrid> before;
        before->ShallowCopy(grid);
        setGrid<Dim>(grid, to);
        grid->GetPointData()->ShallowCopy(before->GetPointData());
        grid->GetCellData()->ShallowCopy(before->GetCellData());
        grid->GetFieldData()->ShallowCopy(before->GetFieldData());
        return std::string();
      });
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string vtkSpanwiseGrid::FromArrays(vtkUnstructuredGrid* output, vtkDataArray* rows, vtkDataArray* rowOffsets,
  vtkDataArray* intervals, const double origin[3], const double spacing[3]) {
  return attempt(output, [&] {
    const GridPlacement placement = placementOf(origin, spacing);
    if (dimensionOf(rows, "rows", 1) == 2) {
      setGrid<2>(output, IntervalGrid<2>::make(setOfArrays<2>(rows, rowOffsets, intervals), placement));
    } else {
      setGrid<3>(output, IntervalGrid<3>::make(setOfArrays<3>(rows, rowOffsets, intervals), placement));
    }
  });
}

std::string vtkSpanwiseGrid::FromCells(vtkUnstructuredGrid* output, vtkDataArray* cells, const double origin[3],
  const double spacing[3], vtkIdTypeArray* numbers) {
  return attempt(output, [&] {
    const GridPlacement placement = placementOf(origin, spacing);
    if (dimensionOf(cells, "cells", 2) == 2) {
      fillFromCells<2>(output, cells, placement, numbers);
    } else {
      fillFromCells<3>(output, cells, placement, numbers);
    }
  });
}

std::string vtkSpanwiseGrid::FromDataSet(vtkUnstructuredGrid* output, vtkDataSet* input) {
  return attempt(output, [&] {
    if (input == nullptr) {
      throw InvalidArgument("there is no data set");
    }
    std::visit([&](const auto& intervals) { fillFrom(output, intervals, input); }, intervalsOf(input));
  });
}

void vtkSpanwiseGrid::Explode(vtkUnstructuredGrid* input, vtkUnstructuredGrid* output) { explode(input, output); }
