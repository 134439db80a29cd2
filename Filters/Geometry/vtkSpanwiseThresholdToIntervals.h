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
#include "vtkDataArraySelection.h" // for vtkGetNewMacro
#include "vtkNew.h"                // for the member
#include "vtkSpanwiseGridAlgorithm.h"

#include <limits> // for the default of the range

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseThresholdToIntervals : public vtkSpanwiseGridAlgorithm {
public:
  static vtkSpanwiseThresholdToIntervals* New();
  vtkTypeMacro(vtkSpanwiseThresholdToIntervals, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The range of values that are kept, both ends included. Default: all numbers.
   */
  vtkSetMacro(LowerThreshold, double);
  vtkGetMacro(LowerThreshold, double);
  vtkSetMacro(UpperThreshold, double);
  vtkGetMacro(UpperThreshold, double);
  ///@}

  ///@{
  /**
   * The component that is compared, from 0. The number of components stands for the magnitude: the Euclidean length of
   * all of them, the absolute value of one. Default: 0.
   */
  vtkSetMacro(Component, int);
  vtkGetMacro(Component, int);
  ///@}

  ///@{
  /**
   * Keep the cells whose value is not in the range instead. Default: off.
   */
  vtkSetMacro(Invert, bool);
  vtkGetMacro(Invert, bool);
  vtkBooleanMacro(Invert, bool);
  ///@}

  ///@{
  /**
   * Carry all cell arrays, or only those that ArraySelection enables. Default: on.
   */
  vtkSetMacro(PassAllArrays, bool);
  vtkGetMacro(PassAllArrays, bool);
  vtkBooleanMacro(PassAllArrays, bool);
  vtkGetNewMacro(ArraySelection, vtkDataArraySelection);
  ///@}

protected:
  vtkSpanwiseThresholdToIntervals();
  ~vtkSpanwiseThresholdToIntervals() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::Team& team, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  double LowerThreshold = -std::numeric_limits<double>::infinity();
  double UpperThreshold = std::numeric_limits<double>::infinity();
  int Component = 0;
  bool Invert = false;
  bool PassAllArrays = true;
  vtkNew<vtkDataArraySelection> ArraySelection;

private:
  vtkSpanwiseThresholdToIntervals(const vtkSpanwiseThresholdToIntervals&) = delete;
  void operator=(const vtkSpanwiseThresholdToIntervals&) = delete;
};

#endif
