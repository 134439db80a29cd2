#include "Core/Mesh/SmoothVertices.hpp"

#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/Kernels.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"

#include <cmath>
#include <string>

namespace spanwise {

namespace {

/// The barycentre of an element times its size, and its size: half a cache line.
struct alignas(32) WeightedPoint {
  double x, y, z, weight;
};

/// A number for each type of solid elements.
struct OfSolids {
  double of[4] = {};

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double& operator[](ElementType type) { return of[place(type)]; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double operator[](ElementType type) const { return of[place(type)]; }

  KOKKOS_FUNCTION OfSolids& operator+=(const OfSolids& other) {
    for (int k = 0; k < 4; ++k) {
      of[k] += other.of[k];
    }
    return *this;
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION static int place(ElementType type) {
    switch (type) {
    case ElementType::Hexahedron:
      return 1;
    case ElementType::Prism:
      return 2;
    case ElementType::Pyramid:
      return 3;
    default:
      return 0;
    }
  }
};

template <class Element>
KOKKOS_FORCEINLINE_FUNCTION WeightedPoint weighted(const Element& element, const Point* points) {
  const double size = Kokkos::abs(measure(element.type(), points));
  const Point centre = barycentre(element.type(), points);
  return {size * centre[0], size * centre[1], size * centre[2], size};
}

/// What elements are before the first step.
struct WeighElements {
  WeightedPoint* barycentres;

  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element, OfSolids& volumes) const {
    Point points[maxElementVertices];
    element.readPoints(points);
    barycentres[element.number()] = weighted(element, points);
    if (dimensionOf(element.type()) == 3) {
      volumes[element.type()] += measure(element.type(), points);
    }
  }
};

/// What they are after a step, and which ones refuse it.
template <class Real>
struct CheckElements {
  VertexView<Real> before;
  OfSolids signs;
  double minQuality;
  WeightedPoint* barycentres;
  std::uint8_t* refuses;

  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element, std::int64_t& numRefusing) const {
    Point points[maxElementVertices];
    element.readPoints(points);
    barycentres[element.number()] = weighted(element, points);
    const Orientation orientation = orientationOf(element);
    const bool isRefused = !isSurelyRight(element.type(), points, orientation) && isWorse(element, points, orientation);
    refuses[element.number()] = static_cast<std::uint8_t>(isRefused);
    numRefusing += static_cast<std::int64_t>(isRefused);
  }

private:
  template <class Element>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Orientation orientationOf(const Element& element) const {
    Orientation orientation;
    if (dimensionOf(element.type()) == 2) {
      Point old[maxElementVertices];
      element.readPoints(before, old);
      orientation.normal = vectorArea(element.type(), old);
    } else if (dimensionOf(element.type()) == 3) {
      orientation.sign = signs[element.type()];
    }
    return orientation;
  }

  /// Where inversion alone counts it is seen without roots and divisions, and of solids without the points before.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isSurelyRight(
    ElementType type, const Point* points, const Orientation& orientation) const {
    return minQuality == 0.0 && dimensionOf(type) > 1 && isOriented(type, points, orientation);
  }

  template <class Element>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isWorse(
    const Element& element, const Point* points, const Orientation& orientation) const {
    const ElementType type = element.type();
    const double quality = meanRatio(type, points, orientation);
    if (quality > minQuality) {
      return false;
    }
    Point old[maxElementVertices];
    element.readPoints(before, old);
    if (!(quality < meanRatio(type, old, orientation))) {
      return false;
    }
    // The same numbers may round differently at two places of a kernel: what did not move did not get worse.
    bool moved = false;
    detail::forLocals(element.numVertices(), [&moved, points, &old](int k) {
      moved = moved || points[k][0] != old[k][0] || points[k][1] != old[k][1] || points[k][2] != old[k][2];
    });
    return moved;
  }
};

/// Moves each vertex; reduces to the longest step, squared.
template <class Real>
struct MoveVertices {
  using value_type = double;
  const WeightedPoint* barycentres;
  const std::uint8_t* held; ///< null: none
  double relaxation;
  Real* after;

  KOKKOS_FUNCTION void init(double& longest) const { longest = 0.0; }
  KOKKOS_FUNCTION void join(double& longest, const double& other) const { longest = Kokkos::max(longest, other); }

  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex, double& longest) const {
    const std::int64_t v = vertex.number();
    const Point from = vertex.point();
    Point to = from;
    if (held == nullptr || held[v] == 0) {
      double x = 0.0;
      double y = 0.0;
      double z = 0.0;
      double weight = 0.0;
      vertex.forEachCorner([&, this](const Corner& corner) {
        const WeightedPoint& pull = barycentres[corner.element];
        x += pull.x;
        y += pull.y;
        z += pull.z;
        weight += pull.weight;
      });
      if (weight > 0.0) {
        const Point step = relaxation * ((1.0 / weight) * Point{{x, y, z}} - from);
        to = from + step;
        longest = Kokkos::max(longest, dot(step, step));
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      after[3 * v + axis] = static_cast<Real>(to[axis]);
    }
  }
};

/// Takes steps back; sums how many.
template <class Real>
struct TakeBack {
  const std::uint8_t* refuses;
  Real* after;

  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex, std::int64_t& count) const {
    const std::int64_t v = vertex.number();
    const Point before = vertex.point();
    bool isRefused = false;
    vertex.forEachCorner([&, this](const Corner& corner) { isRefused = isRefused || refuses[corner.element] != 0; });
    if (!isRefused) {
      return;
    }
    bool moved = false;
    for (int axis = 0; axis < 3; ++axis) {
      const Real old = static_cast<Real>(before[axis]); // it was one
      moved = moved || after[3 * v + axis] != old;
      after[3 * v + axis] = old;
    }
    count += static_cast<std::int64_t>(moved);
  }
};

