#ifndef SpanwiseBridge_h
#define SpanwiseBridge_h

// The one place that knows how an interval set becomes a dataset and is found again in one. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "spanwiseDataModelModule.h"

#include "Core/Runtime/Progress.hpp"

#include <cstdint>
#include <variant>
#include <vector>

class vtkAlgorithm;
class vtkCellData;
class vtkDataObject;
class vtkDataSet;
class vtkUnstructuredGrid;

namespace spanwise {

/// Makes `output` show the grid: implicit points (double), implicit connectivity of quadrilaterals (2D) or hexahedra
/// (3D), and an analytic cell locator. Nothing is exploded. Point, cell and field data of `output` are emptied.
template <int Dim>
SPANWISEDATAMODEL_EXPORT void setGrid(vtkUnstructuredGrid* output, const IntervalGridPointer<Dim>& grid);

/// The record that a dataset carries: only if its points and its connectivity both have it and it is the same one, and
/// the numbers of points and cells still fit. O(1), no copy. Null otherwise. Cells that vtkGhostType marks are still in
/// it: see intervalsOf().
template <int Dim>
SPANWISEDATAMODEL_EXPORT IntervalGridPointer<Dim> gridOf(vtkDataObject* data);

/// The cells of a dataset; 0 for null. VTK counts -1 in an unstructured grid whose cells have no offsets, as its reader
/// makes one of an empty grid in a .vtkhdf file.
SPANWISEDATAMODEL_EXPORT std::int64_t numCellsOf(vtkDataSet* data);

/// A dataset as an interval set.
template <int Dim>
struct Intervals {
  IntervalGridPointer<Dim> grid;
  /// The grid has the cells of the dataset, all of them in the same order. Then sourceCells is empty.
  bool sameCells = true;
  /// Otherwise the dataset's cell of each cell of the grid.
  std::vector<std::int64_t> sourceCells;
  /// The dataset carried this very grid; nothing was rebuilt.
  bool found = false;
};

/// 2D or 3D, as the dataset is.
using AnyIntervals = std::variant<Intervals<2>, Intervals<3>>;

/// How far from the lattice a rebuilt cell's corners may lie, in cells. Positions in single precision may be off by as
/// much as they are inexact, up to `maxRebuildTolerance`.
inline constexpr double rebuildTolerance = 1e-3;
inline constexpr double maxRebuildTolerance = 0.05;

/// The cells of a dataset as an interval set, without those marked duplicate, hidden or refined in vtkGhostType.
///
/// - A grid that carries intervals gives its own.
/// - An image without rotation gives its box: 3D, or 2D if it is flat along z. Its extent becomes the coordinates.
/// - Any other dataset of axis-aligned equal cells (pixels or quads in a plane of constant z; voxels or hexahedra; in
/// any
///   order and orientation) is rebuilt in O(cells log cells), or O(cells) if they are in order. Its lattice is found
///   from its cells: the spacing from the extent of all of them, the origin as the node nearest to 0, so that datasets
///   on one lattice get the same one. A cell that is there twice is an error, as an interval set has every cell once.
///
/// `like`, if not null, is the placement to use for an image or a rebuilt grid whose cells fit it within the tolerance.
/// No dataset, or one without cells, is the empty set of `dimensionIfEmpty` dimensions.
///
/// Throws InvalidArgument with the first cell that does not fit and why, and Cancelled.
SPANWISEDATAMODEL_EXPORT AnyIntervals intervalsOf(
  vtkDataSet* data, const GridPlacement* like = nullptr, const Progress& progress = {}, int dimensionIfEmpty = 2);

/// Cells of a dataset that have one size, but for powers of two that are not there.
struct SizedCells {
  double size = 1.0;               ///< along x, of the first of them
  std::vector<std::int64_t> cells; ///< their numbers, ascending
};

/// The cells of a dataset of axis-aligned cells, without those that intervalsOf() leaves out, by size: a
/// size is the first cell's times a power of two, to the nearest. The largest come first. What is wrong with a cell is
/// found by intervalsOf(). O(cells).
SPANWISEDATAMODEL_EXPORT std::vector<SizedCells> cellsBySize(vtkDataSet* data);

/// Some cells of a dataset, which are of one size, as an interval set: as if there were no others.
SPANWISEDATAMODEL_EXPORT AnyIntervals intervalsOf(
  vtkDataSet* data, std::vector<std::int64_t> cells, const GridPlacement* like, const Progress& progress = {});

/// Makes the arrays of `to` those of `from` for the cells of `intervals`: shared if the cells are the same, otherwise
/// gathered in parallel. What is active in `from` (scalars, global ids ...) becomes active in `to`. vtkGhostType is
/// left out.
template <int Dim>
SPANWISEDATAMODEL_EXPORT void passCellData(const Intervals<Dim>& intervals, vtkCellData* from, vtkCellData* to);

/// The numbers of whole cells by which the lattice of `b` is shifted against that of `a`: the cell c of b is the cell
/// c + shift of a. Throws InvalidArgument if the spacings differ by more than one millionth, the shift is not whole
/// within a thousandth of a cell or beyond the coordinates, or 2D grids lie in different planes, with both values.
template <int Dim>
SPANWISEDATAMODEL_EXPORT geometry::Cell<Dim> shiftBetween(const GridPlacement& a, const GridPlacement& b);

/// A Progress that moves `algorithm`'s progress bar and stops when its abort was asked for.
SPANWISEDATAMODEL_EXPORT Progress progressOf(vtkAlgorithm* algorithm);

/// A grid with explicit points (double) and connectivity (64-bit): the same cells, points and arrays in the same order.
/// A grid that carries no intervals is passed on as it is. In parallel.
SPANWISEDATAMODEL_EXPORT void explode(vtkUnstructuredGrid* input, vtkUnstructuredGrid* output);

} // namespace spanwise

#endif
