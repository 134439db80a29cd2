"""Grids and views for the tests of this folder.

A grid comes as the intervals that it is made of, or exploded: the same cells, points and arrays made explicit, which ParaView
shows as it shows any unstructured grid.

A programmable source runs in the namespace of the script that ParaView runs, after importing all of numpy into it: tests keep
their variables in functions.
"""

import os
import tempfile

from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

simple._DisableFirstRenderCameraReset()

SCRIPT = """
import numpy as np
from spanwise import vtkSpanwiseGrid
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid
from vtkmodules.vtkParallelCore import vtkMultiProcessController

dimension, n, holes, explode = {dimension}, {n}, {holes}, {explode}
axes = np.mgrid[tuple(slice(-n, n) for _ in range(dimension))][::-1]  # x first
inside = np.sum([(a + 0.5) ** 2 for a in axes], axis=0) < (0.9 * n) ** 2
if holes:
    inside &= np.sum([(a % holes - holes // 2) ** 2 for a in axes], axis=0) >= (holes // 4) ** 2
cells = np.stack([a[inside] for a in axes], axis=1).astype(np.int32)
rank, ranks = {part}
share = np.array_split(np.arange(-n, n), ranks)[rank]
first, last = (share[0], share[-1]) if len(share) else (n, n - 2)
cells = cells[(cells[:, -1] >= first - 1) & (cells[:, -1] <= last + 1)]
grid = vtkUnstructuredGrid()
problem = vtkSpanwiseGrid.FromCells(grid, numpy_to_vtk(np.ascontiguousarray(cells)), {origin}, {spacing})
assert not problem, problem
values = numpy_to_vtk(np.sin(0.11 * cells[:, 0]) * np.cos(0.07 * cells[:, 1]) + 0.01 * cells[:, -1], deep=1)
values.SetName("wave")
grid.GetCellData().AddArray(values)
kinds = numpy_to_vtk((cells.sum(axis=1) // 7 % 5).astype(np.int32), deep=1)
kinds.SetName("kind")
grid.GetCellData().AddArray(kinds)
points = np.array([grid.GetPoint(p) for p in range(grid.GetNumberOfPoints())]).reshape(-1, 3)
heights = numpy_to_vtk(np.sin(0.13 * points).sum(axis=1) if len(points) else np.zeros(0), deep=1)
heights.SetName("height")
grid.GetPointData().AddArray(heights)
if ranks > 1:  # the rows beside a rank's own are ghosts
    ghosts = ((cells[:, -1] < first) | (cells[:, -1] > last)).astype(np.uint8)
    ghosts = numpy_to_vtk(ghosts, deep=1)
    ghosts.SetName("vtkGhostType")
    grid.GetCellData().AddArray(ghosts)
if explode:
    twin = vtkUnstructuredGrid()
    vtkSpanwiseGrid.Explode(grid, twin)
    grid = twin
output.ShallowCopy(grid)
"""


def grid(dimension, n, holes=0, explode=False, origin=(0.0, 0.0, 0.0), spacing=(1.0, 1.0, 1.0), part="(0, 1)"):
    """A disk or ball of about 2 n cells across, with a lattice of holes; with part="rank", a slab of it on each rank, between ghosts."""
    if part == "rank":
        part = "[f() for c in [vtkMultiProcessController.GetGlobalController()] " \
               "for f in (c.GetLocalProcessId, c.GetNumberOfProcesses)]"
    source = simple.ProgrammableSource(OutputDataSetType="vtkUnstructuredGrid")
    source.Script = SCRIPT.format(dimension=dimension, n=n, holes=holes, explode=explode, origin=list(origin),
                                  spacing=list(spacing), part=part)
    source.UpdatePipeline()
    return source


def view(size=(400, 300)):
    render_view = simple.CreateView("RenderView")
    render_view.ViewSize = list(size)
    render_view.OrientationAxesVisibility = 0
    render_view.MaximumNumberOfPeels = 100  # all of them, wherever ranks cut the scene
    return render_view


def show(source, render_view, representation="Surface", color=None, **properties):
    """Shows only this source; `color` is (association, array) or None."""
    for other in simple.GetSources().values():
        simple.Hide(other, render_view)
    display = simple.Show(source, render_view)
    display.SetRepresentationType(representation)
    if color is None:
        display.ColorArrayName = ["POINTS", ""]
    else:
        simple.ColorBy(display, color)
        display.SetScalarBarVisibility(render_view, False)
    for name, value in properties.items():
        setattr(display, name, value)
    return display


def look(render_view, position, focus, up=(0.0, 1.0, 0.0), scale=None):
    """Sets the camera; with a scale the projection is parallel."""
    render_view.CameraPosition = position
    render_view.CameraFocalPoint = focus
    render_view.CameraViewUp = up
    render_view.CameraParallelProjection = 0 if scale is None else 1
    if scale is not None:
        render_view.CameraParallelScale = scale


def picture(render_view, name=None):
    """The view as an array [height, width, 3] of bytes; kept as a file if the test was told where."""
    folder = os.environ.get("SPANWISE_PICTURES")
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(folder or scratch, (name or "picture") + ".png")
        simple.SaveScreenshot(path, render_view)
        if not os.path.exists(path):  # not the first rank
            return None
        reader = vtkPNGReader()
        reader.SetFileName(path)
        reader.Update()
        image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, -1)[..., :3].astype(int)


def differing(a, b, tolerance=0):
    """How many pixels differ by more than so many steps in any channel."""
    return int((abs(a - b).max(axis=2) > tolerance).sum())


def settings(exact, maximum=4000000, pixels=1.0):
    """Polygons up to which grids are drawn exactly, polygons that may be drawn of larger ones, pixels of a block."""
    proxy = simple.GetSettingsProxy("SpanwiseRenderingSettings")
    proxy.ExactPolygons, proxy.MaximumPolygons, proxy.PixelSize = exact, maximum, pixels


def mapper(display):
    """The mapper behind a display, in a process that draws itself."""
    return display.GetClientSideObject().GetActiveRepresentation().GetActor().GetMapper()


def polygons(display):
    """How many polygons the representation gave to its view."""
    return display.GetClientSideObject().GetActiveRepresentation().GetRenderedDataObject(0).GetNumberOfElements(1)


def selected(source):
    """The ids of the selected cells or points of a source, in order."""
    selection = source.GetSelectionInput(source.Port)
    if not selection:
        return []
    sources = selection.Input if selection.GetXMLName() == "AppendSelections" else [selection]
    sources = sources if hasattr(sources, "__len__") else [sources]
    ids = []
    for one in sources:
        ids += list(one.IDs)[1::2]
    return sorted(ids)
