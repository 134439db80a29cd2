#include "SpanwiseProlongedValues.h"

#include "SpanwiseBridge.h"
#include "SpanwiseTuples.h"
#include "SpanwiseValues.h"

#include "Core/Multilevel/Refine.hpp"
#include "Core/Multilevel/Transfer.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>

#include <numeric>

using namespace spanwise::field;
using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

template <int Dim, class T>
void prolongTuples(const TransferMapOn<Dim, Host>& map, vtkDataArray* from, vtkDataArray* to) {
  const int components = from->GetNumberOfComponents();
  for (int k = 0; k < components; ++k) {
    HostField<T> fine = components == 1 ? componentField<T>(to, 0) : HostField<T>("values", to->GetNumberOfTuples());
    prolong<Host, Dim, T>(Context<Host>(), map, componentField<T>(from, k), fine);
    Host().fence(SPANWISE_LABEL("Multilevel::prolongedValues"));
    if (components > 1) {
      auto* out = static_cast<T*>(to->GetVoidPointer(0));
      const T* values = fine.view().values;
      for (std::int64_t c = 0; c < fine.numCells(); ++c) {
        out[c * components + k] = values[c];
      }
    }
  }
}

/// The number of each fine cell's parent.
template <int Dim>
std::vector<std::int64_t> parentsOf(const HostIntervalSet<Dim>& coarse, const HostIntervalSet<Dim>& fine) {
  const Context<Host> context;
  TransferMapOn<Dim, Host> map;
  buildTransferMap<Host, Dim>(context, coarse, fine, fine, Prolongation::Injection, map);
  HostField<std::int64_t> numbers("numbers", coarse.numCells());
  std::iota(numbers.view().values, numbers.view().values + coarse.numCells(), std::int64_t{0});
  std::vector<std::int64_t> parents(static_cast<std::size_t>(fine.numCells()));
  FieldView<std::int64_t> view;
  view.values = parents.data();
  view.numCells = fine.numCells();
  HostField<std::int64_t> ofFine("parents", view, nullptr);
  prolong<Host, Dim, std::int64_t>(Context<Host>(), map, numbers, ofFine);
  Host().fence(SPANWISE_LABEL("Multilevel::prolongedValues"));
  return parents;
}

} // namespace

template <int Dim>
vtkSmartPointer<vtkCellData> prolongedValues(
  const RankCells<Dim>& coarse, const HostIntervalSet<Dim>& fine, Prolongation method) {
  auto values = vtkSmartPointer<vtkCellData>::New();
  Intervals<Dim> injected;
  injected.sameCells = false;
  TransferMapOn<Dim, Host> map;
  if (method != Prolongation::Injection && coarse.values->GetNumberOfArrays() > 0) {
    const Context<Host> context;
    buildTransferMap<Host, Dim>(context, coarse.set, fine, fine, method, map);
  }
  for (int k = 0; k < coarse.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* from = coarse.values->GetAbstractArray(k);
    vtkSmartPointer<vtkAbstractArray> to;
    if (method != Prolongation::Injection && isReal(from)) {
      to = arrayLike(from, fine.numCells());
      const auto tuples = inTuples(vtkDataArray::SafeDownCast(from));
      auto* numbers = vtkDataArray::SafeDownCast(to);
      if (from->GetDataType() == VTK_FLOAT) {
        prolongTuples<Dim, float>(map, tuples, numbers);
      } else {
        prolongTuples<Dim, double>(map, tuples, numbers);
      }
    } else {
      if (injected.sourceCells.empty() && !fine.empty()) {
        injected.sourceCells = parentsOf<Dim>(coarse.set, fine);
      }
      vtkNew<vtkCellData> one;
      vtkNew<vtkCellData> gathered;
      one->AddArray(from);
      passCellData<Dim>(injected, one, gathered);
      to = gathered->GetAbstractArray(0);
    }
    const int index = values->AddArray(to);
    if (const int attribute = coarse.values->IsArrayAnAttribute(k); attribute >= 0) {
      values->SetActiveAttribute(index, attribute);
    }
  }
  dropIds(values);
  return values;
}

template <int Dim>
RankCells<Dim> refinedAmong(const HostIntervalSet<Dim>& some, const RankCells<Dim>& cells, Prolongation method) {
  RankCells<Dim> fine;
  const Context<Host> context;
  refine<Host, Dim>(context, some, fine.set);
  fine.values = prolongedValues<Dim>(cells, fine.set, method);
  return fine;
}

template <int Dim>
RankCells<Dim> refined(const RankCells<Dim>& cells, Prolongation method) {
  return refinedAmong<Dim>(cells.set, cells, method);
}

#define SPANWISE_PROLONGED_VALUES(Dim)                                                                                 \
  template vtkSmartPointer<vtkCellData> prolongedValues<Dim>(                                                          \
    const RankCells<Dim>&, const HostIntervalSet<Dim>&, Prolongation);                                                 \
  template RankCells<Dim> refined<Dim>(const RankCells<Dim>&, Prolongation);                                           \
  template RankCells<Dim> refinedAmong<Dim>(const HostIntervalSet<Dim>&, const RankCells<Dim>&, Prolongation);
SPANWISE_PROLONGED_VALUES(2)
SPANWISE_PROLONGED_VALUES(3)

} // namespace spanwise
