#pragma once

// Random hierarchies of levels, and what tests ask of collections.

#include "Testing/Core/Multilevel/RandomLevels.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "SpanwiseHierarchy.h"
#include "SpanwiseInputLevels.h"
#include "Testing/Rooms.hpp"

#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointData.h>

#include <map>
#include <random>

namespace spanwise::testing {

/// The centre of a cell.
template <int Dim>
std::array<double, 3> centreOf(const GridPlacement& placement, const Cell<Dim>& cell) {
  std::array<double, 3> centre{placement.origin[0], placement.origin[1], placement.origin[2]};
  for (int d = 0; d < Dim; ++d) {
    centre[static_cast<std::size_t>(d)] = placement.position(d, cell.at[d]) + 0.5 * placement.spacing[d];
  }
  return centre;
}

/// A value that tells a place from all others.
inline double valueAt(const std::array<double, 3>& place) { return place[0] + 100.0 * place[1] + 10000.0 * place[2]; }

inline const GridPlacement someRoot{{-1.0, 2.0, 0.5}, {0.5, 0.25, 2.0}, 0};

/// The hierarchy of these leaves, with the cell arrays "place" (valueAt() their centres) and "level".
template <int Dim>
Hierarchy<Dim> hierarchyOf(const Leaves<Dim>& leaves, const GridPlacement& root = someRoot) {
  Hierarchy<Dim> hierarchy;
  hierarchy.root = root;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    RankCells<Dim> level;
    level.set = toHostSet<Dim>(leaves[k]);
    vtkNew<vtkDoubleArray> place;
    place->SetName("place");
    vtkNew<vtkIntArray> number;
    number->SetName("level");
    for (const Cell<Dim>& cell : leaves[k]) {
      place->InsertNextValue(valueAt(centreOf<Dim>(placementOfLevel(root, static_cast<int>(k)), cell)));
      number->InsertNextValue(static_cast<int>(k));
    }
    level.values->AddArray(place);
    level.values->AddArray(number);
    hierarchy.leaves.push_back(level);
  }
  return hierarchy;
}

template <int Dim>
vtkSmartPointer<vtkPartitionedDataSetCollection> levelsOf(const Hierarchy<Dim>& hierarchy) {
  auto collection = vtkSmartPointer<vtkPartitionedDataSetCollection>::New();
  setLevels<Dim>(collection, hierarchy);
  return collection;
}

/// A cell of level 0 at time 1, and of level 1 at time 2.
template <int Dim>
vtkSmartPointer<StepSource> deepeningSource() {
  auto source = vtkSmartPointer<StepSource>::New();
  source->type = "vtkPartitionedDataSetCollection";
  source->steps = {1.0, 2.0};
  source->fill = [](double time, vtkDataObject* output) {
    Leaves<Dim> leaves(2);
    leaves[time > 1.5 ? 1 : 0].insert(Cell<Dim>{});
    output->ShallowCopy(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  };
  return source;
}

/// The output of a filter that makes a grid, up to date.
inline vtkUnstructuredGrid* gridOfOutput(vtkAlgorithm* filter) {
  filter->Update();
  return vtkUnstructuredGrid::SafeDownCast(filter->GetOutputDataObject(0));
}

/// One component of the values on the cells of a grid of intervals.
template <int Dim>
std::map<Cell<Dim>, double> valuesOf(vtkDataSet* data, const char* array, int component = 0) {
  const auto grid = carriedGrid<Dim>(data);
  std::map<Cell<Dim>, double> values;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    values[grid->cellAt(c)] = data->GetCellData()->GetArray(array)->GetComponent(c, component);
  }
  return values;
}

/// The datasets of a data object.
inline std::vector<vtkDataSet*> partsOf(vtkDataObject* data) {
  std::vector<vtkDataSet*> parts;
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(data)) {
    const auto at = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (at->InitTraversal(); !at->IsDoneWithTraversal(); at->GoToNextItem()) {
      if (auto* part = vtkDataSet::SafeDownCast(at->GetCurrentDataObject())) {
        parts.push_back(part);
      }
    }
  } else if (auto* dataset = vtkDataSet::SafeDownCast(data)) {
    parts.push_back(dataset);
  }
  return parts;
}

/// Gives a data set an array on its points.
inline void addPointArray(vtkDataSet* data, const char* name) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfTuples(data->GetNumberOfPoints());
  array->FillValue(1.0);
  data->GetPointData()->AddArray(array);
}

