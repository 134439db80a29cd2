/**
 * @class   vtkSpanwiseMorphology
 * @brief   dilates, erodes, opens or closes a set of cells, or takes its gradient
 *
 * With A the set and B the structuring element:
 *
 * - DILATE: the Minkowski sum, all cells of B + a for the cells a of A;
 * - ERODE: the cells c for which B + c lies in A;
 * - OPEN: eroded, then dilated; CLOSE: dilated, then eroded;
 * - OUTER_GRADIENT: dilated, without A; INNER_GRADIENT: A without what erosion leaves.
 *
 * What is not in the set is outside on all sides, but for axes that are periodic. The element is a box, a diamond, a
 * ball, what so many steps between neighbours reach, or the cells of the second input.
 *
 * O(rows + intervals) for boxes, whatever their radii; see spanwise::morph(). In parallel each rank has a halo of as
 * many planes as the element reaches along the slowest axis, twice as many to open and to close.
 */
#ifndef vtkSpanwiseMorphology_h
#define vtkSpanwiseMorphology_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwisePeriodicAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseMorphology : public vtkSpanwisePeriodicAlgorithm {
public:
  static vtkSpanwiseMorphology* New();
  vtkTypeMacro(vtkSpanwiseMorphology, vtkSpanwisePeriodicAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Operations { DILATE = 0, ERODE = 1, OPEN = 2, CLOSE = 3, OUTER_GRADIENT = 4, INNER_GRADIENT = 5 };

  ///@{
  /**
   * What is computed. Default: DILATE.
   */
  vtkSetMacro(Operation, int);
  vtkGetMacro(Operation, int);
  ///@}

  enum Elements { BOX = 0, DIAMOND = 1, BALL = 2, FACES = 3, EDGES = 4, VERTICES = 5, CELLS = 6 };

  ///@{
  /**
   * The structuring element. BOX: the cells with |x| <= Radii[0] and so on. DIAMOND: |x| + |y| + |z| <= Radius. BALL:
   * x^2 + y^2 + z^2 <= Radius^2. FACES, EDGES, VERTICES: all cells that Iterations steps between neighbours reach.
   * CELLS: the cells of the second input. Default: BOX.
   */
  vtkSetMacro(Element, int);
  vtkGetMacro(Element, int);
  ///@}

  enum RadiusUnits { IN_CELLS = 0, IN_LENGTH = 1 };

  ///@{
  /**
   * Whether Radii and Radius are counted in cells or measured in the units of the points. Measured, a diamond or ball
   * is one of lengths, whatever the sides of the cells; a cell belongs to the element if its centre lies no further
   * than the radius (within a millionth of a cell) from the centre of the origin's cell. Default: IN_CELLS.
   */
  vtkSetMacro(RadiusUnit, int);
  vtkGetMacro(RadiusUnit, int);
  ///@}

  ///@{
  /**
   * BOX: the radii along x, y and z; what is not whole is rounded down to whole cells. Not negative. Default: 1.
   */
  vtkSetVector3Macro(Radii, double);
  vtkGetVector3Macro(Radii, double);
  ///@}

  ///@{
  /**
   * DIAMOND and BALL: the radius. Not negative, at most 30,000 cells, and 1,000 for a ball in 3D. Default: 1.
   */
  vtkSetMacro(Radius, double);
  vtkGetMacro(Radius, double);
  ///@}

  ///@{
  /**
   * FACES, EDGES and VERTICES: the number of steps. Not negative. Default: 1.
   */
  vtkSetMacro(Iterations, int);
  vtkGetMacro(Iterations, int);
  ///@}

  ///@{
  /**
   * CELLS: a point of the cell that is the element's origin. Default: 0.
   */
  vtkSetVector3Macro(ElementOrigin, double);
  vtkGetVector3Macro(ElementOrigin, double);
  ///@}

protected:
  vtkSpanwiseMorphology();
  ~vtkSpanwiseMorphology() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Operation = DILATE;
  int Element = BOX;
  int RadiusUnit = IN_CELLS;
  double Radii[3] = {1.0, 1.0, 1.0};
  double Radius = 1.0;
  int Iterations = 1;
  double ElementOrigin[3] = {0.0, 0.0, 0.0};

private:
  vtkSpanwiseMorphology(const vtkSpanwiseMorphology&) = delete;
  void operator=(const vtkSpanwiseMorphology&) = delete;
};

#endif
