#ifndef SpanwiseMirroredArray_h
#define SpanwiseMirroredArray_h

// Arrays of VTK whose values lie on the device. Not wrapped.

#include "SpanwiseHeldMemory.h"
#include "SpanwiseImplicitArrays.h"
#include "SpanwiseMadeOnDemand.h"
#include "SpanwiseSide.h"
#include "spanwiseDataModelModule.h"

#include "Core/Field/Field.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkImplicitArray.h>
#include <vtkSmartPointer.h>
#include <vtkTypeTraits.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

// M(T) for each type of values that an array on the device may have.
#define SPANWISE_FOR_EACH_MIRRORED_TYPE(M) M(float) M(double) M(int) M(long) M(long long) M(unsigned char)

namespace spanwise {

namespace detail {

template <class T>
struct FieldTypeOf {
  using type = T;
};
template <> // of 64 bits, as int64 is, but another type
struct FieldTypeOf<long long> {
  using type = std::int64_t;
};

} // namespace detail

/// The type of a field's values for an array's type.
template <class T>
using FieldTypeOf = typename detail::FieldTypeOf<T>::type;

/// Calls body.operator()<T>() with the type of an array's values if a mirrored array can have it, and returns true.
/// Arrays of ids are not among them: VTK tells their class from that of other whole numbers.
template <class Body>
bool withMirroredType(int dataType, const Body& body) {
  bool found = true;
  switch (dataType) {
#define SPANWISE_MIRRORED_TYPE(T)                                                                                      \
  case vtkTypeTraits<T>::VTK_TYPE_ID:                                                                                  \
    body.template operator()<T>();                                                                                     \
    break;
    SPANWISE_FOR_EACH_MIRRORED_TYPE(SPANWISE_MIRRORED_TYPE)
#undef SPANWISE_MIRRORED_TYPE
  default:
    found = false;
  }
  return found;
}

/// The values of an array that lie on the device. The host gets its copy, as tuples, when it first asks for it.
template <class T>
class SPANWISEDATAMODEL_EXPORT MirroredValues : private HeldMemory {
public:
  using Field = field::FieldOn<FieldTypeOf<T>, SpaceOf<ComputeSide::Device>>;
  using HostArray = vtkAOSDataArrayTemplate<T>;

  /// Of values in columns.
  explicit MirroredValues(Field values) : device_(std::move(values)) {}
  /// Of values that the host has too.
  MirroredValues(Field values, vtkSmartPointer<HostArray> host) : device_(std::move(values)) {
    host_.get([&] { return host; });
  }

  [[nodiscard]] const Field& device() const { return device_; }
  [[nodiscard]] HostArray* host() const {
    return host_.get([this] { return hostCopy(); });
  }
  [[nodiscard]] bool isOnHost() const { return host_.ifMade() != nullptr; }
  [[nodiscard]] std::size_t bytesOfHost() const;
  /// The least and the greatest value of each component but for NaN, found on the device. False if there is none.
  [[nodiscard]] bool ranges(double* ranges) const;

private:
  void releaseMemory() override { device_ = {}; }
  [[nodiscard]] vtkSmartPointer<HostArray> hostCopy() const;

  Field device_;
  MadeOnDemand<vtkSmartPointer<HostArray>> host_;
};

/// What VTK sees of them.
template <class T>
class SPANWISEDATAMODEL_EXPORT MirroredBackend {
public:
  static constexpr const char* readOnly =
    "the values of this array were computed on the device and cannot be changed in place: nothing was written; a "
    "DeepCopy() into an array of VTK's usual kind can be";

  explicit MirroredBackend(std::shared_ptr<const MirroredValues<T>> values) : values_(std::move(values)) {}

  [[nodiscard]] T map(vtkIdType index) const { return values_->host()->GetValue(index); }
  void mapTuple(vtkIdType tuple, T* values) const { values_->host()->GetTypedTuple(tuple, values); }
  [[nodiscard]] T mapComponent(vtkIdType tuple, int component) const {
    return values_->host()->GetTypedComponent(tuple, component);
  }
  /// KiB on both sides, rounded up.
  [[nodiscard]] unsigned long getMemorySize() const {
    return static_cast<unsigned long>((values_->device().bytes() + values_->bytesOfHost() + 1023) / 1024);
  }

  /// The least and the greatest value of each component but for NaN. False if there is none.
  [[nodiscard]] bool ranges(double* ranges) const { return values_->ranges(ranges); }
  /// Not known on the device: who asks for lengths gets the host's copy.
  [[nodiscard]] bool vectorRange(double* /*range*/) const { return false; }

