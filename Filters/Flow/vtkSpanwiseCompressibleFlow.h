/**
 * @class   vtkSpanwiseCompressibleFlow
 * @brief   flow of a gas around an obstacle, on levels of cells that follow it
 *
 * Solves the Euler equations of an ideal gas without friction in a box of cells, by finite volumes (Core's
 * CompressibleFlow). Levels of finer cells follow shocks and other places where the density changes, and stay at the
 * obstacle. Mass and energy are conserved to round-off.
 *
 * The obstacle is a disc in 2D or a ball in 3D (Center, Radius), or the cells of the first input, a grid of intervals
 * on any lattice: a cell of the finest level is solid if its centre is in one of them. The dimension is that of the
 * input then. The box is made around the obstacle, with room for the bow shock and the wake: 2 of its diameters (its
 * greatest length) upstream in x, 4 downstream, 3 to each side; or it is given (Corner, Lengths). Its root cells are
 * cubes, CellsAlongX of them along x.
 *
 * The gas streams with MachNumber times the speed of sound sqrt(Gamma Pressure / Density) along Direction; with the
 * default density and pressure that speed is 1. It streams everywhere at the start, or rests (Start). Each side of the
 * box lets it in, lets it out, is a wall, or is joined with the opposite side (PERIODIC, which both must be).
 *
 * The output has time steps, the frames, at a distance of TimePerFrame; if that is 0, a tenth of the time in which
 * sound crosses the obstacle's diameter, or 1/50 of the time in which it crosses the box along x where there is no
 * obstacle, and the pipeline's time is the number of the frame. A frame is computed when it, or a later one, is asked
 * for the first time, and kept (see SPANWISE_FRAME_PROPERTIES): frames are asked for in any order. A frame takes 8
 * (Dimension + 2) bytes for each cell of the levels.
 *
 * Output 0 is a hierarchy of levels (a collection with a grid of intervals for each level) of the cells that hold gas
 * and have no finer ones, with Density, Velocity, Pressure, Mach, Schlieren (the length of the density's gradient),
 * Vorticity (a vector in 3D), Q Criterion and Level. Derivatives are taken on the levels themselves, so jumps between
 * them do not show. Its field data have "Flow Time", "Flow Steps" and "Raised Cells" (those whose density or pressure
 * had to be raised to stay positive, which should be none). Output 1 is a table (in parallel, of rank 0) with a row
 * after every StepsPerRecord steps of the finest level, at whole steps of the coarsest: Time, Steps, Cells, Mass,
 * Energy, Drag and Lift (the force on the obstacle along the stream and across it towards y; in 2D for a unit of
 * depth), and the state at each point of the second input, the probes.
 *
 * A step costs O(cells), in two stages (one with CONSTANT). In parallel ranks share the planes of the slowest axis, and
 * frames have the same bits on any number of ranks.
 */
#ifndef vtkSpanwiseCompressibleFlow_h
#define vtkSpanwiseCompressibleFlow_h

#include "spanwiseFlowModule.h"
#include "vtkSpanwiseFlowAlgorithm.h"

#include <memory>

namespace spanwise {
namespace flow {
template <int Dim>
struct FlowOptions;
}
struct FlowDomain;
struct FlowPlace;
struct InputCells;
} // namespace spanwise

