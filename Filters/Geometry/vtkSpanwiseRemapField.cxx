#include "vtkSpanwiseRemapField.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseBridge.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseFieldArrays.h"
#include "SpanwiseOneGrid.h"
#include "SpanwiseValues.h"

#include "Core/Field/Remap.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::field;
using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseRemapField);

namespace {

using Host = HostExecutionSpace;
using Common = CommonCells<Kokkos::HostSpace>;

/// Whether two arrays hold the same kind of values.
bool alike(vtkAbstractArray* a, vtkAbstractArray* b) {
  return a != nullptr && a->GetDataType() == b->GetDataType() &&
    a->GetNumberOfComponents() == b->GetNumberOfComponents();
}

/// Copies the values of the shared cells if both arrays have one component that lies in one piece.
template <class T>
bool copyInPlace(vtkDataArray* from, const Common& common, vtkDataArray* to) {
  if (from == nullptr || from->GetNumberOfComponents() != 1 || inPlace<T>(from, 0) == nullptr ||
    inPlace<T>(to, 0) == nullptr) {
    return false;
  }
  HostField<T> target = fieldOf<T>(to, 1);
  copyCommon<Host, T>(Context<Host>(), common, fieldOf<T>(from, 1), target);
  Host().fence();
  return true;
}

bool copyInPlace(vtkAbstractArray* from, const Common& common, vtkAbstractArray* to) {
  auto* const a = vtkDataArray::SafeDownCast(from);
  auto* const b = vtkDataArray::SafeDownCast(to);
  return copyInPlace<double>(a, common, b) || copyInPlace<float>(a, common, b) ||
    copyInPlace<std::int32_t>(a, common, b) || copyInPlace<std::int64_t>(a, common, b) ||
    copyInPlace<std::uint8_t>(a, common, b);
}

/// The values of `source` on the cells of the target set, which are the second of `common`. Other cells have the values
/// of `kept` if that is not null and alike, otherwise the default.
vtkSmartPointer<vtkAbstractArray> remapped(
  vtkAbstractArray* source, const Common& common, double otherwise, vtkAbstractArray* kept) {
  const auto result = arrayLike(source, common.numCellsOfB());
  if (alike(kept, source)) {
    result->InsertTuples(0, common.numCellsOfB(), 0, kept);
  } else {
    fillBesideRuns(result, otherwise, nullptr, 0);
  }
  if (!copyInPlace(source, common, result)) {
    const auto runs = common.runs();
    for (std::int64_t k = 0; k < common.numRuns(); ++k) {
      result->InsertTuples(runs(k).b, runs(k).count, runs(k).a, source);
    }
  }
  return result;
}

using Device = SpaceOf<ComputeSide::Device>;
using CommonThere = CommonCells<Device::memory_space>;

/// The same on the device; null where the array cannot be there.
vtkSmartPointer<vtkAbstractArray> remappedThere(
  vtkAbstractArray* source, const CommonThere& common, double otherwise, vtkAbstractArray* kept) {
  return madeOnDevice(source, common.numCellsOfB(), [&]<class T>(auto& values) {
    using Value = FieldTypeOf<T>;
    const Context<Device> context;
    if (alike(kept, source)) {
      copyValues<Device, Value>(context, deviceField<T>(vtkDataArray::SafeDownCast(kept)), values);
    } else {
      fill<Device, Value>(context, values, inTypeOf<Value>(otherwise));
    }
    copyCommon<Device, Value>(context, common, deviceField<T>(vtkDataArray::SafeDownCast(source)), values);
  });
}

/// The arrays of `source` that are carried, on the cells of `result`.
template <ComputeSide side, int Dim>
void remapArrays(const RankCells<Dim>& source, const CarriedArrays& carried, double otherwise, bool keep,
  const RankCells<Dim>& before, RankCells<Dim>& result) {
  using Space = SpaceOf<side>;
  Common here;
  const auto commonHere = [&]() -> const Common& {
    if (here.numCellsOfB() == 0) {
      commonCells<Host, Dim>(Context<Host>(), source.set.host(), before.set.host(), here);
    }
    return here;
  };
  CommonThere there;
  if constexpr (side == ComputeSide::Device) {
    commonCells<Space, Dim>(Context<Space>(), source.set.template on<side>(), before.set.template on<side>(), there);
  }
  result = {before.set, vtkSmartPointer<vtkCellData>::New()};
  result.values->ShallowCopy(before.values);
  for (int k = 0; k < source.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* const array = source.values->GetAbstractArray(k);
    if (!carried.contains(array->GetName())) {
      continue;
    }
    vtkAbstractArray* const kept = keep ? before.values->GetAbstractArray(array->GetName()) : nullptr;
    vtkSmartPointer<vtkAbstractArray> made;
    if constexpr (side == ComputeSide::Device) {
      made = remappedThere(array, there, otherwise, kept);
    }
    if (made == nullptr) {
      made = remapped(onHost(array), commonHere(), otherwise, kept != nullptr ? onHost(kept).Get() : nullptr);
    }
    const int index = result.values->AddArray(made);
    const int attribute = source.values->IsArrayAnAttribute(k);
    if (attribute >= 0 && result.values->GetAbstractAttribute(attribute) == nullptr) {
      result.values->SetActiveAttribute(index, attribute);
    }
  }
}

} // namespace

vtkSpanwiseRemapField::vtkSpanwiseRemapField() { this->SetNumberOfInputPorts(2); }

void vtkSpanwiseRemapField::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "DefaultValue: " << this->DefaultValue << "\n";
  os << indent << "KeepValues: " << (this->KeepValues ? "on" : "off") << "\n";
}

int vtkSpanwiseRemapField::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  requireOneGrid(info);
  return 1;
}

int vtkSpanwiseRemapField::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkNew<vtkInformationVector> both;
  both->Append(inputs[0]->GetInformationObject(0));
  both->Append(inputs[1]->GetInformationObject(0));
  mergeTimes(both, outputs->GetInformationObject(0));
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

void vtkSpanwiseRemapField::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  const std::vector<vtkDataSet*> data{vtkDataSet::GetData(inputs[0], 0), vtkDataSet::GetData(inputs[1], 0)};
  const CarriedArrays carried = this->GetCarriedArrays();
  auto read = readAligned(group, data, CarriedArrays(), progressOf(this).part(0.0, 0.5));
  std::visit(
    [&]<int Dim>(AlignedInputs<Dim>& aligned) {
      bringToOneCut<Dim>(group, aligned.inputs);
      const RankCells<Dim>& source = aligned.inputs[1];
      RankCells<Dim> result;
      const SideInputs<Dim> all{{&source.set, &aligned.inputs[0].set}, aligned.inputs[0].set.numCells()};
      computeOnSide<Dim>(group, "Remap Field", all, [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
        group.agree([&] {
          remapArrays<side, Dim>(source, carried, this->DefaultValue, this->KeepValues, aligned.inputs[0], result);
          progressOf(this).report(0.8);
        });
      });
      const PlaneRange owned = distribute(group, result);
      group.agree([&] { setCells(output, result, aligned.placement, owned); });
    },
    read);
  passFieldData(data, output);
}
