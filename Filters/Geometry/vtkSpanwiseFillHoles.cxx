#include "vtkSpanwiseFillHoles.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseConnectivity.h"
#include "SpanwisePeriods.h"

#include "Core/Geometry/FillHoles.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseFillHoles);

void vtkSpanwiseFillHoles::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Connectivity: " << this->Connectivity << "\n";
  os << indent << "LargestHole: " << this->LargestHole << "\n";
}

void vtkSpanwiseFillHoles::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  const spanwise::geometry::Connectivity connectivity = connectivityOf(this->Connectivity);
  if (this->LargestHole < 0) {
    throw InvalidArgument(
      "the largest hole has " + std::to_string(this->LargestHole) + " cells; it must have 0 (all holes) or more");
  }
  Holes holes(connectivity);
  if (this->LargestHole > 0) {
    holes.largest = this->LargestHole;
  }
  vtkDataSet* data = vtkDataSet::GetData(inputs[0], 0);
  InputCells input = this->ReadInput(group, data);
  std::visit(
    [&]<int Dim>(RankCells<Dim>& cells) {
      const Periods<Dim> periods = periodsOf<Dim>(group, this->GetPeriodChoice(), cells.set, input.placement);
      const PlaneRange owned = group.streams() ? PlaneRange() : distribute(group, cells);
      RankCells<Dim> result;
      const SetDomain<Dim> domain = domainOf<Dim>(group, owned, periods);
      computeOnSide<Dim>(
        group, "Fill Holes", sideInputsOf<Dim>(cells), [&]<ComputeSide side>(const SideContext<side>& context) {
          using Space = SpaceOf<side>;
          IntervalSetOn<Dim, Space> out;
          fillHoles<Space, Dim>(context, holes, cells.set.template on<side>(), out, domain);
          result.set = MirroredSet<Dim>::template of<side>(out);
        });
      group.agree([&] {
        progressOf(this).report(0.7);
        carryValues<Dim>({cells}, result);
        cells = {};
      });
      const PlaneRange mine = distribute(group, result);
      group.agree([&] { setCells(output, result, input.placement, mine); });
    },
    input.cells);
  if (data != nullptr) {
    output->GetFieldData()->PassData(data->GetFieldData());
  }
}
