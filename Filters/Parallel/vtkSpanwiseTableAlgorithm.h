/**
 * @class vtkSpanwiseTableAlgorithm
 * @brief superclass of filters that make a table of a data set
 *
 * Subclasses say what they compute in MakeOutput(). What is the same for all of them stands here: the Kokkos runtime is
 * started, an exception becomes one error message and an empty output, the ranks of the controller that were each asked
 * for their own piece work on one output together, and the input's field data is passed on.
 */
#ifndef vtkSpanwiseTableAlgorithm_h
#define vtkSpanwiseTableAlgorithm_h

#include "SpanwiseController.h"
#include "spanwiseParallelModule.h"
#include "vtkTableAlgorithm.h"

class vtkDataSet;

namespace spanwise {
class RankGroup;
}

class SPANWISEPARALLEL_EXPORT vtkSpanwiseTableAlgorithm : public vtkTableAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseTableAlgorithm, vtkTableAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseTableAlgorithm() = default;
  ~vtkSpanwiseTableAlgorithm() override = default;

  /**
   * Fills `output`, which is empty, from `input`, which may be null on some ranks. May throw any exception; in a group,
   * only one that all ranks throw (RankGroup::agree()).
   */
  virtual void MakeOutput(const spanwise::RankGroup& group, vtkDataSet* input, vtkTable* output) = 0;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  SPANWISE_CONTROLLER();

private:
  vtkSpanwiseTableAlgorithm(const vtkSpanwiseTableAlgorithm&) = delete;
  void operator=(const vtkSpanwiseTableAlgorithm&) = delete;
};

#endif
