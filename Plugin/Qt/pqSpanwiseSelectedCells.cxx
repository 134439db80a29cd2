#include "pqSpanwiseSelectedCells.h"

#include <pqOutputPort.h>

#include <vtkSMPropertyHelper.h>
#include <vtkSMSourceProxy.h>
#include <vtkSelectionNode.h>

#include <cstring>

namespace spanwise {

namespace {

bool selectsCellsByNumber(vtkSMProxy* source) {
  return source != nullptr && std::strcmp(source->GetXMLName(), "IDSelectionSource") == 0 &&
    vtkSMPropertyHelper(source, "FieldType").GetAsInt() == vtkSelectionNode::CELL &&
    vtkSMPropertyHelper(source, "InsideOut").GetAsInt() == 0;
}

} // namespace

std::vector<std::pair<int, std::int64_t>> selectedCells(pqOutputPort* output, std::size_t most) {
  std::vector<std::pair<int, std::int64_t>> cells;
  vtkSMSourceProxy* selection = output->getSelectionInput();
  if (selection == nullptr || selection->GetProperty("Input") == nullptr) {
    return cells;
  }
  const vtkSMPropertyHelper sources(selection, "Input");
  for (unsigned int k = 0; k < sources.GetNumberOfElements(); ++k) {
    vtkSMProxy* source = sources.GetAsProxy(k);
    if (!selectsCellsByNumber(source)) {
      continue;
    }
    const vtkSMPropertyHelper ids(source, "IDs"); // a rank and a cell each
    for (unsigned int i = 0; i + 1 < ids.GetNumberOfElements() && cells.size() < most; i += 2) {
      cells.emplace_back(static_cast<int>(ids.GetAsIdType(i)), ids.GetAsIdType(i + 1));
    }
  }
  return cells;
}

} // namespace spanwise
