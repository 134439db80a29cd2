/**
 * @class   vtkSpanwiseVertexBallReport
 * @brief   how well vertex balls fit a mesh, as a table
 *
 * The ball of a vertex is the elements that touch it. Spanwise keeps the first ones in a base table with the same
 * number of slots for every vertex, and the others in an overflow table: so a GPU reads them side by side. The table
 * has a line for each type of element that the mesh has, and a last one for all of them if there are several:
 *
 * - Type, Elements, Vertices (that such elements touch), Slots (a vertex has in the base table), Largest Degree (the
 *   most elements around a vertex);
 * - In Base Table and In Overflow Table: shares of the entries, in percent;
 * - Extra Memory: empty slots for each entry, in percent; of vertices that such elements touch;
 * - Mean Degree, and Memory: bytes of all tables.
 *
 * The input is an unstructured grid or polygonal data of linear cells (lines, triangles, quadrilaterals, tetrahedra,
 * pyramids, wedges, hexahedra, and pixels and voxels, which count as quadrilaterals and hexahedra). Vertices, and cells
 * marked duplicate or hidden, do not count. Its points and cells are read where they lie. O(corners of cells + slots).
 *
 * In parallel each rank has balls of its own piece, as computations on it have; the numbers are sums over the ranks,
 * largest degrees their maximum, and rank 0 has the table. A vertex between pieces counts in each.
 */
#ifndef vtkSpanwiseVertexBallReport_h
#define vtkSpanwiseVertexBallReport_h

#include "spanwiseMeshModule.h"
#include "vtkSpanwiseTableAlgorithm.h"

class SPANWISEMESH_EXPORT vtkSpanwiseVertexBallReport : public vtkSpanwiseTableAlgorithm {
public:
  static vtkSpanwiseVertexBallReport* New();
  vtkTypeMacro(vtkSpanwiseVertexBallReport, vtkSpanwiseTableAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * How many slots a vertex has in the base table, 1 to 1024; 0: what fits the type (16 for edges and wedges, 8 for
   * triangles and hexahedra, 4 for quadrilaterals, 32 for tetrahedra, pyramids and all together). Default: 0.
   */
  vtkSetMacro(Slots, int);
  vtkGetMacro(Slots, int);
  ///@}

protected:
  vtkSpanwiseVertexBallReport() = default;
  ~vtkSpanwiseVertexBallReport() override = default;

  void MakeOutput(const spanwise::RankGroup& group, vtkDataSet* input, vtkTable* output) override;

  int Slots = 0;

private:
  vtkSpanwiseVertexBallReport(const vtkSpanwiseVertexBallReport&) = delete;
  void operator=(const vtkSpanwiseVertexBallReport&) = delete;
};

#endif
