/**
 * @class   vtkSpanwiseResampleLevels
 * @brief   a hierarchy of levels as a grid of one level
 *
 * The leaves of a hierarchy on the cells of one level: the finest one that has leaves, or a given one. The output is a
 * grid of intervals that covers what the leaves cover; on a level that is coarser than some leaves, every cell in which
 * there are leaves.
 *
 * Values of leaves that are coarser than the level are prolonged: as they are (INJECTION), or with slopes to their
 * neighbours, which may be of any level. Where neighbours are finer their means count. Values of finer leaves become
 * volume averages of what is there (most frequent values of whole numbers). The integral is kept.
 *
 * The input is a hierarchy, a data set that carries intervals, or cells whose sizes differ by powers of two. Point
 * arrays are not carried.
 *
 * O(cells of the output and of the leaves). In parallel a rank fetches two planes of level 0 from those beside it where
 * slopes need them.
 */
#ifndef vtkSpanwiseResampleLevels_h
#define vtkSpanwiseResampleLevels_h

#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseResampleLevels : public vtkSpanwiseLevelsAlgorithm {
public:
  static vtkSpanwiseResampleLevels* New();
  vtkTypeMacro(vtkSpanwiseResampleLevels, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum LevelModes { FINEST_LEVEL = 0, GIVEN_LEVEL = 1 };

  ///@{
  /**
   * Which level the output has. Default: FINEST_LEVEL.
   */
  vtkSetMacro(LevelMode, int);
  vtkGetMacro(LevelMode, int);
  ///@}

  ///@{
  /**
   * GIVEN_LEVEL: its number, in [0, 30]. Default: 0.
   */
  vtkSetMacro(Level, int);
  vtkGetMacro(Level, int);
  ///@}

  enum Prolongations { INJECTION = 0, LINEAR = 1, MINMOD = 2, MONOTONIZED_CENTRAL = 3, THIRD_ORDER = 4 };

  ///@{
  /**
   * How values of coarser leaves become those of cells, see vtkSpanwiseRefineIntervals. Default: INJECTION.
   */
  vtkSetMacro(Prolongation, int);
  vtkGetMacro(Prolongation, int);
  ///@}

protected:
  vtkSpanwiseResampleLevels() = default;
  ~vtkSpanwiseResampleLevels() override = default;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::Team& team, vtkInformationVector** inputs, vtkDataObject* output) override;

  int LevelMode = FINEST_LEVEL;
  int Level = 0;
  int Prolongation = INJECTION;

private:
  vtkSpanwiseResampleLevels(const vtkSpanwiseResampleLevels&) = delete;
  void operator=(const vtkSpanwiseResampleLevels&) = delete;
};

#endif
