#include "vtkSpanwiseLevelsToUnstructuredGrid.h"

#include "SpanwiseBridge.h"
#include "SpanwiseConformingMesh.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseJoinCells.h"
#include "SpanwiseMeshValues.h"

#include <vtkCellData.h>
#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>

#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseLevelsToUnstructuredGrid);

namespace {

/// This rank's leaves and those of others beside them. The order of a place's leaves does not depend on the ranks, so
/// neither do sums over them.
template <int Dim>
Hierarchy<Dim> withHalo(const Team& team, const Hierarchy<Dim>& levels, const PlaneRange& mine) {
  const Hierarchy<Dim> halo = haloOfLevels(team, levels, mine);
  Hierarchy<Dim> all = levels;
  team.agree([&] {
    for (std::size_t k = 0; k < all.leaves.size(); ++k) {
      all.leaves[k] = joinCells<Dim>({levels.leaves[k], halo.leaves[k]});
    }
  });
  return all;
}

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
  const Hierarchy<Dim> before = levels;
  const PlaneRange mine = distributeLevels(team, levels);
  const Hierarchy<Dim> all = team.streams() ? before : withHalo(team, levels, mine);
  const int finest = static_cast<int>(team.maximum(finestWithLeaves(levels)));
  team.agree([&] {
    ConformingMesh mesh = makeConformingMesh(all, finest, mine, progress.part(0.0, 0.7));
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
