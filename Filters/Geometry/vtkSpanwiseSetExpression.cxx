#include "vtkSpanwiseSetExpression.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwisePeriods.h"

#include "Core/Geometry/EvaluateSetExpression.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseSetExpression);

namespace {

using Host = HostExecutionSpace;

} // namespace

void vtkSpanwiseSetExpression::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Expression: " << this->Expression << "\n";
  os << indent << "InputNames:";
  for (const std::string& name : this->InputNames) {
    os << " '" << name << "'";
  }
  os << "\n";
}

void vtkSpanwiseSetExpression::AddInputName(const char* name) {
  this->InputNames.emplace_back(name != nullptr ? name : "");
  this->Modified();
}

void vtkSpanwiseSetExpression::RemoveAllInputNames() {
  if (!this->InputNames.empty()) {
    this->InputNames.clear();
    this->Modified();
  }
}

std::string vtkSpanwiseSetExpression::GetInputName(int input) const {
  const auto k = static_cast<std::size_t>(input);
  return k < this->InputNames.size() && !this->InputNames[k].empty() ? this->InputNames[k] : defaultInputName(input);
}

void vtkSpanwiseSetExpression::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  const std::vector<vtkDataSet*> data = dataSetsOf(inputs[0]);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < data.size(); ++k) {
    names.push_back(this->GetInputName(static_cast<int>(k)));
  }
  const spanwise::geometry::SetExpression expression(this->Expression, names); // the same on all ranks, an error too
  auto read = readAligned(group, data, this->GetCarriedArrays(), progressOf(this).part(0.0, 0.3));
  std::visit([&](auto& aligned) { this->MakeSet(group, expression, aligned, output); }, read);
  passFieldData(data, output);
}

template <class Aligned>
void vtkSpanwiseSetExpression::MakeSet(const RankGroup& group, const spanwise::geometry::SetExpression& expression,
  Aligned& aligned, vtkUnstructuredGrid* output) {
  constexpr int Dim = std::decay_t<decltype(aligned.inputs[0].set)>::dimension;
  for (std::size_t k = 0; k < aligned.inputs.size(); ++k) {
    if (!expression.givesCells(static_cast<int>(k))) {
      aligned.inputs[k].values = vtkSmartPointer<vtkCellData>::New();
    }
  }
  const PlaneRange planes = bringToOneCut<Dim>(group, aligned.inputs);
  const SideInputs<Dim> all = sideInputsOf<Dim>(aligned.inputs);
  const SetDomain<Dim> domain = domainOf<Dim>(group, planes);
  RankCells<Dim> result;
  computeOnSide<Dim>(group, "Set Expression", all, [&]<ComputeSide side>(const SideContext<side>& context) {
    using Space = SpaceOf<side>;
    SetExpressionEvaluator<Space, Dim> evaluator(expression);
    IntervalSetOn<Dim, Space> out;
    evaluator.evaluate(context.with(progressOf(this).part(0.3, 0.8)), all.template on<side>(), out, domain);
    result.set = MirroredSet<Dim>::template of<side>(out);
  });
  group.agree([&] { carryValues<Dim>(aligned.inputs, result); });
  const PlaneRange owned = distribute(group, result);
  group.agree([&] { setCells(output, result, aligned.placement, owned); });
}
