/**
 * @class   vtkSpanwiseSignedDistanceToSet
 * @brief   how far cells are from the boundary of a set of cells
 *
 * The boundary are the faces between cells of the set, which is the first input, and all others. Distances are
 * Euclidean and exact, from the centres of cells, and negative in the set (Sign). What is not in the set is outside on
 * all sides, but for axes that are periodic. The output is a grid of intervals with the cell array ResultArrayName, in
 *
 * - CELLS_OF_SET: the cells of the set, with their arrays;
 * - BAND: all cells whose centres are within Width of the boundary, on both sides;
 * - BOX: all cells of the bounding box, and as many around it as Margin takes; of the period along periodic axes;
 * - CELLS_OF_SECOND_INPUT: those of the second input, on the same lattice, with their arrays.
 *
 * Both inputs may also be levels of leaf cells (vtkPartitionedDataSetCollection, see vtkSpanwiseGridToLevels). The set
 * is then what the leaves cover together, a face between two leaves is no boundary. In the leaves of levels distances
 * are those at their centres, and the output is these levels, with the array: GetOutputDataObject(0), since GetOutput()
 * knows grids only. A band or a box around levels is a grid of the finest level's cells. Where one input is levels the
 * other one may lie anywhere.
 *
 * All but a band are computed in a box around the cells asked for, and around the set along all axes but x: 8 bytes for
 * each of its cells, 16 on several ranks. More than MemoryLimit is an error. O(cells of the box); a band takes O(cells
 * of the band, times rows within the width). See spanwise::eikonal::signedDistanceInBox(). Where one input is levels
 * there is no box: each centre looks for the nearest blocks (spanwise::eikonal::signedDistanceToLeaves()), and each
 * rank has the intervals of all leaves of the first input.
 *
 * PeriodicX, PeriodicY, PeriodicZ, PeriodBox and PeriodBounds are explained in SpanwisePeriodicAxes.h. Of levels a
 * period is a whole number of cells of level 0.
 *
 * In parallel the lines of cells along the slowest axis are dealt out to the ranks; for a band each rank has a halo of
 * as many planes as the width takes. Distances have the same bits on any number of ranks.
 */
#ifndef vtkSpanwiseSignedDistanceToSet_h
#define vtkSpanwiseSignedDistanceToSet_h

#include "SpanwisePeriodicAxes.h" // for the properties
#include "spanwiseEikonalModule.h"
#include "vtkSpanwiseGridAlgorithm.h"

#include <string>
#include <variant>

class vtkPartitionedDataSetCollection;

namespace spanwise {
struct GridPlacement;
template <int Dim>
struct Hierarchy;
template <int Dim>
struct RankCells;
using AnyHierarchy = std::variant<Hierarchy<2>, Hierarchy<3>>;
} // namespace spanwise

class SPANWISEEIKONAL_EXPORT vtkSpanwiseSignedDistanceToSet : public vtkSpanwiseGridAlgorithm {
public:
  static vtkSpanwiseSignedDistanceToSet* New();
  vtkTypeMacro(vtkSpanwiseSignedDistanceToSet, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Places { CELLS_OF_SET = 0, BAND = 1, BOX = 2, CELLS_OF_SECOND_INPUT = 3 };

  ///@{
  /**
   * Where distances are computed. Default: BOX.
   */
  vtkSetMacro(Where, int);
  vtkGetMacro(Where, int);
  ///@}

  ///@{
  /**
   * BAND: how far from the boundary cells may be, a length. Not negative. Default: 1.
   */
  vtkSetMacro(Width, double);
  vtkGetMacro(Width, double);
  ///@}

  ///@{
  /**
   * BOX: how far the box reaches beyond the set, a length; whole cells that hold it. Not negative. Default: 1.
   */
  vtkSetMacro(Margin, double);
  vtkGetMacro(Margin, double);
  ///@}

  enum Signs { NEGATIVE_INSIDE = 0, POSITIVE_INSIDE = 1, UNSIGNED = 2 };

  ///@{
  /**
   * The sign of distances in the set and outside of it. Default: NEGATIVE_INSIDE, as that of level sets is.
   */
  vtkSetMacro(Sign, int);
  vtkGetMacro(Sign, int);
  ///@}

  ///@{
  /**
   * The most memory that distances in a box may take on a rank, in MiB. Default: 4096.
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
  vtkSpanwiseSignedDistanceToSet();
  ~vtkSpanwiseSignedDistanceToSet() override = default;

  vtkTypeBool ProcessRequest(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Where = BOX;
  double Width = 1.0;
  double Margin = 1.0;
  int Sign = NEGATIVE_INSIDE;
  int MemoryLimit = 4096;
  std::string ResultArrayName = "Signed Distance";

  SPANWISE_PERIODIC_AXES();

private:
  vtkSpanwiseSignedDistanceToSet(const vtkSpanwiseSignedDistanceToSet&) = delete;
  void operator=(const vtkSpanwiseSignedDistanceToSet&) = delete;

  void CheckProperties() const;
  template <int Dim>
  void Compute(const spanwise::RankGroup& group, const spanwise::GridPlacement& placement,
    spanwise::RankCells<Dim>& cells, spanwise::RankCells<Dim>& asked, vtkUnstructuredGrid* output);
  /// What says where distances are asked for.
  vtkDataObject* GetPlaces(vtkInformationVector** inputs) const;
  spanwise::AnyHierarchy ReadSet(const spanwise::RankGroup& group, vtkDataObject* data);
  void MakeGrid(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output);
  void MakeGridOfLevels(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output);
  void MakeLevels(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkPartitionedDataSetCollection* output);
  /// Whether distances in a box cost less than a search from each leaf of the finest level.
  template <int Dim>
  bool FillsABox(const spanwise::RankGroup& group, const spanwise::Hierarchy<Dim>& levels) const;
};

#endif
