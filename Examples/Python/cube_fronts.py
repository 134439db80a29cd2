"""Fronts in a cube of tetrahedra from one, two and eight points: errors by the step of the mesh, and a picture.

    pvbatch cube_fronts.py FOLDER [N ...]    steps 1/N; the picture is of the first (75)

The unit cube has N^3 cells of six tetrahedra each, and the speed is 1. Sources are the middle, two opposite vertices,
and all eight. The errors are those of plain times from bare points, of order 0.7: what other programs give too.
Factored times, which are the filter's default, are exact.
"""
import itertools
import sys

import numpy as np
from paraview.simple import *
from paraview.vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_TETRA, vtkCellArray, vtkUnstructuredGrid

folder = sys.argv[1] if len(sys.argv) > 1 else "."
steps = [int(n) for n in sys.argv[2:]] or [75]
CORNERS = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
SOURCES = {"one": np.array([[0.5, 0.5, 0.5]]), "two": CORNERS[[0, 7]], "eight": CORNERS}


def cube(n):
    """The unit cube of n^3 cells, each of the six tetrahedra along its diagonal (H. W. Kuhn 1960), as a source."""
    axis = np.arange(n + 1) / n
    z, y, x = np.meshgrid(axis, axis, axis, indexing="ij")
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.stack([x, y, z], axis=-1).reshape(-1, 3), deep=True))
    strides = np.array([1, n + 1, (n + 1)**2])
    ways = []
    for order in itertools.permutations(range(3)):
        way = np.cumsum([0, *strides[list(order)]])
        if np.linalg.det(np.eye(3)[list(order)]) < 0.0:  # else it would be turned inside out
            way[[1, 2]] = way[[2, 1]]
        ways.append(way)
    cells = np.arange(n)
    first = (cells[:, None, None] * strides[2] + cells[:, None] * strides[1] + cells).ravel()
    tetrahedra = (first[:, None, None] + np.array(ways)).ravel()
    connectivity = vtkCellArray()
    connectivity.SetData(4, numpy_to_vtkIdTypeArray(tetrahedra, deep=True))
    grid = vtkUnstructuredGrid()
    grid.SetPoints(points)
    grid.SetCells(VTK_TETRA, connectivity)
    producer = PVTrivialProducer()
    producer.GetClientSideObject().SetOutput(grid)
    producer.UpdatePipeline()
    return producer, vtk_to_numpy(points.GetData())


def arrival(mesh, sources, **properties):
    times = SpanwiseEikonalArrivalTime(Input=mesh, SourcePoints=sources.ravel().tolist(), ResultArrayName="Time",
                                       **properties)
    times.UpdatePipeline()
    return times, vtk_to_numpy(servermanager.Fetch(times).GetPointData().GetArray("Time"))


print("|   N | sources | mean error | root of mean square | largest | factored, largest | local problems a point |")
pictures = []
for n in steps:
    mesh, points = cube(n)
    for name, sources in SOURCES.items():
        exact = np.min([np.linalg.norm(points - source, axis=1) for source in sources], axis=0)
        times, plain = arrival(mesh, sources, FactorTimes=0)
        errors = plain - exact
        updates = times.FieldData["Eikonal Updates"].GetRange()[0] / len(points)
        factored = np.abs(arrival(mesh, sources)[1] - exact)
        print(f"| {n:3} | {name:7} | {errors.mean():.6f} | {np.sqrt((errors**2).mean()):.6f} | {errors.max():.5f} | "
              f"{factored.max():.1e} | {updates:.1f} |", flush=True)
        # Where fronts of several sources meet, times between vertices are earlier than those of either.
        assert errors.min() > (-1e-12 if name == "one" else -0.2 / n), "a front is faster than it may be"
        assert factored.max() < (1e-9 if name == "one" else 1.0 / n), "factored times are not exact"
        if n == steps[0]:
            pictures.append(times)

view = CreateRenderView(ViewSize=[1500, 560], OrientationAxesVisibility=0, CameraParallelProjection=1)
colours = GetColorTransferFunction("Time")
colours.ApplyPreset("Viridis", True)
colours.RescaleTransferFunction(0.0, 1.0)
beside = np.array([1.45, 0.4, 0.0])  # to the right on the screen
for k, times in enumerate(pictures):
    # an eighth is cut out
    parts = Clip(Input=times, ClipType="Box", Invert=0, Exact=1)
    parts.ClipType.Position, parts.ClipType.Length = [0.5, -0.5, 0.5], [1.0, 1.0, 1.0]
    surface = ExtractSurface(Input=parts)
    lines = Contour(Input=surface, ContourBy=["POINTS", "Time"], Isosurfaces=[0.05 * i for i in range(1, 20)])
    at = {"Representation": "Surface", "Translation": (k * beside).tolist()}
    shown = Show(surface, view, Ambient=0.35, Diffuse=0.65, **at)
    ColorBy(shown, ("POINTS", "Time"))
    dark = Show(lines, view, LineWidth=1.5, DisableLighting=1, **at)
    dark.ColorArrayName = ["POINTS", ""]
    dark.DiffuseColor = dark.AmbientColor = [0.05, 0.05, 0.1]
middle = beside + 0.5
view.CameraPosition, view.CameraFocalPoint = (middle + [2.0, -7.25, 4.0]).tolist(), middle.tolist()
view.CameraViewUp, view.CameraParallelScale = [0, 0, 1], 0.87
SaveScreenshot(f"{folder}/cube_fronts.png", view, OverrideColorPalette="WhiteBackground")
