#include "vtkSpanwiseCarryingAlgorithm.h"

#include "SpanwiseBridge.h"
#include "SpanwiseCarriedArrays.h"
#include "SpanwiseInputCells.h"

#include <vtkCommand.h>
#include <vtkDataSet.h>
#include <vtkInformation.h>

using namespace spanwise;

vtkSpanwiseCarryingAlgorithm::vtkSpanwiseCarryingAlgorithm() {
  this->ArraySelection->AddObserver(vtkCommand::ModifiedEvent, this, &vtkSpanwiseCarryingAlgorithm::Modified);
}

void vtkSpanwiseCarryingAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "PassAllArrays: " << (this->PassAllArrays ? "on" : "off") << "\n";
  os << indent << "ArraySelection:\n";
  this->ArraySelection->PrintSelf(os, indent.GetNextIndent());
}

int vtkSpanwiseCarryingAlgorithm::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  return 1;
}

CarriedArrays vtkSpanwiseCarryingAlgorithm::GetCarriedArrays() const {
  return {this->PassAllArrays, this->ArraySelection};
}

InputCells vtkSpanwiseCarryingAlgorithm::ReadInput(const RankGroup& group, vtkDataSet* input) {
  const CarriedArrays carried = this->GetCarriedArrays();
  InputCells cells = readCells(
    group, input, carried.any() ? InputValues::AllOnAnySide : InputValues::None, progressOf(this).part(0.0, 0.3));
  std::visit([&](auto& mine) { carried.keepOnly(mine.values); }, cells.cells);
  return cells;
}
