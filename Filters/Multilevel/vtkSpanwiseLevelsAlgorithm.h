/**
 * @class vtkSpanwiseLevelsAlgorithm
 * @brief superclass of filters that make hierarchies of levels, or something else of them
 *
 * A hierarchy is a vtkPartitionedDataSetCollection with a partitioned dataset for each level. Subclasses say what they
 * compute in MakeOutput(), and the type of their output in FillOutputPortInformation(); it is a hierarchy unless they
 * do. The input is any data object, whole: executives do not hand it over block by block. What is the same for all of
 * them stands here: the Kokkos runtime is started, an exception becomes one error message and an empty output, and the
 * ranks of the controller that were each asked for their own piece work on one output together.
 */
#ifndef vtkSpanwiseLevelsAlgorithm_h
#define vtkSpanwiseLevelsAlgorithm_h

#include "SpanwiseController.h"
#include "spanwiseMultilevelModule.h"
#include "vtkDataObjectAlgorithm.h"

namespace spanwise {
class RankGroup;
}

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseLevelsAlgorithm : public vtkDataObjectAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseLevelsAlgorithm, vtkDataObjectAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseLevelsAlgorithm() = default;
  ~vtkSpanwiseLevelsAlgorithm() override = default;

  /**
   * Fills `output`, which is empty. May throw any exception; in a group, only one that all ranks throw
   * (RankGroup::agree()).
   */
  virtual void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) = 0;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  SPANWISE_CONTROLLER();

private:
  vtkSpanwiseLevelsAlgorithm(const vtkSpanwiseLevelsAlgorithm&) = delete;
  void operator=(const vtkSpanwiseLevelsAlgorithm&) = delete;
};

#endif
