/**
 * @class vtkSpanwiseGeometryFilter
 * @brief the geometry that a representation gives to its view
 *
 * The surface of a grid that carries intervals comes straight from the intervals. It is exact as long as it has at most
 * MaximumNumberOfPolygons polygons; otherwise it is a coarse overview that stands for the grid until the mapper draws
 * what a view needs. All other data, and everything that needs more than a surface (outlines, normals, feature edges,
 * triangulation), is left to the superclass.
 */
#ifndef vtkSpanwiseGeometryFilter_h
#define vtkSpanwiseGeometryFilter_h

#include "SpanwiseStockGeometryFilter.h"

#include <string>

class vtkPolyData;
class vtkUnstructuredGrid;

class vtkSpanwiseGeometryFilter : public SpanwiseStockGeometryFilter {
public:
  static vtkSpanwiseGeometryFilter* New();
  vtkTypeMacro(vtkSpanwiseGeometryFilter, SpanwiseStockGeometryFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Whether runs of cells are merged. An overview of cells has just one array: the one that colours it.
   */
  vtkSetMacro(MergeRuns, bool);
  vtkSetMacro(CellArrayName, std::string);
  vtkSetMacro(PointArrayName, std::string);
  vtkSetMacro(MaximumNumberOfPolygons, vtkIdType);
  ///@}

  /**
   * Whether points have normals of the smooth surface that the cells stand for; not with merged runs. Off by default.
   */
  vtkSetMacro(SmoothShading, bool);

  /**
   * Up to so many polygons of cells, every cell is in the output with all its arrays, whatever else is set. 0 by
   * default.
   */
  vtkSetMacro(NumberOfCertainPolygons, vtkIdType);

  /// What the last execution made of its input.
  enum class Result {
    Stock,   ///< the superclass's geometry: the input has no intervals, or more than a surface was wanted
    Cells,   ///< every cell, exactly
    Runs,    ///< merged runs, exactly
    Overview ///< a coarse overview
  };
  Result GetResult() const { return this->LastResult; }

  /**
   * How many polygons the exact surface of the cells of the last input has.
   */
  vtkGetMacro(NumberOfCellPolygons, vtkIdType);

  /**
   * The bounds of the cells that the last output stands for; an overview is somewhat larger.
   */
  vtkGetVector6Macro(ExactBounds, double);

  /**
   * Whether this filter treats the data itself.
   */
  bool Treats(vtkDataObject* data) const;

  /**
   * An overview of `grid` with at most so many polygons, of cells or runs as was set.
   */
  void MakeOverview(vtkUnstructuredGrid* grid, vtkIdType polygons, vtkPolyData* output);

protected:
  vtkSpanwiseGeometryFilter() = default;
  ~vtkSpanwiseGeometryFilter() override = default;

  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkSpanwiseGeometryFilter(const vtkSpanwiseGeometryFilter&) = delete;
  void operator=(const vtkSpanwiseGeometryFilter&) = delete;

  template <int Dim>
  Result MakeSurface(vtkUnstructuredGrid* input, vtkPolyData* output);
  void AddProcessIds(vtkPolyData* output);

  bool MergeRuns = false;
  bool SmoothShading = false;
  std::string CellArrayName;
  std::string PointArrayName;
  vtkIdType MaximumNumberOfPolygons = 4000000;
  vtkIdType NumberOfCertainPolygons = 0;
  Result LastResult = Result::Stock;
  vtkIdType NumberOfCellPolygons = 0;
  double ExactBounds[6] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0};
};

#endif
