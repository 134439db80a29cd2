#include "SpanwiseAlignedInputs.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseSide.h"
#include "SpanwiseValues.h"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

bool isEmptyEverywhere(const RankGroup& group, const InputCells& input) {
  return group.maximum(std::visit([](const auto& cells) { return cells.set.numCells(); }, input.cells)) == 0;
}

template <int Dim>
AlignedInputs<Dim> aligned(std::vector<InputCells>& inputs, const std::vector<bool>& empty, std::size_t reference) {
  AlignedInputs<Dim> result;
  result.placement = inputs[reference].placement;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    result.inputs.emplace_back();
    if (empty[k]) {
      continue;
    }
    const std::string both = "inputs " + std::to_string(reference) + " and " + std::to_string(k);
    if (inputs[k].dimension() != Dim) {
      throw InvalidArgument(both + ": they are " + std::to_string(Dim) + "D and " +
        std::to_string(inputs[k].dimension()) + "D; they must have the same dimension");
    }
    result.inputs.back() = std::get<RankCells<Dim>>(inputs[k].cells);
    aboutInput(both, [&] { moveToLattice<Dim>(result.inputs.back().set, inputs[k].placement, result.placement); });
  }
  return result;
}

using CellRuns = Kokkos::View<CellRun*, Kokkos::HostSpace>;
using Device = SpaceOf<ComputeSide::Device>;
using DeviceCells = CommonCells<Device::memory_space>;

std::int64_t numRunsOf(const CellRuns& runs) { return static_cast<std::int64_t>(runs.extent(0)); }

/// The cells that an input shares with the set that its values are carried to, on the side where they are needed.
template <int Dim>
class CarriedCells {
public:
  CarriedCells(const MirroredSet<Dim>& to, const MirroredSet<Dim>& from) : to_(to), from_(from) {}

  [[nodiscard]] bool areOnDevice() const {
    return (to_.isOnDevice() || from_.isOnDevice()) && to_.canBeReadOnDevice() && from_.canBeReadOnDevice();
  }
  [[nodiscard]] std::int64_t count() {
    const auto here = [&] { return numCellsOf(runs().data(), numRunsOf(runs())); };
    return areOnDevice() ? orOnHost([&] { return onDevice().numCells(); }, here) : here();
  }
  /// Runs of the set's cells, and the input's.
  const CellRuns& runs() {
    if (!runs_) {
      const auto found = [&]<ComputeSide side>(const SideContext<side>& context) -> CellRuns {
        const auto common =
          commonCells<SpaceOf<side>, Dim>(context, to_.template on<side>(), from_.template on<side>());
        return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), common);
      };
      const auto here = [&] { return found(SideContext<ComputeSide::Host>()); };
      runs_ = areOnDevice() ? orOnHost([&] { return found(SideContext<ComputeSide::Device>()); }, here) : here();
    }
    return *runs_;
  }
  /// The same on the device, the input's cells first.
  const DeviceCells& onDevice() {
    if (!onDevice_) {
      DeviceCells common; // there may be no memory for it
      commonCells<Device, Dim>(
        Context<Device>(), from_.template on<ComputeSide::Device>(), to_.template on<ComputeSide::Device>(), common);
      onDevice_ = std::move(common);
    }
    return *onDevice_;
  }

private:
  MirroredSet<Dim> to_;
  MirroredSet<Dim> from_;
  std::optional<CellRuns> runs_;
  std::optional<DeviceCells> onDevice_;
};

/// An input's array, and the cells that it has values of.
template <int Dim>
struct CarriedSource {
  vtkAbstractArray* array;
  CarriedCells<Dim>* cells;
};

