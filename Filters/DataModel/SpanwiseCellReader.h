#ifndef SpanwiseCellReader_h
#define SpanwiseCellReader_h

// Cells of a dataset as boxes. Internal to this library.

#include "SpanwiseRebuild.h"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkDataSet.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace spanwise {

/// What makes a cell unfit.
enum class Fault : std::uint8_t { None, Type, NotFinite, NotABox, NotFlat, Size, Place, Beyond };

/// A cell's corners.
struct CornerBox {
  double low[3];
  double high[3];
  int axis = 0; ///< of the fault
  Fault fault = Fault::None;
};

/// The points of a dataset, without a virtual call for each where they are plain arrays.
class Positions {
public:
  explicit Positions(vtkDataSet* data) : data_(data) {
    auto* points = vtkPointSet::SafeDownCast(data);
    vtkDataArray* array =
      points != nullptr && points->GetPoints() != nullptr ? points->GetPoints()->GetData() : nullptr;
    singlePrecision_ = array != nullptr && array->GetDataType() == VTK_FLOAT;
    if (auto* doubles = vtkAOSDataArrayTemplate<double>::FastDownCast(array)) {
      doubles_ = doubles->GetPointer(0);
    } else if (auto* floats = vtkAOSDataArrayTemplate<float>::FastDownCast(array)) {
      floats_ = floats->GetPointer(0);
    }
  }

  [[nodiscard]] bool singlePrecision() const { return singlePrecision_; }

  void get(vtkIdType point, double position[3]) const {
    if (doubles_ != nullptr) {
      std::copy_n(doubles_ + 3 * point, 3, position);
    } else if (floats_ != nullptr) {
      std::copy_n(floats_ + 3 * point, 3, position);
    } else {
      data_->GetPoint(point, position);
    }
  }

private:
  vtkDataSet* data_;
  const double* doubles_ = nullptr;
  const float* floats_ = nullptr;
  bool singlePrecision_ = false;
};

/// Looks at one cell after the other of a dataset. One for each thread.
template <int Dim>
class CellReader {
public:
  explicit CellReader(vtkDataSet* data) : data_(data), positions_(data) {}

  // The box whose corners are the points of cell c. Every corner must be there, each within `tolerance` of a box's
  // size.
  CornerBox read(std::int64_t c, double tolerance) {
    CornerBox box;
    if (dimensionOfCellType(data_->GetCellType(c)) != Dim) {
      box.fault = Fault::Type;
      return box;
    }
    data_->GetCellPoints(c, size_, ids_, list_);
    std::fill_n(box.low, 3, std::numeric_limits<double>::infinity());
    std::fill_n(box.high, 3, -std::numeric_limits<double>::infinity());
    for (vtkIdType k = 0; k < corners; ++k) {
      positions_.get(ids_[k], points_[k]);
      for (int d = 0; d < 3; ++d) {
        box.low[d] = std::min(box.low[d], points_[k][d]);
        box.high[d] = std::max(box.high[d], points_[k][d]);
        if (!std::isfinite(points_[k][d])) {
          box.fault = Fault::NotFinite;
          box.axis = d;
          return box;
        }
      }
    }
    checkCorners(box, tolerance);
    return box;
  }

private:
  static constexpr vtkIdType corners = 1 << Dim;

  void checkCorners(CornerBox& box, double tolerance) const {
    unsigned found = 0;
    for (vtkIdType k = 0; k < corners; ++k) {
      unsigned corner = 0;
      for (int d = 0; d < Dim; ++d) {
        const double size = box.high[d] - box.low[d];
        const bool upper = points_[k][d] - box.low[d] > 0.5 * size;
        corner |= static_cast<unsigned>(upper) << d;
        if (std::abs(points_[k][d] - (upper ? box.high[d] : box.low[d])) > 2.0 * tolerance * size) {
          box.fault = Fault::NotABox;
          box.axis = d;
        }
      }
      found |= 1U << corner;
    }
    if (found != (1U << corners) - 1) {
      box.fault = Fault::NotABox;
    }
    if (Dim == 2 && box.high[2] - box.low[2] > 2.0 * tolerance * (box.high[0] - box.low[0])) {
      box.fault = Fault::NotFlat;
      box.axis = 2;
    }
  }

  vtkDataSet* data_;
  Positions positions_;
  vtkNew<vtkIdList> list_;
  vtkIdType size_ = 0;
  const vtkIdType* ids_ = nullptr;
  double points_[corners][3];
};

} // namespace spanwise

#endif
