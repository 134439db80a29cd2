#include "SpanwiseHierarchy.h"

#include "SpanwiseMirroredSet.h"
#include "SpanwiseSide.h"

#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkCompositeDataSet.h>
#include <vtkDataAssembly.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace spanwise::parallel;
using namespace spanwise::multilevel;

namespace spanwise {

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
  visitLeaves(hierarchy, [&]<ComputeSide side>(const SideContext<side>& context, const auto& leaves) {
    LeafCoverOn<Dim, SpaceOf<side>> cover;
    coverOfLeaves<SpaceOf<side>, Dim>(context, leaves, cover);
    checkLeaves<SpaceOf<side>, Dim>(context, leaves, cover);
  });
}

#define SPANWISE_HIERARCHY(Dim)                                                                                        \
  template void setLevels<Dim>(vtkPartitionedDataSetCollection*, const Hierarchy<Dim>&, const PlaneRange&);            \
  template void checkNoOverlap<Dim>(const Hierarchy<Dim>&);
SPANWISE_HIERARCHY(2)
SPANWISE_HIERARCHY(3)

} // namespace spanwise
