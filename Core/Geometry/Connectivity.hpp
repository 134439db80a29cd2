#pragma once

namespace spanwise::geometry {

/// Which cells are neighbours. In 2D the sides of a cell are its faces, and Edge is the same as Vertex.
enum class Connectivity {
  Face,   ///< cells that share a face: 4 in 2D, 6 in 3D
  Edge,   ///< those, and cells that share an edge: 8 in 2D, 18 in 3D
  Vertex, ///< those, and cells that share a vertex: 8 in 2D, 26 in 3D
};

} // namespace spanwise::geometry
