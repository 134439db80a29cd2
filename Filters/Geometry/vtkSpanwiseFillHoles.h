/**
 * @class   vtkSpanwiseFillHoles
 * @brief   a set of cells with its holes filled
 *
 * Holes are the cells around which there is no way out, a way being a chain of neighbours that are not in the set.
 * Which cells of a way are neighbours is chosen by Connectivity. Holes may be filled up to some size only. Cells have
 * the values that they had in the input, filled ones NaN or 0.
 *
 * Along a periodic axis the first and the last cell of the period are neighbours, and no way leads out: a hole is
 * bounded along all other axes. At least one axis must not be periodic.
 *
 * O(intervals + rows of the bounding box, or of the period). In parallel the planes beside cuts travel.
 */
#ifndef vtkSpanwiseFillHoles_h
#define vtkSpanwiseFillHoles_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwisePeriodicAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseFillHoles : public vtkSpanwisePeriodicAlgorithm {
public:
  static vtkSpanwiseFillHoles* New();
  vtkTypeMacro(vtkSpanwiseFillHoles, vtkSpanwisePeriodicAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Connectivities { FACES = 0, EDGES = 1, VERTICES = 2 };

  ///@{
  /**
   * Over what a way out may lead from cell to cell: faces, edges too, or vertices too. Default: FACES.
   */
  vtkSetMacro(Connectivity, int);
  vtkGetMacro(Connectivity, int);
  ///@}

  ///@{
  /**
   * Holes of more cells stay. 0, the default, fills all. Not negative.
   */
  vtkSetMacro(LargestHole, vtkIdType);
  vtkGetMacro(LargestHole, vtkIdType);
  ///@}

protected:
  vtkSpanwiseFillHoles() = default;
  ~vtkSpanwiseFillHoles() override = default;

  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Connectivity = FACES;
  vtkIdType LargestHole = 0;

private:
  vtkSpanwiseFillHoles(const vtkSpanwiseFillHoles&) = delete;
  void operator=(const vtkSpanwiseFillHoles&) = delete;
};

#endif
