"""Files of grids."""

from __future__ import annotations

import os
from pathlib import Path

from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPartitionedDataSetCollection

from ._run import collect_errors
from ._vtk import type_name
from .grid import Grid
from .spanwiseReaders import (
    vtkSpanwiseOpenVDBReader,
    vtkSpanwiseOpenVDBWriter,
    vtkSpanwiseReader,
    vtkSpanwiseSamuraiReader,
    vtkSpanwiseWriter,
)

ICSR, VDB, SAMURAI = ".icsr", ".vdb", ".h5"
READERS = {ICSR: vtkSpanwiseReader, VDB: vtkSpanwiseOpenVDBReader, SAMURAI: vtkSpanwiseSamuraiReader}


def read(path: str | os.PathLike, time: float | None = None) -> Grid | vtkPartitionedDataSetCollection:
    """The grid of an .icsr, .vdb or .h5 file with its fields.

    Of an .icsr file with several levels, or a .vdb file with several grids, VTK's collection of a grid for each. The
    grids of OpenVDB (.vdb) are 3D; their active voxels are the cells. An .h5 file is one that samurai::dump wrote.

    time: of the step of an .icsr file that is read, the nearest before it. Default: the first step.

    FileNotFoundError where there is no file; OSError with the reader's message for one that is damaged; ValueError for
    another suffix, and for the time of a .vdb or .h5 file, which has one step.
    """
    suffix = _suffix(path, tuple(READERS))
    if suffix != ICSR and time is not None:
        raise ValueError(f"time is {time!r}; a {suffix!r} file has one step")
    reader = READERS[suffix]()
    reader.SetFileName(os.fspath(path))
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
    """Writes a grid with its fields to an .icsr or .vdb file. What is there is replaced when all is written.

    grid: a Grid, or what vtkSpanwiseWriter or vtkSpanwiseOpenVDBWriter takes, such as levels or a collection.
    compression: of deflate in an .icsr file, from 0 (none, fastest) to 9 (smallest, slowest). A .vdb file is always
        compressed as OpenVDB does it.

    A field becomes a grid of a .vdb file, and a 2D grid one layer of voxels. "Signed Distance" becomes a level set.

    ValueError for another suffix or compression, OSError with the writer's message where it fails.
    """
    suffix = _suffix(path, (ICSR, VDB))
    if compression not in range(10):
        raise ValueError(f"compression is {compression!r}; it must be from 0 to 9")
    if suffix == VDB and compression != 0:
        raise ValueError(f"compression is {compression!r}; a {VDB!r} file is compressed as OpenVDB does it")
    if not isinstance(grid, (Grid, vtkDataObject)):
        raise TypeError(f"grid is of type {type_name(grid)}; it must be a Grid or a vtkDataObject")
    if suffix == ICSR:
        writer = vtkSpanwiseWriter()
        writer.SetCompressionLevel(compression)
    else:
        writer = vtkSpanwiseOpenVDBWriter()
    writer.SetFileName(os.fspath(path))
    writer.SetInputDataObject(0, grid.dataset if isinstance(grid, Grid) else grid)
    errors = collect_errors(writer)
    if not writer.Write() or errors:
        raise OSError(errors[0] if errors else f"{os.fspath(path)!r} was not written")


def _suffix(path, known):
    suffix = Path(path).suffix.lower()
    if suffix not in known:
        names = ", ".join(map(repr, known[:-1]))
        raise ValueError(
            f"the file {os.fspath(path)!r} has the suffix {Path(path).suffix!r}; it must be {names} or {known[-1]!r}. "
            "For others use VTK's readers and writers: Grid(dataset) and grid.dataset"
        )
    return suffix
