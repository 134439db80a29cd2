/**
 * @class   vtkSpanwiseNBodyMotion
 * @brief   bodies that move by the forces between them
 *
 * Bodies are the points of the input, or the centres of its cells, with masses and velocities. By default they attract
 * each other as gravity has it; with an array of charges like charges repel each other. They move by the leapfrog
 * (kick, drift, kick), which is of second order and keeps the energy's error bounded. There is no hidden factor: G, or
 * 1 / (4 pi epsilon_0), is the property Factor.
 *
 * The output has time steps, the frames, from 0 on: a frame is StepsPerFrame steps of TimeStep. If the step is chosen
 * by the filter, which knows it only when it has seen the bodies, the pipeline's time is the number of the frame. A
 * frame is computed when it, or a later one, is asked for the first time, and kept; frames are asked for in any order.
 * Frames take 48 bytes for each body: in memory up to MemoryLimit, beyond it in FrameFolder; without a folder more of
 * them are an error. A request for a time between frames is for the one before. One that is stopped (SetAbortExecute)
 * gives the last frame that is done, if there is one; and in a window (SetInteractive) so does one that takes longer
 * than TimeLimit, with a warning. The data's time says which frame that is; the next request goes on from there. The
 * frame that is shown can be written to a file (CheckpointFile), from which another run goes on with the same bits and
 * the same report (RestartFrom).
 *
 * Output 0 is polygonal data with a vertex for each body, the input's arrays on its points or cells (but the velocities
 * at the start), and "Velocity". Its field data have "N-Body Time", "N-Body Time Step", "N-Body Softening" and "N-Body
 * Method". Output 1 is a table of all frames up to the one that is asked for (in parallel, of rank 0): Time, Kinetic
 * Energy, Potential Energy, Energy, Energy Drift, Momentum and Angular Momentum (about the origin), with their drifts,
 * relative to the sums of the lengths of what is added up. Energy Drift is the energy less that at the start, relative
 * to the latter's magnitude or, where that is larger, to the largest kinetic energy up to the frame.
 *
 * A softening that is not given is the mean distance, the diagonal of the bounding box / number^(1/3), through 30. A
 * time step of 0 is 0.2 sqrt(softening / |a|) with the largest acceleration a at the start (of Gaussians with their
 * width), without softening 0.02 sqrt(mean distance / |a|), and 1 if nothing is accelerated.
 *
 * Points and cells that vtkGhostType marks as duplicate or hidden are left out, and so are points that a rank or a
 * piece before has too (notOwnPoints()). Bodies of all blocks of an input act on each other, and are one output with
 * the arrays that all blocks have. In parallel each rank moves its own bodies. For direct sums it keeps the places of
 * all of them; by multipoles ranks share the work, and each has a part of the bodies and what is essential of the
 * others. O(bodies^2) a step, by multipoles O(bodies).
 */
#ifndef vtkSpanwiseNBodyMotion_h
#define vtkSpanwiseNBodyMotion_h

#include "SpanwiseFrameProperties.h"
#include "spanwiseNBodyModule.h"
#include "vtkSpanwiseMeshAlgorithm.h"

#include <cstdint>
#include <memory>
#include <vector>

class vtkDataArray;
class vtkPolyData;
class vtkTable;

namespace spanwise {
struct BodiesAtStart;
struct BodyFrame;
class ParticleInput;
struct MotionSettings;
} // namespace spanwise

