#ifndef SpanwiseLevelMesh_h
#define SpanwiseLevelMesh_h

// The mesh without hanging nodes that leaves make. Not wrapped.

#include "SpanwiseHierarchy.h"
#include "SpanwiseTeam.h"
#include "spanwiseMultilevelModule.h"

#include "Core/Runtime/Progress.hpp"

class vtkUnstructuredGrid;

namespace spanwise {

/// Where a mesh of leaves gets the leaves' values.
enum class MeshValues {
  OnCells,
  OnCellsAndPoints ///< on points the means that vtkSpanwiseLevelsToUnstructuredGrid describes
};

/// Collective. output = the mesh without hanging nodes over this rank's leaves (makeConformingMesh()); the cells of a
/// leaf follow each other, in the order of the leaves. `mine` is what distributeLevels() returned, and `levels` what it
/// left; of a process that makes a part of the output on its own, the whole hierarchy. Points between two ranks are on
/// both, with the same bits.
template <int Dim>
SPANWISEMULTILEVEL_EXPORT void meshOfLevels(const Team& team, const PlaneRange& mine, Hierarchy<Dim> levels,
  MeshValues values, const Progress& progress, vtkUnstructuredGrid* output);

} // namespace spanwise

#endif
