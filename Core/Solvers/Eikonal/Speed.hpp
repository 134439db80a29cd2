#pragma once

#include "Core/Solvers/Eikonal/Tensor.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// How fast fronts travel: the tensor M of sqrt(grad u^T M grad u) = 1. A speed c is M = c^2 I, and the travel time
/// along a vector e is sqrt(e^T M^-1 e), |e| / c for a speed. Arrays lie in the memory of the execution space.
struct Speed {
  enum class Kind {
    Constant,        ///< `tensor` everywhere
    OfElements,      ///< values[element]: a speed
    OfVertices,      ///< values[vertex]: a speed; the slowness of an element is the mean of those of its vertices
    TensorOfElements ///< values[6 * element ...]: xx yy zz xy yz xz
  };

  Kind kind = Kind::Constant;
  SymmetricTensor tensor;
  const double* values = nullptr;

  static Speed constant(double speed) { return {Kind::Constant, SymmetricTensor::isotropic(speed * speed), nullptr}; }
  static Speed constant(const SymmetricTensor& tensor) { return {Kind::Constant, tensor, nullptr}; }
  static Speed ofElements(const double* speeds) { return {Kind::OfElements, {}, speeds}; }
  static Speed ofVertices(const double* speeds) { return {Kind::OfVertices, {}, speeds}; }
  static Speed tensorOfElements(const double* components) { return {Kind::TensorOfElements, {}, components}; }

  /// M of an element whose `count` vertices are vertices[0 ...].
  template <class Index>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION SymmetricTensor ofElement(
    std::int64_t element, const Index* vertices, int count) const {
    switch (kind) {
    case Kind::OfElements:
      return SymmetricTensor::isotropic(values[element] * values[element]);
    case Kind::OfVertices: {
      double slowness = 0.0;
      for (int k = 0; k < count; ++k) {
        slowness += 1.0 / values[vertices[k]];
      }
      const double mean = count / slowness;
      return SymmetricTensor::isotropic(mean * mean);
    }
    case Kind::TensorOfElements: {
      const double* m = values + 6 * element;
      return {m[0], m[1], m[2], m[3], m[4], m[5]};
    }
    case Kind::Constant:
      break;
    }
    return tensor;
  }
};

} // namespace spanwise::eikonal
