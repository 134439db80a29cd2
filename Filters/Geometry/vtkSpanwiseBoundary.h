/**
 * @class   vtkSpanwiseBoundary
 * @brief   the cells of a set along its boundary, or those around it
 *
 * INNER: the cells of the set with a neighbour that is not in it. OUTER: the cells that are not in the set, with a
 * neighbour that is. Which cells are neighbours is chosen by Connectivity; what is not in the set is outside on all
 * sides, but for axes that are periodic. Cells have the values that they had in the input, others NaN or 0.
 *
 * O(rows + intervals). In parallel each rank has a halo of one plane.
 */
#ifndef vtkSpanwiseBoundary_h
#define vtkSpanwiseBoundary_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwisePeriodicAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseBoundary : public vtkSpanwisePeriodicAlgorithm {
public:
  static vtkSpanwiseBoundary* New();
  vtkTypeMacro(vtkSpanwiseBoundary, vtkSpanwisePeriodicAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Sides { INNER = 0, OUTER = 1 };

  ///@{
  /**
   * The cells of the set, or those around it. Default: INNER.
   */
  vtkSetMacro(Side, int);
  vtkGetMacro(Side, int);
  ///@}

  enum Connectivities { FACES = 0, EDGES = 1, VERTICES = 2 };

  ///@{
  /**
   * Which cells are neighbours: those that share a face (4 in 2D, 6 in 3D), an edge (8, 18) or a vertex (8, 26).
   * Default: FACES.
   */
  vtkSetMacro(Connectivity, int);
  vtkGetMacro(Connectivity, int);
  ///@}

protected:
  vtkSpanwiseBoundary() = default;
  ~vtkSpanwiseBoundary() override = default;

  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Side = INNER;
  int Connectivity = FACES;

private:
  vtkSpanwiseBoundary(const vtkSpanwiseBoundary&) = delete;
  void operator=(const vtkSpanwiseBoundary&) = delete;
};

#endif
