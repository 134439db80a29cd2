"""Sets of cells on a lattice as one Python object."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import ArrayLike
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkDataSet, vtkUnstructuredGrid

from ._arrays import Arrays, add_field, shared, structure
from ._boxes import Box, bounds_of, box_of
from ._components import Components, label
from ._morphology import morph
from ._run import run
from ._vtk import type_name
from .spanwiseDataModel import vtkSpanwiseGrid
from .spanwiseGeometry import (
    vtkSpanwiseGridToIntervals,
    vtkSpanwiseMorphology,
    vtkSpanwiseSetAlgebra,
    vtkSpanwiseThresholdToIntervals,
)

if TYPE_CHECKING:
    import pyvista
    import xarray

CONDITION = "condition of where()"  # the name of an array while cells are chosen


class Grid:
    """A set of cells with values: a thin object over a VTK grid of intervals.

    The cell (i, j, k) covers origin + (i, j, k) * spacing to origin + (i + 1, j + 1, k + 1) * spacing.
    THE ORDER OF CELLS, and of the values of fields, is that of a dense array [z, y, x]: X IS LAST, and fastest.
    Cells, spacings, origins, boxes and points are in VTK's order x, y, z: X IS FIRST.

    from_mask(), from_labels(), from_points(), from_xarray() and read() make grids, and so does Grid(dataset) of a VTK
    data set. One that carries intervals is used as it is, without a copy. Of another with axis-aligned equal cells
    vtkSpanwiseGridToIntervals makes intervals; ValueError where the cells are not such.

        a | b, a & b, a - b, a ^ b    union, intersection, difference, symmetric difference
        ~a                            the cells of the bounding box of a that are not in a (see complement())
        a == b                        the same cells on the same lattice, whatever their fields
        len(a)                        the number of cells; an empty grid is False
        a["T"], a["T"] = values       a field as a numpy array, one value for each cell
        a >> vtkFilter()              VTK's pipeline, with a.dataset as its input

    Results are new grids, and keep the fields. A cell has the value of the first grid with both the cell and the field;
    where there is none, NaN in a field of floating-point numbers and 0 in others. Empty grids hand on no fields.

    Grids are combined that have equal spacings and origins a whole number of cells apart. The result lies on the
    lattice of the first with cells. ValueError says which value breaks which rule, TypeError what is of a wrong type.

    Operators take O(rows + intervals), and O(cells) for each field. Cells are never stored one by one.

    A build without solvers has neither signed_distance() nor arrival_times(): ModuleNotFoundError.
    """

    __hash__ = None  # type: ignore[assignment]  # fields change
    __iter__ = None
    __contains__ = None
    __array_ufunc__ = None  # numpy arrays leave | and others to this class, which refuses

    def __init__(self, dataset: vtkDataSet) -> None:
        if not isinstance(dataset, vtkDataSet):
            raise TypeError(f"dataset is of type {type_name(dataset)}; it must be a vtkDataSet")
        if not vtkSpanwiseGrid.HasIntervals(dataset):
            dataset = run(vtkSpanwiseGridToIntervals(), dataset)
        self._dataset: Any = dataset

    @property
    def dataset(self) -> vtkUnstructuredGrid:
        """The VTK grid, which carries the intervals: what filters, writers and mappers take. Shared, not copied."""
        return self._dataset

    @property
    def arrays(self) -> Arrays:
        """Rows, row offsets, intervals and cell offsets, as read-only views (numpy_support.Arrays, without fields)."""
        return structure(self._dataset)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return vtkSpanwiseGrid.GetDimension(self._dataset)

    @property
    def origin(self) -> tuple[float, float, float]:
        """The corner of the cell (0, 0, 0): x, y, z. A 2D grid lies in the plane of its z."""
        return self.arrays.origin

    @property
    def spacing(self) -> tuple[float, float, float]:
        """The size of a cell along x, y and z."""
        return self.arrays.spacing

    @property
    def box(self) -> Box:
        """The smallest box with all cells: (begin, end) along x, y and, in 3D, z, in cells. (0, 0) without cells."""
        arrays = self.arrays
        if not len(arrays.intervals):
            return ((0, 0),) * arrays.dimension
        keys = arrays.rows.reshape(len(arrays.rows), -1)
        sides = [(arrays.intervals[:, 0].min(), arrays.intervals[:, 1].max())]
        sides += [(key.min(), int(key.max()) + 1) for key in keys.T]
        return tuple((int(begin), int(end)) for begin, end in sides)

    def cells(self) -> numpy.ndarray:
        """The coordinates of all cells, int64 (cells, 2) x, y or (cells, 3) x, y, z, in their order."""
        return self.arrays.cells()

    def centers(self) -> numpy.ndarray:
        """The centres of all cells, float64 (cells, 3) x, y, z, in their order, in the units of the spacing."""
        arrays = self.arrays
        cells = arrays.cells()
        centers = numpy.full((len(cells), 3), arrays.origin)
        axes = slice(arrays.dimension)
        centers[:, axes] += (cells + 0.5) * arrays.spacing[axes]
        return centers

    # Fields

    @property
    def field_names(self) -> tuple[str, ...]:
        """The names of the fields."""
        data = self._dataset.GetCellData()
        return tuple(data.GetArrayName(k) for k in range(data.GetNumberOfArrays()) if data.GetArray(k) is not None)

    def __getitem__(self, name: str) -> numpy.ndarray:
        """A field as a numpy array, (cells,) or (cells, components), in the order of cells.

        It shares the field's memory: what is written to it is in the field, and in grids that share it. Of a field that
        is computed, such as ComponentId, it is a copy. KeyError where there is no field of that name.
        """
        array = self._dataset.GetCellData().GetArray(name) if isinstance(name, str) else None
        if array is None:
            raise KeyError(f"there is no field {name!r}; the grid has {', '.join(self.field_names) or 'none'}")
        return vtk_to_numpy(array)

    def __setitem__(self, name: str, values: ArrayLike) -> None:
        """Adds or replaces a field: (cells,) or (cells, components), in the order of cells.

        Values are real numbers of up to 64 bits, and are copied; bool becomes uint8 and float16 float32.
        """
        if not isinstance(name, str) or not name:
            raise TypeError(f"the name of a field is {name!r}; it must be a text that is not empty")
        add_field(self._dataset.GetCellData(), name, values, len(self))

    def __delitem__(self, name: str) -> None:
        """Removes a field. KeyError where there is none of that name."""
        if name not in self.field_names:
            raise KeyError(f"there is no field {name!r}; the grid has {', '.join(self.field_names) or 'none'}")
        self._dataset.GetCellData().RemoveArray(name)

    def where(self, condition: ArrayLike) -> Grid:
        """The cells where a condition, bool (cells,) in the order of cells, is true: a.where(a["T"] > 300)."""
        array = numpy.asarray(condition)
        if array.dtype != bool:
            raise TypeError(f"the condition is of type {array.dtype}; it must be bool")
        if array.shape != (len(self),):
            raise ValueError(f"the condition has shape {array.shape}; it must be ({len(self)},), one for each cell")
        if len(self) == 0:
            return Grid(shared(self._dataset))  # filters drop the fields of what is empty
        marked = shared(self._dataset)
        add_field(marked.GetCellData(), CONDITION, array, len(self))
        threshold = vtkSpanwiseThresholdToIntervals()
        threshold.SetLowerThreshold(1.0)
        threshold.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, CONDITION)
        output = run(threshold, marked)
        output.GetCellData().RemoveArray(CONDITION)
        return Grid(output)

    # Sets

    def __len__(self) -> int:
        return self._dataset.GetNumberOfCells()

    def __or__(self, other: Grid) -> Grid:
        return self._combine(other, vtkSpanwiseSetAlgebra.UNION)

    def __and__(self, other: Grid) -> Grid:
        return self._combine(other, vtkSpanwiseSetAlgebra.INTERSECTION)

    def __sub__(self, other: Grid) -> Grid:
        return self._combine(other, vtkSpanwiseSetAlgebra.DIFFERENCE)

    def __xor__(self, other: Grid) -> Grid:
        return self._combine(other, vtkSpanwiseSetAlgebra.SYMMETRIC_DIFFERENCE)

    def __invert__(self) -> Grid:
        return self.complement()

    def complement(self, shape: Sequence[int] | None = None, box: Sequence[Sequence[int]] | None = None) -> Grid:
        """The cells of a box that are not in the set, without fields. ~a is a.complement().

        shape: of an array, x last, whose first element is the cell (0, 0, 0): from_mask(mask).complement(mask.shape) is
        from_mask(~mask). Or
        box: (begin, end) along x, y and, in 3D, z, in cells. Default: the bounding box of the set, self.box.
        """
        chosen = box_of(self.dimension, shape, box, self.box)
        algebra = vtkSpanwiseSetAlgebra()
        algebra.SetOperation(vtkSpanwiseSetAlgebra.COMPLEMENT)
        algebra.SetComplementBox(vtkSpanwiseSetAlgebra.GIVEN_BOUNDS)
        algebra.SetComplementBounds(bounds_of(chosen, self.origin, self.spacing))
        return Grid(run(algebra, self._dataset))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grid):
            return NotImplemented
        mine, others = self.arrays, other.arrays
        return all(
            numpy.array_equal(a, b)
            for a, b in (
                (mine.spacing, others.spacing),
                (mine.origin, others.origin),
                (mine.rows, others.rows),
                (mine.row_offsets, others.row_offsets),
                (mine.intervals, others.intervals),
            )
        )

    # Shapes

    def dilate(self, radius: float | Sequence[float] = 1, element: str = "box", unit: str = "cells") -> Grid:
        """All cells that the structuring element covers, put on each cell of the set: the Minkowski sum.

        radius: not negative. Of a box one number, or one for each axis in the order x, y, z.
        element: "box" |x|, |y|, |z| <= radius; "diamond" |x| + |y| + |z| <= radius; "ball" x^2 + y^2 + z^2 <= radius^2;
            "faces", "edges", "vertices": radius steps between neighbours that share a face, an edge too, a vertex too
            (4, 8, 8 neighbours in 2D; 6, 18, 26 in 3D). radius=1 with "faces" is scipy.ndimage's default.
        unit: "cells", or "length": the radius is in the units of the spacing.

        New cells have NaN, or 0, in fields. ValueError for a radius of more than 30,000 cells (of a ball in 3D 1,000),
        and for cells beyond the 32 bits of coordinates. O(rows + intervals) for a box, whatever its radius.
        """
        return self._morph(vtkSpanwiseMorphology.DILATE, radius, element, unit)

    def erode(self, radius: float | Sequence[float] = 1, element: str = "box", unit: str = "cells") -> Grid:
        """The cells on which the structuring element lies in the set. Arguments: see dilate().

        All that is not in the set is outside, also beyond the border of a mask that it was made of.
        """
        return self._morph(vtkSpanwiseMorphology.ERODE, radius, element, unit)

    def opening(self, radius: float | Sequence[float] = 1, element: str = "box", unit: str = "cells") -> Grid:
        """Eroded, then dilated: what is thinner than the element goes. Arguments: see dilate()."""
        return self._morph(vtkSpanwiseMorphology.OPEN, radius, element, unit)

    def closing(self, radius: float | Sequence[float] = 1, element: str = "box", unit: str = "cells") -> Grid:
        """Dilated, then eroded: gaps that are thinner than the element go. Arguments: see dilate()."""
        return self._morph(vtkSpanwiseMorphology.CLOSE, radius, element, unit)

    def components(self, connectivity: str = "faces") -> Components:
        """The connected components: their number, sizes, bounds, centroids, and the grid with the field ComponentId.

        connectivity: "faces", "edges" or "vertices": what neighbours share, at least. O(rows + intervals).
        """
        output, columns = label(self._dataset, connectivity)
        return Components(Grid(output), *columns)

    # Distances and times

    def signed_distance(
        self, where: str | Grid = "box", margin: float = 1.0, width: float = 1.0, memory_limit: int = 4096
    ) -> Grid:
        """A grid with the field "Signed Distance": how far centres of cells are from the boundary of the set.

        The boundary are the faces between its cells and all others. Distances are Euclidean and exact, negative in the
        set, in the units of the spacing. An empty set has no boundary: distances to it are infinite.

        where: "cells", those of the set; "box", its bounding box and `margin` around it; "band", all within `width` of
            the boundary on both sides; or the cells of another Grid on the same lattice.
        margin, width: lengths, not negative, in the units of the spacing.
        memory_limit: in MiB. All but a band take 8 bytes for each cell of a box; more than the limit is a ValueError.
        """
        from ._eikonal import signed_distance

        place = where._dataset if isinstance(where, Grid) else where
        return Grid(signed_distance(self._dataset, place, margin, width, memory_limit))

    def arrival_times(
        self,
        sources: Grid | ArrayLike,
        speed: float | str | ArrayLike = 1.0,
        start_times: ArrayLike | None = None,
        order: int = 1,
        stop_time: float = math.inf,
    ) -> Grid:
        """The grid with the field "Arrival Time": when fronts that start at sources arrive at the centres of cells.

        Times solve the eikonal equation. What is not in the grid is a wall. Infinity where no front comes.

        sources: points, (n, 2) or (n, 3) x first, anywhere in cells of the grid; or a Grid on the same lattice: fronts
            start at the cells that both have.
        speed: positive, a length a time. A number; or one for each cell, an array or the name of a field, where 0 is a
            wall; or so tensors M, squares of speeds: 2D (cells, 3) xx yy xy, 3D (cells, 6) xx yy zz xy yz xz.
        start_times: one for each point or cell of the sources. Default: 0.
        order: 1, times that in a constant medium without walls are never early, or 2, nearer to smooth exact times, but
            up to half a cell early from a Grid that is two or more cells deep.
        stop_time: later times are not computed, and infinity.

        ValueError for a point outside of all cells, for no source at all, and a speed that is negative or not finite.
        """
        from ._eikonal import arrival_times

        starts = sources._dataset if isinstance(sources, Grid) else sources
        return Grid(arrival_times(self._dataset, starts, speed, start_times, order, stop_time))

    # Other packages, which are imported where they are asked for: ModuleNotFoundError where they are not there

    def to_pyvista(self) -> pyvista.UnstructuredGrid:
        """The grid as a mesh of PyVista (0.48 or newer), which carries the intervals too and shares the fields.

        Points and cells of the mesh are computed. mesh.points, mesh.cells and mesh.copy() store them one by one, at
        some 60 bytes a cell in 2D and 100 in 3D; mesh.copy(deep=False) and mesh.extract_surface() do not.
        mesh.spanwise.grid is the way back, and Grid(mesh) the same.
        """
        from ._pyvista import wrap

        return wrap(self._dataset)

    def to_xarray(
        self,
        name: str | None = None,
        shape: Sequence[int] | None = None,
        box: Sequence[Sequence[int]] | None = None,
        fill: float | None = None,
        memory_limit: int = 4096,
    ) -> xarray.DataArray:
        """A dense DataArray of xarray: dims ("y", "x") or ("z", "y", "x"), the centres of cells as coordinates.

        name: of a field, or None: the mask, bool. A field of several components has the dim "component" at the end.
        shape, box, memory_limit: see to_mask().
        fill: the value where there is no cell. Default: NaN in a field of floating-point numbers and 0 in others.

        Its attributes "spacing" and "origin" are those of the grid. from_xarray() is the way back.
        """
        from ._xarray import to_xarray

        return to_xarray(self, name, shape, box, fill, memory_limit)

    # Python's own

    def __array__(self, *_arguments: Any, **_options: Any) -> numpy.ndarray:
        raise TypeError("a Grid is no dense array; to_mask(grid) makes one, and grid[name] is one of a field")

    def __rshift__(self, algorithm: Any) -> Any:
        return self._dataset >> algorithm

    def __repr__(self) -> str:
        fields = f", fields {', '.join(self.field_names)}" if self.field_names else ""
        return f"<Grid: {len(self)} cells in {self.dimension}D, box {self.box}, spacing {self.spacing}{fields}>"

    def _combine(self, other, operation):
        if not isinstance(other, Grid):
            raise TypeError(f"a Grid is combined with a {type(other).__name__}; it must be a Grid")
        algebra = vtkSpanwiseSetAlgebra()
        algebra.SetOperation(operation)
        return Grid(run(algebra, self._dataset, other._dataset))

    def _morph(self, operation, radius, element, unit):
        return Grid(morph(self._dataset, operation, radius, element, unit))
