#include "vtkSpanwiseGridToIntervals.h"

#include "SpanwiseBridge.h"
#include "SpanwiseInputCells.h"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseGridToIntervals);

namespace {

/// Whether there is nothing to do for this rank's piece.
bool isReady(vtkDataSet* data) {
  return data == nullptr || data->GetNumberOfCells() == 0 ||
    ((gridOf<2>(data) != nullptr || gridOf<3>(data) != nullptr) && data->GetCellGhostArray() == nullptr);
}

} // namespace

void vtkSpanwiseGridToIntervals::PrintSelf(ostream& os, vtkIndent indent) { this->Superclass::PrintSelf(os, indent); }

int vtkSpanwiseGridToIntervals::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  return 1;
}

void vtkSpanwiseGridToIntervals::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  vtkDataSet* input = vtkDataSet::GetData(inputs[0], 0);
  const bool allReady = group.sum(static_cast<std::int64_t>(isReady(input))) == group.size();
  auto* grid = vtkUnstructuredGrid::SafeDownCast(input);
  if (allReady && grid != nullptr && !group.streams()) {
    output->ShallowCopy(grid);
    return;
  }
  InputCells cells = readCells(group, input, InputValues::All, progressOf(this).part(0.0, 0.8));
  std::visit(
    [&](auto& mine) {
      const PlaneRange owned = distribute(group, mine);
      group.agree([&] { setCells(output, mine, cells.placement, owned); });
    },
    cells.cells);
  if (input != nullptr) {
    output->GetFieldData()->PassData(input->GetFieldData());
  }
}
