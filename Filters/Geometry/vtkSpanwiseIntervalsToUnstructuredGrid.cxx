#include "vtkSpanwiseIntervalsToUnstructuredGrid.h"

#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"

#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseIntervalsToUnstructuredGrid);

void vtkSpanwiseIntervalsToUnstructuredGrid::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
}

int vtkSpanwiseIntervalsToUnstructuredGrid::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkUnstructuredGrid");
  return 1;
}

int vtkSpanwiseIntervalsToUnstructuredGrid::RequestData(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  return execute(this, outputs, RankGroup(), [&] {
    explode(vtkUnstructuredGrid::GetData(inputs[0], 0), vtkUnstructuredGrid::GetData(outputs, 0));
    progressOf(this).report(1.0);
  });
}
