/**
 * @class   vtkSpanwiseCoarsenIntervals
 * @brief   a grid of intervals on a coarser level
 *
 * The cells of the input, any number of levels coarser: a cell of the output has twice the size for each level. The
 * lattice keeps its origin, so the cell c becomes part of the cell floor(c / 2) along each axis.
 *
 * Cells: OUTSIDE keeps every coarse cell in which the input has cells, INSIDE those that it fills.
 *
 * Cell arrays follow. What a coarse cell gets of the cells in it is chosen for arrays of floating-point numbers
 * (RealValues, the volume average by default) and for those of whole numbers (WholeValues, the most frequent value by
 * default). Means, sums, least and greatest values are those of all cells of the input in a coarse cell, as far as
 * there are any. First and most frequent values are taken level by level. Arrays that hold no numbers get the first
 * value. Point arrays are not carried: the result has other points.
 *
 * O(levels (rows log rows + cells)). In parallel the cut is moved to planes of the coarse level; nothing else is asked
 * of other ranks.
 */
#ifndef vtkSpanwiseCoarsenIntervals_h
#define vtkSpanwiseCoarsenIntervals_h

#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseGridAlgorithm.h"

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseCoarsenIntervals : public vtkSpanwiseGridAlgorithm {
public:
  static vtkSpanwiseCoarsenIntervals* New();
  vtkTypeMacro(vtkSpanwiseCoarsenIntervals, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * How many levels coarser, in [1, 30]. Default: 1.
   */
  vtkSetMacro(Levels, int);
  vtkGetMacro(Levels, int);
  ///@}

  enum CoarseCells { OUTSIDE = 0, INSIDE = 1 };

  ///@{
  /**
   * Which coarse cells there are. Default: OUTSIDE.
   */
  vtkSetMacro(Cells, int);
  vtkGetMacro(Cells, int);
  ///@}

  enum CoarseValues { MEAN = 0, SUM = 1, MINIMUM = 2, MAXIMUM = 3, FIRST = 4, MOST_FREQUENT = 5 };

  ///@{
  /**
   * What a coarse cell gets of floating-point numbers (default: MEAN), and of whole ones (default: MOST_FREQUENT). The
   * mean of whole numbers is rounded to the nearest, and their sum stays within their type.
   */
  vtkSetMacro(RealValues, int);
  vtkGetMacro(RealValues, int);
  vtkSetMacro(WholeValues, int);
  vtkGetMacro(WholeValues, int);
  ///@}

protected:
  vtkSpanwiseCoarsenIntervals() = default;
  ~vtkSpanwiseCoarsenIntervals() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Levels = 1;
  int Cells = OUTSIDE;
  int RealValues = MEAN;
  int WholeValues = MOST_FREQUENT;

private:
  vtkSpanwiseCoarsenIntervals(const vtkSpanwiseCoarsenIntervals&) = delete;
  void operator=(const vtkSpanwiseCoarsenIntervals&) = delete;
};

#endif
