/**
 * @class   vtkSpanwiseIntervalsToImage
 * @brief   a grid made of intervals as an image with a mask
 *
 * The image covers a box of cells, by default the bounding box of the input. Its extent are the cells' coordinates, so
 * the image of a part fits into the image of the whole. 2D grids give images that are flat along z. The cell array Mask
 * is 1 in the cells of the grid and 0 elsewhere; cell arrays have FillValue there, rounded into the range of their
 * type.
 *
 * An image needs memory for every cell of the box: one that would need more than MemoryLimit on a rank is an error, and
 * nothing is allocated. O(cells of the box).
 *
 * The extent of the output depends on the input's cells, so the input is brought up to date when information is asked
 * for. Where filters for images stand behind this one and the bounding box changes with time, give Bounds.
 *
 * In parallel the image is cut into slabs along its slowest axis.
 */
#ifndef vtkSpanwiseIntervalsToImage_h
#define vtkSpanwiseIntervalsToImage_h

#include "SpanwiseController.h"
#include "spanwiseGeometryModule.h"
#include "vtkDataArraySelection.h" // for vtkGetNewMacro
#include "vtkImageAlgorithm.h"
#include "vtkNew.h" // for the member

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseIntervalsToImage : public vtkImageAlgorithm {
public:
  static vtkSpanwiseIntervalsToImage* New();
  vtkTypeMacro(vtkSpanwiseIntervalsToImage, vtkImageAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Cover the cells whose centres lie in Bounds (low <= c < high) instead of the bounding box. Default: off.
   */
  vtkSetMacro(UseBounds, bool);
  vtkGetMacro(UseBounds, bool);
  vtkBooleanMacro(UseBounds, bool);
  vtkSetVector6Macro(Bounds, double);
  vtkGetVector6Macro(Bounds, double);
  ///@}

  ///@{
  /**
   * The value of carried arrays where there is no cell. Default: 0.
   */
  vtkSetMacro(FillValue, double);
  vtkGetMacro(FillValue, double);
  ///@}

  ///@{
  /**
   * Hide the cells that are not in the grid (vtkGhostType), so that they are not drawn. Default: off.
   */
  vtkSetMacro(Blank, bool);
  vtkGetMacro(Blank, bool);
  vtkBooleanMacro(Blank, bool);
  ///@}

  ///@{
  /**
   * The most memory that the arrays of the image may take on a rank, in MiB. Default: 4096.
   */
  vtkSetMacro(MemoryLimit, int);
  vtkGetMacro(MemoryLimit, int);
  ///@}

  ///@{
  /**
   * Carry all cell arrays, or only those that ArraySelection enables. Default: on.
   */
  vtkSetMacro(PassAllArrays, bool);
  vtkGetMacro(PassAllArrays, bool);
  vtkBooleanMacro(PassAllArrays, bool);
  vtkGetNewMacro(ArraySelection, vtkDataArraySelection);
  ///@}

protected:
  vtkSpanwiseIntervalsToImage();
  ~vtkSpanwiseIntervalsToImage() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  bool UseBounds = false;
  double Bounds[6] = {0.0, 1.0, 0.0, 1.0, 0.0, 1.0};
  double FillValue = 0.0;
  bool Blank = false;
  int MemoryLimit = 4096;
  bool PassAllArrays = true;
  vtkNew<vtkDataArraySelection> ArraySelection;

  // All of its ranks must ask for information together.
  SPANWISE_CONTROLLER();

private:
  vtkSpanwiseIntervalsToImage(const vtkSpanwiseIntervalsToImage&) = delete;
  void operator=(const vtkSpanwiseIntervalsToImage&) = delete;
};

#endif
