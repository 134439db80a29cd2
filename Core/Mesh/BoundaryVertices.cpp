#include "Core/Mesh/BoundaryVertices.hpp"

#include "Core/Mesh/Detail/Check.hpp"
#include "Core/Mesh/ElementFaces.hpp"
#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/Kernels.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/PointText.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

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

/// What the elements around a vertex say of whether it is on the boundary.
struct Outline {
  std::uint64_t odd = 0; ///< the faces at the vertex that were there once, or three times ...
  std::int32_t numEdges = 0;

  [[nodiscard]] KOKKOS_FUNCTION bool isBoundary() const { return odd != 0 || numEdges == 1; }
};

struct JoinOutlines {
  KOKKOS_FUNCTION Outline operator()(const Outline& a, const Outline& b) const {
    return {a.odd ^ b.odd, a.numEdges + b.numEdges};
  }
};

/// numbers: of vertices on all ranks; null: their own.
template <class Vertex>
KOKKOS_FUNCTION Outline outlineOf(const Vertex& vertex, const std::int64_t* numbers) {
  Outline outline;
  const auto hashAt = [&](const auto& element, int local) {
    const std::int64_t v = element.vertex(local);
    return hashOf(numbers != nullptr ? numbers[v] : v);
  };
  vertex.forEachCorner([&](const Corner& corner) {
    const auto element = vertex.element(corner.element);
    const ElementType type = element.type();
    const int count = element.numVertices();
    if (dimensionOf(type) == 1) {
      ++outline.numEdges;
    } else if (dimensionOf(type) == 2) {
      outline.odd ^= mixed(hashAt(element, (corner.local + 1) % count));
      outline.odd ^= mixed(hashAt(element, (corner.local + count - 1) % count));
    } else {
      std::uint64_t hashes[maxElementVertices] = {};
      for (int k = 0; k < count; ++k) {
        hashes[k] = hashAt(element, k);
      }
      const ElementFaces faces = facesOf(type);
      for (int f = 0; f < faces.count; ++f) {
        const int* const face = faces.vertices[f];
        const bool has =
          face[0] == corner.local || face[1] == corner.local || face[2] == corner.local || face[3] == corner.local;
        if (has) {
          outline.odd ^= mixed(
            hashes[face[0]] + hashes[face[1]] + hashes[face[2]] + (face[3] < 0 ? std::uint64_t{0} : hashes[face[3]]));
        }
      }
    }
  });
  return outline;
}

struct MarkBoundary {
  std::uint8_t* marks;

  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex) const {
    if (outlineOf(vertex, nullptr).isBoundary()) {
      marks[vertex.number()] = 1;
    }
  }
};

struct WriteOutlines {
  const std::int64_t* numbers;
  Outline* outlines;

  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex) const {
    outlines[vertex.number()] = outlineOf(vertex, numbers);
  }
};

struct MarkOutlines {
  const Outline* outlines;
  std::uint8_t* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (outlines[v].isBoundary()) {
      marks[v] = 1;
    }
  }
};

/// A flat element at a vertex: its normal, and the vertices after and before that one.
struct FlatCorner {
  Point normal;
  std::int64_t next = -1;
  std::int64_t previous = -1;
};

/// The angle from which on surfaces and lines have a feature.
struct FeatureAngle {
  double cosine;

  [[nodiscard]] KOKKOS_FUNCTION bool isExceeded(const Point& a, const Point& b) const {
    return dot(a, b) < cosine * Kokkos::sqrt(dot(a, a) * dot(b, b));
  }
  /// Whether two elements share a side and turn there.
  [[nodiscard]] KOKKOS_FUNCTION bool isExceeded(const FlatCorner& a, const FlatCorner& b) const {
    if (a.next == b.previous || a.previous == b.next) {
      return isExceeded(a.normal, b.normal);
    }
    if (a.next == b.next || a.previous == b.previous) { // numbered in opposite senses
      return isExceeded(a.normal, -1.0 * b.normal);
    }
    return false;
  }
};

template <class Element>
KOKKOS_FUNCTION FlatCorner flatCorner(const Element& element, int local) {
  const int count = element.numVertices();
  Point points[maxElementVertices];
  for (int k = 0; k < count; ++k) {
    points[k] = element.point(k);
  }
  return {vectorArea(element.type(), points), element.vertex((local + 1) % count),
    element.vertex((local + count - 1) % count)};
}

struct MarkFeatures {
  FeatureAngle angle;
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
        const FlatCorner one = flatCorner(vertex.element(corner.element), corner.local);
        for (int j = i + 1; j < vertex.degree() && !isFeature; ++j) {
          const Corner other = vertex.corner(j);
          isFeature = dimensionOf(vertex.element(other.element).type()) == 2 &&
            angle.isExceeded(one, flatCorner(vertex.element(other.element), other.local));
        }
      }
    }
    isFeature = isFeature || (numEdges == 2 && angle.isExceeded(directions[0], -1.0 * directions[1]));
    if (isFeature) {
      marks[vertex.number()] = 1;
    }
  }
};

