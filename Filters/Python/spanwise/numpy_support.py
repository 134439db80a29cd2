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
origin + (i, j, k) * spacing to origin + (i + 1, j + 1, k + 1) * spacing; a 2D grid lies in the plane z = origin[2]. Cells
are numbered by row, then x, and so are the values of fields. A field is of any numpy type of real numbers up to 64
bits; bool becomes uint8 and float16 float32. Arrays that break a rule raise ValueError with the value and the rule.
"""

from typing import NamedTuple

import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdTypeArray, vtkIntArray, vtkTypeInt64Array
from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid

from .spanwiseDataModel import vtkSpanwiseGrid


class Arrays(NamedTuple):
    """The arrays of a grid. rows, row_offsets, intervals and cell_offsets are read-only views of the grid's own memory."""

    rows: numpy.ndarray  #: int32, (rows,) y in 2D, (rows, 2) y and z in 3D; sorted by z, then y
    row_offsets: numpy.ndarray  #: int64, (rows + 1,) the first interval of each row
    intervals: numpy.ndarray  #: int32, (intervals, 2) begin and end of each
    cell_offsets: numpy.ndarray  #: int64, (intervals + 1,) the first cell of each interval
    origin: tuple  #: the corner of the cell (0, 0, 0)
    spacing: tuple  #: the size of a cell
    level: int
    fields: dict  #: name: values, one for each cell

    @property
    def dimension(self):
        """2 or 3."""
        return 2 if self.rows.ndim == 1 else 3

    def cells(self):
        """The coordinates of all cells, (cells, dimension), in their order."""
        lengths = self.intervals[:, 1].astype(numpy.int64) - self.intervals[:, 0]
        starts = numpy.repeat(self.intervals[:, 0] - self.cell_offsets[:-1], lengths)
        x = numpy.arange(self.cell_offsets[-1]) + starts
        per_row = numpy.add.reduceat(lengths, self.row_offsets[:-1]) if len(self.rows) else []
        keys = self.rows.reshape(len(self.rows), self.dimension - 1)
        return numpy.column_stack([x, numpy.repeat(keys, per_row, axis=0)])


def from_arrays(rows, row_offsets, intervals, origin=(0, 0, 0), spacing=(1, 1, 1), fields=None, level=0):
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
            _to_vtk(keys.reshape(len(keys), dimension - 1)),
            _to_vtk(_shaped("row_offsets", row_offsets, 1)),
            _to_vtk(_pairs("intervals", intervals, 2)),
            _triple("origin", origin),
            _triple("spacing", spacing),
        )
    )
    _set_level(grid, level)
    _add_fields(grid, fields)
    return grid


def from_cells(cells, origin=(0, 0, 0), spacing=(1, 1, 1), fields=None, level=0):
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
            _to_vtk(listed),
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


def from_dataset(dataset):
    """A grid from an image or any dataset of axis-aligned equal cells, with its cell arrays."""
    grid = vtkUnstructuredGrid()
    _check(vtkSpanwiseGrid.FromDataSet(grid, dataset))
    return grid


def to_arrays(grid):
    """The arrays of a grid of intervals (see Arrays). Raises ValueError for data that carry no intervals; from_dataset()
    makes such a grid of them where it can.
    """
    rows, row_offsets = vtkIntArray(), vtkTypeInt64Array()
    intervals, cell_offsets = vtkIntArray(), vtkTypeInt64Array()
    if not vtkSpanwiseGrid.GetArrays(grid, rows, row_offsets, intervals, cell_offsets):
        raise ValueError(f"the {grid.GetClassName()} carries no intervals; from_dataset() finds them where it can")
    origin, spacing = [0.0] * 3, [0.0] * 3
    vtkSpanwiseGrid.GetOrigin(grid, origin)
    vtkSpanwiseGrid.GetSpacing(grid, spacing)
    cell_data = grid.GetCellData()
    arrays = (cell_data.GetArray(k) for k in range(cell_data.GetNumberOfArrays()))
    dimension = vtkSpanwiseGrid.GetDimension(grid)
    return Arrays(
        _view(rows, numpy.int32, (-1,) if dimension == 2 else (-1, 2)),
        _view(row_offsets, numpy.int64, (-1,)),
        _view(intervals, numpy.int32, (-1, 2)),
        _view(cell_offsets, numpy.int64, (-1,)),
        tuple(origin),
        tuple(spacing),
        vtkSpanwiseGrid.GetLevel(grid),
        {array.GetName(): vtk_to_numpy(array) for array in arrays if array is not None and array.GetName()},
    )


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
    return _known(name, array)


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


def _known(name, array):
    """The values as a type that VTK has too, in this machine's order of bytes."""
    dtype = array.dtype
    if dtype.kind == "b":
        return array.astype(numpy.uint8)
    if dtype.kind == "f" and dtype.itemsize == 2:
        return array.astype(numpy.float32)
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        raise ValueError(f"{name} is of type {dtype}; it must be of real numbers of at most 64 bits")
    return array.astype(dtype.newbyteorder("="), copy=False)


def _to_vtk(array):
    vtk_array = numpy_to_vtk(numpy.ascontiguousarray(array), deep=len(array) == 0)
    if array.ndim == 2:
        vtk_array.SetNumberOfComponents(array.shape[1])
    return vtk_array


def _view(vtk_array, dtype, shape):
    if vtk_array.GetNumberOfTuples() == 0:
        return numpy.empty((0,) + shape[1:], dtype)
    array = vtk_to_numpy(vtk_array).reshape(shape)
    array.flags.writeable = False  # it is the grid's own memory, which other grids may share
    return array


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
        array = _known(f"the field {name}", numpy.asarray(values))
        if array.ndim not in (1, 2) or len(array) != grid.GetNumberOfCells():
            raise ValueError(
                f"the field {name} has shape {array.shape}; it must be (n,) or (n, components) for "
                f"{grid.GetNumberOfCells()} cells"
            )
        vtk_array = numpy_to_vtk(numpy.ascontiguousarray(array), deep=True)
        vtk_array.SetName(name)
        grid.GetCellData().AddArray(vtk_array)
