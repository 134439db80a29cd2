"""AMReX plot files, as ParaView's own reader gives them, become levels with the cells and values that were written.
In one process cell by cell; on ranks the numbers of cells and the integrals of the values on each level.

usage: pvpython or pvbatch AMReX.py folder
"""

import os
import shutil
import sys

import numpy as np
import spanwise_testing as testing
from amrex_plotfile import Level, write_plotfile
from paraview import simple
from paraview.vtk.util.numpy_support import vtk_to_numpy

FIELDS = {
    2: {"density": lambda x, y: 1.0 + x - 3.0 * y, "pressure": lambda x, y: x * x + 0.5 * y},
    3: {"density": lambda x, y, z: 1.0 + x - 3.0 * y + 7.0 * z, "pressure": lambda x, y, z: x * x + y * z},
}
LOW, SIZE, TIME = (-0.5, 1.0, 2.0), (2.0, 1.0, 0.5), 0.75

# Boxes in cells of their level: several a level, some side by side, one at the domain's corner.
NESTED = {
    2: [
        Level([((0, 0), (15, 15)), ((16, 0), (31, 15))]),
        Level([((8, 4), (31, 19)), ((32, 4), (47, 11)), ((0, 24), (7, 31))]),
        Level([((24, 16), (47, 31)), ((72, 12), (87, 19))]),
    ],
    3: [
        Level([((0, 0, 0), (7, 7, 7)), ((8, 0, 0), (15, 7, 7))]),
        Level([((4, 2, 2), (15, 11, 9)), ((16, 2, 2), (23, 5, 9)), ((0, 12, 12), (3, 15, 15))]),
        Level([((12, 8, 8), (23, 15, 15)), ((34, 6, 6), (43, 9, 13))]),
    ],
}
# Four cells to one along each axis: the level in between has no cells.
BY_FOUR = [Level([((0, 0), (15, 7))]), Level([((16, 8), (47, 23))], ratio=4), Level([((48, 24), (71, 39))])]


def scales_of(levels):
    """How many cells of each level a cell of level 0 is along an axis."""
    scales = [1]
    for level in levels[1:]:
        scales.append(scales[-1] * level.ratio)
    return scales


def cells_of(box):
    cells = np.indices([h - l + 1 for l, h in zip(*box)]).reshape(len(box[0]), -1).T + box[0]
    return {tuple(cell) for cell in cells.tolist()}


def leaves_of(levels):
    """{level in steps of two: cells that no finer level covers}, by what was written."""
    scales = scales_of(levels)
    leaves = {}
    for k, level in enumerate(levels):
        cells = set().union(*(cells_of(box) for box in level.boxes))
        for finer in range(k + 1, len(levels)):
            ratio = scales[finer] // scales[k]
            for box in levels[finer].boxes:
                cells -= {tuple(c // ratio for c in cell) for cell in cells_of(box)}
        leaves[scales[k].bit_length() - 1] = cells
    return leaves


class Lattice:
    """Where the cells of a level lie."""

    def __init__(self, levels, dimension, level):
        count = [max(box[1][d] for box in levels[0].boxes) + 1 for d in range(dimension)]
        self.spacing = [SIZE[d] / (count[d] * 2**level) for d in range(dimension)]
        self.volume = float(np.prod(self.spacing))

    def cells(self, bounds):
        """The cells with these bounds."""
        centres = [0.5 * (bounds[:, 2 * d] + bounds[:, 2 * d + 1]) for d in range(len(self.spacing))]
        return np.stack([np.floor((c - LOW[d]) / self.spacing[d]).astype(int) for d, c in enumerate(centres)], axis=1)

    def values(self, cells, function):
        return function(*(LOW[d] + (cells[:, d] + 0.5) * h for d, h in enumerate(self.spacing)))


def check_here(made, expected, levels, dimension):
    """Cell by cell."""
    collection = made.GetClientSideObject().GetOutputDataObject(0)
    assert collection.GetNumberOfPartitionedDataSets() == max(expected) + 1
    for k in range(collection.GetNumberOfPartitionedDataSets()):
        grid = collection.GetPartition(k, 0)
        number = grid.GetNumberOfCells()
        bounds = np.array([grid.GetCell(c).GetBounds() for c in range(number)]).reshape(-1, 6)
        lattice = Lattice(levels, dimension, k)
        cells = lattice.cells(bounds)
        there = {tuple(cell) for cell in cells.tolist()}
        assert len(there) == number, f"a cell of level {k} is there twice"
        assert there == expected.get(k, set()), f"level {k}: {len(there)} cells, not {len(expected.get(k, ()))}"
        for name, function in FIELDS[dimension].items():
            found = vtk_to_numpy(grid.GetCellData().GetArray(name)) if number else np.zeros(0)
            assert np.array_equal(found, lattice.values(cells, function)), f"{name} on level {k}"


def check_together(made, expected, levels, dimension):
    """All ranks together, level by level."""
    for k, cells in expected.items():
        one = simple.ExtractBlock(Input=made, Selectors=[f"/Root/Level{k}"], Assembly="Hierarchy")
        sums = simple.IntegrateVariables(Input=one)
        sums.UpdatePipeline()
        one.UpdatePipeline()
        assert one.GetDataInformation().GetNumberOfCells() == len(cells), f"level {k}"
        lattice = Lattice(levels, dimension, k)
        for name, function in FIELDS[dimension].items():
            exact = lattice.volume * lattice.values(np.array(sorted(cells)), function).sum()
            found = sums.CellData[name].GetRange()[0]
            assert abs(found - exact) < 1e-10 * max(1.0, abs(exact)), f"{name} on level {k}: {found}, not {exact}"


def read(path):
    reader = simple.AMReXBoxLibGridReader(FileNames=[path])
    reader.Level = 10
    reader.UpdatePipelineInformation()
    reader.CellArrayStatus = list(reader.CellArrayStatus.Available)
    return reader


def check(folder, name, levels, dimension):
    path = os.path.join(folder, name)
    shutil.rmtree(path, ignore_errors=True)
    write_plotfile(path, levels, FIELDS[dimension], TIME, LOW[:dimension], SIZE[:dimension])
    reader = read(path)
    made = simple.SpanwiseGridToLevels(Input=reader)
    made.UpdatePipeline(TIME)
    # The reader announces no steps where there is one file only; its data has the time.
    for source in (reader, made):
        information = source.GetDataInformation()
        assert information.GetHasTime() and information.GetTime() == TIME, information.GetTime()
    expected = leaves_of(levels)
    if testing.number_of_ranks() == 1:
        check_here(made, expected, levels, dimension)
    else:
        check_together(made, expected, levels, dimension)
    print(name, {k: len(cells) for k, cells in expected.items()}, "cells, as written")
    return made


folder = os.path.abspath(sys.argv[1])
os.makedirs(folder, exist_ok=True)
for dimension in (2, 3):
    check(folder, f"plt{dimension}d", NESTED[dimension], dimension)
check(folder, "plt_by_four", BY_FOUR, 2)
