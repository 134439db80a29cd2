/**
 * @class vtkSpanwiseGridAlgorithm
 * @brief superclass of filters and sources whose output is a grid made of intervals
 *
 * Subclasses say what they compute in MakeOutput(). What is the same for all of them stands here: the Kokkos runtime is
 * started, an exception becomes one error message and an empty output, and the ranks of the controller that were each
 * asked for their own piece work on one output together.
 */
#ifndef vtkSpanwiseGridAlgorithm_h
#define vtkSpanwiseGridAlgorithm_h

#include "SpanwiseController.h"
#include "spanwiseParallelModule.h"
#include "vtkUnstructuredGridAlgorithm.h"

namespace spanwise {
class RankGroup;
}

class SPANWISEPARALLEL_EXPORT vtkSpanwiseGridAlgorithm : public vtkUnstructuredGridAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseGridAlgorithm, vtkUnstructuredGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseGridAlgorithm() = default;
  ~vtkSpanwiseGridAlgorithm() override = default;

  /**
   * Fills `output`, which is empty. May throw any exception; in a group, only one that all ranks throw
   * (RankGroup::agree()).
   */
  virtual void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) = 0;

  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  SPANWISE_CONTROLLER();

private:
  vtkSpanwiseGridAlgorithm(const vtkSpanwiseGridAlgorithm&) = delete;
  void operator=(const vtkSpanwiseGridAlgorithm&) = delete;
};

#endif
