/**
 * @class   vtkSpanwiseSurfaceToIntervals
 * @brief   the cells inside a closed surface as a 3D grid made of intervals
 *
 * The input's polygons and triangle strips must bound a volume: every edge belongs to an even number of triangles,
 * where points at the same place are one point. A cell is inside if its centre is, by the parity of the triangles that
 * a ray along x meets; so the orientation of the triangles does not matter, and a shell within a shell is hollow. Edges
 * and vertices are decided as if centres were moved by an infinitely small step. Polygons are cut into fans, which is
 * right for flat ones, convex or not. Lines and vertices are ignored.
 *
 * An open surface is an error that names an open edge. Before, it is tried whether points that are at most
 * MergeTolerance times the diagonal of the bounds apart close it: seams that were computed twice, as by a sphere source
 * on several ranks, differ by round-off. By default the lattice has 256 cells along the longest side of the bounds.
 * O(triangles log triangles + crossings of triangles with rows of cells).
 *
 * In parallel every rank gets the triangles of all of them, and makes its share of the planes.
 */
#ifndef vtkSpanwiseSurfaceToIntervals_h
#define vtkSpanwiseSurfaceToIntervals_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseLatticeAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseSurfaceToIntervals : public vtkSpanwiseLatticeAlgorithm {
public:
  static vtkSpanwiseSurfaceToIntervals* New();
  vtkTypeMacro(vtkSpanwiseSurfaceToIntervals, vtkSpanwiseLatticeAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * How far apart points of a surface that is open may be to count as one, as a share of the diagonal of the bounds. 0
   * merges nothing. Default: 1e-6.
   */
  vtkSetMacro(MergeTolerance, double);
  vtkGetMacro(MergeTolerance, double);
  ///@}

protected:
  vtkSpanwiseSurfaceToIntervals() = default;
  ~vtkSpanwiseSurfaceToIntervals() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  double MergeTolerance = 1e-6;

private:
  vtkSpanwiseSurfaceToIntervals(const vtkSpanwiseSurfaceToIntervals&) = delete;
  void operator=(const vtkSpanwiseSurfaceToIntervals&) = delete;
};

#endif
