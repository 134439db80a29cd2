/**
 * @class vtkSpanwiseSurface
 * @brief the surface of a grid that is made of intervals, straight from the intervals
 *
 * In 2D the surface is the cells themselves, in 3D the faces that no other cell hides. Cells shows each of them as a
 * quad with its cell's values; Runs merges the faces along x into strips of triangles, whose number depends on the
 * intervals and not on the cells, and which have no values; with CoarseningShift k, blocks of 2^k cells along each axis
 * are shown in place of cells, with the mean of floating-point values and one cell's value of all others.
 *
 * Cells that vtkGhostType marks duplicate or hidden are not shown. Faces between a cell and a duplicate one are not
 * shown either. The surface of runs is closed, and none of its vertices lies on an edge of another triangle.
 *
 * The input must carry intervals. Everything runs on the threads of Kokkos' host space.
 */
#ifndef vtkSpanwiseSurface_h
#define vtkSpanwiseSurface_h

#include "spanwiseRenderingModule.h"
#include "vtkPolyDataAlgorithm.h"

class SPANWISERENDERING_EXPORT vtkSpanwiseSurface : public vtkPolyDataAlgorithm {
public:
  static vtkSpanwiseSurface* New();
  vtkTypeMacro(vtkSpanwiseSurface, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Modes { CELLS = 0, RUNS = 1 };

  ///@{
  /**
   * Whether each cell can be told, or runs of cells are merged. CELLS by default.
   */
  vtkSetClampMacro(Mode, int, CELLS, RUNS);
  vtkGetMacro(Mode, int);
  void SetModeToCells() { this->SetMode(CELLS); }
  void SetModeToRuns() { this->SetMode(RUNS); }
  ///@}

  enum ShadingEnum { FACES = 0, SMOOTH = 1 };
  ///@{
  /**
   * Whether points in 3D have normals, of the smooth surface that the cells stand for: the gradient of the occupancy,
   * smoothed over the cells up to three away. Only without merged runs. FACES by default: there are none.
   */
  vtkSetClampMacro(Shading, int, FACES, SMOOTH);
  vtkGetMacro(Shading, int);
  ///@}

  ///@{
  /**
   * Blocks of 2^CoarseningShift cells along each axis are shown in place of cells. 0 by default: cells; at most 30.
   */
  vtkSetClampMacro(CoarseningShift, int, 0, 30);
  vtkGetMacro(CoarseningShift, int);
  ///@}

  ///@{
  /**
   * Larger blocks are shown if there would be more polygons than this. 0, the default, is no limit.
   */
  vtkSetClampMacro(MaximumNumberOfPolygons, vtkIdType, 0, VTK_ID_MAX);
  vtkGetMacro(MaximumNumberOfPolygons, vtkIdType);
  ///@}

  ///@{
  /**
   * Whether the output has the cell behind each polygon as vtkOriginalCellIds (of a block, one of its cells) and the
   * point of the input at each point as vtkOriginalPointIds. Only without merged runs. Off by default.
   */
  vtkSetMacro(PassThroughCellIds, bool);
  vtkGetMacro(PassThroughCellIds, bool);
  vtkBooleanMacro(PassThroughCellIds, bool);
  vtkSetMacro(PassThroughPointIds, bool);
  vtkGetMacro(PassThroughPointIds, bool);
  vtkBooleanMacro(PassThroughPointIds, bool);
  ///@}

protected:
  vtkSpanwiseSurface() = default;
  ~vtkSpanwiseSurface() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkSpanwiseSurface(const vtkSpanwiseSurface&) = delete;
  void operator=(const vtkSpanwiseSurface&) = delete;

  int Mode = CELLS;
  int Shading = FACES;
  int CoarseningShift = 0;
  vtkIdType MaximumNumberOfPolygons = 0;
  bool PassThroughCellIds = false;
  bool PassThroughPointIds = false;
};

#endif
