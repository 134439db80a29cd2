#include "SpanwiseIntervalValues.h"

namespace spanwise {

template <int Dim>
vtkSmartPointer<vtkDataArray> intervalArray(
  const char* name, const IntervalGridPointer<Dim>& grid, const MirroredNumbers& ofIntervals) {
  auto array = vtkSmartPointer<vtkImplicitArray<IntervalValues<Dim>>>::New();
  array->ConstructBackend(grid, ofIntervals);
  array->SetName(name);
  array->SetNumberOfComponents(1);
  array->SetNumberOfTuples(grid->numCells());
  return array;
}

template <int Dim>
const IntervalValues<Dim>* intervalValues(vtkAbstractArray* array) {
  auto* const found = dynamic_cast<vtkImplicitArray<IntervalValues<Dim>>*>(array);
  return found != nullptr && found->GetBackend() ? found->GetBackend().get() : nullptr;
}

#define SPANWISE_INTERVAL_VALUES(Dim)                                                                                  \
  template vtkSmartPointer<vtkDataArray> intervalArray<Dim>(                                                           \
    const char*, const IntervalGridPointer<Dim>&, const MirroredNumbers&);                                             \
  template const IntervalValues<Dim>* intervalValues<Dim>(vtkAbstractArray*);
SPANWISE_INTERVAL_VALUES(2)
SPANWISE_INTERVAL_VALUES(3)

} // namespace spanwise
