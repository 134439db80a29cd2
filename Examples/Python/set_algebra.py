"""A ball, a box, and what algebra makes of them.    pvpython set_algebra.py [FOLDER for the picture]"""
import sys

from paraview.simple import *

view = CreateRenderView(ViewSize=[1600, 400])
ball = IntervalShape(Shape="Ball")
box = IntervalShape(Shape="Box", Corner=[0, -0.6, 0], Lengths=[0.6, 0.6, 0.6])
operations = ["Union", "Intersection", "Difference", "Symmetric Difference", "Complement"]
for k, operation in enumerate(operations):
    result = IntervalSetAlgebra(Input=[ball, box], Operation=operation)
    result.UpdatePipeline()
    print(f"{operation}: {result.GetDataInformation().GetNumberOfCells()} cells")
    Show(result, view).Translation = [1.3 * k, 0, 0]
view.CameraPosition, view.CameraFocalPoint = [5, -5, 2], [2.6, 0, 0]
view.CameraViewUp = [0, 0, 1]
ResetCamera(view)
if len(sys.argv) > 1:
    SaveScreenshot(f"{sys.argv[1]}/SetAlgebra.png", view)
