"""What stock ParaView and VTK take for work like that which Large.py times, in the same process and between its turns.

Seconds say little where machines differ and are shared. A limit holds on the machine on which it was set; elsewhere it
grows with the time of this work, and never shrinks. None of it runs through Spanwise: the polygons come from a file or
from VTK with 64-bit indices, which Spanwise leaves to VTK.
"""

import os
import tempfile
import time

import numpy
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkFiltersSources import vtkPlaneSource
from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow

# The seconds of both on the machine on which the limits were set, an AMD Zen 5. They were measured on a Zen 4 (2.6 GHz),
# on a quiet stretch, as 0.29 and 0.24, and divided by 1.24: as many times as on the Zen 5 of
# Documentation/Performance/Sets.md took what does not depend on this project, OpenVDB's set algebra on one thread with
# its copy (union, intersection and difference of random 2D 1.11, 1.34, 1.14, of random 3D 1.04, 1.36, 1.45, of balls 1.38,
# 1.57, 1.56, of shells 1.01, 1.13, 1.12; this is their median).
OPENING = 0.23
DRAWING = 0.19


def finish(render_view):
    """Waits until a view is drawn: graphics draw behind the back of who asks for it."""
    render_view.GetRenderWindow().WaitForCompletion()


def quads(columns, rows):
    """A sheet of quads with the cell array "wave"."""
    plane = vtkPlaneSource()
    plane.SetResolution(columns, rows)
    plane.SetPoint1(columns, 0, 0)
    plane.SetPoint2(0, rows, 0)
    plane.Update()
    sheet = plane.GetOutput()
    sheet.GetPointData().Initialize()
    sheet.GetPolys().ConvertTo64BitStorage()
    values = numpy_to_vtk(numpy.sin(0.001 * numpy.arange(columns * rows, dtype=numpy.float32)), deep=1)
    values.SetName("wave")
    sheet.GetCellData().AddArray(values)
    return sheet


def opening(render_view):
    """A function that opens and draws a file of 340 thousand quads and returns the seconds that it took."""
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "reference.vtp")
    writer = vtkXMLPolyDataWriter()
    writer.SetFileName(path)
    writer.SetInputData(quads(680, 500))
    writer.SetDataModeToAppended()
    writer.EncodeAppendedDataOff()
    writer.SetCompressorTypeToNone()
    assert writer.Write()

    def turn(_=folder):  # the folder lives as long as the function
        begin = time.perf_counter()
        source = simple.OpenDataFile(path)
        display = simple.Show(source, render_view)
        simple.ColorBy(display, ("CELLS", "wave"))
        render_view.ResetCamera()
        simple.Render(render_view)
        finish(render_view)
        seconds = time.perf_counter() - begin
        simple.Delete(source)
        return seconds

    turn()  # loads what ParaView loads at its first use
    return turn


def drawing(size):
    """A function that draws 800 thousand quads anew, prepared anew, and returns the seconds that it took."""
    sheet = quads(1000, 800)
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(sheet)
    mapper.SetScalarModeToUseCellFieldData()
    mapper.SelectColorArray("wave")
    mapper.SetScalarRange(-1.0, 1.0)
    actor = vtkActor()
    actor.SetMapper(mapper)
    renderer = vtkRenderer()
    renderer.AddActor(actor)
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(*size)
    window.AddRenderer(renderer)
    renderer.ResetCamera()

    def turn():
        sheet.Modified()
        renderer.GetActiveCamera().Azimuth(0.1)
        begin = time.perf_counter()
        window.Render()
        window.WaitForCompletion()
        return time.perf_counter() - begin

    turn()  # makes the shaders
    return turn
