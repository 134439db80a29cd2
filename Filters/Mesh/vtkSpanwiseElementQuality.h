/**
 * @class   vtkSpanwiseElementQuality
 * @brief   shape and size of the cells of a mesh
 *
 * The output is the input with cell arrays of what is asked for:
 *
 * - "Quality": the mean ratio of each cell, at most 1: 1 for the ideal shape whatever its size (equilateral triangle,
 *   square, regular tetrahedron, cube, prism of an equilateral triangle and squares, pyramid of a square and
 * equilateral triangles), 0 or less where a corner is flat or turned inside out (P. M. Knupp, Finite Elem. Anal. Des.
 * 39 (2003) 217-241); of an edge 1;
 * - "Measure": its length, area or volume; volumes of cells that are turned inside out are negative;
 * - "Barycentre": the mean of its points.
 *
 * and with these numbers in its field data: "Worst Quality" and "Worst Cell" (the cell that has it), "Mean Quality",
 * "Cells Not Valid" (with a quality of 0 or less), "Total Measure" (of the cells of the highest dimension). Cells of
 * any linear type, mixed; vertices, and cells that vtkGhostType marks as duplicate or hidden, have NaN and are not
 * counted. O(corners).
 *
 * In parallel each rank has the arrays of its own cells, and the numbers are those of all ranks; Worst Cell is counted
 * over the ranks' cells, one rank's after the other's.
 */
#ifndef vtkSpanwiseElementQuality_h
#define vtkSpanwiseElementQuality_h

#include "spanwiseMeshModule.h"
#include "vtkSpanwiseMeshAlgorithm.h"

class SPANWISEMESH_EXPORT vtkSpanwiseElementQuality : public vtkSpanwiseMeshAlgorithm {
public:
  static vtkSpanwiseElementQuality* New();
  vtkTypeMacro(vtkSpanwiseElementQuality, vtkSpanwiseMeshAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Which arrays the cells get. Defaults: quality and measure, no barycentre.
   */
  vtkSetMacro(ComputeQuality, bool);
  vtkGetMacro(ComputeQuality, bool);
  vtkBooleanMacro(ComputeQuality, bool);
  vtkSetMacro(ComputeMeasure, bool);
  vtkGetMacro(ComputeMeasure, bool);
  vtkBooleanMacro(ComputeMeasure, bool);
  vtkSetMacro(ComputeBarycentre, bool);
  vtkGetMacro(ComputeBarycentre, bool);
  vtkBooleanMacro(ComputeBarycentre, bool);
  ///@}

protected:
  vtkSpanwiseElementQuality() = default;
  ~vtkSpanwiseElementQuality() override = default;

  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* input,
    vtkDataObject* output) override;
  bool NeedsWholeMesh() const override { return false; }

  bool ComputeQuality = true;
  bool ComputeMeasure = true;
  bool ComputeBarycentre = false;

private:
  vtkSpanwiseElementQuality(const vtkSpanwiseElementQuality&) = delete;
  void operator=(const vtkSpanwiseElementQuality&) = delete;
};

#endif
