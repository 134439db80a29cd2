#pragma once

#include "Core/Mesh/ElementType.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace spanwise {

/// The types that coordinates of vertices may have.
template <class T>
concept MeshReal = std::same_as<T, float> || std::same_as<T, double>;

/// The types that numbers of vertices may have in the lists of elements.
template <class T>
concept MeshIndex = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

/// A place in space, or a vector. T is double, or several numbers of as many places that are handled at once.
template <class T>
struct PointOf {
  T at[3] = {};

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const T& operator[](int axis) const { return at[axis]; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T& operator[](int axis) { return at[axis]; }

  friend KOKKOS_FORCEINLINE_FUNCTION PointOf operator+(const PointOf& a, const PointOf& b) {
    return {{a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2]}};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION PointOf operator-(const PointOf& a, const PointOf& b) {
    return {{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION PointOf operator*(const T& factor, const PointOf& a) {
    return {{factor * a.at[0], factor * a.at[1], factor * a.at[2]}};
  }
};

using Point = PointOf<double>;

template <class T>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T dot(const PointOf<T>& a, const PointOf<T>& b) {
  return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

template <class T>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION PointOf<T> cross(const PointOf<T>& a, const PointOf<T>& b) {
  return {{a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
    a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

/// Coordinates of vertices where they lie: interleaved (stride 3, the axes one after the other) or an array an axis
/// (stride 1).
template <MeshReal Real>
struct VertexView {
  const Real* axis[3] = {};
  std::int64_t stride = 3;
  std::int64_t numVertices = 0;

  /// Coordinates as x y z x y z ...
  static VertexView interleaved(const Real* coordinates, std::int64_t numVertices) {
    return {{coordinates, coordinates + 1, coordinates + 2}, 3, numVertices};
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Point operator()(std::int64_t vertex) const {
    const std::int64_t at = vertex * stride;
    return {{double{axis[0][at]}, double{axis[1][at]}, double{axis[2][at]}}};
  }
};

/// Elements as lists of vertices where they lie. A corner is a place in these lists: an element and one of its
/// vertices. Elements of one type need no more than the lists; else there are their first corners and their types.
template <MeshIndex Index>
struct ElementView {
  const Index* vertices = nullptr;             ///< [numCorners]: the vertex at each corner
  const Index* offsets = nullptr;              ///< [numElements + 1]: first corners; null: all of one type
  const ElementType* types = nullptr;          ///< [numElements]; null: all of `type`
  ElementType type = ElementType::Tetrahedron; ///< where `types` is null
  std::int64_t numElements = 0;

  /// Elements of one type, one after the other.
  static ElementView ofOneType(ElementType type, const Index* vertices, std::int64_t numElements) {
    return {vertices, nullptr, nullptr, type, numElements};
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION ElementType typeOf(std::int64_t element) const {
    return types != nullptr ? types[element] : type;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t firstCorner(std::int64_t element) const {
    return offsets != nullptr ? std::int64_t{offsets[element]} : element * numVerticesOf(type);
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t vertex(std::int64_t element, int local) const {
    return vertices[firstCorner(element) + local];
  }
};

/// A mesh as kernels see it: cheap to copy, owns nothing.
template <MeshReal Real, MeshIndex Index>
struct MeshView {
  VertexView<Real> vertices;
  ElementView<Index> elements;
};

} // namespace spanwise

// Functions of meshes are compiled once for each type of coordinates and of vertex numbers: a file hands its macro
// M(Real, Index, ...) to this one.
#define SPANWISE_FOR_EACH_MESH_TYPE(M, ...)                                                                            \
  M(float, std::int32_t __VA_OPT__(, ) __VA_ARGS__)                                                                    \
  M(float, std::int64_t __VA_OPT__(, ) __VA_ARGS__)                                                                    \
  M(double, std::int32_t __VA_OPT__(, ) __VA_ARGS__)                                                                   \
  M(double, std::int64_t __VA_OPT__(, ) __VA_ARGS__)
