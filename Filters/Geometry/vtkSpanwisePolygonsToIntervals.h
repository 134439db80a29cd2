/**
 * @class   vtkSpanwisePolygonsToIntervals
 * @brief   the cells inside polygons, or outside them within bounds, as a 2D grid made of intervals
 *
 * The input's polygons, triangles and closed polylines are rings in a plane of constant z. A cell is inside if its
 * centre is, by the even-odd rule over all rings together: a ring within a ring is a hole, wherever it stands. Rings
 * that share an edge neither overlap nor leave a gap. Vertices are ignored; a polyline that is not closed, a triangle
 * strip and a point off the plane (by more than PlaneTolerance times the diagonal of the bounds) are errors.
 *
 * By default the lattice has 1000 cells along the longer side of the bounds. O(points + crossings log crossings), where
 * a crossing is that of an edge with a row of cells.
 *
 * In parallel every rank gets the polygons of all of them, and makes its share of the rows.
 */
#ifndef vtkSpanwisePolygonsToIntervals_h
#define vtkSpanwisePolygonsToIntervals_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseLatticeAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwisePolygonsToIntervals : public vtkSpanwiseLatticeAlgorithm {
public:
  static vtkSpanwisePolygonsToIntervals* New();
  vtkTypeMacro(vtkSpanwisePolygonsToIntervals, vtkSpanwiseLatticeAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Domains { INSIDE = 0, OUTSIDE_WITHIN_BOUNDS = 1 };

  ///@{
  /**
   * INSIDE the polygons, or OUTSIDE_WITHIN_BOUNDS: the cells whose centres are in the bounds but not inside. Default:
   * INSIDE.
   */
  vtkSetMacro(Domain, int);
  vtkGetMacro(Domain, int);
  ///@}

  ///@{
  /**
   * Take Bounds instead of the bounds of the polygons. The result, inside or outside, then ends there. Default: off.
   */
  vtkSetMacro(UseBounds, bool);
  vtkGetMacro(UseBounds, bool);
  vtkBooleanMacro(UseBounds, bool);
  ///@}

  ///@{
  /**
   * The least and greatest x and y of the cells' centres, if UseBounds is on: xmin <= x < xmax, ymin <= y < ymax.
   */
  vtkSetVector4Macro(Bounds, double);
  vtkGetVector4Macro(Bounds, double);
  ///@}

  ///@{
  /**
   * How far points may lie off one plane z = constant, as a share of the diagonal of their bounds. Default: 1e-6.
   */
  vtkSetMacro(PlaneTolerance, double);
  vtkGetMacro(PlaneTolerance, double);
  ///@}

protected:
  vtkSpanwisePolygonsToIntervals();
  ~vtkSpanwisePolygonsToIntervals() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Domain = INSIDE;
  bool UseBounds = false;
  double Bounds[4] = {0.0, 1.0, 0.0, 1.0};
  double PlaneTolerance = 1e-6;

private:
  vtkSpanwisePolygonsToIntervals(const vtkSpanwisePolygonsToIntervals&) = delete;
  void operator=(const vtkSpanwisePolygonsToIntervals&) = delete;
};

#endif
