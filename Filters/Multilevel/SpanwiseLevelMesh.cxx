#include "SpanwiseLevelMesh.h"

#include "SpanwiseInputLevels.h"
#include "SpanwiseLeafCover.h"
#include "SpanwiseMeshValues.h"

#include <vtkUnstructuredGrid.h>

namespace spanwise {

namespace {

template <int Dim>
int finestWithLeaves(const Hierarchy<Dim>& levels) {
  int finest = 0;
  for (int k = 0; k < levels.numLevels(); ++k) {
    finest = levels.leaves[static_cast<std::size_t>(k)].set.empty() ? finest : k;
  }
  return finest;
}

} // namespace

template <int Dim>
void meshOfLevels(const Team& team, const PlaneRange& mine, Hierarchy<Dim> levels, MeshValues values,
  const Progress& progress, vtkUnstructuredGrid* output) {
  const int finest = static_cast<int>(team.maximum(finestWithLeaves(levels)));
  // With the leaves of others beside this rank's. The order of a place's leaves does not depend on the ranks, so
  // neither do sums over them.
  addHaloOfLevels(team, mine, levels);
  team.agree([&] {
    const CoveringLeaves<Dim> covering = coverOf(levels);
    ConformingMeshOn<HostExecutionSpace> mesh;
    ConformingScratchOn<Dim, HostExecutionSpace> scratch;
    Workspace<Kokkos::HostSpace> workspace;
    makeConformingMesh<HostExecutionSpace, Dim>(HostExecutionSpace(), covering.leaves, covering.cover, finest, mine,
      mesh, scratch, workspace, progress.part(0.0, 0.7));
    setMesh(mesh, placementOfLevel(levels.root, finest), output);
    if (values == MeshValues::OnCellsAndPoints) {
      setPointMeans(mesh, levels, output);
    }
    passCellValues(mesh, levels, output);
    progress.report(1.0);
  });
}

#define SPANWISE_LEVEL_MESH(Dim)                                                                                       \
  template void meshOfLevels<Dim>(                                                                                     \
    const Team&, const PlaneRange&, Hierarchy<Dim>, MeshValues, const Progress&, vtkUnstructuredGrid*);
SPANWISE_LEVEL_MESH(2)
SPANWISE_LEVEL_MESH(3)

} // namespace spanwise