/// The values of all sources, the first one has the last word, on the device. Null where they do not all lie there, or
/// cannot.
template <int Dim>
vtkSmartPointer<vtkAbstractArray> gatheredOnDevice(
  const std::vector<CarriedSource<Dim>>& sources, bool hasAll, std::int64_t numCells) {
  vtkAbstractArray* const model = sources[0].array;
  const bool canBe = std::ranges::all_of(sources, [&](const CarriedSource<Dim>& source) {
    return source.cells->areOnDevice() && source.array->GetDataType() == model->GetDataType();
  });
  if (!canBe) {
    return nullptr;
  }
  return madeOnDevice(model, numCells, [&]<class T>(auto& values) {
    using Value = FieldTypeOf<T>;
    const Context<Device> context;
    if (!hasAll) {
      field::fill<Device, Value>(context, values, inTypeOf<Value>(std::numeric_limits<double>::quiet_NaN()));
    }
    for (std::size_t k = sources.size(); k-- > 0;) {
      const auto from = deviceField<T>(vtkDataArray::SafeDownCast(sources[k].array));
      field::copyCommon<Device, Value>(context, sources[k].cells->onDevice(), from, values);
    }
  });
}

/// The array of the model's name, gathered from all inputs that have it. An input with all cells shares its array.
template <int Dim>
vtkSmartPointer<vtkAbstractArray> carriedArray(const std::vector<RankCells<Dim>>& inputs,
  std::vector<CarriedCells<Dim>>& shared, vtkAbstractArray* model, std::int64_t numCells) {
  std::vector<CarriedSource<Dim>> sources; // the first one has the last word
  bool hasAll = false;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    vtkAbstractArray* const array = inputs[k].values->GetAbstractArray(model->GetName());
    if (array == nullptr) {
      continue;
    }
    if (array->GetNumberOfComponents() != model->GetNumberOfComponents() ||
      (vtkDataArray::SafeDownCast(array) == nullptr) != (vtkDataArray::SafeDownCast(model) == nullptr)) {
      throw InvalidArgument(std::string("the array '") + model->GetName() + "' has " +
        countText(model->GetNumberOfComponents(), "component") + " of type " + model->GetDataTypeAsString() +
        " in one input and " + std::to_string(array->GetNumberOfComponents()) + " of type " +
        array->GetDataTypeAsString() + " in input " + std::to_string(k) + "; leave it out or make them alike");
    }
    if (!hasAll) {
      sources.push_back({array, &shared[k]});
      hasAll = shared[k].count() == numCells;
    }
  }
  if (hasAll && sources.size() == 1 && sources[0].array->GetNumberOfTuples() == numCells) {
    return sources[0].array;
  }
  const auto nothing = [] { return vtkSmartPointer<vtkAbstractArray>(); };
  if (auto there = orOnHost([&] { return gatheredOnDevice(sources, hasAll, numCells); }, nothing)) {
    return there;
  }
  const auto result = arrayLike(model, numCells);
  if (!hasAll) {
    const CellRuns* const only = sources.size() == 1 ? &sources[0].cells->runs() : nullptr;
    fillBesideRuns(result, std::numeric_limits<double>::quiet_NaN(), only != nullptr ? only->data() : nullptr,
      only != nullptr ? numRunsOf(*only) : 0);
  }
  for (std::size_t k = sources.size(); k-- > 0;) {
    const CellRuns& runs = sources[k].cells->runs();
    copyRuns(sources[k].array, runs.data(), numRunsOf(runs), result);
  }
  return result;
}

} // namespace

void mergeTimes(vtkInformationVector* inputs, vtkInformation* outInfo) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  std::set<double> steps;
  double range[2] = {std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (int k = 0; k < inputs->GetNumberOfInformationObjects(); ++k) {
    vtkInformation* info = inputs->GetInformationObject(k);
    if (info->Has(Pipeline::TIME_STEPS())) {
      const double* first = info->Get(Pipeline::TIME_STEPS());
      steps.insert(first, first + info->Length(Pipeline::TIME_STEPS()));
    }
    if (info->Has(Pipeline::TIME_RANGE())) {
      const double* ends = info->Get(Pipeline::TIME_RANGE());
      range[0] = std::min(range[0], ends[0]);
      range[1] = std::max(range[1], ends[1]);
    }
  }
  if (!steps.empty()) {
    const std::vector<double> sorted(steps.begin(), steps.end());
    outInfo->Set(Pipeline::TIME_STEPS(), sorted.data(), static_cast<int>(sorted.size()));
  }
  if (range[0] <= range[1]) {
    outInfo->Set(Pipeline::TIME_RANGE(), range, 2);
  }
}

