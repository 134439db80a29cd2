/**
 * @class   vtkSpanwiseSetExpression
 * @brief   a set of cells as a formula over named inputs, such as (A | B) & ~dilate(C, 2)
 *
 * The input port takes any number of data sets that carry intervals or are made of axis-aligned equal cells. Their
 * lattices may be shifted by whole cells; the result, and the coordinates of cells in the expression, are those of the
 * first input with cells. Spacings that differ are an error.
 *
 * The language is that of spanwise::SetExpression: operators ~ - & ^ | in this order, as in Python; functions dilate,
 * erode, open, close, boundary, fill_holes, largest, translate and box. A result that is not finite is an error. An
 * error in the text is told with its place.
 *
 * Cell arrays are carried along: a cell has the value of the first input that has both the cell and the array. Where
 * none has, a floating-point array has NaN, any other 0. Inputs that are only taken away from others carry nothing.
 *
 * In parallel inputs that are cut differently are first brought to one cut. Where the expression has morphology or a
 * translation, a rank also gets the planes of the inputs that its own depend on. For fill_holes() and largest() the
 * planes beside cuts travel, and of the components that touch them the numbers and sizes.
 */
#ifndef vtkSpanwiseSetExpression_h
#define vtkSpanwiseSetExpression_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseManySetsAlgorithm.h"

#include <string> // for the members
#include <vector> // for the members

// VTK's wrappers do not know nested names of namespaces.
namespace spanwise { // NOLINT(modernize-concat-nested-namespaces)
namespace geometry {
class SetExpression;
} // namespace geometry
} // namespace spanwise

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseSetExpression : public vtkSpanwiseManySetsAlgorithm {
public:
  static vtkSpanwiseSetExpression* New();
  vtkTypeMacro(vtkSpanwiseSetExpression, vtkSpanwiseManySetsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The formula. Default: A.
   */
  vtkSetStdStringFromCharMacro(Expression);
  vtkGetCharFromStdStringMacro(Expression);
  ///@}

  ///@{
  /**
   * The names of the inputs, in their order. An input without a name, or with an empty one, has its default name: A, B,
   * ... Z, AA, AB ... Names beyond the number of inputs are not used.
   */
  void AddInputName(const char* name);
  void RemoveAllInputNames();
  int GetNumberOfInputNames() const { return static_cast<int>(this->InputNames.size()); }
  /** The name of an input, given or not. */
  std::string GetInputName(int input) const;
  ///@}

protected:
  vtkSpanwiseSetExpression() = default;
  ~vtkSpanwiseSetExpression() override = default;

  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  std::string Expression = "A";
  std::vector<std::string> InputNames;

private:
  vtkSpanwiseSetExpression(const vtkSpanwiseSetExpression&) = delete;
  void operator=(const vtkSpanwiseSetExpression&) = delete;

  template <class AlignedInputs>
  void MakeSet(const spanwise::RankGroup& group, const spanwise::geometry::SetExpression& expression,
    AlignedInputs& aligned, vtkUnstructuredGrid* output);
};

#endif
