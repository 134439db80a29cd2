#pragma once

#include "Benchmarks/Cube.hpp"
#include "Core/Mesh/MeshParts.hpp"
#include "Core/Mesh/Partition.hpp"
#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::benchmarks {

/// A rank's part, METIS's, of the cube of n^3 cells of six tetrahedra. Each rank makes the whole for that.
struct PartOfCube {
  PartOfCube(const Communicator& ranks, int n) {
    const Cube<Kokkos::HostSpace> cube(n);
    const auto whole = cube.view();
    numVerticesOfAll = whole.vertices.numVertices;
    numElementsOfAll = whole.elements.numElements;
    middle = cube.middle;
    std::vector<std::int32_t> parts = partitionMesh(whole, ranks.size()).partOfElement;
    for (std::int32_t& part : parts) {
      part = part == ranks.rank() ? 0 : -1;
    }
    mesh = splitMesh(whole.elements, numVerticesOfAll, parts, 1);
    for (const std::int64_t v : mesh.vertices) {
      coordinates.insert(coordinates.end(), cube.coordinates.data() + 3 * v, cube.coordinates.data() + 3 * (v + 1));
    }
  }

  /// Of arrival times from the middle, at the part's vertices.
  [[nodiscard]] std::vector<double> startTimes() const {
    std::vector<double> times;
    for (const std::int64_t v : mesh.vertices) {
      times.push_back(v == middle ? 0.0 : eikonal::notReached);
    }
    return times;
  }

  std::int64_t numVerticesOfAll = 0;
  std::int64_t numElementsOfAll = 0;
  std::int64_t middle = 0; ///< the vertex
  MeshParts mesh;
  std::vector<double> coordinates;
};

/// The part in the memory of a space.
template <class Space>
struct MeshOfPart {
  explicit MeshOfPart(const PartOfCube& part)
    : coordinates(Cube<Space>::copied(part.coordinates)), corners(Cube<Space>::copied(part.mesh.corners)) {}

  [[nodiscard]] MeshView<double, std::int32_t> view() const {
    return {VertexView<double>::interleaved(coordinates.data(), static_cast<std::int64_t>(coordinates.extent(0)) / 3),
      ElementView<std::int32_t>::ofOneType(
        ElementType::Tetrahedron, corners.data(), static_cast<std::int64_t>(corners.extent(0)) / 4)};
  }

  Kokkos::View<double*, typename Space::memory_space> coordinates;
  Kokkos::View<std::int32_t*, typename Space::memory_space> corners;
};

} // namespace spanwise::benchmarks
