/**
 * @class   vtkSpanwiseGridToLevels
 * @brief   any hierarchy of cells as levels of leaf cells
 *
 * The input may be
 * - a vtkOverlappingAMR, as VTK's readers of AMReX, FLASH, Enzo and others give them, with levels refined by 2 or by
 *   other powers of two: what finer blocks cover is left out, as are cells that vtkGhostType marks as duplicate, hidden
 *   or refined;
 * - a vtkHyperTreeGrid of branch factor 2 with roots of one size: its leaves that are not masked;
 * - any data set, or composite of data sets, of axis-aligned cells whose sizes differ by powers of two: the largest are
 *   level 0 where no grid of intervals says its level;
 * - a hierarchy of levels, which is spread over the ranks.
 *
 * The output is a vtkPartitionedDataSetCollection with one partitioned data set, Level0, Level1 ..., for each level,
 * and in each of them a grid of intervals of the leaf cells. Every place is covered once. Cell arrays follow their
 * cells; those that not all levels have are dropped, and so are point arrays.
 *
 * O(cells log cells). In parallel the cells are cut along planes of level 0, so that all levels above a plane are on
 * one rank.
 */
#ifndef vtkSpanwiseGridToLevels_h
#define vtkSpanwiseGridToLevels_h

#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseGridToLevels : public vtkSpanwiseLevelsAlgorithm {
public:
  static vtkSpanwiseGridToLevels* New();
  vtkTypeMacro(vtkSpanwiseGridToLevels, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseGridToLevels() = default;
  ~vtkSpanwiseGridToLevels() override = default;

  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

private:
  vtkSpanwiseGridToLevels(const vtkSpanwiseGridToLevels&) = delete;
  void operator=(const vtkSpanwiseGridToLevels&) = delete;
};

#endif
