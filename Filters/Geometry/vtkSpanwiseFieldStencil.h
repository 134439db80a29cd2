/**
 * @class   vtkSpanwiseFieldStencil
 * @brief   Laplacian, Jacobi smoothing, gradient, divergence or box filter of a cell array
 *
 * Takes any data set that carries intervals or is made of axis-aligned equal cells, and adds an array to its cells.
 * Along axis a, h_a is the size of cells in the units of the points, and f- and f+ are the values of the neighbours:
 *
 * - LAPLACIAN: the sum over a of (f- - 2 f + f+) / h_a^2, of each component;
 * - JACOBI_SMOOTHING: each component moves by Relaxation of the way to the mean of its face neighbours, weighed by
 *   1 / h_a^2;
 * - GRADIENT of an array of one component: (f+ - f-) / (2 h_a), three components (0 along z in 2D);
 * - DIVERGENCE of an array of 2 (in 2D) or 3 components: the sum over a of (f_a+ - f_a-) / (2 h_a);
 * - BOX_FILTER: the mean of the cell and its 8 (2D) or 26 (3D) neighbours, of each component.
 *
 * Arrays of float are computed in float, all others in double. O(cells times Iterations). In parallel every rank has a
 * halo of one plane, which is exchanged after each iteration; the values are those of one rank, bit for bit.
 */
#ifndef vtkSpanwiseFieldStencil_h
#define vtkSpanwiseFieldStencil_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseGridAlgorithm.h"

#include <string> // for the member

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseFieldStencil : public vtkSpanwiseGridAlgorithm {
public:
  static vtkSpanwiseFieldStencil* New();
  vtkTypeMacro(vtkSpanwiseFieldStencil, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Stencils { LAPLACIAN = 0, JACOBI_SMOOTHING = 1, GRADIENT = 2, DIVERGENCE = 3, BOX_FILTER = 4 };

  ///@{
  /**
   * What is computed. Default: LAPLACIAN.
   */
  vtkSetMacro(Stencil, int);
  vtkGetMacro(Stencil, int);
  ///@}

  ///@{
  /**
   * How often LAPLACIAN, JACOBI_SMOOTHING and BOX_FILTER are applied, one after the other, 1 to 1,000,000. Default: 1.
   */
  vtkSetMacro(Iterations, int);
  vtkGetMacro(Iterations, int);
  ///@}

  ///@{
  /**
   * JACOBI_SMOOTHING: how far a value moves to the mean of its neighbours, greater than 0 and at most 1. Default: 0.8.
   */
  vtkSetMacro(Relaxation, double);
  vtkGetMacro(Relaxation, double);
  ///@}

  enum BoundaryPolicies { VALUE = 0, MIRROR = 1, SKIP = 2, PERIODIC = 3 };

  ///@{
  /**
   * What stands for a neighbour that is not in the grid:
   *
   * - VALUE: BoundaryValue;
   * - MIRROR: what a mirror at the grid's boundary shows, the cell itself for face neighbours;
   * - SKIP: nothing. A cell that lacks a neighbour keeps its value when it is smoothed or filtered, and has NaN as
   *   Laplacian, gradient and divergence;
   * - PERIODIC: the cell on the other side of the grid's bounding box; where there is none, as MIRROR.
   *
   * Default: MIRROR.
   */
  vtkSetMacro(BoundaryPolicy, int);
  vtkGetMacro(BoundaryPolicy, int);
  ///@}

  ///@{
  /**
   * VALUE: the value outside of the grid, of all components. Default: 0.
   */
  vtkSetMacro(BoundaryValue, double);
  vtkGetMacro(BoundaryValue, double);
  ///@}

  ///@{
  /**
   * The name of the array that is added. By default, and if it is empty, the name of the array with what was computed
   * behind it, as "pressure Laplacian".
   */
  vtkSetStdStringFromCharMacro(ResultArrayName);
  vtkGetCharFromStdStringMacro(ResultArrayName);
  ///@}

protected:
  vtkSpanwiseFieldStencil();
  ~vtkSpanwiseFieldStencil() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Stencil = LAPLACIAN;
  int Iterations = 1;
  double Relaxation = 0.8;
  int BoundaryPolicy = MIRROR;
  double BoundaryValue = 0.0;
  std::string ResultArrayName;

private:
  vtkSpanwiseFieldStencil(const vtkSpanwiseFieldStencil&) = delete;
  void operator=(const vtkSpanwiseFieldStencil&) = delete;
};

#endif
