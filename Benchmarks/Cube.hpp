#pragma once

// The mesh of arrival times: what everybody measures them on.

#include "Core/Mesh/MeshView.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace spanwise::benchmarks {

/// Kuhn's tetrahedra of a grid, in the memory of a space.
template <class Space>
struct Cube {
  using Memory = typename Space::memory_space;

  explicit Cube(int n) : numCells(n), middle(vertex(n, n / 2, n / 2, n / 2)) {
    std::vector<double> points;
    for (int k = 0; k <= n; ++k) {
      for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
          points.insert(
            points.end(), {static_cast<double>(i) / n, static_cast<double>(j) / n, static_cast<double>(k) / n});
        }
      }
    }
    std::vector<std::int32_t> tetrahedra;
    constexpr int ways[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}}; // corners between 0 and 7
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          const auto corner = [&](int c) { return vertex(n, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)); };
          for (const auto& way : ways) {
            tetrahedra.insert(tetrahedra.end(), {corner(0), corner(way[0]), corner(way[1]), corner(7)});
          }
        }
      }
    }
    coordinates = copied(points);
    corners = copied(tetrahedra);
  }

  [[nodiscard]] MeshView<double, std::int32_t> view() const {
    return {VertexView<double>::interleaved(coordinates.data(), static_cast<std::int64_t>(coordinates.extent(0)) / 3),
      ElementView<std::int32_t>::ofOneType(
        ElementType::Tetrahedron, corners.data(), static_cast<std::int64_t>(corners.extent(0)) / 4)};
  }

  /// The vertices of so many sources: one in the middle, two in opposite corners or eight in all corners.
  [[nodiscard]] std::vector<std::int64_t> sources(std::int64_t count) const {
    if (count == 1) {
      return {middle};
    }
    std::vector<std::int64_t> vertices;
    for (int c = 0; c < 8; c += count == 2 ? 7 : 1) {
      vertices.push_back(vertex(numCells, numCells * (c & 1), numCells * (c >> 1 & 1), numCells * (c >> 2)));
    }
    return vertices;
  }

  int numCells; ///< along an axis
  std::int64_t middle;
  Kokkos::View<double*, Memory> coordinates;
  Kokkos::View<std::int32_t*, Memory> corners;

  template <class T>
  static Kokkos::View<T*, Memory> copied(const std::vector<T>& values) {
    const Kokkos::View<T*, Memory> view("Benchmarks::cube", values.size());
    const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
      values.data(), values.size());
    Kokkos::deep_copy(view, from);
    return view;
  }

private:
  static std::int32_t vertex(int n, int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; }
};

} // namespace spanwise::benchmarks
