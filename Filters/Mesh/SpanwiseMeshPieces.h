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

class Team;

/// Collective. Whether more than one rank has cells of a mesh. `data` may be null.
SPANWISEMESH_EXPORT bool isInPieces(const Team& team, vtkDataSet* data);

/// Collective. The vertices that ranks have in common, those of ghost cells too: by the global ids of points, which all
/// ranks with points must have, else by their coordinates. mergeDistance: 0 where points in one place are one; they are
/// found by coordinates then. `data` may be null where the mesh is empty.
///
/// Throws InvalidArgument, on all ranks, where several points of a rank have the id, or without ids the place, of
/// another rank's, and where points are merged within more than 0.
SPANWISEMESH_EXPORT SharedVertices sharedVerticesOf(
  const Team& team, const InputMesh& mesh, vtkDataSet* data, double mergeDistance = -1.0);

/// Collective. A number for each of these points or cells of a rank, for people, different on all ranks: their global
/// ids, if all ranks with `count` above 0 have some; else numbers counted over the ranks, one rank's after the other's.
/// `attributes` may be null where `count` is 0.
SPANWISEMESH_EXPORT std::vector<std::int64_t> numbersOnRanks(
  const Team& team, const std::vector<std::int64_t>& numbers, std::int64_t count, vtkDataSetAttributes* attributes);

} // namespace spanwise

#endif
