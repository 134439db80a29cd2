#include "vtkSpanwiseBoundary.h"

#include "SpanwiseBridge.h"
#include "SpanwiseConnectivity.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseMorphCells.h"
#include "SpanwisePeriods.h"

#include <vtkDataSet.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::geometry;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseBoundary);

void vtkSpanwiseBoundary::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Side: " << (this->Side == INNER ? "inner" : "outer") << "\n";
  os << indent << "Connectivity: " << this->Connectivity << "\n";
}

void vtkSpanwiseBoundary::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  if (this->Side != INNER && this->Side != OUTER) {
    throw InvalidArgument("the side is " + std::to_string(this->Side) + "; it must be 0 (inner) or 1 (outer)");
  }
  const spanwise::geometry::Connectivity connectivity = connectivityOf(this->Connectivity);
  const PeriodChoice choice = this->GetPeriodChoice();
  vtkDataSet* data = vtkDataSet::GetData(inputs[0], 0);
  InputCells input = this->ReadInput(group, data);
  std::visit(
    [&]<int Dim>(RankCells<Dim>& cells) {
      morphCells<Dim>(group,
        {this->Side == INNER ? MorphologyOperation::InnerGradient : MorphologyOperation::OuterGradient,
          StructuringElement<Dim>::neighbourhood(connectivity, 1),
          periodsOf<Dim>(group, choice, cells.set, input.placement)},
        cells, input.placement, progressOf(this).part(0.3, 1.0), output);
    },
    input.cells);
  if (data != nullptr) {
    output->GetFieldData()->PassData(data->GetFieldData());
  }
}
