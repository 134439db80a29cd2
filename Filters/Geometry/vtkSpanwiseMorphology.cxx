#include "vtkSpanwiseMorphology.h"

#include "SpanwiseBridge.h"
#include "SpanwiseElement.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseMorphCells.h"
#include "SpanwisePeriods.h"

#include "Core/Geometry/ScaledElement.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>

using namespace spanwise::geometry;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseMorphology);

namespace {

void checkChoice(const char* what, int value, int most) {
  if (value < 0 || value > most) {
    throw InvalidArgument(std::string("the ") + what + " is " + std::to_string(value) + "; it must be in [0, " +
      std::to_string(most) + "]");
  }
}

template <int Dim>
Lengths<Dim> lengthsOf(const double values[3]) {
  Lengths<Dim> lengths{};
  std::copy_n(values, Dim, lengths.along);
  return lengths;
}

MorphologyOperation operationOf(int operation) {
  using enum MorphologyOperation;
  constexpr MorphologyOperation operations[] = {Dilate, Erode, Open, Close, OuterGradient, InnerGradient};
  return operations[operation];
}

} // namespace

vtkSpanwiseMorphology::vtkSpanwiseMorphology() { this->SetNumberOfInputPorts(2); }

void vtkSpanwiseMorphology::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Operation: " << this->Operation << "\n";
  os << indent << "Element: " << this->Element << "\n";
  os << indent << "RadiusUnit: " << (this->RadiusUnit == IN_CELLS ? "cells" : "length") << "\n";
  os << indent << "Radii: " << this->Radii[0] << " " << this->Radii[1] << " " << this->Radii[2] << "\n";
  os << indent << "Radius: " << this->Radius << "\n";
  os << indent << "Iterations: " << this->Iterations << "\n";
  os << indent << "ElementOrigin: " << this->ElementOrigin[0] << " " << this->ElementOrigin[1] << " "
     << this->ElementOrigin[2] << "\n";
}

int vtkSpanwiseMorphology::FillInputPortInformation(int port, vtkInformation* info) {
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return this->Superclass::FillInputPortInformation(port, info);
}

void vtkSpanwiseMorphology::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  checkChoice("operation", this->Operation, INNER_GRADIENT);
  checkChoice("element", this->Element, CELLS);
  checkChoice("unit of the radius", this->RadiusUnit, IN_LENGTH);
  const PeriodChoice choice = this->GetPeriodChoice();
  vtkDataSet* data = vtkDataSet::GetData(inputs[0], 0);
  InputCells input = this->ReadInput(group, data);
  constexpr double ones[3] = {1.0, 1.0, 1.0};
  const double* const cell = this->RadiusUnit == IN_LENGTH ? input.placement.spacing : ones; // in the radii's unit
  const bool nothing =
    group.maximum(std::visit([](const auto& cells) { return cells.set.numCells(); }, input.cells)) == 0;
  const auto elementFor = [&]<int Dim>() {
    switch (this->Element) {
    case BOX:
      return scaledBox(lengthsOf<Dim>(this->Radii), lengthsOf<Dim>(cell));
    case DIAMOND:
      return scaledDiamond(this->Radius, lengthsOf<Dim>(cell));
    case BALL:
      return scaledBall(this->Radius, lengthsOf<Dim>(cell));
    case CELLS:
      if (inputs[1]->GetNumberOfInformationObjects() == 0) {
        throw InvalidArgument("the element is the cells of the second input (Element Cells), and there is none");
      }
      if (nothing) { // it has any dimension and spacing, and nothing becomes of it
        return StructuringElement<Dim>();
      }
      return elementOf<Dim>(group, vtkDataSet::GetData(inputs[1], 0), this->ElementOrigin, input.placement);
    default:
      return StructuringElement<Dim>::neighbourhood(static_cast<Connectivity>(this->Element - FACES), this->Iterations);
    }
  };
  std::visit(
    [&]<int Dim>(RankCells<Dim>& cells) {
      morphCells<Dim>(group,
        {operationOf(this->Operation), elementFor.template operator()<Dim>(),
          periodsOf<Dim>(group, choice, cells.set, input.placement)},
        cells, input.placement, progressOf(this).part(0.3, 1.0), output);
    },
    input.cells);
  if (data != nullptr) {
    output->GetFieldData()->PassData(data->GetFieldData());
  }
}
