#include "vtkSpanwiseThresholdToIntervals.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwiseCellArray.h"
#include "SpanwiseComponentValues.h"

#include "Core/Field/Threshold.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;
using namespace spanwise::field;

vtkStandardNewMacro(vtkSpanwiseThresholdToIntervals);

namespace {

using Host = HostExecutionSpace;

template <class T, int Dim>
HostIntervalSet<Dim> selected(
  const HostIntervalSet<Dim>& set, vtkDataArray* array, int component, const ValueRange& range, bool invert) {
  vtkSmartPointer<vtkDataArray> copy;
  const HostValues<T> values = componentValues<T>(array, component, copy);
  HostIntervalSet<Dim> result;
  const Context<Host> context;
  selectByValue<T, Host, Dim>(context, set, values, range, invert, result);
  return result;
}

template <int Dim>
HostIntervalSet<Dim> selectedByAnyType(
  const HostIntervalSet<Dim>& set, vtkDataArray* array, int component, const ValueRange& range, bool invert) {
  checkComponent(array, component);
  switch (typeOfComponent(array, component)) {
    vtkTemplateMacro(return (selected<VTK_TT, Dim>(set, array, component, range, invert)));
  default:
    throw InvalidArgument(std::string("values of type ") + array->GetDataTypeAsString() + " cannot be compared");
  }
}

} // namespace

vtkSpanwiseThresholdToIntervals::vtkSpanwiseThresholdToIntervals() {
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataSetAttributes::SCALARS);
}

void vtkSpanwiseThresholdToIntervals::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Invert: " << (this->Invert ? "on" : "off") << "\n";
}

void vtkSpanwiseThresholdToIntervals::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  vtkDataSet* const input = vtkDataSet::GetData(inputs[0], 0);
  const auto progress = progressOf(this);
  const std::string name = nameOfCellArray(group, input, this->GetInputArrayInformation(0));
  InputCells read = readCells(group, input, InputValues::All, progress.part(0.0, 0.4));
  const ValueRange range = this->GetRange();
  const CarriedArrays carried = this->GetCarriedArrays();
  std::visit(
    [&]<int Dim>(RankCells<Dim>& cells) {
      RankCells<Dim> result;
      group.agree([&] {
        if (!cells.set.empty()) {
          result.set =
            selectedByAnyType<Dim>(cells.set, cellArray(cells.values, name), this->Component, range, this->Invert);
        }
        progress.report(0.7);
        carried.keepOnly(cells.values);
        carryValues<Dim>({cells}, result);
      });
      const PlaneRange owned = distribute(group, result);
      group.agree([&] { setCells(output, result, read.placement, owned); });
    },
    read.cells);
  if (input != nullptr) {
    output->GetFieldData()->PassData(input->GetFieldData());
  }
}
