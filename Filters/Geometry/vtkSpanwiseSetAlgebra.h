/**
 * @class   vtkSpanwiseSetAlgebra
 * @brief   union, intersection, difference, symmetric difference or complement of sets of cells
 *
 * The input port takes any number of data sets that carry intervals or are made of axis-aligned equal cells. Their
 * lattices may be shifted by whole cells; the result lies on that of the first input with cells. Spacings that differ
 * are an error.
 *
 * - UNION: cells that are in one of the inputs;
 * - INTERSECTION: cells that are in all of them;
 * - DIFFERENCE: cells of the first input that are in no other;
 * - SYMMETRIC_DIFFERENCE: cells that are in an odd number of the inputs;
 * - COMPLEMENT: cells of a box that are in no input (see ComplementBox).
 *
 * Cell arrays are carried along: a cell has the value of the first input that has both the cell and the array. Where
 * none has, a floating-point array has NaN, any other 0. The difference has the arrays of the first input, the
 * complement none.
 *
 * O(log(number of inputs) times the rows and intervals), and O(cells) for each array carried. In parallel inputs that
 * are cut differently are first brought to one cut.
 */
#ifndef vtkSpanwiseSetAlgebra_h
#define vtkSpanwiseSetAlgebra_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseManySetsAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseSetAlgebra : public vtkSpanwiseManySetsAlgorithm {
public:
  static vtkSpanwiseSetAlgebra* New();
  vtkTypeMacro(vtkSpanwiseSetAlgebra, vtkSpanwiseManySetsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Operations { UNION = 0, INTERSECTION = 1, DIFFERENCE = 2, SYMMETRIC_DIFFERENCE = 3, COMPLEMENT = 4 };

  ///@{
  /**
   * What is computed. Default: UNION.
   */
  vtkSetMacro(Operation, int);
  vtkGetMacro(Operation, int);
  ///@}

  enum ComplementBoxes { BOX_OF_FIRST_INPUT = 0, BOX_OF_ALL_INPUTS = 1, GIVEN_BOUNDS = 2 };

  ///@{
  /**
   * COMPLEMENT: within which box. The bounding box of the first input, of all inputs, or the cells whose centres lie
   * in ComplementBounds. Default: BOX_OF_FIRST_INPUT.
   */
  vtkSetMacro(ComplementBox, int);
  vtkGetMacro(ComplementBox, int);
  ///@}

  ///@{
  /**
   * GIVEN_BOUNDS: the least and greatest x, y and z of the cells' centres (low <= c < high), in the units of the
   * points.
   */
  vtkSetVector6Macro(ComplementBounds, double);
  vtkGetVector6Macro(ComplementBounds, double);
  ///@}

protected:
  vtkSpanwiseSetAlgebra() = default;
  ~vtkSpanwiseSetAlgebra() override = default;

  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Operation = UNION;
  int ComplementBox = BOX_OF_FIRST_INPUT;
  double ComplementBounds[6] = {0.0, 1.0, 0.0, 1.0, 0.0, 1.0};

private:
  vtkSpanwiseSetAlgebra(const vtkSpanwiseSetAlgebra&) = delete;
  void operator=(const vtkSpanwiseSetAlgebra&) = delete;

  template <class AlignedInputs>
  void MakeSet(const spanwise::RankGroup& group, AlignedInputs& aligned, vtkUnstructuredGrid* output);
};

#endif