  [[nodiscard]] const MirroredValues<T>& values() const { return *values_; }

private:
  std::shared_ptr<const MirroredValues<T>> values_;
};

/// An array of VTK with values that were computed on the device, and stay there as long as only filters of Spanwise
/// read them. To all others it is an array that is read tuple by tuple; GetVoidPointer() gives the host's copy. It
/// cannot be written by VTK's functions; what is written through the pointer to the host's copy is not seen on the
/// device.
template <class T>
class SPANWISEDATAMODEL_EXPORT MirroredArray : public CarryingArray<MirroredBackend<T>> {
public:
  using SelfType = MirroredArray<T>;
  vtkImplicitArrayTypeMacro(SelfType, CarryingArray<MirroredBackend<T>>);
  static MirroredArray* New();

  void* GetVoidPointer(vtkIdType index) override;

  /// Where the values are, for who can read them there: those of one component, one after the other.
  vtkDataArray::MemorySpace GetMemorySpace() override;
  void* GetDeviceVoidPointer(vtkIdType index) override;

protected:
  MirroredArray() = default;
  ~MirroredArray() override = default;

private:
  MirroredArray(const MirroredArray&) = delete;
  void operator=(const MirroredArray&) = delete;
};

template <class T>
vtkSmartPointer<MirroredArray<T>> mirroredArray(const std::shared_ptr<const MirroredValues<T>>& values) {
  auto array = vtkSmartPointer<MirroredArray<T>>::New();
  array->SetBackend(std::make_shared<MirroredBackend<T>>(values));
  array->SetNumberOfComponents(values->device().numComponents());
  array->SetNumberOfTuples(values->device().numCells());
  array->SetName(values->device().name().c_str());
  return array;
}

/// An array with the values of a field on the device, which it shares. Waits for them: other programs may read them
/// there.
template <class T>
vtkSmartPointer<MirroredArray<T>> mirroredArray(const typename MirroredValues<T>::Field& values) {
  SpaceOf<ComputeSide::Device>().fence(SPANWISE_LABEL("DataModel::mirrored array"));
  return mirroredArray<T>(std::make_shared<const MirroredValues<T>>(values));
}

/// The values on the device of an array whose type is T; null where it has none there.
template <class T>
const MirroredValues<T>* mirroredValues(vtkAbstractArray* array) {
  auto* const mirrored = dynamic_cast<MirroredArray<T>*>(array);
  return mirrored != nullptr && mirrored->GetBackend() ? &mirrored->GetBackend()->values() : nullptr;
}

/// The values of an array, whose type is T, as a field on the device: its own, or a copy of the host's.
template <class T>
SPANWISEDATAMODEL_EXPORT typename MirroredValues<T>::Field deviceField(vtkDataArray* array);

/// For filters that read arrays more than once: copies those of the host to the device, and has arrays in their places
/// whose values lie on both sides. The host's are shared. Only arrays in tuples whose type a mirrored array can have.
SPANWISEDATAMODEL_EXPORT void bringToDevice(vtkFieldData* arrays);
/// The same of one array.
SPANWISEDATAMODEL_EXPORT void bringToDevice(vtkFieldData* arrays, const char* name);

/// Whether deviceField() copies little for an array: its values lie there, or it has one for each interval.
SPANWISEDATAMODEL_EXPORT bool isReadyThere(vtkAbstractArray* array);

/// Whether an array's values lie on the device.
SPANWISEDATAMODEL_EXPORT bool isOnDevice(vtkAbstractArray* array);

/// The array on the host, to be read by kernels too: as one of VTK's usual kind where it lies on the device, otherwise
/// itself. Who asks again gets the same values, which are not to be written.
SPANWISEDATAMODEL_EXPORT vtkSmartPointer<vtkAbstractArray> onHost(vtkAbstractArray* array);

} // namespace spanwise

#ifndef SPANWISE_INSTANTIATING_MIRRORED_ARRAYS
#define SPANWISE_MIRRORED_ARRAY(T)                                                                                     \
  extern template class SPANWISEDATAMODEL_EXPORT spanwise::MirroredValues<T>;                                          \
  extern template class SPANWISEDATAMODEL_EXPORT vtkImplicitArray<spanwise::MirroredBackend<T>>;                       \
  extern template class SPANWISEDATAMODEL_EXPORT spanwise::CarryingArray<spanwise::MirroredBackend<T>>;                \
  extern template class SPANWISEDATAMODEL_EXPORT spanwise::MirroredArray<T>;
SPANWISE_FOR_EACH_MIRRORED_TYPE(SPANWISE_MIRRORED_ARRAY)
#undef SPANWISE_MIRRORED_ARRAY
#endif

#endif
