#define SPANWISE_INSTANTIATING_IMPLICIT_ARRAYS
#include "SpanwiseImplicitArrays.h"

#include <vtkObjectFactory.h>

namespace spanwise {

template <class Backend>
CarryingArray<Backend>* CarryingArray<Backend>::New() {
  VTK_STANDARD_NEW_BODY(CarryingArray<Backend>);
}

template <class Backend>
unsigned long CarryingArray<Backend>::GetActualMemorySize() const {
  const auto& copy = this->Internals->Cache;
  return (this->Backend ? this->Superclass::GetActualMemorySize() : 0) + (copy ? copy->GetActualMemorySize() : 0);
}

template <class Backend>
bool CarryingArray<Backend>::knowsRanges(const unsigned char* ghosts) const {
  return ghosts == nullptr && this->Backend && this->GetNumberOfValues() > 0;
}

template <class Backend>
bool CarryingArray<Backend>::ComputeScalarRange(
  double* ranges, const unsigned char* ghosts, unsigned char ghostsToSkip) {
  return knowsRanges(ghosts) ? this->Backend->ranges(ranges)
                             : this->Superclass::ComputeScalarRange(ranges, ghosts, ghostsToSkip);
}

template <class Backend>
bool CarryingArray<Backend>::ComputeVectorRange(
  double range[2], const unsigned char* ghosts, unsigned char ghostsToSkip) {
  return knowsRanges(ghosts) ? this->Backend->vectorRange(range)
                             : this->Superclass::ComputeVectorRange(range, ghosts, ghostsToSkip);
}

template <class Backend>
bool CarryingArray<Backend>::ComputeFiniteScalarRange(
  double* ranges, const unsigned char* ghosts, unsigned char ghostsToSkip) {
  return knowsRanges(ghosts) ? this->Backend->ranges(ranges)
                             : this->Superclass::ComputeFiniteScalarRange(ranges, ghosts, ghostsToSkip);
}

template <class Backend>
bool CarryingArray<Backend>::ComputeFiniteVectorRange(
  double range[2], const unsigned char* ghosts, unsigned char ghostsToSkip) {
  return knowsRanges(ghosts) ? this->Backend->vectorRange(range)
                             : this->Superclass::ComputeFiniteVectorRange(range, ghosts, ghostsToSkip);
}

} // namespace spanwise

#define SPANWISE_CARRYING_ARRAY(Backend)                                                                               \
  template class SPANWISEDATAMODEL_EXPORT vtkImplicitArray<Backend>;                                                   \
  template class SPANWISEDATAMODEL_EXPORT spanwise::CarryingArray<Backend>;
SPANWISE_CARRYING_ARRAY(spanwise::NodeBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::NodeBackend<3>)
SPANWISE_CARRYING_ARRAY(spanwise::ConnectivityBackend<2>)
SPANWISE_CARRYING_ARRAY(spanwise::ConnectivityBackend<3>)
