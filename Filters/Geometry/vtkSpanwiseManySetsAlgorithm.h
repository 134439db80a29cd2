/**
 * @class vtkSpanwiseManySetsAlgorithm
 * @brief superclass of filters that make one set of any number of sets
 *
 * The input port takes any number of data sets that carry intervals or are made of axis-aligned equal cells. The output
 * has the time steps of all of them.
 */
#ifndef vtkSpanwiseManySetsAlgorithm_h
#define vtkSpanwiseManySetsAlgorithm_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseCarryingAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseManySetsAlgorithm : public vtkSpanwiseCarryingAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseManySetsAlgorithm, vtkSpanwiseCarryingAlgorithm);

protected:
  vtkSpanwiseManySetsAlgorithm() = default;
  ~vtkSpanwiseManySetsAlgorithm() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkSpanwiseManySetsAlgorithm(const vtkSpanwiseManySetsAlgorithm&) = delete;
  void operator=(const vtkSpanwiseManySetsAlgorithm&) = delete;
};

#endif
