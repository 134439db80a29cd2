#include "vtkSpanwiseGridToLevels.h"

#include "SpanwiseBridge.h"
#include "SpanwiseInputLevels.h"

#include <vtkObjectFactory.h>
#include <vtkPartitionedDataSetCollection.h>

using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseGridToLevels);

void vtkSpanwiseGridToLevels::PrintSelf(ostream& os, vtkIndent indent) { this->Superclass::PrintSelf(os, indent); }

void vtkSpanwiseGridToLevels::MakeOutput(const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  std::visit(
    [&](auto levels) {
      const PlaneRange mine = distributeLevels(group, levels);
      group.agree([&] { setLevels(vtkPartitionedDataSetCollection::SafeDownCast(output), levels, mine); });
    },
    readLevels(group, input, InputValues::AllOnAnySide, progressOf(this).part(0.0, 0.9)));
}
