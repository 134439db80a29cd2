"""Grids from points."""

from __future__ import annotations

import numpy
from numpy.typing import ArrayLike
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdTypeArray
from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid

from ._arguments import origin_of, spacing_of
from ._arrays import to_vtk
from .grid import Grid
from .spanwiseDataModel import vtkSpanwiseGrid

COUNT = "Point Count"


def from_points(points: ArrayLike, spacing: ArrayLike = 1.0, origin: ArrayLike = 0.0) -> Grid:
    """The cells that hold points, with the field "Point Count": how many each of them holds, int64.

    points: (n, 2) x, y or (n, 3) x, y, z, finite. A point between two cells is in the one above.
    spacing: the size of a cell, one number or x, y, z. Positive. In the units of the points, as the origin is.
    origin: the corner of the cell (0, 0, 0), one number or x, y, z.

    TypeError for values that are not real numbers; ValueError for another shape, and for a point that is not finite, or
    2^31 cells or more from the origin. O(n log n).
    """
    array = numpy.asarray(points)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"points is of type {array.dtype}; it must be of real numbers")
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"points has shape {array.shape}; it must be (n, 2) or (n, 3), x first")
    dimension = array.shape[1]
    spacing, origin = spacing_of(spacing, dimension), origin_of(origin, dimension)
    cells = numpy.floor((array - origin[:dimension]) / spacing[:dimension])
    wrong = numpy.flatnonzero(~(numpy.abs(cells) < 2**31).all(axis=1))
    if len(wrong):
        raise ValueError(
            f"point {wrong[0]} is {array[wrong[0]].tolist()}; "
            "it must be finite, and less than 2^31 cells from the origin"
        )
    grid, numbers = vtkUnstructuredGrid(), vtkIdTypeArray()
    message = vtkSpanwiseGrid.FromCells(grid, to_vtk(cells.astype(numpy.int64)), origin, spacing, numbers)
    if message:
        raise ValueError(message)
    result = Grid(grid)
    of_point = vtk_to_numpy(numbers) if len(cells) else numpy.empty(0, numpy.int64)
    result[COUNT] = numpy.bincount(of_point, minlength=len(result)).astype(numpy.int64)
    return result
