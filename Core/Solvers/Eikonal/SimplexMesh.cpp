#include "Core/Solvers/Eikonal/SimplexMesh.hpp"

#include "Core/Mesh/Simplices.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"

#include <limits>
#include <string>

namespace spanwise::eikonal {

namespace {

/// What a first look at all elements finds.
struct Findings {
  std::int64_t firstWrongVertex = std::numeric_limits<std::int64_t>::max();
  std::int64_t firstFar = std::numeric_limits<std::int64_t>::max();
  std::int64_t firstWrongSpeed = std::numeric_limits<std::int64_t>::max();
  std::int64_t firstDegenerate = std::numeric_limits<std::int64_t>::max();
  std::int64_t firstInverted = std::numeric_limits<std::int64_t>::max();
  std::int64_t firstWall = std::numeric_limits<std::int64_t>::max();
  std::int64_t numDegenerate = 0;
  std::int64_t numInverted = 0;
  std::int64_t numWalls = 0;
};

/// Four times the squared area of a triangle, or six times the volume of a tetrahedron, negative if it is inverted; 0
/// where there is nothing between the corners. NaN where a coordinate is.
template <int corners>
KOKKOS_INLINE_FUNCTION double extentOf(const Point* points) {
  const Point a = points[1] - points[0];
  const Point b = points[2] - points[0];
  const Point normal = cross(a, b);
  if constexpr (corners == 3) {
    return dot(normal, normal);
  } else {
    return dot(normal, points[3] - points[0]);
  }
}

/// Elements and what becomes of them.
template <int corners, class Real, class Index>
struct Splitter {
  MeshView<Real, Index> mesh;
  Speed speed;

  [[nodiscard]] KOKKOS_FUNCTION bool hasDimension(ElementType type) const { return dimensionOf(type) == corners - 1; }

  /// The simplices of an element with their corners in space; returns how many there are.
  template <class Function>
  KOKKOS_FUNCTION int forSimplices(std::int64_t e, const Function& function) const {
    int locals[maxSimplices][4] = {};
    const Index* vertices = mesh.elements.vertices + mesh.elements.firstCorner(e);
    const ElementType type = mesh.elements.typeOf(e);
    Point all[maxElementVertices];
    for (int k = 0; k < numVerticesOf(type); ++k) {
      all[k] = mesh.vertices(vertices[k]);
    }
    const int count = splitByPlace(type, all, locals);
    for (int s = 0; s < count; ++s) {
      Point points[corners];
      Index numbers[corners];
      for (int k = 0; k < corners; ++k) {
        numbers[k] = vertices[locals[s][k]];
        points[k] = all[locals[s][k]];
      }
      function(s, numbers, points);
    }
    return count;
  }
};

template <int corners, class Real, class Index>
struct CountSimplices {
  using value_type = Findings;
  Splitter<corners, Real, Index> splitter;
  std::int64_t* counts;

