/**
 * @class   vtkSpanwiseRemapField
 * @brief   values of one grid on the cells of another
 *
 * The cells are those of the first input. Its cells that the second input, the source, has too get the source's values;
 * its other cells get a default value, or keep the value that the first input has in an array of the same name. Both
 * inputs may be any data sets that carry intervals or are made of axis-aligned equal cells; their lattices may be
 * shifted by whole cells. Spacings that differ are an error.
 *
 * The output has the first input's arrays, and those of the source that PassAllArrays and ArraySelection choose; one
 * of the same name replaces the first input's. O(rows + intervals of both + values). In parallel inputs that are cut
 * differently are first brought to one cut.
 */
#ifndef vtkSpanwiseRemapField_h
#define vtkSpanwiseRemapField_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseCarryingAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseRemapField : public vtkSpanwiseCarryingAlgorithm {
public:
  static vtkSpanwiseRemapField* New();
  vtkTypeMacro(vtkSpanwiseRemapField, vtkSpanwiseCarryingAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * The data set whose values are taken.
   */
  void SetSourceConnection(vtkAlgorithmOutput* output) { this->SetInputConnection(1, output); }
  void SetSourceData(vtkDataObject* data) { this->SetInputData(1, data); }

  ///@{
  /**
   * The value of cells that the source does not have. Rounded and limited to the range of an array of whole numbers;
   * NaN is 0 there. Default: 0.
   */
  vtkSetMacro(DefaultValue, double);
  vtkGetMacro(DefaultValue, double);
  ///@}

  ///@{
  /**
   * Keep the first input's value in cells that the source does not have, where the first input has an array of the
   * same name, type and number of components. Default: off.
   */
  vtkSetMacro(KeepValues, bool);
  vtkGetMacro(KeepValues, bool);
  vtkBooleanMacro(KeepValues, bool);
  ///@}

protected:
  vtkSpanwiseRemapField();
  ~vtkSpanwiseRemapField() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  double DefaultValue = 0.0;
  bool KeepValues = false;

private:
  vtkSpanwiseRemapField(const vtkSpanwiseRemapField&) = delete;
  void operator=(const vtkSpanwiseRemapField&) = delete;
};

#endif
