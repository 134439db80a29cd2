#ifndef SpanwiseFrontSpeed_h
#define SpanwiseFrontSpeed_h

// How fast fronts travel, from what people give. Not wrapped and not installed.

#include "SpanwiseUpload.h"

#include "Core/Solvers/Eikonal/Speed.hpp"

class vtkDataArray;

namespace spanwise {

/// A speed with the values that it needs.
class FrontSpeed {
public:
  FrontSpeed() = default;

  static FrontSpeed constant(double speed);
  /// xx yy zz xy yz xz.
  static FrontSpeed constant(const double tensor[6]);
  /// On points speeds; on cells speeds (1 component), symmetric tensors (6: xx yy zz xy yz xz) or symmetric matrices
  /// (9, row by row).
  static FrontSpeed ofArray(vtkDataArray* array, bool onPoints);

  [[nodiscard]] const eikonal::Speed& view() const { return view_; }

private:
  eikonal::Speed view_;
  vtkSmartPointer<vtkDoubleArray> values_;
  Upload<double> upload_;
};

} // namespace spanwise

#endif
