// Ten kernels on meshes to start from, a direct and an indirect one for each of five types of elements. A direct kernel
// reads the vertices of an element and writes to the element; an indirect one smooths: it writes what each element
// wants of its vertices to slots of the element's own, and gathers from them vertex by vertex.
//
//   MeshKernels [device]    the index of the device to compute on

#include "Edges.hpp"
#include "Hexahedra.hpp"
#include "Quadrilaterals.hpp"
#include "Tetrahedra.hpp"
#include "Triangles.hpp"

#include <Core/Mesh/BallTable.hpp>
#include <Core/Mesh/BoundaryVertices.hpp>
#include <Core/Mesh/MeshArrays.hpp>
#include <Core/Mesh/Records.hpp>
#include <Core/Runtime/Context.hpp>
#include <Core/Runtime/KernelTimes.hpp>
#include <Core/Runtime/Runtime.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using spanwise::ElementType;

/// The unit square or cube as n cells an axis, in arrays of the host as any program has them.
struct HostGrid {
  ElementType type;
  std::vector<double> coordinates;
  std::vector<std::int32_t> vertices;

  HostGrid(ElementType elementType, int n) : type(elementType) {
    const bool solid = spanwise::dimensionOf(type) == 3;
    const auto at = [n](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
    for (int k = 0; k <= (solid ? n : 0); ++k) {
      for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
          coordinates.insert(coordinates.end(), {double(i) / n, double(j) / n, double(k) / n});
        }
      }
    }
    for (int k = 0; k < (solid ? n : 1); ++k) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          for (const int corner : cornersOfCell()) {
            vertices.push_back(at(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)));
          }
        }
      }
    }
  }

  [[nodiscard]] std::int64_t numVertices() const { return static_cast<std::int64_t>(coordinates.size()) / 3; }
  [[nodiscard]] std::int64_t numElements() const {
    return static_cast<std::int64_t>(vertices.size()) / spanwise::numVerticesOf(type);
  }
  [[nodiscard]] spanwise::MeshView<double, std::int32_t> view() const {
    return {spanwise::VertexView<double>::interleaved(coordinates.data(), numVertices()),
      spanwise::ElementView<std::int32_t>::ofOneType(type, vertices.data(), numElements())};
  }

private:
  /// The elements of a cell, by its corners: 1 is a step along x, 2 along y, 4 along z.
  [[nodiscard]] std::vector<int> cornersOfCell() const {
    switch (type) {
    case ElementType::Edge:
      return {0, 1, 0, 2, 0, 3};
    case ElementType::Triangle:
      return {0, 1, 3, 0, 3, 2};
    case ElementType::Quadrilateral:
      return {0, 1, 3, 2};
    case ElementType::Tetrahedron:
      return {0, 1, 3, 7, 0, 5, 1, 7, 0, 3, 2, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 6, 4, 7};
    default:
      return {0, 1, 3, 2, 4, 5, 7, 6};
    }
  }
};

/// Runs the direct and the indirect kernel of a type on a grid of which one inner vertex was moved. Returns whether the
/// barycentres are in the middle of the grid, all together, and the vertex came nearer to where it was.
template <ElementType type, class Barycentre, class Pull>
bool run(const Space& space, int n, std::vector<spanwise::BallTableRow>& table) {
  HostGrid grid(type, n);
  const std::int64_t moved =
    (spanwise::dimensionOf(type) == 3 ? n / 2 * (n + 1) * (n + 1) : 0) + n / 2 * (n + 1) + n / 2;
  const double before = grid.coordinates[static_cast<std::size_t>(3 * moved)];
  grid.coordinates[static_cast<std::size_t>(3 * moved)] += 0.3 / n;

  // One copy to a device; none where the host computes.
  const spanwise::MeshMirror<Space, double, std::int32_t> mirror(space, grid.view());
  const auto& mesh = mirror.view();

  const spanwise::Records<Place, Space> barycentres("barycentres", grid.numElements(), spanwise::Access::Out);
  spanwise::forEachElement<type>(space, mesh, Barycentre{barycentres.data()}, "barycentres");
  barycentres.download(space);
  double mean = 0.0;
  for (std::int64_t e = 0; e < grid.numElements(); ++e) {
    mean += barycentres[e].x / static_cast<double>(grid.numElements());
  }

  spanwise::VertexBall<Memory> ball;
  const spanwise::Context context(space);
  spanwise::buildVertexBall(context, mesh.elements, grid.numVertices(), 0, ball);
  table.push_back({spanwise::elementTypeName(type), ball.width(), ball.occupancy()});
  const Kokkos::View<std::uint8_t*, Memory> held("held", static_cast<std::size_t>(grid.numVertices()));
  spanwise::markBoundaryVertices(context, mesh, ball.view(), held);

  const auto numCorners = static_cast<std::int64_t>(grid.vertices.size());
  const spanwise::Records<Place, Space> pulls("pulls", numCorners, spanwise::Access::Internal);
  const spanwise::Records<Place, Space> places("places", grid.numVertices(), spanwise::Access::Out);
  const spanwise::ParameterBlock<SmoothingParameters, Space> parameters({1.0, moved, {}});
  parameters.upload(space);
  spanwise::forEachElement<type>(space, mesh, Pull{pulls.data()}, "pull vertices");
  spanwise::gatherAtVertices<type>(
    space, mesh, ball.view(), GoToMean{pulls.data(), held.data(), parameters.data(), places.data()}, "go to mean");
  places.download(space);
  parameters.download(space);

  const double left = std::abs(parameters->seen.x - before) * n;
  std::printf("%-15s mean of barycentres %.6f, a vertex moved by 0.30 cells is %.3f away after one step\n",
    spanwise::elementTypeName(type), mean, left);
  return std::abs(mean - 0.5) < 0.01 && left < 0.29 && places[moved].x == parameters->seen.x;
}

int main(int argc, char** argv) {
  if (argc > 1) {
    spanwise::RuntimeSettings settings;
    settings.deviceId = std::atoi(argv[1]);
    spanwise::setRuntimeSettings(settings);
  }
  spanwise::startRuntime();
  const Space space;
  std::vector<spanwise::BallTableRow> table;
  bool isRight = true;
  spanwise::RuntimeReport report;
  {
    const spanwise::KernelTimes measured;
    isRight = run<ElementType::Edge, EdgeBarycentre, PullEdge>(space, 100, table) && isRight;
    isRight = run<ElementType::Triangle, TriangleBarycentre, PullTriangle>(space, 100, table) && isRight;
    isRight = run<ElementType::Quadrilateral, QuadrilateralBarycentre, PullQuadrilateral>(space, 100, table) && isRight;
    isRight = run<ElementType::Tetrahedron, TetrahedronBarycentre, PullTetrahedron>(space, 20, table) && isRight;
    isRight = run<ElementType::Hexahedron, HexahedronBarycentre, PullHexahedron>(space, 20, table) && isRight;
    report = spanwise::runtimeReport(); // with the times of kernels, while they are measured
  }
  std::printf("\n%s\n%s", spanwise::toString(table).c_str(), spanwise::toString(report).c_str());
  return isRight ? 0 : 1;
}
