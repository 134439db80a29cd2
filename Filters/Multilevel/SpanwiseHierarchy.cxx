#include "SpanwiseHierarchy.h"

#include "Core/Runtime/Error.hpp"

#include <vtkCompositeDataSet.h>
#include <vtkDataAssembly.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace spanwise {

namespace {

/// Throws if a cell of `fine`, `steps` levels finer, lies in a cell of `coarse`.
template <int Dim>
void checkPair(const HostIntervalSet<Dim>& coarse, int level, const HostIntervalSet<Dim>& fine, int steps) {
  const IntervalSetView<Dim> cells = coarse.view();
  const IntervalSetView<Dim> finer = fine.view();
  for (std::int64_t r = 0; r < finer.numRows && cells.numRows > 0; ++r) {
    const RowKey<Dim>& key = finer.rowKeys[r];
    const std::int64_t row = cells.findRow(RowKey<Dim>::fromYZ(key.y >> steps, key.zOr0() >> steps));
    for (std::int64_t i = finer.rowOffsets[r]; row >= 0 && i < finer.rowOffsets[r + 1]; ++i) {
      const Interval& run = finer.intervals[i];
      const std::int64_t met = cells.lowerInterval(row, run.begin >> steps);
      if (met < cells.rowOffsets[row + 1] && cells.intervals[met].begin <= (run.end - 1) >> steps) {
        const std::int64_t x = std::max<std::int64_t>(run.begin >> steps, cells.intervals[met].begin);
        throw InvalidArgument("level " + std::to_string(level) + " has the cell x = " + std::to_string(x) + ", " +
          toString(cells.rowKeys[row]) + ", in which level " + std::to_string(level + steps) +
          " has cells too; levels hold leaf cells, and no place may be covered twice");
      }
    }
  }
}

} // namespace

GridPlacement placementOfLevel(const GridPlacement& root, int level) {
  GridPlacement placement = root;
  for (double& spacing : placement.spacing) {
    spacing = std::ldexp(spacing, -level); // exact
  }
  placement.level = level;
  return placement;
}

GridPlacement rootOf(const GridPlacement& placement) {
  GridPlacement root = placementOfLevel(placement, -placement.level);
  root.level = 0;
  return root;
}

void arrangeLevels(
  vtkPartitionedDataSetCollection* output, const std::vector<vtkSmartPointer<vtkUnstructuredGrid>>& grids) {
  output->Initialize();
  output->SetNumberOfPartitionedDataSets(static_cast<unsigned int>(grids.size()));
  vtkNew<vtkDataAssembly> assembly;
  assembly->SetRootNodeName("Levels");
  for (unsigned int k = 0; k < grids.size(); ++k) {
    const std::string name = "Level" + std::to_string(k);
    output->SetPartition(k, 0, grids[k]);
    output->GetMetaData(k)->Set(vtkCompositeDataSet::NAME(), name.c_str());
    assembly->AddDataSetIndex(assembly->AddNode(name.c_str()), k);
  }
  output->SetDataAssembly(assembly);
}

template <int Dim>
void setLevels(vtkPartitionedDataSetCollection* output, const Hierarchy<Dim>& hierarchy, const PlaneRange& rootPlanes) {
  std::vector<vtkSmartPointer<vtkUnstructuredGrid>> grids;
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    grids.push_back(vtkSmartPointer<vtkUnstructuredGrid>::New());
    setCells<Dim>(grids.back(), hierarchy.leaves[static_cast<std::size_t>(k)], placementOfLevel(hierarchy.root, k),
      planesOfLevel(rootPlanes, k));
  }
  arrangeLevels(output, grids);
}

template <int Dim>
void checkNoOverlap(const Hierarchy<Dim>& hierarchy) {
  for (int coarse = 0; coarse < hierarchy.numLevels(); ++coarse) {
    for (int fine = coarse + 1; fine < hierarchy.numLevels(); ++fine) {
      checkPair<Dim>(hierarchy.leaves[static_cast<std::size_t>(coarse)].set, coarse,
        hierarchy.leaves[static_cast<std::size_t>(fine)].set, fine - coarse);
    }
  }
}

#define SPANWISE_HIERARCHY(Dim)                                                                                        \
  template void setLevels<Dim>(vtkPartitionedDataSetCollection*, const Hierarchy<Dim>&, const PlaneRange&);            \
  template void checkNoOverlap<Dim>(const Hierarchy<Dim>&);
SPANWISE_HIERARCHY(2)
SPANWISE_HIERARCHY(3)

} // namespace spanwise
