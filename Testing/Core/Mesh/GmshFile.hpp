#pragma once

#include "Testing/Core/Mesh/Meshes.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace spanwise::testing {

/// The mesh of a file of gmsh (format 2.2, as text). Points and elements of higher order are left out.
/// Throws std::runtime_error where the file cannot be read.
inline HostMesh readGmsh(const std::string& path) {
  constexpr std::array types{ElementType::Edge, ElementType::Triangle, ElementType::Quadrilateral,
    ElementType::Tetrahedron, ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid}; // gmsh's 1 to 7
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error(path + " cannot be read");
  }
  HostMesh mesh;
  std::unordered_map<std::int64_t, std::int64_t> vertexOf;
  std::string line;
  while (std::getline(file, line)) {
    std::int64_t count = 0;
    if (line == "$Nodes" && file >> count) {
      for (std::int64_t k = 0; k < count; ++k) {
        std::int64_t number = 0;
        Point point;
        file >> number >> point.at[0] >> point.at[1] >> point.at[2];
        vertexOf.emplace(number, mesh.numVertices());
        mesh.points.push_back(point);
      }
    } else if (line == "$Elements" && file >> count) {
      for (std::int64_t k = 0; k < count; ++k) {
        std::int64_t number = 0;
        int kind = 0;
        int numTags = 0;
        file >> number >> kind >> numTags;
        for (; numTags > 0; --numTags) {
          file >> number;
        }
        if (kind < 1 || kind > static_cast<int>(types.size())) {
          std::getline(file, line);
          continue;
        }
        const ElementType type = types[static_cast<std::size_t>(kind - 1)];
        std::array<std::int64_t, maxElementVertices> corners{};
        for (int i = 0; i < numVerticesOf(type); ++i) {
          file >> number;
          corners[static_cast<std::size_t>(i)] = vertexOf.at(number);
        }
        mesh.add(type, corners);
      }
    }
  }
  return mesh;
}

} // namespace spanwise::testing
