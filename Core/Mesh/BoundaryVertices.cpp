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
#include "Core/Runtime/Scan.hpp"

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

/// numbers: of vertices on all ranks; null: their own are.
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

/// The flat elements and edges around shared vertices: a first round only counts them.
template <class Real, class Index>
struct CornersAtCuts {
  MeshView<Real, Index> mesh;
  BallView ball;
  const std::int32_t* vertices;
  const std::int64_t* numbers; ///< of vertices on all ranks
  std::int64_t* offsets;       ///< in the first round the numbers of corners
  CornerOfRank* corners;       ///< null: the first round

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const VertexIn<Real, Index, anyElementType> vertex(mesh, ball, vertices[i]);
    std::int64_t count = 0;
    vertex.forEachCorner([&, this](const Corner& corner) {
      const auto element = vertex.element(corner.element);
      const int dimension = dimensionOf(element.type());
      if (dimension != 1 && dimension != 2) {
        return;
      }
      if (corners != nullptr) {
        corners[offsets[i] + count] = cornerOf(element, corner.local, dimension == 1);
      }
      ++count;
    });
    if (corners == nullptr) {
      offsets[i] = count;
    }
  }

private:
  template <class Element>
  [[nodiscard]] KOKKOS_FUNCTION CornerOfRank cornerOf(const Element& element, int local, bool isEdge) const {
    CornerOfRank corner;
    corner.vertex = numbers[element.vertex(local)];
    corner.isEdge = isEdge;
    if (isEdge) {
      corner.flat.normal = element.point(1 - local) - element.point(local);
    } else {
      corner.flat = flatCorner(element, local);
      corner.flat.next = numbers[corner.flat.next];
      corner.flat.previous = numbers[corner.flat.previous];
    }
    return corner;
  }
};

