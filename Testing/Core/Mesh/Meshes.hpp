#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace spanwise::testing {

inline constexpr std::array allElementTypes{ElementType::Edge, ElementType::Triangle, ElementType::Quadrilateral,
  ElementType::Tetrahedron, ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid};

/// A mesh in vectors: what tests make, and references read.
struct HostMesh {
  std::vector<Point> points;
  std::vector<ElementType> types;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> vertices;

  [[nodiscard]] std::int64_t numVertices() const { return static_cast<std::int64_t>(points.size()); }
  [[nodiscard]] std::int64_t numElements() const { return static_cast<std::int64_t>(types.size()); }

  template <class Vertices>
  void add(ElementType type, const Vertices& corners) {
    types.push_back(type);
    vertices.insert(vertices.end(), std::begin(corners), std::begin(corners) + numVerticesOf(type));
    offsets.push_back(static_cast<std::int64_t>(vertices.size()));
  }

  [[nodiscard]] Point corner(std::int64_t element, int local) const {
    return points[static_cast<std::size_t>(vertices[static_cast<std::size_t>(offsets[element] + local)])];
  }
};

/// The unit cube (the unit square of edges, triangles and quadrilaterals, in the plane z = 0) as a grid of n cells an
/// axis, each cut into elements of one type: a hexahedron, two prisms, six pyramids around a vertex in the middle, six
/// tetrahedra along a diagonal (H. W. Kuhn 1960); a square, two triangles; the edges along x and y.
inline HostMesh gridMesh(ElementType type, int n) {
  HostMesh mesh;
  const bool solid = dimensionOf(type) == 3;
  const int nz = solid ? n : 0;
  const auto at = [n](int i, int j, int k) { return (std::int64_t{k} * (n + 1) + j) * (n + 1) + i; };
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        mesh.points.push_back({{double(i) / n, double(j) / n, double(k) / n}});
      }
    }
  }
  if (type == ElementType::Edge) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        if (i < n) {
          mesh.add(type, std::array{at(i, j, 0), at(i + 1, j, 0)});
        }
        if (j < n) {
          mesh.add(type, std::array{at(i, j, 0), at(i, j + 1, 0)});
        }
      }
    }
    return mesh;
  }
  for (int k = 0; k < (solid ? n : 1); ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const int k1 = solid ? k + 1 : k;
        // around the bottom, then around the top
        const std::array<std::int64_t, 8> c{at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k),
          at(i, j, k1), at(i + 1, j, k1), at(i + 1, j + 1, k1), at(i, j + 1, k1)};
        const auto add = [&](auto... local) { mesh.add(type, std::array{c[local]...}); };
        switch (type) {
        case ElementType::Triangle:
          add(0, 1, 2);
          add(0, 2, 3);
          break;
        case ElementType::Quadrilateral:
          add(0, 1, 2, 3);
          break;
        case ElementType::Hexahedron:
          add(0, 1, 2, 3, 4, 5, 6, 7);
          break;
        case ElementType::Prism:
          add(0, 2, 1, 4, 6, 5);
          add(0, 3, 2, 4, 7, 6);
          break;
        case ElementType::Tetrahedron:
          add(0, 1, 2, 6);
          add(0, 2, 3, 6);
          add(0, 3, 7, 6);
          add(0, 7, 4, 6);
          add(0, 4, 5, 6);
          add(0, 5, 1, 6);
          break;
        case ElementType::Pyramid: {
          const auto middle = mesh.numVertices();
          mesh.points.push_back({{(i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n}});
          constexpr int faces[6][4] = {
            {0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
          for (const auto& face : faces) {
            mesh.add(type, std::array{c[face[0]], c[face[1]], c[face[2]], c[face[3]], middle});
          }
          break;
        }
        case ElementType::Edge:
          break;
        }
      }
    }
  }
  return mesh;
}

/// Elements of random types with random vertices of their own choice: connectivity without any geometry. Some vertices
/// are in very many elements, some in none.
inline HostMesh tangledMesh(std::mt19937& random, std::int64_t numVertices, std::int64_t numElements) {
  HostMesh mesh;
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (std::int64_t v = 0; v < numVertices; ++v) {
    mesh.points.push_back({{unit(random), unit(random), unit(random)}});
  }
  for (std::int64_t e = 0; e < numElements; ++e) {
    std::array<std::int64_t, maxElementVertices> corners{};
    for (auto& corner : corners) {
      const double u = unit(random);
      corner = static_cast<std::int64_t>(u * u * u * static_cast<double>(numVertices));
    }
    mesh.add(allElementTypes[random() % allElementTypes.size()], corners);
  }
  return mesh;
}

/// A mesh in the memory of an execution space, with the views that functions take.
template <class Space, MeshReal Real, MeshIndex Index>
class MeshOn {
public:
  using Memory = typename Space::memory_space;

  explicit MeshOn(const HostMesh& mesh)
    : coordinates_("coordinates", 3 * mesh.points.size()), offsets_("offsets", mesh.offsets.size()),
      types_("types", mesh.types.size()), vertices_("vertices", mesh.vertices.size()), numVertices_(mesh.numVertices()),
      numElements_(mesh.numElements()), type_(mesh.types.empty() ? ElementType::Tetrahedron : mesh.types.front()) {
    std::vector<double> coordinates;
    for (const Point& point : mesh.points) {
      coordinates.insert(coordinates.end(), std::begin(point.at), std::end(point.at));
    }
    fill(coordinates_, coordinates);
    fill(offsets_, mesh.offsets);
    fill(types_, mesh.types);
    fill(vertices_, mesh.vertices);
  }

  /// With offsets and types, as meshes of several types need it.
  [[nodiscard]] MeshView<Real, Index> mixed() const {
    return {vertices(), {vertices_.data(), offsets_.data(), types_.data(), type_, numElements_}};
  }
  /// As a mesh of one type.
  [[nodiscard]] MeshView<Real, Index> ofOneType() const {
    return {vertices(), ElementView<Index>::ofOneType(type_, vertices_.data(), numElements_)};
  }

private:
  [[nodiscard]] VertexView<Real> vertices() const {
    return VertexView<Real>::interleaved(coordinates_.data(), numVertices_);
  }

  template <class T, class From>
  static void fill(const Kokkos::View<T*, Memory>& to, const std::vector<From>& from) {
    const auto mirror = Kokkos::create_mirror_view(to);
    for (std::size_t i = 0; i < from.size(); ++i) {
      mirror(i) = static_cast<T>(from[i]);
    }
    Kokkos::deep_copy(to, mirror);
  }

  Kokkos::View<Real*, Memory> coordinates_;
  Kokkos::View<Index*, Memory> offsets_;
  Kokkos::View<ElementType*, Memory> types_;
  Kokkos::View<Index*, Memory> vertices_;
  std::int64_t numVertices_;
  std::int64_t numElements_;
  ElementType type_;
};

} // namespace spanwise::testing
