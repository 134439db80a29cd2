/**
 * @class   vtkSpanwiseEikonalArrivalTime
 * @brief   when fronts that start at sources arrive on a mesh, a grid of intervals, an image, or levels
 *
 * Solves sqrt(grad u^T M grad u) = 1. M = c^2 I is the speed c, and the travel time along a vector e is
 * sqrt(e^T M^-1 e). The output is the input with the array ResultArrayName and, in its field data, what the iteration
 * took.
 *
 * - On a mesh, an unstructured grid without intervals or polygonal data, times are those of points. Fronts go through
 *   tetrahedra, or through triangles where there are no solid cells; other cells are split without new points, so that
 *   neighbours agree. First order in the size of the cells (Z. Fu, R. M. Kirby, R. T. Whitaker, SIAM J. Sci. Comput. 35
 *   (2013)) or second (J. A. Sethian, A. Vladimirsky, Proc. Natl. Acad. Sci. 97 (2000)), as Order says.
 * - On a grid of intervals, and on an image, whose cells are a lattice, times are those at the centres of cells, by
 *   differences of first or second order. Cells that are not there, or that vtkGhostType marks, are walls. Axes
 *   may be periodic. Levels of leaf cells (vtkPartitionedDataSetCollection, see vtkSpanwiseGridToLevels) are taken for
 *   the mesh without hanging nodes that they make, and times are those at the centres of leaves; their axes may
 *   be periodic too, with periods of whole cells of level 0. To take a grid of intervals for a mesh, make it one
 *   (vtkSpanwiseIntervalsToUnstructuredGrid).
 *
 * Fronts start
 * - PLACED_POINTS: at SourcePoints, anywhere in a cell;
 * - POINTS: at the points of the second input, anywhere in a cell;
 * - SURFACE: at the triangles, quadrilaterals and lines of the second input, which may cut cells; on grids the cells
 *   that they touch and those up to two away start at the travel time to the surface, in 2D to what of it is in the
 *   plane;
 * - SOURCE_ARRAY: where input array 0 says so: at points, or at cells; of meshes at all points of these cells;
 * - CELLS: at the cells that the second input, of equal cells on the same lattice, shares with the first; on grids.
 *
 * The speed is a CONSTANT, a CONSTANT_TENSOR, or input array 1 (SPEED_ARRAY): speeds on points or on cells, or on cells
 * the tensor M with 6 (xx yy zz xy yz xz) or 9 components; in 2D grids also with 3 (xx yy xy) or 4. The slowness of a
 * cell is the mean of those of its points.
 *
 * Cells without extent are skipped and named in a warning. What no front reaches has the time infinity, or what is
 * chosen for it. An input without cells is no error. Errors are a cell that is not linear (see
 * vtkSpanwiseElementQuality), no source, a source point outside of all cells, a speed that is not positive, and a
 * tensor that is not positive definite.
 *
 * In parallel each rank has the times of its own piece of a mesh, those of ghost cells' points and gradients too: the
 * same as on one rank, to the last bit, however the mesh is cut. Points of several ranks are one if they have the same
 * global id, or where not all ranks have ids the same coordinates. Ghost cells do not count. Sources may be on any
 * rank; one that names a point or cell is enough. Numbers in the field data are those of all ranks. Grids of intervals
 * are cut into slabs, one for each rank, levels along planes of level 0, and images stay in their pieces; the values
 * are those of one rank, bit by bit.
 */
#ifndef vtkSpanwiseEikonalArrivalTime_h
#define vtkSpanwiseEikonalArrivalTime_h

#include "SpanwiseController.h"
#include "SpanwisePeriodicAxes.h" // for the properties
#include "SpanwisePlacedPoints.h"
#include "spanwiseEikonalModule.h"
#include "vtkPassInputTypeAlgorithm.h"

#include <limits>
#include <string>

class vtkDataArray;
class vtkDataSet;

namespace spanwise {
class RankGroup;
struct ArrivalSettings;
struct ArrivalSummary;
} // namespace spanwise

