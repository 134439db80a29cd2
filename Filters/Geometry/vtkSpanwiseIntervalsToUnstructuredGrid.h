/**
 * @class   vtkSpanwiseIntervalsToUnstructuredGrid
 * @brief   a grid made of intervals with explicit points and connectivity
 *
 * The same cells, points and arrays in the same order, as an unstructured grid with coordinates in double and 64-bit
 * connectivity: 53 bytes a 2D cell and more in 3D, for filters and programs that change points or cells in place. An
 * unstructured grid that carries no intervals is passed on as it is. O(cells).
 *
 * Every rank and every piece is converted on its own.
 */
#ifndef vtkSpanwiseIntervalsToUnstructuredGrid_h
#define vtkSpanwiseIntervalsToUnstructuredGrid_h

#include "spanwiseGeometryModule.h"
#include "vtkUnstructuredGridAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseIntervalsToUnstructuredGrid : public vtkUnstructuredGridAlgorithm {
public:
  static vtkSpanwiseIntervalsToUnstructuredGrid* New();
  vtkTypeMacro(vtkSpanwiseIntervalsToUnstructuredGrid, vtkUnstructuredGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseIntervalsToUnstructuredGrid() = default;
  ~vtkSpanwiseIntervalsToUnstructuredGrid() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkSpanwiseIntervalsToUnstructuredGrid(const vtkSpanwiseIntervalsToUnstructuredGrid&) = delete;
  void operator=(const vtkSpanwiseIntervalsToUnstructuredGrid&) = delete;
};

#endif
