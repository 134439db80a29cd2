/**
 * @class   vtkSpanwiseCellLocator
 * @brief   finds cells of a grid of intervals by arithmetic
 *
 * Set on every grid of intervals, so that vtkProbeFilter and whatever else asks for cells at places builds neither cell
 * links nor a search tree. It needs no memory and no time to build. All queries are thread safe once BuildLocator() has
 * been called, and answer for the true cells, not for buckets. A point on a face belongs to the cell on the upper side
 * if there is one, as in SpanwiseIntervalGrid.h.
 *
 * A data set that no longer carries intervals (somebody has replaced its points or its cells) is handed over to a
 * vtkStaticCellLocator.
 *
 * It reports the class name vtkAbstractCellLocator: vtkProbeFilter keeps a data set's locator only if the class of its
 * own prototype is a subclass of the locator's.
 *
 * @sa vtkStaticCellLocator
 */

#ifndef vtkSpanwiseCellLocator_h
#define vtkSpanwiseCellLocator_h

#include "SpanwiseIntervalGrid.h"
#include "spanwiseDataModelModule.h"

#include <vtkAbstractCellLocator.h>
#include <vtkSmartPointer.h>

#include <variant>

class vtkDataArray;

class SPANWISEDATAMODEL_EXPORT vtkSpanwiseCellLocator : public vtkAbstractCellLocator {
public:
  static vtkSpanwiseCellLocator* New();
  static vtkSpanwiseCellLocator* SafeDownCast(vtkObjectBase* object);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  using vtkAbstractCellLocator::FindCell;
  using vtkAbstractCellLocator::FindClosestPoint;
  using vtkAbstractCellLocator::FindClosestPointWithinRadius;
  using vtkAbstractCellLocator::IntersectWithLine;

  /**
   * The cell that contains x, or -1. In 2D x must be within sqrt(tol2) of the plane of the grid.
   */
  vtkIdType FindCell(
    double x[3], double tol2, vtkGenericCell* cell, int& subId, double pcoords[3], double* weights) override;

  /**
   * The first place where the segment crosses a face of a cell: where it enters the first cell that it meets, or, if it
   * begins inside a cell, where it leaves that. In 2D the place where it crosses the plane, or, if it lies in the
   * plane, the first edge.
   */
  int IntersectWithLine(const double p1[3], const double p2[3], double tol, double& t, double x[3], double pcoords[3],
    int& subId, vtkIdType& cellId, vtkGenericCell* cell) override;

  /**
   * All cells that the segment meets, in the order in which it meets them, and where it enters them.
   */
  int IntersectWithLine(const double p1[3], const double p2[3], double tol, vtkPoints* points, vtkIdList* cellIds,
    vtkGenericCell* cell) override;

  vtkIdType FindClosestPointWithinRadius(double x[3], double radius, double closestPoint[3], vtkGenericCell* cell,
    vtkIdType& cellId, int& subId, double& dist2, int& inside) override;

  /**
   * The cells that a box meets, touching included, in order.
   */
  void FindCellsWithinBounds(double* bbox, vtkIdList* cells) override;

  /**
   * The cells within the tolerance of a plane, in order.
   */
  void FindCellsAlongPlane(const double o[3], const double n[3], double tolerance, vtkIdList* cells) override;

  void FreeSearchStructure() override;
  void BuildLocator() override;
  void ForceBuildLocator() override;
  /**
   * There is nothing to show.
   */
  void GenerateRepresentation(int level, vtkPolyData* pd) override;

protected:
  vtkSpanwiseCellLocator();
  ~vtkSpanwiseCellLocator() override;
  const char* GetClassNameInternal() const override { return "vtkAbstractCellLocator"; }
  vtkObjectBase* NewInstanceInternal() const override { return vtkSpanwiseCellLocator::New(); }
  void ReportReferences(vtkGarbageCollector* collector) override;

private:
  vtkSpanwiseCellLocator(const vtkSpanwiseCellLocator&) = delete;
  void operator=(const vtkSpanwiseCellLocator&) = delete;

  // Whether the data set still has the arrays that the record was taken from.
  bool IsUpToDate() const;
  // Calls a query with the record, after bringing it up to date. The data set must carry intervals: see Fallback.
  template <class Query>
  auto WithGrid(const Query& query) const;

  std::variant<std::monostate, spanwise::IntervalGridPointer<2>, spanwise::IntervalGridPointer<3>> Grid;
  vtkSmartPointer<vtkDataArray> Points;
  vtkSmartPointer<vtkDataArray> Connectivity;
  vtkSmartPointer<vtkAbstractCellLocator> Fallback;
};

#endif