struct AnyMark {
  KOKKOS_FUNCTION std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return a | b; }
};

/// A flat element, or an edge, at a shared vertex, for other ranks.
struct CornerOfRank {
  std::int64_t vertex = -1; ///< these are numbers on all ranks
  FlatCorner flat;          ///< of an edge: its direction
  bool isEdge = false;
};

/// The flat elements and edges of a rank at vertices that it shares.
template <class Real, class Index>
std::vector<CornerOfRank> cornersAtCuts(
  const MeshView<Real, Index>& mesh, const SharedVertices& shared, const std::vector<std::int64_t>& numbers) {
  std::vector<bool> isShared(numbers.size(), false);
  for (const std::int32_t v : shared.vertices) {
    isShared[static_cast<std::size_t>(v)] = true;
  }
  const auto numberOf = [&](std::int64_t v) { return numbers[static_cast<std::size_t>(v)]; };
  std::vector<CornerOfRank> corners;
  for (std::int64_t e = 0; e < mesh.elements.numElements; ++e) {
    const int dimension = dimensionOf(mesh.elements.typeOf(e));
    if (dimension != 1 && dimension != 2) {
      continue;
    }
    const ElementIn<Real, Index, anyElementType> element(mesh, e);
    for (int k = 0; k < element.numVertices(); ++k) {
      if (!isShared[static_cast<std::size_t>(element.vertex(k))]) {
        continue;
      }
      CornerOfRank& corner = corners.emplace_back();
      corner.vertex = numberOf(element.vertex(k));
      corner.isEdge = dimension == 1;
      if (corner.isEdge) {
        corner.flat.normal = element.point(1 - k) - element.point(k);
      } else {
        corner.flat = flatCorner(element, k);
        corner.flat.next = numberOf(corner.flat.next);
        corner.flat.previous = numberOf(corner.flat.previous);
      }
    }
  }
  return corners;
}

/// Whether the elements of all ranks at a vertex make it one of a feature.
bool isFeature(std::span<const CornerOfRank> corners, const FeatureAngle& angle) {
  std::vector<Point> directions;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (corners[i].isEdge) {
      directions.push_back(corners[i].flat.normal);
      continue;
    }
    for (std::size_t j = i + 1; j < corners.size(); ++j) {
      if (!corners[j].isEdge && angle.isExceeded(corners[i].flat, corners[j].flat)) {
        return true;
      }
    }
  }
  return directions.size() == 2 && angle.isExceeded(directions[0], -1.0 * directions[1]);
}

/// Collective. The corners of this rank and of its neighbours at the vertices that it shares, vertex by vertex.
std::vector<CornerOfRank> joinedCorners(const Communicator& communicator, const SharedVertices& shared,
  const std::vector<std::int64_t>& numbers, std::vector<CornerOfRank> mine) {
  const auto byVertex = [](const CornerOfRank& a, const CornerOfRank& b) { return a.vertex < b.vertex; };
  std::stable_sort(mine.begin(), mine.end(), byVertex);
  std::vector<CornerOfRank> out;
  std::vector<int> ranks;
  for (std::size_t n = 0; n < shared.ranks.size(); ++n) {
    for (std::int64_t slot = shared.firstSlot[n]; slot < shared.firstSlot[n + 1]; ++slot) {
      CornerOfRank wanted;
      wanted.vertex = numbers[static_cast<std::size_t>(shared.vertices[static_cast<std::size_t>(slot)])];
      const auto [begin, end] = std::equal_range(mine.begin(), mine.end(), wanted, byVertex);
      out.insert(out.end(), begin, end);
      ranks.insert(ranks.end(), static_cast<std::size_t>(end - begin), shared.ranks[n]);
    }
  }
  const parallel::ByRank<CornerOfRank> theirs =
    parallel::exchanged(communicator, parallel::sortedByRank(out, ranks, communicator.size()));
  mine.insert(mine.end(), theirs.values.begin(), theirs.values.end());
  std::stable_sort(mine.begin(), mine.end(), byVertex);
  return mine;
}

