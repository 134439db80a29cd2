"""The world's ocean as an interval set: coastlines in, a canal opened, saved, read back, compared, rendered.

    pvbatch ocean.py FOLDER    with FOLDER/coastlines.vtp, which Data/coastlines.py --levels 1 writes
"""
import sys

from paraview.simple import *

folder = sys.argv[1] if len(sys.argv) > 1 else "."
cell = 1.0 / 16.0  # degrees

# Land by scan conversion of the coastlines, on the lattice of the whole globe; the ocean is the rest.
coastlines = XMLPolyDataReader(FileName=[f"{folder}/coastlines.vtp"])
lattice = {"Origin": [-180.0, -90.0, 0.0], "Spacing": [cell, cell, cell]}
land = PolygonsToIntervals(Input=coastlines, SpacingMode="Spacing", **lattice)
globe = IntervalShape(Shape="Box", Dimension="2D", Bounds=[-180.0, 180.0, -90.0, 90.0, 0.0, 0.0], **lattice)
ocean = IntervalSetAlgebra(Input=[globe, land], Operation="Difference")

# Isthmus of Panama: a canal joins the Pacific and the Caribbean.
canal = IntervalShape(Shape="Box", Dimension="2D", Bounds=[-79.9, -79.5, 8.7, 9.5, 0.0, 0.0], **lattice)
opened = IntervalSetAlgebra(Input=[ocean, canal], Operation="Union")
opened.UpdatePipeline()

SaveData(f"{folder}/ocean.icsr", proxy=opened)
again = SpanwiseIntervalReader(FileName=[f"{folder}/ocean.icsr"])
difference = IntervalSetAlgebra(Input=[opened, again], Operation="Symmetric Difference")
difference.UpdatePipeline()
assert difference.GetDataInformation().GetNumberOfCells() == 0, "the file does not hold the set that was written"

table = IntervalTable(Input=again)
table.UpdatePipeline()
cells = again.GetDataInformation().GetNumberOfCells()
intervals = table.GetDataInformation().GetNumberOfRows()
bytes_held = again.GetDataInformation().GetMemorySize() * 1024
exploded = 61 - 8  # bytes a cell of an explicit grid of quads, without arrays
print(f"ocean: {cells} cells in {intervals} intervals, {bytes_held} bytes, "
      f"{bytes_held / cells:.2f} bytes a cell against {exploded} exploded")

view = CreateRenderView(ViewSize=[1600, 800], OrientationAxesVisibility=0, UseColorPaletteForBackground=0)
view.Background = [0.85, 0.82, 0.74]
shown = Show(again, view)
ColorBy(shown, None)
shown.DiffuseColor = shown.AmbientColor = [0.16, 0.42, 0.66]
view.CameraParallelProjection = 1
ResetCamera(view)
view.CameraParallelScale = 92
SaveScreenshot(f"{folder}/ocean.png", view)
