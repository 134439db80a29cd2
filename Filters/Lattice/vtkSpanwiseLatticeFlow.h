/**
 * @class   vtkSpanwiseLatticeFlow
 * @brief   flow of a liquid or a slow gas around an obstacle or through pores, by the lattice Boltzmann method
 *
 * Solves the flow of a fluid with viscosity that is hardly compressed, in a box of cells, by the lattice Boltzmann
 * method (Core's LatticeFlow).
 *
 * The obstacle is a disc in 2D or a ball in 3D (Center, Radius), whose walls are where its surface is; or the cells of
 * the first input, a grid of intervals on any lattice: a cell is solid if its centre is in one of them, and walls are
 * the faces of cells; or the inside of a closed surface (closed lines in 2D), with walls where it is. With InputIs
 * FLUID the input is the pore space instead, and all else is solid. The dimension is that of the input then. The box is
 * made around the obstacle: 2 of its diameters (its greatest length) upstream in x, 10 downstream, 2 to each side, and
 * around a pore space none; or it is given (Corner, Lengths). Its cells are cubes, CellsAlongX of them along x.
 *
 * The fluid streams with Speed along Direction. It rests at the start, or streams everywhere (Start). Each side of the
 * box is a wall, a wall without friction, lets fluid in with that velocity, lets it out at the pressure 0, or is joined
 * with the opposite side (PERIODIC, which both must be). The wall at the upper side of the last axis may move
 * (LidVelocity). Acceleration pushes the fluid everywhere, as gravity or a drop of pressure does.
 *
 * Speed is also the greatest velocity that is expected, from which the time step follows: it is LatticeSpeed cells a
 * step. What is unstable at the viscosity is refused, with what would help.
 *
 * The output has time steps, the frames, at a distance of TimePerFrame; if that is 0, half the time in which the stream
 * passes the obstacle, or 1/50 of that in which it passes the box where there is none, and the pipeline's time is the
 * number of the frame. A frame is computed when it, or a later one, is asked for the first time, and kept (see
 * SPANWISE_FRAME_PROPERTIES). It takes the memory of the populations: 9 numbers of Storage a cell in 2D, 19 or 27 in
 * 3D.
 *
 * Output 0 is a hierarchy of levels (a collection with a grid of intervals for each level) of the cells with fluid,
 * with Velocity, Pressure (beyond that at rest), Vorticity (a vector in 3D), Q Criterion, Wall Shear (the stress on
 * walls along them, in cells beside them) and Level. Its field data have
 * "Flow Time", "Flow Steps", "Time Step", "Relaxation Time", "Lattice Mach Number" and "Cell Reynolds Number", and
 * where an acceleration pushes "Permeability". Output 1 is a table (in parallel, of rank 0) with a row after every
 * StepsPerRecord steps and at each frame: Time, Steps, Mass Gained, the mean velocity over the box, Greatest Speed,
 * Drag and Lift (the force on the obstacle along the stream and across it towards y; in 2D for a unit of depth),
 * Permeability, and pressure and velocity at each point of the second input, the probes.
 *
 * With a SteadyTolerance frames end to change where the flow is steady: later ones are the same state, "Flow Time" says
 * when that was, and "Steady" is 1. Levels that change make a flow that is not steady.
 *
 * A step costs O(cells). In parallel ranks share the planes of the slowest axis, and frames have the same bits on any
 * number of ranks.
 */
#ifndef vtkSpanwiseLatticeFlow_h
#define vtkSpanwiseLatticeFlow_h

#include "spanwiseLatticeModule.h"
#include "vtkSpanwiseFlowAlgorithm.h"

#include <memory>

namespace spanwise {
namespace lattice {
template <int Dim>
struct LatticeOptions;
}
template <int Dim>
struct LatticeSetup;
struct FlowDomain;
struct FlowPlace;
struct InputCells;
} // namespace spanwise

