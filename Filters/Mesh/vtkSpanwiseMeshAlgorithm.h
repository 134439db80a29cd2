/**
 * @class vtkSpanwiseMeshAlgorithm
 * @brief superclass of filters that take a mesh and pass it on with more arrays or other points
 *
 * Subclasses say what they compute in MakeOutput(). What is the same for all of them stands here: the Kokkos runtime is
 * started, an exception becomes one error message and an empty output, and the ranks of the controller that were each
 * asked for their own piece work on one output together. The output has the type of the input.
 */
#ifndef vtkSpanwiseMeshAlgorithm_h
#define vtkSpanwiseMeshAlgorithm_h

#include "SpanwiseController.h"
#include "spanwiseMeshModule.h"
#include "vtkDataSetAlgorithm.h"

namespace spanwise {
class RankGroup;
}

class SPANWISEMESH_EXPORT vtkSpanwiseMeshAlgorithm : public vtkDataSetAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseMeshAlgorithm, vtkDataSetAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseMeshAlgorithm() = default;
  ~vtkSpanwiseMeshAlgorithm() override = default;

  /**
   * Fills `output`, which is empty, from `input`, which may be null on some ranks. Both are data sets, unless a filter
   * says that it takes blocks too (FillInputPortInformation()); else one is made of each block. May throw any
   * exception; in a group, only one that all ranks throw (RankGroup::agree()).
   */
  virtual void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* input, vtkDataObject* output) = 0;

  /**
   * Whether the output depends on more than the cells that it has. One process that is asked for pieces then makes the
   * first of them of the whole input, and the others empty. Default: true.
   */
  virtual bool NeedsWholeMesh() const { return true; }

  /**
   * The array that SetInputArrayToProcess(index, ...) chose on points or cells of `input`, one tuple each. Throws
   * InvalidArgument where there is none, or it is shorter or longer; `what` says what it is for.
   */
  vtkDataArray* GetMeshArray(int index, const char* what, vtkDataSet* input, bool& onPoints);

  /// Adds a number to the field data of an output.
  static void AddFieldValue(vtkDataObject* output, const char* name, double value);

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  SPANWISE_CONTROLLER();

private:
  vtkSpanwiseMeshAlgorithm(const vtkSpanwiseMeshAlgorithm&) = delete;
  void operator=(const vtkSpanwiseMeshAlgorithm&) = delete;
};

#endif
