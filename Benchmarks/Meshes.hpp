#pragma once

// Meshes to measure with, in the memory of a space.

#include "Core/Mesh/MeshView.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace spanwise::benchmarks {

template <class T, class Memory>
Kokkos::View<T*, Memory> copied(const std::vector<T>& values) {
  const Kokkos::View<T*, Memory> view("Benchmarks::mesh", values.size());
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
    values.data(), values.size());
  Kokkos::deep_copy(view, from);
  return view;
}

/// The unit cube (the unit square of flat elements and edges) as a grid of n cells an axis: a hexahedron each, Kuhn's
/// six tetrahedra, two prisms, six pyramids around a vertex of their own; a square, two triangles, the edges along x
/// and y and a diagonal.
template <class Space>
struct GridMesh {
  using Memory = typename Space::memory_space;

  GridMesh(ElementType elementType, int n) : type(elementType) {
    const bool solid = dimensionOf(type) == 3;
    const int nz = solid ? n : 0;
    const auto at = [n](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
    std::vector<double> points;
    for (int k = 0; k <= nz; ++k) {
      for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
          points.insert(
            points.end(), {static_cast<double>(i) / n, static_cast<double>(j) / n, static_cast<double>(k) / n});
        }
      }
    }
    std::vector<std::int32_t> lists;
    for (int k = 0; k < (solid ? n : 1); ++k) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          const auto c = [&](int corner) {
            return at(i + (corner & 1), j + (corner >> 1 & 1), solid ? k + (corner >> 2) : 0);
          };
          const auto add = [&](auto... numbers) { (lists.push_back(c(numbers)), ...); };
          switch (type) {
          case ElementType::Edge:
            add(0, 1, 0, 2, 0, 3);
            break;
          case ElementType::Triangle:
            add(0, 1, 3, 0, 3, 2);
            break;
          case ElementType::Quadrilateral:
            add(0, 1, 3, 2);
            break;
          case ElementType::Tetrahedron:
            add(0, 1, 3, 7, 0, 5, 1, 7, 0, 3, 2, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 6, 4, 7);
            break;
          case ElementType::Hexahedron:
            add(0, 1, 3, 2, 4, 5, 7, 6);
            break;
          case ElementType::Prism:
            add(0, 3, 1, 4, 7, 5, 0, 2, 3, 4, 6, 7);
            break;
          case ElementType::Pyramid: {
            const auto middle = static_cast<std::int32_t>(points.size() / 3);
            points.insert(points.end(), {(i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n});
            constexpr int faces[6][4] = {
              {0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {1, 5, 7, 3}, {3, 7, 6, 2}, {2, 6, 4, 0}};
            for (const auto& face : faces) {
              add(face[0], face[1], face[2], face[3]);
              lists.push_back(middle);
            }
            break;
          }
          }
        }
      }
    }
    coordinates = copied<double, Memory>(points);
    corners = copied<std::int32_t, Memory>(lists);
  }

  [[nodiscard]] std::int64_t numVertices() const { return static_cast<std::int64_t>(coordinates.extent(0)) / 3; }
  [[nodiscard]] std::int64_t numElements() const {
    return static_cast<std::int64_t>(corners.extent(0)) / numVerticesOf(type);
  }
  [[nodiscard]] MeshView<double, std::int32_t> view() const {
    return {VertexView<double>::interleaved(coordinates.data(), numVertices()),
      ElementView<std::int32_t>::ofOneType(type, corners.data(), numElements())};
  }

  ElementType type;
  Kokkos::View<double*, Memory> coordinates;
  Kokkos::View<std::int32_t*, Memory> corners;
};

} // namespace spanwise::benchmarks
