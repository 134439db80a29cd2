// SpanwiseBallTables [NAME=mesh.msh ...]: how well the base table of vertex balls fits grids, and meshes of gmsh
// (format 2.2, as text), type by type. Benchmarks/BallTables.sh has gmsh make them.

#include "Benchmarks/Meshes.hpp"
#include "Core/Mesh/BallTable.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Core/Mesh/GmshFile.hpp"
#include "Testing/Rooms.hpp"

#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using namespace spanwise;
using Space = Kokkos::DefaultHostExecutionSpace;

/// The vertices of the elements of a mesh, type by type.
std::map<ElementType, std::vector<std::int32_t>> elementsOf(const testing::HostMesh& mesh) {
  std::map<ElementType, std::vector<std::int32_t>> elements;
  for (std::size_t e = 0; e < mesh.types.size(); ++e) {
    auto& list = elements[mesh.types[e]];
    for (std::int64_t corner = mesh.offsets[e]; corner < mesh.offsets[e + 1]; ++corner) {
      list.push_back(static_cast<std::int32_t>(mesh.vertices[static_cast<std::size_t>(corner)]));
    }
  }
  return elements;
}

/// The edges of all elements, each once. Only of simplices: their vertices are all neighbours.
std::vector<std::int32_t> edgesOf(const std::vector<std::int32_t>& simplices, int numCorners) {
  std::unordered_map<std::uint64_t, bool> has;
  std::vector<std::int32_t> edges;
  for (std::size_t first = 0; first < simplices.size(); first += static_cast<std::size_t>(numCorners)) {
    for (int i = 0; i < numCorners; ++i) {
      for (int j = 0; j < i; ++j) {
        const auto [a, b] = std::minmax(simplices[first + i], simplices[first + j]);
        if (has.emplace((static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint64_t>(b), true).second) {
          edges.insert(edges.end(), {a, b});
        }
      }
    }
  }
  return edges;
}

/// A mesh of one type has vertices that are of others: they are left out.
BallTableRow rowOf(const std::string& name, ElementType type, std::vector<std::int32_t> vertices) {
  std::unordered_map<std::int32_t, std::int32_t> renumbered;
  for (std::int32_t& v : vertices) {
    v = renumbered.emplace(v, static_cast<std::int32_t>(renumbered.size())).first->second;
  }
  const auto numElements = static_cast<std::int64_t>(vertices.size()) / numVerticesOf(type);
  VertexBall<Space::memory_space> ball;
  const Context<Space> context;
  buildVertexBall(context, ElementView<std::int32_t>::ofOneType(type, vertices.data(), numElements),
    static_cast<std::int64_t>(renumbered.size()), 0, ball);
  return {name, ball.width(), ball.occupancy()};
}

BallTableRow rowOf(const std::string& name, ElementType type, int n) {
  const benchmarks::GridMesh<Space> grid(type, n);
  return rowOf(name, type, {grid.corners.data(), grid.corners.data() + grid.corners.extent(0)});
}

} // namespace

int main(int argc, char** argv) {
  try {
    startRuntime();
    std::vector<BallTableRow> rows{rowOf("square, edges with a diagonal", ElementType::Edge, 200),
      rowOf("square, triangles", ElementType::Triangle, 200),
      rowOf("square, quadrilaterals", ElementType::Quadrilateral, 200),
      rowOf("cube, Kuhn's tetrahedra", ElementType::Tetrahedron, 50), rowOf("cube, pyramids", ElementType::Pyramid, 30),
      rowOf("cube, prisms", ElementType::Prism, 40), rowOf("cube, hexahedra", ElementType::Hexahedron, 40)};
    for (int k = 1; k < argc; ++k) {
      const std::string argument = argv[k];
      const std::size_t equals = argument.find('=');
      const std::string name = argument.substr(0, equals);
      const auto elements =
        elementsOf(testing::readGmsh(equals == std::string::npos ? argument : argument.substr(equals + 1)));
      int highest = 0;
      for (const auto& [type, vertices] : elements) {
        highest = std::max(highest, dimensionOf(type));
      }
      for (const auto& [type, vertices] : elements) {
        if (dimensionOf(type) != highest) {
          continue; // the boundary
        }
        const auto numElements = vertices.size() / static_cast<std::size_t>(numVerticesOf(type));
        rows.push_back(
          rowOf(name + ", " + std::to_string(numElements) + " of type " + elementTypeName(type), type, vertices));
        if (type == ElementType::Tetrahedron) {
          rows.push_back(rowOf(name + ", their edges", ElementType::Edge, edgesOf(vertices, 4)));
        }
      }
    }
    std::printf("%s", toString(rows).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
