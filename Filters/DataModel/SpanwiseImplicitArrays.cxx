#define SPANWISE_INSTANTIATING_IMPLICIT_ARRAYS
#include "SpanwiseImplicitArrays.h"

#define SPANWISE_INSTANTIATING_MIRRORED_ARRAYS
#include "SpanwiseMirroredArray.h"

#include <vtkObjectFactory.h>

#include <algorithm>
#include <cmath>

namespace spanwise {

template <class Backend>
CarryingArray<Backend>* CarryingArray<Backend>::New() {
  VTK_STANDARD_NEW_BODY(CarryingArray<Backend>);
}

template <class Backend>
unsigned long CarryingArray<Backend>::GetActualMemorySize() const {
  return (this->Backend ? this->Superclass::GetActualMemorySize() : 0) + (copy_ ? copy_->GetActualMemorySize() : 0);
}

template <class Backend>
void* CarryingArray<Backend>::GetVoidPointer(vtkIdType index) {
  if (!copy_) {
    copy_ = decltype(copy_)::New();
    copy_->DeepCopy(this);
  }
  return copy_->GetPointer(index);
}

template <class Backend>
void CarryingArray<Backend>::Squeeze() {
  copy_ = nullptr;
}

template <class Backend>
void CarryingArray<Backend>::refuseToWrite() {
  if (!refused_.exchange(true)) {
    vtkErrorMacro(<< Backend::readOnly);
  }
}

template <class Backend>
void CarryingArray<Backend>::SetTuple(vtkIdType, vtkIdType, vtkAbstractArray*) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::SetTuple(vtkIdType, const float*) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::SetTuple(vtkIdType, const double*) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::SetComponent(vtkIdType, int, double) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::SetVariantValue(vtkIdType, vtkVariant) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::FillComponent(int, double) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::InsertTuple(vtkIdType, vtkIdType, vtkAbstractArray*) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::InsertTuple(vtkIdType, const float*) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::InsertTuple(vtkIdType, const double*) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::InsertComponent(vtkIdType, int, double) {
  refuseToWrite();
}
template <class Backend>
void CarryingArray<Backend>::InsertVariantValue(vtkIdType, vtkVariant) {
  refuseToWrite();
}
template <class Backend>
vtkIdType CarryingArray<Backend>::InsertNextTuple(vtkIdType, vtkAbstractArray*) {
  refuseToWrite();
  return -1;
}
template <class Backend>
vtkIdType CarryingArray<Backend>::InsertNextTuple(const float*) {
  refuseToWrite();
  return -1;
}
template <class Backend>
vtkIdType CarryingArray<Backend>::InsertNextTuple(const double*) {
  refuseToWrite();
  return -1;
}

template <class Backend>
bool CarryingArray<Backend>::knowsRanges(const unsigned char* ghosts) const {
  return ghosts == nullptr && this->Backend && this->GetNumberOfValues() > 0;
}

template <class Backend>
bool CarryingArray<Backend>::ComputeScalarRange(
  double* ranges, const unsigned char* ghosts, unsigned char ghostsToSkip) {
  return (knowsRanges(ghosts) && this->Backend->ranges(ranges)) ||
    this->Superclass::ComputeScalarRange(ranges, ghosts, ghostsToSkip);
}

template <class Backend>
bool CarryingArray<Backend>::ComputeVectorRange(
  double range[2], const unsigned char* ghosts, unsigned char ghostsToSkip) {
  return (knowsRanges(ghosts) && this->Backend->vectorRange(range)) ||
    this->Superclass::ComputeVectorRange(range, ghosts, ghostsToSkip);
}

// Where a bound is infinite the backend does not know the next one.
template <class Backend>
bool CarryingArray<Backend>::ComputeFiniteScalarRange(
  double* ranges, const unsigned char* ghosts, unsigned char ghostsToSkip) {
  const auto areFinite = [&] {
    return std::all_of(
      ranges, ranges + 2 * this->GetNumberOfComponents(), [](double bound) { return std::isfinite(bound); });
  };
  return (knowsRanges(ghosts) && this->Backend->ranges(ranges) && areFinite()) ||
    this->Superclass::ComputeFiniteScalarRange(ranges, ghosts, ghostsToSkip);
}

template <class Backend>
bool CarryingArray<Backend>::ComputeFiniteVectorRange(
  double range[2], const unsigned char* ghosts, unsigned char ghostsToSkip) {
  return (knowsRanges(ghosts) && this->Backend->vectorRange(range) && std::isfinite(range[1])) ||
    this->Superclass::ComputeFiniteVectorRange(range, ghosts, ghostsToSkip);
}

} // namespace spanwise

#define SPANWISE_CARRYING_ARRAY(Backend)                                                                               \
  template class SPANWISEDATAMODEL_EXPORT vtkImplicitArray<Backend>;                                                   \
  template class SPANWISEDATAMODEL_EXPORT spanwise::CarryingArray<Backend>;
SPANWISE_CARRYING_ARRAY(spanwise::NodeBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::NodeBackend<3>)
SPANWISE_CARRYING_ARRAY(spanwise::ConnectivityBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::ConnectivityBackend<3>)
SPANWISE_CARRYING_ARRAY(spanwise::OffsetsBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::OffsetsBackend<3>)
#define SPANWISE_MIRRORED_ARRAY(T) SPANWISE_CARRYING_ARRAY(spanwise::MirroredBackend<T>)
SPANWISE_FOR_EACH_MIRRORED_TYPE(SPANWISE_MIRRORED_ARRAY)