  KOKKOS_FUNCTION void init(Findings& findings) const { findings = Findings(); }
  KOKKOS_FUNCTION void join(Findings& findings, const Findings& other) const {
    findings.firstWrongVertex = Kokkos::min(findings.firstWrongVertex, other.firstWrongVertex);
    findings.firstFar = Kokkos::min(findings.firstFar, other.firstFar);
    findings.firstWrongSpeed = Kokkos::min(findings.firstWrongSpeed, other.firstWrongSpeed);
    findings.firstDegenerate = Kokkos::min(findings.firstDegenerate, other.firstDegenerate);
    findings.firstInverted = Kokkos::min(findings.firstInverted, other.firstInverted);
    findings.firstWall = Kokkos::min(findings.firstWall, other.firstWall);
    findings.numDegenerate += other.numDegenerate;
    findings.numInverted += other.numInverted;
    findings.numWalls += other.numWalls;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t e, Findings& findings) const {
    counts[e] = 0;
    const ElementView<Index>& elements = splitter.mesh.elements;
    const ElementType type = elements.typeOf(e);
    if (!splitter.hasDimension(type)) {
      return;
    }
    for (int k = 0; k < numVerticesOf(type); ++k) {
      const std::int64_t v = elements.vertex(e, k);
      if (v < 0 || v >= splitter.mesh.vertices.numVertices) {
        findings.firstWrongVertex = Kokkos::min(findings.firstWrongVertex, e);
        return;
      }
    }
    const Index* vertices = elements.vertices + elements.firstCorner(e);
    for (int k = 0; k < numVerticesOf(type); ++k) {
      const Point x = splitter.mesh.vertices(vertices[k]);
      const double farthest = Kokkos::max(Kokkos::max(Kokkos::abs(x[0]), Kokkos::abs(x[1])), Kokkos::abs(x[2]));
      if (farthest > farthestCoordinate && farthest < notReached) { // others have no extent
        findings.firstFar = Kokkos::min(findings.firstFar, e);
        return;
      }
    }
    if (!splitter.speed.isValid(e, vertices, numVerticesOf(type))) {
      findings.firstWrongSpeed = Kokkos::min(findings.firstWrongSpeed, e);
      return;
    }
    if (splitter.speed.isWall(e, vertices, numVerticesOf(type))) {
      findings.firstWall = Kokkos::min(findings.firstWall, e);
      ++findings.numWalls;
      return;
    }
    bool degenerate = false;
    bool inverted = false;
    const int count = splitter.forSimplices(e, [&](int /*s*/, const Index* /*numbers*/, const Point* points) {
      const double extent = extentOf<corners>(points);
      degenerate = degenerate || !(Kokkos::abs(extent) > 0.0);
      inverted = inverted || extent < 0.0;
    });
    if (degenerate) {
      findings.firstDegenerate = Kokkos::min(findings.firstDegenerate, e);
      ++findings.numDegenerate;
      return;
    }
    if (inverted) {
      findings.firstInverted = Kokkos::min(findings.firstInverted, e);
      ++findings.numInverted;
    }
    counts[e] = count;
  }
};

template <int corners, class Real, class Index>
struct WriteSimplices {
  using value_type = EdgeTimes;
  Splitter<corners, Real, Index> splitter;
  const std::int64_t* begins;
  Simplex<corners>* simplices;
  std::int32_t* vertices; // once more, for the balls
  std::int32_t* elements;

