/**
 * @class   vtkSpanwiseEikonalArrivalTime
 * @brief   when fronts that start at sources arrive at the points of a mesh
 *
 * Solves sqrt(grad u^T M grad u) = 1 on the tetrahedra of a mesh, or on its triangles where it has no solid cells;
 * other cells are split without new points, so that neighbours agree. M = c^2 I is the speed c, and the travel time
 * along a vector e is sqrt(e^T M^-1 e). First order in the size of the cells (Z. Fu, R. M. Kirby, R. T. Whitaker, SIAM
 * J. Sci. Comput. 35 (2013)). The output is the input with the point array ResultArrayName and, in its field data, what
 * the iteration took.
 *
 * Fronts start
 * - PLACED_POINTS: at SourcePoints, anywhere in the mesh;
 * - POINTS: at the points of the second input, anywhere in the mesh;
 * - SURFACE: at the triangles, quadrilaterals and lines of the second input;
 * - ARRAY: where input array 0 says so: at points, or at all points of cells.
 *
 * The speed is a CONSTANT, a CONSTANT_TENSOR, or input array 1 (ARRAY): speeds on points or on cells, or on cells the
 * tensor M with 6 (xx yy zz xy yz xz) or 9 components. The slowness of a cell is the mean of those of its points.
 *
 * Cells without extent are skipped and named in a warning. Points that no front reaches have the time infinity, or what
 * is chosen for them. An input without cells is no error. Errors are a cell that is not linear (see
 * vtkSpanwiseVertexBallReport), no source, a source point outside of the mesh, a speed that is not positive, and a
 * tensor that is not positive definite.
 *
 * In parallel the mesh must be on one rank, whichever; sources may be on any. A mesh in pieces is an error.
 */
#ifndef vtkSpanwiseEikonalArrivalTime_h
#define vtkSpanwiseEikonalArrivalTime_h

#include "spanwiseEikonalModule.h"
#include "vtkSpanwiseMeshAlgorithm.h"

#include <limits>
#include <string>
#include <vector>

namespace spanwise {
class FrontSpeed;
class Team;
struct ArrivalProblem;
struct FrontSources;
namespace eikonal {
struct ArrivalOptions;
struct ArrivalReport;
} // namespace eikonal
} // namespace spanwise

