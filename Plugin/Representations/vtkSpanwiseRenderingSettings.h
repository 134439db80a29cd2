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

class SPANWISEREPRESENTATIONS_EXPORT vtkSpanwiseRenderingSettings : public vtkObject
{
public:
  static vtkSpanwiseRenderingSettings* New();
  static vtkSpanwiseRenderingSettings* GetInstance();
  vtkTypeMacro(vtkSpanwiseRenderingSettings, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Grids whose surface has at most so many thousand polygons are drawn as a whole and exactly, whatever the view. Larger
   * ones are drawn at the detail that the view needs. 1000 by default.
   */
  vtkSetClampMacro(ExactPolygons, int, 1, 2000000);
  vtkGetMacro(ExactPolygons, int);
  ///@}

  ///@{
  /**
   * Of larger grids, no more than so many thousand polygons are drawn at a time. 4000 by default, which takes some 600 MB.
   */
  vtkSetClampMacro(MaximumPolygons, int, 1, 2000000);
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

  int ExactPolygons = 1000;
  int MaximumPolygons = 4000;
  double PixelSize = 1.0;
};

#endif
