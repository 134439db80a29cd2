#include "Core/Mesh/RankPart.hpp"

#include "Core/Mesh/Detail/Check.hpp"
#include "Core/Parallel/Agree.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace spanwise {

template <MeshReal Real, MeshIndex Index>
RankPart makeRankPart(const Communicator& communicator, const MeshView<Real, Index>& piece,
  std::span<const std::uint8_t> isGhost, std::span<const std::int64_t> ids) {
  const std::int64_t numVertices = piece.vertices.numVertices;
  const std::int64_t numElements = piece.elements.numElements;
  const bool hasIds = numVertices == 0 || !ids.empty();
  const bool byIds = communicator.reduced(ReduceBy::Minimum, std::int64_t{hasIds ? 1 : 0}) == 1;
  RankPart part;
  std::vector<Point> places;
  parallel::agree(communicator, [&] {
    if (!isGhost.empty()) {
      detail::checkLength("marks of ghosts", isGhost.size(), numElements, "elements");
    }
    if (!ids.empty()) {
      detail::checkLength("ids", ids.size(), numVertices, "vertices");
    }
    std::vector<std::int32_t> parts(static_cast<std::size_t>(numElements), 0);
    for (std::size_t e = 0; e < isGhost.size(); ++e) {
      parts[e] = isGhost[e] != 0 ? -1 : 0;
    }
    // first which vertices there are: of others nothing is asked, neither ids nor coordinates
    part.mesh = splitMesh(piece.elements, numVertices, parts, 1);
    std::vector<std::int64_t> order(static_cast<std::size_t>(numVertices), 0);
    if (byIds) {
      order.assign(ids.begin(), ids.end());
    } else {
      for (const std::int64_t v : part.mesh.vertices) {
        places.push_back(piece.vertices(v));
      }
      const std::vector<std::int64_t> byPlace = orderByPlace(places);
      for (std::size_t i = 0; i < byPlace.size(); ++i) {
        order[static_cast<std::size_t>(part.mesh.vertices[i])] = byPlace[i];
      }
    }
    part.mesh = splitMesh(piece.elements, numVertices, parts, 1, order);
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = piece.vertices(part.mesh.vertices[i]);
    }
  });
  if (byIds) {
    std::vector<std::int64_t> idsOfPart;
    idsOfPart.reserve(part.mesh.vertices.size());
    for (const std::int64_t v : part.mesh.vertices) {
      idsOfPart.push_back(ids[static_cast<std::size_t>(v)]);
    }
    part.shared = findSharedVertices(communicator, idsOfPart);
  } else {
    part.shared = findSharedVertices(communicator, std::span<const Point>(places));
  }
  return part;
}

template <MeshReal Real, MeshIndex Index>
SharedVertices sharedVerticesOf(const Communicator& communicator, const MeshView<Real, Index>& piece,
  std::span<const std::int64_t> ids, std::span<const std::int32_t> representatives) {
  const std::int64_t numVertices = piece.vertices.numVertices;
  const std::int64_t has[2] = {
    numVertices == 0 || !ids.empty() ? 1 : 0, numVertices == 0 || representatives.empty() ? 1 : 0};
  std::int64_t all[2] = {has[0], has[1]};
  communicator.reduce(ReduceBy::Minimum, std::span<std::int64_t>(all));
  const bool byIds = all[0] == 1 && all[1] == 1;
  std::vector<std::int32_t> vertices; // in elements
  std::vector<std::int64_t> idsOfThem;
  std::vector<Point> places;
  parallel::agree(communicator, [&] {
    if (!ids.empty()) {
      detail::checkLength("ids", ids.size(), numVertices, "vertices");
    }
    if (!representatives.empty()) {
      detail::checkLength("representatives", representatives.size(), numVertices, "vertices");
    }
    const ElementView<Index>& elements = piece.elements;
    const std::int64_t numCorners = elements.offsets != nullptr ? std::int64_t{elements.offsets[elements.numElements]}
                                                                : elements.firstCorner(elements.numElements);
    std::vector<bool> isUsed(static_cast<std::size_t>(numVertices), false);
    for (std::int64_t c = 0; c < numCorners; ++c) {
      const std::int64_t v = elements.vertices[c];
      if (v >= 0 && v < numVertices) { // others are found where elements are read
        isUsed[static_cast<std::size_t>(representatives.empty() ? v : representatives[static_cast<std::size_t>(v)])] =
          true;
      }
    }
    for (std::size_t v = 0; v < representatives.size(); ++v) { // also in no element: others' elements may be there
      const Point place = piece.vertices(static_cast<std::int64_t>(v));
      const bool isPlace = !(std::isnan(place[0]) || std::isnan(place[1]) || std::isnan(place[2]));
      isUsed[v] = isUsed[v] || (isPlace && representatives[v] == static_cast<std::int32_t>(v));
    }
    for (std::int64_t v = 0; v < numVertices; ++v) {
      if (!isUsed[static_cast<std::size_t>(v)]) {
        continue;
      }
      vertices.push_back(static_cast<std::int32_t>(v));
      if (byIds) {
        idsOfThem.push_back(ids[static_cast<std::size_t>(v)]);
      } else {
        places.push_back(piece.vertices(v));
      }
    }
  });
  SharedVertices shared = byIds ? findSharedVertices(communicator, idsOfThem)
                                : findSharedVertices(communicator, std::span<const Point>(places));
  for (std::int32_t& v : shared.vertices) {
    v = vertices[static_cast<std::size_t>(v)];
  }
  return shared;
}

#define SPANWISE_RANK_PART(Real, Index)                                                                                \
  template RankPart makeRankPart<Real, Index>(                                                                         \
    const Communicator&, const MeshView<Real, Index>&, std::span<const std::uint8_t>, std::span<const std::int64_t>);  \
  template SharedVertices sharedVerticesOf<Real, Index>(                                                               \
    const Communicator&, const MeshView<Real, Index>&, std::span<const std::int64_t>, std::span<const std::int32_t>);
SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_RANK_PART)

} // namespace spanwise
