#ifndef SpanwiseGeometry_h
#define SpanwiseGeometry_h

// Points and polygons as the surfaces are built from. Not wrapped.

#include "SpanwiseIntervalGrid.h"

#include <vtkCellArray.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>

#include <limits>

namespace spanwise {

/// A surface without its arrays.
struct SurfaceGeometry {
  vtkSmartPointer<vtkPoints> points;
  vtkSmartPointer<vtkCellArray> polygons;
  vtkSmartPointer<vtkIdTypeArray>
    cells; ///< the grid's cell behind each polygon; null: polygon p shows cell p, or nothing is known
  vtkSmartPointer<vtkIdTypeArray>
    nodes;                ///< the grid's node at each point; null: point p is node p, or nothing is known
  bool sameCells = false; ///< polygon p shows cell p
  bool sameNodes = false; ///< point p is node p
};

/// Whether positions of a grid need double: in float neighbouring nodes would be off by more than a hundredth of a
/// cell.
template <int Dim>
bool needsDoublePoints(const IntervalGrid<Dim>& grid);

/// Points of which a kernel sets the positions, as float or double.
class PointWriter {
public:
  PointWriter(bool asDouble, std::int64_t count);
  [[nodiscard]] vtkPoints* points() const { return points_; }

  template <int Dim>
  void set(std::int64_t p, const GridPlacement& placement, std::int64_t x, std::int64_t y, std::int64_t z) const {
    const double position[3] = {placement.position(0, x), placement.position(1, y), placement.position(2, z)};
    for (int d = 0; d < 3; ++d) {
      if (doubles_ != nullptr) {
        doubles_[3 * p + d] = position[d];
      } else {
        floats_[3 * p + d] = static_cast<float>(position[d]);
      }
    }
  }

private:
  vtkNew<vtkPoints> points_;
  float* floats_ = nullptr;
  double* doubles_ = nullptr;
};

/// Calls fill(ids) with an array of count * cornersPerPolygon ids to be filled, of 32 bits if numPoints lets it, and
/// returns polygons that all have that many corners. No offsets are stored.
template <class Fill>
vtkSmartPointer<vtkCellArray> makePolygons(
  std::int64_t count, int cornersPerPolygon, std::int64_t numPoints, const Fill& fill) {
  const auto polygons = vtkSmartPointer<vtkCellArray>::New();
  const auto build = [&](auto* ids) {
    ids->SetNumberOfValues(count * cornersPerPolygon);
    fill(ids->GetPointer(0));
    polygons->SetData(static_cast<vtkIdType>(cornersPerPolygon), ids);
  };
  if (numPoints <= std::numeric_limits<vtkTypeInt32>::max()) {
    build(vtkNew<vtkCellArray::AOSArray32>().Get());
  } else {
    build(vtkNew<vtkCellArray::AOSArray64>().Get());
  }
  return polygons;
}

} // namespace spanwise

#endif
