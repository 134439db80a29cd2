"""A scanned surface of two million triangles as cells, cut by a ball: 512 cells along its longest axis.

    pvbatch scanned_surface.py FOLDER    with FOLDER/surface.vtp, which Data/scanned_surface.py writes
"""
import sys

from paraview.simple import *

folder = sys.argv[1] if len(sys.argv) > 1 else "."

surface = XMLPolyDataReader(FileName=[f"{folder}/surface.vtp"])
surface.UpdatePipeline()
x0, x1, y0, y1, z0, z1 = surface.GetDataInformation().GetBounds()
longest = max(x1 - x0, y1 - y0, z1 - z0)
cell = longest / 512
lattice = {"Origin": [x0, y0, z0], "Spacing": [cell, cell, cell]}

solid = SpanwiseSurfaceToIntervals(Input=surface, **lattice)
ball = SpanwiseIntervalShape(Shape="Ball", Dimension="3D", Center=[x1, y1, z1], Radius=longest / 2, **lattice)
cut = SpanwiseSetAlgebra(Input=[solid, ball], Operation="Difference")
cut.UpdatePipeline()
SaveData(f"{folder}/scanned_surface.icsr", proxy=cut)

for name, source in (("solid", solid), ("cut", cut)):
    table = SpanwiseIntervalTable(Input=source)
    table.UpdatePipeline()
    cells = source.GetDataInformation().GetNumberOfCells()
    bytes_held = source.GetDataInformation().GetMemorySize() * 1024
    intervals = table.GetDataInformation().GetNumberOfRows()
    print(f"{name}: {cells} cells in {intervals} intervals, {bytes_held} bytes, "
          f"{bytes_held / cells:.2f} bytes a cell; a volume of {cells * cell**3 / 1000:.0f} cm^3")

view = CreateRenderView(ViewSize=[800, 640], OrientationAxesVisibility=0, UseColorPaletteForBackground=0)
view.Background = [1.0, 1.0, 1.0]
shown = Show(cut, view)
shown.DiffuseColor = shown.AmbientColor = [0.86, 0.66, 0.58]
shown.Shading = "Smooth"
view.CameraPosition = [longest * 1.4, longest * 1.8, longest * 1.2]
view.CameraViewUp = [0, 0, 1]
view.CameraFocalPoint = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2]
ResetCamera(view)
GetActiveCamera().Zoom(1.6)
SaveScreenshot(f"{folder}/scanned_surface.png", view)
