#include "Core/Solvers/Eikonal/LeafSolution.hpp"

#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/Kernels.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

namespace spanwise::eikonal {

namespace {

/// The elements of a leaf.
struct ElementsOfLeaf {
  std::int64_t first;
  std::int64_t last;

  KOKKOS_FUNCTION ElementsOfLeaf(const std::int64_t* leafOfElement, std::int64_t numElements, std::int64_t leaf)
    : first(firstAbove(leafOfElement, 0, numElements, leaf - 1)),
      last(firstAbove(leafOfElement, first, numElements, leaf)) {}
};

template <int corners, class Real, class Index>
struct TimesAtCentres {
  MeshView<Real, Index> mesh;
  Speed speed;
  SimplexMeshView<corners> simplices;
  FactoringView factoring;
  const double* times;
  const std::int64_t* leafOfElement;
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    const auto [first, last] = ElementsOfLeaf(leafOfElement, mesh.elements.numElements, leaf);
    const std::int64_t simplex = firstSimplexOf(first);
    const bool isWall =
      simplex == simplices.numSimplices || simplices.elements[simplex] >= last; // or there is nothing of the leaf
    out[leaf] = isWall ? notReached : last - first > 1 ? timeOfSplit(first, last) : timeOfWhole(first, simplex);
  }

private:
  /// The first simplex of elements from this one on.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstSimplexOf(std::int64_t element) const {
    return firstTrue(
      0, simplices.numSimplices, element, [&](std::int64_t s) { return simplices.elements[s] >= element; });
  }

  /// Of the vertices of a split leaf one is at the centre of the box around them.
  [[nodiscard]] KOKKOS_FUNCTION double timeOfSplit(std::int64_t first, std::int64_t last) const {
    const std::int64_t begin = mesh.elements.firstCorner(first);
    const std::int64_t end = mesh.elements.firstCorner(last - 1) + numVerticesOf(mesh.elements.typeOf(last - 1));
    Point low = mesh.vertices(mesh.elements.vertices[begin]);
    Point high = low;
    for (std::int64_t k = begin; k < end; ++k) {
      const Point at = mesh.vertices(mesh.elements.vertices[k]);
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = Kokkos::min(low[axis], at[axis]);
        high[axis] = Kokkos::max(high[axis], at[axis]);
      }
    }
    const Point centre = 0.5 * (low + high);
    double least = notReached;
    double time = notReached;
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t v = mesh.elements.vertices[k];
      const Point away = mesh.vertices(v) - centre;
      if (dot(away, away) < least) {
        least = dot(away, away);
        time = times[v];
      }
    }
    return time;
  }

  [[nodiscard]] KOKKOS_FUNCTION double timeOfWhole(std::int64_t element, std::int64_t simplex) const {
    const Index* const vertices = mesh.elements.vertices + mesh.elements.firstCorner(element);
    const int count = numVerticesOf(mesh.elements.typeOf(element));
    Point centre{};
    for (int k = 0; k < count; ++k) {
      centre = centre + (1.0 / count) * mesh.vertices(vertices[k]);
    }
    const FactoredTarget target = targetIn(element, simplex, centre);
    const SymmetricTensor n =
      target.place != nullptr ? speed.inverseOfElement(element, vertices, count) : SymmetricTensor();
    FactoredEdge edges[maxElementVertices];
    MediumRange media;
    for (int k = 0; k < count && target.place != nullptr; ++k) {
      edges[k] = FactoredEdge(factoring.corner(vertices[k]), target, n.product(mesh.vertices(vertices[k]) - centre));
      media.add(edges[k]);
    }
    double sum = 0.0;
    double earliest = notReached;
    for (int k = 0; k < count; ++k) {
      const double time = times[vertices[k]];
      earliest = Kokkos::min(earliest, time);
      sum +=
        target.place != nullptr ? straightened(time, factoring.corner(vertices[k]), target, edges[k], media) : time;
    }
    const double time = sum / count;
    return target.place != nullptr ? Kokkos::max(time, Kokkos::min(earliest, target.time())) : time;
  }

  /// The centre as the front sees it that comes first there, of those that come first at the corners of simplices of
  /// the element.
  [[nodiscard]] KOKKOS_FUNCTION FactoredTarget targetIn(
    std::int64_t element, std::int64_t simplex, const Point& centre) const {
    FactoredTarget best;
    for (std::int64_t s = simplex; s < simplices.numSimplices && simplices.elements[s] == element; ++s) {
      const FactoredTarget target = FactoredCorners<corners>(factoring, s, simplices[s].vertices).target(centre);
      if (target.place != nullptr && target.isBefore(best)) {
        best = target;
      }
    }
    return best;
  }
};

