"""The images on which tests and benchmarks of morphology run, as numpy arrays of bool, and grids of intervals of them.

Arrays have x last, as [y, x] or [z, y, x], so that their order is that of the cells.
"""
import importlib.util
import os
import tempfile
from pathlib import Path

import numpy as np
from spanwise import numpy_support, vtkSpanwisePolygonsToIntervals
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkNIFTIImageReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

TEMPLATES = Path("/usr/share/mricron/templates")


def _neighbour(name):
    """A script of this folder as a module."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ocean(cells_per_degree=16):
    """The world's ocean as the demo has it, at 16 cells a degree: 2880 x 5760."""
    coastlines = _neighbour("coastlines")
    cell = 1.0 / cells_per_degree
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "coastlines.vtp")
        coastlines.write_polygons([r for r in coastlines.read_rings(coastlines.source_file()) if r.level == 1], path)
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(path)
        land = vtkSpanwisePolygonsToIntervals()
        land.SetInputConnection(reader.GetOutputPort())
        land.SetOrigin(-180.0, -90.0, 0.0)
        land.SetSpacing(cell, cell, cell)
        land.Update()
    return ~mask_of(land.GetOutput(), (180 * cells_per_degree, 360 * cells_per_degree))


def brain(name="ch2bet", threshold=45):
    """The voxels of an MRI template of MRIcron that are brighter than a threshold."""
    reader = vtkNIFTIImageReader()
    reader.SetFileName(str(TEMPLATES / f"{name}.nii.gz"))
    reader.Update()
    image = reader.GetOutput()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(image.GetDimensions()[::-1]) > threshold


def ball_with_holes(n):
    """A ball in n^3 cells, with a lattice of spherical holes, some of which meet."""
    at = (np.arange(n, dtype=np.float32) + 0.5) / n
    z, y, x = np.meshgrid(at, at, at, indexing="ij", sparse=True)
    ball = (x - 0.5) ** 2 + (y - 0.5) ** 2 + (z - 0.5) ** 2 < 0.24
    holes = np.cos(20 * np.pi * x) + np.cos(18 * np.pi * y) + np.cos(16 * np.pi * z) > 1.2
    return ball & ~holes


def padded(mask, width):
    """The mask with `width` cells of background on all sides."""
    return np.pad(mask, width)


def grid_of(mask):
    """The cells of a mask as a grid of intervals."""
    rows = mask.reshape(-1, mask.shape[-1])
    framed = np.zeros((rows.shape[0], rows.shape[1] + 2), np.int8)
    framed[:, 1:-1] = rows
    changes = np.diff(framed, axis=1)
    row, begin = np.nonzero(changes > 0)
    end = np.nonzero(changes < 0)[1]
    keys, first = np.unique(row, return_index=True)
    if mask.ndim == 3:
        keys = np.column_stack([keys % mask.shape[1], keys // mask.shape[1]])
    return numpy_support.from_arrays(keys, np.append(first, len(row)), np.column_stack([begin, end]))


def mask_of(grid, shape):
    """The mask of a grid of intervals; all cells must lie in it."""
    mask = np.zeros((int(np.prod(shape[:-1])), shape[-1] + 1), np.int8)
    if grid.GetNumberOfCells() > 0:
        arrays = numpy_support.to_arrays(grid)
        keys = arrays.rows.reshape(len(arrays.rows), -1).astype(np.int64)
        assert keys.min() >= 0 and arrays.intervals.min() >= 0 and arrays.intervals.max() <= shape[-1]
        numbers = keys[:, 0] if len(shape) == 2 else keys[:, 1] * shape[1] + keys[:, 0]
        row = np.repeat(numbers, np.diff(arrays.row_offsets))
        mask[row, arrays.intervals[:, 0]] += 1
        mask[row, arrays.intervals[:, 1]] -= 1
    return np.cumsum(mask, axis=1, dtype=np.int8)[:, :-1].astype(bool).reshape(shape)
