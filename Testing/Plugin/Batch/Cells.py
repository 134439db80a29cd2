"""Sources, the reader and filters give the same cells on any number of ranks, each owned once and spread evenly; and a rank
holds less memory the more ranks there are.

usage: pvbatch Cells.py ranks folder, after one rank less
"""

import json
import os
import sys

import numpy
import spanwise_testing as testing
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

MEASURE = """
import numpy as np
from spanwise import numpy_support, vtkSpanwiseGrid
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints

# The cells that this rank owns: how many, and a number that depends on every cell but not on their order.
grid = self.GetInputDataObject(0, 0)
cells = numpy_support.to_arrays(grid).cells().astype(np.int64)
ghosts = grid.GetCellData().GetArray("vtkGhostType")
if ghosts:
    cells = cells[vtk_to_numpy(ghosts) == 0]
digests = np.full(len(cells), 14695981039346656037, dtype=np.uint64)
for axis in range(cells.shape[1]):
    digests = (digests ^ cells[:, axis].view(np.uint64)) * np.uint64(1099511628211)
    digests ^= digests >> np.uint64(29)
digest = digests.sum(dtype=np.uint64)
points = vtkPoints()
points.InsertNextPoint(0, 0, 0)
output.SetPoints(points)
found = np.array([[len(cells), vtkSpanwiseGrid.GetIntervalMemory(grid), digest >> np.uint64(32), digest & np.uint64(2**32 - 1)]])
array = numpy_to_vtk(found.astype(float), deep=1)
array.SetName("found")
output.GetPointData().AddArray(array)
"""


def measure(source):
    """Of each rank: owned cells, bytes of the geometry, digest of the cells."""
    probe = simple.ProgrammableFilter(Input=source, OutputDataSetType="vtkPolyData", Script=MEASURE)
    probe.UpdatePipeline()
    found = vtk_to_numpy(servermanager.Fetch(probe).GetPointData().GetArray("found")).astype("uint64")
    simple.Delete(probe)
    return found[:, 0], found[:, 1], (found[:, 2] << 32) + found[:, 3]


def pipelines(folder):
    """(name, source) of all that makes grids of intervals."""
    ball = simple.SpanwiseIntervalShape(Shape="Ball", Radius=1.0, Spacing=[0.02, 0.02, 0.02])
    box = simple.SpanwiseIntervalShape(Shape="Box", Corner=[-0.3, -2, -0.1], Lengths=[0.6, 4, 1.5],
                                       Spacing=[0.02, 0.02, 0.02])
    yield "shape", ball
    for operation in ("Union", "Intersection", "Difference", "Symmetric Difference", "Complement"):
        yield operation, simple.SpanwiseSetAlgebra(Input=[ball, box], Operation=operation)
    yield "expression", simple.SpanwiseSetExpression(Input=[ball, box], Expression="dilate(A - B, 2) | boundary(B, outer)")
    yield "region", simple.SpanwiseExtractRegion(Input=ball, Region="Sphere", Center=[0.5, 0, 0.5], Radius=0.8)
    yield "region of a set", simple.SpanwiseExtractRegion(Input=ball, Region="Set", RegionSet=box, Side="Outside")
    yield "disk", simple.SpanwiseIntervalShape(Shape="Ball", Dimension="2D", Radius=1.0, Spacing=[0.002, 0.002, 1.0])
    for operation in ("Dilate", "Close", "Inner Gradient"):
        yield operation, simple.SpanwiseMorphology(Input=box, Operation=operation, Element="Ball", Radius=4)
    yield "boundary", simple.SpanwiseBoundary(Input=ball, Side="Outer", PeriodicZ=1)
    yield "components", simple.SpanwiseComponents(Input=ball, Keep="Largest")
    yield "holes", simple.SpanwiseFillHoles(Input=ball)
    image = simple.Wavelet(WholeExtent=[-40, 40, -40, 40, -40, 40])
    cells = simple.SpanwiseImageToIntervals(Input=image, Scalars=["POINTS", "RTData"], LowerThreshold=120,
                                            UpperThreshold=220)
    yield "image", cells
    yield "threshold", simple.SpanwiseThresholdToIntervals(
        Input=cells, Scalars=["CELLS", "RTData"], LowerThreshold=130, UpperThreshold=160)
    yield "stencil", simple.SpanwiseFieldStencil(Input=cells, Array=["CELLS", "RTData"], Stencil="Jacobi Smoothing", Iterations=3)
    yield "remap", simple.SpanwiseRemapField(Input=ball, Source=box)
    yield "polygons", simple.SpanwisePolygonsToIntervals(Input=simple.Disk(CircumferentialResolution=200))
    yield "surface", simple.SpanwiseSurfaceToIntervals(Input=simple.Sphere(ThetaResolution=100, PhiResolution=100))
    yield "rebuilt", simple.SpanwiseGridToIntervals(Input=simple.SpanwiseIntervalsToUnstructuredGrid(Input=ball))
    yield "file", simple.OpenDataFile(os.path.join(folder, "ball.icsr"))


# A programmable filter brings numpy's names into this script's, among them a sum() and a max() that wait for all ranks:
# arrays are asked for theirs here.
def compare(name, found, fewer):
    """With what one rank less has found."""
    assert (found["cells"], found["digest"]) == (fewer["cells"], fewer["digest"]), name
    memory, before = numpy.array(found["memory"]), numpy.array(fewer["memory"])
    assert memory.max() < before.max(), name
    # Ranks hold the rows beside their own, too: cuts are few, so this is little.
    assert memory.sum() < 1.15 * before.sum(), name


ranks, folder = int(sys.argv[1]), sys.argv[2]
testing.check_loaded(ranks)
os.makedirs(folder, exist_ok=True)
fewer = {}
if ranks == 1:
    simple.SaveData(os.path.join(folder, "ball.icsr"),
                    simple.SpanwiseIntervalShape(Radius=2.0, Spacing=[0.03, 0.03, 0.03]))
else:
    with open(os.path.join(folder, f"{ranks - 1}.json")) as file:
        fewer = json.load(file)
found = {}
for name, source in pipelines(folder):
    owned, memory, digest = measure(source)
    found[name] = {"cells": int(owned.sum()), "digest": int(digest.sum()), "memory": memory.tolist()}
    print(name, found[name], "owned:", owned.tolist())
    assert len(owned) == ranks and owned.sum() > 1000, name
    assert numpy.abs(owned - owned.mean()).max() <= 0.2 * owned.mean(), f"{name}: {owned.tolist()}"
    if fewer:
        compare(name, found[name], fewer[name])
with open(os.path.join(folder, f"{ranks}.json"), "w") as file:
    json.dump(found, file)
