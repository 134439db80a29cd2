/**
 * @class   vtkSpanwiseResampleLevels
 * @brief   a hierarchy of levels on one level, in a box, or at points
 *
 * SampleOn says where the values of a hierarchy's leaves are wanted:
 *
 * - CELLS_OF_A_LEVEL: on the cells of the finest level that has leaves, or of a given one. The output is a grid of
 *   intervals that covers what the leaves cover; on a level that is coarser than some leaves, every cell in which there
 *   are leaves. Values of leaves that are coarser than the level are prolonged: as they are (INJECTION), or with slopes
 *   to their neighbours, which may be of any level. Where neighbours are finer their means count. Values of finer
 * leaves become volume averages of what is there (most frequent values of whole numbers). The integral is kept.
 * - BOX: at points on a regular lattice in a box. The output is a vtkImageData with point arrays.
 * - POINTS: at the points of the second input, a data set. The output is that data set, with its arrays and more point
 *   arrays.
 *
 * At points each leaf array of numbers has the value of the leaf that holds the point (INTERPOLATE_CONSTANTLY), or, if
 * its numbers are floating-point, that and the leaf's slopes (INTERPOLATE_LINEARLY: exact for linear functions). A
 * point on a face belongs to the leaf on the upper side if there is one. "Level" is the leaf's level; where there is no
 * leaf it is -1, floating-point values are NaN and others 0. In 2D z does not matter.
 *
 * The input is a hierarchy, a data set that carries intervals, or cells whose sizes differ by powers of two. Point
 * arrays of it are not carried.
 *
 * O(cells of the output and of the leaves); at points O(levels log rows) each. In parallel a rank fetches planes of
 * level 0 from those beside it where slopes need them; points travel to the rank that has their plane, and back. The
 * image is cut along its slowest axis.
 */
#ifndef vtkSpanwiseResampleLevels_h
#define vtkSpanwiseResampleLevels_h

#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

class vtkDataSet;

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseResampleLevels : public vtkSpanwiseLevelsAlgorithm {
public:
  static vtkSpanwiseResampleLevels* New();
  vtkTypeMacro(vtkSpanwiseResampleLevels, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum SamplePlaces { CELLS_OF_A_LEVEL = 0, BOX = 1, POINTS = 2 };

  ///@{
  /**
   * Where the values are wanted. Default: CELLS_OF_A_LEVEL.
   */
  vtkSetMacro(SampleOn, int);
  vtkGetMacro(SampleOn, int);
  ///@}

  enum LevelModes { FINEST_LEVEL = 0, GIVEN_LEVEL = 1 };

  ///@{
  /**
   * CELLS_OF_A_LEVEL: which level the output has. Default: FINEST_LEVEL.
   */
  vtkSetMacro(LevelMode, int);
  vtkGetMacro(LevelMode, int);
  ///@}

  ///@{
  /**
   * With GIVEN_LEVEL: its number, in [0, 30]. Default: 0.
   */
  vtkSetMacro(Level, int);
  vtkGetMacro(Level, int);
  ///@}

  enum Prolongations { INJECTION = 0, LINEAR = 1, MINMOD = 2, MONOTONIZED_CENTRAL = 3, THIRD_ORDER = 4 };

  ///@{
  /**
   * CELLS_OF_A_LEVEL: how values of coarser leaves become those of cells, see vtkSpanwiseRefineIntervals. Default:
   * INJECTION.
   */
  vtkSetMacro(Prolongation, int);
  vtkGetMacro(Prolongation, int);
  ///@}

  ///@{
  /**
   * BOX: its lower corner and its side lengths, in the units of the points. A length may be 0. Default: the unit cube
   * around the origin.
   */
  vtkSetVector3Macro(Corner, double);
  vtkGetVector3Macro(Corner, double);
  vtkSetVector3Macro(Lengths, double);
  vtkGetVector3Macro(Lengths, double);
  ///@}

  ///@{
  /**
   * BOX: how many points there are along each axis, 1 or more. The first and the last one are on the box, a single one
   * is in the middle; where the box has no length there is one. Default: 64.
   */
  vtkSetVector3Macro(Resolution, int);
  vtkGetVector3Macro(Resolution, int);
  ///@}

  enum Interpolations { INTERPOLATE_CONSTANTLY = 0, INTERPOLATE_LINEARLY = 1 };

  ///@{
  /**
   * BOX and POINTS: how floating-point values are read between the centres of leaves. Default: INTERPOLATE_CONSTANTLY.
   */
  vtkSetMacro(Interpolation, int);
  vtkGetMacro(Interpolation, int);
  ///@}

protected:
  vtkSpanwiseResampleLevels();
  ~vtkSpanwiseResampleLevels() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

  int SampleOn = CELLS_OF_A_LEVEL;
  int LevelMode = FINEST_LEVEL;
  int Level = 0;
  int Prolongation = INJECTION;
  double Corner[3] = {-0.5, -0.5, -0.5};
  double Lengths[3] = {1.0, 1.0, 1.0};
  int Resolution[3] = {64, 64, 64};
  int Interpolation = INTERPOLATE_CONSTANTLY;

private:
  vtkSpanwiseResampleLevels(const vtkSpanwiseResampleLevels&) = delete;
  void operator=(const vtkSpanwiseResampleLevels&) = delete;

  void SampleLevel(const spanwise::RankGroup& group, vtkDataObject* input, vtkDataObject* output);
  void SamplePoints(const spanwise::RankGroup& group, vtkDataObject* input, vtkDataSet* points, vtkDataObject* output);
};

#endif
