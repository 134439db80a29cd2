/**
 * @class   vtkSpanwiseIntervalTable
 * @brief   the rows and intervals of a set of cells as a table
 *
 * For the spreadsheet, and for everybody who wants to see what a set is made of:
 *
 * - ROWS: y and z of every row, its first interval, the number of its intervals, its first cell, the number of its
 * cells;
 * - INTERVALS: the row, y and z, begin and end of every interval, its first cell.
 *
 * 2D sets have no column z. Rows, intervals and cells are numbered from 0 over all ranks. The input may be any data set
 * that carries intervals or is made of axis-aligned equal cells. O(rows) or O(intervals).
 *
 * In parallel the cells are brought to one cut if they are not on one, so the ranks' tables, one after the other,
 * are the table of one process.
 */
#ifndef vtkSpanwiseIntervalTable_h
#define vtkSpanwiseIntervalTable_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseTableAlgorithm.h"

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseIntervalTable : public vtkSpanwiseTableAlgorithm {
public:
  static vtkSpanwiseIntervalTable* New();
  vtkTypeMacro(vtkSpanwiseIntervalTable, vtkSpanwiseTableAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Contents { ROWS = 0, INTERVALS = 1 };

  ///@{
  /**
   * What a line of the table is: ROWS or INTERVALS. Default: INTERVALS.
   */
  vtkSetMacro(Content, int);
  vtkGetMacro(Content, int);
  ///@}

protected:
  vtkSpanwiseIntervalTable() = default;
  ~vtkSpanwiseIntervalTable() override = default;

  void MakeOutput(const spanwise::RankGroup& group, vtkDataSet* input, vtkTable* output) override;

  int Content = INTERVALS;

private:
  vtkSpanwiseIntervalTable(const vtkSpanwiseIntervalTable&) = delete;
  void operator=(const vtkSpanwiseIntervalTable&) = delete;
};

#endif