class SPANWISENBODY_EXPORT vtkSpanwiseNBodyMotion : public vtkSpanwiseMeshAlgorithm {
public:
  static vtkSpanwiseNBodyMotion* New();
  vtkTypeMacro(vtkSpanwiseNBodyMotion, vtkSpanwiseMeshAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum BodiesEnum { POINTS = 0, CELL_CENTRES = 1 };
  ///@{
  /**
   * Whether bodies are points or centres of cells. Default: POINTS.
   */
  vtkSetMacro(Bodies, int);
  vtkGetMacro(Bodies, int);
  ///@}

  enum MassesEnum { UNIT = 0, MASS_ARRAY = 1 };
  ///@{
  /**
   * Masses: 1 each, or those of the array that SetInputArrayToProcess(0, ...) names, which are not negative, and with
   * charges positive. Default: UNIT.
   */
  vtkSetMacro(Masses, int);
  vtkGetMacro(Masses, int);
  ///@}

  enum VelocitiesEnum { AT_REST = 0, VELOCITY_ARRAY = 1 };
  ///@{
  /**
   * Velocities at the start: 0, or those of the array of 3 components that SetInputArrayToProcess(1, ...) names.
   * Default: AT_REST.
   */
  vtkSetMacro(Velocities, int);
  vtkGetMacro(Velocities, int);
  ///@}

  enum ChargesEnum { MASSES = 0, CHARGE_ARRAY = 1 };
  ///@{
  /**
   * What acts: the masses, which attract each other, or the array that SetInputArrayToProcess(2, ...) names, of which
   * values of one sign repel each other. Default: MASSES.
   */
  vtkSetMacro(Charges, int);
  vtkGetMacro(Charges, int);
  ///@}

  enum InteractionEnum { INVERSE_DISTANCE = 0, LOGARITHM = 1, GAUSSIAN = 2, YUKAWA = 3 };
  ///@{
  /**
   * The potential of a unit charge at the distance r, as of vtkSpanwiseNBodyPotential; of masses with the opposite
   * sign. LOGARITHM is - ln r here, so that masses attract each other in the plane too. Default: INVERSE_DISTANCE.
   */
  vtkSetMacro(Interaction, int);
  vtkGetMacro(Interaction, int);
  ///@}

  ///@{
  /**
   * Whether the length epsilon of 1 / sqrt(r^2 + epsilon^2), with INVERSE_DISTANCE, is chosen from the mean distance of
   * the bodies. Default: true.
   */
  vtkSetMacro(AutomaticSoftening, bool);
  vtkGetMacro(AutomaticSoftening, bool);
  vtkBooleanMacro(AutomaticSoftening, bool);
  ///@}

  ///@{
  /**
   * The length itself where it is not chosen; 0: none. Default: 0.
   */
  vtkSetMacro(Softening, double);
  vtkGetMacro(Softening, double);
  ///@}

  ///@{
  /**
   * sigma of GAUSSIAN, positive. Default: 1.
   */
  vtkSetMacro(Width, double);
  vtkGetMacro(Width, double);
  ///@}

  ///@{
  /**
   * kappa of YUKAWA, the inverse screening length, not negative. Default: 1.
   */
  vtkSetMacro(Screening, double);
  vtkGetMacro(Screening, double);
  ///@}

  ///@{
  /**
   * What forces are multiplied with: G of masses, 1 / (4 pi epsilon_0) of charges. Default: 1.
   */
  vtkSetMacro(Factor, double);
  vtkGetMacro(Factor, double);
  ///@}

  ///@{
  /**
   * The time step, not negative; 0: chosen at the start. Default: 0.
   */
  vtkSetMacro(TimeStep, double);
  vtkGetMacro(TimeStep, double);
  ///@}

  ///@{
  /**
   * Steps from frame to frame, at least 1. Default: 10.
   */
  vtkSetMacro(StepsPerFrame, int);
  vtkGetMacro(StepsPerFrame, int);
  ///@}

  enum MethodEnum { AUTOMATIC = 0, DIRECT = 1, FAST_MULTIPOLE = 2 };
  ///@{
  /**
   * How forces are summed: each pair, on the host each distance once, which keeps the momentum; by multipoles, as
   * accurate as Accuracy says, on the host; or by multipoles from 12,000 bodies on with the default accuracy, where the
   * default space is the host, and from more on with finer ones (nbody::chooseMethod()). Default: AUTOMATIC.
   */
  vtkSetMacro(Method, int);
  vtkGetMacro(Method, int);
  ///@}

  ///@{
  /**
   * The largest error of forces by multipoles, relative to what they would be were nothing cancelled: 0.1 to 1e-9.
   * Default: 1e-4.
   */
  vtkSetMacro(Accuracy, double);
  vtkGetMacro(Accuracy, double);
  ///@}

protected:
  vtkSpanwiseNBodyMotion();
  ~vtkSpanwiseNBodyMotion() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* input,
    vtkDataObject* output) override;

  int Bodies = POINTS;
  int Masses = UNIT;
  int Velocities = AT_REST;
  int Charges = MASSES;
  int Interaction = INVERSE_DISTANCE;
  bool AutomaticSoftening = true;
  double Softening = 0.0;
  double Width = 1.0;
  double Screening = 1.0;
  double Factor = 1.0;
  double TimeStep = 0.0;
  int StepsPerFrame = 10;
  int Method = AUTOMATIC;
  double Accuracy = 1e-4;

  // NumberOfFrames, MemoryLimit, FrameFolder, Interactive, Live, TimeLimit, CheckpointFile and RestartFrom. A frame
  // takes 48 bytes for each body.
  SPANWISE_FRAME_PROPERTIES();

private:
  vtkSpanwiseNBodyMotion(const vtkSpanwiseNBodyMotion&) = delete;
  void operator=(const vtkSpanwiseNBodyMotion&) = delete;

  void CheckProperties() const;
  spanwise::MotionSettings GetSettings() const;
  double TimeOfFrame() const;
  vtkDataArray* GetBodyArray(int index, const char* what, int components, vtkDataSet* input);
  spanwise::BodiesAtStart GetBodies(const spanwise::ParticleInput& input, const std::vector<std::uint8_t>& notOwn);
  void StartMotion(
    const spanwise::RankGroup& group, const spanwise::FrameChoice& choice, spanwise::BodiesAtStart start);
  void MakeBodies(const spanwise::ParticleInput& input, const std::vector<std::uint8_t>& notOwn,
    const spanwise::BodyFrame& bodies, vtkPolyData* output);
  void MakeReport(std::int64_t frame, vtkTable* report);

  struct Internals;
  std::unique_ptr<Internals> Kept;
};

#endif