class SPANWISELATTICE_EXPORT vtkSpanwiseLatticeFlow : public vtkSpanwiseFlowAlgorithm {
public:
  static vtkSpanwiseLatticeFlow* New();
  vtkTypeMacro(vtkSpanwiseLatticeFlow, vtkSpanwiseFlowAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum InputIsEnum { SOLID = 0, FLUID = 1 };
  ///@{
  /**
   * Whether the input's cells are solid, or are those with fluid. Default: SOLID.
   */
  vtkSetMacro(InputIs, int);
  vtkGetMacro(InputIs, int);
  ///@}

  ///@{
  /**
   * The speed of the stream, positive, and the greatest that is expected. Default: 1.
   */
  vtkSetMacro(Speed, double);
  vtkGetMacro(Speed, double);
  ///@}

  ///@{
  /**
   * The kinematic viscosity, positive. Default: 0.01, so that the Reynolds number of the default disc is 100.
   */
  vtkSetMacro(Viscosity, double);
  vtkGetMacro(Viscosity, double);
  ///@}

  ///@{
  /**
   * The density, positive: pressures and forces are in its proportion. Default: 1.
   */
  vtkSetMacro(Density, double);
  vtkGetMacro(Density, double);
  ///@}

  ///@{
  /**
   * What pushes the fluid everywhere: a force on a unit of mass. In 2D without z. Default: (0, 0, 0).
   */
  vtkSetVector3Macro(Acceleration, double);
  vtkGetVector3Macro(Acceleration, double);
  ///@}

  enum StartEnum { STREAM = 0, AT_REST = 1 };
  ///@{
  /**
   * The fluid at the start: it streams everywhere, or rests, and what drives it grows gradually while sound crosses the
   * box eight times along x. Default: AT_REST, since a sudden start makes sound.
   */
  vtkSetMacro(Start, int);
  vtkGetMacro(Start, int);
  ///@}

  enum SideEnum { WALL = 0, SLIP_WALL = 1, INFLOW = 2, OUTFLOW = 3, PERIODIC = 4 };
  ///@{
  /**
   * What each side of the box is to the fluid. Default: INFLOW at the lower side along x, OUTFLOW at the upper one,
   * SLIP_WALL elsewhere.
   */
  vtkSetMacro(LowerX, int);
  vtkGetMacro(LowerX, int);
  vtkSetMacro(UpperX, int);
  vtkGetMacro(UpperX, int);
  vtkSetMacro(LowerY, int);
  vtkGetMacro(LowerY, int);
  vtkSetMacro(UpperY, int);
  vtkGetMacro(UpperY, int);
  vtkSetMacro(LowerZ, int);
  vtkGetMacro(LowerZ, int);
  vtkSetMacro(UpperZ, int);
  vtkGetMacro(UpperZ, int);
  ///@}

  enum InflowProfileEnum { UNIFORM = 0, PARABOLIC = 1 };
  ///@{
  /**
   * How the velocity is spread over sides that are an inflow: the same everywhere, or a parabola between two walls, of
   * which Speed is the mean. Default: UNIFORM.
   */
  vtkSetMacro(InflowProfile, int);
  vtkGetMacro(InflowProfile, int);
  ///@}

  ///@{
  /**
   * The velocity of the wall at the upper side of the last axis, y in 2D and z in 3D, along itself. Default: (0, 0, 0).
   */
  vtkSetVector3Macro(LidVelocity, double);
  vtkGetVector3Macro(LidVelocity, double);
  ///@}

  enum CollisionEnum { SINGLE_RELAXATION = 0, TWO_RELAXATION = 1, REGULARISED = 2, ENTROPIC = 3 };
  ///@{
  /**
   * How populations collide: with one relaxation time (BGK), with two (TRT), regularised, or with most entropy (KBC),
   * which is stable where others are not. Default: TWO_RELAXATION.
   */
  vtkSetMacro(Collision, int);
  vtkGetMacro(Collision, int);
  ///@}

  ///@{
  /**
   * Smagorinsky's constant, the viscosity of eddies that are smaller than cells: from 0, none, to below 1, usually 0.1
   * to 0.2. Default: 0.
   */
  vtkSetMacro(Smagorinsky, double);
  vtkGetMacro(Smagorinsky, double);
  ///@}

  ///@{
  /**
   * Whether there are 27 velocities in 3D rather than 19. Default: false.
   */
  vtkSetMacro(AllVelocities, bool);
  vtkGetMacro(AllVelocities, bool);
  vtkBooleanMacro(AllVelocities, bool);
  ///@}

  enum StorageEnum { HALF = 0, FLOAT = 1, DOUBLE = 2 };
  ///@{
  /**
   * How populations are stored: in 16, 32 or 64 bits. Default: FLOAT.
   */
  vtkSetMacro(Storage, int);
  vtkGetMacro(Storage, int);
  ///@}

  ///@{
  /**
   * How many cells Speed is in a step, above 0 and at most 0.3. Errors grow with its square, and what a time costs with
   * its inverse. Default: 0.1.
   */
  vtkSetMacro(LatticeSpeed, double);
  vtkGetMacro(LatticeSpeed, double);
  ///@}

  ///@{
  /**
   * Cells are refined whose vorticity makes the velocity differ by more than this part of Speed from one side to the
   * other; not negative, 0: none are for that. Default: 0.05.
   */
  vtkSetMacro(VorticityLimit, double);
  vtkGetMacro(VorticityLimit, double);
  ///@}

  ///@{
  /**
   * Whether cells at walls of the box are refined to the finest level. Default: false.
   */
  vtkSetMacro(RefineWalls, bool);
  vtkGetMacro(RefineWalls, bool);
  vtkBooleanMacro(RefineWalls, bool);
  ///@}

  ///@{
  /**
   * How many layers of cells of each level around what is refined are refined too, at least 1. Default: 4.
   */
  vtkSetMacro(BufferCells, int);
  vtkGetMacro(BufferCells, int);
  ///@}

  ///@{
  /**
   * Levels follow the vorticity after so many steps of the coarsest one, at least 1. Default: 16.
   */
  vtkSetMacro(StepsPerRemesh, int);
  vtkGetMacro(StepsPerRemesh, int);
  ///@}

  ///@{
  /**
   * The flow is steady where the velocity changes by less than this part of Speed from one frame to the next; not
   * negative, 0: it goes on for ever. Default: 0.
   */
  vtkSetMacro(SteadyTolerance, double);
  vtkGetMacro(SteadyTolerance, double);
  ///@}

  ///@{
  /**
   * How many steps there are from one row of the report to the next, at least 1. Default: 100.
   */
  vtkSetMacro(StepsPerRecord, int);
  vtkGetMacro(StepsPerRecord, int);
  ///@}

protected:
  vtkSpanwiseLatticeFlow();
  ~vtkSpanwiseLatticeFlow() override;

  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

  int InputIs = SOLID;
  double Speed = 1.0;
  double Viscosity = 0.01;
  double Density = 1.0;
  double Acceleration[3] = {0.0, 0.0, 0.0};
  int Start = AT_REST;
  int LowerX = INFLOW;
  int UpperX = OUTFLOW;
  int LowerY = SLIP_WALL;
  int UpperY = SLIP_WALL;
  int LowerZ = SLIP_WALL;
  int UpperZ = SLIP_WALL;
  int InflowProfile = UNIFORM;
  double LidVelocity[3] = {0.0, 0.0, 0.0};
  int Collision = TWO_RELAXATION;
  double Smagorinsky = 0.0;
  bool AllVelocities = false;
  int Storage = FLOAT;
  double LatticeSpeed = 0.1;
  double VorticityLimit = 0.05;
  bool RefineWalls = false;
  int BufferCells = 4;
  int StepsPerRemesh = 16;
  double SteadyTolerance = 0.0;
  int StepsPerRecord = 100;

private:
  vtkSpanwiseLatticeFlow(const vtkSpanwiseLatticeFlow&) = delete;
  void operator=(const vtkSpanwiseLatticeFlow&) = delete;

  struct Internals;

  void CheckProperties() const;
  spanwise::FlowDomain GetDomainChoice(int dimension) const;
  template <int Dim>
  spanwise::LatticeSetup<Dim> GetSetup(const spanwise::FlowDomain& domain, const spanwise::FlowPlace& place) const;
  template <int Dim>
  void SetSides(spanwise::LatticeSetup<Dim>& setup) const;
  template <int Dim>
  void StartFlow(const spanwise::RankGroup& group, const spanwise::FrameChoice& choice,
    const spanwise::InputCells& obstacle, vtkDataObject* probes);

  std::unique_ptr<Internals> Kept;
};

#endif