  KOKKOS_FUNCTION void operator()(std::int64_t e, EdgeTimes& edgeTimes) const {
    const std::int64_t begin = begins[e];
    if (begins[e + 1] == begin) {
      return;
    }
    const ElementView<Index>& lists = splitter.mesh.elements;
    const SymmetricTensor inverse =
      splitter.speed.inverseOfElement(e, lists.vertices + lists.firstCorner(e), numVerticesOf(lists.typeOf(e)));
    splitter.forSimplices(e, [&](int s, const Index* numbers, const Point* points) {
      const std::int64_t simplex = begin + s;
      elements[simplex] = static_cast<std::int32_t>(e);
      for (int j = 0; j < corners; ++j) {
        const auto vertex = static_cast<std::int32_t>(numbers[j]);
        simplices[simplex].vertices[j] = vertex;
        vertices[simplex * corners + j] = vertex;
        for (int i = 0; i < j; ++i) {
          const double product = inverse.product(points[j] - points[i]);
          simplices[simplex].products[edgeBetween(i, j)] = product;
          edgeTimes.add(product);
        }
      }
    });
  }
};

/// Makes simplices without extent of pairs: vertex 0 is the first of the pair, all others are the second.
template <int corners>
struct WriteJoins {
  const std::int32_t* pairs;
  Simplex<corners>* joins;
  std::int32_t* vertices; // once more, for the balls

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    for (int j = 0; j < corners; ++j) {
      joins[k].vertices[j] = pairs[2 * k + (j > 0 ? 1 : 0)];
      vertices[corners * k + j] = joins[k].vertices[j];
    }
    for (double& product : joins[k].products) {
      product = 0.0;
    }
  }
};

std::string listText(const double* numbers, int count) { return pointText(numbers, count); }

/// What is wrong with the speed of an element.
template <class ExecutionSpace, class Index>
std::string speedText(
  const ExecutionSpace& space, const ElementView<Index>& elements, const Speed& speed, std::int64_t e) {
  const std::string name = std::to_string(e);
  const std::string speedRule = ": speeds must be finite and positive, or 0 for a wall";
  const std::string tensorRule = ": a tensor must be finite, symmetric and positive definite";
  switch (speed.kind) {
  case Speed::Kind::OfElements:
    return "the speed of element " + name + " is " + numberText(fetch(space, speed.values, e)) + speedRule;
  case Speed::Kind::OfVertices: {
    const ElementType type = elements.types != nullptr ? fetch(space, elements.types, e) : elements.type;
    const std::int64_t corner =
      elements.offsets != nullptr ? std::int64_t{fetch(space, elements.offsets, e)} : e * numVerticesOf(type);
    for (int k = 0; k < numVerticesOf(type); ++k) {
      const std::int64_t v = fetch(space, elements.vertices, corner + k);
      const double value = fetch(space, speed.values, v);
      if (!Speed::isSpeed(value)) {
        std::string text = "the speed of vertex " + std::to_string(v);
        return text.append(", in element ").append(name).append(", is ").append(numberText(value)).append(speedRule);
      }
    }
    return "the speeds of the vertices of element " + name + " are too large or too small" + speedRule;
  }
  case Speed::Kind::TensorOfElements:
  case Speed::Kind::MatrixOfElements: {
    double components[9];
    const int count = speed.valuesPerElement();
    for (int k = 0; k < count; ++k) {
      components[k] = fetch(space, speed.values, count * e + k);
    }
    return "the tensor of element " + name + " is " + listText(components, count) + tensorRule;
  }
  case Speed::Kind::Constant:
    break;
  }
  const SymmetricTensor& m = speed.tensor;
  const double components[6] = {m.xx, m.yy, m.zz, m.xy, m.yz, m.xz};
  return "the tensor of all elements, the first of them element " + name + ", is " + listText(components, 6) +
    tensorRule + " (of a speed it is the square times the identity)";
}

template <class ExecutionSpace, class Index>
void check(const ExecutionSpace& space, const ElementView<Index>& elements, const Findings& findings,
  const Speed& speed, std::int64_t numVertices) {
  if (findings.firstWrongVertex != Findings().firstWrongVertex) {
    throw InvalidArgument("element " + std::to_string(findings.firstWrongVertex) +
      " names a vertex that the mesh does not have: vertices are numbered from 0 to " +
      std::to_string(numVertices - 1));
  }
  if (findings.firstFar != Findings().firstFar) {
    throw InvalidArgument("element " + std::to_string(findings.firstFar) + " has a vertex farther than " +
      numberText(farthestCoordinate) + " from 0 along an axis: squares of areas must be finite");
  }
  if (findings.firstWrongSpeed != Findings().firstWrongSpeed) {
    throw InvalidArgument(speedText(space, elements, speed, findings.firstWrongSpeed));
  }
}

} // namespace

