#include "vtkSpanwiseLevelsToUnstructuredGrid.h"

#include "SpanwiseBridge.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseLeafCover.h"
#include "SpanwiseMeshValues.h"

#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseLevelsToUnstructuredGrid);

namespace {

template <int Dim>
int finestWithLeaves(const Hierarchy<Dim>& levels) {
  int finest = 0;
  for (int k = 0; k < levels.numLevels(); ++k) {
    finest = levels.leaves[static_cast<std::size_t>(k)].set.empty() ? finest : k;
  }
  return finest;
}

template <int Dim>
void makeGrid(const Team& team, Hierarchy<Dim> levels, const Progress& progress, vtkUnstructuredGrid* output) {
  // With the leaves of others beside this rank's. The order of a place's leaves does not depend on the ranks, so
  // neither do sums over them.
  Hierarchy<Dim> all = levels;
  const PlaneRange mine = distributeLevels(team, levels);
  all = team.streams() ? all : levels;
  addHaloOfLevels(team, mine, all);
  const int finest = static_cast<int>(team.maximum(finestWithLeaves(levels)));
  team.agree([&] {
    const CoveringLeaves<Dim> covering = coverOf(all);
    ConformingMeshOn<HostExecutionSpace> mesh;
    ConformingScratchOn<Dim, HostExecutionSpace> scratch;
    Workspace<Kokkos::HostSpace> workspace;
    makeConformingMesh<HostExecutionSpace, Dim>(HostExecutionSpace(), covering.leaves, covering.cover, finest, mine,
      mesh, scratch, workspace, progress.part(0.0, 0.7));
    setMesh(mesh, placementOfLevel(levels.root, finest), output);
    passMeshValues(mesh, all, output);
    progress.report(1.0);
  });
}

} // namespace

void vtkSpanwiseLevelsToUnstructuredGrid::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
}

int vtkSpanwiseLevelsToUnstructuredGrid::FillOutputPortInformation(int, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkUnstructuredGrid");
  return 1;
}

void vtkSpanwiseLevelsToUnstructuredGrid::MakeOutput(
  const Team& team, vtkInformationVector** inputs, vtkDataObject* output) {
  const auto progress = progressOf(this);
  const AnyHierarchy levels =
    readLevels(team, vtkDataObject::GetData(inputs[0], 0), InputValues::All, progress.part(0.0, 0.3));
  std::visit(
    [&](const auto& hierarchy) {
      makeGrid(team, hierarchy, progress.part(0.3, 1.0), vtkUnstructuredGrid::SafeDownCast(output));
    },
    levels);
}
