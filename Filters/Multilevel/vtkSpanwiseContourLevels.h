/**
 * @class   vtkSpanwiseContourLevels
 * @brief   contours of a hierarchy of levels, without cracks where levels meet
 *
 * The surfaces (2D: lines) on which a cell array has given values. They are those of vtkContourFilter on the output of
 * vtkSpanwiseLevelsToUnstructuredGrid, but that mesh is made only where a contour passes: cells share whole edges and
 * whole faces and every node has one value, so nothing is open but at the domain's boundary. Levels may differ by any
 * number, and leaves may be missing. Leaves on both sides of a value touch each other where its contour passes: these
 * are found by set algebra on the levels.
 *
 * SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, name) says which cell array, with one
 * component. All cell arrays become point arrays of the contours, interpolated between nodes, whose values are the
 * means over the leaves around them, and cell arrays with the values of the leaves. None of them is active.
 *
 * The input is whatever vtkSpanwiseGridToLevels takes. O(leaves) to compare values, and O(nodes log nodes) of the
 * leaves that contours cross and of those that touch these. In parallel each rank contours its planes of level 0; the
 * contours are the same for any number of ranks.
 */
#ifndef vtkSpanwiseContourLevels_h
#define vtkSpanwiseContourLevels_h

#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

#include <vector>

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseContourLevels : public vtkSpanwiseLevelsAlgorithm {
public:
  static vtkSpanwiseContourLevels* New();
  vtkTypeMacro(vtkSpanwiseContourLevels, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The values of the contours. None at first. Numbers below 0 and beyond the number of contours are ignored.
   */
  void SetNumberOfContours(int number);
  int GetNumberOfContours() const { return static_cast<int>(this->Values.size()); }
  void SetValue(int contour, double value);
  double GetValue(int contour) const;
  ///@}

protected:
  vtkSpanwiseContourLevels() = default;
  ~vtkSpanwiseContourLevels() override = default;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

private:
  vtkSpanwiseContourLevels(const vtkSpanwiseContourLevels&) = delete;
  void operator=(const vtkSpanwiseContourLevels&) = delete;

  std::vector<double> Values;
};

#endif
