/**
 * @class   vtkSpanwiseComponents
 * @brief   the connected components of a set of cells
 *
 * Two cells are in one component if a chain of neighbours joins them. Components are numbered from 0 in the order of
 * their first cells (by row, then x), and keep their numbers when only some of them are kept.
 *
 * Port 0: the cells that are kept, with the cell arrays of the input and
 *
 * - ComponentId: the number of the cell's component;
 * - ComponentSize: how many cells the component has.
 *
 * Both are computed from 8 bytes an interval, not stored for each cell. Field data: "Number of Components" and "Euler
 * Number" of the whole input (components minus tunnels plus cavities; components minus holes in 2D), the latter not for
 * edges in 3D.
 *
 * Port 1: a table with a line for each component that is kept: Component, Cells, Bounds and Centroid.
 *
 * O(rows + intervals). In parallel the planes beside cuts travel, and each rank lists the components whose first cell
 * it has.
 */
#ifndef vtkSpanwiseComponents_h
#define vtkSpanwiseComponents_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwisePeriodicAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseComponents : public vtkSpanwisePeriodicAlgorithm {
public:
  static vtkSpanwiseComponents* New();
  vtkTypeMacro(vtkSpanwiseComponents, vtkSpanwisePeriodicAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Connectivities { FACES = 0, EDGES = 1, VERTICES = 2 };

  ///@{
  /**
   * Which cells are neighbours: those that share a face (4 in 2D, 6 in 3D), an edge (8, 18) or a vertex (8, 26).
   * Default: FACES.
   */
  vtkSetMacro(Connectivity, int);
  vtkGetMacro(Connectivity, int);
  ///@}

  enum Keeps { ALL = 0, LARGEST = 1, BY_SIZE = 2, CONTAINING_POINT = 3 };

  ///@{
  /**
   * Which components are kept: all, the largest (the first of several), those with a size from SmallestSize to
   * LargestSize, or the one that contains SeedPoint. Default: ALL.
   */
  vtkSetMacro(Keep, int);
  vtkGetMacro(Keep, int);
  ///@}

  ///@{
  /**
   * BY_SIZE: the least and the largest number of cells. A LargestSize of 0, the default, is no limit.
   */
  vtkSetMacro(SmallestSize, vtkIdType);
  vtkGetMacro(SmallestSize, vtkIdType);
  vtkSetMacro(LargestSize, vtkIdType);
  vtkGetMacro(LargestSize, vtkIdType);
  ///@}

  ///@{
  /**
   * CONTAINING_POINT: a point in a cell of the component. In 2D z does not matter. Default: 0.
   */
  vtkSetVector3Macro(SeedPoint, double);
  vtkGetVector3Macro(SeedPoint, double);
  ///@}

protected:
  vtkSpanwiseComponents();
  ~vtkSpanwiseComponents() override = default;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Connectivity = FACES;
  int Keep = ALL;
  vtkIdType SmallestSize = 1;
  vtkIdType LargestSize = 0;
  double SeedPoint[3] = {0.0, 0.0, 0.0};

private:
  vtkSpanwiseComponents(const vtkSpanwiseComponents&) = delete;
  void operator=(const vtkSpanwiseComponents&) = delete;

  template <class Cells>
  void MakeComponents(const spanwise::RankGroup& group, Cells& cells, const spanwise::InputCells& input,
    vtkDataSet* data, vtkUnstructuredGrid* output);
};

#endif
