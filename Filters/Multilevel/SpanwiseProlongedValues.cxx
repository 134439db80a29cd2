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

#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

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
      putComponent(fine, k, to);
    }
  }
}

/// Prolongs an array of numbers. What is not real is only copied, and is known by its size. False if nothing was done.
template <int Dim>
bool prolongNumbers(const TransferMapOn<Dim, Host>& map, vtkAbstractArray* from, vtkAbstractArray* to) {
  auto* const numbers = vtkDataArray::SafeDownCast(from);
  if (numbers == nullptr) {
    return false;
  }
  auto* const out = vtkDataArray::SafeDownCast(to);
  const auto run = [&]<class T>(T /*type*/) {
    prolongTuples<Dim, T>(map, inTuples(numbers), out);
    return true;
  };
  if (isReal(from)) {
    return from->GetDataType() == VTK_FLOAT ? run(float()) : run(double());
  }
  switch (from->GetDataTypeSize()) { // 0 for bits
  case 1:
    return run(std::uint8_t());
  case 4:
    return run(std::int32_t());
  case 8:
    return run(std::int64_t());
  default:
    return false;
  }
}

/// The maps that are needed, made when they are first.
template <int Dim>
class Maps {
public:
  Maps(const HostIntervalSet<Dim>& coarse, const HostIntervalSet<Dim>& fine) : coarse_(coarse), fine_(fine) {}

  const TransferMapOn<Dim, Host>& of(Prolongation method) {
    std::optional<TransferMapOn<Dim, Host>>& map = method == Prolongation::Injection ? injection_ : other_;
    if (!map) {
      const Context<Host> context;
      buildTransferMap<Host, Dim>(context, coarse_, fine_, fine_, method, map.emplace());
    }
    return *map;
  }

private:
  const HostIntervalSet<Dim>& coarse_;
  const HostIntervalSet<Dim>& fine_;
  std::optional<TransferMapOn<Dim, Host>> injection_;
  std::optional<TransferMapOn<Dim, Host>> other_; ///< of the one method that is asked for
};

/// The number of each fine cell's parent.
template <int Dim>
std::vector<std::int64_t> parentsOf(const TransferMapOn<Dim, Host>& map, std::int64_t numCoarse, std::int64_t numFine) {
  HostField<std::int64_t> numbers("numbers", numCoarse);
  std::iota(numbers.view().values, numbers.view().values + numCoarse, std::int64_t{0});
  std::vector<std::int64_t> parents(static_cast<std::size_t>(numFine));
  FieldView<std::int64_t> view;
  view.values = parents.data();
  view.numCells = numFine;
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
  Maps<Dim> maps(coarse.set, fine);
  for (int k = 0; k < coarse.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* from = coarse.values->GetAbstractArray(k);
    const auto& map = maps.of(isReal(from) ? method : Prolongation::Injection);
    vtkSmartPointer<vtkAbstractArray> to = arrayLike(from, fine.numCells());
    if (!prolongNumbers<Dim>(map, from, to)) { // strings and the like
      if (injected.sourceCells.empty() && !fine.empty()) {
        injected.sourceCells = parentsOf<Dim>(map, coarse.set.numCells(), fine.numCells());
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
