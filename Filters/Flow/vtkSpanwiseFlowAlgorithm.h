/**
 * @class vtkSpanwiseFlowAlgorithm
 * @brief superclass of flows that are played as frames
 *
 * The inputs are what the flow goes around, and points where it is read; both may be left out. Output 0 is a hierarchy
 * of levels at the frame that is asked for, output 1 a table with the history up to there. Subclasses bring their
 * GetFrames() to the frame in MakeOutput(); time steps, requests and what a window asks for stand here.
 */
#ifndef vtkSpanwiseFlowAlgorithm_h
#define vtkSpanwiseFlowAlgorithm_h

#include "SpanwiseFrameProperties.h"
#include "spanwiseFlowModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

#include <memory>

namespace spanwise {
class SteppedFrames;
struct FlowDomain;
} // namespace spanwise

class SPANWISEFLOW_EXPORT vtkSpanwiseFlowAlgorithm : public vtkSpanwiseLevelsAlgorithm {
public:
  vtkAbstractTypeMacro(vtkSpanwiseFlowAlgorithm, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The dimension where no input has one, 2 or 3. Default: 2.
   */
  vtkSetMacro(Dimension, int);
  vtkGetMacro(Dimension, int);
  ///@}

  enum ObstacleEnum { NONE = 0, BALL = 1, INPUT_SET = 2 };
  ///@{
  /**
   * What it flows around: nothing, a disc or ball, or what the first input says. Default: BALL.
   */
  vtkSetMacro(Obstacle, int);
  vtkGetMacro(Obstacle, int);
  ///@}

  ///@{
  /**
   * The centre of the disc or ball. Default: (0, 0, 0).
   */
  vtkSetVector3Macro(Center, double);
  vtkGetVector3Macro(Center, double);
  ///@}

  ///@{
  /**
   * Its radius, positive. Default: 0.5.
   */
  vtkSetMacro(Radius, double);
  vtkGetMacro(Radius, double);
  ///@}

  enum DomainEnum { AROUND_OBSTACLE = 0, GIVEN_BOX = 1 };
  ///@{
  /**
   * The box: made around the obstacle, or given. Without an obstacle it is the given one. Default: AROUND_OBSTACLE.
   */
  vtkSetMacro(Domain, int);
  vtkGetMacro(Domain, int);
  ///@}

  ///@{
  /**
   * The lower corner of the given box; a 2D flow lies in the plane z = Corner[2]. Default: (0, 0, 0).
   */
  vtkSetVector3Macro(Corner, double);
  vtkGetVector3Macro(Corner, double);
  ///@}

  ///@{
  /**
   * Its lengths, positive. They are rounded to whole cells along y and z. Default: (4, 2, 2) of a gas, else (1, 1, 1).
   */
  vtkSetVector3Macro(Lengths, double);
  vtkGetVector3Macro(Lengths, double);
  ///@}

  ///@{
  /**
   * How many cells of the coarsest level the box has along x, at least 1. Default: 70 of a gas, else 260.
   */
  vtkSetMacro(CellsAlongX, int);
  vtkGetMacro(CellsAlongX, int);
  ///@}

  ///@{
  /**
   * Where the stream goes; of any length but 0. In 2D without z. Default: (1, 0, 0).
   */
  vtkSetVector3Macro(Direction, double);
  vtkGetVector3Macro(Direction, double);
  ///@}

  ///@{
  /**
   * How many levels of cells there are at most, each twice as fine as the one before: 1 to 16 of a gas, else 1 to 8.
   * Cells at the obstacle are always of the finest. Default: 3 of a gas, else 1.
   */
  vtkSetMacro(NumberOfLevels, int);
  vtkGetMacro(NumberOfLevels, int);
  ///@}

  ///@{
  /**
   * The time from frame to frame, not negative; 0: chosen, and the pipeline's time is the number of the frame. It is
   * rounded to whole steps where these have one length. Default: 0.
   */
  vtkSetMacro(TimePerFrame, double);
  vtkGetMacro(TimePerFrame, double);
  ///@}

protected:
  vtkSpanwiseFlowAlgorithm();
  ~vtkSpanwiseFlowAlgorithm() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  spanwise::SteppedFrames& GetFrames() const { return *this->Frames; }
  spanwise::FlowDomain GetDomainChoice(int dimension) const;
  /** Throws InvalidArgument where one of these properties is out of its range. */
  void CheckFlowProperties() const;

  int Dimension = 2;
  int Obstacle = BALL;
  double Center[3] = {0.0, 0.0, 0.0};
  double Radius = 0.5;
  int Domain = AROUND_OBSTACLE;
  double Corner[3] = {0.0, 0.0, 0.0};
  double Lengths[3] = {1.0, 1.0, 1.0};
  int CellsAlongX = 260;
  double Direction[3] = {1.0, 0.0, 0.0};
  int NumberOfLevels = 1;
  double TimePerFrame = 0.0;

  // NumberOfFrames, MemoryLimit, FrameFolder, Interactive, Live, TimeLimit, CheckpointFile and RestartFrom.
  SPANWISE_FRAME_PROPERTIES();

private:
  vtkSpanwiseFlowAlgorithm(const vtkSpanwiseFlowAlgorithm&) = delete;
  void operator=(const vtkSpanwiseFlowAlgorithm&) = delete;

  double TimeOfFrame() const;

  std::unique_ptr<spanwise::SteppedFrames> Frames;
};

#endif
