"""Grids in PyVista (0.48 or newer): mesh.spanwise, pyvista.read("x.icsr") and mesh.save("x.icsr").

PyVista finds these by the entry points of this package, and imports this module when one of them is used.
"""

from __future__ import annotations

from typing import Any

import pyvista
from vtkmodules.vtkCommonDataModel import vtkDataObject

from . import files
from ._run import run
from .grid import Grid
from .spanwiseDataModel import vtkSpanwiseGrid
from .spanwiseMultilevel import vtkSpanwiseGridToLevels


@pyvista.register_dataset_accessor("spanwise", pyvista.DataSet)
class Accessor:
    """mesh.spanwise: sets of cells of a PyVista mesh.

    mesh.spanwise.grid.dilate(2).to_pyvista() is the mesh of a larger set.
    """

    def __init__(self, mesh: pyvista.DataSet) -> None:
        self._mesh: Any = mesh

    @property
    def has_intervals(self) -> bool:
        """Whether the mesh carries intervals, so that its points and cells are computed and take no memory."""
        return vtkSpanwiseGrid.HasIntervals(self._mesh)

    @property
    def grid(self) -> Grid:
        """The Grid of the cells with their fields.

        A mesh that carries intervals is used as it is, without a copy. Of another with axis-aligned equal cells, such
        as an ImageData, intervals are made. ValueError where the cells are not such.
        """
        return Grid(self._mesh)


def wrap(dataset: vtkDataObject) -> pyvista.UnstructuredGrid:
    """See Grid.to_pyvista()."""
    return pyvista.wrap(dataset)


def read(path: str) -> pyvista.UnstructuredGrid | pyvista.MultiBlock:
    """What pyvista.read() gives for an .icsr file: a mesh; of a file with levels a block for each, Level0, Level1 ...

    Errors: see spanwise.read().
    """
    found = files.read(path)
    if isinstance(found, Grid):
        return wrap(found.dataset)
    levels = pyvista.MultiBlock()
    for level in range(found.GetNumberOfPartitionedDataSets()):
        levels.append(wrap(found.GetPartition(level, 0)), f"Level{level}")
    return levels


def write(mesh: pyvista.DataObject, path: str, *, compression_level: int = 0) -> None:
    """What mesh.save() does for an .icsr file. Of a MultiBlock it writes levels, which its blocks must be.

    compression_level: of deflate, from 0 (none, fastest) to 9 (smallest, slowest). PyVista's own argument
        `compression` is for VTK's formats.

    ValueError where the blocks are no levels, OSError with the writer's message where it fails.
    """
    data: Any = mesh
    if isinstance(mesh, pyvista.MultiBlock):
        data = run(vtkSpanwiseGridToLevels(), data)
    files.write(path, data, compression_level)
