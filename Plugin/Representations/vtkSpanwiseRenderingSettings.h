/**
 * @class vtkSpanwiseRenderingSettings
 * @brief how render views show grids that carry intervals
 *
 * This is a singleton: New() gives the one object.
 */

#ifndef vtkSpanwiseRenderingSettings_h
#define vtkSpanwiseRenderingSettings_h

#include "spanwiseRepresentationsModule.h"
#include "vtkObject.h"

class SPANWISEREPRESENTATIONS_EXPORT vtkSpanwiseRenderingSettings : public vtkObject {
public:
  static vtkSpanwiseRenderingSettings* New();
  static vtkSpanwiseRenderingSettings* GetInstance();
  vtkTypeMacro(vtkSpanwiseRenderingSettings, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Grids whose surface has at most so many polygons are drawn as a whole and exactly, whatever the view. Larger ones
   * are drawn at the detail that the view needs. One million by default.
   */
  vtkSetClampMacro(ExactPolygons, int, 1, VTK_INT_MAX);
  vtkGetMacro(ExactPolygons, int);
  ///@}

  ///@{
  /**
   * Of larger grids, no more than so many polygons are drawn at a time. Four million by default, which take some 600
   * MB.
   */
  vtkSetClampMacro(MaximumPolygons, int, 1, VTK_INT_MAX);
  vtkGetMacro(MaximumPolygons, int);
  ///@}

  ///@{
  /**
   * In larger grids, cells are drawn in blocks where a block is no larger than so many pixels. 1 by default.
   */
  vtkSetClampMacro(PixelSize, double, 0.1, 100.0);
  vtkGetMacro(PixelSize, double);
  ///@}

protected:
  vtkSpanwiseRenderingSettings() = default;
  ~vtkSpanwiseRenderingSettings() override = default;

private:
  vtkSpanwiseRenderingSettings(const vtkSpanwiseRenderingSettings&) = delete;
  void operator=(const vtkSpanwiseRenderingSettings&) = delete;

  int ExactPolygons = 1000000;
  int MaximumPolygons = 4000000;
  double PixelSize = 1.0;
};

#endif
