#include "vtkSpanwiseSignedDistanceToSet.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseBridge.h"
#include "SpanwiseInputCells.h"
#include "SpanwisePeriods.h"
#include "SpanwiseSetDistance.h"

#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <functional>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseSignedDistanceToSet);

namespace {

// What messages call the data set whose cells get distances.
constexpr const char* cellsInput = "second input (Cells Input)";

void checkChoice(const char* what, int value, int most) {
  if (value < 0 || value > most) {
    throw InvalidArgument(std::format("the {} is {}; it must be within 0 and {}", what, value, most));
  }
}

void checkLength(const char* what, double value) {
  if (!(value >= 0.0 && std::isfinite(value))) {
    throw InvalidArgument(std::format("the {} is {}; it must be finite and not negative", what, value));
  }
}

std::int64_t cellsOf(const Team& team, const InputCells& input) {
  return team.sum(std::visit([](const auto& cells) { return cells.set.numCells(); }, input.cells));
}

} // namespace

vtkSpanwiseSignedDistanceToSet::vtkSpanwiseSignedDistanceToSet() { this->SetNumberOfInputPorts(2); }

void vtkSpanwiseSignedDistanceToSet::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Where: " << this->Where << "\n";
  os << indent << "Width: " << this->Width << "\n";
  os << indent << "Margin: " << this->Margin << "\n";
  os << indent << "Sign: " << this->Sign << "\n";
  os << indent << "MemoryLimit: " << this->MemoryLimit << "\n";
  os << indent << "ResultArrayName: " << this->ResultArrayName << "\n";
  this->PrintPeriodicAxes(os, indent);
}

int vtkSpanwiseSignedDistanceToSet::FillInputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

void vtkSpanwiseSignedDistanceToSet::CheckProperties() const {
  checkChoice("choice of places", this->Where, CELLS_OF_SECOND_INPUT);
  checkChoice("choice of the sign", this->Sign, UNSIGNED);
  checkLength("width of the band", this->Width);
  checkLength("margin of the box", this->Margin);
  if (this->MemoryLimit < 0) {
    throw InvalidArgument(std::format("the memory limit is {} MiB; it must not be negative", this->MemoryLimit));
  }
  if (this->ResultArrayName.empty()) {
    throw InvalidArgument("the array of distances has no name; give it one");
  }
}

void vtkSpanwiseSignedDistanceToSet::MakeOutput(
  const Team& team, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  this->CheckProperties();
  vtkDataSet* data = vtkDataSet::GetData(inputs[0], 0);
  const InputValues values = this->Where == CELLS_OF_SET ? InputValues::All : InputValues::None;
  InputCells set = readCells(team, data, values, progressOf(this).part(0.0, 0.2));
  if (this->Where != CELLS_OF_SECOND_INPUT) {
    std::visit([&](auto& cells) { this->Compute(team, set.placement, cells, cells, output); }, set.cells);
  } else {
    if (inputs[1]->GetNumberOfInformationObjects() == 0) {
      throw InvalidArgument(
        "distances are asked for in the cells of the second input (Cells Input), and there is none");
    }
    data = vtkDataSet::GetData(inputs[1], 0);
    InputCells where =
      aboutInput(cellsInput, [&] { return readCells(team, data, InputValues::All, progressOf(this).part(0.2, 0.3)); });
    if (cellsOf(team, set) == 0) { // of any dimension, anywhere
      set = where;
      std::visit([](auto& cells) { cells = {}; }, set.cells);
    } else if (cellsOf(team, where) == 0) {
      where = set;
      std::visit([](auto& cells) { cells = {}; }, where.cells);
    }
    if (set.dimension() != where.dimension()) {
      throw InvalidArgument(
        std::format("the set is {}D and the second input (Cells Input) {}D; they must have the same dimension",
          set.dimension(), where.dimension()));
    }
    std::visit(
      [&]<int Dim>(RankCells<Dim>& cells) {
        auto& asked = std::get<RankCells<Dim>>(where.cells);
        team.agree(
          [&] { aboutInput(cellsInput, [&] { moveToLattice<Dim>(asked.set, where.placement, set.placement); }); });
        this->Compute(team, set.placement, cells, asked, output);
      },
      set.cells);
  }
  if (data != nullptr) {
    output->GetFieldData()->PassData(data->GetFieldData());
  }
}

template <int Dim>
void vtkSpanwiseSignedDistanceToSet::Compute(const Team& team, const GridPlacement& placement, RankCells<Dim>& cells,
  RankCells<Dim>& asked, vtkUnstructuredGrid* output) {
  const SetDistance<Dim> distance{team, placement, periodsOf<Dim>(team, this->GetPeriodChoice(), cells.set, placement),
    this->ResultArrayName, this->MemoryLimit * 1048576.0, progressOf(this).part(0.3, 0.9)};
  switch (this->Where) {
  case CELLS_OF_SET:
    distance.inSet(asked);
    break;
  case BAND:
    distance.inBand(this->Width, asked);
    break;
  case BOX:
    distance.inBox(this->Margin, asked);
    break;
  default:
    distance.inCells(cells, asked);
  }
  this->ApplySign(asked);
  const PlaneRange owned = distribute(team, asked);
  team.agree([&] { setCells(output, asked, placement, owned); });
}

template <int Dim>
void vtkSpanwiseSignedDistanceToSet::ApplySign(const RankCells<Dim>& cells) const {
  auto* const array = vtkDoubleArray::SafeDownCast(cells.values->GetArray(this->ResultArrayName.c_str()));
  double* const values = array->GetPointer(0);
  if (this->Sign == UNSIGNED) {
    std::transform(values, values + array->GetNumberOfValues(), values, [](double value) { return std::abs(value); });
  } else if (this->Sign == POSITIVE_INSIDE) {
    std::transform(values, values + array->GetNumberOfValues(), values, std::negate<>());
  }
}