inline std::int64_t numCellsOf(vtkDataObject* data) {
  std::int64_t count = 0;
  for (vtkDataSet* part : partsOf(data)) {
    count += part->GetNumberOfCells();
  }
  return count;
}

/// Expects a data object to be a hierarchy of just these leaves, with their arrays "place" and "level" where `values`.
template <int Dim>
void expectLevels(
  vtkDataObject* data, const Leaves<Dim>& leaves, bool values = true, const GridPlacement& root = someRoot) {
  auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(data);
  ASSERT_NE(collection, nullptr);
  Leaves<Dim> expected = leaves;
  while (expected.size() > 1 && expected.back().empty()) {
    expected.pop_back();
  }
  ASSERT_GE(collection->GetNumberOfPartitionedDataSets(), expected.size());
  expected.resize(collection->GetNumberOfPartitionedDataSets());
  for (unsigned int k = 0; k < collection->GetNumberOfPartitionedDataSets(); ++k) {
    ASSERT_EQ(collection->GetNumberOfPartitions(k), 1U);
    vtkDataSet* part = collection->GetPartition(k, 0);
    const auto grid = carriedGrid<Dim>(part);
    EXPECT_TRUE(toCells(grid->set()) == expected[k]) << "level " << k;
    const GridPlacement placement = placementOfLevel(root, static_cast<int>(k));
    EXPECT_EQ(grid->placement().level, static_cast<int>(k));
    for (int d = 0; d < Dim; ++d) {
      EXPECT_NEAR(grid->placement().origin[d], placement.origin[d], 1e-9 * placement.spacing[d]);
      EXPECT_NEAR(grid->placement().spacing[d], placement.spacing[d], 1e-9 * placement.spacing[d]);
    }
    if (!values || part->GetNumberOfCells() == 0) {
      continue;
    }
    vtkDataArray* place = part->GetCellData()->GetArray("place");
    vtkDataArray* level = part->GetCellData()->GetArray("level");
    ASSERT_NE(place, nullptr);
    ASSERT_NE(level, nullptr);
    for (vtkIdType c = 0; c < part->GetNumberOfCells(); ++c) {
      ASSERT_NEAR(place->GetComponent(c, 0), valueAt(centreOf<Dim>(placement, grid->cellAt(c))), 1e-6);
      ASSERT_EQ(level->GetComponent(c, 0), k);
    }
  }
}

/// Whether leaves cover the surroundings of a place completely; `near` is small against all cells.
template <int Dim>
bool isInside(const Leaves<Dim>& leaves, const GridPlacement& root, const double place[3], double near) {
  for (int side = 0; side < 1 << Dim; ++side) {
    bool covered = false;
    for (std::size_t k = 0; k < leaves.size() && !covered; ++k) {
      const GridPlacement placement = placementOfLevel(root, static_cast<int>(k));
      Cell<Dim> cell{};
      for (int d = 0; d < Dim; ++d) {
        const double at = place[d] + (((side >> d) & 1) != 0 ? near : -near) * root.spacing[d];
        cell.at[d] = static_cast<Coordinate>(std::floor((at - placement.origin[d]) / placement.spacing[d]));
      }
      covered = leaves[k].count(cell) > 0;
    }
    if (!covered) {
      return false;
    }
  }
  return true;
}

/// Leaf cells by their centres (in millionths) and sizes, wherever they are counted from; checks the array "place".
template <int Dim>
std::map<std::array<long long, 3>, double> leavesByPlace(vtkDataObject* data) {
  std::map<std::array<long long, 3>, double> found;
  for (vtkDataSet* part : partsOf(data)) {
    vtkDataArray* values = part->GetCellData()->GetArray("place");
    for (vtkIdType c = 0; c < part->GetNumberOfCells(); ++c) {
      const auto place = placeOfCell(part, c);
      double bounds[6];
      part->GetCellBounds(c, bounds);
      EXPECT_TRUE(found.emplace(place, bounds[1] - bounds[0]).second);
      const std::array<double, 3> centre{1e-6 * static_cast<double>(place[0]), 1e-6 * static_cast<double>(place[1]),
        1e-6 * static_cast<double>(place[2])};
      EXPECT_NEAR(values->GetComponent(c, 0), valueAt(centre), 0.05);
    }
  }
  return found;
}

} // namespace spanwise::testing
