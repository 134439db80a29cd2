#include "vtkSpanwiseSetExpression.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwiseComponents.h"

#include "Core/Geometry/EvaluateSetExpression.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <functional>
#include <limits>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseSetExpression);

namespace {

using Host = HostExecutionSpace;

/// The cells of the inputs that the result in the rank's own planes depends on, without values.
template <int Dim>
std::vector<HostIntervalSet<Dim>> setsAround(
  const Team& team, const std::vector<RankCells<Dim>>& inputs, const PlaneRange& owned, const Halo& halo) {
  std::vector<HostIntervalSet<Dim>> sets;
  for (const RankCells<Dim>& input : inputs) {
    RankCells<Dim> cells;
    cells.set = input.set;
    if (!team.alone() && halo.planes > 0) {
      addHalo(team, owned, cells, halo);
    }
    sets.push_back(cells.set);
  }
  return sets;
}

/// What depends on all cells, of ranks that each have their own planes.
template <int Dim>
class OnRanks final : public WholeSetOperations<Host, Dim> {
public:
  using Set = HostIntervalSet<Dim>;
  using Reach = spanwise::SetExpression::Reach;

  OnRanks(const Team& team, const PlaneRange& owned) : team_(team), owned_(owned) {}

  void fillHoles(spanwise::Connectivity connectivity, const Set& set, const Reach& reach, Set& out) override {
    constexpr std::int64_t anySize = std::numeric_limits<std::int64_t>::max();
    addPlanes(filled<Dim>(team_, connectivity, anySize, {}, owned_, ownOf(set)), reach, out);
  }
  void largestComponent(spanwise::Connectivity connectivity, const Set& set, const Reach& reach, Set& out) override {
    addPlanes(largestComponentOf<Dim>(team_, connectivity, owned_, ownOf(set)), reach, out);
  }
  void agree(const std::function<void()>& work) override { team_.agree(work); }

private:
  [[nodiscard]] Set ownOf(const Set& set) const {
    Set own;
    team_.agree([&] { restrictRows<Host, Dim>(Host(), set, owned_, own); });
    return own;
  }
  void addPlanes(const Set& set, const Reach& reach, Set& out) const {
    RankCells<Dim> cells;
    cells.set = set;
    if (reach.halo() > 0) {
      addHalo(team_, owned_, cells, reach.halo());
    }
    out = cells.set;
  }

  const Team& team_;
  PlaneRange owned_;
};

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
  const Team& team, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  const std::vector<vtkDataSet*> data = dataSetsOf(inputs[0]);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < data.size(); ++k) {
    names.push_back(this->GetInputName(static_cast<int>(k)));
  }
  const spanwise::SetExpression expression(this->Expression, names); // the same on all ranks, an error too
  auto read = readAligned(team, data, this->GetCarriedArrays(), progressOf(this).part(0.0, 0.3));
  std::visit([&](auto& aligned) { this->MakeSet(team, expression, aligned, output); }, read);
  passFieldData(data, output);
}

template <class Aligned>
void vtkSpanwiseSetExpression::MakeSet(
  const Team& team, const spanwise::SetExpression& expression, Aligned& aligned, vtkUnstructuredGrid* output) {
  constexpr int Dim = std::decay_t<decltype(aligned.inputs[0].set)>::dimension;
  SetExpressionEvaluator<Host, Dim> evaluator(expression);
  for (std::size_t k = 0; k < aligned.inputs.size(); ++k) {
    if (!expression.givesCells(static_cast<int>(k))) {
      aligned.inputs[k].values = vtkSmartPointer<vtkCellData>::New();
    }
  }
  const PlaneRange planes = bringToOneCut<Dim>(team, aligned.inputs);
  const SetExpression::Reach reach = expression.reach(Dim);
  const auto sets = setsAround<Dim>(team, aligned.inputs, planes, reach.halo());
  RankCells<Dim> result;
  Workspace<Kokkos::HostSpace> workspace;
  OnRanks<Dim> onRanks(team, planes);
  const auto evaluate = [&](WholeSetOperations<Host, Dim>* whole) {
    evaluator.evaluate(Host(), sets, result.set, workspace, reach.of(planes), progressOf(this).part(0.3, 0.8), whole);
  };
  if (team.alone() || !expression.dependsOnAll()) {
    team.agree([&] { evaluate(nullptr); });
  } else {
    evaluate(&onRanks);
  }
  team.agree([&] {
    restrictCells(result, planes);
    carryValues<Dim>(aligned.inputs, result);
  });
  const PlaneRange owned = distribute(team, result);
  team.agree([&] { setCells(output, result, aligned.placement, owned); });
}
