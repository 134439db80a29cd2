/**
 * @class   vtkSpanwiseRefineIntervals
 * @brief   a grid of intervals, or a hierarchy of levels, on a finer level
 *
 * The cells of the input, any number of levels finer: every cell becomes 2 (along each axis) for each level. The
 * lattice keeps its origin, so the cell c becomes the cells 2 c and 2 c + 1.
 *
 * The input is a data set that carries intervals or is made of axis-aligned equal cells, and the output a grid of
 * intervals; or a hierarchy of levels, and the output the hierarchy whose leaves are those of the input, refined.
 *
 * Cell arrays follow. Prolongation says how values of floating-point numbers become those of finer cells; all methods
 * keep the integral. Neighbours are cells of the same level in the input; where there is none, slopes are one-sided or
 * 0. Whole numbers, and what is no number, are those of the cell that was refined. Point arrays are not carried: the
 * result has other points.
 *
 * O(cells of the output). In parallel the planes of other ranks beside a rank's own are fetched where slopes need them,
 * two of the input's for any number of levels.
 */
#ifndef vtkSpanwiseRefineIntervals_h
#define vtkSpanwiseRefineIntervals_h

#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseRefineIntervals : public vtkSpanwiseLevelsAlgorithm {
public:
  static vtkSpanwiseRefineIntervals* New();
  vtkTypeMacro(vtkSpanwiseRefineIntervals, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * How many levels finer, in [1, 30]. Default: 1.
   */
  vtkSetMacro(Levels, int);
  vtkGetMacro(Levels, int);
  ///@}

  enum Prolongations { INJECTION = 0, LINEAR = 1, MINMOD = 2, MONOTONIZED_CENTRAL = 3, THIRD_ORDER = 4 };

  ///@{
  /**
   * How values become those of finer cells. INJECTION: as they are. LINEAR: with central slopes, exact for linear
   * functions. MINMOD, MONOTONIZED_CENTRAL: with limited slopes, which make no new extrema. THIRD_ORDER: exact for the
   * averages of quadratic functions. Default: INJECTION.
   */
  vtkSetMacro(Prolongation, int);
  vtkGetMacro(Prolongation, int);
  ///@}

protected:
  vtkSpanwiseRefineIntervals() = default;
  ~vtkSpanwiseRefineIntervals() override = default;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

  int Levels = 1;
  int Prolongation = INJECTION;

private:
  vtkSpanwiseRefineIntervals(const vtkSpanwiseRefineIntervals&) = delete;
  void operator=(const vtkSpanwiseRefineIntervals&) = delete;
};

#endif
