#include "SpanwiseProlongedValues.h"

#include "SpanwiseBridge.h"
#include "SpanwiseMirroredArray.h"
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
#include <type_traits>
#include <vector>

using namespace spanwise::field;
using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
using Device = SpaceOf<ComputeSide::Device>;

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

/// Prolongs an array of numbers. What is not real is only copied, and is known by its size. Null if nothing was done.
template <int Dim>
vtkSmartPointer<vtkAbstractArray> prolongedNumbers(
  const TransferMapOn<Dim, Host>& map, vtkAbstractArray* from, std::int64_t numFine) {
  vtkSmartPointer<vtkAbstractArray> to;
  auto* const numbers = vtkDataArray::SafeDownCast(from);
  if (numbers == nullptr) {
    return to;
  }
  const auto run = [&]<class T>(T /*type*/) {
    to = arrayLike(from, numFine);
    prolongTuples<Dim, T>(map, inTuples(numbers), vtkDataArray::SafeDownCast(to));
  };
  if (isReal(from)) {
    from->GetDataType() == VTK_FLOAT ? run(float()) : run(double());
    return to;
  }
  switch (from->GetDataTypeSize()) { // 0 for bits
  case 1:
    run(std::uint8_t());
    break;
  case 4:
    run(std::int32_t());
    break;
  case 8:
    run(std::int64_t());
    break;
  default:
    break;
  }
  return to;
}

/// The same on the device; map() is the map.
template <int Dim, class Map>
vtkSmartPointer<vtkAbstractArray> prolongedThere(const Map& map, vtkAbstractArray* from, std::int64_t numFine) {
  return madeOnDevice(from, numFine, [&]<class T>(auto& fine) {
    const auto coarse = deviceField<T>(vtkDataArray::SafeDownCast(from));
    prolong<Device, Dim, FieldTypeOf<T>>(Context<Device>(), map(), coarse, fine);
  });
}

/// The maps that are needed, made when they are first.
template <class Space, int Dim>
class Maps {
public:
  using Set = IntervalSetOn<Dim, Space>;

  const TransferMapOn<Dim, Space>& of(Prolongation method, const Set& coarse, const Set& fine) {
    std::optional<TransferMapOn<Dim, Space>>& map = method == Prolongation::Injection ? injection_ : other_;
    if (!map) {
      buildTransferMap<Space, Dim>(Context<Space>(), coarse, fine, fine, method, map.emplace());
    }
    return *map;
  }

private:
  std::optional<TransferMapOn<Dim, Space>> injection_;
  std::optional<TransferMapOn<Dim, Space>> other_; ///< of the one method that is asked for
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

template <ComputeSide side, int Dim>
vtkSmartPointer<vtkCellData> prolongedValues(
  const RankCells<Dim>& coarse, const MirroredSet<Dim>& fine, Prolongation method) {
  auto values = vtkSmartPointer<vtkCellData>::New();
  Intervals<Dim> injected;
  injected.sameCells = false;
  Maps<Device, Dim> there;
  Maps<Host, Dim> here;
  const auto onHostToo = [&](Prolongation used) -> const TransferMapOn<Dim, Host>& {
    return here.of(used, coarse.set.host(), fine.host());
  };
  for (int k = 0; k < coarse.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* from = coarse.values->GetAbstractArray(k);
    const Prolongation used = isReal(from) ? method : Prolongation::Injection;
    vtkSmartPointer<vtkAbstractArray> to;
    if constexpr (side == ComputeSide::Device) {
      const auto map = [&]() -> decltype(auto) {
        return there.of(used, coarse.set.template on<side>(), fine.template on<side>());
      };
      to = prolongedThere<Dim>(map, from, fine.numCells());
    }
    if (to == nullptr) {
      to = prolongedNumbers<Dim>(onHostToo(used), onHost(from), fine.numCells());
    }
    if (to == nullptr) { // strings and the like
      if (injected.sourceCells.empty() && !fine.empty()) {
        injected.sourceCells = parentsOf<Dim>(onHostToo(used), coarse.set.numCells(), fine.numCells());
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

template <ComputeSide side, int Dim>
RankCells<Dim> refinedAmong(const MirroredSet<Dim>& some, const RankCells<Dim>& cells, Prolongation method) {
  IntervalSetOn<Dim, SpaceOf<side>> out;
  refine<SpaceOf<side>, Dim>(Context<SpaceOf<side>>(), some.template on<side>(), out);
  const auto children = MirroredSet<Dim>::template of<side>(out);
  return {children, prolongedValues<side, Dim>(cells, children, method)};
}

template <ComputeSide side, int Dim>
RankCells<Dim> refined(const RankCells<Dim>& cells, Prolongation method) {
  return refinedAmong<side, Dim>(cells.set, cells, method);
}

#define SPANWISE_PROLONGED_VALUES(side, Dim)                                                                           \
  template vtkSmartPointer<vtkCellData> prolongedValues<ComputeSide::side, Dim>(                                       \
    const RankCells<Dim>&, const MirroredSet<Dim>&, Prolongation);                                                     \
  template RankCells<Dim> refined<ComputeSide::side, Dim>(const RankCells<Dim>&, Prolongation);                        \
  template RankCells<Dim> refinedAmong<ComputeSide::side, Dim>(                                                        \
    const MirroredSet<Dim>&, const RankCells<Dim>&, Prolongation);
SPANWISE_PROLONGED_VALUES(Host, 2)
SPANWISE_PROLONGED_VALUES(Host, 3)
SPANWISE_PROLONGED_VALUES(Device, 2)
SPANWISE_PROLONGED_VALUES(Device, 3)

} // namespace spanwise
