#ifndef SpanwiseArrivalArrays_h
#define SpanwiseArrivalArrays_h

// Values of the default execution space as VTK's arrays. Not wrapped and not installed.

#include <Kokkos_Core.hpp>

#include <vtkDoubleArray.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <vector>

class vtkDataSetAttributes;
class vtkIdTypeArray;

namespace spanwise {

using ArrivalMemory = Kokkos::DefaultExecutionSpace::memory_space;

/// Adds an array and makes it the active one. (SetScalars() would drop the one before.)
void addActive(vtkDataSetAttributes* data, vtkDataArray* array);

/// An array of tuples that all have this value.
vtkSmartPointer<vtkDoubleArray> filledArray(const char* name, std::int64_t tuples, int components, double value);

/// An array of these values, the first of them.
vtkSmartPointer<vtkDoubleArray> doubleArrayOf(
  const char* name, const Kokkos::View<double*, ArrivalMemory>& values, std::int64_t tuples, int components);

/// The first values on the host.
template <class T>
std::vector<T> hostValues(const Kokkos::View<T*, ArrivalMemory>& values, std::int64_t count) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  return std::vector<T>(host.data(), host.data() + count);
}

} // namespace spanwise

#endif
