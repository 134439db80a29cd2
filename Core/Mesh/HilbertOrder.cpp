#include "Core/Mesh/ElementShape.hpp"
#include "Core/Mesh/HilbertCurve.hpp"
#include "Core/Mesh/Orderings.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <string>

namespace spanwise {

namespace {

/// Where a vertex lies.
template <class Real>
struct VertexPlaces {
  VertexView<Real> vertices;
  [[nodiscard]] KOKKOS_FUNCTION Point operator()(std::int64_t v) const { return vertices(v); }
};

/// Where an element lies.
template <class Real, class Index>
struct ElementPlaces {
  MeshView<Real, Index> mesh;
  [[nodiscard]] KOKKOS_FUNCTION Point operator()(std::int64_t e) const {
    const ElementType type = mesh.elements.typeOf(e);
    Point points[maxElementVertices];
    for (int k = 0; k < numVerticesOf(type); ++k) {
      points[k] = mesh.vertices(mesh.elements.vertex(e, k));
    }
    return barycentre(type, points);
  }
};

struct Bounds {
  Point least;
  Point greatest;
};

template <class Places>
struct FindBounds {
  using value_type = Bounds;
  Places places;

  KOKKOS_FUNCTION void init(Bounds& bounds) const {
    const double infinity = Kokkos::Experimental::infinity_v<double>;
    bounds = {{{infinity, infinity, infinity}}, {{-infinity, -infinity, -infinity}}};
  }
  KOKKOS_FUNCTION void join(Bounds& bounds, const Bounds& other) const {
    for (int axis = 0; axis < 3; ++axis) {
      bounds.least[axis] = Kokkos::min(bounds.least[axis], other.least[axis]);
      bounds.greatest[axis] = Kokkos::max(bounds.greatest[axis], other.greatest[axis]);
    }
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i, Bounds& bounds) const {
    const Point point = places(i);
    join(bounds, {point, point}); // comparisons with NaN are false
  }
};

/// The grid that the curve goes through.
struct CurveGrid {
  Point origin;
  double cellsPerLength = 0.0;
  int axes[3] = {};
  int numAxes = 0;
  int bits = 0;
};

CurveGrid gridAround(const Bounds& bounds) {
  CurveGrid grid;
  grid.origin = bounds.least;
  double longest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double length = bounds.greatest[axis] - bounds.least[axis];
    if (length > 0.0) {
      grid.axes[grid.numAxes++] = axis;
      longest = Kokkos::max(longest, length);
    }
  }
  grid.bits = grid.numAxes == 3 ? 21 : 31;
  const auto cells = static_cast<double>(std::uint32_t{1} << grid.bits);
  grid.cellsPerLength = longest > 0.0 ? (cells - 1.0) / longest : 0.0;
  return grid;
}

template <class Index>
struct Keyed {
  std::uint64_t key;
  Index number;
  KOKKOS_FUNCTION bool operator<(const Keyed& other) const { return key < other.key; }
};

template <class Places, class Index>
struct MakeKeys {
  Places places;
  CurveGrid grid;
  Keyed<Index>* keys;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Point point = places(i);
    std::uint32_t cell[3] = {};
    const auto most = static_cast<double>((std::uint32_t{1} << grid.bits) - 1);
    for (int k = 0; k < grid.numAxes; ++k) {
      const double at = (point[grid.axes[k]] - grid.origin[grid.axes[k]]) * grid.cellsPerLength;
      cell[k] = at > 0.0 ? static_cast<std::uint32_t>(Kokkos::min(at, most)) : 0;
    }
    keys[i] = {grid.numAxes > 0 ? hilbertNumber(cell, grid.numAxes, grid.bits) : 0, static_cast<Index>(i)};
  }
};

template <class Index>
struct TakeNumbers {
  const Keyed<Index>* keys;
  Index* order;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { order[i] = keys[i].number; }
};

template <class Space, class Places, class Index>
void orderAlongCurve(const Space& space, const Places& places, std::int64_t count,
  const Kokkos::View<Index*, typename Space::memory_space>& order, Workspace<typename Space::memory_space>& workspace) {
  if (order.extent(0) != static_cast<std::size_t>(count)) {
    throw InvalidArgument(
      "an order of " + std::to_string(count) + " was asked for in an array of " + std::to_string(order.extent(0)));
  }
  const IndexRange<Space> all(space, 0, count);
  Bounds bounds;
  reduce(SPANWISE_KERNEL("bounds"), all, FindBounds<Places>{places}, bounds);
  typename Workspace<typename Space::memory_space>::Frame frame(workspace);
  const auto keys = frame.template array<Keyed<Index>>(count);
  const auto scratch = frame.template array<Keyed<Index>>(count);
  forEach(SPANWISE_KERNEL("curve numbers"), all, MakeKeys<Places, Index>{places, gridAround(bounds), keys.data()});
  const auto* const sorted = sortStably(space, keys.data(), scratch.data(), count, Ascending());
  forEach(SPANWISE_KERNEL("take numbers"), all, TakeNumbers<Index>{sorted, order.data()});
}

} // namespace

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void orderVerticesAlongHilbertCurve(const ExecutionSpace& space, const VertexView<Real>& vertices,
  const Kokkos::View<Index*, typename ExecutionSpace::memory_space>& order,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Mesh::orderVerticesAlongHilbertCurve");
  orderAlongCurve(space, VertexPlaces<Real>{vertices}, vertices.numVertices, order, workspace);
}

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void orderElementsAlongHilbertCurve(const ExecutionSpace& space, const MeshView<Real, Index>& mesh,
  const Kokkos::View<Index*, typename ExecutionSpace::memory_space>& order,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Mesh::orderElementsAlongHilbertCurve");
  orderAlongCurve(space, ElementPlaces<Real, Index>{mesh}, mesh.elements.numElements, order, workspace);
}

#define SPANWISE_HILBERT_ORDER_OF(Real, Index, Space)                                                                  \
  template void orderVerticesAlongHilbertCurve<Space, Real, Index>(const Space&, const VertexView<Real>&,              \
    const Kokkos::View<Index*, Space::memory_space>&, Workspace<Space::memory_space>&);                                \
  template void orderElementsAlongHilbertCurve<Space, Real, Index>(const Space&, const MeshView<Real, Index>&,         \
    const Kokkos::View<Index*, Space::memory_space>&, Workspace<Space::memory_space>&);
#define SPANWISE_HILBERT_ORDER(Space) SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_HILBERT_ORDER_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_HILBERT_ORDER)

} // namespace spanwise
