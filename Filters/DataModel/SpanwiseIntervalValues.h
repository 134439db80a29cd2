#ifndef SpanwiseIntervalValues_h
#define SpanwiseIntervalValues_h

// Cell arrays with one value for each interval. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "SpanwiseMirroredNumbers.h"
#include "spanwiseDataModelModule.h"

#include <vtkImplicitArray.h>
#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <utility>

namespace spanwise {

/// The value of a cell is that of its interval: 8 bytes an interval, whatever the number of cells, on the side where
/// they were computed. O(1) where intervals are long.
template <int Dim>
class SPANWISEDATAMODEL_EXPORT IntervalValues {
public:
  IntervalValues(IntervalGridPointer<Dim> grid, MirroredNumbers ofIntervals)
    : grid_(std::move(grid)), ofIntervals_(std::move(ofIntervals)) {
    if (grid_->mirrored().isOnHost() && ofIntervals_.isOnHost()) {
      makeReadable();
    }
  }

  /// Brings to the host what reading a value takes there: kernels of other filters read arrays.
  void makeReadable() const {
    static_cast<void>(grid_->withCellTables());
    static_cast<void>(ofIntervals_.on<ComputeSide::Host>());
  }

  [[nodiscard]] vtkIdType operator()(vtkIdType cell) const {
    return ofIntervals_.on<ComputeSide::Host>()(grid_->intervalOfCell(cell));
  }

  [[nodiscard]] const IntervalGridPointer<Dim>& grid() const { return grid_; }
  [[nodiscard]] const MirroredNumbers& ofIntervals() const { return ofIntervals_; }

private:
  IntervalGridPointer<Dim> grid_;
  MirroredNumbers ofIntervals_;
};

/// A cell array of a grid with these values of its intervals.
template <int Dim>
SPANWISEDATAMODEL_EXPORT vtkSmartPointer<vtkDataArray> intervalArray(
  const char* name, const IntervalGridPointer<Dim>& grid, const MirroredNumbers& ofIntervals);

/// The array's values if it has one for each interval, otherwise null.
template <int Dim>
SPANWISEDATAMODEL_EXPORT const IntervalValues<Dim>* intervalValues(vtkAbstractArray* array);

} // namespace spanwise

#endif
