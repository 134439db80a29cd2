"""Grids of intervals from numpy arrays, and back.

    from spanwise import numpy_support

    # Compressed rows: two rows of cells at y = 0 and y = 3.
    grid = numpy_support.from_arrays(
        rows=[0, 3], row_offsets=[0, 2, 3], intervals=[[0, 4], [7, 9], [-2, 5]],
        origin=(0, 0, 0), spacing=(0.5, 0.5, 0.5), fields={"height": heights})
    # A list of cells in any order, one value for each.
    grid = numpy_support.from_cells([[0, 0], [1, 0], [5, 2]], fields={"height": [1.0, 2.0, 3.0]})
    # What a grid is made of.
    arrays = numpy_support.to_arrays(grid)
    arrays.intervals, arrays.fields["height"]

A grid is a vtkUnstructuredGrid whose points and cells are computed from the intervals. The cell (i, j, k) covers
origin + (i, j, k) * spacing to origin + (i + 1, j + 1, k + 1) * spacing; a 2D grid lies in the plane z = origin[2].
Cells are numbered by row, then x, and so are the values of fields. A field is of any numpy type of real numbers up to
64 bits; bool becomes uint8 and float16 float32. Arrays that break a rule raise ValueError with the value and the rule.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy
from numpy.typing import ArrayLike
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdTypeArray
from vtkmodules.vtkCommonDataModel import vtkDataSet, vtkUnstructuredGrid

from ._arrays import Arrays, add_field, known, structure, to_vtk
from .spanwiseDataModel import vtkSpanwiseGrid


def from_arrays(
    rows: ArrayLike,
    row_offsets: ArrayLike,
    intervals: ArrayLike,
    origin: ArrayLike = (0, 0, 0),
    spacing: ArrayLike = (1, 1, 1),
    fields: Mapping[str, ArrayLike] | None = None,
    level: int = 0,
) -> vtkUnstructuredGrid:
    """A grid from compressed rows.

    rows: (rows,) y for a 2D grid, or (rows, 2) y and z for a 3D one, sorted by z, then y.
    row_offsets: (rows + 1,) the first interval of each row; the last one is the number of intervals.
    intervals: (intervals, 2) begin and end of each, sorted, neither overlapping nor touching within a row.
    fields: name: values, one for each cell in the order of rows, then x; (cells,) or (cells, components).
    """
    keys = _integers("rows", rows)
    if keys.ndim not in (1, 2) or (keys.ndim == 2 and keys.shape[1] not in (1, 2)):
        raise ValueError(f"rows has shape {keys.shape}; it must be (n,) or (n, 1) in 2D, or (n, 2) in 3D")
    dimension = 3 if keys.ndim == 2 and keys.shape[1] == 2 else 2
    grid = vtkUnstructuredGrid()
    _check(
        vtkSpanwiseGrid.FromArrays(
            grid,
            to_vtk(keys.reshape(len(keys), dimension - 1)),
            to_vtk(_shaped("row_offsets", row_offsets, 1)),
            to_vtk(_pairs("intervals", intervals, 2)),
            _triple("origin", origin),
            _triple("spacing", spacing),
        )
    )
    _set_level(grid, level)
    _add_fields(grid, fields)
    return grid


def from_cells(
    cells: ArrayLike,
    origin: ArrayLike = (0, 0, 0),
    spacing: ArrayLike = (1, 1, 1),
    fields: Mapping[str, ArrayLike] | None = None,
    level: int = 0,
) -> vtkUnstructuredGrid:
    """A grid from a list of cells, (n, 2) or (n, 3), in any order. A cell may be listed more than once unless there are
    fields, which have a value for each cell of the list.
    """
    listed = _integers("cells", cells)
    if listed.ndim != 2 or listed.shape[1] not in (2, 3):
        raise ValueError(f"cells has shape {listed.shape}; it must be (n, 2) or (n, 3)")
    grid = vtkUnstructuredGrid()
    numbers = vtkIdTypeArray()
    _check(
        vtkSpanwiseGrid.FromCells(
            grid,
            to_vtk(listed),
            _triple("origin", origin),
            _triple("spacing", spacing),
            numbers,
        )
    )
    _set_level(grid, level)
    if fields:
        if grid.GetNumberOfCells() != len(listed):
            raise ValueError(
                f"cells lists {len(listed)} cells, but only {grid.GetNumberOfCells()} different ones; "
                "with fields every cell may be listed once"
            )
        order = vtk_to_numpy(numbers)
        _add_fields(grid, {name: _in_order(name, values, order) for name, values in fields.items()})
    return grid


def from_dataset(dataset: vtkDataSet) -> vtkUnstructuredGrid:
    """A grid from an image or any dataset of axis-aligned equal cells, with its cell arrays."""
    grid = vtkUnstructuredGrid()
    _check(vtkSpanwiseGrid.FromDataSet(grid, dataset))
    return grid


def to_arrays(grid: vtkUnstructuredGrid) -> Arrays:
    """The arrays of a grid of intervals (see Arrays).

    Raises ValueError for data that carry no intervals; from_dataset() makes such a grid of them where it can.
    """
    bare = structure(grid)
    cell_data = grid.GetCellData()
    arrays = (cell_data.GetArray(k) for k in range(cell_data.GetNumberOfArrays()))
    fields = {array.GetName(): vtk_to_numpy(array) for array in arrays if array is not None and array.GetName()}
    return bare._replace(fields=fields)


def _check(message):
    if message:
        raise ValueError(message)


def _set_level(grid, level):
    if level != 0:  # which grids have as they are made
        _check(vtkSpanwiseGrid.SetLevel(grid, level))


def _integers(name, values):
    array = numpy.asarray(values)
    if array.size == 0:
        array = array.astype(numpy.int64)
    if not numpy.issubdtype(array.dtype, numpy.integer):
        raise ValueError(f"{name} is of type {array.dtype}; it must be of whole numbers")
    return known(name, array)


def _shaped(name, values, dimensions):
    array = _integers(name, values)
    if array.ndim != dimensions:
        raise ValueError(f"{name} has shape {array.shape}; it must have {dimensions} dimensions")
    return array


def _pairs(name, values, components):
    array = _integers(name, values)
    if array.size == 0:
        array = array.reshape(0, components)
    if array.ndim != 2 or array.shape[1] != components:
        raise ValueError(f"{name} has shape {array.shape}; it must be (n, {components})")
    return array


def _triple(name, values):
    try:
        array = numpy.asarray(values, dtype=float)
    except TypeError as error:
        raise ValueError(f"{name} is {values!r}; it must be numbers") from error
    if array.shape not in ((2,), (3,)):
        raise ValueError(f"{name} has shape {array.shape}; it must be (2,) or (3,)")
    return tuple(array) if len(array) == 3 else (*array, 0.0 if name == "origin" else 1.0)


def _in_order(name, values, numbers):
    array = numpy.asarray(values)
    if array.ndim == 0 or len(array) != len(numbers):
        raise ValueError(
            f"the field {name} has shape {array.shape}; it must have a value for each of {len(numbers)} cells"
        )
    ordered = numpy.empty_like(array)
    ordered[numbers] = array
    return ordered


def _add_fields(grid, fields):
    for name, values in (fields or {}).items():
        add_field(grid.GetCellData(), name, values, grid.GetNumberOfCells())
