#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Communicator.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace spanwise {

/// Vertices that this rank's part of a mesh has in common with those of other ranks. Slots [firstSlot[n],
/// firstSlot[n + 1]) are those with rank ranks[n]; what stands in slot k here and there is the same vertex.
struct SharedVertices {
  std::vector<int> ranks;                 ///< the neighbours, ascending
  std::vector<std::int64_t> firstSlot{0}; ///< [neighbours + 1]
  std::vector<std::int32_t> vertices;     ///< [slots]: numbers of vertices on this rank

  [[nodiscard]] std::int64_t numSlots() const { return static_cast<std::int64_t>(vertices.size()); }
};

/// Collective. Finds shared vertices by numbers that are the same on all ranks and different for different vertices:
/// ids[v] is that of vertex v. A vertex may be on any number of ranks. Every rank is asked about the ids that fall to
/// it, so that none holds them all: O(vertices log vertices + ranks) on each rank, and as many messages as there are
/// ranks. Throws InvalidArgument on all ranks where two vertices of a rank have one id, or a rank has 2^31 - 1 vertices
/// or more.
SharedVertices findSharedVertices(const Communicator& communicator, std::span<const std::int64_t> ids);

/// Collective. Finds shared vertices by their places, where there are no ids: vertices are the same if their
/// coordinates are, to the last bit (but 0 is -0). Only shared vertices must not have others of their rank in the same
/// place. Otherwise as above. Throws InvalidArgument also where a coordinate is NaN.
SharedVertices findSharedVertices(const Communicator& communicator, std::span<const Point> places);

/// Collective. A number for each of a rank's vertices that is the same on all ranks that share it, and different for
/// different vertices: those of a rank that no rank before it has follow each other. O(vertices + slots).
std::vector<std::int64_t> numberVertices(
  const Communicator& communicator, const SharedVertices& shared, std::int64_t numVertices);

/// The order of vertices by their places: for each its rank among all, axis by axis, those in one place by their
/// number. Parts of a mesh without ids that are split in this order (splitMesh()) agree on how elements at the cut are.
/// Throws InvalidArgument where a coordinate is NaN.
std::vector<std::int64_t> orderByPlace(std::span<const Point> places);

} // namespace spanwise
