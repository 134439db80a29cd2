"""Every filter on what is easily forgotten: no cells at all, first in a process; the grid of -1 cells that VTK's reader
makes of an empty one; and, without arrays, intervals of very many cells, which must not cost memory by cells.

Each case runs in a process of its own, forked before Kokkos has started.
"""
import os
import sys
import traceback

import spanwise
from spanwise import vtkSpanwiseGrid
from vtkmodules.vtkCommonCore import (
    vtkIdTypeArray, vtkIntArray, vtkObject, vtkPoints, vtkTypeInt64Array, vtkUnsignedCharArray)
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData, vtkPolyData, vtkUnstructuredGrid
from vtkmodules.vtkCommonExecutionModel import vtkAlgorithm

FILTERS = {name: cls for name, cls in vars(spanwise).items() if isinstance(cls, type) and issubclass(cls, vtkAlgorithm)
           and name.startswith("vtkSpanwise")
           and not name.endswith(("Algorithm", "Reader", "Writer", "Mapper", "Representation"))}

# Those whose output has no more values than intervals where the input has none.
SETS = ("SetAlgebra", "SetExpression", "Morphology", "Boundary", "Components", "FillHoles", "ExtractRegion",
        "IntervalTable", "GridToIntervals", "RemapField", "CoarsenIntervals", "RefineIntervals", "ResampleLevels",
        "GridToLevels")
CELLS = 2**28


def nothing():
    return vtkUnstructuredGrid()


def minus_one_cells():
    """As VTK's reader makes it of an empty grid in a .vtkhdf file."""
    cells = vtkCellArray()
    cells.SetData(vtkIdTypeArray(), vtkIdTypeArray())
    grid = vtkUnstructuredGrid()
    grid.SetPoints(vtkPoints())
    grid.SetPolyhedralCells(vtkUnsignedCharArray(), cells, None, None)
    assert grid.GetNumberOfCells() == -1
    return grid


def long_interval():
    """One interval of CELLS cells."""
    rows, offsets, interval = vtkIntArray(), vtkTypeInt64Array(), vtkIntArray()
    rows.InsertNextValue(0)
    offsets.InsertNextValue(0)
    offsets.InsertNextValue(1)
    interval.SetNumberOfComponents(2)
    interval.InsertNextTuple2(0, CELLS)
    grid = vtkUnstructuredGrid()
    assert not vtkSpanwiseGrid.FromArrays(grid, rows, offsets, interval, (0, 0, 0), (1, 1, 1))
    assert grid.GetNumberOfCells() == CELLS
    return grid


def run(name, make_input):
    """Brings a filter up to date. A message is no failure: many filters ask for arrays or sources."""
    algorithm = FILTERS[name]()
    for port in range(algorithm.GetNumberOfInputPorts()):
        wanted = algorithm.GetInputPortInformation(port).Get(vtkAlgorithm.INPUT_REQUIRED_DATA_TYPE(), 0)
        if port > 0 and make_input is long_interval and name.endswith("Morphology"):
            continue  # it would be the element
        algorithm.AddInputDataObject(
            port, {"vtkPolyData": vtkPolyData, "vtkImageData": vtkImageData}.get(wanted, make_input)())
    algorithm.UpdateInformation()
    algorithm.Update()


def in_a_process(case):
    """Whether a case returns, and the most memory that its process had, in MiB."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            vtkObject.GlobalWarningDisplayOff()
            case()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status, usage = os.wait4(child, 0)
    return status == 0, usage.ru_maxrss / 1024


assert len(FILTERS) > 30, sorted(FILTERS)
failed = []
for name in sorted(FILTERS):
    for make_input in (nothing, minus_one_cells):
        ended, _ = in_a_process(lambda: run(name, make_input))
        if not ended:
            failed.append(f"{name} on {make_input.__name__}")

_, used = in_a_process(long_interval)
for name in ("vtkSpanwise" + ending for ending in SETS):
    ended, memory = in_a_process(lambda: run(name, long_interval))
    print(f"{name}: {memory - used:.0f} MiB for {CELLS} cells")
    if not ended or memory - used > 100:
        failed.append(f"{name} on an interval of {CELLS} cells ({memory - used:.0f} MiB)")
assert not failed, failed
