"""Intervals again after stock filters have made explicit cells.    pvpython grid_to_intervals.py [FOLDER for the picture]"""
import sys

from paraview.simple import *

image = Wavelet(WholeExtent=[-40, 40, -40, 40, -40, 40])
image.UpdatePipeline()
cells = ImageToIntervals(Input=image, Scalars=["POINTS", "RTData"], LowerThreshold=120)
cells.UpdatePipeline()
explicit = Threshold(Input=cells, Scalars=["CELLS", "RTData"], LowerThreshold=120, UpperThreshold=180)
rebuilt = GridToIntervals(Input=explicit)
for name, grid in (("after Threshold", explicit), ("rebuilt", rebuilt)):
    grid.UpdatePipeline()
    info = grid.GetDataInformation()
    print(f"{name}: {info.GetNumberOfCells()} cells, {info.GetMemorySize() * 1024 / info.GetNumberOfCells():.1f} bytes a cell")

view = CreateRenderView(ViewSize=[800, 800])
ColorBy(Show(rebuilt, view), ("CELLS", "RTData"))
view.CameraPosition, view.CameraViewUp = [100, -200, 100], [0, 0, 1]
ResetCamera(view)
if len(sys.argv) > 1:
    SaveScreenshot(f"{sys.argv[1]}/GridToIntervals.png", view)
