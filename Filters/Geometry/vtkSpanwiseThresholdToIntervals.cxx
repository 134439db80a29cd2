#include "vtkSpanwiseThresholdToIntervals.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwiseCellArray.h"
#include "SpanwiseComponentValues.h"
#include "SpanwiseComputeOnSide.h"

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

/// What is kept of a set by the values of an array.
struct Selection {
  vtkDataArray* array;
  int component;
  ValueRange range;
  bool invert;
};

template <ComputeSide side, int Dim>
IntervalSetOn<Dim, SpaceOf<side>> selected(const IntervalSetOn<Dim, SpaceOf<side>>& set, const Selection& by) {
  using Space = SpaceOf<side>;
  const Context<Space> context; // each rank works on its own cells
  IntervalSetOn<Dim, Space> result;
  const auto select = [&]<class T>(T /*type*/) {
    const ComponentOn<T, side> values(context.space(), by.array, by.component);
    selectByValue<T, Space, Dim>(context, set, values.values(), by.range, by.invert, result);
    context.space().fence(SPANWISE_LABEL("Geometry::threshold"));
  };
  checkComponent(by.array, by.component);
  switch (typeOfComponent(by.array, by.component)) {
    vtkTemplateMacro(select(VTK_TT()));
  default:
    throw InvalidArgument(std::string("values of type ") + by.array->GetDataTypeAsString() + " cannot be compared");
  }
  return result;
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
  InputCells read = readCells(group, input, InputValues::AllOnAnySide, progress.part(0.0, 0.4));
  const ValueRange range = this->GetRange();
  const CarriedArrays carried = this->GetCarriedArrays();
  std::visit(
    [&]<int Dim>(RankCells<Dim>& cells) {
      RankCells<Dim> result;
      const SideInputs<Dim> all = sideInputsOf<Dim>(cells);
      computeOnSide<Dim>(
        group, "Threshold To Intervals", all, [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
          group.agree([&] {
            if (!cells.set.empty()) {
              if (side == ComputeSide::Device && carried.contains(name.c_str())) { // then it is read twice
                bringToDevice(cells.values, name.c_str());
              }
              result.set = MirroredSet<Dim>::template of<side>(selected<side, Dim>(
                cells.set.template on<side>(), {cellArray(cells.values, name), this->Component, range, this->Invert}));
            }
          });
        });
      group.agree([&] {
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
