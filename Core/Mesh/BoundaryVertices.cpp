#include "Core/Mesh/BoundaryVertices.hpp"

#include "Core/Mesh/ElementFaces.hpp"
#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/Kernels.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace spanwise {

namespace {

/// The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014): a bijection.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// Of a vertex number, to be added to others: the sum knows no order.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t hashOf(std::int64_t vertex) {
  return mixed(static_cast<std::uint64_t>(vertex) + 0x9E3779B97F4A7C15ULL);
}

struct MarkBoundary {
  std::uint8_t* marks;

  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex) const {
    std::uint64_t odd = 0; // the faces at the vertex that were there once, or three times ...
    int numEdges = 0;
    vertex.forEachCorner([&](const Corner& corner) {
      const auto element = vertex.element(corner.element);
      const ElementType type = element.type();
      const int count = element.numVertices();
      if (dimensionOf(type) == 1) {
        ++numEdges;
      } else if (dimensionOf(type) == 2) {
        odd ^= mixed(hashOf(element.vertex((corner.local + 1) % count)));
        odd ^= mixed(hashOf(element.vertex((corner.local + count - 1) % count)));
      } else {
        std::uint64_t hashes[maxElementVertices] = {};
        for (int k = 0; k < count; ++k) {
          hashes[k] = hashOf(element.vertex(k));
        }
        const ElementFaces faces = facesOf(type);
        for (int f = 0; f < faces.count; ++f) {
          const int* const face = faces.vertices[f];
          const bool has =
            face[0] == corner.local || face[1] == corner.local || face[2] == corner.local || face[3] == corner.local;
          if (has) {
            odd ^= mixed(
              hashes[face[0]] + hashes[face[1]] + hashes[face[2]] + (face[3] < 0 ? std::uint64_t{0} : hashes[face[3]]));
          }
        }
      }
    });
    if (odd != 0 || numEdges == 1) {
      marks[vertex.number()] = 1;
    }
  }
};

/// A flat element at a vertex: its normal, and the vertices after and before that one.
struct FlatCorner {
  Point normal;
  std::int64_t next = -1;
  std::int64_t previous = -1;
};

struct MarkFeatures {
  double cosine; ///< of the angle that normals may make
  std::uint8_t* marks;

  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex) const {
    Point directions[2];
    int numEdges = 0;
    bool isFeature = false;
    for (int i = 0; i < vertex.degree(); ++i) {
      const Corner corner = vertex.corner(i);
      const int dimension = dimensionOf(vertex.element(corner.element).type());
      if (dimension == 1) {
        if (numEdges < 2) {
          directions[numEdges] = vertex.element(corner.element).point(1 - corner.local) - vertex.point();
        }
        ++numEdges;
      } else if (dimension == 2) {
        const FlatCorner one = flat(vertex, corner);
        for (int j = i + 1; j < vertex.degree() && !isFeature; ++j) {
          const Corner other = vertex.corner(j);
          isFeature = dimensionOf(vertex.element(other.element).type()) == 2 && turns(one, flat(vertex, other));
        }
      }
    }
    isFeature = isFeature || (numEdges == 2 && exceeds(directions[0], -1.0 * directions[1]));
    if (isFeature) {
      marks[vertex.number()] = 1;
    }
  }

private:
  template <class Vertex>
  KOKKOS_FUNCTION static FlatCorner flat(const Vertex& vertex, const Corner& corner) {
    const auto element = vertex.element(corner.element);
    const int count = element.numVertices();
    Point points[maxElementVertices];
    for (int k = 0; k < count; ++k) {
      points[k] = element.point(k);
    }
    return {vectorArea(element.type(), points), element.vertex((corner.local + 1) % count),
      element.vertex((corner.local + count - 1) % count)};
  }

  /// Whether two elements share a side and turn there.
  [[nodiscard]] KOKKOS_FUNCTION bool turns(const FlatCorner& a, const FlatCorner& b) const {
    if (a.next == b.previous || a.previous == b.next) {
      return exceeds(a.normal, b.normal);
    }
    if (a.next == b.next || a.previous == b.previous) { // numbered in opposite senses
      return exceeds(a.normal, -1.0 * b.normal);
    }
    return false;
  }

  [[nodiscard]] KOKKOS_FUNCTION bool exceeds(const Point& a, const Point& b) const {
    return dot(a, b) < cosine * Kokkos::sqrt(dot(a, a) * dot(b, b));
  }
};

template <class Marks>
void checkMarks(const Marks& marks, std::int64_t numVertices) {
  if (marks.extent(0) != static_cast<std::size_t>(numVertices)) {
    throw InvalidArgument("marks of " + std::to_string(marks.extent(0)) + " vertices of a mesh that has " +
      std::to_string(numVertices) + ": there must be one for each");
  }
}

} // namespace

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markBoundaryVertices(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball,
  const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks) {
  SPANWISE_REGION("Mesh::markBoundaryVertices");
  checkMarks(marks, mesh.vertices.numVertices);
  gatherAtVertices(space, mesh, ball, MarkBoundary{marks.data()}, SPANWISE_KERNEL("mark boundary"));
}

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markFeatureVertices(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball,
  double degrees, const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks) {
  SPANWISE_REGION("Mesh::markFeatureVertices");
  checkMarks(marks, mesh.vertices.numVertices);
  if (!(degrees >= 0.0 && degrees <= 180.0)) {
    throw InvalidArgument("a feature angle of " + std::to_string(degrees) + " degrees: it must be within 0 and 180");
  }
  const double cosine = std::cos(degrees * std::numbers::pi / 180.0);
  gatherAtVertices(space, mesh, ball, MarkFeatures{cosine, marks.data()}, SPANWISE_KERNEL("mark features"));
}

#define SPANWISE_BOUNDARY_VERTICES_OF(Real, Index, Space)                                                              \
  template void markBoundaryVertices<Space, Real, Index>(const Space&, const MeshView<Real, Index>&, const BallView&,  \
    const Kokkos::View<std::uint8_t*, Space::memory_space>&);                                                          \
  template void markFeatureVertices<Space, Real, Index>(const Space&, const MeshView<Real, Index>&, const BallView&,   \
    double, const Kokkos::View<std::uint8_t*, Space::memory_space>&);
#define SPANWISE_BOUNDARY_VERTICES(Space) SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_BOUNDARY_VERTICES_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_BOUNDARY_VERTICES)

} // namespace spanwise
