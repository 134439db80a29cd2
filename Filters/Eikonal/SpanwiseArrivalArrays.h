#ifndef SpanwiseArrivalArrays_h
#define SpanwiseArrivalArrays_h

// Values that were computed, as VTK's arrays. Not wrapped and not installed.

#include "Core/Runtime/HostCopy.hpp"

#include <Kokkos_Core.hpp>

#include <vtkDoubleArray.h>
#include <vtkSmartPointer.h>

#include <cstddef>
#include <cstdint>
#include <vector>

class vtkDataSetAttributes;
class vtkIdTypeArray;

namespace spanwise {

/// Adds an array and makes it the active one. (SetScalars() would drop the one before.)
void addActive(vtkDataSetAttributes* data, vtkDataArray* array);

/// An array of tuples that all have this value.
vtkSmartPointer<vtkDoubleArray> filledArray(const char* name, std::int64_t tuples, int components, double value);

/// The first values on the host.
template <class T, class Memory>
std::vector<T> hostValues(const Kokkos::View<T*, Memory>& values, std::int64_t count) {
  std::vector<T> host(static_cast<std::size_t>(count));
  copyBetween<Memory, Kokkos::HostSpace>(static_cast<const T*>(values.data()), count, host.data());
  return host;
}

} // namespace spanwise

#endif
