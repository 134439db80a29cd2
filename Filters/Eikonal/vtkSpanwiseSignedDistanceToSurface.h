/**
 * @class   vtkSpanwiseSignedDistanceToSurface
 * @brief   how far cells are from a triangulated surface
 *
 * Distances are Euclidean and exact, from the centres of cells to the nearest place of the input's polygons and
 * triangle strips, which are cut into fans as by vtkSpanwiseSurfaceToIntervals. They are negative inside (Sign): where
 * that filter makes cells, so a signed distance needs a closed surface, of which MergeTolerance closes seams. Unsigned
 * ones do not. The output is a 3D grid of intervals with the cell array ResultArrayName, in
 *
 * - BAND: all cells whose centres are within Width of the surface, on both sides;
 * - CELLS_INSIDE: the cells inside;
 * - BOX: all cells of the surface's bounds, and as far around them as Margin says;
 * - CELLS_OF_SECOND_INPUT: those of the second input, with their arrays; its cells may lie anywhere.
 *
 * By default the lattice has 256 cells along the longest side of the bounds; the second input has its own. A box that
 * takes more than MemoryLimit is an error. See spanwise::eikonal::distanceToSurface() and makeSurfaceBand().
 *
 * In parallel every rank gets the triangles of all of them, and makes its share of the planes, or does the cells of the
 * second input that it has. Distances have the same bits on any number of ranks.
 */
#ifndef vtkSpanwiseSignedDistanceToSurface_h
#define vtkSpanwiseSignedDistanceToSurface_h

#include "spanwiseEikonalModule.h"
#include "vtkSpanwiseLatticeAlgorithm.h"

#include <string>

class SPANWISEEIKONAL_EXPORT vtkSpanwiseSignedDistanceToSurface : public vtkSpanwiseLatticeAlgorithm {
public:
  static vtkSpanwiseSignedDistanceToSurface* New();
  vtkTypeMacro(vtkSpanwiseSignedDistanceToSurface, vtkSpanwiseLatticeAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Places { CELLS_INSIDE = 0, BAND = 1, BOX = 2, CELLS_OF_SECOND_INPUT = 3 };

  ///@{
  /**
   * Where distances are computed. Default: BAND.
   */
  vtkSetMacro(Where, int);
  vtkGetMacro(Where, int);
  ///@}

  ///@{
  /**
   * BAND: how far from the surface cells may be, a length. Not negative. Default: 1.
   */
  vtkSetMacro(Width, double);
  vtkGetMacro(Width, double);
  ///@}

  ///@{
  /**
   * BOX: how far the box reaches beyond the surface's bounds, a length. Not negative. Default: 1.
   */
  vtkSetMacro(Margin, double);
  vtkGetMacro(Margin, double);
  ///@}

  enum Signs { NEGATIVE_INSIDE = 0, POSITIVE_INSIDE = 1, UNSIGNED = 2 };

  ///@{
  /**
   * The sign of distances inside and outside. Default: NEGATIVE_INSIDE, as that of level sets is. CELLS_INSIDE needs a
   * closed surface whatever the sign.
   */
  vtkSetMacro(Sign, int);
  vtkGetMacro(Sign, int);
  ///@}

  ///@{
  /**
   * How far apart points of a surface that is open may be to count as one, as a share of the diagonal of the bounds. 0
   * merges nothing. Default: 1e-6.
   */
  vtkSetMacro(MergeTolerance, double);
  vtkGetMacro(MergeTolerance, double);
  ///@}

  ///@{
  /**
   * The most memory that the distances of a box may take on all ranks, in MiB. Default: 4096.
   */
  vtkSetMacro(MemoryLimit, int);
  vtkGetMacro(MemoryLimit, int);
  ///@}

  ///@{
  /**
   * The name of the cell array with the distances. Default: "Signed Distance".
   */
  vtkSetStdStringFromCharMacro(ResultArrayName);
  vtkGetCharFromStdStringMacro(ResultArrayName);
  ///@}

protected:
  vtkSpanwiseSignedDistanceToSurface();
  ~vtkSpanwiseSignedDistanceToSurface() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Where = BAND;
  double Width = 1.0;
  double Margin = 1.0;
  int Sign = NEGATIVE_INSIDE;
  double MergeTolerance = 1e-6;
  int MemoryLimit = 4096;
  std::string ResultArrayName = "Signed Distance";

private:
  vtkSpanwiseSignedDistanceToSurface(const vtkSpanwiseSignedDistanceToSurface&) = delete;
  void operator=(const vtkSpanwiseSignedDistanceToSurface&) = delete;

  void CheckProperties() const;
};

#endif
