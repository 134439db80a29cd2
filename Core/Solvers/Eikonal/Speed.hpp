#pragma once

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Solvers/Eikonal/Tensor.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace spanwise::eikonal {

/// How fast fronts travel: the tensor M of sqrt(grad u^T M grad u) = 1. A speed c is M = c^2 I, and the travel time
/// along a vector e is sqrt(e^T M^-1 e), |e| / c for a speed. A speed of 0 is a wall. Arrays lie in the memory of the
/// execution space.
struct Speed {
  enum class Kind {
    Constant,         ///< `tensor` everywhere
    OfElements,       ///< values[element]: a speed
    OfVertices,       ///< values[vertex]: a speed; the slowness of an element is the mean of those of its vertices
    TensorOfElements, ///< values[6 * element ...]: xx yy zz xy yz xz
    MatrixOfElements  ///< values[9 * element ...]: a symmetric matrix row by row
  };

  Kind kind = Kind::Constant;
  SymmetricTensor tensor;
  const double* values = nullptr;

  static Speed constant(double speed) { return {Kind::Constant, SymmetricTensor::isotropic(speed * speed), nullptr}; }
  static Speed constant(const SymmetricTensor& tensor) { return {Kind::Constant, tensor, nullptr}; }
  /// One matrix [9] for all, row by row. Throws InvalidArgument unless it is symmetric to a millionth.
  static Speed constantMatrix(const double* matrix) {
    if (!isSymmetric(matrix)) {
      throw InvalidArgument("the matrix has xy " + numberText(matrix[1]) + " and yx " + numberText(matrix[3]) +
        ", yz " + numberText(matrix[5]) + " and zy " + numberText(matrix[7]) + ", xz " + numberText(matrix[2]) +
        " and zx " + numberText(matrix[6]) + ": it must be symmetric");
    }
    return constant(symmetricPart(matrix));
  }
  static Speed ofElements(const double* speeds) { return {Kind::OfElements, {}, speeds}; }
  static Speed ofVertices(const double* speeds) { return {Kind::OfVertices, {}, speeds}; }
  static Speed tensorOfElements(const double* components) { return {Kind::TensorOfElements, {}, components}; }
  static Speed matrixOfElements(const double* components) { return {Kind::MatrixOfElements, {}, components}; }

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
    case Kind::MatrixOfElements:
      return symmetricPart(values + 9 * element);
    case Kind::Constant:
      break;
    }
    return tensor;
  }

  /// N = M^-1 of an element.
  template <class Index>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION SymmetricTensor inverseOfElement(
    std::int64_t element, const Index* vertices, int count) const {
    return ofElement(element, vertices, count).inverse();
  }

  /// Whether an element is a wall: its speed is 0.
  template <class Index>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool isWall(std::int64_t element, const Index* vertices, int count) const {
    return isScalar() && ofElement(element, vertices, count).xx == 0.0;
  }

  /// Whether the speed of an element is what it may be: speeds finite and not negative, tensors finite, symmetric to a
  /// millionth, and positive definite.
  template <class Index>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool isValid(std::int64_t element, const Index* vertices, int count) const {
    if (kind == Kind::OfElements && !isSpeed(values[element])) {
      return false;
    }
    if (kind == Kind::OfVertices) {
      for (int k = 0; k < count; ++k) {
        if (!isSpeed(values[vertices[k]])) {
          return false;
        }
      }
    }
    if (kind == Kind::MatrixOfElements && !isSymmetric(values + 9 * element)) {
      return false;
    }
    return isWall(element, vertices, count) || ofElement(element, vertices, count).positiveDefinite();
  }

  /// How many numbers `values` has of each element.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int valuesPerElement() const {
    switch (kind) {
    case Kind::OfElements:
      return 1;
    case Kind::TensorOfElements:
      return 6;
    case Kind::MatrixOfElements:
      return 9;
    case Kind::Constant:
    case Kind::OfVertices:
      break;
    }
    return 0;
  }

  /// Whether the speed has no direction.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool isScalar() const {
    return kind == Kind::OfElements || kind == Kind::OfVertices;
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION static bool isSpeed(double value) {
    return value >= 0.0 && Kokkos::isfinite(value);
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION static SymmetricTensor symmetricPart(const double* m) {
    return {m[0], m[4], m[8], 0.5 * (m[1] + m[3]), 0.5 * (m[5] + m[7]), 0.5 * (m[2] + m[6])};
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION static bool isSymmetric(const double* m) {
    const double tolerance = 1e-6 * (Kokkos::abs(m[0]) + Kokkos::abs(m[4]) + Kokkos::abs(m[8]));
    return Kokkos::abs(m[1] - m[3]) <= tolerance && Kokkos::abs(m[5] - m[7]) <= tolerance &&
      Kokkos::abs(m[2] - m[6]) <= tolerance;
  }
};

} // namespace spanwise::eikonal