template <class Index>
struct LabelsOfLeaves {
  ElementView<Index> elements;
  const double* times;
  const std::int32_t* labels;
  const std::int64_t* leafOfElement;
  std::int32_t* out;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    const ElementsOfLeaf of(leafOfElement, elements.numElements, leaf);
    std::int64_t earliest = -1;
    for (std::int64_t e = of.first; e < of.last; ++e) {
      const Index* const vertices = elements.vertices + elements.firstCorner(e);
      for (int k = 0; k < numVerticesOf(elements.typeOf(e)); ++k) {
        earliest = earliest < 0 || times[vertices[k]] < times[earliest] ? std::int64_t{vertices[k]} : earliest;
      }
    }
    out[leaf] = earliest < 0 ? -1 : labels[earliest];
  }
};

template <class Real, class Index>
struct GradientsOfLeaves {
  MeshView<Real, Index> mesh;
  const double* gradients;
  const std::int64_t* leafOfElement;
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    const ElementsOfLeaf of(leafOfElement, mesh.elements.numElements, leaf);
    double whole = 0.0;
    Point sum{};
    for (std::int64_t e = of.first; e < of.last; ++e) {
      const ElementIn<Real, Index, anyElementType> element(mesh, e);
      Point points[maxElementVertices];
      element.readPoints(points);
      const double size = Kokkos::abs(measure(element.type(), points));
      whole += size;
      for (int axis = 0; axis < 3; ++axis) {
        sum[axis] += size * gradients[3 * e + axis];
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      out[3 * leaf + axis] = sum[axis] / whole;
    }
  }
};

} // namespace

template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void timesAtCentres(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const FactoringView& factoring, const double* times,
  const std::int64_t* leafOfElement, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::timesAtCentres");
  forEach(SPANWISE_KERNEL("centre times"),
    IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(out.extent(0))),
    TimesAtCentres<corners, Real, Index>{mesh, speed, simplices, factoring, times, leafOfElement, out.data()});
}

template <class ExecutionSpace, MeshIndex Index>
void labelsOfLeaves(const ExecutionSpace& space, const ElementView<Index>& elements, const double* times,
  const std::int32_t* labels, const std::int64_t* leafOfElement,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::labelsOfLeaves");
  forEach(SPANWISE_KERNEL("leaf labels"),
    IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(out.extent(0))),
    LabelsOfLeaves<Index>{elements, times, labels, leafOfElement, out.data()});
}

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void gradientsOfLeaves(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const double* gradients,
  const std::int64_t* leafOfElement, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::gradientsOfLeaves");
  forEach(SPANWISE_KERNEL("leaf gradients"),
    IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(out.extent(0) / 3)),
    GradientsOfLeaves<Real, Index>{mesh, gradients, leafOfElement, out.data()});
}

#define SPANWISE_TIMES_AT_CENTRES(Real, Index, Space, corners)                                                         \
  template void timesAtCentres<Space, corners, Real, Index>(const Space&, const MeshView<Real, Index>&, const Speed&,  \
    const SimplexMeshView<corners>&, const FactoringView&, const double*, const std::int64_t*,                         \
    const Kokkos::View<double*, Space::memory_space>&);
#define SPANWISE_TIMES_AT_CENTRES_OF_BOTH(Space)                                                                       \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_TIMES_AT_CENTRES, Space, 3)                                                     \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_TIMES_AT_CENTRES, Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_TIMES_AT_CENTRES_OF_BOTH)

#define SPANWISE_GRADIENTS_OF_LEAVES(Real, Index, Space)                                                               \
  template void gradientsOfLeaves<Space, Real, Index>(const Space&, const MeshView<Real, Index>&, const double*,       \
    const std::int64_t*, const Kokkos::View<double*, Space::memory_space>&);
#define SPANWISE_LABELS_OF_LEAVES(Index, Space)                                                                        \
  template void labelsOfLeaves<Space, Index>(const Space&, const ElementView<Index>&, const double*,                   \
    const std::int32_t*, const std::int64_t*, const Kokkos::View<std::int32_t*, Space::memory_space>&);
#define SPANWISE_LEAVES(Space)                                                                                         \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_GRADIENTS_OF_LEAVES, Space)                                                     \
  SPANWISE_LABELS_OF_LEAVES(std::int32_t, Space)                                                                       \
  SPANWISE_LABELS_OF_LEAVES(std::int64_t, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_LEAVES)

} // namespace spanwise::eikonal
