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
land = SpanwisePolygonsToIntervals(Input=coastlines, **lattice)
globe = SpanwiseIntervalShape(Shape="Box", Dimension="2D", Corner=[-180, -90, 0], Lengths=[360, 180, 0], **lattice)
ocean = SpanwiseSetAlgebra(Input=[globe, land], Operation="Difference")

# Isthmus of Panama: a canal joins the Pacific and the Caribbean.
canal = SpanwiseIntervalShape(Shape="Box", Dimension="2D", Corner=[-79.9, 8.7, 0], Lengths=[0.4, 0.8, 0], **lattice)
opened = SpanwiseSetAlgebra(Input=[ocean, canal], Operation="Union")
opened.UpdatePipeline()

SaveData(f"{folder}/ocean.icsr", proxy=opened)
again = SpanwiseIntervalReader(FileName=[f"{folder}/ocean.icsr"])
difference = SpanwiseSetAlgebra(Input=[opened, again], Operation="Symmetric Difference")
difference.UpdatePipeline()
assert difference.GetDataInformation().GetNumberOfCells() == 0, "the file does not hold the set that was written"

# What it takes, beside the same cells as an explicit grid.
table = SpanwiseIntervalTable(Input=again)
exploded = SpanwiseIntervalsToUnstructuredGrid(Input=again)
for source in (table, exploded):
    source.UpdatePipeline()
cells = again.GetDataInformation().GetNumberOfCells()
held, held_exploded = (s.GetDataInformation().GetMemorySize() * 1024 for s in (again, exploded))
print(f"ocean: {cells} cells in {table.GetDataInformation().GetNumberOfRows()} intervals, {held} bytes: "
      f"{held / cells:.2f} bytes a cell against {held_exploded / cells:.0f} exploded")

view = CreateRenderView(ViewSize=[1600, 800], OrientationAxesVisibility=0, UseColorPaletteForBackground=0)
view.Background = [0.85, 0.82, 0.74]
shown = Show(again, view)
shown.DiffuseColor = shown.AmbientColor = [0.16, 0.42, 0.66]
view.CameraParallelProjection = 1
ResetCamera(view)
view.CameraParallelScale = 92
SaveScreenshot(f"{folder}/ocean.png", view)
