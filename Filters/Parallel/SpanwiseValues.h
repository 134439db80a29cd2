#ifndef SpanwiseValues_h
#define SpanwiseValues_h

// Arrays on cells: made alike, and copied run by run. Not wrapped.

#include "SpanwiseArrayList.h"
#include "SpanwiseMirroredArray.h"
#include "spanwiseParallelModule.h"

#include "Core/Geometry/CommonCells.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

class vtkDataSetAttributes;

namespace spanwise {

/// An array like `model` (type, components, names, units and other information) with `count` tuples of undefined
/// values. Numbers are stored as VTK's usual arrays, whatever the model's storage.
SPANWISEPARALLEL_EXPORT vtkSmartPointer<vtkAbstractArray> arrayLike(vtkAbstractArray* model, std::int64_t count);

/// An array like `model` for so many cells, made on the device: write.operator()<T>(field) writes its values, where T
/// is the array's type. Null where the array cannot be there.
template <class Write>
vtkSmartPointer<vtkAbstractArray> madeOnDevice(vtkAbstractArray* model, std::int64_t numCells, const Write& write) {
  vtkSmartPointer<vtkAbstractArray> result;
  if (model->GetNumberOfComponents() > field::maxComponents) {
    return result;
  }
  withMirroredType(model->GetDataType(), [&]<class T>() {
    typename MirroredValues<T>::Field values("values", numCells, model->GetNumberOfComponents());
    write.template operator()<T>(values);
    result = mirroredArray<T>(values);
    describeLike(model, result);
  });
  return result;
}

/// Brings arrays that lie on the device to the host.
SPANWISEPARALLEL_EXPORT void bringToHost(vtkDataSetAttributes* values);

/// Throws InvalidArgument unless the array has one tuple for each of `count` cells, or of what `what` is one of. VTK
/// lets an array be shorter than its data set; what filters read of arrays goes through this first.
SPANWISEPARALLEL_EXPORT void checkLength(vtkAbstractArray* array, std::int64_t count, const char* what = "cell");

/// `to` = the tuples [first, first + count) of every array of `from`; attributes stay what they are.
SPANWISEPARALLEL_EXPORT void sliceValues(
  vtkDataSetAttributes* from, std::int64_t first, std::int64_t count, vtkDataSetAttributes* to);

/// A number in an array's type: limited to its range; where that is whole, rounded, and NaN as 0.
template <class T>
T inTypeOf(double value) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>) {
    const double rounded = std::isnan(value) ? 0.0 : std::nearbyint(value);
    if (rounded >= std::ldexp(1.0, Limits::digits)) {
      return Limits::max();
    }
    return rounded <= static_cast<double>(Limits::min()) ? Limits::min() : static_cast<T>(rounded);
  } else {
    return static_cast<T>(std::isfinite(value) ? std::clamp<double>(value, Limits::lowest(), Limits::max()) : value);
  }
}

/// How many cells runs have in all.
SPANWISEPARALLEL_EXPORT std::int64_t numCellsOf(const geometry::CellRun* runs, std::int64_t numRuns);

/// Fills the tuples that no run has, where run.a are tuples of the array and ascend. The value is
/// brought into the range of the array's type; where that is not real it is rounded, and NaN is 0. A bit is 0 for 0
/// and NaN, otherwise 1. Strings and the like stay empty.
SPANWISEPARALLEL_EXPORT void fillBesideRuns(
  vtkAbstractArray* array, double value, const geometry::CellRun* runs, std::int64_t numRuns);

/// Copies the tuples of the runs: tuple run.a + k of `to` = tuple run.b + k of `from`. Both must have them, and no
/// tuple of `to` be in two runs.
SPANWISEPARALLEL_EXPORT void copyRuns(
  vtkAbstractArray* from, const geometry::CellRun* runs, std::int64_t numRuns, vtkAbstractArray* to);

} // namespace spanwise

#endif
