#include "SpanwiseFrontSpeed.h"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <cmath>
#include <format>

namespace spanwise {

using eikonal::Speed;
using eikonal::SymmetricTensor;

namespace {

/// Whether solvers can take the inverse of a tensor.
bool hasInverse(const SymmetricTensor& tensor) {
  const double determinant = tensor.determinant();
  return tensor.positiveDefinite() && std::isfinite(determinant) && std::isfinite(1.0 / determinant);
}

} // namespace

FrontSpeed FrontSpeed::constant(double speed) {
  if (!(speed > 0.0 && std::isfinite(speed))) {
    throw InvalidArgument(std::format("the speed is {}; it must be positive and finite", speed));
  }
  const double square = speed * speed;
  if (!hasInverse(SymmetricTensor::isotropic(square))) {
    throw InvalidArgument(std::format(
      "the speed is {}; its sixth power, which is its tensor's determinant, is beyond all numbers, use other units",
      speed));
  }
  FrontSpeed result;
  result.speed_ = Speed::constant(speed);
  return result;
}

FrontSpeed FrontSpeed::constant(const double tensor[6]) {
  const SymmetricTensor m{tensor[0], tensor[1], tensor[2], tensor[3], tensor[4], tensor[5]};
  if (!hasInverse(m)) {
    throw InvalidArgument(std::format("the tensor is xx {}, yy {}, zz {}, xy {}, yz {}, xz {}; it must be finite and "
                                      "positive definite, and its determinant, which is {}, not beyond all numbers",
      m.xx, m.yy, m.zz, m.xy, m.yz, m.xz, m.determinant()));
  }
  FrontSpeed result;
  result.speed_ = Speed::constant(m);
  return result;
}

FrontSpeed FrontSpeed::ofArray(vtkDataArray* array, bool onPoints) {
  const int components = array->GetNumberOfComponents();
  if (components != 1 && (onPoints || (components != 6 && components != 9))) {
    throw InvalidArgument(std::format("the array '{}' on {} has {}; an array of speeds must have one, or on "
                                      "cells 6 or 9 of a symmetric tensor",
      array->GetName() != nullptr ? array->GetName() : "", onPoints ? "points" : "cells",
      countText(components, "component")));
  }
  FrontSpeed result;
  result.values_ = doublesOf(array);
  const double* const values = result.values_->GetPointer(0);
  result.speed_ = onPoints ? Speed::ofVertices(values)
    : components == 1      ? Speed::ofElements(values)
    : components == 6      ? Speed::tensorOfElements(values)
                           : Speed::matrixOfElements(values);
  return result;
}

UploadedSpeed::UploadedSpeed(ComputeSide side, const FrontSpeed& speed) : view_(speed.speed_) {
  if (speed.values_ != nullptr) {
    values_ = Upload<double>(side, speed.values_->GetPointer(0), speed.values_->GetNumberOfValues());
    view_.values = values_.data();
  }
}

} // namespace spanwise