std::vector<vtkDataSet*> dataSetsOf(vtkInformationVector* inputs) {
  std::vector<vtkDataSet*> data;
  for (int k = 0; k < inputs->GetNumberOfInformationObjects(); ++k) {
    data.push_back(vtkDataSet::GetData(inputs, k));
  }
  return data;
}

void passFieldData(const std::vector<vtkDataSet*>& inputs, vtkDataObject* output) {
  for (auto input = inputs.rbegin(); input != inputs.rend(); ++input) { // the first one has the last word
    if (*input != nullptr) {
      output->GetFieldData()->PassData((*input)->GetFieldData());
    }
  }
}

std::variant<AlignedInputs<2>, AlignedInputs<3>> readAligned(const RankGroup& group,
  const std::vector<vtkDataSet*>& data, const CarriedArrays& carried, const Progress& progress) {
  std::vector<InputCells> inputs;
  std::vector<bool> empty;
  std::size_t reference = data.size();
  for (std::size_t k = 0; k < data.size(); ++k) {
    const auto count = static_cast<double>(data.size());
    const auto part = progress.part(static_cast<double>(k) / count, static_cast<double>(k + 1) / count);
    const InputValues values = carried.any() ? InputValues::AllOnAnySide : InputValues::None;
    inputs.push_back(aboutInput("input " + std::to_string(k), [&] { return readCells(group, data[k], values, part); }));
    std::visit([&](auto& cells) { carried.keepOnly(cells.values); }, inputs.back().cells);
    empty.push_back(isEmptyEverywhere(group, inputs.back()));
    if (!empty.back() && reference == data.size()) {
      reference = k;
    }
  }
  if (reference == data.size()) {
    reference = 0; // nothing anywhere
  }
  std::variant<AlignedInputs<2>, AlignedInputs<3>> result;
  group.agree([&] {
    if (inputs[reference].dimension() == 2) {
      result = aligned<2>(inputs, empty, reference);
    } else {
      result = aligned<3>(inputs, empty, reference);
    }
  });
  return result;
}

template <int Dim>
PlaneRange bringToOneCut(const RankGroup& group, std::vector<RankCells<Dim>>& inputs) {
  if (group.alone()) {
    return {};
  }
  const std::vector<const MirroredSet<Dim>*> sets = sideInputsOf<Dim>(inputs).sets;
  RowCut cut;
  if (!findCut<Dim>(group, sets, cut)) {
    cut = evenCut<Dim>(group, sets);
    for (RankCells<Dim>& input : inputs) {
      migrate(group, cut, input);
    }
  }
  return cut.part(group.rank());
}

template <int Dim>
void carryValues(const std::vector<RankCells<Dim>>& inputs, RankCells<Dim>& cells) {
  std::vector<CarriedCells<Dim>> shared;
  for (const RankCells<Dim>& input : inputs) {
    shared.emplace_back(cells.set, input.set);
  }
  for (const RankCells<Dim>& input : inputs) {
    for (int k = 0; k < input.values->GetNumberOfArrays(); ++k) {
      vtkAbstractArray* model = input.values->GetAbstractArray(k);
      if (cells.values->HasArray(model->GetName()) != 0) {
        continue;
      }
      const int index = cells.values->AddArray(carriedArray<Dim>(inputs, shared, model, cells.set.numCells()));
      if (&input == inputs.data() && input.values->IsArrayAnAttribute(k) >= 0) {
        cells.values->SetActiveAttribute(index, input.values->IsArrayAnAttribute(k));
      }
    }
  }
}

template PlaneRange bringToOneCut<2>(const RankGroup&, std::vector<RankCells<2>>&);
template PlaneRange bringToOneCut<3>(const RankGroup&, std::vector<RankCells<3>>&);
template void carryValues<2>(const std::vector<RankCells<2>>&, RankCells<2>&);
template void carryValues<3>(const std::vector<RankCells<3>>&, RankCells<3>&);

} // namespace spanwise
