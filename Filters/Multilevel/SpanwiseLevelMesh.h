#ifndef SpanwiseLevelMesh_h
#define SpanwiseLevelMesh_h

// The mesh without hanging nodes that leaves make. Not wrapped.

#include "SpanwiseHierarchy.h"
#include "SpanwiseRankGroup.h"
#include "SpanwiseSide.h"
#include "spanwiseMultilevelModule.h"

#include "Core/Geometry/Periods.hpp"
#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Progress.hpp"

class vtkUnstructuredGrid;

namespace spanwise {

/// The leaves of which a rank makes its part of a mesh. Copies share sets.
template <int Dim>
struct LeavesOfMesh {
  Hierarchy<Dim> levels;          ///< this rank's leaves, and those of others beside them
  parallel::PlaneRange planes;    ///< of level 0, whose leaves become cells
  int finest = 0;                 ///< the level on whose lattice points lie, the same on all ranks
  geometry::Periods<Dim> periods; ///< in cells of level 0; leaves lie within them
  bool isPart = false;            ///< whether other ranks have other parts
};

/// Collective. `mine` is what distributeLevels() returned, and `levels` what it left; of a process that makes a part of
/// the output on its own, the whole hierarchy. Where axes repeat there are no hanging nodes on both sides of the seam
/// either.
template <int Dim>
SPANWISEMULTILEVEL_EXPORT LeavesOfMesh<Dim> leavesOfMesh(const RankGroup& group, const parallel::PlaneRange& mine,
  Hierarchy<Dim> levels, const geometry::Periods<Dim>& periods = {});

/// out = the mesh over these leaves (makeConformingMesh()), in a side's memory; without shares but where they are asked
/// for. Points between two ranks are on both. A part of a mesh of which axes repeat also has, without cells, those
/// points that are one with its points between ranks.
template <ComputeSide side, int Dim>
SPANWISEMULTILEVEL_EXPORT void makeMesh(const Context<SpaceOf<side>>& context, const LeavesOfMesh<Dim>& leaves,
  multilevel::ConformingMeshOn<SpaceOf<side>>& out, bool withShares = false);

/// The same over some of the leaves, `leaves`, with the cells that it has over all leaves, of which `cover` is.
template <ComputeSide side, int Dim>
void makeMeshOfSome(const Context<SpaceOf<side>>& context, const LeavesOfMesh<Dim>& leaves,
  const multilevel::LeafCoverOn<Dim, SpaceOf<side>>& cover, multilevel::ConformingMeshOn<SpaceOf<side>>& out,
  bool withShares);

/// Collective. output = this rank's part of the mesh over a hierarchy, with the leaves' values on cells and, as
/// vtkSpanwiseLevelsToUnstructuredGrid describes, on points. The cells of a leaf follow each other, in the order of the
/// leaves. Points between two ranks have the same bits on both.
template <int Dim>
SPANWISEMULTILEVEL_EXPORT void gridOfLevels(
  const RankGroup& group, const Hierarchy<Dim>& levels, const Progress& progress, vtkUnstructuredGrid* output);

} // namespace spanwise

#endif
