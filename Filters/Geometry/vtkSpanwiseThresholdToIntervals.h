/**
 * @class   vtkSpanwiseThresholdToIntervals
 * @brief   the cells whose value lies in a range, as a grid made of intervals
 *
 * Takes any data set that carries intervals or is made of axis-aligned equal cells, images too, and keeps the cells
 * whose value of a cell array is in a range, or is not. Unlike vtkThreshold it does not explode the grid: what comes
 * out is made of intervals again.
 *
 * Values are compared exactly, 64-bit integers too. NaN is neither in a range nor outside of it. O(cells), and O(cells
 * kept) for each array carried; a grid that carries no intervals is first rebuilt. In parallel ranks need nothing of
 * each other; the cells kept are then spread evenly.
 */
#ifndef vtkSpanwiseThresholdToIntervals_h
#define vtkSpanwiseThresholdToIntervals_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseRangeAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseThresholdToIntervals : public vtkSpanwiseRangeAlgorithm {
public:
  static vtkSpanwiseThresholdToIntervals* New();
  vtkTypeMacro(vtkSpanwiseThresholdToIntervals, vtkSpanwiseRangeAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Keep the cells whose value is not in the range instead. Default: off.
   */
  vtkSetMacro(Invert, bool);
  vtkGetMacro(Invert, bool);
  vtkBooleanMacro(Invert, bool);
  ///@}

protected:
  vtkSpanwiseThresholdToIntervals();
  ~vtkSpanwiseThresholdToIntervals() override = default;

  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  bool Invert = false;

private:
  vtkSpanwiseThresholdToIntervals(const vtkSpanwiseThresholdToIntervals&) = delete;
  void operator=(const vtkSpanwiseThresholdToIntervals&) = delete;
};

#endif
