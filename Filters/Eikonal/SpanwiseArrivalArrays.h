#ifndef SpanwiseArrivalArrays_h
#define SpanwiseArrivalArrays_h

// Values that were computed, as VTK's arrays. Not wrapped and not installed.

#include "Core/Runtime/ArrayLength.hpp"

#include <Kokkos_Core.hpp>

#include <vtkDoubleArray.h>
#include <vtkSmartPointer.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

class vtkDataSetAttributes;
class vtkIdTypeArray;

namespace spanwise {

/// Adds an array and makes it the active one. (SetScalars() would drop the one before.)
void addActive(vtkDataSetAttributes* data, vtkDataArray* array);

/// An array of tuples that all have this value.
vtkSmartPointer<vtkDoubleArray> filledArray(const char* name, std::int64_t tuples, int components, double value);

/// An array of these values, the first of them, in whichever memory they lie.
template <class Memory>
vtkSmartPointer<vtkDoubleArray> doubleArrayOf(
  const char* name, const Kokkos::View<double*, Memory>& values, std::int64_t tuples, int components) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  const std::size_t count = arrayLength<double>(tuples * components);
  Kokkos::deep_copy(
    Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(array->GetPointer(0), count),
    Kokkos::subview(values, std::pair<std::size_t, std::size_t>(0, count)));
  return array;
}

/// The first values on the host.
template <class T, class Memory>
std::vector<T> hostValues(const Kokkos::View<T*, Memory>& values, std::int64_t count) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  return std::vector<T>(host.data(), host.data() + count);
}

} // namespace spanwise

#endif