class SPANWISEEIKONAL_EXPORT vtkSpanwiseEikonalArrivalTime : public vtkPassInputTypeAlgorithm {
public:
  static vtkSpanwiseEikonalArrivalTime* New();
  vtkTypeMacro(vtkSpanwiseEikonalArrivalTime, vtkPassInputTypeAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum SourceKinds { PLACED_POINTS = 0, POINTS = 1, SURFACE = 2, SOURCE_ARRAY = 3, CELLS = 4 };
  enum SourceArrayMeanings { MARKS = 0, TIMES = 1 };
  enum SpeedKinds { CONSTANT = 0, CONSTANT_TENSOR = 1, SPEED_ARRAY = 2, FIBRES = 3 };
  enum CellKinds { HIGHEST = 0, FLAT = 1, SOLID = 2 };
  enum Orders { FIRST = 1, SECOND = 2 };
  enum UnreachedTimes { INFINITE = 0, NOT_A_NUMBER = 1, GIVEN_TIME = 2 };

  ///@{
  /**
   * Where fronts start. Default: PLACED_POINTS.
   */
  vtkSetMacro(Sources, int);
  vtkGetMacro(Sources, int);
  ///@}

  ///@{
  /**
   * Points in space where fronts start with PLACED_POINTS. None by default: then fronts start at the place in a cell
   * that is nearest to the middle of the input's bounds.
   */
  void SetNumberOfSourcePoints(int count);
  int GetNumberOfSourcePoints() const;
  void SetSourcePoint(int index, double x, double y, double z);
  void SetSourcePoint(int index, const double point[3]) { this->SetSourcePoint(index, point[0], point[1], point[2]); }
  ///@}

  ///@{
  /**
   * The data set whose points or cells are the sources with POINTS, SURFACE and CELLS: the second input.
   */
  void SetSourceConnection(vtkAlgorithmOutput* output) { this->SetInputConnection(1, output); }
  void SetSourceData(vtkDataObject* data) { this->SetInputData(1, data); }
  ///@}

  ///@{
  /**
   * The array of the second input that says when fronts start: on its points with POINTS, on its cells with SURFACE and
   * CELLS. Empty, the default: all start at 0.
   */
  vtkSetStdStringFromCharMacro(SourceTimes);
  vtkGetCharFromStdStringMacro(SourceTimes);
  ///@}

  ///@{
  /**
   * What input array 0 says with SOURCE_ARRAY. MARKS: fronts start at 0 where a value is not 0. TIMES: they start at
   * the time that is the value, where it is finite. Default: MARKS.
   */
  vtkSetMacro(SourceArrayMeaning, int);
  vtkGetMacro(SourceArrayMeaning, int);
  ///@}

  ///@{
  /**
   * Source points that are beside all cells, by at most this length, start at the nearest place in one. (Of flat cells
   * among solid ones, those that are within it of the plane of a triangle which they are above.) Default: 0.
   */
  vtkSetMacro(Reach, double);
  vtkGetMacro(Reach, double);
  ///@}

  ///@{
  /**
   * How fast fronts travel: CONSTANT, CONSTANT_TENSOR, SPEED_ARRAY or FIBRES. Default: CONSTANT.
   */
  vtkSetMacro(SpeedKind, int);
  vtkGetMacro(SpeedKind, int);
  ///@}

  ///@{
  /**
   * The speed with CONSTANT, a length a time. Positive. Default: 1.
   */
  vtkSetMacro(Speed, double);
  vtkGetMacro(Speed, double);
  ///@}

  ///@{
  /**
   * The tensor M with CONSTANT_TENSOR: xx yy zz xy yz xz. Positive definite. Default: the identity.
   */
  vtkSetVector6Macro(Tensor, double);
  vtkGetVector6Macro(Tensor, double);
  ///@}

  /**
   * Sets Tensor from all nine components of the matrix M, row by row. One that is not symmetric, to a millionth, is an
   * error, and the tensor stays what it was.
   */
  void SetTensorMatrix(const double matrix[9]);

  ///@{
  /**
   * The speeds along and across fibres with FIBRES, a length a time. Input array 2, on points or cells, has their
   * directions: 3 components, of any length but 0, which is no fibres, and fronts travel at the speed across there.
   * Positive. Defaults: 1.
   */
  vtkSetMacro(SpeedAlongFibres, double);
  vtkGetMacro(SpeedAlongFibres, double);
  vtkSetMacro(SpeedAcrossFibres, double);
  vtkGetMacro(SpeedAcrossFibres, double);
  ///@}

  ///@{
  /**
   * Whether cells of speed 0 are walls that nothing goes through; otherwise they are an error. Default: off.
   */
  vtkSetMacro(ZeroSpeedIsWall, bool);
  vtkGetMacro(ZeroSpeedIsWall, bool);
  vtkBooleanMacro(ZeroSpeedIsWall, bool);
  ///@}

  ///@{
  /**
   * Which cells of a mesh fronts go through: the solid ones if there are some, else the flat ones (HIGHEST); the FLAT
   * or the SOLID ones. Default: HIGHEST.
   */
  vtkSetMacro(Cells, int);
  vtkGetMacro(Cells, int);
  ///@}

  ///@{
  /**
   * Points of a mesh within this distance of each other, also by way of others, are one for fronts, in the place of the
   * one with the least coordinates; 0: those in the same place; negative: none are. Default: -1.
   */
  vtkSetMacro(MergeDistance, double);
  vtkGetMacro(MergeDistance, double);
  ///@}

  ///@{
  /**
   * The order of the times: FIRST, which on grids and images are never before the exact ones in a constant medium
   * without walls, or SECOND, which is far nearer to them where times are smooth. On meshes and levels nearest sources
   * stay those of the times of first order. Default: FIRST.
   */
  vtkSetMacro(Order, int);
  vtkGetMacro(Order, int);
  ///@}

  ///@{
  /**
   * Whether times are factored around source points, within FactoringRadius of each: they are exact then in constant
   * media where nothing is in the way, and of first order in others. On meshes only what a straight line explains is
   * factored, so that no radius is better than a finite one. Defaults: on, infinity.
   */
  vtkSetMacro(FactorTimes, bool);
  vtkGetMacro(FactorTimes, bool);
  vtkBooleanMacro(FactorTimes, bool);
  vtkSetMacro(FactoringRadius, double);
  vtkGetMacro(FactoringRadius, double);
  ///@}

  ///@{
  /**
   * Times after this one are not computed. Default: infinity.
   */
  vtkSetMacro(StopTime, double);
  vtkGetMacro(StopTime, double);
  ///@}

  ///@{
  /**
   * The name of an array of the input, on the points of a mesh, the cells of a grid or an image, or the leaves of
   * levels: when all points, cells or leaves where it is not 0 have their times the iteration ends, and times after the
   * last of them, of leaves at their corners, are not computed. Where no front comes to one of them it goes on to the
   * end. Default: "", which is none.
   */
  vtkSetStdStringFromCharMacro(StopRegion);
  vtkGetCharFromStdStringMacro(StopRegion);
  ///@}

  ///@{
  /**
   * What an update must lower a time by to count, as a share of it. Default: 1e-13.
   */
  vtkSetMacro(Tolerance, double);
  vtkGetMacro(Tolerance, double);
  ///@}

  ///@{
  /**
   * The most iterations; 0: no limit. Where it ends the iteration, a warning says so. Default: 0.
   */
  vtkSetMacro(MaximumIterations, vtkIdType);
  vtkGetMacro(MaximumIterations, vtkIdType);
  ///@}

  ///@{
  /**
   * The time of points or cells that no front reaches: INFINITE, NOT_A_NUMBER, or UnreachedTime (GIVEN_TIME). Default:
   * INFINITE.
   */
  vtkSetMacro(Unreached, int);
  vtkGetMacro(Unreached, int);
  vtkSetMacro(UnreachedTime, double);
  vtkGetMacro(UnreachedTime, double);
  ///@}

  ///@{
  /**
   * Whether points, or cells of a grid, get the number of the source that their time came from, as the array "Nearest
   * Source", a Voronoi map by travel time: of a second input its point or cell, of placed points the place among them,
   * of an array the point or cell of the input (of a mesh in pieces on ranks its global id, if there are some, else
   * counted over the ranks, one rank's after the other's); -1 where no front came. Default: off.
   */
  vtkSetMacro(ComputeNearestSource, bool);
  vtkGetMacro(ComputeNearestSource, bool);
  vtkBooleanMacro(ComputeNearestSource, bool);
  ///@}

  ///@{
  /**
   * Whether cells get the gradient of the times, as the array "Gradient": NaN where a point of the cell has no time,
   * and in cells that fronts do not go through. On grids it is 0 in cells that fronts start from. Default: off.
   */
  vtkSetMacro(ComputeGradient, bool);
  vtkGetMacro(ComputeGradient, bool);
  vtkBooleanMacro(ComputeGradient, bool);
  ///@}

  ///@{
  /**
   * The name of the array with the times. Default: "Arrival Time".
   */
  vtkSetStdStringFromCharMacro(ResultArrayName);
  vtkGetCharFromStdStringMacro(ResultArrayName);
  ///@}

  /// The output as a data set; null if it is none.
  vtkDataSet* GetDataSetOutput();

protected:
  vtkSpanwiseEikonalArrivalTime();
  ~vtkSpanwiseEikonalArrivalTime() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  int Sources = PLACED_POINTS;
  std::string SourceTimes;
  int SourceArrayMeaning = MARKS;
  double Reach = 0.0;
  int SpeedKind = CONSTANT;
  double Speed = 1.0;
  double Tensor[6] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
  double SpeedAlongFibres = 1.0;
  double SpeedAcrossFibres = 1.0;
  bool ZeroSpeedIsWall = false;
  int Cells = HIGHEST;
  double MergeDistance = -1.0;
  int Order = FIRST;
  bool FactorTimes = true;
  double FactoringRadius = std::numeric_limits<double>::infinity();
  double StopTime = std::numeric_limits<double>::infinity();
  std::string StopRegion;
  double Tolerance = 1e-13;
  vtkIdType MaximumIterations = 0;
  int Unreached = INFINITE;
  double UnreachedTime = 0.0;
  bool ComputeNearestSource = false;
  bool ComputeGradient = false;
  std::string ResultArrayName = "Arrival Time";

private:
  vtkSpanwiseEikonalArrivalTime(const vtkSpanwiseEikonalArrivalTime&) = delete;
  void operator=(const vtkSpanwiseEikonalArrivalTime&) = delete;

  void CheckProperties() const;
  spanwise::ArrivalSettings GetSettings();
  spanwise::ArrivalSummary Solve(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output);
  void Tell(const spanwise::ArrivalSummary& summary, vtkDataObject* output);
  vtkDataArray* GetChosenArray(int index, const char* what, vtkDataSet* data, bool& onPoints);

  spanwise::PlacedPoints PlacedPoints;

  SPANWISE_CONTROLLER();
  SPANWISE_PERIODIC_AXES();
};

#endif
