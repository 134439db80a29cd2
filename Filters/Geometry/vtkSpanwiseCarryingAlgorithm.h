/**
 * @class vtkSpanwiseCarryingAlgorithm
 * @brief superclass of filters that make sets of cells and take chosen arrays along
 *
 * Inputs may be any data sets that carry intervals or are made of axis-aligned equal cells. A cell of the result has
 * the values that it had in the input; where it was not there, NaN in a floating-point array and 0 in any other. Point
 * arrays are not carried: the result has other points.
 */
#ifndef vtkSpanwiseCarryingAlgorithm_h
#define vtkSpanwiseCarryingAlgorithm_h

#include "spanwiseGeometryModule.h"
#include "vtkDataArraySelection.h" // for vtkGetNewMacro
#include "vtkNew.h"                // for the member
#include "vtkSpanwiseGridAlgorithm.h"

class vtkDataSet;

namespace spanwise {
struct CarriedArrays;
struct InputCells;
} // namespace spanwise

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseCarryingAlgorithm : public vtkSpanwiseGridAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseCarryingAlgorithm, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Carry all cell arrays, or only those that ArraySelection enables. Default: on.
   */
  vtkSetMacro(PassAllArrays, bool);
  vtkGetMacro(PassAllArrays, bool);
  vtkBooleanMacro(PassAllArrays, bool);
  vtkGetNewMacro(ArraySelection, vtkDataArraySelection);
  ///@}

protected:
  vtkSpanwiseCarryingAlgorithm();
  ~vtkSpanwiseCarryingAlgorithm() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;

  /**
   * What was chosen.
   */
  spanwise::CarriedArrays GetCarriedArrays() const;

  /**
   * Collective. The cells of an input and the values that are carried.
   */
  spanwise::InputCells ReadInput(const spanwise::RankGroup& group, vtkDataSet* input);

  bool PassAllArrays = true;
  vtkNew<vtkDataArraySelection> ArraySelection;

private:
  vtkSpanwiseCarryingAlgorithm(const vtkSpanwiseCarryingAlgorithm&) = delete;
  void operator=(const vtkSpanwiseCarryingAlgorithm&) = delete;
};

#endif
