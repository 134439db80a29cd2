#include "Core/Mesh/Orderings.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Scan.hpp"

#include <string>

namespace spanwise {

namespace {

template <class Index>
struct WritePlaces {
  const Index* order;
  Index* places;
  std::int64_t count;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t old = order[k];
    if (old >= 0 && old < count) {
      Kokkos::atomic_store(&places[old], static_cast<Index>(k)); // twice in what is no order
    }
  }
};

/// The first place in an order whose number another has too, or that is none.
template <class Index>
struct FindWrong {
  const Index* order;
  const Index* places;
  std::int64_t count;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& first) const {
    const std::int64_t old = order[k];
    if (old < 0 || old >= count || places[old] != static_cast<Index>(k)) {
      first = Kokkos::min(first, k);
    }
  }
};

template <class Real, class Index>
struct CopyVertex {
  VertexView<Real> from;
  const Index* order; ///< null: as they are
  Real* to;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const std::int64_t old = order != nullptr ? std::int64_t{order[v]} : v;
    for (int axis = 0; axis < 3; ++axis) {
      to[3 * v + axis] = from.axis[axis][old * from.stride];
    }
  }
};

template <class Index>
struct SizeOfElement {
  ElementView<Index> from;
  const Index* order;
  Index* sizes;
  ElementType* types;
  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    types[e] = from.typeOf(order != nullptr ? std::int64_t{order[e]} : e);
    sizes[e] = static_cast<Index>(numVerticesOf(types[e]));
  }
};

template <class Index>
struct CopyElement {
  ElementView<Index> from;
  const Index* order;  ///< of elements; null: as they are
  const Index* places; ///< of vertices; null: as they are
  ElementView<Index> to;
  Index* vertices; ///< of `to`
  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    const std::int64_t old = order != nullptr ? std::int64_t{order[e]} : e;
    const std::int64_t corner = to.firstCorner(e);
    for (int k = 0; k < numVerticesOf(from.typeOf(old)); ++k) {
      const std::int64_t v = from.vertex(old, k);
      vertices[corner + k] = places != nullptr ? places[v] : static_cast<Index>(v);
    }
  }
};

} // namespace

template <class ExecutionSpace, MeshIndex Index>
void invertOrder(const ExecutionSpace& space,
  const Kokkos::View<const Index*, typename ExecutionSpace::memory_space>& order,
  const Kokkos::View<Index*, typename ExecutionSpace::memory_space>& places) {
  SPANWISE_REGION("Mesh::invertOrder");
  const auto count = static_cast<std::int64_t>(order.extent(0));
  if (order.extent(0) != places.extent(0)) {
    throw InvalidArgument("an order of " + std::to_string(count) + " was given for " +
      std::to_string(places.extent(0)) + " vertices or elements");
  }
  const IndexRange<ExecutionSpace> all(space, 0, count);
  forEach(SPANWISE_KERNEL("write places"), all, WritePlaces<Index>{order.data(), places.data(), count});
  std::int64_t wrong = 0;
  reduceMin(SPANWISE_KERNEL("check order"), all, FindWrong<Index>{order.data(), places.data(), count}, wrong);
  if (wrong < count) {
    throw InvalidArgument("an order has " + std::to_string(fetch(space, order.data(), wrong)) + " at place " +
      std::to_string(wrong) + ": each number from 0 to " + std::to_string(count - 1) + " must be there once");
  }
}

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void reorderMesh(const ExecutionSpace& space, const MeshView<Real, Index>& mesh,
  const Kokkos::View<const Index*, typename ExecutionSpace::memory_space>& vertexOrder,
  const Kokkos::View<const Index*, typename ExecutionSpace::memory_space>& elementOrder,
  MeshArrays<Real, Index, typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Mesh::reorderMesh");
  using Indices = Kokkos::View<Index*, typename ExecutionSpace::memory_space>;
  const std::int64_t numVertices = mesh.vertices.numVertices;
  const std::int64_t numElements = mesh.elements.numElements;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  const auto inverted = [&](const auto& order, std::int64_t count) -> Indices {
    if (order.extent(0) == 0) {
      return {};
    }
    const Indices places(frame.template array<Index>(count).data(), static_cast<std::size_t>(count));
    invertOrder<ExecutionSpace, Index>(space, order, places);
    return places;
  };
  const Indices vertexPlaces = inverted(vertexOrder, numVertices);
  inverted(elementOrder, numElements); // they are looked at
  const Index* const oldElements = elementOrder.extent(0) != 0 ? elementOrder.data() : nullptr;
  const IndexRange<ExecutionSpace> overElements(space, 0, numElements);
  out.type = mesh.elements.type;
  out.isOfOneType = mesh.elements.types == nullptr;
  if (out.isOfOneType) {
    out.resize(numVertices, numElements, numElements * numVerticesOf(out.type));
  } else {
    out.resize(numVertices, numElements, 0);
    forEach(SPANWISE_KERNEL("sizes"), overElements,
      SizeOfElement<Index>{mesh.elements, oldElements, out.offsets.data(), out.types.data()});
    const Index numCorners = exclusiveScan(space, SPANWISE_KERNEL("scan sizes"), out.offsets.data(), numElements);
    out.resize(numVertices, numElements, numCorners);
  }
  forEach(SPANWISE_KERNEL("copy vertices"), IndexRange<ExecutionSpace>(space, 0, numVertices),
    CopyVertex<Real, Index>{
      mesh.vertices, vertexOrder.extent(0) != 0 ? vertexOrder.data() : nullptr, out.coordinates.data()});
  forEach(SPANWISE_KERNEL("copy elements"), overElements,
    CopyElement<Index>{mesh.elements, oldElements, vertexPlaces.extent(0) != 0 ? vertexPlaces.data() : nullptr,
      out.view().elements, out.vertices.data()});
}

#define SPANWISE_INVERT_ORDER(Space)                                                                                   \
  template void invertOrder<Space, std::int32_t>(const Space&,                                                         \
    const Kokkos::View<const std::int32_t*, Space::memory_space>&,                                                     \
    const Kokkos::View<std::int32_t*, Space::memory_space>&);                                                          \
  template void invertOrder<Space, std::int64_t>(const Space&,                                                         \
    const Kokkos::View<const std::int64_t*, Space::memory_space>&,                                                     \
    const Kokkos::View<std::int64_t*, Space::memory_space>&);
#define SPANWISE_REORDER_MESH_OF(Real, Index, Space)                                                                   \
  template void reorderMesh<Space, Real, Index>(const Space&, const MeshView<Real, Index>&,                            \
    const Kokkos::View<const Index*, Space::memory_space>&, const Kokkos::View<const Index*, Space::memory_space>&,    \
    MeshArrays<Real, Index, Space::memory_space>&, Workspace<Space::memory_space>&);
#define SPANWISE_REORDER_MESH(Space)                                                                                   \
  SPANWISE_INVERT_ORDER(Space) SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_REORDER_MESH_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_REORDER_MESH)

} // namespace spanwise
