/**
 * @class vtkSpanwiseRangeAlgorithm
 * @brief superclass of filters that choose cells by a range of values of an array
 *
 * Values are compared exactly, 64-bit integers too; NaN is in no range. The array is chosen by
 * SetInputArrayToProcess(0, ...).
 */
#ifndef vtkSpanwiseRangeAlgorithm_h
#define vtkSpanwiseRangeAlgorithm_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseCarryingAlgorithm.h"

#include <limits> // for the default of the range

// VTK's wrappers do not know nested names of namespaces.
namespace spanwise { // NOLINT(modernize-concat-nested-namespaces)
namespace geometry {
struct ValueRange;
} // namespace geometry
} // namespace spanwise

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseRangeAlgorithm : public vtkSpanwiseCarryingAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseRangeAlgorithm, vtkSpanwiseCarryingAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The range of values, both ends included. Default: all numbers.
   */
  vtkSetMacro(LowerThreshold, double);
  vtkGetMacro(LowerThreshold, double);
  vtkSetMacro(UpperThreshold, double);
  vtkGetMacro(UpperThreshold, double);
  ///@}

  ///@{
  /**
   * The component that is compared, from 0. The number of components stands for the magnitude: the Euclidean length of
   * all of them, the absolute value of one. Default: 0.
   */
  vtkSetMacro(Component, int);
  vtkGetMacro(Component, int);
  ///@}

protected:
  vtkSpanwiseRangeAlgorithm() = default;
  ~vtkSpanwiseRangeAlgorithm() override = default;

  /**
   * What was chosen.
   */
  spanwise::geometry::ValueRange GetRange() const;

  double LowerThreshold = -std::numeric_limits<double>::infinity();
  double UpperThreshold = std::numeric_limits<double>::infinity();
  int Component = 0;

private:
  vtkSpanwiseRangeAlgorithm(const vtkSpanwiseRangeAlgorithm&) = delete;
  void operator=(const vtkSpanwiseRangeAlgorithm&) = delete;
};

#endif
