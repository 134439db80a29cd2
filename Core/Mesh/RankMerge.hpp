#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Communicator.hpp"

#include <span>
#include <vector>

namespace spanwise {

/// Collective. Where the vertices lie that stand for those of this rank, at `places`, if all that any ranks have are
/// merged within a distance, as mergeVertices() does it on one rank with all of them: the places of all vertices that
/// are within `distance` of each other, also by way of others and across ranks, become that with the least coordinates,
/// x first. So whoever puts vertices there and merges what is in the same place has a mesh that is merged as on one
/// rank. A vertex with a coordinate that is NaN stays where it is.
///
/// Vertices that may be near those of another rank, as its bounding box says, are sent to it, and then round by round
/// what stands for them, until nothing changes: as many rounds as a group of vertices goes from rank to rank.
/// O(vertices + pairs within two distances) on each rank. Throws InvalidArgument on all ranks where `distance` is not
/// finite or negative, differs among ranks, or a rank has 2^31 - 1 vertices or more, with those sent to it.
std::vector<Point> mergedPlaces(const Communicator& communicator, std::span<const Point> places, double distance);

} // namespace spanwise
