"""A ball as an image with a mask, and its contour.    pvpython intervals_to_image.py [FOLDER for the picture]"""
import sys

from paraview.simple import *

ball = IntervalShape(Shape="Ball")
image = IntervalsToImage(Input=ball)
image.UpdatePipeline()
info = image.GetDataInformation()
print(f"an image of {info.GetNumberOfCells()} cells, extent {info.GetExtent()}")
inside = Threshold(Input=image, Scalars=["CELLS", "Mask"], LowerThreshold=1, UpperThreshold=1)
inside.UpdatePipeline()
print(f"{inside.GetDataInformation().GetNumberOfCells()} of them are in the ball")

points = CellDatatoPointData(Input=image)
contour = Contour(Input=points, ContourBy=["POINTS", "Mask"], Isosurfaces=[0.5])
view = CreateRenderView(ViewSize=[700, 700])
Show(image, view).SetRepresentationType("Outline")
Show(contour, view)
view.CameraPosition, view.CameraViewUp = [2, -3, 1.5], [0, 0, 1]
ResetCamera(view)
if len(sys.argv) > 1:
    SaveScreenshot(f"{sys.argv[1]}/IntervalsToImage.png", view)
