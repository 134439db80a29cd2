#pragma once

#include "Readers/Meshb/MeshSource.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::meshb {

/// Cells of one kind.
struct Elements {
  int keyword = 0;
  int vertices = 0;                       ///< of one of them
  std::vector<std::int64_t> connectivity; ///< [count * vertices] from 0 on, in VTK's order
  std::vector<std::int64_t> references;   ///< [count]
};

/// Values at the vertices.
struct Solution {
  int kind = 1;               ///< 1: a number, 2: a vector, 3: a symmetric matrix, 4: a matrix
  int components = 1;         ///< 1, 3, 6 (xx, yy, zz, xy, yz, xz) or 9: in 2D filled up with 0
  std::vector<double> values; ///< [vertices * components]
};

/// A mesh of linear cells.
struct Mesh {
  int dimension = 3;
  bool isSingle = false;                ///< coordinates were floats in the file
  std::vector<double> points;           ///< [vertices * 3]; z is 0 in 2D
  std::vector<std::int64_t> references; ///< [vertices]
  std::vector<Elements> elements;       ///< from edges to hexahedra
  std::vector<Solution> solutions;
  std::string leftOut; ///< cells that were not read: "TetrahedraP2 (20)"; empty if there are none
};

/// Whether a file begins as a mesh does, damaged or not. Reads 4096 bytes; never throws.
bool canRead(const std::string& path) noexcept;

/// Reads a file. Throws FileError with the value that is wrong and the rule.
Mesh readMesh(const std::string& path);

/// Reads the solutions of a file (.sol, .solb) for so many vertices. Throws FileError.
std::vector<Solution> readSolutions(const std::string& path, std::size_t numVertices, int dimension);

} // namespace spanwise::meshb
