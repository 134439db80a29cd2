#include "vtkSpanwiseLevelsToOverlappingAMR.h"

#include "SpanwiseBlocks.h"
#include "SpanwiseBridge.h"
#include "SpanwiseInputLevels.h"

#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkOverlappingAMR.h>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseLevelsToOverlappingAMR);

void vtkSpanwiseLevelsToOverlappingAMR::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
}

int vtkSpanwiseLevelsToOverlappingAMR::FillOutputPortInformation(int, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkOverlappingAMR");
  return 1;
}

void vtkSpanwiseLevelsToOverlappingAMR::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  const auto progress = progressOf(this);
  const AnyHierarchy levels =
    readLevels(group, vtkDataObject::GetData(inputs[0], 0), InputValues::All, progress.part(0.0, 0.5));
  std::visit(
    [&](auto hierarchy) {
      distributeLevels(group, hierarchy);
      makeBlocks(group, hierarchy, vtkOverlappingAMR::SafeDownCast(output));
    },
    levels);
  group.agree([&] { progress.report(1.0); });
}
