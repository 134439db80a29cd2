#include "vtkSpanwiseLevelsToHyperTreeGrid.h"

#include "SpanwiseBridge.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseTrees.h"

#include <vtkHyperTreeGrid.h>
#include <vtkInformation.h>
#include <vtkObjectFactory.h>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseLevelsToHyperTreeGrid);

namespace {

template <int Dim>
void makeAllTrees(const RankGroup& group, Hierarchy<Dim> levels, vtkHyperTreeGrid* output) {
  distributeLevels(group, levels);
  CoveringLeaves<Dim> covering;
  group.agree([&] { covering = coverOf(levels); });
  const MirroredSet<Dim> covered(covering.cover.covered.front());
  const Box<Dim> roots = boundingBoxOfAll<Dim>(group, {&covered});
  group.agree([&] { fillTrees(levels, covering, roots, output); });
}

} // namespace

void vtkSpanwiseLevelsToHyperTreeGrid::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
}

int vtkSpanwiseLevelsToHyperTreeGrid::FillOutputPortInformation(int, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkHyperTreeGrid");
  return 1;
}

void vtkSpanwiseLevelsToHyperTreeGrid::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  const auto progress = progressOf(this);
  const AnyHierarchy levels =
    readLevels(group, vtkDataObject::GetData(inputs[0], 0), InputValues::All, progress.part(0.0, 0.5));
  std::visit(
    [&](const auto& hierarchy) { makeAllTrees(group, hierarchy, vtkHyperTreeGrid::SafeDownCast(output)); }, levels);
  group.agree([&] { progress.report(1.0); });
}
