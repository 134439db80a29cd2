/**
 * @class   vtkSpanwiseAdaptiveRefinement
 * @brief   a field becomes a hierarchy of levels: fine where it changes, coarse where it is quiet
 *
 * The input is a data set that carries intervals, an image, or any grid of axis-aligned equal cells. The output is a
 * hierarchy: a collection with a grid of leaf cells for each level, whose cells have half the size of those of the
 * level before.
 *
 * Direction: COARSEN takes the input as the finest level, and makes cells coarser where the sensor is quiet: on the
 * coarse cell and on all cells in it. Values of coarse cells are means (most frequent values of whole numbers). Only
 * cells that the input fills are made coarser, so the leaves cover just what the input covers. REFINE takes the input
 * as level 0 and refines cells where the sensor is active, level by level, with prolonged values.
 *
 * Sensor: what makes a cell active, on each level.
 * - THRESHOLD: its value is in [LowerThreshold, UpperThreshold];
 * - GRADIENT: it differs from a face neighbour by GradientLimit times the range of the array, or more;
 * - LOEHNER: Loehner's second-derivative sensor, between 0 and 1, is at least LoehnerLimit;
 * - SET: it lies in the cells of the second input, which may be of any size root / 2^k.
 *
 * Cells within BufferCells of an active one (of their level, diagonally too) are refined with it. Grading says how the
 * levels of neighbours may differ: NESTED any, the others by one, across faces, edges, or vertices too.
 *
 * Axes may be periodic, for sensor, buffer, grading and prolongation (PeriodicX, PeriodicY, PeriodicZ, PeriodBox and
 * PeriodBounds: see SpanwisePeriodicAxes.h). A period must be made of whole cells of level 0.
 *
 * The array of the sensor may be on cells or on points; point arrays become means on cells. Cell arrays follow, and
 * "Level" is added. Field data say how many leaves each level has ("LeavesPerLevel"), and how many times as many cells
 * one level of the finest size would have ("CellRatio").
 *
 * In parallel planes of the root are cut, and a rank fetches BufferCells + 2 of them from those beside it (2
 * BufferCells + 5 for REFINE), enough for sensor, buffer and grading. Global are the range of the array, and the
 * counts. Leaves are spread evenly at the end.
 */
#ifndef vtkSpanwiseAdaptiveRefinement_h
#define vtkSpanwiseAdaptiveRefinement_h

#include "SpanwisePeriodicAxes.h" // for the properties
#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseAdaptiveRefinement : public vtkSpanwiseLevelsAlgorithm {
public:
  static vtkSpanwiseAdaptiveRefinement* New();
  vtkTypeMacro(vtkSpanwiseAdaptiveRefinement, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Directions { COARSEN = 0, REFINE = 1 };

  ///@{
  /**
   * Whether the input is the finest level, or level 0. Default: COARSEN.
   */
  vtkSetMacro(Direction, int);
  vtkGetMacro(Direction, int);
  ///@}

  ///@{
  /**
   * How many levels there may be, level 0 included, in [1, 16]. Default: 4.
   */
  vtkSetMacro(NumberOfLevels, int);
  vtkGetMacro(NumberOfLevels, int);
  ///@}

  enum Sensors { THRESHOLD = 0, GRADIENT = 1, LOEHNER = 2, SET = 3 };

  ///@{
  /**
   * What makes a cell active. Default: GRADIENT.
   */
  vtkSetMacro(Sensor, int);
  vtkGetMacro(Sensor, int);
  ///@}

  ///@{
  /**
   * Which component of the array the sensor looks at; as many as there are stands for the magnitude. Default: 0.
   */
  vtkSetMacro(Component, int);
  vtkGetMacro(Component, int);
  ///@}

  ///@{
  /**
   * THRESHOLD: values of active cells. Default: [0, 1].
   */
  vtkSetMacro(LowerThreshold, double);
  vtkGetMacro(LowerThreshold, double);
  vtkSetMacro(UpperThreshold, double);
  vtkGetMacro(UpperThreshold, double);
  ///@}

  ///@{
  /**
   * GRADIENT: the least difference between neighbours, as a share of the range of the input's array. Default: 0.05.
   */
  vtkSetMacro(GradientLimit, double);
  vtkGetMacro(GradientLimit, double);
  ///@}

  ///@{
  /**
   * LOEHNER: the least value of the sensor (default: 0.5), and its filter against ripples (default: 0.01).
   */
  vtkSetMacro(LoehnerLimit, double);
  vtkGetMacro(LoehnerLimit, double);
  vtkSetMacro(LoehnerFilter, double);
  vtkGetMacro(LoehnerFilter, double);
  ///@}

  ///@{
  /**
   * How many cells around active ones are refined with them. Default: 1.
   */
  vtkSetMacro(BufferCells, int);
  vtkGetMacro(BufferCells, int);
  ///@}

  enum Gradings { NESTED = 0, FACE = 1, EDGE = 2, VERTEX = 3 };

  ///@{
  /**
   * Across what the levels of neighbours differ by one at most. Default: VERTEX.
   */
  vtkSetMacro(Grading, int);
  vtkGetMacro(Grading, int);
  ///@}

  enum Prolongations { INJECTION = 0, LINEAR = 1, MINMOD = 2, MONOTONIZED_CENTRAL = 3, THIRD_ORDER = 4 };

  ///@{
  /**
   * REFINE: how values become those of finer cells, see vtkSpanwiseRefineIntervals. Default: LINEAR.
   */
  vtkSetMacro(Prolongation, int);
  vtkGetMacro(Prolongation, int);
  ///@}

protected:
  vtkSpanwiseAdaptiveRefinement();
  ~vtkSpanwiseAdaptiveRefinement() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

  int Direction = COARSEN;
  int NumberOfLevels = 4;
  int Sensor = GRADIENT;
  int Component = 0;
  double LowerThreshold = 0.0;
  double UpperThreshold = 1.0;
  double GradientLimit = 0.05;
  double LoehnerLimit = 0.5;
  double LoehnerFilter = 0.01;
  int BufferCells = 1;
  int Grading = VERTEX;
  int Prolongation = LINEAR;

  SPANWISE_PERIODIC_AXES();

private:
  vtkSpanwiseAdaptiveRefinement(const vtkSpanwiseAdaptiveRefinement&) = delete;
  void operator=(const vtkSpanwiseAdaptiveRefinement&) = delete;
};

#endif