template <class Real>
struct CopyVertices {
  VertexView<Real> from;
  Real* to;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    for (int axis = 0; axis < 3; ++axis) {
      to[3 * v + axis] = from.axis[axis][v * from.stride];
    }
  }
};

void checkOptions(const SmoothOptions& options) {
  if (options.numIterations < 0) {
    throw InvalidArgument(
      "smoothing in " + std::to_string(options.numIterations) + " iterations: their number must not be negative");
  }
  if (!(options.relaxation > 0.0 && options.relaxation <= 1.0)) {
    throw InvalidArgument(
      "smoothing with the relaxation " + std::to_string(options.relaxation) + ": it must be above 0 and at most 1");
  }
  if (!(options.minQuality >= 0.0 && options.minQuality <= 1.0)) {
    throw InvalidArgument(
      "smoothing with the least quality " + std::to_string(options.minQuality) + ": it must be within 0 and 1");
  }
}

void checkLength(const char* what, std::size_t length, std::int64_t needed) {
  if (length != static_cast<std::size_t>(needed)) {
    throw InvalidArgument("smoothing: an array of " + std::to_string(length) + " " + what +
      " was given, and there are to be " + std::to_string(needed));
  }
}

} // namespace

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
SmoothReport smoothVertices(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const BallView& ball,
  const SmoothOptions& options, const Kokkos::View<const std::uint8_t*, typename ExecutionSpace::memory_space>& held,
  const Kokkos::View<Real*, typename ExecutionSpace::memory_space>& coordinates,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress) {
  SPANWISE_REGION("Mesh::smoothVertices");
  const std::int64_t numVertices = mesh.vertices.numVertices;
  checkOptions(options);
  checkLength("coordinates", coordinates.extent(0), 3 * numVertices);
  if (held.extent(0) != 0) {
    checkLength("marks of held vertices", held.extent(0), numVertices);
  }
  SmoothReport report;
  if (options.numIterations == 0) {
    detail::forEach(SPANWISE_KERNEL("copy vertices"), detail::Range<ExecutionSpace>(space, 0, numVertices),
      CopyVertices<Real>{mesh.vertices, coordinates.data()});
    return report;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  const auto barycentres = frame.template array<WeightedPoint>(mesh.elements.numElements);
  const auto refuses = frame.template array<std::uint8_t>(mesh.elements.numElements);
  const auto other = frame.template array<Real>(3 * numVertices);
  OfSolids signs;
  reduceElements(space, mesh, WeighElements{barycentres.data()}, signs, SPANWISE_KERNEL("weigh elements"));
  for (double& sign : signs.of) {
    sign = sign < 0.0 ? -1.0 : 1.0;
  }
  MeshView<Real, Index> before = mesh;
  for (int iteration = 0; iteration < options.numIterations; ++iteration) {
    // They take turns, so that the last is written to the output.
    Real* const to = (options.numIterations - iteration) % 2 == 1 ? coordinates.data() : other.data();
    double longest2 = 0.0;
    reduceAtVertices(space, before, ball,
      MoveVertices<Real>{barycentres.data(), held.extent(0) != 0 ? held.data() : nullptr, options.relaxation, to},
      longest2, SPANWISE_KERNEL("move vertices"));
    report.longestStep = std::sqrt(longest2);
    const MeshView<Real, Index> after{VertexView<Real>::interleaved(to, numVertices), mesh.elements};
    const CheckElements<Real> check{before.vertices, signs, options.minQuality, barycentres.data(), refuses.data()};
    std::int64_t numRefusing = 0;
    reduceElements(space, after, check, numRefusing, SPANWISE_KERNEL("check elements"));
    while (numRefusing > 0) { // each time a vertex at least stays where it was
      std::int64_t numRefused = 0;
      reduceAtVertices(
        space, before, ball, TakeBack<Real>{refuses.data(), to}, numRefused, SPANWISE_KERNEL("take back"));
      report.numRefused += numRefused;
      reduceElements(space, after, check, numRefusing, SPANWISE_KERNEL("check elements"));
    }
    before = after;
    progress.report(static_cast<double>(iteration + 1) / options.numIterations);
  }
  return report;
}

#define SPANWISE_SMOOTH_VERTICES_OF(Real, Index, Space)                                                                \
  template SmoothReport smoothVertices<Space, Real, Index>(const Space&, const MeshView<Real, Index>&,                 \
    const BallView&, const SmoothOptions&, const Kokkos::View<const std::uint8_t*, Space::memory_space>&,              \
    const Kokkos::View<Real*, Space::memory_space>&, Workspace<Space::memory_space>&, const Progress&);
#define SPANWISE_SMOOTH_VERTICES(Space) SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SMOOTH_VERTICES_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_SMOOTH_VERTICES)

} // namespace spanwise