FeatureAngle featureAngle(double degrees) {
  if (!(degrees >= 0.0 && degrees <= 180.0)) {
    throw InvalidArgument("a feature angle of " + numberText(degrees) + " degrees: it must be within 0 and 180");
  }
  return {std::cos(degrees * std::numbers::pi / 180.0)};
}

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
  gatherAtVertices(
    space, mesh, ball, MarkFeatures{featureAngle(degrees), marks.data()}, SPANWISE_KERNEL("mark features"));
}

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markBoundaryVerticesOnRanks(const Context<ExecutionSpace>& context, const SharedPart<ExecutionSpace>& part,
  const MeshView<Real, Index>& mesh, const BallView& ball,
  const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Mesh::markBoundaryVerticesOnRanks");
  using Host = Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const auto& [exchange, shared, numbers] = part;
  const std::int64_t numVertices = mesh.vertices.numVertices;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  typename Workspace<typename ExecutionSpace::memory_space>::template Array<Outline> outlines;
  parallel::agree(exchange.communicator(), [&] {
    checkMarks(marks, numVertices);
    detail::checkLength("numbers", numbers.size(), numVertices, "vertices");
    const auto there = frame.template array<std::int64_t>(numVertices);
    Kokkos::deep_copy(space, there, Host(numbers.data(), numbers.size()));
    outlines = frame.template array<Outline>(numVertices);
    gatherAtVertices(space, mesh, ball, WriteOutlines{there.data(), outlines.data()}, SPANWISE_KERNEL("outlines"));
  });
  exchange.join(space, VertexValues<Outline>{outlines.data()}, JoinOutlines());
  forEach(SPANWISE_KERNEL("mark outlines"), IndexRange<ExecutionSpace>(space, 0, numVertices),
    MarkOutlines{outlines.data(), marks.data()});
}

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markFeatureVerticesOnRanks(const ExecutionSpace& space, const SharedPart<ExecutionSpace>& part,
  const MirroredMesh<Real, Index>& mesh, const BallView& ball, double degrees,
  const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks) {
  SPANWISE_REGION("Mesh::markFeatureVerticesOnRanks");
  using Host = Kokkos::View<std::uint8_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const SharedVertices& shared = part.shared;
  const std::vector<std::int64_t>& numbers = part.numbers;
  const Communicator& communicator = part.exchange.communicator();
  std::vector<CornerOfRank> corners;
  std::vector<std::uint8_t> before(numbers.size());
  parallel::agree(communicator, [&] {
    detail::checkLength("numbers", numbers.size(), mesh.mesh.vertices.numVertices, "vertices");
    checkMarks(marks, mesh.mesh.vertices.numVertices);
    space.fence(SPANWISE_LABEL("Mesh::features"));
    Kokkos::deep_copy(Host(before.data(), before.size()), marks);
    markFeatureVertices(space, mesh.mesh, ball, degrees, marks);
    corners = cornersAtCuts(mesh.onHost, shared, numbers);
  });
  corners = joinedCorners(communicator, shared, numbers, std::move(corners));
  const FeatureAngle angle = featureAngle(degrees);
  std::unordered_set<std::int64_t> features;
  std::size_t end = 0;
  for (std::size_t first = 0; first < corners.size(); first = end) {
    for (end = first; end < corners.size() && corners[end].vertex == corners[first].vertex; ++end) {
    }
    if (isFeature(std::span<const CornerOfRank>(corners).subspan(first, end - first), angle)) {
      features.insert(corners[first].vertex);
    }
  }
  std::vector<std::uint8_t> host(numbers.size());
  space.fence(SPANWISE_LABEL("Mesh::features"));
  Kokkos::deep_copy(Host(host.data(), host.size()), marks);
  for (const std::int32_t v : shared.vertices) { // about these no rank knows alone: two edges here may be two of many
    const auto at = static_cast<std::size_t>(v);
    host[at] = features.contains(numbers[at]) ? 1 : before[at];
  }
  Kokkos::deep_copy(marks, Host(host.data(), host.size()));
  part.exchange.join(space, VertexValues<std::uint8_t>{marks.data()}, AnyMark());
}

#define SPANWISE_BOUNDARY_VERTICES_OF(Real, Index, Space)                                                              \
  template void markBoundaryVertices<Space, Real, Index>(const Space&, const MeshView<Real, Index>&, const BallView&,  \
    const Kokkos::View<std::uint8_t*, Space::memory_space>&);                                                          \
  template void markFeatureVertices<Space, Real, Index>(const Space&, const MeshView<Real, Index>&, const BallView&,   \
    double, const Kokkos::View<std::uint8_t*, Space::memory_space>&);                                                  \
  template void markBoundaryVerticesOnRanks<Space, Real, Index>(const Context<Space>&, const SharedPart<Space>&,       \
    const MeshView<Real, Index>&, const BallView&, const Kokkos::View<std::uint8_t*, Space::memory_space>&);           \
  template void markFeatureVerticesOnRanks<Space, Real, Index>(const Space&, const SharedPart<Space>&,                 \
    const MirroredMesh<Real, Index>&, const BallView&, double,                                                         \
    const Kokkos::View<std::uint8_t*, Space::memory_space>&);
#define SPANWISE_BOUNDARY_VERTICES(Space) SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_BOUNDARY_VERTICES_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_BOUNDARY_VERTICES)

} // namespace spanwise
