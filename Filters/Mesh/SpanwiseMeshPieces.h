#ifndef SpanwiseMeshPieces_h
#define SpanwiseMeshPieces_h

// Meshes that lie in pieces on several ranks, as VTK has them: with ghost cells or without, with global ids or without.
// Not wrapped.

#include "SpanwiseInputMesh.h"
#include "spanwiseMeshModule.h"

#include "Core/Mesh/SharedVertices.hpp"

#include <cstdint>
#include <vector>

class vtkDataSet;
class vtkDataSetAttributes;

namespace spanwise {

class RankGroup;

/// Collective. Whether more than one rank has cells of a mesh. `data` may be null.
SPANWISEMESH_EXPORT bool isInPieces(const RankGroup& group, vtkDataSet* data);

/// Collective. The vertices that ranks have in common, those of ghost cells too: by the global ids of points, which all
/// ranks with points must have, else by their coordinates. mergeDistance: 0 or more where points in one place are one;
/// they are found by coordinates then. `data` may be null where the mesh is empty.
///
/// Throws InvalidArgument, on all ranks, where several points of a rank have the id, or without ids the place, of
/// another rank's.
SPANWISEMESH_EXPORT SharedVertices sharedVerticesOf(
  const RankGroup& group, const InputMesh& mesh, vtkDataSet* data, double mergeDistance = -1.0);

/// Collective. A mesh whose points that are within a distance of each other, also by way of others and those of other
/// ranks, are all in the place of the first of them by its coordinates (mergedPlaces()). Throws InvalidArgument, on all
/// ranks, where the distance is not finite or negative.
SPANWISEMESH_EXPORT InputMesh mergedOnRanks(const RankGroup& group, const InputMesh& mesh, double distance);

/// Collective. A number for each of these points or cells of a rank, for people, different on all ranks: their global
/// ids, if all ranks with `count` above 0 have some; else numbers counted over the ranks, one rank's after the other's.
/// `attributes` may be null where `count` is 0.
SPANWISEMESH_EXPORT std::vector<std::int64_t> numbersOnRanks(const RankGroup& group,
  const std::vector<std::int64_t>& numbers, std::int64_t count, vtkDataSetAttributes* attributes);

} // namespace spanwise

#endif
