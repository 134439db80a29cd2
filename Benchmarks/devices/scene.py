"""Filters with their inputs, and arrays on them."""

import numpy as np
import spanwise
from spanwise._run import collect_errors
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkUnstructuredGrid
from vtkmodules.vtkCommonExecutionModel import vtkTrivialProducer

CELLS, POINTS = vtkDataObject.FIELD_ASSOCIATION_CELLS, vtkDataObject.FIELD_ASSOCIATION_POINTS
errors = []  # a list of messages for each filter


def make(kind, *sources, cells=None, points=None, **properties):
    """A filter by its name after vtkSpanwise, of the outputs of others; `cells` or `points` names the array it reads."""
    algorithm = getattr(spanwise, "vtkSpanwise" + kind)()
    errors.append(collect_errors(algorithm))
    for source in sources:
        algorithm.AddInputConnection(0, source.GetOutputPort())
    for name, value in properties.items():
        getattr(algorithm, "Set" + name)(*(value if isinstance(value, tuple) else (value,)))
    if cells or points:
        algorithm.SetInputArrayToProcess(0, 0, 0, CELLS if cells else POINTS, cells or points)
    return algorithm


def producer(data):
    """A source of data that is there; its arrays stay alive with it."""
    source = vtkTrivialProducer()
    source.SetOutput(data)
    return source


def add_array(attributes, name, values):
    array = numpy_to_vtk(np.ascontiguousarray(values), deep=1)
    array.SetName(name)
    attributes.AddArray(array)


def with_cell_array(source, name, function):
    """A grid with an array of its cells, on the host: a function of their numbers."""
    source.Update()
    grid = vtkUnstructuredGrid()
    grid.ShallowCopy(source.GetOutputDataObject(0))
    add_array(grid.GetCellData(), name, function(np.arange(grid.GetNumberOfCells(), dtype=np.float64)))
    return producer(grid)
