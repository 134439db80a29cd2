/**
 * @class   vtkSpanwisePartitionMesh
 * @brief   deals the cells of a mesh out to parts, or to ranks, so that few faces lie between them
 *
 * METIS cuts the graph of cells across their faces (G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998) 359-392);
 * where there are fewer than 8 cells for each part, or Spanwise was built without METIS, barycentres are cut in two
 * across their longest extent, again and again.
 *
 * The output has the cell array "Part": the part of each cell, from 0 on. On one process it is the input otherwise,
 * which is cut into NumberOfParts; Part is -1 where a cell does not count. On several ranks, each with a piece of the
 * mesh or some with none, the cells go to the ranks: part r is what rank r has in the output, with points and arrays.
 * Points between parts are on each of their ranks; cells that do not count, points without cells, and vtkGhostType do
 * not go along.
 *
 * The field data of the output say "Parts", "Largest Part" (its cells), "Imbalance" (that by the mean of all parts),
 * "Cut Faces" (faces of solid cells, sides of flat ones and ends of lines that cells of several parts have) and "Points
 * In Several Parts", on all ranks the same.
 *
 * The input is an unstructured grid of linear cells, mixed. Vertices, and cells that vtkGhostType marks as duplicate or
 * hidden, do not count. Points of several ranks are one if they have the same global id, or where not all ranks have
 * ids the same coordinates. METIS takes a mesh as a whole: rank 0 gathers 8 bytes for each corner of all cells and 32
 * for each point of each piece. O(corners log parts) there, O(corners) elsewhere.
 */
#ifndef vtkSpanwisePartitionMesh_h
#define vtkSpanwisePartitionMesh_h

#include "spanwiseMeshModule.h"
#include "vtkSpanwiseMeshAlgorithm.h"

class SPANWISEMESH_EXPORT vtkSpanwisePartitionMesh : public vtkSpanwiseMeshAlgorithm {
public:
  static vtkSpanwisePartitionMesh* New();
  vtkTypeMacro(vtkSpanwisePartitionMesh, vtkSpanwiseMeshAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * How many parts one process makes, at least 1; on several ranks there are as many parts as ranks. Default: 4.
   */
  vtkSetMacro(NumberOfParts, int);
  vtkGetMacro(NumberOfParts, int);
  ///@}

protected:
  vtkSpanwisePartitionMesh() = default;
  ~vtkSpanwisePartitionMesh() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* input,
    vtkDataObject* output) override;

  int NumberOfParts = 4;

private:
  vtkSpanwisePartitionMesh(const vtkSpanwisePartitionMesh&) = delete;
  void operator=(const vtkSpanwisePartitionMesh&) = delete;
};

#endif
