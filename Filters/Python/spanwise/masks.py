"""Grids from dense numpy arrays, and back.

ARRAYS ARE [y, x] IN 2D AND [z, y, x] IN 3D: X IS LAST. Spacings, origins and boxes are in VTK's order: X IS FIRST.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from numpy.typing import ArrayLike
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkImageData

from ._arguments import origin_of, spacing_of
from ._arrays import known, to_vtk
from ._boxes import bounds_of, box_of, contains, shape_of
from ._run import run
from .grid import Grid
from .numpy_support import from_arrays
from .spanwiseGeometry import (
    vtkSpanwiseImageToIntervals,
    vtkSpanwiseIntervalsToImage,
    vtkSpanwiseThresholdToIntervals,
)

MASK = "Mask"  # as vtkSpanwiseIntervalsToImage calls it


def from_mask(mask: ArrayLike, spacing: ArrayLike = 1.0, origin: ArrayLike = 0.0) -> Grid:
    """The cells where a mask is true.

    mask: bool, [y, x] or [z, y, x]: X IS LAST. The element [k, j, i] is the cell (i, j, k). A mask in C order is not
        copied.
    spacing: the size of a cell, one number or x, y, z: X IS FIRST. Positive.
    origin: the corner of the first cell, one number or x, y, z.

    TypeError for another type (write mask != 0), ValueError for another shape. O(elements of the mask).
    """
    array = _dense("the mask", mask)
    if array.dtype != bool:
        raise TypeError(f"the mask is of type {array.dtype}; it must be bool, as mask != 0 or mask > threshold is")
    to_intervals = vtkSpanwiseImageToIntervals()
    to_intervals.SetLowerThreshold(1.0)
    to_intervals.SetPassAllArrays(False)
    return _of_image(to_intervals, array, MASK, spacing, origin)


def from_labels(
    labels: ArrayLike, spacing: ArrayLike = 1.0, origin: ArrayLike = 0.0, background: int = 0, name: str = "Label"
) -> Grid:
    """The cells whose label is not the background, with their labels as a field of the same type.

    labels: integers, [y, x] or [z, y, x]: X IS LAST. Spacing and origin: see from_mask(), X IS FIRST.
    background: the label of what is not in the grid; between -2^53 and 2^53.
    name: of the field.

    TypeError for labels that are not integers, ValueError for another shape. O(elements of the array).
    """
    array = _dense("labels", labels)
    if not numpy.issubdtype(array.dtype, numpy.integer):
        raise TypeError(f"labels is of type {array.dtype}; it must be of integers")
    if isinstance(background, bool) or not isinstance(background, (int, numpy.integer)):
        raise TypeError(f"background is {background!r}; it must be an integer")
    if abs(int(background)) > 2**53:
        raise ValueError(f"background is {background}; it must be from -2^53 to 2^53")
    threshold = vtkSpanwiseThresholdToIntervals()
    threshold.SetInvert(True)
    threshold.SetLowerThreshold(int(background))
    threshold.SetUpperThreshold(int(background))
    return _of_image(threshold, array, name, spacing, origin)


def to_mask(
    grid: Grid,
    shape: Sequence[int] | None = None,
    box: Sequence[Sequence[int]] | None = None,
    memory_limit: int = 4096,
) -> numpy.ndarray:
    """A dense mask: bool, [y, x] or [z, y, x] (X IS LAST), true at the cells of the grid.

    shape: of the mask, x last; its first element is the cell (0, 0, 0), as in from_mask(). All cells must lie in it.
    box: instead, (begin, end) along x, y and, in 3D, z, in cells: the mask is of these cells, and others are left out.
        Default: grid.box, the smallest with all cells.
    memory_limit: in MiB. A mask takes a byte for each element; more than the limit is a ValueError.
    """
    return _to_dense(grid, None, shape, box, 0, memory_limit).view(bool)


def to_dense(
    grid: Grid,
    name: str,
    shape: Sequence[int] | None = None,
    box: Sequence[Sequence[int]] | None = None,
    fill: float = 0,
    memory_limit: int = 4096,
) -> numpy.ndarray:
    """A field as a dense array, [y, x] or [z, y, x] (X IS LAST), with one axis more at the end for several components.

    name: of the field. KeyError where there is none of that name.
    fill: the value where there is no cell, rounded into the range of the field's type.
    shape, box, memory_limit: see to_mask().
    """
    grid[name]  # or a KeyError
    return _to_dense(grid, name, shape, box, fill, memory_limit)


def _dense(what, values):
    array = numpy.asarray(values)
    if array.ndim not in (2, 3):
        raise ValueError(f"{what} has shape {array.shape}; it must be [y, x] or [z, y, x], x last")
    return array


def _of_image(algorithm, array, name, spacing, origin):
    """What a filter makes of an array as the cells of an image."""
    spacing, origin = spacing_of(spacing, array.ndim), origin_of(origin, array.ndim)
    if array.size == 0:  # which VTK would take for an image of fewer dimensions
        values = {name: array.reshape(-1)} if name != MASK else None
        rows = numpy.empty((0, array.ndim - 1), numpy.int32)
        return Grid(from_arrays(rows, [0], numpy.empty((0, 2), numpy.int32), origin, spacing, values))
    image = vtkImageData()
    image.SetSpacing(spacing)
    image.SetOrigin(origin)
    image.SetDimensions([n + 1 for n in reversed(array.shape)] + [1] * (3 - array.ndim))
    values = to_vtk(known(name, array).reshape(-1))
    values.SetName(name)
    image.GetCellData().AddArray(values)
    algorithm.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, name)
    return Grid(run(algorithm, image))


def _to_dense(grid, name, shape, box, fill, memory_limit):
    """The array `name` of an image of a box of cells; None is the mask."""
    if not isinstance(grid, Grid):
        raise TypeError(f"grid is of type {type(grid).__name__}; it must be a Grid")
    chosen = box_of(grid.dimension, shape, box, grid.box)
    if shape is not None and len(grid) > 0 and not contains(chosen, grid.box):
        raise ValueError(
            f"cells of the grid lie outside of shape {tuple(shape)}: its box is {grid.box} along x, y, z; "
            "give a box to leave cells out"
        )
    sizes = shape_of(chosen)
    if len(grid) == 0 or 0 in sizes:
        like = numpy.empty((0,), numpy.uint8) if name is None else grid[name]
        return numpy.full(sizes + like.shape[1:], fill, like.dtype)
    to_image = vtkSpanwiseIntervalsToImage()
    to_image.SetUseBounds(True)
    to_image.SetFillValue(fill)
    to_image.SetMemoryLimit(memory_limit)
    to_image.SetPassAllArrays(False)
    to_image.SetBounds(bounds_of(chosen, grid.origin, grid.spacing))
    if name is not None:
        to_image.GetArraySelection().EnableArray(name)
    array = vtk_to_numpy(run(to_image, grid.dataset).GetCellData().GetArray(name or MASK))
    return array.reshape(sizes + array.shape[1:])
