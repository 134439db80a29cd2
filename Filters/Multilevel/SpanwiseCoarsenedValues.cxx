#include "SpanwiseCoarsenedValues.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseTuples.h"
#include "SpanwiseValues.h"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/TuplesView.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkSetGet.h>

#include <cstdint>
#include <numeric>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
using Device = SpaceOf<ComputeSide::Device>;

CoarseValue ruleFor(vtkAbstractArray* array, const CoarseRules& rules) {
  return isReal(array) ? rules.real : rules.whole;
}

/// An array of numbers on coarse cells; null if it holds others.
template <int Dim>
vtkSmartPointer<vtkAbstractArray> coarsenedNumbers(const HostIntervalSet<Dim>& coarse, const HostIntervalSet<Dim>& fine,
  const CoarseRules& rules, const CellShares& shares, vtkAbstractArray* from) {
  auto* const numbers = vtkDataArray::SafeDownCast(from);
  if (numbers == nullptr || from->GetDataType() == VTK_BIT) {
    return nullptr;
  }
  const ValuesOn<double, ComputeSide::Host> ofFine(shares);
  const auto tuples = inTuples(numbers);
  const int components = from->GetNumberOfComponents();
  auto to = arrayLike(from, coarse.numCells());
  const auto run = [&]<class T>(T /*type*/) {
    coarsenValues<Host, Dim, T>(Context<Host>(), coarse, fine,
      {tuplesView(static_cast<const T*>(tuples->GetVoidPointer(0)), fine.numCells(), components), ofFine.data()},
      ruleFor(from, rules), tuplesView(static_cast<T*>(to->GetVoidPointer(0)), coarse.numCells(), components));
  };
  switch (from->GetDataType()) {
    vtkTemplateMacro(run(VTK_TT()));
  default:
    break;
  }
  return to;
}

/// The same on the device; null where the array cannot be there.
template <int Dim>
vtkSmartPointer<vtkAbstractArray> coarsenedThere(
  const CoveredCells<Dim>& fine, const MirroredSet<Dim>& coarse, const CoarseRules& rules, vtkAbstractArray* from) {
  return madeOnDevice(from, coarse.numCells(), [&]<class T>(auto& values) {
    const ValuesOn<double, ComputeSide::Device> shares(fine.shares);
    auto fineValues = deviceField<T>(vtkDataArray::SafeDownCast(from));
    coarsenValues<Device, Dim, FieldTypeOf<T>>(Context<Device>(), coarse.template on<ComputeSide::Device>(),
      fine.cells.set.template on<ComputeSide::Device>(), {fineValues.view(), shares.data()}, ruleFor(from, rules),
      values.view());
    Device().fence(SPANWISE_LABEL("Multilevel::coarsenedValues")); // before the fields go
  });
}

/// The fine cell that comes first in each coarse one.
template <int Dim>
std::vector<std::int64_t> firstChildren(const HostIntervalSet<Dim>& coarse, const HostIntervalSet<Dim>& fine) {
  std::vector<long> numbers(static_cast<std::size_t>(fine.numCells()));
  std::iota(numbers.begin(), numbers.end(), 0L);
  std::vector<long> first(static_cast<std::size_t>(coarse.numCells()));
  coarsenValues<Host, Dim, long>(Context<Host>(), coarse, fine,
    {tuplesView<const long>(numbers.data(), fine.numCells(), 1)}, CoarseValue::First,
    tuplesView(first.data(), coarse.numCells(), 1));
  return {first.begin(), first.end()};
}

} // namespace

template <ComputeSide side, int Dim>
vtkSmartPointer<vtkCellData> coarsenedValues(
  const CoveredCells<Dim>& fine, const MirroredSet<Dim>& coarse, const CoarseRules& rules) {
  auto values = vtkSmartPointer<vtkCellData>::New();
  std::vector<std::int64_t> first;
  for (int k = 0; k < fine.cells.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* const from = fine.cells.values->GetAbstractArray(k);
    vtkSmartPointer<vtkAbstractArray> to;
    if constexpr (side == ComputeSide::Device) {
      to = coarsenedThere<Dim>(fine, coarse, rules, from);
    }
    if (to == nullptr) {
      to = coarsenedNumbers<Dim>(coarse.host(), fine.cells.set.host(), rules, fine.shares, onHost(from));
    }
    if (to == nullptr) { // strings and the like
      if (first.empty()) {
        first = firstChildren<Dim>(coarse.host(), fine.cells.set.host());
      }
      to = arrayLike(from, coarse.numCells());
      for (std::size_t c = 0; c < first.size(); ++c) {
        to->InsertTuple(static_cast<vtkIdType>(c), first[c], from);
      }
    }
    const int index = values->AddArray(to);
    if (const int attribute = fine.cells.values->IsArrayAnAttribute(k); attribute >= 0) {
      values->SetActiveAttribute(index, attribute);
    }
  }
  dropIds(values);
  return values;
}

template <ComputeSide side, int Dim>
CellShares coveredShares(const CoveredCells<Dim>& fine, const MirroredSet<Dim>& coarse) {
  const ValuesOn<double, side> ofFine(fine.shares);
  ArrayOnSide<side, double> shares("share", coarse.numCells(), 1);
  coverOf<SpaceOf<side>, Dim>(Context<SpaceOf<side>>(), coarse.template on<side>(), fine.cells.set.template on<side>(),
    ofFine.data(), shares.values().view().values);
  return shares.array();
}

template <ComputeSide side, int Dim>
CoveredCells<Dim> coarsened(const CoveredCells<Dim>& fine, Coarsening which, const CoarseRules& rules) {
  IntervalSetOn<Dim, SpaceOf<side>> parents;
  coarsen<SpaceOf<side>, Dim>(Context<SpaceOf<side>>(), which, fine.cells.set.template on<side>(), parents);
  CoveredCells<Dim> coarse;
  coarse.cells.set = MirroredSet<Dim>::template of<side>(parents);
  coarse.cells.values = coarsenedValues<side, Dim>(fine, coarse.cells.set, rules);
  if (fine.cells.values->GetNumberOfArrays() > 0 && (which == Coarsening::Outside || fine.shares != nullptr)) {
    coarse.shares = coveredShares<side, Dim>(fine, coarse.cells.set);
  }
  return coarse;
}

#define SPANWISE_COARSENED_VALUES(side, Dim)                                                                           \
  template vtkSmartPointer<vtkCellData> coarsenedValues<ComputeSide::side, Dim>(                                       \
    const CoveredCells<Dim>&, const MirroredSet<Dim>&, const CoarseRules&);                                            \
  template CellShares coveredShares<ComputeSide::side, Dim>(const CoveredCells<Dim>&, const MirroredSet<Dim>&);        \
  template CoveredCells<Dim> coarsened<ComputeSide::side, Dim>(                                                        \
    const CoveredCells<Dim>&, Coarsening, const CoarseRules&);
SPANWISE_COARSENED_VALUES(Host, 2)
SPANWISE_COARSENED_VALUES(Host, 3)
SPANWISE_COARSENED_VALUES(Device, 2)
SPANWISE_COARSENED_VALUES(Device, 3)

} // namespace spanwise
