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
 * The arrays that are carried are the cell arrays of the image, or its point arrays where a point array is compared.
 *
 * In parallel each rank reads its own piece of the image, and the cells are then spread evenly.
 */
#ifndef vtkSpanwiseImageToIntervals_h
#define vtkSpanwiseImageToIntervals_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseRangeAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseImageToIntervals : public vtkSpanwiseRangeAlgorithm {
public:
  static vtkSpanwiseImageToIntervals* New();
  vtkTypeMacro(vtkSpanwiseImageToIntervals, vtkSpanwiseRangeAlgorithm);

protected:
  vtkSpanwiseImageToIntervals();
  ~vtkSpanwiseImageToIntervals() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

private:
  vtkSpanwiseImageToIntervals(const vtkSpanwiseImageToIntervals&) = delete;
  void operator=(const vtkSpanwiseImageToIntervals&) = delete;
};

#endif