class SPANWISEEIKONAL_EXPORT vtkSpanwiseEikonalArrivalTime : public vtkSpanwiseMeshAlgorithm {
public:
  static vtkSpanwiseEikonalArrivalTime* New();
  vtkTypeMacro(vtkSpanwiseEikonalArrivalTime, vtkSpanwiseMeshAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum SourceKinds { PLACED_POINTS = 0, POINTS = 1, SURFACE = 2, SOURCE_ARRAY = 3 };
  enum SourceArrayMeanings { MARKS = 0, TIMES = 1 };
  enum SpeedKinds { CONSTANT = 0, CONSTANT_TENSOR = 1, SPEED_ARRAY = 2 };
  enum CellKinds { HIGHEST = 0, FLAT = 1, SOLID = 2 };
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
   * Points in space where fronts start with PLACED_POINTS. None by default.
   */
  void SetNumberOfSourcePoints(int count);
  int GetNumberOfSourcePoints() const;
  void SetSourcePoint(int index, double x, double y, double z);
  void SetSourcePoint(int index, const double point[3]) { this->SetSourcePoint(index, point[0], point[1], point[2]); }
  ///@}

  ///@{
  /**
   * The data set whose points or cells are the sources with POINTS and SURFACE: the second input.
   */
  void SetSourceConnection(vtkAlgorithmOutput* output) { this->SetInputConnection(1, output); }
  void SetSourceData(vtkDataObject* data) { this->SetInputData(1, data); }
  ///@}

  ///@{
  /**
   * The array of the second input that says when fronts start: on its points with POINTS, on its cells with SURFACE.
   * Empty, the default: all start at 0.
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
   * Source points that are beside the mesh, by at most this length, start at the nearest place in it. (Of flat cells
   * among solid ones, those that are within it of the plane of a triangle which they are above.) Default: 0.
   */
  vtkSetMacro(Reach, double);
  vtkGetMacro(Reach, double);
  ///@}

  ///@{
  /**
   * How fast fronts travel: CONSTANT, CONSTANT_TENSOR or SPEED_ARRAY. Default: CONSTANT.
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
   * Which cells fronts go through: the solid ones if there are some, else the flat ones (HIGHEST); the FLAT or the
   * SOLID ones. Default: HIGHEST.
   */
  vtkSetMacro(Cells, int);
  vtkGetMacro(Cells, int);
  ///@}

  ///@{
  /**
   * Points within this distance of each other are one for fronts; 0: those in the same place; negative: none are.
   * Default: -1.
   */
  vtkSetMacro(MergeDistance, double);
  vtkGetMacro(MergeDistance, double);
  ///@}

  ///@{
  /**
   * Whether times are factored around source points, within FactoringRadius of each: they are exact in constant media
   * then, and of first order in others. Defaults: on, infinity.
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
   * The time of points that no front reaches: INFINITE, NOT_A_NUMBER, or UnreachedTime (GIVEN_TIME). Default: INFINITE.
   */
  vtkSetMacro(Unreached, int);
  vtkGetMacro(Unreached, int);
  vtkSetMacro(UnreachedTime, double);
  vtkGetMacro(UnreachedTime, double);
  ///@}

  ///@{
  /**
   * Whether points get the number of the source that their time came from, as the array "Nearest Source", a Voronoi map
   * by travel time: of a second input its point or cell, of placed points the place among them, of an array the point
   * or cell of the mesh; -1 where no front came. Default: off.
   */
  vtkSetMacro(ComputeNearestSource, bool);
  vtkGetMacro(ComputeNearestSource, bool);
  vtkBooleanMacro(ComputeNearestSource, bool);
  ///@}

  ///@{
  /**
   * Whether cells get the gradient of the times, as the array "Gradient": NaN where a point has no time and in cells
   * that fronts do not go through. Default: off.
   */
  vtkSetMacro(ComputeGradient, bool);
  vtkGetMacro(ComputeGradient, bool);
  vtkBooleanMacro(ComputeGradient, bool);
  ///@}

  ///@{
  /**
   * The name of the point array with the times. Default: "Arrival Time".
   */
  vtkSetStdStringFromCharMacro(ResultArrayName);
  vtkGetCharFromStdStringMacro(ResultArrayName);
  ///@}

protected:
  vtkSpanwiseEikonalArrivalTime() { this->SetNumberOfInputPorts(2); }
  ~vtkSpanwiseEikonalArrivalTime() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::Team& team, vtkInformationVector** inputs, vtkDataSet* input, vtkDataSet* output) override;

  int Sources = PLACED_POINTS;
  std::string SourceTimes;
  int SourceArrayMeaning = MARKS;
  double Reach = 0.0;
  int SpeedKind = CONSTANT;
  double Speed = 1.0;
  double Tensor[6] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
  bool ZeroSpeedIsWall = false;
  int Cells = HIGHEST;
  double MergeDistance = -1.0;
  bool FactorTimes = true;
  double FactoringRadius = std::numeric_limits<double>::infinity();
  double StopTime = std::numeric_limits<double>::infinity();
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
  void GatherSources(const spanwise::Team& team, vtkInformationVector** inputs, spanwise::FrontSources& sources);
  void Solve(vtkDataSet* input, spanwise::FrontSources& sources, vtkDataSet* output);
  double TimeOfUnreached() const;
  spanwise::FrontSpeed GetFrontSpeed(vtkDataSet* input);
  spanwise::eikonal::ArrivalOptions GetOptions() const;
  template <class Mesh, class Solution>
  void AddResults(const Mesh& mesh, const Solution& solution, int dimension, const spanwise::ArrivalProblem& problem,
    vtkDataSet* output);
  void AddReport(const spanwise::eikonal::ArrivalReport& report, vtkDataSet* output);

  std::vector<double> PlacedPoints; ///< 3 a point
};

#endif
