/**
 * @class   vtkSpanwiseExtractRegion
 * @brief   the cells of a grid inside or outside of a box, a sphere, or another set of cells
 *
 * Port 0 is a data set that carries intervals or is made of axis-aligned equal cells; port 1, which is needed for SET
 * alone, another one. Their lattices may be shifted by whole cells; spacings that differ are an error.
 *
 * In 2D only x and y of the region matter. All cell arrays are carried along.
 *
 * O(rows + intervals) of the grid, however large the region is, and O(cells) for each array carried. In parallel ranks
 * need nothing of each other for a box or a sphere; for a set the two inputs are first brought to one cut.
 */
#ifndef vtkSpanwiseExtractRegion_h
#define vtkSpanwiseExtractRegion_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseGridAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseExtractRegion : public vtkSpanwiseGridAlgorithm {
public:
  static vtkSpanwiseExtractRegion* New();
  vtkTypeMacro(vtkSpanwiseExtractRegion, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Regions { BOX = 0, SPHERE = 1, SET = 2 };

  ///@{
  /**
   * What the cells are taken from. Default: BOX.
   */
  vtkSetMacro(Region, int);
  vtkGetMacro(Region, int);
  ///@}

  enum Sides { INSIDE = 0, OUTSIDE = 1 };

  ///@{
  /**
   * Which cells are kept. Default: INSIDE.
   */
  vtkSetMacro(Side, int);
  vtkGetMacro(Side, int);
  ///@}

  enum CellTests { CENTERS = 0, TOUCHING = 1 };

  ///@{
  /**
   * BOX, SPHERE: which cells are inside: those whose centres are (at least the box's corner and less than its lengths
   * further, or at most the radius away), or those that the region reaches into. Default: CENTERS.
   */
  vtkSetMacro(Cells, int);
  vtkGetMacro(Cells, int);
  ///@}

  ///@{
  /**
   * BOX: the lower corner and the side lengths, which must not be negative.
   */
  vtkSetVector3Macro(Corner, double);
  vtkGetVector3Macro(Corner, double);
  vtkSetVector3Macro(Lengths, double);
  vtkGetVector3Macro(Lengths, double);
  ///@}

  ///@{
  /**
   * SPHERE: the centre, and the radius, which must not be negative.
   */
  vtkSetVector3Macro(Center, double);
  vtkGetVector3Macro(Center, double);
  vtkSetMacro(Radius, double);
  vtkGetMacro(Radius, double);
  ///@}

protected:
  vtkSpanwiseExtractRegion();
  ~vtkSpanwiseExtractRegion() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Region = BOX;
  int Side = INSIDE;
  int Cells = CENTERS;
  double Corner[3] = {-0.5, -0.5, -0.5};
  double Lengths[3] = {1.0, 1.0, 1.0};
  double Center[3] = {0.0, 0.0, 0.0};
  double Radius = 0.5;

private:
  vtkSpanwiseExtractRegion(const vtkSpanwiseExtractRegion&) = delete;
  void operator=(const vtkSpanwiseExtractRegion&) = delete;

  void CheckProperties() const;
  template <class AlignedInputs>
  void MakeSet(const spanwise::RankGroup& group, AlignedInputs& aligned, vtkUnstructuredGrid* output);
};

#endif
