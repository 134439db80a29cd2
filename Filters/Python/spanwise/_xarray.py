"""Grids and xarray's DataArrays: dims y, x or z, y, x, with the centres of cells as coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy
from numpy.typing import ArrayLike

from ._boxes import box_of
from .grid import Grid
from .masks import MASK, from_mask, to_dense, to_mask
from .numpy_support import from_arrays

if TYPE_CHECKING:
    import xarray

COMPONENT = "component"  # the dim of the components of a field
VALUE = "Value"  # the field of an array without a name
NEAR = 1e-6  # of a cell: how far coordinates may be from even ones


class Axis(NamedTuple):
    """Where the cells of an array lie along an axis."""

    spacing: float
    origin: float
    first: int  #: the cell of the first element


def to_xarray(
    grid: Grid,
    name: str | None,
    shape: Sequence[int] | None,
    box: Sequence[Sequence[int]] | None,
    fill: float | None,
    memory_limit: int,
) -> xarray.DataArray:
    """See Grid.to_xarray()."""
    import xarray

    chosen = box_of(grid.dimension, shape, box, grid.box)
    window = dict(shape=shape) if shape is not None else dict(box=chosen)
    if name is None:
        array = to_mask(grid, memory_limit=memory_limit, **window)
    else:
        if fill is None:
            fill = math.nan if grid[name].dtype.kind == "f" else 0
        array = to_dense(grid, name, fill=fill, memory_limit=memory_limit, **window)
    coords = {
        axis: origin + (numpy.arange(begin, end) + 0.5) * spacing
        for axis, (begin, end), origin, spacing in zip("xyz", chosen, grid.origin, grid.spacing)
    }
    dims = [*reversed(coords)] + [COMPONENT] * (array.ndim - grid.dimension)
    if grid.dimension == 2:
        coords["z"] = numpy.float64(grid.origin[2])
    attributes = dict(spacing=list(grid.spacing), origin=list(grid.origin))
    return xarray.DataArray(array, coords, dims, name or MASK, attributes)


def from_xarray(array: xarray.DataArray, where: ArrayLike | None = None) -> Grid:
    """The cells of a DataArray that have a value, with the values as a field of the array's name.

    array: of dims ("y", "x") or ("z", "y", "x"), in this order; one more dim at the end is of components.
        Real numbers or bool. Its coordinates are the centres of cells: evenly spaced, ascending. An axis without
        coordinates has cells of size 1 from 0 on. One with a single value needs array.attrs["spacing"] = (x, y, z).
        In 2D a scalar coordinate "z" is the plane.
    where: bool, of the shape of the array without components: which cells are taken. Default: those that are true, not
        0, or not NaN. An array of bool without `where` makes no field.

    What to_xarray() has made becomes the same grid, on the same lattice: attrs["spacing"] and attrs["origin"] count
    where they agree with the coordinates.

    TypeError for another type, ValueError for other dims, uneven or descending coordinates. O(elements).
    """
    import xarray  # which takes half a second

    if not isinstance(array, xarray.DataArray):
        raise TypeError(f"array is of type {type(array).__name__}; it must be a DataArray, such as dataset['name']")
    names = ("z", "y", "x") if "z" in array.dims else ("y", "x")
    if array.dims[: len(names)] != names or array.ndim > len(names) + 1:
        raise ValueError(
            f"the dims are {array.dims}; they must be ('y', 'x') or ('z', 'y', 'x'), and at most one more at the end: "
            "see array.transpose() and array.rename()"
        )
    values = array.to_numpy()
    if values.dtype.kind not in "biuf":
        raise TypeError(f"the array is of type {values.dtype}; it must be of real numbers or bool")
    cells = _chosen(array, values, where, names)
    axes = [_axis(array, name, k) for k, name in enumerate(reversed(names))]
    if len(axes) == 2:
        axes.append(_plane(array))
    grid = from_mask(cells, [axis.spacing for axis in axes], [axis.origin for axis in axes])
    grid = _moved(grid, [axis.first for axis in axes])
    if values.dtype != bool or where is not None:
        grid[str(array.name or VALUE)] = values[cells]
    return grid


def _chosen(array, values, where, names):
    """Which elements are cells."""
    if where is None:
        there = values if values.dtype == bool else ~numpy.isnan(values) if values.dtype.kind == "f" else values != 0
        return there if values.ndim == len(names) else there.any(axis=-1)
    dims = getattr(where, "dims", names)
    cells = numpy.asarray(where)
    if cells.dtype != bool:
        raise TypeError(f"where is of type {cells.dtype}; it must be bool")
    if dims != names or cells.shape != values.shape[: len(names)]:
        raise ValueError(
            f"where has the dims {dims} and shape {cells.shape}; it must be as the array: "
            f"{names} and {values.shape[: len(names)]}"
        )
    return cells


def _axis(array, name, k):
    """What the coordinates say, or where they agree with them the attributes, which are exact."""
    count = array.sizes[name]
    spacing, origin = (_attribute(array, attribute, k) for attribute in ("spacing", "origin"))
    if name not in array.coords:
        return Axis(1.0, 0.0, 0)
    centers = array.coords[name].to_numpy()
    if centers.dtype.kind not in "iuf" or not numpy.isfinite(centers).all():
        raise ValueError(f"the coordinates {name} are of type {centers.dtype}; they must be finite numbers")
    rounding = 4 * numpy.finfo(centers.dtype if centers.dtype.kind == "f" else float).eps
    centers = centers.astype(float)
    if count > 1:
        step = (centers[-1] - centers[0]) / (count - 1)
        if step <= 0:
            raise ValueError(
                f"the coordinates {name} go from {centers[0]:g} to {centers[-1]:g}; they must ascend: "
                f"see array.sortby({name!r})"
            )
        error = min(NEAR * step + rounding * numpy.abs(centers).max(), 0.01 * step)
        even = centers[0] + step * numpy.arange(count)
        wrong = numpy.flatnonzero(~(numpy.abs(centers - even) <= error))
        if len(wrong):
            raise ValueError(
                f"the coordinates {name} are not even: number {wrong[0]} is {centers[wrong[0]]:g} instead "
                f"of {even[wrong[0]]:g}; see array.interp()"
            )
        if spacing is None or abs(spacing - step) * (count - 1) > 2 * error:
            spacing = step
    elif spacing is None:
        raise ValueError(
            f"there are {count} coordinates {name}, which do not tell the size of cells: "
            "give array.attrs['spacing'] = (x, y, z)"
        )
    low = centers[0] - spacing / 2 if count else 0.0
    if origin is not None:
        first = (low - origin) / spacing if count else 0.0
        if abs(first) < 2**31 and abs(first - round(first)) < 1e-3:
            return Axis(spacing, origin, round(first))
    return Axis(spacing, low, 0)


def _plane(array):
    """The third axis of a 2D array."""
    spacing, origin = (_attribute(array, attribute, 2) for attribute in ("spacing", "origin"))
    if "z" in array.coords and array.coords["z"].ndim == 0:
        origin = float(array.coords["z"])
    return Axis(1.0 if spacing is None else spacing, 0.0 if origin is None else origin, 0)


def _attribute(array, name, k):
    """The number along an axis, x first, in an attribute of the array; None where there is none that can be meant."""
    try:
        value = float(array.attrs[name][k])
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return value if math.isfinite(value) and (value > 0 or name == "origin") else None


def _moved(grid, cells):
    """The grid with all cells moved by so many along x, y and z, on the same lattice."""
    if not any(cells):
        return grid
    arrays = grid.arrays
    x, *others = cells[: arrays.dimension]
    rows = arrays.rows.astype(numpy.int64) + (others if arrays.dimension == 3 else others[0])
    intervals = arrays.intervals.astype(numpy.int64) + x
    return Grid(from_arrays(rows, arrays.row_offsets, intervals, arrays.origin, arrays.spacing))
