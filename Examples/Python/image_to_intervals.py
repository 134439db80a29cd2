"""The cells of an image above a threshold.    pvpython image_to_intervals.py [FOLDER for the picture]"""
import sys

from paraview.simple import *

image = Wavelet(WholeExtent=[-60, 60, -60, 60, -60, 60])
image.UpdatePipeline()

cells = ImageToIntervals(Input=image, Scalars=["POINTS", "RTData"], LowerThreshold=160)
cells.UpdatePipeline()
inside = cells.GetDataInformation().GetNumberOfCells()
print(f"{inside} of {121**3} points are above 160")

view = CreateRenderView(ViewSize=[800, 800])
shown = Show(cells, view)
ColorBy(shown, ("CELLS", "RTData"))
view.CameraPosition, view.CameraViewUp = [200, -300, 150], [0, 0, 1]
ResetCamera(view)
if len(sys.argv) > 1:
    SaveScreenshot(f"{sys.argv[1]}/ImageToIntervals.png", view)
