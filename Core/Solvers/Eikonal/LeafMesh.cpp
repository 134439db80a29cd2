#include "Core/Solvers/Eikonal/LeafMesh.hpp"

#include "Core/Mesh/ElementType.hpp"
#include "Core/Runtime/AtomicAccess.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise::eikonal {

namespace {

template <class Space>
void handOutSpeeds(const Context<Space>& context, const LeafMeshOn<Space>& mesh, const Speed& ofLeaves,
  ElementFronts<typename Space::memory_space>& out) {
  if (ofLeaves.kind == Speed::Kind::OfVertices) {
    throw InvalidArgument("the speed is one of vertices; leaves have speeds themselves");
  }
  const int numValues = ofLeaves.valuesPerElement();
  const std::int64_t numElements = mesh.mesh.sources.count();
  const std::int64_t* const leafOf = mesh.mesh.sources.data();
  const double* const from = ofLeaves.values;
  double* const to = out.speeds.prepare(numValues * numElements);
  out.speed = ofLeaves;
  if (numValues > 0) {
    out.speed.values = to;
    forEach(
      SPANWISE_KERNEL("leaf speeds"), IndexRange<Space>(context.space(), 0, numElements),
      KOKKOS_LAMBDA(std::int64_t e) {
        for (int k = 0; k < numValues; ++k) {
          to[numValues * e + k] = from[numValues * leafOf[e] + k];
        }
      });
  }
}

template <class Space>
void handOutSources(const Context<Space>& context, const LeafMeshOn<Space>& mesh, const NumberedSources& leaves,
  ElementFronts<typename Space::memory_space>& out) {
  typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
  const std::int64_t numElements = mesh.mesh.sources.count();
  const std::int64_t* const leafOf = mesh.mesh.sources.data();
  std::int64_t* const firsts = frame.template array<std::int64_t>(leaves.count + 1).data();
  const IndexRange<Space> all(context.space(), 0, leaves.count);
  forEach(
    SPANWISE_KERNEL("count sources"), all, KOKKOS_LAMBDA(std::int64_t s) {
      const ElementsOfLeaf of(leafOf, numElements, leaves.numbers[s]);
      firsts[s] = of.last - of.first;
    });
  const std::int64_t count = exclusiveScan(context.space(), SPANWISE_KERNEL("scan sources"), firsts, leaves.count);
  std::int64_t* const sources = out.sources.prepare(count);
  std::int64_t* const origins = out.origins.prepare(count);
  double* const times = out.times.prepare(leaves.times != nullptr ? count : 0);
  forEach(
    SPANWISE_KERNEL("write sources"), all, KOKKOS_LAMBDA(std::int64_t s) {
      const ElementsOfLeaf of(leafOf, numElements, leaves.numbers[s]);
      for (std::int64_t e = of.first; e < of.last; ++e) {
        const std::int64_t at = firsts[s] + e - of.first;
        sources[at] = e;
        origins[at] = s;
        if (leaves.times != nullptr) {
          times[at] = leaves.times[s];
        }
      }
    });
}

template <class Space>
void handOutStops(const Context<Space>& context, const LeafMeshOn<Space>& mesh, const LeafFronts& leaves,
  ElementFronts<typename Space::memory_space>& out) {
  out.stop.clear();
  if (leaves.numStop == 0) {
    return;
  }
  typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
  const std::int64_t numVertices = mesh.mesh.points.count();
  std::int64_t* const places = frame.template array<std::int64_t>(numVertices + 1).data();
  const IndexRange<Space> vertices(context.space(), 0, numVertices);
  forEach(SPANWISE_KERNEL("clear stops"), vertices, KOKKOS_LAMBDA(std::int64_t v) { places[v] = 0; });
  const auto elements = mesh.view().elements;
  const std::int64_t* const leafOf = mesh.mesh.sources.data();
  const std::int64_t* const stop = leaves.stop;
  forEach(
    SPANWISE_KERNEL("mark stops"), IndexRange<Space>(context.space(), 0, leaves.numStop),
    KOKKOS_LAMBDA(std::int64_t k) {
      const ElementsOfLeaf of(leafOf, elements.numElements, stop[k]);
      for (std::int64_t e = of.first; e < of.last; ++e) {
        for (int corner = 0; corner < numVerticesOf(elements.typeOf(e)); ++corner) {
          atomicStore(&places[elements.vertex(e, corner)], std::int64_t{1});
        }
      }
    });
  const std::int64_t count = exclusiveScan(context.space(), SPANWISE_KERNEL("scan stops"), places, numVertices);
  std::int64_t* const to = out.stop.prepare(count);
  forEach(
    SPANWISE_KERNEL("write stops"), vertices, KOKKOS_LAMBDA(std::int64_t v) {
      if (places[v + 1] > places[v]) {
        to[places[v]] = v;
      }
    });
}

} // namespace

template <class ExecutionSpace>
void frontsInMesh(const Context<ExecutionSpace>& context, const LeafMeshOn<ExecutionSpace>& mesh,
  const LeafFronts& leaves, ElementFronts<typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::frontsInMesh");
  handOutSpeeds(context, mesh, leaves.speed, out);
  handOutSources(context, mesh, leaves.sources, out);
  handOutStops(context, mesh, leaves, out);
}

#define SPANWISE_FRONTS_IN_MESH(Space)                                                                                 \
  template void frontsInMesh<Space>(                                                                                   \
    const Context<Space>&, const LeafMeshOn<Space>&, const LeafFronts&, ElementFronts<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_FRONTS_IN_MESH)

} // namespace spanwise::eikonal
