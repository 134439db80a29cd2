#ifndef SpanwiseIntervalValues_h
#define SpanwiseIntervalValues_h

// Cell arrays with one value for each interval. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "spanwiseDataModelModule.h"

#include <vtkImplicitArray.h>
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
class SPANWISEDATAMODEL_EXPORT IntervalValues {
public:
  IntervalValues(IntervalGridPointer<Dim> grid, std::vector<std::int64_t> values)
    : grid_(std::move(grid)), values_(std::make_shared<const std::vector<std::int64_t>>(std::move(values))) {
    if (grid_->mirrored().isOnHost()) {
      static_cast<void>(grid_->withCellTables()); // kernels of other filters read arrays
    }
  }

  [[nodiscard]] vtkIdType operator()(vtkIdType cell) const {
    return (*values_)[static_cast<std::size_t>(grid_->intervalOfCell(cell))];
  }

  [[nodiscard]] const IntervalGridPointer<Dim>& grid() const { return grid_; }
  [[nodiscard]] const std::vector<std::int64_t>& ofIntervals() const { return *values_; }

private:
  IntervalGridPointer<Dim> grid_;
  std::shared_ptr<const std::vector<std::int64_t>> values_;
};

/// A cell array of a grid with these values of its intervals.
template <int Dim>
SPANWISEDATAMODEL_EXPORT vtkSmartPointer<vtkDataArray> intervalArray(
  const char* name, const IntervalGridPointer<Dim>& grid, std::vector<std::int64_t> values);

/// The array's values if it has one for each interval, otherwise null.
template <int Dim>
SPANWISEDATAMODEL_EXPORT const IntervalValues<Dim>* intervalValues(vtkAbstractArray* array);

} // namespace spanwise

#endif
