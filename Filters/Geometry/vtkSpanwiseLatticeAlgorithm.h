/**
 * @class vtkSpanwiseLatticeAlgorithm
 * @brief superclass of sources and filters that lay a new lattice of cells
 *
 * The size of the cells is either given, or comes from the bounds of what is to be covered: Resolution cells along
 * their longest side, with the lattice's origin at their lower corner. A given lattice stays the same for all steps of
 * a time series and for several filters, so that their results can be combined.
 *
 * At level l the cells are 2^l times smaller than those of the root level, which Resolution and Spacing speak of.
 */
#ifndef vtkSpanwiseLatticeAlgorithm_h
#define vtkSpanwiseLatticeAlgorithm_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseGridAlgorithm.h"

namespace spanwise {
struct GridPlacement;
}

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseLatticeAlgorithm : public vtkSpanwiseGridAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseLatticeAlgorithm, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Where no spacing is given: the number of cells of the root level along the longest side of the bounds, at least 1.
   * Cells are cubes.
   */
  vtkSetMacro(Resolution, int);
  vtkGetMacro(Resolution, int);
  ///@}

  ///@{
  /**
   * The size of the cells of the root level along x, y and z, in the units of the points: positive, or 0 along all axes
   * for what Resolution makes of the bounds. Default: 0.
   */
  vtkSetVector3Macro(Spacing, double);
  vtkGetVector3Macro(Spacing, double);
  ///@}

  ///@{
  /**
   * With a spacing: the lower corner of the cell (0, 0, 0). Default: 0.
   */
  vtkSetVector3Macro(Origin, double);
  vtkGetVector3Macro(Origin, double);
  ///@}

  ///@{
  /**
   * The level of the cells, from 0 (the root level) to 30. Default: 0.
   */
  vtkSetMacro(Level, int);
  vtkGetMacro(Level, int);
  ///@}

protected:
  vtkSpanwiseLatticeAlgorithm() = default;
  ~vtkSpanwiseLatticeAlgorithm() override = default;

  /**
   * The lattice for what lies in `bounds`, of which the first `dimension` axes count. Throws spanwise::InvalidArgument.
   */
  spanwise::GridPlacement MakePlacement(const double bounds[6], int dimension) const;

  int Resolution = 256;
  double Spacing[3] = {0.0, 0.0, 0.0};
  double Origin[3] = {0.0, 0.0, 0.0};
  int Level = 0;

private:
  double SpacingFor(double longest) const;

  vtkSpanwiseLatticeAlgorithm(const vtkSpanwiseLatticeAlgorithm&) = delete;
  void operator=(const vtkSpanwiseLatticeAlgorithm&) = delete;
};

#endif
