#ifndef SpanwiseIntervalValues_h
#define SpanwiseIntervalValues_h

// Cell arrays with one value for each interval. Not wrapped and not installed.

#include "SpanwiseIntervalGrid.h"

#include <vtkImplicitArray.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace spanwise {

/// The value of a cell is that of its interval: 8 bytes an interval, whatever the number of cells. O(1) where intervals
/// are long.
template <int Dim>
class IntervalValues {
public:
  IntervalValues(IntervalGridPointer<Dim> grid, std::vector<std::int64_t> values)
    : grid_(std::move(grid)), values_(std::make_shared<const std::vector<std::int64_t>>(std::move(values))) {
    static_cast<void>(grid_->withCellTables()); // kernels of other filters read arrays
  }

  [[nodiscard]] vtkIdType operator()(vtkIdType cell) const {
    return (*values_)[static_cast<std::size_t>(grid_->intervalOfCell(cell))];
  }

private:
  IntervalGridPointer<Dim> grid_;
  std::shared_ptr<const std::vector<std::int64_t>> values_;
};

/// A cell array of a grid with these values of its intervals.
template <int Dim>
vtkSmartPointer<vtkDataArray> intervalArray(
  const char* name, const IntervalGridPointer<Dim>& grid, std::vector<std::int64_t> values) {
  auto array = vtkSmartPointer<vtkImplicitArray<IntervalValues<Dim>>>::New();
  array->ConstructBackend(grid, std::move(values));
  array->SetName(name);
  array->SetNumberOfComponents(1);
  array->SetNumberOfTuples(grid->set().numCells());
  return array;
}

} // namespace spanwise

#endif
