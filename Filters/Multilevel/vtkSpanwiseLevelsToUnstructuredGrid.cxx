#include "vtkSpanwiseLevelsToUnstructuredGrid.h"

#include "SpanwiseBridge.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseLevelMesh.h"

#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseLevelsToUnstructuredGrid);

void vtkSpanwiseLevelsToUnstructuredGrid::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
}

int vtkSpanwiseLevelsToUnstructuredGrid::FillOutputPortInformation(int, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkUnstructuredGrid");
  return 1;
}

void vtkSpanwiseLevelsToUnstructuredGrid::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  const auto progress = progressOf(this);
  const AnyHierarchy levels =
    readLevels(group, vtkDataObject::GetData(inputs[0], 0), InputValues::All, progress.part(0.0, 0.3));
  std::visit(
    [&](const auto& hierarchy) {
      gridOfLevels(group, hierarchy, progress.part(0.3, 1.0), vtkUnstructuredGrid::SafeDownCast(output));
    },
    levels);
}
