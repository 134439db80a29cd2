"""Ranks read the cells of a file of samurai and their values once each, and spread evenly. ParaView
finds the reader by the file's inside.

usage: pvbatch Samurai.py ranks waves.h5
"""

import sys

import numpy
import spanwise_testing as testing
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

# Of each rank: its cells and the sum of their values by level, beside those of the whole file.
MEASURE = """
import numpy as np
from spanwise import vtkSpanwiseSamuraiReader
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints

def measured(levels):
    grids = [levels.GetPartition(level, 0) for level in range(levels.GetNumberOfPartitionedDataSets())]
    values = [vtk_to_numpy(grid.GetCellData().GetArray("u")) for grid in grids]
    return [grid.GetNumberOfCells() for grid in grids] + [float(np.sum(np.round(each * 2**20))) for each in values]

whole = vtkSpanwiseSamuraiReader()
whole.SetFileName(PATH)
whole.UpdatePiece(0, 1, 0)
points = vtkPoints()
points.InsertNextPoint(0, 0, 0)
output.SetPoints(points)
for name, levels in (("mine", self.GetInputDataObject(0, 0)), ("whole", whole.GetOutputDataObject(0))):
    array = numpy_to_vtk(np.array([measured(levels)]), deep=1)
    array.SetName(name)
    output.GetPointData().AddArray(array)
"""

ranks, path = int(sys.argv[1]), sys.argv[2]
testing.connect()
reader = simple.OpenDataFile(path)
assert reader.GetXMLName() == "SpanwiseSamuraiReader", reader.GetXMLName()
probe = simple.ProgrammableFilter(Input=reader, OutputDataSetType="vtkPolyData", Script=f"PATH = {path!r}\n" + MEASURE)
probe.UpdatePipeline()
found = servermanager.Fetch(probe).GetPointData()
mine, whole = (vtk_to_numpy(found.GetArray(name)) for name in ("mine", "whole"))
print(mine[:, : mine.shape[1] // 2].sum(axis=1), "cells of the ranks")
assert len(mine) == ranks
numpy.testing.assert_array_equal(mine.sum(axis=0), whole[0])
cells = mine[:, : mine.shape[1] // 2].sum(axis=1)
assert cells.max() < 1.2 * cells.mean(), cells
