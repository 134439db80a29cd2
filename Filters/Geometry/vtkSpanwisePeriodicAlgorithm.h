/**
 * @class vtkSpanwisePeriodicAlgorithm
 * @brief superclass of filters that may take axes as periodic
 *
 * Along a periodic axis the first and the last cell of the period are neighbours: what leaves it on one side comes in
 * on the other. The period is the bounding box of the input's cells, or the cells whose centres lie in given bounds.
 */
#ifndef vtkSpanwisePeriodicAlgorithm_h
#define vtkSpanwisePeriodicAlgorithm_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseCarryingAlgorithm.h"

namespace spanwise {
struct PeriodChoice;
}

class SPANWISEGEOMETRY_EXPORT vtkSpanwisePeriodicAlgorithm : public vtkSpanwiseCarryingAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwisePeriodicAlgorithm, vtkSpanwiseCarryingAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Whether the axis is periodic. In 2D z does not matter. Default: off.
   */
  vtkSetMacro(PeriodicX, bool);
  vtkGetMacro(PeriodicX, bool);
  vtkBooleanMacro(PeriodicX, bool);
  vtkSetMacro(PeriodicY, bool);
  vtkGetMacro(PeriodicY, bool);
  vtkBooleanMacro(PeriodicY, bool);
  vtkSetMacro(PeriodicZ, bool);
  vtkGetMacro(PeriodicZ, bool);
  vtkBooleanMacro(PeriodicZ, bool);
  ///@}

  enum PeriodBoxes { BOX_OF_INPUT = 0, GIVEN_BOUNDS = 1 };

  ///@{
  /**
   * What one period is: the bounding box of the input's cells, or the cells in PeriodBounds. Default: BOX_OF_INPUT.
   */
  vtkSetMacro(PeriodBox, int);
  vtkGetMacro(PeriodBox, int);
  ///@}

  ///@{
  /**
   * GIVEN_BOUNDS: the least and greatest x, y and z of the centres of the period's cells (low <= c < high), in the
   * units of the points. Along periodic axes no cell of the input may lie outside.
   */
  vtkSetVector6Macro(PeriodBounds, double);
  vtkGetVector6Macro(PeriodBounds, double);
  ///@}

protected:
  vtkSpanwisePeriodicAlgorithm() = default;
  ~vtkSpanwisePeriodicAlgorithm() override = default;

  /**
   * What was chosen, for periodsOf().
   */
  spanwise::PeriodChoice GetPeriodChoice() const;

  bool PeriodicX = false;
  bool PeriodicY = false;
  bool PeriodicZ = false;
  int PeriodBox = BOX_OF_INPUT;
  double PeriodBounds[6] = {0.0, 1.0, 0.0, 1.0, 0.0, 1.0};

private:
  vtkSpanwisePeriodicAlgorithm(const vtkSpanwisePeriodicAlgorithm&) = delete;
  void operator=(const vtkSpanwisePeriodicAlgorithm&) = delete;
};

#endif
