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
 * any linear type, mixed (lines, triangles, quadrilaterals, tetrahedra, pyramids, wedges, hexahedra, and pixels and
 * voxels, which count as quadrilaterals and hexahedra); vertices, and cells that vtkGhostType marks as duplicate or
 * hidden, have NaN and are not counted. O(corners).
 *
 * If asked for, the field data also say how well vertex balls fit the mesh. The ball of a vertex is the elements that
 * touch it. Spanwise keeps the first ones in a base table with the same number of slots for every vertex, and the
 * others in an overflow table: so a GPU reads them side by side. These arrays have a value for each type of element
 * that the mesh has, and a last one for all of them if there are several:
 *
 * - "Type", "Elements", "Vertices" (that such elements touch), "Slots" (a vertex has in the base table: 16 for edges
 *   and wedges, 8 for triangles and hexahedra, 4 for quadrilaterals, 32 for tetrahedra, pyramids and all together),
 *   "Largest Degree" (the most elements around a vertex);
 * - "In Base Table" and "In Overflow Table": shares of the entries, in percent;
 * - "Extra Memory": empty slots for each entry, in percent; of vertices that such elements touch;
 * - "Mean Degree", and "Memory": bytes of all tables.
 *
 * That takes O(corners + vertices * slots) for each type more.
 *
 * In parallel each rank has the arrays of its own cells, and the numbers are those of all ranks; Worst Cell is counted
 * over the ranks' cells, one rank's after the other's. Each rank has vertex balls of its own piece, as computations on
 * it have: a vertex between pieces counts in each.
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

  ///@{
  /**
   * Whether the field data say how well vertex balls fit the mesh. Default: false.
   */
  vtkSetMacro(ComputeVertexBalls, bool);
  vtkGetMacro(ComputeVertexBalls, bool);
  vtkBooleanMacro(ComputeVertexBalls, bool);
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
  bool ComputeVertexBalls = false;

private:
  vtkSpanwiseElementQuality(const vtkSpanwiseElementQuality&) = delete;
  void operator=(const vtkSpanwiseElementQuality&) = delete;
};

#endif
