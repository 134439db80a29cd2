/**
 * @class   vtkSpanwiseLevelsToUnstructuredGrid
 * @brief   a hierarchy of levels as one unstructured grid without hanging nodes
 *
 * Contours, and whatever else interpolates between points, have no cracks where levels meet: cells of the output share
 * whole edges and whole faces, and every node has one value. A leaf without smaller neighbours stays a quadrilateral or
 * a hexahedron; any other one is split around its centre, into triangles (2D) or pyramids and tetrahedra (3D). Levels
 * may differ by any number, and leaves may be missing.
 *
 * Cell arrays become point arrays of the same names: the mean over the leaves at a node, weighted by the share of the
 * node's surroundings that a leaf takes, divided by its size. That is exact for linear functions inside of the domain
 * where neighbours differ by at most one level; at the domain's boundary, as everywhere, only what is inside counts.
 * The node at a leaf's centre has the leaf's value. Whole numbers become doubles. The cells carry the cell arrays too.
 *
 * The input is whatever vtkSpanwiseGridToLevels takes. O(nodes log nodes). In parallel a rank makes the cells of its
 * planes of level 0 and asks the others for one plane beside them; the values are the same for any number of ranks, and
 * nodes between two ranks are on both.
 */
#ifndef vtkSpanwiseLevelsToUnstructuredGrid_h
#define vtkSpanwiseLevelsToUnstructuredGrid_h

#include "spanwiseMultilevelModule.h"
#include "vtkSpanwiseLevelsAlgorithm.h"

class SPANWISEMULTILEVEL_EXPORT vtkSpanwiseLevelsToUnstructuredGrid : public vtkSpanwiseLevelsAlgorithm {
public:
  static vtkSpanwiseLevelsToUnstructuredGrid* New();
  vtkTypeMacro(vtkSpanwiseLevelsToUnstructuredGrid, vtkSpanwiseLevelsAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwiseLevelsToUnstructuredGrid() = default;
  ~vtkSpanwiseLevelsToUnstructuredGrid() override = default;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) override;

private:
  vtkSpanwiseLevelsToUnstructuredGrid(const vtkSpanwiseLevelsToUnstructuredGrid&) = delete;
  void operator=(const vtkSpanwiseLevelsToUnstructuredGrid&) = delete;
};

#endif
