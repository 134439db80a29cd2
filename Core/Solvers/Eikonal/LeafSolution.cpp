#include "Core/Solvers/Eikonal/LeafSolution.hpp"

#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/Kernels.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

namespace spanwise::eikonal {

namespace {

using Mesh = MeshView<double, std::int64_t>;

template <int corners>
struct TimesAtCentres {
  Mesh mesh;
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
    const std::int64_t* const vertices = mesh.elements.vertices + mesh.elements.firstCorner(element);
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

struct LabelsOfLeaves {
  ElementView<std::int64_t> elements;
  const double* times;
  const std::int32_t* labels;
  const std::int64_t* leafOfElement;
  std::int32_t* out;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    const ElementsOfLeaf of(leafOfElement, elements.numElements, leaf);
    std::int64_t earliest = -1;
    for (std::int64_t e = of.first; e < of.last; ++e) {
      const std::int64_t* const vertices = elements.vertices + elements.firstCorner(e);
      for (int k = 0; k < numVerticesOf(elements.typeOf(e)); ++k) {
        earliest = earliest < 0 || times[vertices[k]] < times[earliest] ? vertices[k] : earliest;
      }
    }
    out[leaf] = earliest < 0 ? -1 : labels[earliest];
  }
};

struct GradientsOfLeaves {
  Mesh mesh;
  const double* gradients;
  const std::int64_t* leafOfElement;
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    const ElementsOfLeaf of(leafOfElement, mesh.elements.numElements, leaf);
    double whole = 0.0;
    Point sum{};
    for (std::int64_t e = of.first; e < of.last; ++e) {
      const ElementIn<double, std::int64_t, anyElementType> element(mesh, e);
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

/// The entries of an array, of which each leaf has so many.
template <class ExecutionSpace, class View>
IndexRange<ExecutionSpace> leavesOf(const Context<ExecutionSpace>& context, const View& out, std::int64_t numEach) {
  return IndexRange<ExecutionSpace>(context.space(), 0, static_cast<std::int64_t>(out.extent(0)) / numEach);
}

} // namespace

template <class ExecutionSpace, int corners>
void timesAtCentres(const Context<ExecutionSpace>& context, const LeafMeshOn<ExecutionSpace>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const FactoringView& factoring, const double* times,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::timesAtCentres");
  forEach(SPANWISE_KERNEL("centre times"), leavesOf(context, out, 1),
    TimesAtCentres<corners>{mesh.view(), speed, simplices, factoring, times, mesh.mesh.sources.data(), out.data()});
}

template <class ExecutionSpace>
void labelsOfLeaves(const Context<ExecutionSpace>& context, const LeafMeshOn<ExecutionSpace>& mesh, const double* times,
  const std::int32_t* labels, const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::labelsOfLeaves");
  forEach(SPANWISE_KERNEL("leaf labels"), leavesOf(context, out, 1),
    LabelsOfLeaves{mesh.view().elements, times, labels, mesh.mesh.sources.data(), out.data()});
}

template <class ExecutionSpace>
void gradientsOfLeaves(const Context<ExecutionSpace>& context, const LeafMeshOn<ExecutionSpace>& mesh,
  const double* gradients, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::gradientsOfLeaves");
  forEach(SPANWISE_KERNEL("leaf gradients"), leavesOf(context, out, 3),
    GradientsOfLeaves{mesh.view(), gradients, mesh.mesh.sources.data(), out.data()});
}

#define SPANWISE_TIMES_AT_CENTRES(Space, corners)                                                                      \
  template void timesAtCentres<Space, corners>(const Context<Space>&, const LeafMeshOn<Space>&, const Speed&,          \
    const SimplexMeshView<corners>&, const FactoringView&, const double*,                                              \
    const Kokkos::View<double*, Space::memory_space>&);
#define SPANWISE_LEAVES(Space)                                                                                         \
  SPANWISE_TIMES_AT_CENTRES(Space, 3)                                                                                  \
  SPANWISE_TIMES_AT_CENTRES(Space, 4)                                                                                  \
  template void labelsOfLeaves<Space>(const Context<Space>&, const LeafMeshOn<Space>&, const double*,                  \
    const std::int32_t*, const Kokkos::View<std::int32_t*, Space::memory_space>&);                                     \
  template void gradientsOfLeaves<Space>(const Context<Space>&, const LeafMeshOn<Space>&, const double*,               \
    const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_LEAVES)

} // namespace spanwise::eikonal
