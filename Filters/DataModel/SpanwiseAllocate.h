#ifndef SpanwiseAllocate_h
#define SpanwiseAllocate_h

// Memory of new arrays. Not wrapped.

#include "Core/Runtime/LargePages.hpp"

#include <vtkDataArray.h>

#include <cstddef>

namespace spanwise {

/// Gives an array of VTK's usual kind so many tuples, without values, in large pages where it is large.
inline void allocate(vtkDataArray* array, vtkIdType numTuples, int numComponents) {
  array->SetNumberOfComponents(numComponents);
  array->SetNumberOfTuples(numTuples);
  preferLargePages(array->GetVoidPointer(0), static_cast<std::size_t>(array->GetDataSize() * array->GetDataTypeSize()));
}

} // namespace spanwise

#endif
