#include "SpanwiseCoarsenedValues.h"

#include "Core/Runtime/Context.hpp"

#include "SpanwiseTuples.h"
#include "SpanwiseValues.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkSetGet.h>

#include <numeric>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

template <int Dim, class T>
void coarsenTuples(const HostIntervalSet<Dim>& coarse, const HostIntervalSet<Dim>& fine, CoarseValue rule,
  const double* shares, vtkDataArray* from, vtkDataArray* to) {
  const int components = from->GetNumberOfComponents();
  coarsenValues<Host, Dim, T>(Context<Host>(), coarse, fine,
    {{static_cast<const T*>(from->GetVoidPointer(0)), components}, shares}, rule,
    {static_cast<T*>(to->GetVoidPointer(0)), components});
}

template <int Dim>
void coarsenArray(const HostIntervalSet<Dim>& coarse, const HostIntervalSet<Dim>& fine, const CoarseRules& rules,
  const double* shares, vtkDataArray* from, vtkDataArray* to) {
  const auto tuples = inTuples(from);
  switch (from->GetDataType()) {
    vtkTemplateMacro(
      (coarsenTuples<Dim, VTK_TT>(coarse, fine, isReal(from) ? rules.real : rules.whole, shares, tuples, to)));
  default:
    break;
  }
}

/// The fine cell that comes first in each coarse one.
template <int Dim>
std::vector<std::int64_t> firstChildren(const HostIntervalSet<Dim>& coarse, const HostIntervalSet<Dim>& fine) {
  std::vector<long long> numbers(static_cast<std::size_t>(fine.numCells()));
  std::iota(numbers.begin(), numbers.end(), 0LL);
  std::vector<long long> first(static_cast<std::size_t>(coarse.numCells()));
  coarsenValues<Host, Dim, long long>(
    Context<Host>(), coarse, fine, {{numbers.data(), 1}}, CoarseValue::First, {first.data(), 1});
  return {first.begin(), first.end()};
}

} // namespace

template <int Dim>
vtkSmartPointer<vtkCellData> coarsenedValues(const RankCells<Dim>& fine, const HostIntervalSet<Dim>& coarse,
  const CoarseRules& rules, const std::vector<double>& shares) {
  auto values = vtkSmartPointer<vtkCellData>::New();
  sliceValues(fine.values, 0, 0, values);
  std::vector<std::int64_t> first;
  for (int k = 0; k < values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* from = fine.values->GetAbstractArray(k);
    vtkAbstractArray* to = values->GetAbstractArray(k);
    to->SetNumberOfTuples(coarse.numCells());
    auto* numbers = vtkDataArray::SafeDownCast(from);
    if (numbers != nullptr && from->GetDataType() != VTK_BIT) {
      coarsenArray<Dim>(coarse, fine.set.host(), rules, shares.empty() ? nullptr : shares.data(), numbers,
        vtkDataArray::SafeDownCast(to));
      continue;
    }
    if (first.empty()) {
      first = firstChildren<Dim>(coarse, fine.set.host());
    }
    for (std::size_t c = 0; c < first.size(); ++c) {
      to->InsertTuple(static_cast<vtkIdType>(c), first[c], from);
    }
  }
  dropIds(values);
  return values;
}

template <int Dim>
CoveredCells<Dim> coarsened(const CoveredCells<Dim>& fine, Coarsening which, const CoarseRules& rules) {
  HostIntervalSet<Dim> parents;
  const Context<Host> context;
  coarsen<Host, Dim>(context, which, fine.cells.set.host(), parents);
  CoveredCells<Dim> coarse;
  coarse.cells.set = parents;
  coarse.cells.values = coarsenedValues<Dim>(fine.cells, parents, rules, fine.shares);
  if (fine.cells.values->GetNumberOfArrays() > 0 && (which == Coarsening::Outside || !fine.shares.empty())) {
    coarse.shares.resize(static_cast<std::size_t>(coarse.cells.set.numCells()));
    coverOf<Host, Dim>(context, parents, fine.cells.set.host(), fine.shares.empty() ? nullptr : fine.shares.data(),
      coarse.shares.data());
  }
  return coarse;
}

#define SPANWISE_COARSENED_VALUES(Dim)                                                                                 \
  template vtkSmartPointer<vtkCellData> coarsenedValues<Dim>(                                                          \
    const RankCells<Dim>&, const HostIntervalSet<Dim>&, const CoarseRules&, const std::vector<double>&);               \
  template CoveredCells<Dim> coarsened<Dim>(const CoveredCells<Dim>&, Coarsening, const CoarseRules&);
SPANWISE_COARSENED_VALUES(2)
SPANWISE_COARSENED_VALUES(3)

} // namespace spanwise