class SPANWISEFLOW_EXPORT vtkSpanwiseCompressibleFlow : public vtkSpanwiseFlowAlgorithm {
public:
  static vtkSpanwiseCompressibleFlow* New();
  vtkTypeMacro(vtkSpanwiseCompressibleFlow, vtkSpanwiseFlowAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The speed of the stream over that of sound, not negative, and positive where a side is an inflow. Default: 2.
   */
  vtkSetMacro(MachNumber, double);
  vtkGetMacro(MachNumber, double);
  ///@}

  ///@{
  /**
   * The density of the stream, positive. Default: 1.4.
   */
  vtkSetMacro(Density, double);
  vtkGetMacro(Density, double);
  ///@}

  ///@{
  /**
   * Its pressure, positive. Default: 1.
   */
  vtkSetMacro(Pressure, double);
  vtkGetMacro(Pressure, double);
  ///@}

  ///@{
  /**
   * The ratio of specific heats, above 1. Default: 1.4, of air.
   */
  vtkSetMacro(Gamma, double);
  vtkGetMacro(Gamma, double);
  ///@}

  enum StartEnum { STREAM = 0, AT_REST = 1, SHOCK = 2 };
  ///@{
  /**
   * The gas at the start: it streams everywhere, or rests, and the stream hits it. SHOCK: it rests, and a shock of the
   * Mach number comes in where gas flows in; density and pressure are those of the gas at rest then, and what flows in
   * is what there is behind the shock. Default: STREAM.
   */
  vtkSetMacro(Start, int);
  vtkGetMacro(Start, int);
  ///@}

  enum SideEnum { SLIP_WALL = 0, OUTFLOW = 1, INFLOW = 2, PERIODIC = 3 };
  ///@{
  /**
   * What each side of the box is to the gas. OUTFLOW repeats the state within, which is right where the gas leaves
   * faster than sound. Default: INFLOW at the lower side along x, OUTFLOW elsewhere.
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

  enum SensorEnum { GRADIENT = 0, LOEHNER = 1 };
  ///@{
  /**
   * What is refined: cells whose density differs from a neighbour's by GradientLimit times that of the stream; or where
   * the density's second differences are large against first ones (R. Loehner, 1987), above LoehnerLimit, 0 to 1.
   * Default: GRADIENT.
   */
  vtkSetMacro(Sensor, int);
  vtkGetMacro(Sensor, int);
  ///@}

  ///@{
  /**
   * The limit of GRADIENT, positive. Default: 0.05.
   */
  vtkSetMacro(GradientLimit, double);
  vtkGetMacro(GradientLimit, double);
  ///@}

  ///@{
  /**
   * The limit of LOEHNER, positive. Default: 0.3.
   */
  vtkSetMacro(LoehnerLimit, double);
  vtkGetMacro(LoehnerLimit, double);
  ///@}

  ///@{
  /**
   * How many cells around those that are refined are refined too, from 2 to 64. Default: 2.
   */
  vtkSetMacro(BufferCells, int);
  vtkGetMacro(BufferCells, int);
  ///@}

  ///@{
  /**
   * After how many steps levels follow the flow, at least 1. Default: 10.
   */
  vtkSetMacro(StepsPerRemesh, int);
  vtkGetMacro(StepsPerRemesh, int);
  ///@}

  ///@{
  /**
   * Whether a level takes two steps for each one of the level below, as far as StepsPerRemesh allows, rather than all
   * levels the steps of the finest. Default: true.
   */
  vtkSetMacro(Subcycling, bool);
  vtkGetMacro(Subcycling, bool);
  vtkBooleanMacro(Subcycling, bool);
  ///@}

  enum FluxEnum { RUSANOV = 0, HLLC = 1 };
  ///@{
  /**
   * The approximate Riemann solver: robust and diffusive, or sharp at contacts. Default: HLLC.
   */
  vtkSetMacro(Flux, int);
  vtkGetMacro(Flux, int);
  ///@}

  enum ReconstructionEnum { CONSTANT = 0, MINMOD = 1, VAN_LEER = 2 };
  ///@{
  /**
   * What is known of the state within a cell: first order, or second order by limited slopes. Default: VAN_LEER.
   */
  vtkSetMacro(Reconstruction, int);
  vtkGetMacro(Reconstruction, int);
  ///@}

  ///@{
  /**
   * Steps are this part of the least time in which a wave crosses a cell, above 0 and at most 1. Default: 0.4.
   */
  vtkSetMacro(CFLNumber, double);
  vtkGetMacro(CFLNumber, double);
  ///@}

  ///@{
  /**
   * How many steps there are from one row of the report to the next, at least 1. Default: 10.
   */
  vtkSetMacro(StepsPerRecord, int);
  vtkGetMacro(StepsPerRecord, int);
  ///@}

protected:
  vtkSpanwiseCompressibleFlow();
  ~vtkSpanwiseCompressibleFlow() override;

  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

  double MachNumber = 2.0;
  double Density = 1.4;
  double Pressure = 1.0;
  double Gamma = 1.4;
  int Start = STREAM;
  int LowerX = INFLOW;
  int UpperX = OUTFLOW;
  int LowerY = OUTFLOW;
  int UpperY = OUTFLOW;
  int LowerZ = OUTFLOW;
  int UpperZ = OUTFLOW;
  int Sensor = GRADIENT;
  double GradientLimit = 0.05;
  double LoehnerLimit = 0.3;
  int BufferCells = 2;
  int StepsPerRemesh = 10;
  bool Subcycling = true;
  int Flux = HLLC;
  int Reconstruction = VAN_LEER;
  double CFLNumber = 0.4;
  int StepsPerRecord = 10;

private:
  vtkSpanwiseCompressibleFlow(const vtkSpanwiseCompressibleFlow&) = delete;
  void operator=(const vtkSpanwiseCompressibleFlow&) = delete;

  struct Internals;
  void CheckProperties() const;
  template <int Dim>
  spanwise::flow::FlowOptions<Dim> GetOptions(const spanwise::FlowPlace& place) const;
  template <int Dim>
  void StartFlow(const spanwise::RankGroup& group, const spanwise::FrameChoice& choice,
    const spanwise::InputCells& obstacle, vtkDataObject* probes);

  std::unique_ptr<Internals> Kept;
};

#endif
