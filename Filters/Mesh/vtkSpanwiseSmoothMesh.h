/**
 * @class   vtkSpanwiseSmoothMesh
 * @brief   moves the points of a mesh so that its cells are of better shape
 *
 * In each iteration every point goes, by the part Relaxation of the way, to the mean of the barycentres of the cells
 * around it, weighted by their length, area or volume. Steps that leave a cell with a lower quality (the mean ratio of
 * vtkSpanwiseElementQuality) than before, and than MinimumQuality or than the worst cell had at the start, are taken
 * back: so no cell gets worse than the worst was, and none is ever inverted that was not; with 1 none gets worse at
 * all. Points on the boundary of the mesh, on features of its surface, and those marked by input array 0 stay where
 * they are, and so do points without cells.
 *
 * Cells of any linear type, mixed. Vertices, and cells that vtkGhostType marks as duplicate or hidden, do not count.
 * The output has the input's cells and arrays, points of the same precision, and in its field data "Refused Steps",
 * "Longest Step" (of the last iteration), "Worst Quality Before" and "Worst Quality After". O(iterations * corners).
 *
 * In parallel ranks may have pieces of the mesh. Points of several ranks, which are known by their global ids or, where
 * there are none, by their coordinates, go where the cells of all of these send them, and no cell of any rank is
 * inverted. A face between two pieces is no boundary. Points of ghost cells go with the others. The result is that of
 * one rank but for round-off. Numbers in the field data are those of all ranks.
 */
#ifndef vtkSpanwiseSmoothMesh_h
#define vtkSpanwiseSmoothMesh_h

#include "spanwiseMeshModule.h"
#include "vtkSpanwiseMeshAlgorithm.h"

#include <cstdint>
#include <vector>

class SPANWISEMESH_EXPORT vtkSpanwiseSmoothMesh : public vtkSpanwiseMeshAlgorithm {
public:
  static vtkSpanwiseSmoothMesh* New();
  vtkTypeMacro(vtkSpanwiseSmoothMesh, vtkSpanwiseMeshAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * How often all points move. Default: 10.
   */
  vtkSetMacro(Iterations, int);
  vtkGetMacro(Iterations, int);
  ///@}

  ///@{
  /**
   * What part of its way a point goes in an iteration, above 0 and at most 1. Default: 1.
   */
  vtkSetMacro(Relaxation, double);
  vtkGetMacro(Relaxation, double);
  ///@}

  ///@{
  /**
   * A step that leaves a cell with a lower quality than this, and than before, is taken back. Within 0 and 1; less than
   * the worst cell has at the start is as that. Default: 0.
   */
  vtkSetMacro(MinimumQuality, double);
  vtkGetMacro(MinimumQuality, double);
  ///@}

  ///@{
  /**
   * Whether points on the boundary stay: those of faces of solid cells, or sides of flat ones, that only one cell has,
   * and ends of lines. Default: on.
   */
  vtkSetMacro(HoldBoundary, bool);
  vtkGetMacro(HoldBoundary, bool);
  vtkBooleanMacro(HoldBoundary, bool);
  ///@}

  ///@{
  /**
   * Whether points on features stay: where normals of flat cells that share a side, or directions of lines that meet,
   * differ by more than FeatureAngle degrees. Defaults: on, 30.
   */
  vtkSetMacro(HoldFeatures, bool);
  vtkGetMacro(HoldFeatures, bool);
  vtkBooleanMacro(HoldFeatures, bool);
  vtkSetMacro(FeatureAngle, double);
  vtkGetMacro(FeatureAngle, double);
  ///@}

  ///@{
  /**
   * Whether points where the point array chosen as input array 0 is not 0 stay. Default: off.
   */
  vtkSetMacro(HoldMarked, bool);
  vtkGetMacro(HoldMarked, bool);
  vtkBooleanMacro(HoldMarked, bool);
  ///@}

protected:
  vtkSpanwiseSmoothMesh() = default;
  ~vtkSpanwiseSmoothMesh() override = default;

  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* input,
    vtkDataObject* output) override;

  int Iterations = 10;
  double Relaxation = 1.0;
  double MinimumQuality = 0.0;
  bool HoldBoundary = true;
  bool HoldFeatures = true;
  double FeatureAngle = 30.0;
  bool HoldMarked = false;

private:
  vtkSpanwiseSmoothMesh(const vtkSpanwiseSmoothMesh&) = delete;
  void operator=(const vtkSpanwiseSmoothMesh&) = delete;

  /// What MakeOutput() gives as field data; nothing where there are no elements.
  std::vector<double> Smooth(const spanwise::RankGroup& group, vtkDataSet* input, vtkDataSet* output);
  std::vector<std::uint8_t> GetMarks(vtkDataSet* input);
};

#endif
