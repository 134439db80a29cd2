"""numpy arrays as VTK arrays and back, without a copy where they can share memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDataArray, vtkIntArray, vtkTypeInt64Array
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkUnstructuredGrid

from .spanwiseDataModel import vtkSpanwiseGrid


class Arrays(NamedTuple):
    """The arrays of a grid. All but the fields are read-only views of the grid's own memory."""

    rows: numpy.ndarray  #: int32, (rows,) y in 2D, (rows, 2) y and z in 3D; sorted by z, then y
    row_offsets: numpy.ndarray  #: int64, (rows + 1,) the first interval of each row
    intervals: numpy.ndarray  #: int32, (intervals, 2) begin and end of each
    cell_offsets: numpy.ndarray  #: int64, (intervals + 1,) the first cell of each interval
    origin: tuple[float, float, float]  #: the corner of the cell (0, 0, 0)
    spacing: tuple[float, float, float]  #: the size of a cell
    level: int
    fields: dict[str, numpy.ndarray]  #: name: values, one for each cell

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return 2 if self.rows.ndim == 1 else 3

    def cells(self) -> numpy.ndarray:
        """The coordinates of all cells, (cells, dimension), in their order."""
        lengths = self.intervals[:, 1].astype(numpy.int64) - self.intervals[:, 0]
        starts = numpy.repeat(self.intervals[:, 0] - self.cell_offsets[:-1], lengths)
        x = numpy.arange(self.cell_offsets[-1]) + starts
        per_row = numpy.add.reduceat(lengths, self.row_offsets[:-1]) if len(self.rows) else lengths
        keys = self.rows.reshape(len(self.rows), self.dimension - 1)
        return numpy.column_stack([x, numpy.repeat(keys, per_row, axis=0)])


def structure(grid: vtkUnstructuredGrid) -> Arrays:
    """The arrays of a grid without its fields, of which some are computed where they are asked for."""
    rows, row_offsets = vtkIntArray(), vtkTypeInt64Array()
    intervals, cell_offsets = vtkIntArray(), vtkTypeInt64Array()
    if not vtkSpanwiseGrid.GetArrays(grid, rows, row_offsets, intervals, cell_offsets):
        raise ValueError(f"the {grid.GetClassName()} carries no intervals; from_dataset() finds them where it can")
    dimension = vtkSpanwiseGrid.GetDimension(grid)
    return Arrays(
        _view(rows, numpy.int32, (-1,) if dimension == 2 else (-1, 2)),
        _view(row_offsets, numpy.int64, (-1,)),
        _view(intervals, numpy.int32, (-1, 2)),
        _view(cell_offsets, numpy.int64, (-1,)),
        _triple(vtkSpanwiseGrid.GetOrigin, grid),
        _triple(vtkSpanwiseGrid.GetSpacing, grid),
        vtkSpanwiseGrid.GetLevel(grid),
        {},
    )


def known(name: str, array: numpy.ndarray) -> numpy.ndarray:
    """The values as a type that VTK has too, in this machine's order of bytes."""
    dtype = array.dtype
    if dtype.kind == "b":
        return array.view(numpy.uint8)
    if dtype.kind == "f" and dtype.itemsize == 2:
        return array.astype(numpy.float32)
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        raise ValueError(f"{name} is of type {dtype}; it must be of real numbers of at most 64 bits")
    return array.astype(dtype.newbyteorder("="), copy=False)


def to_vtk(array: numpy.ndarray, copy: bool = False) -> vtkDataArray:
    """A VTK array of the same values. It shares the memory of an array in C order, for what does not outlive a call.

    What stays is copied: vtkDataArray::ShallowCopy() makes arrays that do not keep numpy's memory alive.
    """
    vtk_array = numpy_to_vtk(numpy.ascontiguousarray(array), deep=copy or len(array) == 0)
    if array.ndim == 2:
        vtk_array.SetNumberOfComponents(array.shape[1])
    return vtk_array


def add_field(
    attributes: vtkDataSetAttributes, name: str, values: ArrayLike, count: int, label: str | None = None
) -> None:
    """Gives cell or point data a copy of numpy values, one for each of `count`. The label is for messages."""
    label = label or f"the field {name}"
    array = known(label, numpy.asarray(values))
    if array.ndim not in (1, 2) or len(array) != count:
        raise ValueError(f"{label} has shape {array.shape}; it must be ({count},) or ({count}, components)")
    vtk_array = to_vtk(array, copy=True)
    vtk_array.SetName(name)
    attributes.AddArray(vtk_array)


def shared(dataset: vtkUnstructuredGrid) -> vtkUnstructuredGrid:
    """A grid that shares all that the other has, and can have other arrays."""
    copy = vtkUnstructuredGrid()
    copy.ShallowCopy(dataset)
    return copy


def _triple(get, grid):
    values = [0.0] * 3
    get(grid, values)
    return values[0], values[1], values[2]


def _view(vtk_array, dtype, shape):
    if vtk_array.GetNumberOfTuples() == 0:
        return numpy.empty((0,) + shape[1:], dtype)
    array = vtk_to_numpy(vtk_array).reshape(shape)
    array.flags.writeable = False  # it is the grid's own memory, which other grids may share
    return array
