/**
 * @class   vtkSpanwiseGridToIntervals
 * @brief   any grid of axis-aligned equal cells as a grid made of intervals
 *
 * The input may be a data set of pixels or quads in a plane of constant z, or of voxels or hexahedra, in any order:
 * what Threshold or Clip leave of a grid of intervals, for example. An image gives all of its cells. Cells that
 * vtkGhostType marks as duplicate, hidden or refined are left out. A grid that carries intervals already is passed on
 * as it is, without a copy.
 *
 * Cell arrays follow their cells; point arrays are passed only where the grid is. A cell that is not axis-aligned, or
 * differs in size or position from the lattice of the others by more than a thousandth, is an error that names it.
 *
 * O(cells log cells), O(cells) if the cells are in order. In parallel every rank rebuilds its own cells on a common
 * lattice, and the cells are then spread evenly.
 */
#ifndef vtkSpanwiseGridToIntervals_h
#define vtkSpanwiseGridToIntervals_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseGridAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseGridToIntervals : public vtkSpanwiseGridAlgorithm {
public:
  static vtkSpanwiseGridToIntervals* New();
  vtkTypeMacro(vtkSpanwiseGridToIntervals, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseGridToIntervals() = default;
  ~vtkSpanwiseGridToIntervals() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

private:
  vtkSpanwiseGridToIntervals(const vtkSpanwiseGridToIntervals&) = delete;
  void operator=(const vtkSpanwiseGridToIntervals&) = delete;
};

#endif
