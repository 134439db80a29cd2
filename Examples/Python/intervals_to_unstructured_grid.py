"""What intervals spare: the same grid with explicit points and cells.

    pvpython intervals_to_unstructured_grid.py [FOLDER for the picture]
"""
import sys

from paraview.simple import *

ball = IntervalShape(Shape="Ball")
explicit = IntervalsToUnstructuredGrid(Input=ball)
view = CreateRenderView(ViewSize=[900, 450])
for name, grid, x in (("intervals", ball, 0), ("explicit", explicit, 1.2)):
    grid.UpdatePipeline()
    info = grid.GetDataInformation()
    cells = info.GetNumberOfCells()
    print(f"{name}: {cells} cells, {info.GetMemorySize() * 1024 / cells:.1f} bytes a cell")
    shown = Show(grid, view)
    shown.Translation = [x, 0, 0]
    shown.SetRepresentationType("Surface With Edges")
view.CameraPosition, view.CameraFocalPoint = [2, -3, 1], [0.6, 0, 0]
view.CameraViewUp = [0, 0, 1]
ResetCamera(view)
if len(sys.argv) > 1:
    SaveScreenshot(f"{sys.argv[1]}/IntervalsToUnstructuredGrid.png", view)
