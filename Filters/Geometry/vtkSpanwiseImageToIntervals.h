/**
 * @class   vtkSpanwiseImageToIntervals
 * @brief   the cells of an image whose value lies in a range, as a grid made of intervals
 *
 * A cell array gives the cells of the image. A point array gives cells of the same size around the points: the point
 * image is taken as an image of cells half a spacing further down, so that every point has a cell. Images that are flat
 * along z give 2D grids in their plane. The image's extent becomes the coordinates of the cells.
 *
 * A cell is in the grid if LowerThreshold <= value <= UpperThreshold, compared exactly; NaN never is. Cells and points
 * that vtkGhostType marks as hidden or duplicate are left out. The values are read in place, without a copy, where a
 * component lies contiguous in memory. O(cells).
 *
 * In parallel each rank reads its own piece of the image, and the cells are then spread evenly.
 */
#ifndef vtkSpanwiseImageToIntervals_h
#define vtkSpanwiseImageToIntervals_h

#include "spanwiseGeometryModule.h"
#include "vtkDataArraySelection.h" // for vtkGetNewMacro
#include "vtkNew.h"                // for the member
#include "vtkSpanwiseGridAlgorithm.h"

#include <limits> // for the default of the range

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseImageToIntervals : public vtkSpanwiseGridAlgorithm {
public:
  static vtkSpanwiseImageToIntervals* New();
  vtkTypeMacro(vtkSpanwiseImageToIntervals, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The range of values that are in the set, both ends included. Default: all numbers.
   */
  vtkSetMacro(LowerThreshold, double);
  vtkGetMacro(LowerThreshold, double);
  vtkSetMacro(UpperThreshold, double);
  vtkGetMacro(UpperThreshold, double);
  ///@}

  ///@{
  /**
   * The component that is compared, from 0. The number of components stands for the magnitude: the Euclidean length of
   * all of them. Default: 0.
   */
  vtkSetMacro(Component, int);
  vtkGetMacro(Component, int);
  ///@}

  ///@{
  /**
   * Take all arrays of the image along (its cell arrays, or its point arrays where a point array is compared), or only
   * those that ArraySelection enables. Default: on.
   */
  vtkSetMacro(PassAllArrays, bool);
  vtkGetMacro(PassAllArrays, bool);
  vtkBooleanMacro(PassAllArrays, bool);
  vtkGetNewMacro(ArraySelection, vtkDataArraySelection);
  ///@}

protected:
  vtkSpanwiseImageToIntervals();
  ~vtkSpanwiseImageToIntervals() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::Team& team, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  double LowerThreshold = -std::numeric_limits<double>::infinity();
  double UpperThreshold = std::numeric_limits<double>::infinity();
  int Component = 0;
  bool PassAllArrays = true;
  vtkNew<vtkDataArraySelection> ArraySelection;

private:
  vtkSpanwiseImageToIntervals(const vtkSpanwiseImageToIntervals&) = delete;
  void operator=(const vtkSpanwiseImageToIntervals&) = delete;
};

#endif
