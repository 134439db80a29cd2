#ifndef SpanwiseWallSurface_h
#define SpanwiseWallSurface_h

// Closed surfaces that walls of lattice Boltzmann flows lie on. Not wrapped and not installed.

#include "SpanwiseFlowObstacle.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseLatticeRun.h"
#include "SpanwisePolyDataInput.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseLatticeModule.h"

class vtkPolyData;

namespace spanwise {

/// A closed surface in 3D, or closed lines in a plane of constant z, of which every rank has all.
struct WallSurface {
  int dimension = 3;
  TriangleList triangles{}; ///< in 3D
  RingList rings{};         ///< in 2D
  Bounds bounds{};
};

/// Collective. The surface of all ranks' polygonal data, which may be null on some. It is 2D if it is flat along z.
/// Throws InvalidArgument where it has neither polygons nor closed lines, or a point is not finite.
SPANWISELATTICE_EXPORT WallSurface readSurface(const RankGroup& group, vtkPolyData* data);

/// One cell that has the bounds of a surface: where flows around it are.
SPANWISELATTICE_EXPORT InputCells boundsOf(const WallSurface& surface);

/// Collective. Gives a setup with lattice, box and meaning of the cells the cells of the finest level whose centres are
/// inside of a surface, and the distances from it of those beside the walls: what spans less than a cell is not seen.
///
/// Along axes that repeat the surface ends, or goes on, at the sides of the box: what lies in such a side, within half
/// a cell, is no wall. Throws InvalidArgument, on all ranks, where a surface is open, no cell is inside, or it reaches
/// through one of two sides that are joined. O(triangles log triangles + cells at the surface log triangles).
template <int Dim>
SPANWISELATTICE_EXPORT void setWalls(const RankGroup& group, const WallSurface& surface, LatticeSetup<Dim>& setup);

} // namespace spanwise

#endif
