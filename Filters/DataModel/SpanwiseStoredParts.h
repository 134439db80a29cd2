#ifndef SpanwiseStoredParts_h
#define SpanwiseStoredParts_h

// Arrays whose components lie apart. Not wrapped.

#include <vtkDataArray.h>
#include <vtkSOADataArrayTemplate.h>

namespace spanwise {

/// The array as one whose components lie apart; null where they do not, or no longer: VTK 9.6 puts them together once
/// somebody has asked for all values as one piece. Later versions do not, and call asking obsolete.
template <class T>
vtkSOADataArrayTemplate<T>* storedInParts(vtkDataArray* array) {
  auto* parts = vtkSOADataArrayTemplate<T>::FastDownCast(array);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return parts != nullptr && parts->GetStorageType() == vtkSOADataArrayTemplate<T>::SOA ? parts : nullptr;
#pragma GCC diagnostic pop
}

} // namespace spanwise

#endif