/// The flat elements and edges of a rank at vertices that it shares, on the host.
template <class ExecutionSpace, class Real, class Index>
std::vector<CornerOfRank> cornersAtCuts(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const BallView& ball, const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& vertices,
  const std::int64_t* numbers) {
  const ExecutionSpace& space = context.space();
  const auto count = static_cast<std::int64_t>(vertices.extent(0));
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto offsets = frame.template array<std::int64_t>(count + 1);
  CornersAtCuts<Real, Index> corners{mesh, ball, vertices.data(), numbers, offsets.data(), nullptr};
  const IndexRange<ExecutionSpace> all(space, 0, count);
  forEach(SPANWISE_KERNEL("count corners"), all, corners);
  const std::int64_t numCorners = exclusiveScan(space, SPANWISE_KERNEL("scan corners"), offsets.data(), count);
  const auto there = frame.template array<CornerOfRank>(numCorners);
  corners.corners = there.data();
  forEach(SPANWISE_KERNEL("write corners"), all, corners);
  std::vector<CornerOfRank> here(static_cast<std::size_t>(numCorners));
  Kokkos::deep_copy(space,
    Kokkos::View<CornerOfRank*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(here.data(), here.size()),
    there);
  space.fence(SPANWISE_LABEL("Mesh::corners at cuts"));
  return here;
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

/// The numbers of vertices on all ranks, in the memory of the space.
template <class ExecutionSpace, class Frame>
const std::int64_t* numbersOn(
  const ExecutionSpace& space, const std::vector<std::int64_t>& numbers, std::int64_t numVertices, Frame& frame) {
  using Host = Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  detail::checkLength("numbers", numbers.size(), numVertices, "vertices");
  const auto there = frame.template array<std::int64_t>(numVertices);
  Kokkos::deep_copy(space, there, Host(numbers.data(), numbers.size()));
  return there.data();
}

/// Runs body(), on all ranks alike where the mesh is in parts.
template <class ExecutionSpace, class Body>
void onRanks(const SharedPart<ExecutionSpace>* part, const Body& body) {
  if (part != nullptr) {
    parallel::agree(part->exchange.communicator(), body);
  } else {
    body();
  }
}

/// Collective. Marks shared vertices by the elements of all ranks around them: about these no rank knows alone, as two
/// edges here may be two of many. `before`: their marks before.
template <class ExecutionSpace>
void markSharedFeatures(const ExecutionSpace& space, const SharedPart<ExecutionSpace>& part,
  std::vector<CornerOfRank> mine, const FeatureAngle& angle, const std::vector<std::uint8_t>& before,
  const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks) {
  const std::vector<CornerOfRank> corners =
    joinedCorners(part.exchange.communicator(), part.shared, part.numbers, std::move(mine));
  std::unordered_set<std::int64_t> features;
  std::size_t end = 0;
  for (std::size_t first = 0; first < corners.size(); first = end) {
    for (end = first; end < corners.size() && corners[end].vertex == corners[first].vertex; ++end) {
    }
    if (isFeature(std::span<const CornerOfRank>(corners).subspan(first, end - first), angle)) {
      features.insert(corners[first].vertex);
    }
  }
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), marks);
  for (const std::int32_t v : part.shared.vertices) {
    const auto at = static_cast<std::size_t>(v);
    host(at) = features.contains(part.numbers[at]) ? 1 : before[at];
  }
  Kokkos::deep_copy(marks, host);
  part.exchange.join(space, VertexValues<std::uint8_t>{marks.data()}, AnyMark());
}

} // namespace

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markBoundaryVertices(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const BallView& ball, const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks,
  const SharedPart<ExecutionSpace>* part) {
  SPANWISE_REGION("Mesh::markBoundaryVertices");
  const ExecutionSpace& space = context.space();
  const std::int64_t numVertices = mesh.vertices.numVertices;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  Outline* outlines = nullptr;
  onRanks(part, [&] {
    checkMarks(marks, numVertices);
    const std::int64_t* const numbers = part != nullptr ? numbersOn(space, part->numbers, numVertices, frame) : nullptr;
    outlines = frame.template array<Outline>(numVertices).data();
    gatherAtVertices(space, mesh, ball, WriteOutlines{numbers, outlines}, SPANWISE_KERNEL("outlines"));
  });
  if (part != nullptr) {
    part->exchange.join(space, VertexValues<Outline>{outlines}, JoinOutlines());
  }
  forEach(SPANWISE_KERNEL("mark outlines"), IndexRange<ExecutionSpace>(space, 0, numVertices),
    MarkOutlines{outlines, marks.data()});
}

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void markFeatureVertices(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const BallView& ball, double degrees, const Kokkos::View<std::uint8_t*, typename ExecutionSpace::memory_space>& marks,
  const SharedPart<ExecutionSpace>* part) {
  SPANWISE_REGION("Mesh::markFeatureVertices");
  const ExecutionSpace& space = context.space();
  std::vector<CornerOfRank> corners;
  std::vector<std::uint8_t> before;
  onRanks(part, [&] {
    checkMarks(marks, mesh.vertices.numVertices);
    const FeatureAngle angle = featureAngle(degrees);
    if (part != nullptr) {
      typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
      corners = cornersAtCuts(context, mesh, ball, part->exchange.vertices(),
        numbersOn(space, part->numbers, mesh.vertices.numVertices, frame));
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), marks);
      before.assign(host.data(), host.data() + host.extent(0));
    }
    gatherAtVertices(space, mesh, ball, MarkFeatures{angle, marks.data()}, SPANWISE_KERNEL("mark features"));
  });
  if (part != nullptr) {
    space.fence(SPANWISE_LABEL("Mesh::features"));
    markSharedFeatures(space, *part, std::move(corners), featureAngle(degrees), before, marks);
  }
}

#define SPANWISE_BOUNDARY_VERTICES_OF(Real, Index, Space)                                                              \
  template void markBoundaryVertices<Space, Real, Index>(const Context<Space>&, const MeshView<Real, Index>&,          \
    const BallView&, const Kokkos::View<std::uint8_t*, Space::memory_space>&, const SharedPart<Space>*);               \
  template void markFeatureVertices<Space, Real, Index>(const Context<Space>&, const MeshView<Real, Index>&,           \
    const BallView&, double, const Kokkos::View<std::uint8_t*, Space::memory_space>&, const SharedPart<Space>*);
#define SPANWISE_BOUNDARY_VERTICES(Space) SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_BOUNDARY_VERTICES_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_BOUNDARY_VERTICES)

} // namespace spanwise
