/**
 * @class   vtkSpanwiseLevelsToHyperTreeGrid
 * @brief   a hierarchy of levels as a vtkHyperTreeGrid
 *
 * The trees have the branch factor 2. Their roots are the cells of level 0, in the bounding box of all of them; where
 * nothing is in a cell of level 0 there is no tree, and where nothing is in a part of a tree it is masked. Cell arrays
 * follow their cells. Inner cells of trees have the mean of what is in them, whole numbers and texts the first of it.
 *
 * The input is whatever vtkSpanwiseGridToLevels takes. O(cells log cells). In parallel every rank makes the trees of
 * its planes of level 0 in one common grid.
 */
#ifndef vtkSpanwiseLevelsToHyperTreeGrid_h
#define vtkSpanwiseLevelsToHyperTreeGrid_h

#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseLevelsToHyperTreeGrid : public vtkSpanwiseLevelsAlgorithm {
public:
  static vtkSpanwiseLevelsToHyperTreeGrid* New();
  vtkTypeMacro(vtkSpanwiseLevelsToHyperTreeGrid, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseLevelsToHyperTreeGrid() = default;
  ~vtkSpanwiseLevelsToHyperTreeGrid() override = default;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

private:
  vtkSpanwiseLevelsToHyperTreeGrid(const vtkSpanwiseLevelsToHyperTreeGrid&) = delete;
  void operator=(const vtkSpanwiseLevelsToHyperTreeGrid&) = delete;
};

#endif
