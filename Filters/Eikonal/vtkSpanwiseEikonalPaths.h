/**
 * @class   vtkSpanwiseEikonalPaths
 * @brief   the fastest ways from points back to the sources of arrival times
 *
 * The first input is the result of vtkSpanwiseEikonalArrivalTime, on which filters may have worked that keep its
 * points, cells and times. From each seed, a point of the second input or one that is placed in the view, a polyline
 * goes back along the way that the front took, the characteristic, to its source: on meshes and levels straight in each
 * simplex, exact for its front; on grids of intervals and images in steps of half a cell, along the gradient between
 * the centres of cells, and from cell to cell where that leads into a wall.
 *
 * The output has for each point the time ("Arrival Time"), for each line the number of its seed ("Seed") and of the
 * source where it ends ("Source": of a second input its point or cell, of placed points the place among them, of an
 * array the point or cell of the input; -1: it ends elsewhere), and in the field data "Seeds Without Path": those
 * outside of all cells, or where no front came. O(seeds * cells that paths cross), after the solution, which is
 * computed again with what it takes to go back.
 *
 * An error is a first input that has no arrival times which belong to its points or cells.
 *
 * In parallel a path is on the rank that has the cell around its seed, wherever it leads: on a mesh, a grid or an image
 * in pieces it goes from one to the next. Levels are on one rank. Seeds may be on any rank. The field data is the same
 * on all ranks.
 */
#ifndef vtkSpanwiseEikonalPaths_h
#define vtkSpanwiseEikonalPaths_h

#include "SpanwiseController.h"
#include "SpanwisePlacedPoints.h"
#include "spanwiseEikonalModule.h"
#include "vtkPolyDataAlgorithm.h"

namespace spanwise {
class RankGroup;
}

class SPANWISEEIKONAL_EXPORT vtkSpanwiseEikonalPaths : public vtkPolyDataAlgorithm {
public:
  static vtkSpanwiseEikonalPaths* New();
  vtkTypeMacro(vtkSpanwiseEikonalPaths, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum SeedKinds { PLACED_POINTS = 0, POINTS = 1 };

  ///@{
  /**
   * Where paths begin: at SeedPoints (PLACED_POINTS), or at the points of the second input (POINTS). Default:
   * PLACED_POINTS.
   */
  vtkSetMacro(Seeds, int);
  vtkGetMacro(Seeds, int);
  ///@}

  ///@{
  /**
   * Points in space where paths begin with PLACED_POINTS. None by default.
   */
  void SetNumberOfSeedPoints(int count);
  int GetNumberOfSeedPoints() const;
  void SetSeedPoint(int index, double x, double y, double z);
  ///@}

  ///@{
  /**
   * The data set at whose points paths begin with POINTS: the second input.
   */
  void SetSeedConnection(vtkAlgorithmOutput* output) { this->SetInputConnection(1, output); }
  void SetSeedData(vtkDataObject* data) { this->SetInputData(1, data); }
  ///@}

  ///@{
  /**
   * Seeds that are beside all cells, by at most this length, begin at the nearest place in one. Default: 0.
   */
  vtkSetMacro(Reach, double);
  vtkGetMacro(Reach, double);
  ///@}

  ///@{
  /**
   * The most segments of a path. Default: 100000.
   */
  vtkSetMacro(MaximumSteps, vtkIdType);
  vtkGetMacro(MaximumSteps, vtkIdType);
  ///@}

protected:
  vtkSpanwiseEikonalPaths();
  ~vtkSpanwiseEikonalPaths() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  int Seeds = PLACED_POINTS;
  double Reach = 0.0;
  vtkIdType MaximumSteps = 100000;

private:
  vtkSpanwiseEikonalPaths(const vtkSpanwiseEikonalPaths&) = delete;
  void operator=(const vtkSpanwiseEikonalPaths&) = delete;

  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkPolyData* output);

  spanwise::PlacedPoints PlacedPoints;

  SPANWISE_CONTROLLER();
};

#endif
