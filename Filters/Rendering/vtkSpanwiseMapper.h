/**
 * @class vtkSpanwiseMapper
 * @brief draws a grid that is made of intervals at the detail that the view needs
 *
 * The mapper's input is a surface of the grid that stands for it wherever a camera is not known: in bounds, exports and
 * other renderers. With a grid and FollowView, each rendering draws the part of the grid in view instead: its
 * cells where they are larger than PixelSize pixels, and otherwise the largest blocks of 2^k cells along each axis that
 * are not. Beyond MaximumNumberOfPolygons, larger blocks are drawn.
 *
 * When the view is rendered for a hardware selection, cells are drawn whatever the input is, so that cells are picked
 * and never runs of them; a block that is smaller than a pixel stands for one of its cells. Without a grid the mapper
 * is its superclass.
 */
#ifndef vtkSpanwiseMapper_h
#define vtkSpanwiseMapper_h

#include "spanwiseRenderingModule.h"
#include "vtkCompositePolyDataMapper.h"

#include <memory>

class vtkUnstructuredGrid;

class SPANWISERENDERING_EXPORT vtkSpanwiseMapper : public vtkCompositePolyDataMapper {
public:
  static vtkSpanwiseMapper* New();
  vtkTypeMacro(vtkSpanwiseMapper, vtkCompositePolyDataMapper);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The grid behind the input; null: there is none, or the input is exact anyway.
   */
  void SetGrid(vtkUnstructuredGrid* grid);
  vtkUnstructuredGrid* GetGrid();
  ///@}

  ///@{
  /**
   * Whether a rendering draws what the view needs, or the input. A selection always draws what the view needs. Off by
   * default.
   */
  vtkSetMacro(FollowView, bool);
  vtkGetMacro(FollowView, bool);
  vtkBooleanMacro(FollowView, bool);
  ///@}

  ///@{
  /**
   * Whether merged runs are drawn, which have no arrays. Off by default: cells.
   */
  vtkSetMacro(MergeRuns, bool);
  vtkGetMacro(MergeRuns, bool);
  vtkBooleanMacro(MergeRuns, bool);
  ///@}

  enum ShadingEnum { FACES = 0, SMOOTH = 1 };
  ///@{
  /**
   * Whether light falls on faces in 3D as they are, or as on the smooth surface that the cells stand for, which needs
   * cells and not merged runs. FACES by default.
   */
  vtkSetClampMacro(Shading, int, FACES, SMOOTH);
  vtkGetMacro(Shading, int);
  ///@}

  ///@{
  /**
   * How large in pixels a block of cells may be that is drawn in place of them. 1 by default.
   */
  vtkSetClampMacro(PixelSize, double, 0.01, 1000.0);
  vtkGetMacro(PixelSize, double);
  ///@}

  ///@{
  /**
   * Larger blocks are drawn if the part in view has more polygons than this. Four million by default.
   */
  vtkSetClampMacro(MaximumNumberOfPolygons, vtkIdType, 1, VTK_ID_MAX);
  vtkGetMacro(MaximumNumberOfPolygons, vtkIdType);
  ///@}

  ///@{
  /**
   * The rank that a selection reports for the grid's cells; -1, the default: none.
   */
  vtkSetMacro(ProcessId, int);
  vtkGetMacro(ProcessId, int);
  ///@}

  /**
   * The blocks in the last rendering had 2^k cells along each axis; -1: the input was drawn.
   */
  vtkGetMacro(LastShift, int);

  void Render(vtkRenderer* renderer, vtkActor* actor) override;
  void ReleaseGraphicsResources(vtkWindow* window) override;
  void ProcessSelectorPixelBuffers(
    vtkHardwareSelector* selector, std::vector<unsigned int>& offsets, vtkProp* prop) override;
  void SetPauseShiftScale(bool pause) override;

protected:
  vtkSpanwiseMapper();
  ~vtkSpanwiseMapper() override;

  vtkCompositePolyDataMapperDelegator* CreateADelegator() override;

private:
  vtkSpanwiseMapper(const vtkSpanwiseMapper&) = delete;
  void operator=(const vtkSpanwiseMapper&) = delete;

  bool FollowView = false;
  bool MergeRuns = false;
  int Shading = FACES;
  double PixelSize = 1.0;
  vtkIdType MaximumNumberOfPolygons = 4000000;
  int ProcessId = -1;
  int LastShift = -1;

  class Internals;
  std::unique_ptr<Internals> Private;
};

#endif
