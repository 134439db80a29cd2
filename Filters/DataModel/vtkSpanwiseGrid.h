/**
 * @class   vtkSpanwiseGrid
 * @brief   grids of intervals, for programs that know VTK alone
 *
 * A grid of intervals is a vtkUnstructuredGrid whose points and cells are computed from an interval set: sorted rows,
 * in each of them sorted intervals [begin, end) of cells. This class makes such grids from arrays and shows what one is
 * made of. It has static methods only, and needs no other Spanwise header.
 *
 * A row is known by y (2D) or by (y, z) (3D); rows are sorted by z, then y. The cell (i, j, k) covers
 * [origin + (i, j, k) spacing, origin + (i + 1, j + 1, k + 1) spacing]; a 2D grid lies in the plane z = origin[2].
 * Cells are numbered by row, then x, and so are the tuples of cell arrays.
 *
 * Methods that make a grid return an empty string, or one sentence that says what is wrong; the output is then empty.
 */

#ifndef vtkSpanwiseGrid_h
#define vtkSpanwiseGrid_h

#include "spanwiseDataModelModule.h"

#include <vtkObject.h>

#include <string>

class vtkDataArray;
class vtkDataObject;
class vtkDataSet;
class vtkIdTypeArray;
class vtkIntArray;
class vtkTable;
class vtkTypeInt64Array;
class vtkUnstructuredGrid;

class SPANWISEDATAMODEL_EXPORT vtkSpanwiseGrid : public vtkObject {
public:
  static vtkSpanwiseGrid* New();
  vtkTypeMacro(vtkSpanwiseGrid, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Whether the data carries intervals, so that Spanwise's filters take it without looking at its cells. It does after
   * stock filters that leave points and cells alone, and no longer after those that make new ones.
   */
  static bool HasIntervals(vtkDataObject* data);

  ///@{
  /**
   * What the data carries; all zero where it carries nothing. GetDimension() is 2 or 3. The memory is in bytes: the
   * intervals and the tables beside them, without the arrays of cells and points.
   */
  static int GetDimension(vtkDataObject* data);
  static vtkIdType GetNumberOfRows(vtkDataObject* data);
  static vtkIdType GetNumberOfIntervals(vtkDataObject* data);
  static vtkIdType GetIntervalMemory(vtkDataObject* data);
  static int GetLevel(vtkDataObject* data);
  static void GetOrigin(vtkDataObject* data, double origin[3]);
  static void GetSpacing(vtkDataObject* data, double spacing[3]);
  ///@}

  /**
   * Says of which level a grid that carries intervals is, from 0 to 30; grids that are made here are of level 0. What
   * is wrong leaves the grid as it was.
   */
  static std::string SetLevel(vtkUnstructuredGrid* grid, int level);

  /**
   * The arrays of the set that the data carries: rows (1 or 2 components: y, z), row offsets (one more than rows, the
   * first interval of each row), intervals (2 components: begin, end) and cell offsets (one more than intervals, the
   * first cell of each). Any of them may be null. They share the memory of the set and keep it alive: read them only.
   * False, and empty arrays, where the data carries nothing.
   */
  static bool GetArrays(vtkDataObject* data, vtkIntArray* rows, vtkTypeInt64Array* rowOffsets, vtkIntArray* intervals,
    vtkTypeInt64Array* cellOffsets);

  /**
   * The set as a table with a line for each interval: y, z (3D), begin, end, first cell. False, and an empty table,
   * where the data carries nothing.
   */
  static bool GetTable(vtkDataObject* data, vtkTable* table);

  /**
   * A grid from compressed rows. rows has 1 component in 2D and 2 in 3D, and is sorted by z, then y; rowOffsets has one
   * more value than rows; intervals has the components begin and end, sorted, not empty, neither overlapping nor
   * touching within a row. All values are whole numbers; coordinates are 32-bit, ends at most 2^31 - 1, rows at most
   * 2^31 - 2. spacing is positive.
   */
  static std::string FromArrays(vtkUnstructuredGrid* output, vtkDataArray* rows, vtkDataArray* rowOffsets,
    vtkDataArray* intervals, const double origin[3], const double spacing[3]);

  /**
   * A grid from a list of cells in any order, with 2 or 3 components (x, y, z) each; a cell may be listed more than
   * once. numbers, if not null, receives the number in the grid of each listed cell.
   */
  static std::string FromCells(vtkUnstructuredGrid* output, vtkDataArray* cells, const double origin[3],
    const double spacing[3], vtkIdTypeArray* numbers = nullptr);

  /**
   * A grid from a data set of axis-aligned equal cells, or an image, with its cell arrays; cells marked duplicate,
   * hidden or refined in vtkGhostType are left out.
   */
  static std::string FromDataSet(vtkUnstructuredGrid* output, vtkDataSet* input);

  /**
   * The same cells, points and arrays with explicit points and connectivity, for programs that want plain arrays.
   */
  static void Explode(vtkUnstructuredGrid* input, vtkUnstructuredGrid* output);

protected:
  vtkSpanwiseGrid() = default;
  ~vtkSpanwiseGrid() override = default;

private:
  vtkSpanwiseGrid(const vtkSpanwiseGrid&) = delete;
  void operator=(const vtkSpanwiseGrid&) = delete;
};

#endif
