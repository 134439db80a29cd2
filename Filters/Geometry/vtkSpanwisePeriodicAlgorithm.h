/**
 * @class vtkSpanwisePeriodicAlgorithm
 * @brief superclass of filters that carry arrays and may take axes as periodic
 *
 * What they do with a cell depends on the cells around it, so the levels of a hierarchy are refused.
 *
 * PeriodicX, PeriodicY, PeriodicZ, PeriodBox and PeriodBounds are explained in SpanwisePeriodicAxes.h.
 */
#ifndef vtkSpanwisePeriodicAlgorithm_h
#define vtkSpanwisePeriodicAlgorithm_h

#include "SpanwisePeriodicAxes.h" // for the properties
#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseCarryingAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwisePeriodicAlgorithm : public vtkSpanwiseCarryingAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwisePeriodicAlgorithm, vtkSpanwiseCarryingAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwisePeriodicAlgorithm() = default;
  ~vtkSpanwisePeriodicAlgorithm() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;

  SPANWISE_PERIODIC_AXES();

private:
  vtkSpanwisePeriodicAlgorithm(const vtkSpanwisePeriodicAlgorithm&) = delete;
  void operator=(const vtkSpanwisePeriodicAlgorithm&) = delete;
};

#endif