template <int numCorners, class ExecutionSpace>
template <MeshReal Real, MeshIndex Index>
EdgeTimes SimplexMesh<numCorners, ExecutionSpace>::split(
  const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed, const Seam& seam) {
  const ExecutionSpace& space = context.space();
  view_ = {};
  const std::int64_t numVertices = mesh.vertices.numVertices;
  const std::int64_t numElements = mesh.elements.numElements;
  if (numVertices >= std::numeric_limits<std::int32_t>::max() ||
    numElements >= std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument("a mesh of " + std::to_string(numVertices) + " vertices and " + std::to_string(numElements) +
      " elements: both numbers must be below 2^31 - 1");
  }
  const Splitter<numCorners, Real, Index> splitter{mesh, speed};
  const IndexRange<ExecutionSpace> overElements(space, 0, numElements);
  typename Workspace<Memory>::Frame frame(context.workspace());
  const auto begins = frame.template array<std::int64_t>(numElements + 1);
  Findings findings;
  reduce(SPANWISE_KERNEL("count simplices"), overElements,
    CountSimplices<numCorners, Real, Index>{splitter, begins.data()}, findings);
  check(space, mesh.elements, findings, speed, numVertices);
  const std::int64_t numSimplices = exclusiveScan(space, SPANWISE_KERNEL("scan simplices"), begins.data(), numElements);

  const std::int64_t numWithJoins = numSimplices + seam.count;
  reserve(simplices_, numWithJoins, SPANWISE_LABEL("Eikonal::simplices"));
  reserve(elements_, numSimplices, SPANWISE_LABEL("Eikonal::elements"));
  const auto vertices = frame.template array<std::int32_t>(numWithJoins * numCorners);
  EdgeTimes edgeTimes;
  reduce(SPANWISE_KERNEL("write simplices"), overElements,
    WriteSimplices<numCorners, Real, Index>{
      splitter, begins.data(), simplices_.data(), vertices.data(), elements_.data()},
    edgeTimes);
  forEach(SPANWISE_KERNEL("write joins"), IndexRange<ExecutionSpace>(space, 0, seam.count),
    WriteJoins<numCorners>{seam.pairs, simplices_.data() + numSimplices, vertices.data() + numSimplices * numCorners});
  const ElementType type = numCorners == 3 ? ElementType::Triangle : ElementType::Tetrahedron;
  buildVertexBall(
    context, ElementView<std::int32_t>::ofOneType(type, vertices.data(), numWithJoins), numVertices, 0, ball_);

  view_ = {simplices_.data(), elements_.data(), ball_.view(), numSimplices, numVertices, seam.count};
  const auto found = [](std::int64_t count, std::int64_t first) { return Found{count, count > 0 ? first : -1}; };
  degenerate_ = found(findings.numDegenerate, findings.firstDegenerate);
  inverted_ = found(findings.numInverted, findings.firstInverted);
  walls_ = found(findings.numWalls, findings.firstWall);
  return edgeTimes;
}

template <int numCorners, class ExecutionSpace>
void SimplexMesh<numCorners, ExecutionSpace>::connect(
  const ExecutionSpace& space, const Communicator& communicator, const SharedVertices* shared) {
  if (communicator.alone()) {
    if (!border_ || !communicator_->alone()) {
      communicator_ = &singleProcess(); // which outlives what is kept for the next mesh
      border_.emplace(space, *communicator_, SharedVertices());
      exchange_.emplace(*communicator_, SharedVertices());
    }
    return;
  }
  communicator_ = &communicator;
  shared_ = shared != nullptr ? *shared : SharedVertices();
  border_.emplace(space, communicator, shared_);
  exchange_.emplace(communicator, shared_);
  parallel::agree(communicator, [&] { border_->check(numVertices()); });
}

template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void buildSimplexMesh(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  SimplexMesh<corners, ExecutionSpace>& out, const Seam& seam, const SharedVertices* shared) {
  SPANWISE_REGION("Eikonal::buildSimplexMesh");
  const Communicator& communicator = context.communicator();
  EdgeTimes times;
  parallel::agree(communicator, [&] { times = out.split(context, mesh, speed, seam); });
  times = {communicator.reduced(ReduceBy::Sum, times.sum), communicator.reduced(ReduceBy::Sum, times.count)};
  out.meanEdgeTime_ = times.mean();
  out.connect(context.space(), communicator, shared);
}

#define SPANWISE_SIMPLEX_MESH(Real, Index, Space, corners)                                                             \
  template void buildSimplexMesh<Space, corners, Real, Index>(const Context<Space>&, const MeshView<Real, Index>&,     \
    const Speed&, SimplexMesh<corners, Space>&, const Seam&, const SharedVertices*);
#define SPANWISE_SIMPLEX_MESHES(Space)                                                                                 \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SIMPLEX_MESH, Space, 3)                                                         \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SIMPLEX_MESH, Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_SIMPLEX_MESHES)

} // namespace spanwise::eikonal
