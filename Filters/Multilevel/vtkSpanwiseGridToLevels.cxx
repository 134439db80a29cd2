#include "vtkSpanwiseGridToLevels.h"

#include "SpanwiseBridge.h"
#include "SpanwiseInputLevels.h"

#include <vtkObjectFactory.h>
#include <vtkPartitionedDataSetCollection.h>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseGridToLevels);

void vtkSpanwiseGridToLevels::PrintSelf(ostream& os, vtkIndent indent) { this->Superclass::PrintSelf(os, indent); }

void vtkSpanwiseGridToLevels::MakeOutput(const Team& team, vtkInformationVector** inputs, vtkDataObject* output) {
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  std::visit(
    [&](auto levels) {
      const PlaneRange mine = distributeLevels(team, levels);
      team.agree([&] { setLevels(vtkPartitionedDataSetCollection::SafeDownCast(output), levels, mine); });
    },
    readLevels(team, input, InputValues::All, progressOf(this).part(0.0, 0.9)));
}
