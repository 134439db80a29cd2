#include "Core/Mesh/RankPart.hpp"

#include "Core/Mesh/Detail/Check.hpp"
#include "Core/Parallel/Agree.hpp"

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
  agree(communicator, [&] {
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

#define SPANWISE_RANK_PART(Real, Index)                                                                                \
  template RankPart makeRankPart<Real, Index>(                                                                         \
    const Communicator&, const MeshView<Real, Index>&, std::span<const std::uint8_t>, std::span<const std::int64_t>);
SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_RANK_PART)

} // namespace spanwise
