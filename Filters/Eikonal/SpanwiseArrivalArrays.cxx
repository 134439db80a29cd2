#include "SpanwiseArrivalArrays.h"

#include "Core/Runtime/Reserve.hpp"

#include <vtkDataSetAttributes.h>

#include <utility>

namespace spanwise {

void addActive(vtkDataSetAttributes* data, vtkDataArray* array) {
  data->AddArray(array);
  data->SetActiveScalars(array->GetName());
}

vtkSmartPointer<vtkDoubleArray> filledArray(const char* name, std::int64_t tuples, int components, double value) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  array->Fill(value);
  return array;
}

vtkSmartPointer<vtkDoubleArray> doubleArrayOf(
  const char* name, const Kokkos::View<double*, ArrivalMemory>& values, std::int64_t tuples, int components) {
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

} // namespace spanwise
