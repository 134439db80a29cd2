#ifndef SpanwiseFrontSpeed_h
#define SpanwiseFrontSpeed_h

// How fast fronts travel, from what people give. Not wrapped and not installed.

#include "SpanwiseUpload.h"

#include "Core/Solvers/Eikonal/Speed.hpp"

class vtkDataArray;

namespace spanwise {

/// A speed as it was given, with the values that it needs, in the host's memory.
class FrontSpeed {
public:
  FrontSpeed() = default;

  static FrontSpeed constant(double speed);
  /// xx yy zz xy yz xz.
  static FrontSpeed constant(const double tensor[6]);
  /// On points speeds; on cells speeds (1 component), symmetric tensors (6: xx yy zz xy yz xz) or symmetric matrices
  /// (9, row by row).
  static FrontSpeed ofArray(vtkDataArray* array, bool onPoints);

private:
  friend class UploadedSpeed;

  eikonal::Speed speed_; ///< its values are those of the host
  vtkSmartPointer<vtkDoubleArray> values_;
};

/// A speed where Core reads it on a side. `speed` must live as long as this.
class UploadedSpeed {
public:
  UploadedSpeed(ComputeSide side, const FrontSpeed& speed);
  [[nodiscard]] const eikonal::Speed& view() const { return view_; }

private:
  Upload<double> values_;
  eikonal::Speed view_;
};

} // namespace spanwise

#endif
