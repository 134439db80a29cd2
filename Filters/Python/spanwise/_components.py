"""The connected components of grids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataObject

from ._arguments import choice
from ._run import run
from .spanwiseGeometry import vtkSpanwiseComponents

if TYPE_CHECKING:
    from .grid import Grid

CONNECTIVITIES = {
    "faces": vtkSpanwiseComponents.FACES,
    "edges": vtkSpanwiseComponents.EDGES,
    "vertices": vtkSpanwiseComponents.VERTICES,
}


@dataclass(frozen=True)
class Components:
    """Connected components, numbered from 0 in the order of their first cells. Array element k is of component k."""

    grid: Grid  #: the cells, with the fields ComponentId and ComponentSize (a number of cells) beside their own
    sizes: numpy.ndarray  #: int64, (components,) the number of cells
    bounds: numpy.ndarray  #: float64, (components, 6) least and greatest x, y and z, in the units of the spacing
    centroids: numpy.ndarray  #: float64, (components, 3) x, y and z, in the units of the spacing

    @property
    def count(self) -> int:
        """The number of components."""
        return len(self.sizes)


def label(dataset: vtkDataObject, connectivity: str) -> tuple[vtkDataObject, list[numpy.ndarray]]:
    """The grid with its components' numbers, and the columns Cells, Bounds and Centroid of the table."""
    components = vtkSpanwiseComponents()
    components.SetConnectivity(choice("connectivity", connectivity, CONNECTIVITIES))
    output = run(components, dataset)
    table = components.GetOutputDataObject(1)
    return output, [vtk_to_numpy(table.GetColumnByName(name)) for name in ("Cells", "Bounds", "Centroid")]
