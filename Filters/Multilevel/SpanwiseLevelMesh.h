#ifndef SpanwiseLevelMesh_h
#define SpanwiseLevelMesh_h

// The mesh without hanging nodes that leaves make. Not wrapped.

#include "SpanwiseHierarchy.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseMultilevelModule.h"

#include "Core/Geometry/Periods.hpp"
#include "Core/Multilevel/FinePoint.hpp"
#include "Core/Runtime/Progress.hpp"

#include <vector>

class vtkUnstructuredGrid;

namespace spanwise {

/// Where a mesh of leaves gets the leaves' values.
enum class MeshValues {
  OnCells,
  OnCellsAndPoints ///< on points the means that vtkSpanwiseLevelsToUnstructuredGrid describes
};

/// Where a mesh of leaves closes on itself.
template <int Dim>
struct MeshSeam {
  geometry::Periods<Dim> periods;            ///< in cells of level 0; leaves lie within them
  int finest = 0;                            ///< written: the level on whose lattice points lie
  std::vector<multilevel::FinePoint> points; ///< written: the mesh's
};

/// A mesh to be made, and where it closes on itself, if it does.
template <int Dim>
struct LevelMesh {
  vtkUnstructuredGrid* grid;
  MeshSeam<Dim>* seam = nullptr;
};

/// Collective. out.grid = the mesh without hanging nodes over this rank's leaves (makeConformingMesh()); the cells of a
/// leaf follow each other, in the order of the leaves. `mine` is what distributeLevels() returned, and `levels` what it
/// left; of a process that makes a part of the output on its own, the whole hierarchy. Points between two ranks are on
/// both, with the same bits. With a seam there are no hanging nodes on both sides of it either; a rank then also has,
/// without cells, those points that are one with its points between ranks where axes repeat.
template <int Dim>
SPANWISEMULTILEVEL_EXPORT void meshOfLevels(const RankGroup& group, const parallel::PlaneRange& mine,
  Hierarchy<Dim> levels, MeshValues values, const Progress& progress, const LevelMesh<Dim>& out);

} // namespace spanwise

#endif
