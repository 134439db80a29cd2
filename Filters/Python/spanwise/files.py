"""Files of grids."""

from __future__ import annotations

import os
from pathlib import Path

from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPartitionedDataSetCollection

from ._run import collect_errors
from ._vtk import type_name
from .grid import Grid
from .spanwiseReaders import vtkSpanwiseReader, vtkSpanwiseWriter

SUFFIX = ".icsr"


def read(path: str | os.PathLike, time: float | None = None) -> Grid | vtkPartitionedDataSetCollection:
    """The grid of an .icsr file with its fields; of a file with several levels VTK's collection of a grid for each.

    time: of the step that is read, the nearest before it. Default: the first step.

    FileNotFoundError where there is no file; OSError with the reader's message for one that is damaged; ValueError for
    another suffix.
    """
    reader = vtkSpanwiseReader()
    reader.SetFileName(_checked(path))
    if not Path(path).exists():
        raise FileNotFoundError(f"there is no file {os.fspath(path)!r}")
    errors = collect_errors(reader)
    if time is None:
        reader.Update()
    else:
        reader.UpdateTimeStep(time)
    if errors:
        raise OSError(errors[0])
    output = reader.GetOutputDataObject(0)
    return output if isinstance(output, vtkPartitionedDataSetCollection) else Grid(output)


def write(path: str | os.PathLike, grid: Grid | vtkDataObject, compression: int = 0) -> None:
    """Writes a grid with its fields to an .icsr file. What is there is replaced when all is written.

    grid: a Grid, or what vtkSpanwiseWriter takes, such as levels.
    compression: of deflate, from 0 (none, fastest) to 9 (smallest, slowest).

    ValueError for another suffix or compression, OSError with the writer's message where it fails.
    """
    writer = vtkSpanwiseWriter()
    writer.SetFileName(_checked(path))
    if compression not in range(10):
        raise ValueError(f"compression is {compression!r}; it must be from 0 to 9")
    if not isinstance(grid, (Grid, vtkDataObject)):
        raise TypeError(f"grid is of type {type_name(grid)}; it must be a Grid or a vtkDataObject")
    writer.SetCompressionLevel(compression)
    writer.SetInputDataObject(0, grid.dataset if isinstance(grid, Grid) else grid)
    errors = collect_errors(writer)
    if not writer.Write() or errors:
        raise OSError(errors[0] if errors else f"{os.fspath(path)!r} was not written")


def _checked(path):
    if Path(path).suffix.lower() != SUFFIX:
        raise ValueError(
            f"the file {os.fspath(path)!r} has the suffix {Path(path).suffix!r}; it must be {SUFFIX!r}. "
            "For others use VTK's readers and writers: Grid(dataset) and grid.dataset"
        )
    return os.fspath(path)
